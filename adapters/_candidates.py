"""What may be in an answer, as columns of numbers: it is judged by them before it is read."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from planner.ranges import Grain

if TYPE_CHECKING:
    from adapters._base import TimelineItem

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.signedinteger]
Values = npt.NDArray[np.float64]

NONE = -(2**62)  # in place of a time that is not known


class Candidates(NamedTuple):
    """Candidates, in every column at the same place. Times are Unix milliseconds, `NONE` where there is none.

    `event` and `event_end` are those of `TimelineItem.event`, half-open, the same where it has no extent; `grain` is the number of its
    `Grain`, a day where that is not known. `relevance`, `importance` and `confidence` lie in [0, 1]. `kind` says which of `kinds`, pairs
    of status and type, each is. What tells of `several` events may be any of them: its columns are only those of the first.
    """

    relevance: Values
    observed: Numbers
    event: Numbers
    event_end: Numbers
    grain: Numbers
    importance: Values
    confidence: Values
    kind: Numbers
    kinds: Sequence[tuple[str, str]]
    several: Flags

    @property
    def dated(self) -> Flags:
        known: Flags = self.event != NONE
        return known

    def of(self, places: Numbers) -> Candidates:
        """Those that stand at some places."""
        some = {name: getattr(self, name)[places] for name in self._fields if name != "kinds"}
        return self._replace(**some)

    def of_kind(self, test: Callable[[str, str], bool]) -> Flags:
        """Which of them are of a status and a type that pass the test."""
        passing = np.array([test(*kind) for kind in self.kinds], np.bool_)
        flags: Flags = passing[self.kind]
        return flags


def candidates(items: Sequence[TimelineItem], relevance: Sequence[float]) -> Candidates:
    """The columns of items, each of which tells of one event."""
    place: dict[tuple[str, str], int] = {}
    kind = [place.setdefault((item.status, item.type), len(place)) for item in items]
    event = _times(item.event_time for item in items)
    end = _times(item.event_end for item in items)
    weights = np.array(
        [(fit, item.importance, item.confidence) for fit, item in zip(relevance, items, strict=True)], np.float64
    )
    fits, importance, confidence = np.clip(weights.reshape(-1, 3), 0.0, 1.0).T
    return Candidates(
        fits, _times(item.observed_time for item in items), event, np.where(end == NONE, event, end),
        np.array([item.event_grain or Grain.DAY for item in items], np.int64), importance, confidence,
        np.array(kind, np.int64), tuple(place), np.zeros(len(items), np.bool_),
    )  # fmt: skip


def _times(moments: Iterable[dt.datetime | None]) -> Numbers:
    """Moments in Unix milliseconds, rounded down as `to_ms` does."""
    seconds = np.array([math.nan if moment is None else moment.timestamp() for moment in moments], np.float64)
    milliseconds = np.floor_divide(np.rint(seconds * 1e6), 1000)
    return np.where(np.isnan(seconds), NONE, milliseconds).astype(np.int64)


class Judged(NamedTuple):
    """The places of the candidates that may be in the answer, in its order, and which of all could be, were there room enough."""

    places: Numbers
    reached: Flags


class Judge(Protocol):
    """Tells which of a source's candidates may be in the answer."""

    def __call__(self, found: Candidates, most: int) -> Judged:
        """At most `most` of them."""
        ...
