"""Ranking: the product of five factors, each in [0, 1], calibrated in `temporal_recall.calibration`. Pure."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from adapters import Threshold, TimelineItem
from planner import words
from planner._remembering import remembered
from planner.modes import TemporalMode
from planner.plan import ContextPlan
from planner.ranges import TimeRange
from temporal_recall import calibration as cal
from temporal_recall.dating import Meant

OPEN = ("planned", "due")
_PLACES = 2  # of a score as it is printed


class Score(NamedTuple):
    """The five factors of an item, each in [0, 1]; `value` is their product."""

    source_quality: float
    temporal_match: float
    semantic_match: float
    importance: float
    confidence: float

    @property
    def value(self) -> float:
        return self.source_quality * self.temporal_match * self.semantic_match * self.importance * self.confidence

    @property
    def weakest(self) -> str:
        """The factor that costs most."""
        return min(
            ("source_quality", "temporal_match", "semantic_match", "importance", "confidence"),
            key=lambda name: float(getattr(self, name)),
        )


def threshold(source: str, quality: Mapping[str, float]) -> Threshold:
    """What a source's items must reach beside its quality, at the best time, to be in an answer."""
    trust = quality.get(source, cal.SOURCE_QUALITY.get(source, cal.UNKNOWN_SOURCE))
    least = cal.SECONDARY - 0.5 * 10**-_PLACES
    return Threshold(least / trust if trust else math.inf, cal.IMPORTANCE_FLOOR)


@dataclass(slots=True)
class Ranked:
    """An item with its score; `value` is the score's, and `tier` is primary, secondary, or None for an item to drop."""

    item: TimelineItem
    score: Score
    value: float
    tier: str | None


def tier_of(value: float) -> str | None:
    """The tier of a score, which is judged as it is printed."""
    shown = round(value, _PLACES)
    return "primary" if shown >= cal.PRIMARY else "secondary" if shown >= cal.SECONDARY else None


def rank(
    items: Sequence[TimelineItem], plan: ContextPlan, quality: Mapping[str, float] | None = None, told: Meant | None = None
) -> list[Ranked]:
    """All items with their scores, best first; ties by event time, observed time, id, so that every run gives the same order.

    `told` tells of an inferred time how certain it is.
    """
    meaning, when = SemanticMatch(items, plan.expanded_queries), TemporalMatch(plan, told)
    trust = cal.SOURCE_QUALITY | dict(quality or {})
    kinds = plan.kinds if any(item.type in plan.kinds and when(item) for item in items) else ()
    ranked = []
    for item in items:
        importance, confidence = min(max(item.importance, 0.0), 1.0), min(max(item.confidence, 0.0), 1.0)
        weight = cal.IMPORTANCE_FLOOR + (1 - cal.IMPORTANCE_FLOOR) * importance
        fits = when(item) * (cal.OTHER_KIND if kinds and item.type not in kinds else 1.0)
        score = Score(trust.get(item.source, cal.UNKNOWN_SOURCE), fits, meaning(item), weight, confidence)
        value = score.value
        ranked.append(Ranked(item, score, value, tier_of(value)))
    ranked.sort(key=_value, reverse=True)
    return [one for _, equals in groupby(ranked, _value) for one in _in_order(list(equals))]


_value = attrgetter("value")


def _in_order(equals: list[Ranked]) -> list[Ranked]:
    return sorted(equals, key=_time) if len(equals) > 1 else equals


def _time(ranked: Ranked) -> tuple[float, float, str]:
    item, last = ranked.item, math.inf
    return (
        # Moments and not times of the wall, of which there are two an hour in autumn.
        item.event_time.timestamp() if item.event_time is not None else last,
        item.observed_time.timestamp() if item.observed_time is not None else last,
        item.source_ref,
    )


def in_order(ranked: Sequence[Ranked], plan: ContextPlan, limit: int) -> list[Ranked]:
    """The `limit` items, of the ranked ones, that a question is answered with, in the order it asks for.

    By time, the oldest or the newest first, come those that fit the topic well; behind them the others, best first. The time is that
    of telling where the question asks for it.
    """
    if plan.order == "relevance":
        return list(ranked[:limit])
    sign = 1 if plan.order == "oldest" else -1
    told = plan.temporal_mode in (TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN)

    def moment(r: Ranked) -> tuple[bool, float, str]:
        when = r.item.observed_time if told else r.item.event_time or r.item.observed_time
        return when is None, 0.0 if when is None else sign * when.timestamp(), r.item.source_ref

    fit = [r for r in ranked if r.score.semantic_match >= cal.IN_ORDER]
    return [*sorted(fit, key=moment), *(r for r in ranked if r.score.semantic_match < cal.IN_ORDER)][:limit]


# --- time -----------------------------------------------------------------------------------------------------------------


class TemporalMatch:
    """How well an item's time fits the asked range in the asked sense. No decay inside the range, however old it is."""

    def __init__(self, plan: ContextPlan, told: Meant | None = None) -> None:
        self._inferred, self._outside = told, cal.OUTSIDE
        if told is not None and plan.expanded_queries:
            self._outside = 1 - (1 - cal.BESIDE) * told.certainty
        self._asked, self._mode, self._now = plan.time.range, plan.temporal_mode, plan.now
        self._topical = any(content(query) for query in plan.expanded_queries)
        # No time was asked for: none can be missed.
        self._any = (
            plan.time.source == "default" and plan.temporal_mode is not TemporalMode.DUE_IN and bool(plan.expanded_queries)
        )
        self._ahead = ahead = plan.temporal_mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN)
        # What was planned in a range that is over may be what was planned for it, or what was told in it.
        self._told_then = ahead and self._topical and plan.time.end <= plan.now
        self._longer_ago = not ahead and self._topical and plan.time.lately(plan.now)

    def __call__(self, item: TimelineItem) -> float:
        if self._any:
            return cal.FITS
        value = self._in_mode(item)
        if self._inferred is not None:
            value = max(value * _near(item, self._inferred.beside), self._outside)
            if self._ahead and item.event is None and item.status in OPEN and (item.relevance or 0.0) >= cal.FITS_TOPIC:
                value = max(value, cal.TOLD_THEN)  # "finish the slides before Boston" tells its time by the same event
        if self._told_then:
            return max(value, _told_then(item, self._asked, self._now))
        return _longer_ago(item, self._asked) if self._longer_ago and not value else value

    def _in_mode(self, item: TimelineItem) -> float:
        asked, mode = self._asked, self._mode
        if mode is TemporalMode.OCCURRED_IN:
            return _occurred(item, asked, self._now, self._topical)
        if mode in (TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN):
            return _observed(item, asked, cal.FITS)
        if mode is TemporalMode.PLANNED_IN:
            return _planned(item, asked)
        if mode is TemporalMode.DUE_IN:
            return _due(item, asked)
        return max(
            _occurred(item, asked, self._now, self._topical),
            _observed(item, asked, cal.FITS),
            _planned(item, asked),
            _due(item, asked),
        )


def _near(item: TimelineItem, beside: dt.datetime | None) -> float:
    """What an item keeps of its match for how near it lies to the event before or after which it is asked for."""
    when = item.event_time or item.observed_time
    if beside is None or when is None:
        return 1.0
    return 1 - (1 - cal.FAR_FROM) * min(1.0, abs(when - beside) / dt.timedelta(days=cal.FAR_DAYS))


def _observed(item: TimelineItem, asked: TimeRange, value: float) -> float:
    return value if item.observed_time is not None and asked.holds(item.observed_time) else cal.OUTSIDE


def _share(event: TimeRange, asked: TimeRange) -> float:
    """The share of the event's time that lies in the range: 1.0 inside, less when the event is said more coarsely."""
    start, end = event.start, event.end
    if start is None or end is None or not asked.overlaps(start, end):
        return cal.OUTSIDE
    if end <= start or asked.start is None or asked.end is None:
        return cal.FITS
    inside = min(end, asked.end) - max(start, asked.start)
    # What crosses midnight belongs to both days; only a time much coarser than the range is judged by its share.
    if end - start <= max(asked.end - asked.start, dt.timedelta(days=1)):
        return cal.FITS
    return math.sqrt(inside / (end - start))


def _occurred(item: TimelineItem, asked: TimeRange, now: dt.datetime, topical: bool) -> float:
    event = item.event
    told = _told_then(item, asked, now) if topical else cal.OUTSIDE
    if event is None:
        if item.status in OPEN:
            return told
        return _observed(item, asked, cal.OBSERVED_ONLY) or (_told_later(item, asked) if topical else cal.OUTSIDE)
    share = _share(event, asked) if event.start is not None and event.start <= now else cal.OUTSIDE
    if item.status == "cancelled":  # asked for by its topic, that it was called off is the answer
        return max(told, share * cal.TOLD_THEN) if topical else told
    # Told in the range of a longer time that holds it.
    return max(share, _observed(item, asked, cal.OBSERVED_ONLY)) if share else told


def _told_then(item: TimelineItem, asked: TimeRange, now: dt.datetime) -> float:
    """For a topic the telling speaks too: what was said of it in the range, even as a plan, or beside an event of another time.

    What is still to come in the range has not happened in it.
    """
    event = item.event
    if event is not None and event.start is not None and event.start > now and asked.overlaps(event.start, event.end):
        return cal.OUTSIDE
    return _observed(item, asked, cal.TOLD_THEN)


def _told_later(item: TimelineItem, asked: TimeRange) -> float:
    """How well a thing told in the days after the range, without a time of its own, may belong to it."""
    if item.observed_time is None or asked.end is None or item.observed_time < asked.end:
        return cal.OUTSIDE
    last = asked.end - dt.timedelta(microseconds=1)
    if item.observed_time.astimezone(last.tzinfo).date() == last.date():
        return cal.TOLD_SAME_DAY
    return cal.TOLD_LATER if item.observed_time - asked.end <= dt.timedelta(days=cal.TOLD_LATER_DAYS) else cal.OUTSIDE


def _longer_ago(item: TimelineItem, asked: TimeRange) -> float:
    """How well what was told before a time as vague as "recently" or "now" may still be meant."""
    if item.observed_time is None or asked.start is None or item.observed_time >= asked.start:
        return cal.OUTSIDE
    return cal.LONGER_AGO


def _planned(item: TimelineItem, asked: TimeRange) -> float:
    event = item.event
    if event is None or event.start is None:
        return cal.OUTSIDE
    told_before = (
        item.observed_time is None or item.observed_time < (event.end or event.start) or item.observed_time <= event.start
    )
    if not told_before or (
        item.status in ("occurred", "done") and item.observed_time is not None and item.observed_time >= event.start
    ):
        return cal.OUTSIDE
    return _share(event, asked) * (cal.CALLED_OFF if item.status == "cancelled" else 1.0)


def _due(item: TimelineItem, asked: TimeRange) -> float:
    event = item.event
    if event is None or not (item.status == "due" or item.type in ("todo", "commitment")):
        return cal.OUTSIDE
    return _share(event, asked) * (cal.CALLED_OFF if item.status == "cancelled" else 1.0)


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
