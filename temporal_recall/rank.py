"""Ranking: the product of five factors, each in [0, 1], calibrated in `temporal_recall.calibration`. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from adapters import TimelineItem
from adapters._candidates import NONE, Candidates, Flags, Judge, Judged, Numbers, Values, candidates
from planner import words
from planner._remembering import remembered
from planner.modes import TemporalMode
from planner.plan import ContextPlan
from temporal_recall import calibration as cal
from temporal_recall.dating import Meant
from temporal_recall.temporal_match import TemporalMatch

_PLACES = 2  # of a score as it is printed
_LAST = 2**62
_ROUNDING = 1e-6  # a store keeps four bytes of a weight


class Score(NamedTuple):
    """The five factors of an item, each in [0, 1]; its value is their product."""

    source_quality: float
    temporal_match: float
    semantic_match: float
    importance: float
    confidence: float

    @property
    def weakest(self) -> str:
        """The factor that costs most."""
        return min(
            ("source_quality", "temporal_match", "semantic_match", "importance", "confidence"),
            key=lambda name: float(getattr(self, name)),
        )


@dataclass(slots=True)
class Ranked:
    """An item with its score; `value` is its product, and `tier` is primary, secondary, or None for an item to drop."""

    item: TimelineItem
    score: Score
    value: float
    tier: str | None


def tier_of(value: float) -> str | None:
    """The tier of a score, which is judged as it is printed."""
    shown = round(value, _PLACES)
    return "primary" if shown >= cal.PRIMARY else "secondary" if shown >= cal.SECONDARY else None


class Scoring:
    """The five factors of what a source found for a plan; with `told`, which tells of an inferred time how certain it is."""

    def __init__(self, plan: ContextPlan, quality: Mapping[str, float] | None = None, told: Meant | None = None) -> None:
        self.plan, self._when = plan, TemporalMatch(plan, told)
        self._quality = cal.SOURCE_QUALITY | dict(quality or {})

    def trust(self, source: str) -> float:
        return self._quality.get(source, cal.UNKNOWN_SOURCE)

    def times(self, found: Candidates) -> Values:
        """The temporal match of each."""
        return self._when(found)

    def of_kind(self, found: Candidates) -> Flags:
        """Which of them are of a kind that the question names."""
        return found.of_kind(lambda _, kind: kind in self.plan.kinds)

    def judge(self, source: str, room: int | None = None, *, every: bool = False) -> Judge:
        """Tells which of a source's candidates may be among the first `room` of an answer; without one, all that reach it, and with
        `every` those as well that do not.
        """
        trust, least = self.trust(source), cal.SECONDARY - 0.5 * 10**-_PLACES

        def judged(found: Candidates, most: int) -> Judged:
            fits, several = self.times(found), found.several
            weight = np.where(several, 1.0, trust * _weight(found.importance) * found.confidence)
            value = fits * found.relevance * weight
            reached = (value >= least - _ROUNDING) | every
            if self.plan.kinds:  # whether there are any of the kind that is asked for lessens the others
                own = self.of_kind(found) & (fits > 0)
                reached |= own & (found.relevance * weight >= least - _ROUNDING)
            places = self._in_order(np.flatnonzero(reached), found, value)
            if room is not None and not self.plan.kinds:
                ahead = np.cumsum(~several[places])  # which of several events is meant is told by reading: they take no room
                places = places[several[places] | (ahead <= room)]
            return Judged(places[:most], reached)

        return judged

    def _in_order(self, places: Numbers, found: Candidates, value: Values) -> Numbers:
        """The places of candidates in the order of the answer, as `rank` and `in_order` have it."""
        found = found.of(places)
        best = _best_first(value[places], found)
        if self.plan.order == "relevance":
            return places[best]
        places, found = places[best], found.of(best)
        fit = found.relevance >= cal.IN_ORDER
        when = found.observed if _by_telling(self.plan) else np.where(found.dated, found.event, found.observed)
        moment = np.where(when == NONE, _LAST, when if self.plan.order == "oldest" else -when)
        return places[np.lexsort((np.where(fit, moment, 0), ~fit))]


def rank(items: Iterable[TimelineItem], scoring: Scoring) -> list[Ranked]:
    """All items with their scores, best first; ties by event time, observed time, id, so that every run gives the same order."""
    items = sorted(items, key=_ref)
    meaning = SemanticMatch(items, scoring.plan.expanded_queries)
    found = candidates(items, [meaning(item) for item in items])
    fits, own = scoring.times(found), scoring.of_kind(found)
    if (own & (fits > 0)).any():
        fits = np.where(own, fits, fits * cal.OTHER_KIND)
    trust = np.array([scoring.trust(item.source) for item in items], np.float64)
    factors = np.array((trust, fits, found.relevance, _weight(found.importance), found.confidence))
    value = factors.prod(0)
    places = _best_first(value, found).tolist()
    scores, values = list(map(Score._make, factors.T.tolist())), value.tolist()
    return [Ranked(items[n], scores[n], values[n], tier_of(values[n])) for n in places]


_ref = attrgetter("source_ref")


def _best_first(value: Values, found: Candidates) -> Numbers:
    """The places of candidates by their value, then the earliest first, by event time and by observed time; else as they are."""
    event, observed = (np.where(at == NONE, _LAST, at) for at in (found.event, found.observed))
    return np.lexsort((observed, event, -value))


def _weight(importance: Values) -> Values:
    """Importance as a factor."""
    return cal.IMPORTANCE_FLOOR + (1 - cal.IMPORTANCE_FLOOR) * importance


def in_order(ranked: Sequence[Ranked], plan: ContextPlan, limit: int) -> list[Ranked]:
    """The `limit` items, of the ranked ones, that a question is answered with, in the order it asks for.

    By time, the oldest or the newest first, come those that fit the topic well; behind them the others, best first. The time is that
    of telling where the question asks for it.
    """
    if plan.order == "relevance":
        return list(ranked[:limit])
    sign = 1 if plan.order == "oldest" else -1
    told = _by_telling(plan)

    def moment(r: Ranked) -> tuple[bool, float, str]:
        when = r.item.observed_time if told else r.item.event_time or r.item.observed_time
        return when is None, 0.0 if when is None else sign * when.timestamp(), r.item.source_ref

    fit = [r for r in ranked if r.score.semantic_match >= cal.IN_ORDER]
    return [*sorted(fit, key=moment), *(r for r in ranked if r.score.semantic_match < cal.IN_ORDER)][:limit]


def _by_telling(plan: ContextPlan) -> bool:
    return plan.temporal_mode in (TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN)


# --- topic ----------------------------------------------------------------------------------------------------------------


@remembered(16384)
def content(text: str) -> tuple[str, ...]:
    return tuple(words.content(text))


class SemanticMatch:
    """How well an item meets the topic: 1.0 without one, else by its source's index or by the share of the topic it covers."""

    def __init__(self, items: Iterable[TimelineItem], queries: Sequence[str]) -> None:
        self.topics = [terms for query in queries if (terms := content(query))]
        self.idf: dict[str, float] = {}
        if self.topics:
            texts = [set(content(item.title + "\n" + item.content)) for item in items if item.relevance is None]
            counts = Counter(term for text in texts for term in text)
            size = len(texts)
            for term in {term for topic in self.topics for term in topic}:
                light = cal.ONE_CHARACTER if len(term) == 1 and "\u3400" <= term <= "\u9fff" else 1.0
                self.idf[term] = light * math.log(1 + (size - counts[term] + 0.5) / (counts[term] + 0.5))

    def __call__(self, item: TimelineItem) -> float:
        if not self.topics:
            return 1.0 if item.relevance is None else min(max(item.relevance, 0.0), 1.0)
        if item.relevance is not None:
            return min(max(item.relevance, 0.0), 1.0)
        said = set(content(item.title + "\n" + item.content))
        best = 0.0
        for topic in self.topics:
            whole = sum(self.idf[term] for term in topic)
            if whole:
                best = max(best, sum(self.idf[term] for term in topic if term in said) / whole)
        return cal.NO_MATCH + (1 - cal.NO_MATCH) * min(1.0, best / cal.FULL_COVERAGE)
