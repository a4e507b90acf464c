"""Finding: BM25 over the person's own terms, with what a conversation and an asked time add to it.

    own   = tf / (tf + k1 (1 - b + b length / average))      BM25's saturation (Robertson and Zaragoza, 2009)
    near  = sum of own over the neighbours, weighted by distance, a question's answer more
    match = own + near - own near                            a term is met by a message or by its neighbours
    S     = sum of idf(term) match  + 2 idf(time) closeness  the asked time is one more term, soft at its edges
            + 0.25 sum of idf(term) meaning                  with vectors (vectors.py) the meaning is another
    who   = S x 1.6 for the speaker the question names, x 1.4 for the side of the chat it asks for

`relevance` maps S to [0, 1] for the service's thresholds: (S / best S)^0.33 x min(1, coverage / 0.25)^0.25, where coverage is the
idf-weighted share of the question that the message meets, in words or in meaning; a hard time counts a tenth in this S. The
constants were chosen once for all data sets; docs/ranking.md has what each part is worth.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, and_, func, or_, select

from adapters._store.postings import BLOCK, Numbers, unpack
from adapters._store.schema import index, messages, people
from adapters._store.store import Snapshot
from adapters._store.timeline import NONE, Timeline
from adapters._times import from_ms, to_ms
from planner import words
from planner.ranges import UTC

K1, B = 1.0, 0.35
SPEAKER, SIDE = 1.6, 1.4
TIME_WEIGHT, TIME_FLOOR = 2.0, 0.05
TIMELY = 0.1
PAIR_WEIGHT = 0.3
MEANING, MEANT = 0.25, 0.4  # of the weight of all the question's words: in S, and in what a message covers of them
PART_WEIGHT, PART_IDF = 0.6, 8.0
_DAY_MS = 86_400_000
_CHUNK = 500
Values = npt.NDArray[np.float64]  # of every message, by number
Flags = npt.NDArray[np.bool_]


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
    topic: str = ""  # the text without the words of its times, of which the meaning is looked for; else the text


@dataclass(frozen=True, slots=True)
class Hit:
    """A message found: its row, its score (any size) and its relevance in [0, 1], None when no words were looked for."""

    row: Row[Any]
    score: float = 0.0
    relevance: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a person's store holds: the hits, whether there were more, and how many messages have no time at all."""

    hits: Sequence[Hit] = ()
    more: bool = False
    undated: int = 0


def person_of(connection: Connection, user_id: str, source: str = "chat") -> Row[Any] | None:
    """The row of tr_people."""
    query = select(people).where(people.c.user_id == user_id, people.c.source == source)
    return connection.execute(query).first()


def newest(snapshot: Snapshot, user_id: str) -> int | None:
    """The moment of the person's newest message in Unix milliseconds; None if they have none with a time."""
    connection = snapshot.connection
    person = person_of(connection, user_id)
    return None if person is None else person.newest_ms


def search(snapshot: Snapshot, user_id: str, asked: Asked, limit: int, source: str = "chat") -> Found:
    """The person's messages that match best, best first, at most `limit`; those that match nothing are left out."""
    connection = snapshot.connection
    person = person_of(connection, user_id, source)
    if person is None or not person.messages:
        return Found()
    timeline = snapshot.timelines.of(connection, person)
    inside = _inside(asked, timeline) if asked.hard else None
    heard = None
    if inside is not None and not asked.anchor and 2 * np.count_nonzero(inside) < timeline.size:
        heard = _with_neighbours(inside, timeline)
    every = list(dict.fromkeys([*asked.terms, *(term for part in asked.parts for term in part), *asked.anchor]))
    found = _postings(connection, person, every, timeline, heard)
    match = _Match(timeline, person.terms / person.messages, found)

    score, met, total = match(asked.terms)
    _compared(score, [match(part) for part in asked.parts])
    if snapshot.vectors is not None and (topic := (asked.topic or asked.text).strip()):
        near = snapshot.vectors.near(connection, person, topic, timeline, heard)
        score += MEANING * total * near
        met += MEANT * total * near
    _who(score, asked, timeline)
    weight, closeness = _time(asked, timeline)
    if asked.anchor:
        anchored, _, told = match(asked.anchor)
        on_it = _that_day(score, anchored, weight, closeness, timeline, asked.zone)
        met[on_it] = np.minimum(total, met[on_it] + told)  # who speaks on the day need not name what dates it
    score += TIME_WEIGHT * weight * closeness
    total += weight
    if inside is not None:
        score[~inside] = 0.0
    best = _best(score, timeline, limit)
    if not len(best):
        return Found(undated=person.undated)
    coverage = (met[best] + weight * closeness[best]) / total if total else np.zeros(len(best))
    relevance = _share_of_best(score[best], asked, weight * closeness[best], closeness[best]) ** 0.33
    relevance *= np.minimum(1.0, coverage / 0.25) ** 0.25
    rows = {row.no: row for row in _rows(connection, person.person, best.tolist())}
    hits = [
        Hit(rows[no], value, fit)
        for no, value, fit in zip(best.tolist(), score[best].tolist(), relevance.tolist(), strict=True)
    ]
    return Found(hits, undated=person.undated)


def _share_of_best(score: Values, asked: Asked, timely: Values, closeness: Values) -> Values:
    """What each of the best has of the best one's score. Where the time is hard, who asked judges it: here it counts a tenth, and
    the best one is the best of that time.
    """
    said, best = score, float(score[0])
    if asked.hard and asked.time_ms is not None:
        said = score - (1 - TIMELY) * TIME_WEIGHT * timely
        best = float((said * closeness).max()) or float(said.max())
    share: Values = np.minimum(1.0, said / best)
    return share


def _best(score: Values, timeline: Timeline, limit: int) -> Numbers:
    """The messages of the highest scores, best first; of equals the youngest, then the first written."""
    found = np.flatnonzero(score)
    if len(found) > limit:
        edge = np.partition(score[found], len(found) - limit)[len(found) - limit]
        found = found[score[found] >= edge]
    order = np.lexsort((found, -timeline.observed[found], -score[found]))
    return found[order[:limit]]


def in_time(
    snapshot: Snapshot,
    user_id: str,
    observed_ms: tuple[int, int] | None,
    event_ms: tuple[int, int] | None,
    limit: int,
    source: str = "chat",
) -> Found:
    """Messages observed in one range or with an event that meets the other, newest first, at most `limit` of each.

    Ranges are half-open Unix milliseconds. An event that lasts longer than 400 days is found while it has begun so long ago at most.
    """
    connection = snapshot.connection
    person = person_of(connection, user_id, source)
    if person is None:
        return Found()
    c = messages.c
    conditions = []
    if event_ms is not None:
        start, end = event_ms
        meets = or_(c.event_end_ms > start, c.event_ms >= start)
        conditions.append(and_(c.event_ms < end, c.event_ms >= start - 400 * _DAY_MS, meets))
    if observed_ms is not None:
        conditions.append(and_(c.observed_ms >= observed_ms[0], c.observed_ms < observed_ms[1]))
    found: dict[int, Row[Any]] = {}
    more = False
    for condition in conditions:
        query = select(messages).where(c.person == person.person, condition).order_by(c.observed_ms.desc()).limit(limit + 1)
        rows = connection.execute(query).all()
        more = more or len(rows) > limit
        found.update((row.no, row) for row in rows[:limit])
    return Found([Hit(row) for row in found.values()], more, person.undated)


def beside(snapshot: Snapshot, user_id: str, start: int, end: int, source: str = "chat") -> list[int]:
    """The last moments before `start` and the first at or after `end` at which something was told or is to happen."""
    connection = snapshot.connection
    person = person_of(connection, user_id, source)
    if person is None:
        return []
    found = []
    for at in (messages.c.observed_ms, messages.c.event_ms):
        mine = messages.c.person == person.person
        for nearest in (select(func.max(at)).where(mine, at < start), select(func.min(at)).where(mine, at >= end)):
            found.append(connection.execute(nearest).scalar())
    return [at for at in found if at is not None]


def _postings(
    connection: Connection, person: Row[Any], terms: Sequence[str], timeline: Timeline, heard: Flags | None
) -> dict[str, _Postings]:
    """Every term's postings, with `heard` of these messages only, and how many of all messages hold it."""
    found: dict[str, list[tuple[Numbers, Numbers]]] = {term: [] for term in terms}
    counts = dict.fromkeys(terms, 0)
    c = index.c
    for at in range(0, len(terms), _CHUNK):
        wanted = and_(c.person == person.person, c.term.in_(terms[at : at + _CHUNK]))
        if heard is None:
            rows = connection.execute(select(c.term, c.block, c.count, c.postings).where(wanted))
        else:
            # The terms' rarity is that among all messages; the postings are read only where somebody listens.
            for term, count in connection.execute(select(c.term, func.sum(c.count)).where(wanted).group_by(c.term)):
                counts[term] += int(count)
            blocks = np.unique(np.flatnonzero(heard) // BLOCK).tolist()
            rows = connection.execute(select(c.term, c.block, c.count, c.postings).where(wanted, c.block.in_(blocks)))
        for term, block, count, body in rows:
            found[term].append(unpack(body, block))
            counts[term] += count if heard is None else 0
    postings = {}
    for term, parts in found.items():
        young = timeline.young(term)
        counts[term] += len(young[0])
        numbers, often = (np.concatenate(part) for part in zip(*parts, young, strict=True))
        if heard is not None:
            kept = heard[numbers]
            numbers, often = numbers[kept], often[kept]
        postings[term] = _Postings(numbers, often, counts[term])
    return postings


def _rows(connection: Connection, person: int, numbers: Sequence[int]) -> list[Any]:
    rows: list[Any] = []
    for at in range(0, len(numbers), _CHUNK):
        query = select(messages).where(messages.c.person == person, messages.c.no.in_(numbers[at : at + _CHUNK]))
        rows += connection.execute(query).all()
    return rows


@dataclass(frozen=True, slots=True)
class _Postings:
    """The messages that hold a term and how often; `count` of all messages do."""

    numbers: Numbers
    often: Numbers
    count: int


class _Match:
    """Called with terms: each message's score and the idf it met, by number, and the idf of all the terms together."""

    def __init__(self, timeline: Timeline, average: float, postings: Mapping[str, _Postings]) -> None:
        self.timeline, self.average, self.postings = timeline, average or 1.0, postings
        self._own, self._near = np.zeros(timeline.size), np.zeros(timeline.size)
        self._seen = np.zeros(timeline.size, np.bool_)

    def __call__(self, terms: Iterable[str]) -> tuple[Values, Values, float]:
        score, met = np.zeros(self.timeline.size), np.zeros(self.timeline.size)
        total = 0.0
        for term in terms:
            found = self.postings[term]
            idf = _idf(self.timeline.size, found.count) * (PAIR_WEIGHT if term[0] == words.PAIR else 1.0)
            total += idf
            numbers, match = self._one(found)
            score[numbers] += idf * match
            met[numbers] += idf * np.minimum(1.0, 2 * match)
        return score, met, total

    def _one(self, found: _Postings) -> tuple[Numbers, Values]:
        """The messages that a term reaches, in their own words or their neighbours', and how well."""
        timeline, own, near, seen = self.timeline, self._own, self._near, self._seen
        numbers, often = found.numbers, found.often
        value = often / (often + K1 * (1 - B + B * timeline.length[numbers] / self.average))
        own[numbers] = value
        seen[numbers] = True
        for there, others, weight in timeline.neighbours(numbers):
            near[others] += weight * value[there]
            seen[others] = True
        reached = np.flatnonzero(seen)
        o, n = own[reached], np.minimum(1.0, near[reached])
        own[reached], near[reached], seen[reached] = 0.0, 0.0, False
        return reached, o + n - o * n


def _idf(size: int, count: float) -> float:
    return math.log(1 + (size - count + 0.5) / (count + 0.5))


def _compared(score: Values, parts: Sequence[tuple[Values, Values, float]]) -> None:
    """What one compared thing matches best counts as much as what another does, however many words each has."""
    telling = [part for part, _, total in parts if total > PART_IDF and part.any()]
    if len(telling) < 2 or not score.any():
        return
    best = np.maximum.reduce([part / part.max() for part in telling])
    found = score > 0
    score[found] = (1 - PART_WEIGHT) * score[found] + PART_WEIGHT * best[found] * score.max()


def _that_day(
    score: Values, anchored: Values, weight: float, closeness: Values, timeline: Timeline, zone: dt.tzinfo
) -> Numbers:
    """The day of the message that fits the dating event best is one more term."""
    anchored = anchored + TIME_WEIGHT * weight * closeness
    anchored[timeline.observed == NONE] = 0.0
    if not anchored.any():
        return timeline.no_at[:0]
    best = int(anchored.argmax())
    day = from_ms(int(timeline.observed[best]), zone).replace(hour=0, minute=0, second=0, microsecond=0)
    on_it = timeline.observed_in(to_ms(day), to_ms(day + dt.timedelta(days=1)))
    score[on_it] += TIME_WEIGHT * _idf(timeline.size, len(on_it))
    return on_it


def _who(score: Values, asked: Asked, timeline: Timeline) -> None:
    folded = words.fold(asked.text)
    named = [role for pattern, role in timeline.names if pattern.search(folded)]
    side = timeline.roles.get("assistant" if asked.of_assistant else "user") if "assistant" in timeline.roles else None
    if named:
        score[np.isin(timeline.role, named)] *= SPEAKER
    if side is not None:
        score[timeline.role == side] *= SIDE


def _time(asked: Asked, timeline: Timeline) -> tuple[float, Values]:
    """The asked time as a term: its idf and how close each message is to it, by its event or by when it was said."""
    closeness = np.zeros(timeline.size)
    times = [time for time in (asked.time_ms, *asked.more_times_ms) if time is not None]
    if not times:
        return 0.0, closeness
    for start, end in times:
        pad = max(_DAY_MS, 0.15 * (end - start))
        reach = int(-pad * math.log(TIME_FLOOR))
        said = timeline.observed_in(start - reach, end + reach + 1)
        at = timeline.observed[said]
        closeness[said] = np.maximum(closeness[said], _near(np.maximum(start - at, at - end + 1), pad))
        number, at, until = timeline.events_in(start - reach, end + reach + 1)
        distance = np.maximum(start - until + 1, at - end + 1)
        np.maximum.at(closeness, number, np.where(distance <= reach, _near(distance, pad), 0.0))
    held = float(closeness.sum())
    return _idf(timeline.size, held), closeness


def _near(distance: Numbers, pad: float) -> Values:
    """1.0 inside, falling with every day begun outside."""
    days = -(-np.maximum(distance, 0) // _DAY_MS)
    near: Values = np.exp(-days * (_DAY_MS / pad))
    return near


def _inside(asked: Asked, timeline: Timeline) -> Flags:
    """The messages that a hard time lets through: observed in the window, or with an event that meets the time."""
    inside = np.zeros(timeline.size, np.bool_)
    if asked.observed_ms is not None:
        inside[timeline.observed_in(*asked.observed_ms)] = True
    if asked.time_ms is None:
        inside[timeline.unobserved] = True  # no time is asked for: a message without one is not missed for that
    else:
        inside[timeline.events_in(*asked.time_ms)[0]] = True
    return inside


def _with_neighbours(inside: Flags, timeline: Timeline) -> Flags:
    heard = inside.copy()
    for _, others, _ in timeline.neighbours(np.flatnonzero(inside)):
        heard[others] = True
    return heard
