"""ChatGPT's data export: `conversations.json` (or several `conversations-*.json`), in the archive as it is downloaded.

    [{"id", "title", "current_node", "mapping": {node: {"id", "parent", "children", "message": null | {
        "id", "author": {"role"}, "create_time": null | Unix seconds, "recipient", "metadata",
        "content": {"content_type": "text" | "multimodal_text" | ..., "parts": [text | {...}]}}}}}]

`mapping` is a tree: an answer that was made anew stands beside the first. The conversation is the way from `current_node` up to the
root; what is not on it is another branch. user and assistant are kept, with the text of their parts; hidden messages, those of
programs (system, tool, what is sent to a tool) and those without text are left out. A message without create_time has no moment.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from temporal_recall.importers.export import Export
from temporal_recall.importers.messages import Left, Options, Said, fingerprint
from temporal_recall.importers.streaming import Broken, items, one_of


def read(export: Export, options: Options) -> Iterator[Said | Left]:
    names = one_of(export.find("conversations*.json"), "conversations.json")
    export.expect(names)
    for name in names:
        with export.open(name) as stream:
            place = f"{name}:"
            try:
                for n, conversation in enumerate(items(stream)):
                    place = f"{name}:[{n}]"
                    yield from _conversation(conversation, place)
            except Broken as error:
                yield Left(f"{name}: after {place}", f"the JSON breaks off: {error}", bad=True)


def _conversation(found: Any, place: str) -> Iterator[Said | Left]:
    if not isinstance(found, dict) or not isinstance(found.get("mapping"), dict):
        yield Left(place, "a conversation without a mapping", bad=True)
        return
    mapping = found["mapping"]
    identity = found.get("conversation_id") or found.get("id")
    key = identity if isinstance(identity, str) and identity else fingerprint(*sorted(mapping))
    way = _way(mapping, found.get("current_node"))
    for node in way:
        yield from _message(mapping[node], f"{place}.mapping.{node}", key, node)
    other = mapping.keys() - set(way)
    for node in sorted(other):
        entry = mapping[node]
        if isinstance(entry, dict) and entry.get("message") is not None:
            yield Left(f"{place}.mapping.{node}", "another branch")


def _way(mapping: dict[str, Any], current: Any) -> list[str]:
    """The nodes from the root to the current one; without one, to the last that was made."""
    if current not in mapping:
        nodes = [(node, entry) for node, entry in mapping.items() if isinstance(entry, dict) and not entry.get("children")]
        current = max(nodes, key=lambda pair: _made(pair[1]), default=(None, None))[0]
    way: list[str] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in mapping and current not in seen:
        seen.add(current)
        way.append(current)
        entry = mapping[current]
        current = entry.get("parent") if isinstance(entry, dict) else None
    return way[::-1]


def _made(entry: dict[str, Any]) -> float:
    message = entry.get("message")
    made = message.get("create_time") if isinstance(message, dict) else None
    return float(made) if isinstance(made, int | float) and not isinstance(made, bool) else 0.0


def _message(entry: Any, place: str, conversation: str, node: str) -> Iterator[Said | Left]:
    message = entry.get("message") if isinstance(entry, dict) else None
    if message is None and isinstance(entry, dict):
        return  # the root holds nothing
    if not isinstance(message, dict) or not isinstance(author := message.get("author"), dict):
        yield Left(place, "a message without an author", bad=True)
        return
    role, metadata = author.get("role"), message.get("metadata")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True
    if role not in ("user", "assistant") or hidden or message.get("recipient") not in (None, "all"):
        yield Left(place, "not of the conversation")
        return
    text, attachments = _content(message.get("content"))
    if isinstance(metadata, dict) and isinstance(metadata.get("attachments"), list):
        named = [str(a["name"]) for a in metadata["attachments"] if isinstance(a, dict) and a.get("name")]
        attachments = named or attachments  # the parts know only where a file is kept
    if not text.strip():
        yield Left(place, "attachment" if attachments else "no text", attachments=tuple(attachments))
        return
    made = message.get("create_time")
    moment = None
    if made is not None:
        try:
            moment = dt.datetime.fromtimestamp(made, dt.UTC)
        except (TypeError, ValueError, OverflowError, OSError):
            yield Left(place, "create_time is no Unix time", bad=True)
            return
    yield Said(
        f"{conversation}:{message.get('id') or node}", conversation, role, text.strip(), moment, place, tuple(attachments)
    )


def _content(content: Any) -> tuple[str, list[str]]:
    """The text of a message and what else it holds. Thoughts, code and search results are no text."""
    if not isinstance(content, dict) or content.get("content_type") not in ("text", "multimodal_text"):
        return "", []
    texts, others = [], []
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif isinstance(part, dict):
            others.append(str(part.get("asset_pointer") or part.get("content_type") or "attachment"))
    return "\n".join(text for text in texts if text.strip()), others
