"""What scoring needs of every message of a person, without the texts: kept in memory as columns, about 67 bytes a message."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson
from sqlalchemy import Connection, Row, func, select

from adapters._candidates import NONE, Candidates
from adapters._store.kept import Kept
from adapters._store.postings import BLOCK, Numbers, Tail
from adapters._store.schema import blocks, events, messages, tail
from planner import words
from planner.ranges import Grain

NEIGHBOURS = ((1, 0.5), (2, 0.25), (3, 0.1))
_STEPS = (*NEIGHBOURS, *((-distance, weight) for distance, weight in NEIGHBOURS))
ANSWER = 1.5  # a question passes more of its match on to the message behind it
STEP_MS = 3_600_000  # neighbours are at most an hour apart, step by step
_BITS = 2
STRETCH = 1 << _BITS  # so many messages that follow one another in time are a stretch
_CACHED_MESSAGES = 2_000_000

# What the last message of the stretch before hears of one in a stretch, and the first of the one behind, by its place there.
_NEAREST = NEIGHBOURS[0][1]
_BEFORE = np.array([dict(NEIGHBOURS).get(place + 1, 0.0) for place in range(STRETCH)])
_BEHIND = _BEFORE[::-1].copy()

Flags = npt.NDArray[np.bool_]
Values = npt.NDArray[np.float64]
Weights = Values | float

_COLUMNS = np.dtype(
    [
        ("observed", "<i8"),
        ("event", "<i8"),
        ("event_end", "<i8"),
        ("importance", "<f4"),
        ("confidence", "<f4"),
        ("length", "<u2"),
        ("role", "<u2"),
        ("kind", "u1"),
        ("grain", "u1"),
        ("marks", "u1"),
        ("question", "u1"),
    ]
)
_MOST = 65535  # of a length, and of the roles of a block
# Marks of a message: it tells of several events; it may put right, move or call off what was told before; it tells that a thing is done.
SEVERAL, CORRECTS, DONE = 1, 2, 4

SCORED = (
    "role", "observed_ms", "event_ms", "event_end_ms", "length", "question", "status", "type", "importance", "confidence", "negated",
    "moved", "told", "marks", "event_grain",
)  # fmt: skip


class Names(NamedTuple):
    """What the columns `role` and `kind` are the places in: roles, and pairs of status and type."""

    roles: list[str]
    kinds: list[tuple[str, str]]


def pack_columns(rows: Sequence[Any]) -> bytes:
    """The columns of messages, their rows, which hold what is `SCORED`, in the order of their numbers."""
    roles: dict[str, int] = {}
    kinds: dict[tuple[str, str], int] = {}
    columns = np.array(
        [
            _columns(row, roles.setdefault(row.role, len(roles)), kinds.setdefault((row.status, row.type), len(kinds)))
            for row in rows
        ],
        _COLUMNS,
    )
    names = orjson.dumps((list(roles), list(kinds)))
    return len(names).to_bytes(4, "little") + names + columns.tobytes()


def _columns(row: Any, role: int, kind: int) -> tuple[int | float, ...]:
    observed, event, end = (NONE if at is None else at for at in (row.observed_ms, row.event_ms, row.event_end_ms))
    marks = SEVERAL * (row.told is not None) | (_may(row) if row.marks is None else row.marks)
    length, role = min(row.length, _MOST), min(role, _MOST)
    return (
        observed,
        event,
        end,
        row.importance,
        row.confidence,
        length,
        role,
        kind,
        row.event_grain or Grain.DAY,
        marks,
        row.question,
    )


def _may(row: Any) -> int:
    """The marks of what has not been read for them: all that tells of an event may put another one right."""
    corrects = row.moved or row.status == "cancelled" or row.event_ms is not None
    return (CORRECTS if corrects else 0) | (DONE if row.status == "done" else 0)


def unpack_columns(body: bytes) -> tuple[Names, npt.NDArray[Any]]:
    size = int.from_bytes(body[:4], "little")
    roles, kinds = orjson.loads(body[4 : 4 + size])
    return Names(roles, list(map(tuple, kinds))), np.frombuffer(body, _COLUMNS, offset=4 + size)


class Timeline:
    """One person's messages: by number the columns of all, by place the order in which the dated ones were observed.

    Times are Unix milliseconds, `NONE` where there is none. `events` are the ranges `[at, until)` of the messages that have an
    event, by their beginning; an instant lasts a millisecond.

    A timeline does not change: what is written later makes another one, which goes on with the same columns and tail, behind the
    `size` of this one. So threads may read it while one of them brings the person up to date.
    """

    def __init__(self, person: Row[Any]) -> None:
        self.revision = person.revision
        self.tail = Tail(person.blocks * BLOCK)
        self.roles: dict[str, int] = {}
        self.names: list[tuple[re.Pattern[str], int]] = []
        self.kinds: dict[tuple[str, str], int] = {}
        self._columns = {name: np.empty(0, _COLUMNS[name]) for name in _COLUMNS.names or ()}
        self._further = np.empty((0, 3), np.int64)  # events beside the first of a message: number, beginning, end
        self.size = 0
        self._arrange()

    def _of(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name][: self.size]

    @property
    def observed(self) -> Numbers:
        return self._of("observed")

    @property
    def length(self) -> Numbers:
        return self._of("length")

    @property
    def role(self) -> Numbers:
        return self._of("role")

    @property
    def question(self) -> Numbers:
        return self._of("question")

    def with_more(self, parts: Sequence[tuple[Names, npt.NDArray[Any]]], further: Numbers | None = None) -> Timeline:
        """The timeline that has these messages too; each part has its own names. `further` are the rows (number, beginning,
        end) of events that come beside the first of a message.
        """
        added = sum(len(columns) for _, columns in parts)
        more = copy(self)
        more.roles, more.names, more.kinds = dict(self.roles), list(self.names), dict(self.kinds)
        if self.size + added > len(self._columns["role"]):
            room = max(self.size + added, self.size * 5 // 4)
            more._columns = {name: np.empty(room, column.dtype) for name, column in self._columns.items()}
            for name, column in self._columns.items():
                more._columns[name][: self.size] = column[: self.size]
        for (roles, kinds), columns in parts:
            into = slice(more.size, more.size + len(columns))
            for name, column in more._columns.items():
                column[into] = columns[name]
            places = np.array([more._role(role) for role in roles], np.uint16)
            more._columns["role"][into] = places[np.minimum(columns["role"], len(roles) - 1)]
            places = np.array([more.kinds.setdefault(kind, len(more.kinds)) for kind in kinds], np.uint8)
            more._columns["kind"][into] = places[columns["kind"]]
            more.size += len(columns)
        if further is not None and len(further):
            more._further = np.concatenate((self._further, further))
        more._arrange()
        return more

    def candidates(self, numbers: Numbers, relevance: Values) -> Candidates:
        """The messages as they are judged."""
        event, end, marks = self._of("event")[numbers], self._of("event_end")[numbers], self._of("marks")[numbers]
        importance, confidence = (self._of(name)[numbers].astype(np.float64) for name in ("importance", "confidence"))
        return Candidates(
            relevance, self.observed[numbers], event, np.where(end == NONE, event, end), self._of("grain")[numbers], importance,
            confidence, self._of("kind")[numbers], tuple(self.kinds), marks & SEVERAL != 0,
        )  # fmt: skip

    def corrects(self, numbers: Numbers, *, done: bool = False) -> Flags:
        """Which of the messages may put right, move or call off what was told before, and with `done` that it is done."""
        flags: Flags = self._of("marks")[numbers] & (CORRECTS | (DONE if done else 0)) != 0
        return flags

    def with_tail(self, tail: Tail) -> Timeline:
        more = copy(self)
        more.tail = tail
        return more

    def young(self, terms: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
        """The numbers and counts of the messages that hold the terms and stand in no block yet, term by term, and how many each."""
        return self.tail.of(terms, self.size)

    def _role(self, role: str) -> int:
        known = self.roles.get(role)
        if known is None:
            known = self.roles[role] = min(len(self.roles), _MOST)
            if role.lower() not in ("user", "assistant", "system", "tool"):
                name = re.escape(words.fold(role))
                self.names.append((re.compile(rf"(?<!\w){name}(?!\w)" if role.isascii() else name), known))
        return known

    def _arrange(self) -> None:
        observed, event = self.observed, self._of("event")
        dated = np.flatnonzero(observed != NONE)
        self.no_at = dated[np.argsort(observed[dated], kind="stable")].astype(np.int32)
        self.times = observed[self.no_at]
        self.unobserved = np.flatnonzero(observed == NONE)
        self.place = np.empty(self.size, np.int32)  # those without a time come last
        self.place[self.no_at] = np.arange(len(self.no_at), dtype=np.int32)
        self.place[self.unobserved] = np.arange(len(self.no_at), self.size, dtype=np.int32)
        self.in_order = len(dated) == self.size and bool((self.no_at[:-1] < self.no_at[1:]).all())
        # Neighbours follow one another within an hour a step; records of the very same moment are a batch, no conversation.
        gap = np.diff(self.times)
        linked = (gap > 0) & (gap <= STEP_MS)
        links = np.zeros(len(self.times), np.uint8)
        for bit, (distance, _) in enumerate(NEIGHBOURS):
            if bit:
                linked = linked[:-1] & ((gap > 0) & (gap <= STEP_MS))[bit:]
            links[: len(linked)] |= linked.astype(np.uint8) << bit
            links[distance:] |= linked.astype(np.uint8) << (bit + len(NEIGHBOURS))
        self._links = np.zeros(self.size, np.uint8)
        self._links[self.no_at] = links
        first = np.flatnonzero(event != NONE)
        told = np.concatenate((np.column_stack((first, event[first], self._of("event_end")[first])), self._further))
        told = told[np.argsort(told[:, 1], kind="stable")]
        self.event_no, self.event_at = told[:, 0].astype(np.int32), told[:, 1].copy()
        self.event_until = np.maximum(told[:, 2], self.event_at + 1)
        self.longest = int((self.event_until - self.event_at).max(initial=0))

    def neighbours(self, numbers: Numbers) -> Iterator[tuple[slice | Flags, Numbers, Weights]]:
        """For each step from a message to its neighbours: which of `numbers` have one there, which that is, what it hears of them."""
        links = self._links[numbers]
        all_have = int(np.bitwise_and.reduce(links))
        for bit, (step, weight) in enumerate(_STEPS):
            there = slice(None) if all_have & (1 << bit) else (links & (1 << bit)) != 0
            ours = numbers[there]
            others = ours + step if self.in_order else self.no_at[self.place[ours] + step]
            yield there, others, np.where(self.question[ours] != 0, ANSWER * weight, weight) if step == 1 else weight

    @property
    def stretches(self) -> int:
        return -(-self.size // STRETCH)

    def positions(self, numbers: Numbers) -> Numbers:
        """Where messages stand in the order of time."""
        return numbers if self.in_order else self.place[numbers]

    def of_stretches(self, stretches: Numbers) -> Numbers:
        """The messages of some stretches, by number."""
        positions = (stretches[:, None] * STRETCH + np.arange(STRETCH)).ravel()
        positions = positions[positions < self.size]
        if self.in_order:
            return positions
        dated = positions < len(self.no_at)
        return np.concatenate((self.no_at[positions[dated]], self.unobserved[positions[~dated] - len(self.no_at)]))

    def at_most(self, numbers: Numbers, value: Values) -> Values:
        """By stretch, what one of its messages may have at most of a term that `numbers` match by `value`: by the best of them that
        stands there, and by what the nearest message hears of all of them.
        """
        positions = self.positions(numbers)
        stretch, offset = positions >> _BITS, positions & (STRETCH - 1)
        loud = np.where(self.question[numbers] != 0, ANSWER * value, value)
        best = np.zeros(self.stretches)
        np.maximum.at(best, stretch, value)
        reached = np.concatenate((stretch, np.maximum(stretch - 1, 0), np.minimum(stretch + 1, self.stretches - 1)))
        heard = np.concatenate((_NEAREST * loud, _BEFORE[offset] * loud, _BEHIND[offset] * loud))
        best *= 1 - _NEAREST  # it does not hear itself
        best += np.bincount(reached, heard, self.stretches)
        return np.minimum(1.0, best, out=best)

    def with_neighbours(self, numbers: Numbers) -> Numbers:
        """The messages and their neighbours, by number."""
        return self.union([numbers, *(others for _, others, _ in self.neighbours(numbers))])

    def union(self, parts: Sequence[Numbers]) -> Numbers:
        """The messages of any of the parts, each once, by number."""
        if 16 * sum(map(len, parts)) < self.size:  # few: sorting them costs less than a look at all messages
            numbers = np.sort(np.concatenate(parts)).astype(np.int64)
            return numbers[np.diff(numbers, prepend=-1) > 0]
        seen = np.zeros(self.size, np.bool_)
        for part in parts:
            seen[part] = True
        return np.flatnonzero(seen)

    def observed_in(self, start: int, end: int) -> Numbers:
        """The messages observed in `[start, end)`."""
        low, high = np.searchsorted(self.times, (start, end))
        return self.no_at[low:high]

    def events_in(self, start: int, end: int) -> tuple[Numbers, Numbers, Numbers]:
        """The number, beginning and end of every event that overlaps `[start, end)`."""
        low, high = np.searchsorted(self.event_at, (start - self.longest, end))
        part = slice(low, high)
        meets = self.event_until[part] > start
        return self.event_no[part][meets], self.event_at[part][meets], self.event_until[part][meets]


class Scope:
    """The messages that a question is about, each in its place: all of a timeline, or those of `numbers`, which are in order.

    What is worked out of messages stands in arrays by place. So a question for a week of ten years costs what the week costs.
    """

    def __init__(self, timeline: Timeline, numbers: Numbers | None = None) -> None:
        self.timeline, self.numbers = timeline, numbers
        self.size = timeline.size if numbers is None else len(numbers)
        self._inside: Flags | None = None

    def places(self, numbers: Numbers) -> tuple[Numbers, slice | Flags]:
        """The places of those of the messages that are in the scope, and which of them are."""
        if self.numbers is None:
            return numbers, slice(None)
        if len(numbers) > self.size:  # most are outside: that is seen faster than where they would stand
            if self._inside is None:
                self._inside = np.zeros(self.timeline.size, np.bool_)
                self._inside[self.numbers] = True
            there = self._inside[numbers]
            return np.searchsorted(self.numbers, numbers[there]), there
        places = np.searchsorted(self.numbers, numbers)
        places[places == self.size] = 0
        there = self.numbers[places] == numbers if self.size else np.zeros(len(numbers), np.bool_)
        return places[there], there

    def numbers_at(self, places: Numbers | slice) -> Numbers:
        if self.numbers is not None:
            return self.numbers[places]
        return np.arange(self.size) if isinstance(places, slice) else places

    def flags(self, numbers: Numbers) -> Flags:
        """By place, whether a message is one of those of `numbers`."""
        flags = np.zeros(self.size, np.bool_)
        flags[self.places(numbers)[0]] = True
        return flags


class Timelines:
    """The timelines of the people last asked for, up to two million messages together."""

    def __init__(self) -> None:
        self._kept: Kept[Timeline] = Kept(_CACHED_MESSAGES)
        self._lock = threading.Lock()
        self._turns = [threading.Lock() for _ in range(_TURNS)]

    def of(self, connection: Connection, person: Row[Any]) -> Timeline:
        """The timeline as of the row of tr_people, which was read in the same transaction."""
        with self._turns[person.person % _TURNS]:  # what several threads want, one reads
            with self._lock:
                kept = self._kept.get(person.person)
            if kept is not None and _later(kept, person):
                return _current(connection, person, Timeline(person))
            current = _current(
                connection, person, kept if kept is not None and kept.revision == person.revision else Timeline(person)
            )
            with self._lock:
                self._kept.keep(person.person, current, current.size)
            return current


_TURNS = 64


def _later(kept: Timeline, person: Row[Any]) -> bool:
    """Whether another thread saw the person at a later moment than this one does."""
    if kept.revision != person.revision:
        return bool(kept.revision > person.revision)
    return bool(kept.size > person.messages or kept.tail.start > person.blocks * BLOCK)


def _current(connection: Connection, person: Row[Any], timeline: Timeline) -> Timeline:
    if timeline.size < person.messages:
        parts = _read(connection, person, timeline.size)
        end = timeline.size + sum(len(columns) for _, columns in parts)
        timeline = timeline.with_more(parts, _further(connection, person, timeline.size, end))
    start = person.blocks * BLOCK
    if timeline.tail.start != start:
        timeline = timeline.with_tail(Tail(start))
    if timeline.tail.end < person.messages:
        rows = connection.execute(
            select(tail.c.postings)
            .where(tail.c.person == person.person, tail.c.first >= timeline.tail.end)
            .order_by(tail.c.first)
        )
        # All of them before the first is taken in: who gives up while they come leaves no half of them to those who ask later.
        for row in rows.all():
            timeline.tail.take(row.postings, person.messages)
        timeline.tail.end = person.messages
    return timeline


def _further(connection: Connection, person: Row[Any], size: int, end: int) -> Numbers:
    """The number, beginning and end of the further events of messages `[size, end)`."""
    c = events.c
    mine = (c.person == person.person, c.no >= size, c.no < end)
    query = select(c.no, c.event_ms, func.coalesce(c.event_end_ms, NONE)).where(*mine).order_by(c.no, c.part)
    return np.array([tuple(row) for row in connection.execute(query)], np.int64).reshape(-1, 3)


def _read(connection: Connection, person: Row[Any], size: int) -> list[tuple[Names, npt.NDArray[Any]]]:
    """The columns of the messages from `size` on: of whole blocks from tr_blocks, of others from the messages."""
    parts = []
    if size % BLOCK == 0:
        found = connection.execute(
            select(blocks.c.columns)
            .where(blocks.c.person == person.person, blocks.c.block >= size // BLOCK)
            .order_by(blocks.c.block)
        )
        parts = [unpack_columns(row.columns) for row in found]
        size += sum(len(columns) for _, columns in parts)
    c = messages.c
    found = connection.execute(
        select(*[c[name] for name in SCORED]).where(c.person == person.person, c.no >= size).order_by(c.no)
    )
    rows = found.all()
    return [*parts, unpack_columns(pack_columns(rows))] if rows else parts
