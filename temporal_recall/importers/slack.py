"""Slack's workspace export: a folder, or the archive as it is downloaded.

    users.json       [{"id": "U1", "name", "real_name", "profile": {"display_name", "real_name", "email"}}]
    channels.json, groups.json, dms.json, mpims.json       [{"id", "name"}]
    {channel}/{YYYY-MM-DD}.json      [{"type": "message", "subtype"?, "user", "ts": "1788444000.000100", "text", "files"?, "thread_ts"?}]

`ts` is Unix seconds and, in its channel, the message's id. Answers in a thread stand among the others; an edited message holds its
last text. Mentions <@U1> become names, links their label, &amp; &lt; &gt; the sign. `--me` is the person's name, address or id.
What Slack wrote itself, programs' messages and files without a text are left out.
"""

from __future__ import annotations

import datetime as dt
import html
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from temporal_recall.importers.export import Export
from temporal_recall.importers.messages import ExportError, Left, Options, Said, speaker, who
from temporal_recall.importers.streaming import Broken, items, one_of

_KEPT = (None, "", "me_message", "thread_broadcast", "file_share", "file_comment", "reply_broadcast")
_LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.json")
_REFERENCE = re.compile(r"<(?P<sign>[@#!]?)(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")


def read(export: Export, options: Options) -> Iterator[Said | Left]:
    lists = one_of([name for name in export.find("users.json") if name.endswith("users.json")], "users.json")
    root = min(lists, key=len).removesuffix("users.json")
    users, problems = _list(export, f"{root}users.json")
    yield from problems
    called = {user["id"]: _name(user) for user in users if isinstance(user, dict) and isinstance(user.get("id"), str)}
    mine = _own(users, called, options)
    channels: dict[str, str] = {}
    for name in _LISTS:
        if root + name in export.under(root):
            found, problems = _list(export, root + name)
            yield from problems
            channels |= {
                str(c.get("name") or c["id"]): c["id"] for c in found if isinstance(c, dict) and isinstance(c.get("id"), str)
            }
    days = [name for name in export.under(root) if _DAY_FILE.fullmatch(PurePosixPath(name).name)]
    export.expect(days)
    export.done = 0
    for day in sorted(days):
        folder = PurePosixPath(day).parent.name
        place = day
        with export.open(day) as stream:
            try:
                for n, message in enumerate(items(stream)):
                    place = f"{day}:[{n}]"
                    yield _message(message, place, channels.get(folder, folder), called, mine)
            except Broken as error:
                yield Left(f"{day}: after {place}", f"the JSON breaks off: {error}", bad=True)


def _list(export: Export, name: str) -> tuple[list[Any], list[Left]]:
    found: list[Any] = []
    with export.open(name) as stream:
        try:
            found.extend(items(stream))
        except Broken as error:
            return found, [Left(name, f"the JSON breaks off: {error}", bad=True)]
    return found, []


def _names(user: dict[str, Any]) -> list[str]:
    profile = user.get("profile") if isinstance(user.get("profile"), dict) else {}
    assert isinstance(profile, dict)
    names = [
        profile.get("display_name"),
        profile.get("real_name"),
        user.get("real_name"),
        user.get("name"),
        profile.get("email"),
    ]
    return [name for name in names if isinstance(name, str) and name.strip()]


def _name(user: dict[str, Any]) -> str:
    return str(next(iter(_names(user)), user["id"]))


def _own(users: list[Any], called: dict[str, str], options: Options) -> str:
    names: dict[str, set[str]] = {
        u["id"]: {u["id"], *_names(u)} for u in users if isinstance(u, dict) and u.get("id") in called
    }
    me = who(options, (name for some in names.values() for name in some), called.values())
    mine = [key for key, some in names.items() if me in some]
    if len(mine) > 1:
        raise ExportError(f"several people are called {me!r}: give --me one of {', '.join(mine)}")
    return mine[0]


def _message(message: Any, place: str, channel: str, called: dict[str, str], mine: str) -> Said | Left:
    if not isinstance(message, dict):
        return Left(place, "no message", bad=True)
    if message.get("type") != "message" or message.get("subtype") not in _KEPT:
        return Left(place, "deleted" if message.get("subtype") == "tombstone" else "system line")
    files = message.get("files")
    attachments = tuple(
        str(file.get("name") or file.get("title") or "attachment")
        for file in (files if isinstance(files, list) else [])
        if isinstance(file, dict)
    )
    user, text = message.get("user"), message.get("text")
    if not isinstance(text, str) or not text.strip():
        return Left(place, "attachment" if attachments else "no text", attachments=attachments)
    if not isinstance(user, str):
        return Left(
            place, "a program's message" if message.get("bot_id") else "a message without a user", bad=not message.get("bot_id")
        )
    try:
        moment = dt.datetime.fromtimestamp(float(message["ts"]), dt.UTC)
    except (KeyError, TypeError, ValueError, OverflowError, OSError):
        return Left(place, "ts is no Unix time", bad=True)
    role = "user" if user == mine else speaker(called.get(user, user))
    return Said(f"{channel}:{message['ts']}", channel, role, _plain(text, called), moment, place, attachments)


def _plain(text: str, called: dict[str, str]) -> str:
    def shown(found: re.Match[str]) -> str:
        sign, target, label = found["sign"], found["target"], found["label"]
        if sign == "@":
            return "@" + called.get(target, label or target)
        if sign == "#":
            return "#" + (label or target)
        if sign == "!":
            return label or "@" + target.partition("^")[0]
        return label or target

    return html.unescape(_REFERENCE.sub(shown, text)).strip()
