"""The dates of one RRULE (RFC 5545, 3.3.10) that lie in a window.

dateutil walks a rule from its start, and looks for a 30 February until the year 9999; a calendar of years and of strangers needs the
dates of one week of thousands of rules at once. So a rule is looked at period by period of its FREQ, only those of the window: each
gives the days that all its BY parts let through. A rule that repeats within the hour, and one that needs too many steps, is refused.
"""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Iterator
from itertools import product

_FREQS = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY")
_WEEKDAYS = {name: n for n, name in enumerate(("MO", "TU", "WE", "TH", "FR", "SA", "SU"))}
_RANGES = {
    "BYMONTH": (1, 12), "BYMONTHDAY": (1, 31), "BYYEARDAY": (1, 366), "BYWEEKNO": (1, 53), "BYSETPOS": (1, 366),
    "BYHOUR": (0, 23), "BYMINUTE": (0, 59), "BYSECOND": (0, 60),
}  # fmt: skip
_SIGNED = ("BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS")
_KNOWN = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "RSCALE", "SKIP", *_RANGES}
# Periods looked at for one question: 20 years of days are 7,305. With them a rule of 30 instances a day still ends in half a second.
_STEPS = 20_000
_A_DAY = 24
_DAY = dt.timedelta(days=1)
_FIRST, _LAST = dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30)


class Refused(ValueError):
    """The rule is none, or one that is not followed."""


class Rule:
    """A rule that begins at `start`, a datetime that is aware or, for floating times and days, naive.

    `until` is its last moment, comparable with `start`, included; None when it has no end or a COUNT. A day as UNTIL includes that
    whole day. Raises Refused for a rule that cannot be read, repeats within the hour, or counts by another calendar.
    """

    def __init__(self, text: str, start: dt.datetime) -> None:
        self.string, self.start = text, start
        parts = _parts(text)
        self.freq = parts["FREQ"]
        self.interval = _number(parts.get("INTERVAL", "1"), "INTERVAL", 1)
        self.count = _number(parts["COUNT"], "COUNT", 1) if "COUNT" in parts else None
        self.until = self._until(parts["UNTIL"]) if "UNTIL" in parts else None
        self.wkst = _weekday(parts.get("WKST", "MO"))[1]
        by = {name: _list(parts[name], name) for name in _RANGES if name in parts}
        self.months, self.monthdays, self.yeardays = by.get("BYMONTH"), by.get("BYMONTHDAY"), by.get("BYYEARDAY")
        self.weeks, self.positions, self.hours = by.get("BYWEEKNO"), by.get("BYSETPOS"), by.get("BYHOUR")
        days = [_weekday(part) for part in parts["BYDAY"].split(",")] if "BYDAY" in parts else None
        self._defaults(days)
        minutes, seconds = by.get("BYMINUTE", [start.minute]), by.get("BYSECOND", [start.second])
        hours = [0] if self.freq == "HOURLY" else self.hours or [start.hour]
        a_day = len(minutes) * len(seconds) * (24 / self.interval if self.freq == "HOURLY" else len(hours))
        if a_day > _A_DAY:
            raise Refused("repeats within the hour")
        self.times = sorted(dt.time(h, m, min(s, 59)) for h, m, s in product(set(hours), set(minutes), set(seconds)))

    def _defaults(self, days: list[tuple[int, int]] | None) -> None:
        """What no BY part says, the start says."""
        if days is None and not (self.monthdays or self.yeardays or self.weeks):
            if self.freq == "YEARLY" and self.months is None:
                self.months = [self.start.month]
            if self.freq in ("YEARLY", "MONTHLY"):
                self.monthdays = [self.start.day]
            elif self.freq == "WEEKLY":
                days = [(0, self.start.weekday())]
        numbered = self.freq in ("YEARLY", "MONTHLY")
        self.weekdays = {day for n, day in days or () if not (n and numbered)}
        self.numbered = {(n, day) for n, day in days or () if n and numbered}
        # "The first Monday" is the month's where months are named, else the year's.
        self.in_month = self.freq == "MONTHLY" or self.months is not None

    def _until(self, text: str) -> dt.datetime:
        try:
            day = dt.datetime.strptime(text[:8], "%Y%m%d")  # noqa: DTZ007  a wall time, given its zone below
            if len(text) == 8:
                return (day + _DAY - dt.timedelta(seconds=1)).replace(tzinfo=self.start.tzinfo)
            moment = dt.datetime.strptime(text[:15], "%Y%m%dT%H%M%S")  # noqa: DTZ007
        except (ValueError, OverflowError) as error:
            raise Refused("UNTIL is no time") from error
        if text[15:] not in ("", "Z"):
            raise Refused("UNTIL is no time")
        if text.endswith("Z") and self.start.tzinfo is not None:
            return moment.replace(tzinfo=dt.UTC)
        return moment.replace(tzinfo=self.start.tzinfo)

    def between(self, low: dt.datetime, high: dt.datetime, inc: bool = True) -> Iterator[dt.datetime]:
        """The rule's moments from `low` to `high`, both included, in order. Raises Refused when that takes too many steps."""
        zone = self.start.tzinfo
        first, last = (moment.astimezone(zone).replace(tzinfo=None) if zone is not None else moment for moment in (low, high))
        first, last = max(first, _FIRST) - _DAY, min(last, _LAST) + _DAY
        begin = self.start.replace(tzinfo=None)
        left = self.count
        at = self._period_before(first) if self.count is None else 0
        for step, moments in enumerate(self._periods(at, last)):
            if step >= _STEPS:
                raise Refused("takes too many steps")
            for wall in moments:
                if wall < begin:
                    continue
                moment = wall.replace(tzinfo=zone)
                if self.until is not None and moment > self.until:
                    return
                if left is not None:
                    left -= 1
                if low <= moment <= high:
                    yield moment
                if left == 0:
                    return

    def _period_before(self, wall: dt.datetime) -> int:
        """The index of a period that begins at or before `wall`; the first is 0."""
        begin = self.start.replace(tzinfo=None)
        if wall <= begin:
            return 0
        if self.freq == "YEARLY":
            passed = wall.year - begin.year
        elif self.freq == "MONTHLY":
            passed = (wall.year - begin.year) * 12 + wall.month - begin.month
        elif self.freq == "WEEKLY":
            passed = (wall - begin).days // 7
        elif self.freq == "DAILY":
            passed = (wall - begin).days
        else:
            passed = int((wall - begin).total_seconds() // 3600)
        return max(0, (passed - 1) // self.interval)

    def _periods(self, at: int, last: dt.datetime) -> Iterator[list[dt.datetime]]:
        """The moments of each period from the one of index `at` on, until one begins after `last`."""
        try:
            for moments in self._unbounded(at, last):
                if self.positions is not None:
                    size = len(moments)
                    picked = {p - 1 if p > 0 else size + p for p in self.positions}
                    moments = [moment for n, moment in enumerate(moments) if n in picked]
                yield moments
        except (OverflowError, ValueError):  # past the last year there is
            return

    def _unbounded(self, at: int, last: dt.datetime) -> Iterator[list[dt.datetime]]:
        begin = self.start.replace(tzinfo=None)
        if self.freq == "YEARLY":
            for year in range(begin.year + at * self.interval, last.year + 1, self.interval):
                yield self._moments(day for month in sorted(self.months or range(1, 13)) for day in self._month(year, month))
        elif self.freq == "MONTHLY":
            origin = begin.year * 12 + begin.month - 1
            for n in range(origin + at * self.interval, last.year * 12 + last.month, self.interval):
                month = n % 12 + 1
                named = self.months is None or month in self.months
                yield self._moments(self._month(n // 12, month)) if named else []
        elif self.freq == "HOURLY":
            hour, step = (
                begin.replace(minute=0, second=0) + dt.timedelta(hours=at * self.interval),
                dt.timedelta(hours=self.interval),
            )
            while hour <= last:
                if not self._named(hour.date()):  # the whole day is one step
                    yield []
                    hour += -(-(hour.replace(hour=0) + _DAY - hour) // step) * step
                    continue
                fits = self.hours is None or hour.hour in self.hours
                yield [dt.datetime.combine(hour.date(), time.replace(hour=hour.hour)) for time in self.times] if fits else []
                hour += step
        else:
            size = 7 if self.freq == "WEEKLY" else 1
            day = begin.date() - dt.timedelta(days=(begin.weekday() - self.wkst) % 7 if size == 7 else 0)
            day += dt.timedelta(days=at * self.interval * size)
            # Of a week only the days that are named, which is most of what is asked.
            offsets = (
                sorted((weekday - self.wkst) % 7 for weekday in self.weekdays) if size == 7 and self.weekdays else range(size)
            )
            while day <= last.date():
                # The first week begins with the start: what lies before it has no place among BYSETPOS.
                days = (day + n * _DAY for n in offsets)
                yield self._moments(self._named_of(each for each in days if each >= begin.date()))
                day += dt.timedelta(days=self.interval * size)

    def _moments(self, days: Iterator[dt.date]) -> list[dt.datetime]:
        return [dt.datetime.combine(day, time) for day in days for time in self.times]

    def _named_of(self, days: Iterator[dt.date]) -> Iterator[dt.date]:
        return (day for day in days if self._named(day))

    def _named(self, day: dt.date) -> bool:
        return (self.months is None or day.month in self.months) and self._passes(day)

    def _month(self, year: int, month: int) -> Iterator[dt.date]:
        size = calendar.monthrange(year, month)[1]
        numbers: Iterator[int] = iter(range(1, size + 1))
        if self.monthdays is not None:
            numbers = iter(sorted({n if n > 0 else size + 1 + n for n in self.monthdays}))
        return (day for n in numbers if 1 <= n <= size and self._passes(day := dt.date(year, month, n)))

    def _passes(self, day: dt.date) -> bool:
        """Whether all BY parts but BYMONTH let the day through."""
        if (self.weekdays or self.numbered) and day.weekday() not in self.weekdays and not self._counted(day):
            return False
        if self.monthdays is not None:
            size = calendar.monthrange(day.year, day.month)[1]
            if day.day not in self.monthdays and day.day - size - 1 not in self.monthdays:
                return False
        if self.yeardays is not None:
            number, size = day.timetuple().tm_yday, 366 if calendar.isleap(day.year) else 365
            if number not in self.yeardays and number - size - 1 not in self.yeardays:
                return False
        return self.weeks is None or self._in_week(day, self.weeks)

    def _counted(self, day: dt.date) -> bool:
        """Whether the day is the asked Monday, say, of its month or year, from either end."""
        if not self.numbered:
            return False
        if self.in_month:
            number, size = day.day, calendar.monthrange(day.year, day.month)[1]
        else:
            number, size = day.timetuple().tm_yday, 366 if calendar.isleap(day.year) else 365
        weekday = day.weekday()
        return ((number - 1) // 7 + 1, weekday) in self.numbered or (-((size - number) // 7 + 1), weekday) in self.numbered

    def _in_week(self, day: dt.date, weeks: list[int]) -> bool:
        """Whether the day's week has an asked number; week 1 is the first with four days or more of the year."""
        middle = day - dt.timedelta(days=(day.weekday() - self.wkst) % 7) + dt.timedelta(days=3)
        number = (middle.timetuple().tm_yday - 1) // 7 + 1
        # The year's last week is that of its last middle day.
        end = dt.date(middle.year, 12, 31)
        end -= dt.timedelta(days=(end.weekday() - (self.wkst + 3)) % 7)
        size = (end.timetuple().tm_yday - 1) // 7 + 1
        return number in weeks or number - size - 1 in weeks


def _parts(text: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for part in text.strip().strip(";").split(";"):
        name, equals, value = part.partition("=")
        name, value = name.strip().upper(), value.strip().upper()
        if not equals or name in parts or name not in _KNOWN:
            raise Refused(f"not a part of a rule: {name[:20]}")
        parts[name] = value
    if parts.get("FREQ") not in _FREQS:
        raise Refused("repeats within the hour" if parts.get("FREQ") in ("MINUTELY", "SECONDLY") else "no FREQ")
    if parts.get("RSCALE", "GREGORIAN") not in ("GREGORIAN", "GREGORY") or parts.get("SKIP", "OMIT") != "OMIT":
        raise Refused("counts by another calendar")
    return parts


def _number(text: str, name: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < least:
        raise Refused(f"{name} is no number that counts")
    return int(text)


def _list(text: str, name: str) -> list[int]:
    low, high = _RANGES[name]
    numbers = []
    for part in text.split(","):
        sign, digits = (-1, part[1:]) if part.startswith("-") else (1, part.removeprefix("+"))
        if not digits.isascii() or not digits.isdigit() or len(digits) > 3 or not low <= int(digits) <= high:
            raise Refused(f"{name} is out of range")
        if sign < 0 and name not in _SIGNED:
            raise Refused(f"{name} is out of range")
        numbers.append(sign * int(digits))
    return numbers


def _weekday(text: str) -> tuple[int, int]:
    """The number (0: every) and the weekday of "MO", "-1SU", "+2TU"."""
    day = _WEEKDAYS.get(text[-2:])
    digits = text[:-2].lstrip("+-")
    if day is None or (text[:-2] and (not digits.isascii() or not digits.isdigit() or not 1 <= int(digits) <= 53)):
        raise Refused("BYDAY is no weekday")
    return (int(text[:-2]) if digits else 0), day
