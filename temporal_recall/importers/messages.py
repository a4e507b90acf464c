"""What a format gives: what was said, and what was left out, each with its place in the export."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from temporal_recall.importers.export import Export

# Roles with a meaning of their own: a person of such a name must not take it.
_RESERVED = frozenset({"user", "assistant", "system", "tool"})


class ExportError(ValueError):
    """The export cannot be imported, or not without an answer that it does not hold. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to read an export. `me` is the user's name or id in it, `zone` that of times without one, `now` the last moment of it.

    `date_order` is dmy, mdy or ymd where the dates do not tell.
    """

    zone: dt.tzinfo
    now: dt.datetime
    me: str | None = None
    date_order: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """One message. `id` is stable over exports and unlike every other message's of the format; `moment` is aware or unknown.

    `role` is user for the person's own words, assistant for a program's, else the speaker's name. `attachments` name what came
    with the text and is not kept.
    """

    id: str
    conversation: str
    role: str
    text: str
    moment: dt.datetime | None
    place: str
    attachments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """What is no message, or cannot be read (`bad`): where it stands and why it is left out."""

    place: str
    reason: str
    bad: bool = False
    attachments: tuple[str, ...] = ()


Format = Callable[[Export, Options], Iterator[Said | Left]]


def speaker(name: Any) -> str:
    """A role that is the name of a person."""
    plain = " ".join(str(name or "").split())[:100] or "unknown"
    return f"{plain} (name)" if plain.casefold() in _RESERVED else plain


def fingerprint(*parts: Any) -> str:
    """A short name of the parts: the same for the same, and for nothing else."""
    whole = "\x1f".join(str(part) for part in parts)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:24]


class Same:
    """Tells messages that are alike in all that is known of them from one another, by their order."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def id(self, *parts: Any) -> str:
        key = fingerprint(*parts)
        count = self._seen[key] = self._seen.get(key, 0) + 1
        return key if count == 1 else f"{key}-{count}"


def local(naive: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The wall time in the zone; one that the clock skipped is moved on by as much."""
    return naive.replace(tzinfo=zone).astimezone(dt.UTC).astimezone(zone)


def who(options: Options, names: Iterable[str], shown: Iterable[str] | None = None) -> str:
    """`me`, which the export does not tell and must hold. Raises ExportError that names the people in it."""
    known = sorted(set(names))
    if not known:
        raise ExportError("nobody speaks in this export: is it of this format, and whole?")
    listed = ", ".join(sorted(set(shown if shown is not None else known))[:12])
    if options.me is None:
        raise ExportError(f"this export does not say who you are: give your name in it with --me, one of {listed}")
    if options.me not in known:
        raise ExportError(f"nobody in this export is called {options.me!r}: --me is one of {listed}")
    return options.me
