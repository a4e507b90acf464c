"""Finding: BM25 over the person's own terms, with what a conversation and an asked time add to it.

    own   = tf / (tf + k1 (1 - b + b length / average))      BM25's saturation (Robertson and Zaragoza, 2009)
    near  = sum of own over the neighbours, weighted by distance, a question's answer more
    match = own + near - own near                            a term is met by a message or by its neighbours
    S     = sum of idf(term) match  + 2 idf(time) closeness  the asked time is one more term, soft at its edges
            + 0.25 sum of idf(term) meaning                  with vectors (vectors.py) the meaning is another
            - 0.75 of what only dates, + 0.75 of the best S of the day, for "the day of the concert"
    who   = S x 1.6 for the speaker the question names, x 1.4 for the side of the chat it asks for

`relevance` maps S to [0, 1] for the service's thresholds: (S / best S)^0.33 x min(1, coverage / 0.25)^0.25, where coverage is the
idf-weighted share of the question that the message meets, in words or in meaning; a hard time counts a tenth in this S. The
constants were chosen once for all data sets; docs/ranking.md has what each part is worth.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Row, bindparam, func, select, type_coerce
from sqlalchemy.types import NullType

from adapters._candidates import NONE
from adapters._store.matching import CHUNK, Match, Values, chosen, idf, read_postings
from adapters._store.postings import Numbers
from adapters._store.schema import events, messages, people
from adapters._store.store import Snapshot
from adapters._store.timeline import Scope, Timeline
from adapters._times import from_ms, to_ms
from planner import words
from planner.ranges import UTC

SPEAKER, SIDE = 1.6, 1.4
TIME_WEIGHT, TIME_FLOOR = 2.0, 0.05
TIMELY = 0.1
MEANING, MEANT = 0.25, 0.4  # of the weight of all the question's words: in S, and in what a message covers of them
MET = 0.05  # of the subject's weight: what meets less of it says nothing of it
UNHEARD = 0.85  # what the relevance of all of a time is worth where the subject is in words that nobody ever used, or is still to come
FRAMING = 0.25  # what words count that only ask when a thing is due
EVENT = 0.5  # what words count that only name the event from which a time is inferred
DATES = 0.75  # what relevance keeps where only the event is named, and others tell of the topic then
APART = 0.6  # what relevance keeps outside of that time where nothing is said of the event
ALL = 0.97  # the relevance of all that was told in such a time, where that is asked for: what names its event comes first
PART_WEIGHT, PART_IDF = 0.6, 8.0
SAME_DAY = 0.75  # of its best match all of a day gets so much, and the words that only date it count so much less
_DAYS_OF = 12  # so many messages that match best
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for: terms, and a time `[start, end)` in Unix milliseconds if the question names one.

    `parts` are the terms of each thing that the question compares ("the concert and the move, which came first"), `anchor` those
    of an event that dates it ("on the day of the concert"), `more_times_ms` further times it names.
    With `hard`, only messages observed in `observed_ms` or with an event that meets the time count. With `told`, all that counts is
    when a thing was told, and not when it happens. `subject` are the terms of a topic so short that who speaks of it says one of them;
    `over` tells that what was then is asked for: what is to come may be told in other words ("meetings": a sync with Anna).
    `framing` are those of the terms that ask for a sense of time which what is found bears itself. `event` are those of the terms that name
    the events from which the time is inferred; with `whole` all that was told in it is asked for.
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
    told: bool = False
    of_assistant: bool = False
    subject: Sequence[str] = ()
    over: bool = False
    event: Sequence[str] = ()
    whole: bool = False
    framing: Sequence[str] = ()
    topics: Sequence[
        str
    ] = ()  # whose meaning is looked for: the text without its times' words, or each of the parts; else the text


class Stored(NamedTuple):
    """A message as it is kept; see tr_messages."""

    no: int
    request_id: str
    position: int
    role: str
    content: str
    observed_ms: int | None
    event_ms: int | None
    event_end_ms: int | None
    event_grain: int | None
    status: str
    type: str
    importance: float
    confidence: float
    negated: bool
    moved: bool
    question: bool
    aside: bool
    time_spans: str
    told: str | None
    said: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A message found: its row, its score (any size) and its relevance in [0, 1], None when no words were looked for.

    `part` says which of several events it tells the row holds, from 0 on.
    """

    row: Stored
    score: float = 0.0
    relevance: float | None = None
    part: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What a person's store holds: the hits, whether there were more, and how many messages have no time at all."""

    hits: Sequence[Hit] = ()
    more: bool = False
    undated: int = 0


class Places(NamedTuple):
    """Messages found and not read yet: their numbers, scores and relevance, which is 1.0 where no words were looked for."""

    numbers: Numbers
    scores: Values
    relevance: Values

    def of(self, places: Numbers) -> Places:
        return Places(self.numbers[places], self.scores[places], self.relevance[places])


class Person(NamedTuple):
    """A person's row of tr_people and timeline, as they are in one snapshot."""

    connection: Connection
    row: Row[Any]
    timeline: Timeline

    def read(self, found: Places, *, judged: bool = True) -> list[Hit]:
        """The hits for what was found, in its order, without a relevance where that was not judged."""
        numbers = found.numbers.tolist()
        rows = {row.no: row for row in _rows(self.connection, self.row.person, numbers)}
        scored = zip(numbers, found.scores.tolist(), found.relevance.tolist(), strict=True)
        return [Hit(rows[no], score, fits if judged else None) for no, score, fits in scored]


_PERSON = select(people).where(people.c.user_id == bindparam("user_id"), people.c.source == bindparam("source"))


def person_of(connection: Connection, user_id: str, source: str = "chat") -> Row[Any] | None:
    """The row of tr_people."""
    return connection.execute(_PERSON, {"user_id": user_id, "source": source}).first()


def newest(snapshot: Snapshot, user_id: str, until: int) -> int | None:
    """The moment of the person's newest message up to `until`, in Unix milliseconds; of all their messages if none is older; None if
    none has a time.
    """
    connection = snapshot.connection
    person = person_of(connection, user_id)
    if person is None or person.newest_ms is None or person.newest_ms <= until:
        return None if person is None else person.newest_ms
    at = messages.c.observed_ms
    found = connection.execute(select(func.max(at)).where(messages.c.person == person.person, at <= until)).scalar()
    return int(person.newest_ms if found is None else found)


def person_in(snapshot: Snapshot, user_id: str, source: str = "chat") -> Person | None:
    """A person of whom there is a message; None for others."""
    row = person_of(snapshot.connection, user_id, source)
    if row is None or not row.messages:
        return None
    return Person(snapshot.connection, row, snapshot.timelines.of(snapshot.connection, row))


def search(snapshot: Snapshot, user_id: str, asked: Asked, limit: int, source: str = "chat") -> Found:
    """The person's messages that match best, best first, at most `limit`; those that match nothing are left out."""
    person = person_in(snapshot, user_id, source)
    if person is None:
        return Found()
    return Found(person.read(best(snapshot, person, asked, limit)), undated=person.row.undated)


def best(snapshot: Snapshot, of: Person, asked: Asked, limit: int) -> Places:
    """As `search`, unread."""
    connection, person, timeline = of
    inside = _inside(asked, timeline) if asked.hard else None
    scope = Scope(timeline)
    if inside is not None and not asked.anchor and 2 * len(inside) < timeline.size:
        scope = Scope(timeline, timeline.with_neighbours(inside))
    every = list(dict.fromkeys([*asked.terms, *(term for part in asked.parts for term in part), *asked.anchor]))
    match = Match(scope, person.terms / person.messages, read_postings(connection, person, every, scope))
    named = sum(match.postings[term].idf for term in asked.event)
    for term in asked.event:
        match.postings[term] = match.postings[term].worth(EVENT)
    for term in asked.framing:
        match.postings[term] = match.postings[term].worth(FRAMING)
    total = sum(match.postings[term].idf for term in asked.terms)
    near: Values | float = 0.0
    if snapshot.vectors is not None:
        for topic in [topic for topic in asked.topics if topic.strip()] or [asked.text]:
            near = np.maximum(near, snapshot.vectors.near(connection, person, topic.strip(), scope))
    weight, closeness = _time(asked, scope)
    if asked.event:  # who speaks in the time of an event need not name it
        weight = min(weight, named / TIME_WEIGHT)
    who = _who(asked, scope)
    speaks: Values | float = 1.0
    lets = 1.0 if inside is None else scope.flags(inside).astype(np.float64)
    judged = asked.hard and asked.time_ms is not None and bool(asked.subject)
    # Else what a message gets depends on others, or the highest may be left out in the end.
    if not asked.parts and not asked.anchor and not (judged and asked.over):
        more = (MEANING * total * near * who + TIME_WEIGHT * weight * closeness) * lets
        match = match.narrowed(asked.terms, who * lets, more, limit)
        if match.scope is not scope:
            here = scope.places(match.scope.numbers_at(slice(None)))[0]
            near, closeness, who, lets = (chosen(values, here) for values in (near, closeness, who, lets))
            scope = match.scope

    score, met, _ = match(asked.terms)
    _compared(score, [match(part) for part in asked.parts])
    score += MEANING * total * near
    met += MEANT * total * near
    if judged:
        speaks = _speaks(asked, match, near)
        lets = np.where(speaks > 0, lets, 0.0)
    told_of, whole = score, 0.0
    if asked.event:
        _, told_of, whole = match(asked.event)
    if asked.anchor:
        anchored, _, told = match(asked.anchor)
        dating = (anchored + TIME_WEIGHT * weight * closeness, told + TIME_WEIGHT * weight)
        on_day, given = _that_day((dating, (np.maximum(score - anchored, 0.0), total - told)), scope, asked.zone)
        score -= np.minimum(score, SAME_DAY * anchored)
        score[on_day] += given
        met[on_day] = np.minimum(total, met[on_day] + told)  # who speaks on the day need not name what dates it
    score = (score * who + TIME_WEIGHT * weight * closeness) * lets
    total += weight
    top = _best(score, scope, limit)
    if not len(top):
        return NOTHING
    close = chosen(closeness, top)
    coverage = (met[top] + weight * close) / total if total else np.zeros(len(top))
    relevance = _share_of_best(score[top], asked, weight, close) ** 0.33
    relevance *= np.minimum(1.0, coverage / 0.25) ** 0.25 * chosen(speaks, top)
    if asked.event:
        relevance *= APART + (1 - APART) * np.maximum(close, told_of[top] / whole if whole else 0.0)
        meets = met[top] - told_of[top] >= MET * (total - weight - whole)
        if not asked.whole and (meets & (close == 1.0)).any():
            relevance *= np.where(meets, 1.0, np.where(told_of[top] > 0.5 * whole, DATES, UNHEARD))
    if asked.whole:
        relevance = np.maximum(relevance, np.where(close == 1.0, ALL, 0.0))
    return Places(scope.numbers_at(top), score[top], relevance)


def _speaks(asked: Asked, match: Match, near: Values | float) -> Values:
    """How far messages may answer a question about a subject in a hard time: 1.0 for those that meet some of it in words or in
    meaning, 0.0 for others where the person speaks of it at all and time is over: what was said of it at another time only is not
    answered by what else was told then. Of words that nobody ever used, and of what is to come, the time tells something.
    """
    _, met, total = match(asked.subject)
    meets = met + MEANT * total * near >= MET * total
    known = asked.over and all(_used(term, match) for term in asked.subject if term[0] != words.PAIR)
    speaks: Values = np.where(meets, 1.0, 0.0 if known else UNHEARD)
    return speaks


def _used(word: str, match: Match) -> bool:
    """Whether a message holds the word, or, since names are cut in wrong places, messages hold all of its pairs of characters."""
    pairs = words.pairs(word)
    return match.postings[word].count > 0 or (
        bool(pairs) and all(pair in match.postings and match.postings[pair].count for pair in pairs)
    )


def _share_of_best(score: Values, asked: Asked, weight: float, closeness: Values | float) -> Values:
    """What each of the best has of the best one's score. Where the time is hard, who asked judges it: here it counts a tenth, and
    the best one is the best of that time.
    """
    said, best = score, float(score[0])
    if asked.event:
        best = float((score * closeness).max()) or best
    elif asked.hard and asked.time_ms is not None:
        said = score - (1 - TIMELY) * TIME_WEIGHT * weight * closeness
        best = float((said * closeness).max()) or float(said.max())
    share: Values = np.minimum(1.0, said / best)
    return share


def _best(score: Values, scope: Scope, limit: int) -> Numbers:
    """The places of the highest scores, best first; of equals the youngest, then the first written."""
    found = np.flatnonzero(score)
    if len(found) > limit:
        edge = np.partition(score[found], len(found) - limit)[len(found) - limit]
        found = found[score[found] >= edge]
    order = np.lexsort((found, -scope.timeline.observed[scope.numbers_at(found)], -score[found]))
    return found[order[:limit]]


def in_time(
    person: Person, observed_ms: tuple[int, int] | None, event_ms: tuple[int, int] | None, limit: int | None = None
) -> tuple[Places, bool]:
    """Messages with an event that meets a range, and those observed in it. With a limit the newest of each, and the newest of another
    range as well; the second tells whether there were more.

    Ranges are half-open Unix milliseconds. `observed_ms`, where something may have been told, may be far longer than `event_ms`,
    which is asked about: what came after it must not take its room. An event that lasts longer than 400 days is found while it has
    begun so long ago at most.
    """
    timeline = person.timeline
    told: list[Numbers] = []
    if event_ms is not None:
        numbers, at, _ = timeline.events_in(*event_ms)
        told.append(timeline.union([numbers[at >= event_ms[0] - 400 * _DAY_MS]]))
    if observed_ms is not None:
        windows = [observed_ms]
        if event_ms is not None:
            both = (max(event_ms[0], observed_ms[0]), min(event_ms[1], observed_ms[1]))
            windows = [both] if limit is None else [both, observed_ms]
        told += [timeline.observed_in(start, end) for start, end in windows if start < end]
    more = limit is not None and any(len(numbers) > limit for numbers in told)
    if limit is not None:
        told = [numbers[np.argsort(-timeline.observed[numbers], kind="stable")[:limit]] for numbers in told]
    return _unscored(timeline.union(told) if told else timeline.no_at[:0]), more


def corrections(person: Person, start: int, end: int, limit: int, *, done: bool = False) -> Places:
    """What was told in `[start, end)`, in Unix milliseconds, that moves a plan, calls it off, denies it or puts it right, with `done` also
    that it is done: the newest, at most `limit`.
    """
    told = person.timeline.observed_in(start, end)
    told = told[person.timeline.corrects(told, done=done)][::-1][:limit]
    return _unscored(told)._replace(relevance=np.zeros(len(told)))


def _unscored(numbers: Numbers) -> Places:
    return Places(numbers, np.zeros(len(numbers)), np.ones(len(numbers)))


NOTHING = _unscored(np.empty(0, np.int64))


def tellings(person: Person, hits: Sequence[Hit]) -> list[list[Hit]]:
    """Each of the hits with those for the further events that its message tells, in the order of the text."""
    several = [hit.row.no for hit in hits if hit.row.told is not None]
    others: dict[int, list[Row[Any]]] = {no: [] for no in several}
    c = events.c
    for at in range(0, len(several), CHUNK):
        mine = select(events).where(c.person == person.row.person, c.no.in_(several[at : at + CHUNK]))
        for row in person.connection.execute(mine.order_by(c.no, c.part)):
            others[row.no].append(row)
    return [[hit, *(_further(hit, row) for row in others.get(hit.row.no, ()))] for hit in hits]


def _further(hit: Hit, row: Row[Any]) -> Hit:
    told = {name: getattr(row, name) for name in Stored._fields if name in events.c and name != "no"}
    return replace(hit, row=hit.row._replace(**told, said=None), part=row.part)


def beside(snapshot: Snapshot, user_id: str, start: int, end: int, source: str = "chat") -> list[int]:
    """The last moments before `start` and the first at or after `end` at which something was told or is to happen."""
    connection = snapshot.connection
    person = person_of(connection, user_id, source)
    if person is None:
        return []
    found = []
    for at in (messages.c.observed_ms, messages.c.event_ms, events.c.event_ms):
        mine = at.table.c.person == person.person
        for nearest in (select(func.max(at)).where(mine, at < start), select(func.min(at)).where(mine, at >= end)):
            found.append(connection.execute(nearest).scalar())
    return [at for at in found if at is not None]


# As the driver gives them: to look at every value, to make True of 1, takes a tenth of the time.
_STORED = select(*(type_coerce(messages.c[name], NullType()).label(name) for name in Stored._fields))
_ROWS = _STORED.where(messages.c.person == bindparam("person"), messages.c.no.in_(bindparam("numbers", expanding=True)))


def _rows(connection: Connection, person: int, numbers: Sequence[int]) -> list[Stored]:
    rows: list[Stored] = []
    for at in range(0, len(numbers), CHUNK):
        rows += map(Stored._make, connection.execute(_ROWS, {"person": person, "numbers": numbers[at : at + CHUNK]}).all())
    return rows


def _compared(score: Values, parts: Sequence[tuple[Values, Values, float]]) -> None:
    """What one compared thing matches best counts as much as what another does, however many words each has."""
    telling = [part for part, _, total in parts if total > PART_IDF and part.any()]
    if len(telling) < 2 or not score.any():
        return
    best = np.maximum.reduce([part / part.max() for part in telling])
    found = score > 0
    score[found] = (1 - PART_WEIGHT) * score[found] + PART_WEIGHT * best[found] * score.max()


def _that_day(sides: Sequence[tuple[Values, float]], scope: Scope, zone: dt.tzinfo) -> tuple[Numbers, float]:
    """The messages of the day that a question means by what happened on it, and what all of them get for it.

    `sides` are what dates the question and what it asks for, each as what messages meet of it and what that could be at most. The
    day is the one that tells most of the two together, in shares; a side too light to tell a thing counts by its weight.
    """
    timeline = scope.timeline
    shares = [np.where(timeline.observed == NONE, 0.0, met / max(most, PART_IDF)) for met, most in sides]
    if not shares[0].any():
        return timeline.no_at[:0], 0.0
    days: dict[dt.datetime, Numbers] = {}
    for share in (*shares, shares[0] + shares[1]):
        for at in timeline.observed[_best(share, scope, _DAYS_OF)].tolist():
            day = from_ms(at, zone).replace(hour=0, minute=0, second=0, microsecond=0)
            if day not in days:
                days[day] = timeline.observed_in(to_ms(day), to_ms(day + dt.timedelta(days=1)))
    told = {day: sum(float(share[on_it].max()) for share in shares) for day, on_it in days.items()}
    on_it = days[max(told, key=lambda day: (told[day], day))]
    return on_it, SAME_DAY * sum(float(met[on_it].max()) for met, _ in sides)


def _who(asked: Asked, scope: Scope) -> Values | float:
    """By what the score of each message is multiplied for who said it."""
    timeline = scope.timeline
    folded = words.fold(asked.text)
    named = [role for pattern, role in timeline.names if pattern.search(folded)]
    side = timeline.roles.get("assistant" if asked.of_assistant else "user") if "assistant" in timeline.roles else None
    if not named and side is None:
        return 1.0
    role = timeline.role[scope.numbers_at(slice(None))]
    factor: Values = np.where(np.isin(role, named), SPEAKER, 1.0)
    if side is not None:
        factor[role == side] *= SIDE
    return factor


def _time(asked: Asked, scope: Scope) -> tuple[float, Values | float]:
    """The asked time as a term: its idf and how close each message is to it, by its event or by when it was said."""
    times = [time for time in (asked.time_ms, *asked.more_times_ms) if time is not None]
    if not times:
        return 0.0, 0.0
    closeness = np.zeros(scope.size)
    timeline = scope.timeline
    reached: list[tuple[Numbers, Values]] = []
    for start, end in times:
        pad = max(_DAY_MS, 0.15 * (end - start))
        reach = int(-pad * math.log(TIME_FLOOR))
        said = timeline.observed_in(start - reach, end + reach + 1)
        at = timeline.observed[said]
        reached.append((said, _near(np.maximum(start - at, at - end + 1), pad)))
        if asked.told:
            continue
        number, at, until = timeline.events_in(start - reach, end + reach + 1)
        distance = np.maximum(start - until + 1, at - end + 1)
        # What is told as in a year says little of a day.
        fine = np.sqrt(np.minimum(1.0, max(end - start, _DAY_MS) / (until - at)))
        reached.append((number, np.where(distance <= reach, _near(distance, pad) * fine, 0.0)))
    # What the time weighs depends on all that is near it, heard or not.
    all_near = Scope(timeline, timeline.union([numbers for numbers, _ in reached]))
    held = np.zeros(all_near.size)
    for numbers, near in reached:
        np.maximum.at(held, all_near.places(numbers)[0], near)
    places, heard = scope.places(all_near.numbers_at(slice(None)))
    closeness[places] = held[heard]
    return idf(timeline.size, float(held.sum())), closeness


def _near(distance: Numbers, pad: float) -> Values:
    """1.0 inside, falling with every day begun outside."""
    days = -(-np.maximum(distance, 0) // _DAY_MS)
    near: Values = np.exp(-days * (_DAY_MS / pad))
    return near


def _inside(asked: Asked, timeline: Timeline) -> Numbers | None:
    """The messages that a hard time lets through: observed in the window, or with an event that meets the time; None for all."""
    observed = timeline.no_at[:0] if asked.observed_ms is None else timeline.observed_in(*asked.observed_ms)
    others: Numbers = timeline.no_at[:0]
    if asked.time_ms is None:
        others = timeline.unobserved  # if no time is asked for, a message without one is not missed for that
    elif not asked.told:
        others = timeline.events_in(*asked.time_ms)[0]
    if len(observed) + (len(timeline.unobserved) if asked.time_ms is None else 0) == timeline.size:
        return None
    return timeline.union([observed, others])
