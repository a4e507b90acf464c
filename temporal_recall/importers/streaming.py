"""JSON read value by value, so that an export may be larger than the memory.

The values are built here and not by ijson, which writes down the whole path with every event: a hundred thousand brackets in a row
take it gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

import ijson

from temporal_recall.importers.messages import ExportError

Events = Iterator[tuple[str, Any]]
_DEEPEST = 200
_BOM = b"\xef\xbb\xbf"


class Broken(Exception):
    """The JSON breaks off or is none from here on; what was read before it is sound."""


def events(stream: IO[bytes]) -> Events:
    """(event, value) of everything in a stream, as ijson's basic_parse has them. Raises Broken."""
    if stream.peek(3)[:3] == _BOM:  # type: ignore[attr-defined]
        stream.read(3)
    depth = 0
    try:
        for event, found in ijson.basic_parse(stream, use_float=True):
            if event in ("start_map", "start_array"):
                depth += 1
                if depth > _DEEPEST:
                    raise Broken(f"it is more than {_DEEPEST} levels deep")
            elif event in ("end_map", "end_array"):
                depth -= 1
            yield event, found
    except (ijson.JSONError, ValueError) as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        raise Broken((lines[0] if lines else type(error).__name__)[:120]) from error


def value(event: str, found: Any, following: Events) -> Any:
    """The value that begins with this event, its further events taken from those that follow."""
    if event == "start_map":
        return {key: value(*next(following), following) for _, key in _until(following, "end_map")}
    if event == "start_array":
        return [value(kind, part, following) for kind, part in _until(following, "end_array")]
    return found


def entries(following: Events) -> Iterator[tuple[str, str, Any]]:
    """(key, event, value) of a map that has begun; the caller takes each value's further events."""
    for _, key in _until(following, "end_map"):
        yield key, *next(following)


def elements(following: Events) -> Events:
    """(event, value) of the elements of an array that has begun; the caller takes each one's further events."""
    return _until(following, "end_array")


def items(stream: IO[bytes]) -> Iterator[Any]:
    """The values of the array that a stream is, or the one value that it is. Raises Broken."""
    following = events(stream)
    for event, found in following:
        if event != "start_array":
            yield value(event, found, following)
            continue
        for kind, part in elements(following):
            yield value(kind, part, following)


def _until(following: Events, end: str) -> Events:
    for event, found in following:
        if event == end:
            return
        yield event, found


def one_of(found: list[str], what: str) -> list[str]:
    """`found`, which must not be empty. Raises ExportError that says what was looked for."""
    if not found:
        raise ExportError(f"there is no {what} in this export")
    return found
