"""How well the times of candidates fit the asked range in the asked sense: a value in [0, 1] for each. Pure.

There is no decay inside the range, however long ago it is. Times are Unix milliseconds, ranges half-open.
"""

from __future__ import annotations

import datetime as dt

import numpy as np

from adapters._candidates import NONE, Candidates, Flags, Numbers, Values
from adapters._times import to_ms
from planner import words
from planner.modes import UNSAID, TemporalMode
from planner.plan import ContextPlan
from planner.ranges import Grain
from temporal_recall import calibration as cal
from temporal_recall.dating import Meant

_DAY_MS = 86_400_000
OPEN = ("planned", "due")
# The most that one unit of a grain lasts, by the grain's number; what is vague may be of any length.
_UNIT_DAYS = {
    Grain.SECOND: 1, Grain.MINUTE: 1, Grain.HOUR: 1, Grain.DAY_PART: 1, Grain.DAY: 1, Grain.WEEKEND: 4, Grain.WEEK: 7, Grain.MONTH_PART: 11,
    Grain.MONTH: 31, Grain.QUARTER: 92, Grain.SEASON: 93, Grain.HALF: 184, Grain.YEAR: 366, Grain.DECADE: 3653, Grain.CENTURY: 36525,
}  # fmt: skip
_UNITS = np.full(max(Grain) + 1, 2**62)
_UNITS[list(_UNIT_DAYS)] = [days * _DAY_MS + _DAY_MS // 8 for days in _UNIT_DAYS.values()]  # some days have an hour or two more
_OVER = ("occurred", "done")
_DUTIES = ("todo", "commitment")


class TemporalMatch:
    """Called with candidates: how well the time of each fits a plan. `told` tells of an inferred time how certain it is."""

    def __init__(self, plan: ContextPlan, told: Meant | None = None) -> None:
        self._mode, self._now = plan.temporal_mode, to_ms(plan.now)
        self._start, self._end = to_ms(plan.time.start), to_ms(plan.time.end)
        self._last_day_ends = to_ms(_end_of_day(plan.time.end))
        self._inferred, self._outside = told is not None, cal.OUTSIDE
        self._beside = None if told is None or told.beside is None else to_ms(told.beside)
        if told is not None and plan.expanded_queries:
            self._outside = 1 - (1 - cal.BESIDE) * told.certainty
        self._topical = any(words.content(query) for query in plan.expanded_queries)
        # Asked in words what came to be, and not what there was: "what happened last week" and not "anything last week".
        self._lived = all(part.rule not in UNSAID for part in plan.explanation)
        # No time was asked for: none can be missed.
        self._any = (
            plan.time.source == "default" and plan.temporal_mode is not TemporalMode.DUE_IN and bool(plan.expanded_queries)
        )
        # When a thing is due: that it was, and what else is dated of it, tells as well.
        self._when_due = plan.temporal_mode is TemporalMode.DUE_IN and plan.time.source == "default" and self._topical
        self._ahead = ahead = plan.temporal_mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN)
        # What was planned in a range that is over may be what was planned for it, or what was told in it.
        self._told_then = ahead and self._topical and plan.time.end <= plan.now
        self._longer_ago = not ahead and self._topical and plan.time.lately(plan.now)

    def __call__(self, found: Candidates) -> Values:
        if self._any:
            return np.where(found.several, cal.FITS, self._came_to_be(found))
        then = self._holds(found.observed)
        value = self._in_mode(found, then)
        if self._inferred:
            value = np.maximum(value * self._near(found), self._outside)
            if self._ahead:  # "finish the slides before Boston" tells its time by the same event
                same = ~found.dated & found.of_kind(_is_open) & (found.relevance >= cal.FITS_TOPIC)
                value = np.where(same, np.maximum(value, cal.TOLD_THEN), value)
        if self._told_then:
            value = np.maximum(value, self._told_in(found, then))
        elif self._longer_ago:
            before = (found.observed != NONE) & (found.observed < self._start)
            value = np.where((value == 0) & before, cal.LONGER_AGO, value)
        return np.where(found.several, cal.FITS, value)

    def _in_mode(self, found: Candidates, then: Flags) -> Values:
        mode = self._mode
        if mode is TemporalMode.OCCURRED_IN:
            return self._occurred(found, then)
        told = np.where(then, cal.FITS, cal.OUTSIDE)
        if mode in (TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN):
            return told
        if mode is TemporalMode.PLANNED_IN:
            return self._planned(found)
        if mode is TemporalMode.DUE_IN:
            return self._due(found)
        return np.maximum(np.maximum(self._occurred(found, then), told), np.maximum(self._planned(found), self._due(found)))

    def _holds(self, at: Numbers) -> Flags:
        holds: Flags = (self._start <= at) & (at <= self._start if self._start == self._end else at < self._end)
        return holds

    def _overlaps(self, found: Candidates) -> Flags:
        """Whether the event shares a moment with the range."""
        lasting = (found.event < self._end) & (found.event_end > self._start)
        return found.dated & np.where(found.event_end > found.event, lasting, self._holds(found.event))

    def _near(self, found: Candidates) -> Values | float:
        """What each keeps of its match for how near it lies to the event before or after which it is asked for."""
        if self._beside is None:
            return 1.0
        when = np.where(found.dated, found.event, found.observed)
        far = np.minimum(1.0, np.abs(when - self._beside) / (cal.FAR_DAYS * _DAY_MS))
        return np.where(when == NONE, 1.0, 1 - (1 - cal.FAR_FROM) * far)

    def _share(self, found: Candidates) -> Values:
        """The share of the event's time that lies in the range: 1.0 inside, less when the event is said more coarsely."""
        start, end = found.event, found.event_end
        inside = np.maximum(np.minimum(end, self._end) - np.maximum(start, self._start), 0)
        # What crosses midnight belongs to both days; only a time much coarser than the range is judged by its share. One that takes more
        # than what it is told in, days or months, is no vague one: it lasts so long.
        length = end - start
        share = np.sqrt(inside / np.maximum(length, 1))
        share = np.where(length > _UNITS[found.grain], np.maximum(share, cal.LASTING), share)
        share = np.where(length > max(self._end - self._start, _DAY_MS), share, cal.FITS)
        return np.where(self._overlaps(found), share, cal.OUTSIDE)

    def _occurred(self, found: Candidates, then: Flags) -> Values:
        told = self._told_in(found, then) if self._topical else np.zeros(len(then))
        share = np.where(found.event <= self._now, self._share(found), cal.OUTSIDE)
        share = share * self._came_to_be(found)
        # Told in the range of a longer time that holds it.
        known = np.where(share > 0, np.maximum(share, np.where(then, cal.OBSERVED_ONLY, cal.OUTSIDE)), told)
        # Asked for by its topic, that it was called off is the answer.
        off = np.maximum(told, share * cal.TOLD_THEN) if self._topical else told
        known = np.where(found.of_kind(_is_cancelled), off, known)
        later = self._told_later(found) if self._topical else cal.OUTSIDE
        unknown = np.where(found.of_kind(_is_open), told, np.where(then, cal.OBSERVED_ONLY, later))
        return np.where(found.dated, known, unknown)

    def _came_to_be(self, found: Candidates) -> Values:
        """What each keeps where it is asked in words what happened: that it was planned or due does not tell so."""
        if self._mode is TemporalMode.OCCURRED_IN and self._lived:
            plan = np.where(found.of_kind(_is_open), cal.PLANNED_THEN, cal.FITS)
            return np.where(found.of_kind(_is_due), cal.DUE_THEN, plan)
        return np.full(len(found.event), cal.FITS)

    def _told_in(self, found: Candidates, then: Flags) -> Values:
        """For a topic the telling speaks too: what was said of it in the range, even as a plan, or beside an event of another time.

        What is still to come in the range has not happened in it.
        """
        ahead = (found.event > self._now) & self._overlaps(found)
        return np.where(then & ~ahead, cal.TOLD_THEN, cal.OUTSIDE)

    def _told_later(self, found: Candidates) -> Values:
        """How well a thing told in the days after the range, without a time of its own, may belong to it."""
        late = found.observed - self._end
        same_day = found.observed < self._last_day_ends
        value = np.where(
            same_day, cal.TOLD_SAME_DAY, np.where(late <= cal.TOLD_LATER_DAYS * _DAY_MS, cal.TOLD_LATER, cal.OUTSIDE)
        )
        return np.where((found.observed != NONE) & (late >= 0), value, cal.OUTSIDE)

    def _planned(self, found: Candidates) -> Values:
        known = found.observed != NONE
        told_before = ~known | (found.observed < found.event_end) | (found.observed <= found.event)
        over = found.of_kind(_is_over) & known & (found.observed >= found.event)
        return np.where(found.dated & told_before & ~over, self._share(found) * self._standing(found), cal.OUTSIDE)

    def _due(self, found: Candidates) -> Values:
        duty, share = found.of_kind(_is_duty), self._share(found)
        value = np.where(found.dated & duty, share, cal.OUTSIDE)
        if self._when_due:
            other = np.where(duty, cal.LONGER_AGO, np.where(share > 0, cal.TOLD_THEN, cal.OUTSIDE))
            value = np.maximum(value, np.where(found.dated, other, cal.OUTSIDE))
        return value * self._standing(found)

    def _standing(self, found: Candidates) -> Values:
        return np.where(found.of_kind(_is_cancelled), cal.CALLED_OFF, 1.0)


def _is_open(status: str, _: str) -> bool:
    return status in OPEN


def _is_due(status: str, _: str) -> bool:
    return status == "due"


def _is_over(status: str, _: str) -> bool:
    return status in _OVER


def _is_cancelled(status: str, _: str) -> bool:
    return status == "cancelled"


def _is_duty(status: str, type_: str) -> bool:
    return status == "due" or type_ in _DUTIES


def _end_of_day(end: dt.datetime) -> dt.datetime:
    """The end of the local day that holds the last moment before `end`."""
    last = end - dt.timedelta(microseconds=1)
    try:
        next_day = last.date() + dt.timedelta(days=1)
    except OverflowError:
        return end
    return dt.datetime.combine(next_day, dt.time(), last.tzinfo)
