"""How well messages match terms: BM25 (Robertson and Zaragoza, 2009) over their own words and their neighbours', as in search.py."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, bindparam, select

from adapters._store.postings import BLOCK, Numbers, unpack
from adapters._store.schema import index
from adapters._store.schema import terms as counted
from adapters._store.timeline import STRETCH, Scope
from planner import words

K1, B = 1.0, 0.35
PAIR_WEIGHT = 0.3
CHUNK = 500  # so many values at most go into one statement
Values = npt.NDArray[np.float64]  # of every message of a scope, by place
# From so many messages on, it pays to ask first which of them may be among the best.
_MANY = 1 << 15
_FEW = 1 << 18  # and up to so many numbers in a table, all terms are looked at together
_ONCE = 8  # so many blocks are read in one go, whoever listens in them
_LOOKED = 256  # so many stretches tell how much the best have
_FEWER = 2  # where no more than one message of so many is left out, it did not pay
_ROUNDING = 1e-9  # sums of the same numbers in another order differ by less

_c = index.c
_OF_TERMS = select(_c.term, _c.block, _c.count, _c.postings).where(
    _c.person == bindparam("person"), _c.term.in_(bindparam("terms", expanding=True))
)
_OF_BLOCKS = _OF_TERMS.where(_c.block.in_(bindparam("blocks", expanding=True)))
_HOW_MANY = select(counted.c.term, counted.c.count).where(
    counted.c.person == bindparam("person"), counted.c.term.in_(bindparam("terms", expanding=True))
)


@dataclass(frozen=True, slots=True)
class Postings:
    """The messages that hold a term and how often; `count` of all the person's messages do, and `idf` is what the term weighs."""

    numbers: Numbers
    often: Numbers
    count: int
    idf: float

    def worth(self, share: float) -> Postings:
        """The same of a term that weighs only a share of what it does."""
        return replace(self, idf=share * self.idf)


def read_postings(connection: Connection, person: Row[Any], terms: Sequence[str], scope: Scope) -> dict[str, Postings]:
    """Every term's postings in the scope, and how many of all messages hold it."""
    if not terms:
        return {}
    rows: list[Row[str, int, int, bytes]] = []
    counts = dict.fromkeys(terms, 0)
    for at in range(0, len(terms), CHUNK):
        wanted: dict[str, Any] = {"person": person.person, "terms": terms[at : at + CHUNK]}
        if scope.numbers is None or person.blocks <= _ONCE:
            some = connection.execute(_OF_TERMS, wanted).all()
            for row in some:
                counts[row[0]] += row[2]
        else:
            # The terms' rarity is that among all messages; the postings are read only where somebody listens.
            counts.update(map(tuple, connection.execute(_HOW_MANY, wanted)))
            blocks = np.flatnonzero(np.bincount(scope.numbers // BLOCK)).tolist()
            some = connection.execute(_OF_BLOCKS, wanted | {"blocks": blocks}).all()
        rows += some
    place = {term: n for n, term in enumerate(terms)}
    rows.sort(key=lambda row: place[row[0]])
    sizes = np.zeros(len(terms), np.int64)
    np.add.at(sizes, [place[row[0]] for row in rows], [row[2] for row in rows])
    young = scope.timeline.young(terms)
    postings = {}
    parts = zip(_heard(*unpack(rows), sizes, scope), _heard(*young, scope), strict=True)
    for term, late, (old, new) in zip(terms, young[2].tolist(), parts, strict=True):
        count = counts[term] + late
        if len(old[0]) and len(new[0]):
            numbers, often = np.concatenate((old[0], new[0])), np.concatenate((old[1], new[1]))
        else:
            numbers, often = old if len(old[0]) else new
        weight = idf(scope.timeline.size, count) * (PAIR_WEIGHT if term[0] == words.PAIR else 1.0)
        postings[term] = Postings(numbers, often, count, weight)
    return postings


def _heard(numbers: Numbers, often: Numbers, sizes: Numbers, scope: Scope) -> list[tuple[Numbers, Numbers]]:
    """Of messages and counts of terms, so many a term, those in the scope, term by term."""
    ends = np.cumsum(sizes)
    _, there = scope.places(numbers)
    if not isinstance(there, slice):
        ends = np.concatenate(([0], np.cumsum(there)))[ends]
        numbers, often = numbers[there], often[there]
    return list(zip(*(np.split(column, ends[:-1]) for column in (numbers, often)), strict=True))


def idf(size: int, count: float) -> float:
    return math.log(1 + (size - count + 0.5) / (count + 0.5))


class Match:
    """Called with terms: each message's score and the idf it met, by place, and the idf of all the terms together."""

    def __init__(self, scope: Scope, average: float, postings: dict[str, Postings]) -> None:
        self.scope, self.average, self.postings = scope, average or 1.0, postings
        self._own, self._near = np.zeros(scope.size), np.zeros(scope.size)
        self._seen = np.zeros(scope.size, np.bool_)
        self._table: Values | None = None

    def __call__(self, terms: Sequence[str]) -> tuple[Values, Values, float]:
        found = [self.postings[term] for term in terms]
        total = sum(each.idf for each in found)
        if found and len(self.postings) * self.scope.size <= _FEW:
            if self._table is None:
                self._table = self._together(list(self.postings.values()))
            row = {term: n for n, term in enumerate(self.postings)}
            match = self._table[np.array([row[term] for term in terms])]
            weights = np.array([[each.idf] for each in found])
            # Row by row and not as a product of matrices, which may sum up equal messages to unequal scores.
            return (weights * match).sum(0), (weights * np.minimum(1.0, 2 * match)).sum(0), total
        score, met = np.zeros(self.scope.size), np.zeros(self.scope.size)
        for each in found:
            places, value = self.one(each)
            score[places] += each.idf * value
            met[places] += each.idf * np.minimum(1.0, 2 * value)
        return score, met, total

    def _together(self, found: Sequence[Postings]) -> Values:
        """How well each message, by place, matches each of the terms: as `one`, in one go, where that is no great table."""
        size, timeline = self.scope.size, self.scope.timeline
        row = np.repeat(np.arange(len(found)) * size, [len(each.numbers) for each in found])
        places, there = self.scope.places(np.concatenate([each.numbers for each in found]))
        numbers = self.scope.numbers_at(places)
        row, often = row[there], np.concatenate([each.often for each in found])[there]
        value = self._own_match(numbers, often)
        own, near = np.zeros(len(found) * size), np.zeros(len(found) * size)
        own[row + places] = value
        for there, others, weight in timeline.neighbours(numbers):
            places, heard = self.scope.places(others)
            near[row[there][heard] + places] += (weight * value[there])[heard]
        near = np.minimum(1.0, near)
        return (own + near - own * near).reshape(len(found), size)

    def _own_match(self, numbers: Numbers, often: Numbers) -> Values:
        value: Values = often / (often + K1 * (1 - B + B * self.scope.timeline.length[numbers] / self.average))
        return value

    def one(self, found: Postings) -> tuple[Numbers, Values]:
        """The places of the messages that a term reaches, in their own words or their neighbours', and how well: up to 1."""
        timeline, own, near, seen = self.scope.timeline, self._own, self._near, self._seen
        places, there = self.scope.places(found.numbers)
        numbers, often = found.numbers[there], found.often[there]
        value = self._own_match(numbers, often)
        own[places] = value
        seen[places] = True
        for there, others, weight in timeline.neighbours(numbers):
            places, heard = self.scope.places(others)
            near[places] += (weight * value[there])[heard]
            seen[places] = True
        reached = np.flatnonzero(seen)
        o, n = own[reached], np.minimum(1.0, near[reached])
        own[reached], near[reached], seen[reached] = 0.0, 0.0, False
        return reached, o + n - o * n

    def narrowed(self, terms: Sequence[str], factor: Values | float, more: Values | float, limit: int) -> Match:
        """The same for fewer messages, among which are the `limit` of the highest (score of all terms) x `factor` + `more`.

        Neither of the two is below 0. What the messages of a stretch may have at most is told without a look at each of them, and what
        the best have at least by those of the most promising stretches (the bound of block-max indexes, Ding and Suel, 2011).
        """
        scope = self.scope
        if scope.size < _MANY:
            return self
        highest = self._most(terms) * _by_stretch(factor, scope) + _by_stretch(more, scope)
        stretches = np.flatnonzero(highest > 0)
        highest = highest[stretches]
        if len(stretches) > _LOOKED:
            first = self._of(stretches[np.argpartition(highest, -_LOOKED)[-_LOOKED:]])
            here = scope.places(first.scope.numbers_at(slice(None)))[0]
            reached = first(terms)[0] * chosen(factor, here) + chosen(more, here)
            if len(reached) > limit:
                worst = float(np.partition(reached, -limit)[-limit])
                stretches = stretches[highest >= worst * (1 - _ROUNDING)]
        return self if _FEWER * STRETCH * len(stretches) > scope.size else self._of(stretches)

    def _most(self, terms: Sequence[str]) -> Values:
        """What a message of each stretch may score at most."""
        timeline = self.scope.timeline
        most = np.zeros(timeline.stretches)
        for each in (self.postings[term] for term in terms):
            if len(each.numbers):
                reached = timeline.at_most(each.numbers, self._own_match(each.numbers, each.often))
                reached *= each.idf
                most += reached
        return most

    def _of(self, stretches: Numbers) -> Match:
        """The same for the scope's messages of some stretches and their neighbours."""
        scope, timeline = self.scope, self.scope.timeline
        some = timeline.with_neighbours(timeline.of_stretches(stretches))
        if scope.numbers is not None:
            some = scope.numbers_at(scope.places(some)[0])
        return Match(Scope(timeline, some), self.average, self.postings)


def _by_stretch(values: Values | float, scope: Scope) -> Values | float:
    """The highest of each stretch, of values by place that are not below 0."""
    if isinstance(values, float):
        return values
    timeline = scope.timeline
    by_position = np.zeros(timeline.stretches * STRETCH)
    by_position[timeline.positions(scope.numbers_at(slice(None)))] = values
    highest: Values = by_position.reshape(-1, STRETCH).max(axis=1)
    return highest


def chosen(values: Values | float, places: Numbers) -> Values | float:
    return values if isinstance(values, float) else values[places]
