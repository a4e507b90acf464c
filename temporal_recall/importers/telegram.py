"""Telegram Desktop's JSON export: `result.json`, of one chat or of a whole account.

    {"personal_information": {"user_id"}, "chats": {"list": [chat]}, "left_chats": {"list": [chat]}}      or a chat alone:
    {"name", "type", "id", "messages": [{"id", "type": "message" | "service", "date": wall time of the exporter, "date_unixtime"?,
        "from", "from_id": "user123", "text": text | [text | {"type", "text"}], "file"?, "photo"?, "media_type"?, "forwarded_from"?}]}

A whole account says who the person is; for a chat alone `--me` is their name or id in it. `date` without `date_unixtime` is wall time in
`--timezone`. A forwarded message speaks with the name of whom it was forwarded from. Service lines and media without a text are left
out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from adapters import _times
from temporal_recall.importers.export import Export
from temporal_recall.importers.messages import ExportError, Left, Options, Said, local, speaker, who
from temporal_recall.importers.streaming import Broken, Events, elements, entries, events, one_of, value

_LISTS = ("chats", "left_chats")
_NAMES = ("file_name", "file", "photo", "media_type", "sticker_emoji", "contact_information", "location_information", "poll")


def read(export: Export, options: Options) -> Iterator[Said | Left]:
    names = one_of(export.find("result*.json"), "result.json")
    export.expect(names)
    for name in names:
        own = _own(export, name, options)
        with export.open(name) as stream:
            place = name
            try:
                for where, _, chat, message in _messages(events(stream), {}):
                    place = f"{name}:{where}"
                    yield _message(message, chat, own, place, options)
            except Broken as error:
                yield Left(f"{name}: after {place}", f"the JSON breaks off: {error}", bad=True)


Found = tuple[str, dict[str, Any], dict[str, Any], Any]


def _messages(following: Events, whole: dict[str, Any]) -> Iterator[Found]:
    """Each message: its place, what is known of the whole export so far, of its chat so far, and itself."""
    for event, _ in following:
        if event == "start_map":
            yield from _chat(following, "", whole, whole)


def _chat(following: Events, where: str, whole: dict[str, Any], chat: dict[str, Any]) -> Iterator[Found]:
    for key, event, found in entries(following):
        if key == "messages" and event == "start_array":
            for n, (kind, part) in enumerate(elements(following)):
                yield f"{where}messages[{n}]", whole, chat, value(kind, part, following)
        elif key in _LISTS and event == "start_map" and chat is whole:
            for name, inner, part in entries(following):
                if name != "list" or inner != "start_array":
                    value(inner, part, following)
                    continue
                for n, (kind, _) in enumerate(elements(following)):
                    if kind == "start_map":
                        yield from _chat(following, f"{key}.list[{n}].", whole, {})
        else:
            chat[key] = value(event, found, following)


def _own(export: Export, name: str, options: Options) -> str:
    """The person's from_id. Raises ExportError when neither the export nor --me says it."""
    people: dict[str, str] = {}
    with export.open(name) as stream:
        try:
            for _, whole, _, message in _messages(events(stream), {}):
                person = whole.get("personal_information")
                if isinstance(person, dict) and person.get("user_id") is not None:
                    return f"user{person['user_id']}"
                if isinstance(message, dict) and isinstance(message.get("from_id"), str):
                    people[message["from_id"]] = str(message.get("from") or message["from_id"])
        except Broken as error:
            if not people:  # else it is told when the messages are read
                raise ExportError(f"{name} is no Telegram export, or is cut off: {error}") from error
        finally:
            export.done = 0
    me = who(options, [*people, *people.values()], people.values())
    mine = [key for key, called in people.items() if me in (key, called)]
    if len(mine) > 1:
        raise ExportError(f"several people are called {me!r}: give --me one of {', '.join(mine)}")
    return mine[0]


def _message(message: Any, chat: dict[str, Any], own: str, place: str, options: Options) -> Said | Left:
    if not isinstance(message, dict) or not isinstance(number := message.get("id"), int) or isinstance(number, bool):
        return Left(place, "a message without an id", bad=True)
    if message.get("type") != "message":
        return Left(place, "system line")
    attachments = tuple(_attachment(message[name]) for name in _NAMES if message.get(name))[:1]
    text = _text(message.get("text")).strip()
    if not text:
        return Left(place, "attachment" if attachments else "no text", attachments=attachments)
    moment = _moment(message, options)
    if moment is None:
        return Left(place, "neither date_unixtime nor date is a time", bad=True)
    chat_id = str(chat.get("id") or chat.get("name") or "chat")
    if "forwarded_from" in message:
        role = speaker(message["forwarded_from"] or "forwarded")
    else:
        role = "user" if message.get("from_id") == own else speaker(message.get("from") or message.get("from_id"))
    return Said(f"{chat_id}:{number}", chat_id, role, text, moment, place, attachments)


def _attachment(found: Any) -> str:
    return found if isinstance(found, str) else "attachment"


def _text(found: Any) -> str:
    if isinstance(found, str):
        return found
    if not isinstance(found, list):
        return ""
    pieces = [piece.get("text") if isinstance(piece, dict) else piece for piece in found]
    return "".join(piece for piece in pieces if isinstance(piece, str))


def _moment(message: dict[str, Any], options: Options) -> dt.datetime | None:
    exact = _times.moment(message.get("date_unixtime"), dt.UTC, "epoch_s")
    if exact is not None:
        return exact
    try:
        date = dt.datetime.fromisoformat(message["date"])
        return date if date.tzinfo is not None else local(date, options.zone)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
