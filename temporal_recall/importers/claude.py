"""Claude's data export: `conversations.json`, in the archive as it is downloaded.

    [{"uuid", "name", "chat_messages": [{"uuid", "sender": "human" | "assistant", "created_at": ISO 8601 with Z, "text",
        "content": [{"type": "text" | "thinking" | "tool_use" | ..., "text"}], "parent_message_uuid"?,
        "attachments": [{"file_name"}], "files": [{"file_name"}]}]}]

Where messages name their parent, the conversation is the way from its last message (`current_leaf_message_uuid`, or the newest leaf)
upward, and the rest are other branches. The text is that of the parts of type text; `text` where there are no parts. Thinking, calls
of tools and what they gave are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters import _times
from temporal_recall.importers.export import Export
from temporal_recall.importers.messages import Left, Options, Said
from temporal_recall.importers.streaming import Broken, items, one_of

_ROLES = {"human": "user", "assistant": "assistant"}
_ROOT = "00000000-0000-4000-8000-000000000000"


def read(export: Export, options: Options) -> Iterator[Said | Left]:
    names = one_of(export.find("conversations*.json"), "conversations.json")
    export.expect(names)
    for name in names:
        with export.open(name) as stream:
            place = f"{name}:"
            try:
                for n, conversation in enumerate(items(stream)):
                    place = f"{name}:[{n}]"
                    yield from _conversation(conversation, place, options)
            except Broken as error:
                yield Left(f"{name}: after {place}", f"the JSON breaks off: {error}", bad=True)


def _conversation(found: Any, place: str, options: Options) -> Iterator[Said | Left]:
    key = found.get("uuid") if isinstance(found, dict) else None
    messages = found.get("chat_messages") if isinstance(found, dict) else None
    if not isinstance(key, str) or not isinstance(messages, list):
        yield Left(place, "a conversation without uuid or chat_messages", bad=True)
        return
    way = _way(messages, found.get("current_leaf_message_uuid"))
    for n, message in enumerate(messages):
        at = f"{place}.chat_messages[{n}]"
        if not isinstance(message, dict) or not isinstance(message.get("uuid"), str) or message.get("sender") not in _ROLES:
            yield Left(at, "a message without uuid or sender", bad=True)
        elif n not in way:
            yield Left(at, "another branch")
        else:
            yield _message(message, at, key, options)


def _way(messages: list[Any], leaf: Any) -> set[int]:
    """The places of the messages that lead to the last one."""
    places = {m["uuid"]: n for n, m in enumerate(messages) if isinstance(m, dict) and isinstance(m.get("uuid"), str)}
    parents = {n: messages[n].get("parent_message_uuid") for n in places.values()}
    if not any(isinstance(parent, str) for parent in parents.values()):
        return set(places.values())
    if leaf not in places:
        leaves = [n for uuid, n in places.items() if uuid not in parents.values()]
        at: int | None = max(leaves or places.values(), key=lambda n: (str(messages[n].get("created_at")), n))
    else:
        at = places[leaf]
    way: set[int] = set()
    while at is not None and at not in way:
        way.add(at)
        parent = parents.get(at)
        if parent in places:
            at = places[parent]
        else:  # a parent that the export lacks: what stands before is taken for it
            at = None if parent in (None, _ROOT) else max((n for n in places.values() if n < at), default=None)
    return way


def _message(message: dict[str, Any], place: str, conversation: str, options: Options) -> Said | Left:
    named = [message.get(kind) for kind in ("attachments", "files")]
    attachments = tuple(
        str(file["file_name"])
        for files in named
        for file in (files if isinstance(files, list) else [])
        if isinstance(file, dict) and file.get("file_name")
    )
    text = _text(message)
    if not text:
        return Left(place, "attachment" if attachments else "no text", attachments=attachments)
    moment = _times.moment(message.get("created_at"), options.zone, "text")
    if moment is None and message.get("created_at") is not None:
        return Left(place, "created_at is no time", bad=True)
    role = _ROLES[message["sender"]]
    return Said(f"{conversation}:{message['uuid']}", conversation, role, text, moment, place, attachments)


def _text(message: dict[str, Any]) -> str:
    parts = message.get("content")
    if isinstance(parts, list) and parts:
        texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
        return "\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())
    plain = message.get("text")
    return plain.strip() if isinstance(plain, str) else ""
