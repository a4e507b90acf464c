"""Stretches of time and how precisely they are meant.

Every range of the project is half-open, `[start, end)`. `Span` is wall-clock time without a zone, the currency of the
resolver; `TimeRange` is what leaves the planner: aware datetimes in the asker's zone, either side possibly open.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

# Whatever is a year before or after a moment of these years can be written in every zone.
FIRST_YEAR, LAST_YEAR = 2, 9998
UTC = dt.UTC
_DAY = dt.timedelta(days=1)


class Grain(IntEnum):
    """How precise a time is meant, finest first. `VAGUE` is a stretch without a stated size ("recently")."""

    SECOND = 1
    MINUTE = 2
    HOUR = 3
    DAY_PART = 4
    DAY = 5
    WEEKEND = 6
    WEEK = 7
    MONTH_PART = 8
    MONTH = 9
    QUARTER = 10
    SEASON = 11
    HALF = 12
    YEAR = 13
    DECADE = 14
    CENTURY = 15
    VAGUE = 16

    @property
    def word(self) -> str:
        """The name that goes over the wire: `day`, `day_part`, `week` ..."""
        return self.name.lower()


class Span(NamedTuple):
    """Wall-clock `[start, end)` in the anchor's zone, without tzinfo. `None` is an open side; `start == end` an instant."""

    start: dt.datetime | None
    end: dt.datetime | None
    grain: Grain


@dataclass(frozen=True, slots=True)
class TimeRange:
    """`[start, end)` of aware datetimes. `None` is an open side; `start == end` is an instant.

    Raises ValueError for naive datetimes and for an end before its start.
    """

    start: dt.datetime | None
    end: dt.datetime | None

    def __post_init__(self) -> None:
        start, end = self.start, self.end
        if (start is not None and start.tzinfo is None) or (end is not None and end.tzinfo is None):
            raise ValueError("a time range needs aware datetimes")
        if start is not None and end is not None and end < start:
            raise ValueError("a time range ends before it starts")

    @property
    def instant(self) -> bool:
        return self.start is not None and self.start == self.end

    def holds(self, moment: dt.datetime) -> bool:
        """Whether the aware `moment` lies in the range; an instant holds only itself."""
        if self.instant:
            return moment == self.start
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)

    def overlaps(self, start: dt.datetime, end: dt.datetime | None) -> bool:
        """Whether `[start, end)`, or the instant `start` when `end` is None or equal, shares a moment with this range."""
        if end is None or end <= start:
            return self.holds(start)
        return (self.end is None or start < self.end) and (self.start is None or end > self.start)

    def __str__(self) -> str:
        start, end = ("…" if side is None else side.isoformat(timespec="minutes") for side in (self.start, self.end))
        return f"[{start}, {end})"


def attach(wall: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The moment a wall clock shows `wall` in `zone`.

    A wall time skipped by a DST change moves forward by the gap, and one that occurs twice is the first unless its `fold`
    (PEP 495) says the second; the result always survives a round trip through UTC.
    """
    return _attach(wall, zone) if type(zone) is ZoneInfo and not wall.fold else _settled(wall, zone)


@lru_cache(maxsize=4096)
def _attach(wall: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    return _settled(wall, zone)


def _settled(wall: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    moment = dt.datetime.combine(wall, wall.time(), zone)  # `replace` costs five times as much
    if 1 < wall.year < 9999 and not wall.fold:
        offset = zone.utcoffset
        if (
            offset(moment - _DAY) == offset(moment) == offset(moment + _DAY)
        ):  # no change is near: the round trip changes nothing
            return moment
    return moment.astimezone(UTC).astimezone(zone)


def wall_clock(moment: dt.datetime) -> dt.datetime:
    """What a wall clock shows at the aware `moment` in its own zone."""
    return dt.datetime.combine(moment, moment.time())
