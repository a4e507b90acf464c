"""When the events were by which a question tells its time: the person's sources are asked for them before the question itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from adapters import TimelineItem
from adapters._dating import LIMIT, hints, returns, sayings_of
from planner.anchors import Anchor
from planner.episodes import Episode, asked_range, episode
from planner.modes import TemporalMode
from planner.plan import ContextPlan, PlanSettings, about, placed
from planner.ranges import TimeRange
from planner.reading import reader_of

_AWAY = dt.timedelta(days=60)
Ask = Callable[[ContextPlan], Awaitable[Sequence[TimelineItem]]]


@dataclass(frozen=True, slots=True)
class Meant:
    """The plan in the time that a question's events were found to mean, how certain that is, and the references that tell it.

    `beside` is the event's moment where what lies near before or after it is meant.
    """

    plan: ContextPlan
    certainty: float
    refs: tuple[str, ...]
    beside: dt.datetime | None = None


async def meant(plan: ContextPlan, settings: PlanSettings, ask: Ask) -> Meant | None:
    """The plan in the time that its events mean; None where it names none, has a time already, or nobody knows when they were.

    `ask` gives what the sources tell of the topic of a plan.
    """
    if not plan.anchors or plan.time.source != "default":
        return None
    start = end = None
    episodes = []
    for anchor in plan.anchors:
        found = await _dated(anchor, plan, settings, ask)
        if found is None:
            return None
        asked = asked_range(anchor, found, settings.week_start)
        start = asked.start if start is None or (asked.start is not None and asked.start > start) else start
        end = asked.end if end is None or (asked.end is not None and asked.end < end) else end
        episodes.append(found)
    if start is not None and start >= (end or plan.now) and not (end is None and start > plan.now):
        return None
    certainty = min(found.certainty for found in episodes)
    refs = tuple(dict.fromkeys(ref for found in episodes for ref in found.refs[:_REFS]))
    relation = plan.anchors[0].relation if len(plan.anchors) == 1 else ""
    beside = start if relation == "after" else end if relation == "before" else None
    told = [moment for found in episodes for moment in found.told[:_REFS]]
    return Meant(placed(plan, TimeRange(start, end), settings, told), certainty, refs, beside)


_REFS = 5


async def _dated(anchor: Anchor, plan: ContextPlan, settings: PlanSettings, ask: Ask) -> Episode | None:
    now = plan.now.astimezone(plan.zone)
    ahead = plan.temporal_mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN)
    told = hints(await ask(about(plan, sayings_of(anchor), settings, LIMIT)), anchor, plan.zone)
    found = episode(told, anchor, now, ahead=ahead)
    if found is None or not found.away:
        return found
    homing = [language.homing for language in reader_of(plan.query).languages]
    home = await ask(about(plan, homing, settings, LIMIT, TimeRange(found.start, found.start + _AWAY)))
    return episode([*told, *returns(home, plan.zone)], anchor, now, ahead=ahead)
