"""From stored messages to a source's items: one way to ask the store for every source that keeps something there."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from sqlalchemy.exc import SQLAlchemyError

from adapters._base import Items, SearchContext, SourceUnavailable, TimelineItem, asked_for, chosen, title_of
from adapters._store import search
from adapters._store.asking import asked as asked_of
from adapters._store.store import Snapshot, Store
from adapters._store.timeline import Timeline
from adapters._store.writing import spans_of
from adapters._times import from_ms, to_ms
from planner import words
from planner.modes import TemporalMode
from planner.plan import SAID_BEFORE
from planner.ranges import Grain

T = TypeVar("T")


async def stored(store: Store, ctx: SearchContext, source: str, ref: Callable[[search.Stored], str]) -> Items:
    """What the store holds of a source for a question, best first; `ref` gives a row's source_ref. Raises SourceUnavailable."""
    since = ctx.retrieval.observed.start
    inferred = ctx.time.source == "inferred"
    topical = _topical(ctx) or inferred
    if topical and ctx.time.source == "default" and ctx.now - since >= _ALL:
        since = _EVER
    observed = (to_ms(since), to_ms(ctx.retrieval.observed.end))
    asked = (to_ms(ctx.time.start), to_ms(ctx.time.end))
    limit = ctx.retrieval.limit
    done = ctx.time.open_in(ctx.temporal_mode, ctx.now)

    def work(snapshot: Snapshot) -> Items:
        person = search.person_in(snapshot, ctx.user_id, source)
        if person is None:
            return Items()
        more, judge = False, ctx.judge
        if topical:
            # A topic is looked for in its own right: what fits it best may not be among the newest of a long range.
            times = [asked] if ctx.time.source != "default" and not ctx.time.lately(ctx.now) else []
            found = search.best(snapshot, person, _asked(ctx, times, None if inferred else observed), limit)
        else:
            found, more = search.in_time(person, observed, None if ctx.by_telling else asked, limit if judge is None else None)
        sided = not topical and _asked(ctx, [], None).of_assistant
        if sided:
            found = _by_side(found, person.timeline)
        below = beyond = 0
        if judge is not None:
            places, reached = judge(person.timeline.candidates(found.numbers, found.relevance), limit)
            more = not topical and int(np.count_nonzero(reached)) > limit
            rest = np.ones(len(reached), np.bool_)
            rest[places] = False
            # What puts right what is in the answer need not be in it; of very much the newest is read, lest it take all the room.
            right = np.flatnonzero(rest & person.timeline.corrects(found.numbers, done=done))
            right = right[np.argsort(-person.timeline.observed[found.numbers[right]], kind="stable")[: limit // 4]]
            rest[right] = False
            below, beyond = int(np.count_nonzero(rest & ~reached)), int(np.count_nonzero(rest & reached))
            found = found.of(np.concatenate((right, places)))
        hits = _told(person, ctx, person.read(found, judged=topical or sided))
        if (told := _corrected_in(ctx, observed, asked, topical)) is not None:
            later = search.corrections(person, *told, limit // 2, done=done)
            may = person.read(later.of(np.flatnonzero(~np.isin(later.numbers, found.numbers))), judged=topical or sided)
            options = [hit for each in search.tellings(person, may) for hit in each]
            hits = [*(hit for hit in options if _corrects(hit.row) or (done and hit.row.status == "done")), *hits]
        items = [_item(hit, ctx.zone, source, ref(hit.row)) for hit in hits]
        return Items(
            chosen(items, ctx) if judge is None and not topical else items,
            truncated=more,
            undated=person.row.undated,
            below=below,
            beyond=beyond,
        )

    return await _read(store, work)


async def around(store: Store, ctx: SearchContext, source: str) -> list[dt.datetime]:
    """The nearest times outside of the asked range, of what fits the topic if there is one. Raises SourceUnavailable."""
    start, end = to_ms(ctx.time.start), to_ms(ctx.time.end)

    def work(snapshot: Snapshot) -> list[int]:
        if not _topical(ctx):
            return search.beside(snapshot, ctx.user_id, start, end, source)
        found = search.search(snapshot, ctx.user_id, _asked(ctx, [], None), _AROUND, source)
        rows = [hit.row for hit in found.hits if hit.relevance is not None and hit.relevance >= _FITS]
        return [at for row in rows for at in (row.observed_ms, row.event_ms) if at is not None]

    return [from_ms(at, ctx.zone) for at in await _read(store, work)]


async def _read(store: Store, work: Callable[[Snapshot], T]) -> T:
    try:
        return await store.read(work)
    except SQLAlchemyError as error:
        raise SourceUnavailable(f"the store cannot be read: {type(error).__name__}") from error


def _corrected_in(
    ctx: SearchContext, observed: tuple[int, int], asked: tuple[int, int], topical: bool
) -> tuple[int, int] | None:
    """Where what was planned for the asked time may have been put off, called off or done; None where what is found tells it."""
    if ctx.temporal_mode is TemporalMode.OCCURRED_IN:
        return None if ctx.time.source == "default" else (asked[0] - _SAID_BEFORE_MS, asked[0])
    return None if topical or ctx.by_telling else observed


def _by_side(found: search.Places, timeline: Timeline) -> search.Places:
    """Asked for what the assistant said, with a relevance that puts its words before the person's own."""
    its = timeline.role[found.numbers] == timeline.roles.get("assistant", -1)
    return found._replace(relevance=np.where(its, 1.0, 1 / search.SIDE))


_SAID_BEFORE_MS = round(SAID_BEFORE.total_seconds() * 1000)
# So many of the best hits, and those that fit so well, tell where a topic lies.
_AROUND, _FITS = 20, 0.75


# A default that reaches so far back means all there is: an index need not stop there.
_ALL, _EVER = dt.timedelta(days=7300), dt.datetime(1, 1, 2, tzinfo=dt.UTC)


def _topical(ctx: SearchContext) -> bool:
    return any(words.content(query) for query in ctx.expanded_queries)


def _asked(ctx: SearchContext, times: list[tuple[int, int]], observed: tuple[int, int] | None) -> search.Asked:
    more = "\n".join(ctx.expanded_queries[:1])
    also = [(to_ms(start), to_ms(end)) for start, end in ctx.time.also] if ctx.time.source in ("default", "inferred") else []
    return asked_of(
        ctx.query or more,
        ctx.time_spans,
        times,
        more=more,
        zone=ctx.zone,
        observed_ms=observed,
        told=ctx.by_telling,
        over=ctx.temporal_mode in (TemporalMode.OCCURRED_IN, TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN),
        also_ms=also,
        events=ctx.events,
        framed=ctx.temporal_mode is TemporalMode.DUE_IN,
    )


def _told(person: search.Person, ctx: SearchContext, hits: Sequence[search.Hit]) -> list[search.Hit]:
    """The hits, each for the events that are asked for where its message tells of several; the whole where only telling it counts."""
    found: list[search.Hit] = []
    for options in search.tellings(person, hits):
        if len(options) > 1 and ctx.by_telling:
            row, spans = options[0].row, " ".join(_in_whole(option.row) for option in options)
            found.append(replace(options[0], row=row._replace(told=None, said=None, time_spans=spans)))
        elif len(options) > 1:
            wanted = {item.part for item in asked_for([_item(hit, ctx.zone, "", "") for hit in options], ctx)}
            found += [hit for hit in options if hit.part in wanted]
        else:
            found += options
    return found


def _in_whole(row: search.Stored) -> str:
    """The places of its times in all of the message."""
    begin = spans_of(row.told or "0-0")[0][0]
    return " ".join(f"{start + begin}-{end + begin}" for start, end in spans_of(row.time_spans))


def _telling(row: search.Stored) -> str:
    """What tells of the row's event."""
    return row.content if row.told is None else row.content[slice(*spans_of(row.told)[0])]


def _corrects(row: search.Stored) -> bool:
    """Whether it moves a plan, calls it off or denies it."""
    return row.moved or row.status == "cancelled" or (row.negated and row.status in ("planned", "due"))


_GRAINS = {int(grain): grain for grain in Grain}


def _item(hit: search.Hit, zone: dt.tzinfo, source: str, ref: str) -> TimelineItem:
    row = hit.row
    told = None if row.told is None else _telling(row)
    return TimelineItem(
        source=source,
        source_ref=ref,
        type=row.type,
        title=title_of(row.content if told is None else told),
        content=row.content,
        observed_time=None if row.observed_ms is None else from_ms(row.observed_ms, zone),
        event_time=None if row.event_ms is None else from_ms(row.event_ms, zone),
        event_end=None if row.event_end_ms is None or row.event_end_ms == row.event_ms else from_ms(row.event_end_ms, zone),
        event_grain=None if row.event_grain is None else _GRAINS[row.event_grain],
        status=row.status,
        importance=row.importance,
        confidence=row.confidence,
        relevance=hit.relevance,
        negated=row.negated,
        moved=row.moved,
        question=row.question,
        time_spans=spans_of(row.time_spans),
        aside=row.aside,
        said=None if row.said is None else tuple(row.said.split()),
        told=told,
        part=hit.part,
    )
