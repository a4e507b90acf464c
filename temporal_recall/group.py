"""Putting the ranked items into the answer's groups. Pure."""

from __future__ import annotations

from planner.modes import TemporalMode
from planner.plan import ContextPlan
from temporal_recall.rank import Ranked
from temporal_recall.temporal_match import OPEN

OCCURRED = "occurred_in_range"
REST = "mentioned_or_planned"


def group(ranked: list[Ranked], plan: ContextPlan) -> tuple[list[tuple[str, list[Ranked]]], list[Ranked]]:
    """The groups and the flat list, one of which is empty: groups answer an ambiguous question only."""
    if plan.temporal_mode is not TemporalMode.AMBIGUOUS:
        return [], ranked
    happened = [r for r in ranked if _happened(r, plan)]
    chosen = {id(r) for r in happened}
    return [(OCCURRED, happened), (REST, [r for r in ranked if id(r) not in chosen])], []


def _happened(ranked: Ranked, plan: ContextPlan) -> bool:
    """Whether it happened in the range at or before now: by event time, or lacking one by observed time and no plan or question."""
    item, asked = ranked.item, plan.time.range
    if item.status == "cancelled":
        return False
    if item.event is not None:
        start = item.event.start
        return start is not None and start <= plan.now and asked.overlaps(start, item.event.end)
    if item.status in OPEN or item.type in ("todo", "commitment") or item.question:
        return False
    return item.observed_time is not None and item.observed_time <= plan.now and asked.holds(item.observed_time)
