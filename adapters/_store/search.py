"""Finding: BM25 over the person's own terms, with what a conversation and an asked time add to it.

    own   = tf / (tf + k1 (1 - b + b length / average))      BM25's saturation (Robertson and Zaragoza, 2009)
    near  = sum of own over the neighbours, weighted by distance, a question's answer more
    match = own + near - own near                            a term is met by a message or by its neighbours
    S     = sum of idf(term) match  + 2 idf(time) closeness  the asked time is one more term, soft at its edges
    who   = S x 1.6 for the speaker the question names, x 1.4 for the side of the chat it asks for

`relevance` maps S to [0, 1] for the service's thresholds: (S / best S)^0.33 x min(1, coverage / 0.25)^0.25, where coverage is the
idf-weighted share of the question that the message meets. The constants were chosen once for all data sets; docs/ranking.md has
what each part is worth.
"""

from __future__ import annotations

import datetime as dt
import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters._store.schema import messages, people, postings, reading
from adapters._store.store import Store
from adapters._store.timeline import NONE, Timeline
from adapters._times import from_ms, to_ms
from planner import words
from planner.ranges import UTC

K1, B = 1.0, 0.35
SPEAKER, SIDE = 1.6, 1.4
TIME_WEIGHT, TIME_FLOOR = 2.0, 0.05
PAIR_WEIGHT = 0.3
PART_WEIGHT, PART_IDF = 0.6, 8.0
_DAY_MS = 86_400_000
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for: terms, and a time `[start, end)` in Unix milliseconds if the question names one.

    `parts` are the terms of each thing that the question compares ("the concert and the move, which came first"), `anchor` those
    of an event that dates it ("on the day of the concert"), `more_times_ms` further times it names.
    With `hard`, only messages observed in `observed` or with an event that meets the time count.
    """

    terms: Sequence[str]
    text: str = ""
    time_ms: tuple[int, int] | None = None
    more_times_ms: Sequence[tuple[int, int]] = ()
    parts: Sequence[Sequence[str]] = ()
    anchor: Sequence[str] = ()
    zone: dt.tzinfo = UTC
    observed_ms: tuple[int, int] | None = None
    hard: bool = False
    of_assistant: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A message found: its row, its score (any size) and its relevance in [0, 1]."""

    row: Row[Any]
    score: float
    relevance: float


async def newest(store: Store, user_id: str) -> int | None:
    """The moment of the person's newest message in Unix milliseconds; None if they have none with a time."""
    async with reading(store.engine) as connection:
        found = await connection.execute(select(people.c.newest_ms).where(people.c.user_id == user_id))
        value: int | None = found.scalar()
        return value


async def search(store: Store, user_id: str, asked: Asked, limit: int) -> list[Hit]:
    """The person's messages that match best, best first, at most `limit`; those that match nothing are left out."""
    async with reading(store.engine) as connection:
        person = (await connection.execute(select(people).where(people.c.user_id == user_id))).first()
        if person is None or not person.messages:
            return []
        timeline = await store.timelines.of(connection, person.person, person.messages)
        every = list(dict.fromkeys([*asked.terms, *(term for part in asked.parts for term in part), *asked.anchor]))
        found_at = _by_term(await _postings(connection, person.person, every), every, timeline)
        inside = (
            {no for no in range(timeline.size) if _inside(asked, timeline, no)} if asked.hard and not asked.anchor else None
        )
        average = person.terms / person.messages

        def lexical(terms: Iterable[str]) -> tuple[dict[int, float], dict[int, float], float]:
            return _lexical(found_at, terms, timeline, average, inside)

        score, met, total = lexical(asked.terms)
        _compared(score, [lexical(part) for part in asked.parts])
        _who(score, asked, timeline)
        weight, closeness = _time(asked, timeline)
        if asked.anchor:
            _that_day(score, lexical(asked.anchor)[0], weight, closeness, timeline, asked.zone)
        for no, near in closeness.items():
            score[no] += TIME_WEIGHT * weight * near
        total += weight
        if asked.hard:
            score = {no: s for no, s in score.items() if _inside(asked, timeline, no)}
        best = sorted(score, key=lambda no: (-score[no], -timeline.observed[no], no))[:limit]
        if not best:
            return []
        top = score[best[0]] or 1.0
        found = {row.no: row for row in await _rows(connection, person.person, best)}
        hits = []
        for no in best:
            coverage = (met.get(no, 0.0) + weight * closeness.get(no, 0.0)) / total if total else 0.0
            relevance = (score[no] / top) ** 0.33 * min(1.0, coverage / 0.25) ** 0.25
            hits.append(Hit(found[no], score[no], relevance))
        return hits


async def in_time(
    store: Store, user_id: str, observed_ms: tuple[int, int] | None, event_ms: tuple[int, int] | None, limit: int
) -> tuple[list[Any], bool]:
    """Messages observed in one range or with an event that meets the other, newest first, at most `limit` of each.

    Ranges are half-open Unix milliseconds. The second value tells whether more were there than the limit let through.
    """
    async with reading(store.engine) as connection:
        person = (await connection.execute(select(people.c.person).where(people.c.user_id == user_id))).scalar()
        if person is None:
            return [], False
        found: dict[int, Row[Any]] = {}
        more = False
        if event_ms is not None:
            start, end = event_ms
            meets = and_(
                messages.c.event_ms < end,
                messages.c.event_ms >= start - 400 * _DAY_MS,
                or_(messages.c.event_end_ms > start, messages.c.event_ms >= start),
            )
            query = (
                select(messages)
                .where(messages.c.person == person, meets)
                .order_by(messages.c.observed_ms.desc())
                .limit(limit + 1)
            )
            rows = (await connection.execute(query)).all()
            more = len(rows) > limit
            found.update((row.no, row) for row in rows[:limit])
        if observed_ms is not None:
            start, end = observed_ms
            query = (
                select(messages)
                .where(messages.c.person == person, messages.c.observed_ms >= start, messages.c.observed_ms < end)
                .order_by(messages.c.observed_ms.desc())
                .limit(limit + 1)
            )
            rows = (await connection.execute(query)).all()
            more = more or len(rows) > limit
            found.update((row.no, row) for row in rows[:limit])
        return list(found.values()), more


async def undated(store: Store, user_id: str) -> int:
    """How many of the person's messages have neither an observed nor an event time."""
    async with reading(store.engine) as connection:
        person = (await connection.execute(select(people).where(people.c.user_id == user_id))).first()
        return 0 if person is None else (await store.timelines.of(connection, person.person, person.messages)).undated


async def _postings(connection: AsyncConnection, person: int, terms: Sequence[str]) -> list[Any]:
    rows: list[Any] = []
    for at in range(0, len(terms), _CHUNK):
        query = select(postings.c.term, postings.c.no, postings.c.count).where(
            postings.c.person == person, postings.c.term.in_(terms[at : at + _CHUNK])
        )
        rows += (await connection.execute(query)).all()
    return rows


async def _rows(connection: AsyncConnection, person: int, numbers: Sequence[int]) -> list[Any]:
    rows: list[Any] = []
    for at in range(0, len(numbers), _CHUNK):
        query = select(messages).where(messages.c.person == person, messages.c.no.in_(numbers[at : at + _CHUNK]))
        rows += (await connection.execute(query)).all()
    return rows


def _by_term(rows: Sequence[Any], terms: Iterable[str], timeline: Timeline) -> dict[str, list[tuple[int, int]]]:
    by_term: dict[str, list[tuple[int, int]]] = {term: [] for term in terms}
    for term, no, count in rows:
        if no < timeline.size:
            by_term[term].append((no, count))
    return by_term


def _lexical(
    by_term: Mapping[str, Sequence[tuple[int, int]]],
    terms: Iterable[str],
    timeline: Timeline,
    average: float,
    inside: set[int] | None = None,
) -> tuple[dict[int, float], dict[int, float], float]:
    """Scores, idf met, and the idf of the whole question; with `inside` of these messages only, as few are what a dated question needs."""
    heard = None
    if inside is not None and 2 * len(inside) < timeline.size:
        heard = inside | {other for no in inside for other, _ in timeline.neighbours(no)}
    score: dict[int, float] = defaultdict(float)
    met: dict[int, float] = defaultdict(float)
    total = 0.0
    length, size = timeline.length, timeline.size
    average = average or 1.0
    for term in terms:
        found = by_term[term]
        idf = math.log(1 + (size - len(found) + 0.5) / (len(found) + 0.5)) * (PAIR_WEIGHT if term[0] == words.PAIR else 1.0)
        total += idf
        own: dict[int, float] = {}
        near: dict[int, float] = {}
        for no, count in found:
            if heard is not None and no not in heard:
                continue
            own[no] = value = count / (count + K1 * (1 - B + B * length[no] / average))
            for other, weight in timeline.neighbours(no):
                near[other] = near.get(other, 0.0) + weight * value
        for no in own.keys() | near.keys():
            o, n = own.get(no, 0.0), min(1.0, near.get(no, 0.0))
            match = o + n - o * n
            score[no] += idf * match
            met[no] += idf * min(1.0, 2 * match)
    return score, met, total


def _compared(score: dict[int, float], parts: Sequence[tuple[dict[int, float], dict[int, float], float]]) -> None:
    """What one compared thing matches best counts as much as what another does, however many words each has."""
    telling = [part for part, _, total in parts if total > PART_IDF and part]
    if len(telling) < 2 or not score:
        return
    best: dict[int, float] = {}
    for part in telling:
        top = max(part.values())
        for no, value in part.items():
            best[no] = max(best.get(no, 0.0), value / top)
    top = max(score.values())
    for no in score:
        score[no] = (1 - PART_WEIGHT) * score[no] + PART_WEIGHT * best.get(no, 0.0) * top


def _that_day(
    score: dict[int, float],
    anchored: dict[int, float],
    weight: float,
    closeness: Mapping[int, float],
    timeline: Timeline,
    zone: dt.tzinfo,
) -> None:
    """The day of the message that fits the dating event best is one more term."""
    for no, near in closeness.items():
        anchored[no] += TIME_WEIGHT * weight * near
    dated = [no for no in anchored if timeline.observed[no] != NONE]
    if not dated:
        return
    best = max(dated, key=lambda no: (anchored[no], -no))
    day = from_ms(timeline.observed[best], zone).replace(hour=0, minute=0, second=0, microsecond=0)
    on_it = range(bisect_left(timeline.times, to_ms(day)), bisect_left(timeline.times, to_ms(day + dt.timedelta(days=1))))
    value = TIME_WEIGHT * math.log(1 + (timeline.size - len(on_it) + 0.5) / (len(on_it) + 0.5))
    for place in on_it:
        score[timeline.no_at[place]] += value


def _who(score: dict[int, float], asked: Asked, timeline: Timeline) -> None:
    folded = words.fold(asked.text)
    named = {role for pattern, role in timeline.names if pattern.search(folded)}
    side = timeline.roles.get("assistant" if asked.of_assistant else "user") if "assistant" in timeline.roles else None
    if not named and side is None:
        return
    for no in score:
        role = timeline.role[no]
        if role in named:
            score[no] *= SPEAKER
        if role == side:
            score[no] *= SIDE


def _time(asked: Asked, timeline: Timeline) -> tuple[float, dict[int, float]]:
    """The asked time as a term: its idf and how close each message is to it, by its event or by when it was said."""
    if asked.time_ms is None:
        return 0.0, {}
    closeness: dict[int, float] = {}
    for start, end in (asked.time_ms, *asked.more_times_ms):
        pad = max(_DAY_MS, 0.15 * (end - start))
        reach = int(-pad * math.log(TIME_FLOOR))
        for place in range(bisect_left(timeline.times, start - reach), bisect_right(timeline.times, end + reach)):
            at = timeline.times[place]
            no = timeline.no_at[place]
            closeness[no] = max(closeness.get(no, 0.0), _near(max(start - at, at - end + 1), pad))
        # Events are in the order they begin; the longest one tells how far back one that still lasts may have begun.
        events = timeline.events
        for place in range(bisect_left(events, (start - reach - timeline.longest,)), bisect_right(events, (end + reach,))):
            at, until, no = events[place]
            distance = max(start - until + 1, at - end + 1)
            if distance <= reach:
                closeness[no] = max(closeness.get(no, 0.0), _near(distance, pad))
    held = sum(closeness.values())
    return math.log(1 + (timeline.size - held + 0.5) / (held + 0.5)), closeness


def _near(distance: int, pad: float) -> float:
    """1.0 inside, falling with every day begun outside."""
    return math.exp(-(-(-distance // _DAY_MS) * _DAY_MS) / pad) if distance > 0 else 1.0


def _inside(asked: Asked, timeline: Timeline, no: int) -> bool:
    at = timeline.observed[no]
    if asked.observed_ms is not None and at != NONE and asked.observed_ms[0] <= at < asked.observed_ms[1]:
        return True
    if at == NONE and asked.time_ms is None:
        return True  # no time is asked for: a message without one is not missed for that
    at = timeline.event[no]
    if asked.time_ms is None or at == NONE:
        return False
    return at < asked.time_ms[1] and (max(timeline.event_end[no], at + 1) > asked.time_ms[0])
