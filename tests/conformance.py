"""What a source brings to the conformance suite: a way to lay out records where it reads, whole and damaged, and to be slow.

A source's kits stand in `tests/kits/{source}.py` as `KITS`; `tests/test_conformance.py` holds every kit to the adapter contract.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import anyio
from support import NOW

from adapters import SearchContext, TemporalSourceAdapter
from planner import make_plan
from planner.modes import TemporalMode
from planner.plan import PlanSettings

Opened = AbstractAsyncContextManager[TemporalSourceAdapter]


@dataclass(frozen=True)
class Record:
    """One thing that a person has at the source.

    `start` is when it happens or is due where the kit is `by_event`, else when it was recorded; `end` (excluded) is for kits with
    extent. All are aware, whole seconds. `key` is the record's own id there.
    """

    key: str
    text: str
    start: dt.datetime
    end: dt.datetime | None = None
    user: str = "ada"


@dataclass(frozen=True)
class Kit:
    """How one form of a source is laid out for a test.

    `opened(folder, records)` gives the adapter over exactly these records (several users: each in the place that is theirs, or in
    one place if the source holds many people). `damaged` does the same and puts in, by kind of damage, what is malformed,
    truncated or hostile; the sound records must still be found. `broken` gives a place that holds nothing but damage: a
    SourceError or no items. `slow` is a place of which a search would take seconds (None: the form has none).
    """

    name: str
    opened: Callable[[Path, Sequence[Record]], Opened]
    damaged: Mapping[str, Callable[[Path, Sequence[Record]], Opened]]
    broken: Mapping[str, Callable[[Path], Opened]]
    slow: Callable[[Path], Opened] | None
    by_event: bool = False
    extent: bool = False
    # The source keeps records of one person by their own account, or of many people in one place.
    people: bool = True
    why_not: str = ""  # a reason to skip on a machine that lacks what the kit needs


def kits() -> list[Kit]:
    found: list[Kit] = []
    for path in sorted(Path(__file__).parent.joinpath("kits").glob("*.py")):
        found += import_module(f"kits.{path.stem}").KITS
    return found


def asking(
    kit: Kit, query: str = "2026年9月1日", user: str = "ada", *, limit: int = 200, seconds: float = 60.0, now: dt.datetime = NOW
) -> SearchContext:
    """The question to a source: what was recorded on that day, or, of a source that knows events, what happens on it."""
    mode = TemporalMode.PLANNED_IN if kit.by_event else TemporalMode.MENTIONED_IN
    plan = make_plan(query, user, now, PlanSettings(sources=("it",), limit=limit), mode)
    return SearchContext(
        user, plan.retrievals[0], plan.time, plan.temporal_mode, plan.expanded_queries, now,
        deadline=anyio.current_time() + seconds, query=query, time_spans=plan.time_spans,
    )  # fmt: skip
