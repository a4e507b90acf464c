"""Asking all sources at once, under one deadline. A source's failure is a value here and never an exception past this module."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import anyio

from adapters import DatesEvents, Items, KnowsWhen, SearchContext, SourceError, TemporalSourceAdapter, TimelineItem
from adapters._candidates import Judge
from planner.plan import ContextPlan, Retrieval
from planner.resolution import Conventions

log = logging.getLogger("temporal_recall")


@dataclass(slots=True)
class Outcome:
    """What a retrieval gave. `status` is ok, timeout, unavailable, error or not_configured; `ms` how long it took.

    `incomplete` tells that some of the source's accounts could not be read; `message` names them.
    """

    source: str
    status: str = "timeout"
    items: Sequence[TimelineItem] = field(default_factory=list)
    ms: float = 0.0
    message: str = ""
    truncated: bool = False
    undated: int = 0
    skipped: int = 0
    below: int = 0
    beyond: int = 0
    required: bool = False
    incomplete: bool = False

    @property
    def count(self) -> int:
        """What was found, whether it was read or could be left out before."""
        return len(self.items) + self.below + self.beyond

    @property
    def failed(self) -> bool:
        return self.status != "ok"


async def retrieve(
    plan: ContextPlan,
    adapters: Mapping[str, TemporalSourceAdapter],
    users: Mapping[str, Mapping[str, str]],
    timeout: float,
    conventions: Conventions,
    judge_of: Callable[[str], Judge] | None = None,
) -> list[Outcome]:
    """The outcome of every retrieval of the plan, in its order, within `timeout` seconds.

    `judge_of` gives for a source what tells which of its items are wanted; without it all are.
    """
    began = anyio.current_time()
    deadline = began + timeout
    outcomes = [Outcome(retrieval.source, required=retrieval.required) for retrieval in plan.retrievals]
    with anyio.move_on_at(deadline):
        async with anyio.create_task_group() as group:
            for retrieval, outcome in zip(plan.retrievals, outcomes, strict=True):
                adapter = adapters.get(retrieval.source)
                if adapter is None:
                    outcome.status, outcome.message = "not_configured", "this source is not configured"
                    continue
                context = _context(plan, retrieval, users, conventions, deadline, judge_of)
                group.start_soon(_ask, adapter, context, retrieval, outcome, deadline, began)
    for outcome in outcomes:
        if outcome.status == "timeout" and not outcome.ms:
            outcome.ms = (anyio.current_time() - began) * 1000
            outcome.message = outcome.message or "the source did not answer in time"
    return outcomes


async def around(
    plan: ContextPlan,
    adapters: Mapping[str, TemporalSourceAdapter],
    users: Mapping[str, Mapping[str, str]],
    deadline: float,
    conventions: Conventions,
) -> list[dt.datetime]:
    """The times outside of the range that the plan's sources with an index know, by `deadline` on anyio's clock."""
    times: list[dt.datetime] = []
    with anyio.move_on_at(deadline):
        for retrieval in plan.retrievals:
            adapter = adapters.get(retrieval.source)
            if isinstance(adapter, KnowsWhen):
                try:
                    times += await adapter.around(_context(plan, retrieval, users, conventions, deadline))
                except SourceError as error:  # the retrieval before it has told the caller already
                    log.info("nearest times unknown: %s", error, extra={"source": retrieval.source})
    return times


async def telling(
    plan: ContextPlan,
    adapters: Mapping[str, TemporalSourceAdapter],
    users: Mapping[str, Mapping[str, str]],
    deadline: float,
    conventions: Conventions,
) -> list[TimelineItem]:
    """What the plan's sources that are soon asked tell of an event, by `deadline` on anyio's clock; of those that fail, nothing."""
    found: list[TimelineItem] = []

    async def ask(adapter: DatesEvents, context: SearchContext) -> None:
        try:
            found.extend(item for item in await adapter.telling(context) if _sound(item, context))
        except SourceError as error:  # the retrieval behind it tells the caller
            log.info("events not dated: %s", error, extra={"source": context.retrieval.source})
        except Exception:  # as there: a source's bug takes no answer down
            log.exception("source failed", extra={"source": context.retrieval.source})

    with anyio.move_on_at(deadline):
        async with anyio.create_task_group() as group:
            for retrieval in plan.retrievals:
                adapter = adapters.get(retrieval.source)
                if isinstance(adapter, DatesEvents):
                    group.start_soon(ask, adapter, _context(plan, retrieval, users, conventions, deadline))
    return found


def _context(
    plan: ContextPlan,
    retrieval: Retrieval,
    users: Mapping[str, Mapping[str, str]],
    conventions: Conventions,
    deadline: float,
    judge_of: Callable[[str], Judge] | None = None,
) -> SearchContext:
    return SearchContext(
        users.get(plan.user_id, {}).get(retrieval.source, plan.user_id),
        retrieval,
        plan.time,
        plan.temporal_mode,
        plan.expanded_queries,
        plan.now.astimezone(plan.zone),
        conventions,
        deadline,
        plan.query,
        plan.time_spans,
        None if judge_of is None else judge_of(retrieval.source),
        tuple(anchor.about for anchor in plan.anchors) if plan.time.source == "inferred" else (),
    )


def _sound(item: TimelineItem, context: SearchContext) -> bool:
    """Whether the item's times are aware and can be written in the asker's zone: one bad row must not take the answer down."""
    try:
        for moment in (item.observed_time, item.event_time, item.event_end):
            if moment is not None and moment.tzinfo is not context.zone:
                if moment.tzinfo is None:
                    return False
                moment.astimezone(context.zone)
    except (OverflowError, ValueError):
        return False
    return item.event_end is None or (item.event_time is not None and item.event_end >= item.event_time)


async def _ask(
    adapter: TemporalSourceAdapter,
    context: SearchContext,
    retrieval: Retrieval,
    outcome: Outcome,
    deadline: float,
    began: float,
) -> None:
    with anyio.CancelScope(deadline=deadline):
        try:
            found = await adapter.search(context)
            sound = [item for item in found if _sound(item, context)]
            outcome.items, outcome.skipped = sound[: retrieval.limit], len(found) - len(sound)
            outcome.status = "ok"
            if isinstance(found, Items):
                outcome.truncated, outcome.undated = found.truncated, found.undated
                outcome.skipped += found.skipped
                outcome.below, outcome.beyond = found.below, found.beyond
                outcome.incomplete, outcome.message = bool(found.problems), "; ".join(found.problems)
        except SourceError as error:
            outcome.status, outcome.message = error.status, str(error)
        except Exception as error:  # the one place where a source's bug becomes a value: the other sources still answer
            outcome.status, outcome.message = "error", f"the source failed: {type(error).__name__}"
            log.exception("source failed", extra={"source": retrieval.source})
        outcome.ms = (anyio.current_time() - began) * 1000
