"""From an export into the embedded store: once, however often, and on from where it was broken off."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters._store import NewMessage, Store
from adapters._store.writing import Batch, add_all, known_of
from adapters._times import to_ms
from planner.resolution import DEFAULT, Conventions
from temporal_recall.importers.export import UNREADABLE, Export, opened
from temporal_recall.importers.formats import FORMATS
from temporal_recall.importers.messages import ExportError, Left, Options, Said

# Messages kept in one transaction: what an interruption may cost.
_AT_ONCE = 200


@dataclass
class Report:
    """What became of an export. `read` is all that was met: `added`, `known` from before, `skipped`, `bad`."""

    read: int = 0
    added: int = 0
    known: int = 0
    skipped: int = 0
    bad: int = 0
    conversations: set[str] = field(default_factory=set)
    reasons: Counter[str] = field(default_factory=Counter)
    left: list[Left] = field(default_factory=list)
    attachments: list[tuple[str, str]] = field(default_factory=list)
    first: dt.datetime | None = None
    last: dt.datetime | None = None

    def see(self, found: Said | Left) -> None:
        self.read += 1
        self.attachments += [(found.place, name) for name in found.attachments]
        if isinstance(found, Left):
            self.bad += found.bad
            self.skipped += not found.bad
            self.reasons[found.reason] += 1
            self.left.append(found)
            return
        self.conversations.add(found.conversation)
        if found.moment is not None:
            self.first = min(self.first or found.moment, found.moment)
            self.last = max(self.last or found.moment, found.moment)

    def wire(self) -> dict[str, Any]:
        """The report as JSON values, every left out row with its place and reason."""
        return {
            "read": self.read,
            "added": self.added,
            "known": self.known,
            "skipped": self.skipped,
            "bad": self.bad,
            "conversations": len(self.conversations),
            "first": None if self.first is None else self.first.isoformat(),
            "last": None if self.last is None else self.last.isoformat(),
            "reasons": dict(self.reasons.most_common()),
            "left": [{"place": left.place, "reason": left.reason, "bad": left.bad} for left in self.left],
            "attachments": [{"place": place, "name": name} for place, name in self.attachments],
        }


async def bring_in(
    store: Store,
    user_id: str,
    form: str,
    path: Path,
    options: Options,
    zone: dt.tzinfo,
    conventions: Conventions = DEFAULT,
    *,
    dry_run: bool = False,
    progress: Callable[[Export], object] = lambda export: None,
) -> Report:
    """Keeps what an export holds for a person, in whose `zone` relative times are read; a `dry_run` only tells what it would keep.

    Each message is a request of its own, named by the format and the message's id, so that it is kept once, whatever else the
    export that brings it holds. Raises ExportError.
    """
    report = Report()
    waiting: list[Said] = []
    seen: set[str] = set()

    async def keep() -> None:
        ids: dict[str, Said] = {}
        for said in waiting:
            ids.setdefault(f"{form}:{said.id}"[:512], said)
        if dry_run:
            fresh = ids.keys() - seen - await known_of(store, user_id, list(ids))
            seen.update(ids)
            added = len(fresh)
        else:
            added = await add_all(store, user_id, [_batch(key, said) for key, said in ids.items()], options.zone, conventions)
        report.added += added
        report.known += len(waiting) - added
        waiting.clear()

    try:
        with opened(path) as export:
            for found in _sound(FORMATS[form](export, options)):
                report.see(found)
                if isinstance(found, Said):
                    waiting.append(found)
                if len(waiting) >= _AT_ONCE:
                    await keep()
                if report.read % 50 == 0:
                    progress(export)
            await keep()
            progress(export)
    except UNREADABLE as error:
        raise ExportError(f"{path.name} cannot be read: {error}") from error
    return report


def _batch(key: str, said: Said) -> Batch:
    moment = None if said.moment is None else to_ms(said.moment)
    return Batch(key, said.conversation[:512], [NewMessage(said.role, said.text, moment)])


def _sound(found: Iterable[Said | Left]) -> Iterator[Said | Left]:
    """What was found, without what no database keeps."""
    for one in found:
        if isinstance(one, Said):
            text = one.text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
            if not text.strip():
                yield Left(one.place, "no text", attachments=one.attachments)
                continue
            one = Said(one.id, one.conversation, one.role, text, one.moment, one.place, one.attachments)
        yield one
