"""From an expression to wall-clock spans: calendar arithmetic against an anchor in a zone.

`resolve(expression, at)` gives the readings, best first. Bare expressions have several, one a neighbouring frame (last,
this and next Friday); `At.tense` picks: past the last one, future the next one, none the one in the frame that holds the
anchor. Calendar offsets move the wall clock; elapsed ones go through UTC, so three hours are three hours across a DST change.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from itertools import islice
from typing import Any, Literal
from zoneinfo import ZoneInfo

from planner import _almanac as almanac
from planner import expressions as ex
from planner._almanac import DAY, add, floor, midnight, unit_end
from planner._form import Form, form
from planner.ranges import UTC, Grain, Span, attach, wall_clock

HOUR, SECOND, NOTHING = dt.timedelta(hours=1), dt.timedelta(seconds=1), dt.timedelta(0)
HALF_DAY = HOUR * 12

Tense = Literal["past", "future"] | None


@form
class Conventions(Form):
    """What a deployment may choose: first day of the week (Monday 0), days of "recently", day before month in 08/09/2026."""

    week_start: int = 0
    recent_days: int = 14
    day_first: bool = False


DEFAULT = Conventions()


@form
class At(Form):
    """The anchor: an aware moment whose tzinfo is the asker's zone, the sentence's tense, and the conventions."""

    moment: dt.datetime
    tense: Tense = None
    conventions: Conventions = DEFAULT
    every: bool = False  # all readings are wanted, not only the best one
    wall: dt.datetime = field(init=False)  # what the wall clock shows at the moment

    def __post_init__(self) -> None:
        self.wall = wall_clock(self.moment)  # type: ignore[misc]

    def told(self, tense: Tense, *, every: bool = False) -> At:
        """The same anchor in that tense."""
        return At(self.moment, tense, self.conventions, every)

    def floor(self, unit: str) -> dt.datetime:
        return floor(self.wall, unit, self.conventions.week_start)


def resolve(expression: ex.Expression, at: At) -> list[Span]:
    """The readings of `expression`, best first (the best only, unless `at.every`).

    Empty where there is none: 29 February of a common year, a duration.

    Raises OverflowError or ValueError when a reading leaves the years 1 to 9999.
    """
    return _RESOLVERS[type(expression)](expression, at)


def settled(e: ex.Expression) -> bool:
    """Whether it says so much that it has one reading at most, whatever the anchor: no need to look for others."""
    if isinstance(e, ex.Within):
        return e.outer.frame is None and settled(e.outer)
    if isinstance(e, ex.FromTo):
        return e.first.frame is None and settled(e.first)
    if isinstance(e, (ex.Since, ex.Until, ex.Shift, ex.Lasting, ex.InZone, ex.Rest, ex.WeekendBy)):
        return settled(e.base)
    if isinstance(e, ex.Rolling):
        return e.base is None or settled(e.base)
    if isinstance(e, ex.Ago):  # so many weeks ago is a week or a day
        return e.grain <= Grain.DAY
    if isinstance(e, ex.Numeric):
        return e.year is not None
    return isinstance(e, (ex.Now, ex.This, ex.Vague, ex.Fixed, ex.Year, ex.Relative))


def occurrences(expression: ex.Expression, within: Span, at: At) -> Iterator[Span]:
    """The occurrences of a bare expression that start in `within`, in time order."""
    if within.start is None or within.end is None:
        return iter(())
    return _OCCURRENCES.get(type(expression), _framed)(expression, within, at)


def _nested(e: ex.Within, within: Span, at: At) -> Iterator[Span]:
    assert within.start is not None
    # The outer may begin before `within` does and still hold an inner that starts in it (the 20th, from the 10th on).
    start = floor(within.start, _frame_unit(e), at.conventions.week_start)
    for outer in occurrences(e.outer, Span(start, within.end, within.grain), at):
        for inner in _clocked(e.inner, outer, at):
            begun = inner.start is not None and inner.start < within.start
            if not begun or _zone_of(e.inner) is not None:  # another zone's day may begin earlier
                yield inner


def _agreeing(e: ex.OnWeekday, within: Span, at: At) -> Iterator[Span]:
    for found in occurrences(e.day, within, at):
        if found.start is not None and found.start.weekday() == e.weekday:
            yield found


def _any_of(e: ex.Union, within: Span, at: At) -> Iterator[Span]:
    found = [(span.start, span) for part in e.parts for span in occurrences(part, within, at) if span.start is not None]
    found.sort(key=lambda pair: pair[0])
    yield from (span for _, span in found)


def _joined(e: ex.FromTo, within: Span, at: At) -> Iterator[Span]:
    e = _of_one_zone(e)
    for first in occurrences(e.first, within, at):
        joined = _join(first, e.last, at)
        if joined is not None:
            yield _same_half(e, joined)


def _framed(e: ex.Expression, within: Span, at: At) -> Iterator[Span]:
    """One occurrence a frame, in each frame that `within` holds."""
    frame = e.frame
    if frame is None:
        yield from resolve(e, at)
        return
    low, high = within.start, within.end
    assert low is not None and high is not None
    in_frame = _IN_FRAME[type(e)]
    if isinstance(e, ex.Lunar) and within.grain is Grain.YEAR:  # 2019年腊月 is the last month of that lunar year
        found = in_frame(e, low, at)
        if found is not None:
            yield found
        return
    zoned = isinstance(e, ex.Clock) and e.zone is not None
    ending = isinstance(e, ex.Clock) and e.hour == 24  # the last moment of its day
    # A lunar date or a festival may fall in the Gregorian year after its own, so the frame before is looked at too.
    start = floor(low, frame, at.conventions.week_start)
    if frame == "year" and start.year > 1 and isinstance(e, ex.Lunar | ex.Festival | ex.SolarTerm):
        start = add(start, -1, frame)
    while start < high:
        found = in_frame(e, start, at)
        if found is not None and (
            zoned or (found.start is not None and (low <= found.start < high or (ending and found.start == high)))
        ):
            yield found
        if start.year >= 9999:
            return
        start = add(start, 1, frame)


def _frame_unit(expression: ex.Expression) -> str:
    frame = expression.frame
    return "month" if frame in (None, "any") else str(frame)


def _weekday(e: ex.Weekday, start: dt.datetime, at: At) -> Span:
    day = start + DAY * ((e.weekday - start.weekday()) % 7)
    return Span(day, day + DAY, Grain.DAY)


def _weekend(e: ex.Weekend, start: dt.datetime, at: At) -> Span:
    day = start + DAY * ((5 - start.weekday()) % 7)
    return Span(day, day + DAY * 2, Grain.WEEKEND)


def _month(e: ex.Month, start: dt.datetime, at: At) -> Span:
    first = dt.datetime(start.year, e.month, 1)
    return Span(first, add(first, 1, "month"), Grain.MONTH)


def _day(e: ex.Day, start: dt.datetime, at: At) -> Span | None:
    day = almanac.day(start.year, start.month, e.day)
    return None if day is None else Span(day, day + DAY, Grain.DAY)


def _day_part(e: ex.DayPart, start: dt.datetime, at: At) -> Span:
    return Span(start + HOUR * e.first, start + HOUR * e.last, Grain.DAY_PART)


def _clock(e: ex.Clock, start: dt.datetime, at: At) -> Span:
    moment = start + SECOND * (e.hour * 3600 + e.minute * 60 + e.second)
    if e.zone is not None:
        moment = _here(moment, e.zone, at)
    return Span(moment, moment, e.precision)


def _here(wall: dt.datetime, zone: int | str, at: At) -> dt.datetime:
    """The asker's wall clock when one of `zone`, an IANA name or minutes east of UTC, shows `wall`."""
    there = attach(wall, ZoneInfo(zone)) if isinstance(zone, str) else attach(wall - SECOND * (zone * 60), UTC)
    return wall_clock(there.astimezone(at.moment.tzinfo))


def _months_of_year(first_month: int, count: int, grain: Grain, start: dt.datetime) -> Span:
    first = dt.datetime(start.year, first_month, 1)
    return Span(first, add(first, count, "month"), grain)


def _numeric(e: ex.Numeric, start: dt.datetime, at: At) -> Span | None:
    orders = [(e.first, e.second), (e.second, e.first)]
    for month, number in reversed(orders) if at.conventions.day_first else orders:
        day = almanac.day(start.year if e.year is None else e.year, month, number)
        if day is not None:
            return Span(day, day + DAY, Grain.DAY)
    return None


def _numeric_alone(e: ex.Numeric, at: At) -> list[Span]:
    if e.year is None:
        return _bare(e, at)
    found = _numeric(e, at.wall, at)
    return [] if found is None else [found]


def _week_number(e: ex.WeekNumber, start: dt.datetime, at: At) -> Span | None:
    try:
        first = dt.datetime.combine(dt.date.fromisocalendar(start.year, e.number, 1), dt.time())
    except ValueError:
        return None
    return Span(first, first + almanac.WEEK, Grain.WEEK)


def _solar_term(e: ex.SolarTerm, start: dt.datetime, at: At) -> Span | None:
    day = almanac.solar_term(start.year, e.name)
    return None if day is None else Span(day, day + DAY, Grain.DAY)


def _decade(e: ex.Decade, start: dt.datetime, at: At) -> Span:
    first = dt.datetime(start.year // 100 * 100 + e.tens, 1, 1)
    return Span(first, add(first, 10, "year"), Grain.DECADE)


_IN_FRAME: dict[type, Callable[[Any, dt.datetime, At], Span | None]] = {
    ex.Numeric: _numeric,
    ex.Weekday: _weekday,
    ex.Weekend: _weekend,
    ex.Month: _month,
    ex.Day: _day,
    ex.DayPart: _day_part,
    ex.Clock: _clock,
    ex.Quarter: lambda e, start, at: _months_of_year(3 * e.quarter - 2, 3, Grain.QUARTER, start),
    ex.Half: lambda e, start, at: _months_of_year(6 * e.half - 5, 6, Grain.HALF, start),
    ex.Season: lambda e, start, at: _months_of_year(3 * e.season + 3, 3, Grain.SEASON, start),
    ex.Festival: lambda e, start, at: almanac.festival_span(start.year, e.key, e.holiday),
    ex.Lunar: lambda e, start, at: almanac.lunar_span(start.year, e.month, e.day, e.leap),
    ex.SolarTerm: _solar_term,
    ex.WeekNumber: _week_number,
    ex.Decade: _decade,
}


def _in_any(e: ex.Expression, within: Span, at: At) -> Iterator[Span]:
    """Ordinals, runs and slices: they divide whatever surrounds them."""
    start, end = within.start, within.end
    assert start is not None and end is not None
    if isinstance(e, ex.Nth):
        found = list(islice(_units(e.what, within, at), 4000)) if e.n < 0 else list(islice(_units(e.what, within, at), e.n))
        if len(found) >= abs(e.n) > 0:
            yield found[e.n - 1] if e.n > 0 else found[e.n]
    elif isinstance(e, ex.Run):
        found = list(islice(_units(e.unit, within, at), 4000)) if e.n < 0 else list(islice(_units(e.unit, within, at), e.n))
        found = found[e.n :] if e.n < 0 else found
        if found:
            yield Span(found[0].start, found[-1].end, found[0].grain)
    elif isinstance(e, ex.Slice):
        yield _slice(e.name, within)


_OCCURRENCES: dict[type, Callable[[Any, Span, At], Iterator[Span]]] = {
    ex.Nth: _in_any,
    ex.Run: _in_any,
    ex.Slice: _in_any,
    ex.Within: _nested,
    ex.OnWeekday: _agreeing,
    ex.FromTo: _joined,
    ex.Union: _any_of,
}


def _units(what: str | ex.Expression, within: Span, at: At) -> Iterator[Span]:
    if not isinstance(what, str):
        yield from occurrences(what, within, at)
        return
    assert within.start is not None and within.end is not None
    start = floor(within.start, what, at.conventions.week_start)
    if what == "workday":
        start = add(start - DAY, 1, what)
    # A week belongs to the month or year that holds its middle day, as ISO 8601 has it; other units to that they start in.
    middle = DAY * 3 if what == "week" else DAY * 0
    while start + middle < within.start or (what == "workday" and start.weekday() > 4):
        start = add(start, 1, what)
    while start + middle < within.end:
        yield Span(start, unit_end(start, what), ex.GRAIN[what])
        start = add(start, 1, what)


# Parts of a unit. A month's follow 旬 (1-10, 11-20, 21-end); a year's are its first two months, its middle four and its
# last two; a week's are Monday to Wednesday, Wednesday and Thursday, Friday to Sunday; a day's are thirds of its length.
def _slice(name: str, within: Span) -> Span:
    start, end = within.start, within.end
    assert start is not None and end is not None
    length, grain = end - start, Grain.MONTH_PART
    if within.grain is Grain.MONTH:
        first, second = start + DAY * 10, start + DAY * 20
        half = start + DAY * 15
    elif within.grain in (Grain.YEAR, Grain.HALF, Grain.QUARTER, Grain.SEASON):
        months = round(length / dt.timedelta(days=30.4))
        third = max(months // 3, 1) if months < 12 else 4
        first, second, half = add(start, third, "month"), add(end, -third, "month"), add(start, months // 2, "month")
        if within.grain is Grain.YEAR:
            grain = Grain.QUARTER
    elif within.grain is Grain.WEEK:
        first, second, half, grain = start + DAY * 3, start + DAY * 4, start + length / 2, Grain.DAY
    elif within.grain in (Grain.DECADE, Grain.CENTURY):
        years = end.year - start.year
        first, second, half = add(start, years // 3, "year"), add(end, -(years // 3), "year"), add(start, years // 2, "year")
        grain = Grain.YEAR if within.grain is Grain.DECADE else Grain.DECADE
    elif length >= DAY * 5:  # 中旬末, in whole days
        part = DAY * (length.days // 3)
        first, second, half, grain = start + part, end - part, start + DAY * (length.days // 2), Grain.DAY
    else:
        first, second, half, grain = start + length / 3, end - length / 3, start + length / 2, Grain.DAY_PART
    edges = {
        "early": (start, first),
        "mid": (first, second),
        "late": (second, end),
        "first_half": (start, half),
        "second_half": (half, end),
        "early_mid": (start, second),
        "mid_late": (first, end),
        "start": (start, min(add(start, 2, "month"), end) if within.grain is Grain.YEAR else first),
        "end": (max(add(end, -2, "month"), start) if within.grain is Grain.YEAR else second, end),
    }
    if within.grain is Grain.WEEK:
        edges["mid"] = (start + DAY * 2, second)
    low, high = edges[name]
    return Span(low, high, grain)


def _clocked(inner: ex.Expression, outer: Span, at: At) -> Iterator[Span]:
    """`inner` in one occurrence of `outer`; a clock time in a part of the day picks the half of the day that fits it."""
    if outer.start is None or outer.end is None:
        return
    if isinstance(inner, ex.Clock) and outer.grain is Grain.DAY_PART:
        base, begin, finish = midnight(outer.start), outer.start, outer.end
        hours = {inner.hour} if not inner.twelve else {inner.hour % 12, inner.hour % 12 + 12}
        options = [base + SECOND * ((h + shift) * 3600 + inner.minute * 60 + inner.second) for h in hours for shift in (0, 24)]
        if begin.hour >= 12:  # no hour of an afternoon or an evening is before noon
            options = [t for t in options if t >= base + HALF_DAY]
        elif finish <= base + HALF_DAY:  # and none of a morning after it
            options = [t for t in options if t < base + HALF_DAY] or options
        late = finish.hour < 7  # "tonight at 3" is after midnight, not in the afternoon
        moment = min(options, key=lambda t: (max(begin - t, t - finish, NOTHING), base - t if late else t - base))
        if inner.zone is not None:
            moment = _here(moment, inner.zone, at)
        yield Span(moment, moment, inner.precision)
    elif isinstance(inner, ex.Within):
        for middle in _clocked(inner.outer, outer, at):
            yield from _clocked(inner.inner, middle, at)
    elif isinstance(inner, ex.FromTo):
        inner = _of_one_zone(inner)
        for first in _clocked(inner.first, outer, at):
            joined = _join(first, inner.last, at)
            if joined is not None:
                yield _same_half(inner, joined)
    elif isinstance(inner, (ex.Since, ex.Until)):
        for base_ in _clocked(inner.base, outer, at):
            yield _open(inner, base_)
    else:
        yield from occurrences(inner, outer, at)


# Those that have one occurrence a frame, which starts in it: a Friday in a week, a 15th in a month.
_ONE_A_FRAME: dict[type, Grain] = {
    ex.Weekday: Grain.WEEK, ex.Day: Grain.MONTH, ex.Month: Grain.YEAR, ex.DayPart: Grain.DAY, ex.Season: Grain.YEAR,
}  # fmt: skip


def _within(e: ex.Within, at: At) -> list[Span]:
    if e.outer.frame is not None and not isinstance(e.outer, ex.OnWeekday):
        return _bare(e, at)
    outers, inner = resolve(e.outer, at), e.inner
    if len(outers) == 1 and outers[0].grain is _ONE_A_FRAME.get(type(inner)):
        start, end, _ = outers[0]
        if start is not None and end is not None:
            one = _IN_FRAME[type(inner)](inner, start, at)
            if one is not None and one.start is not None and start <= one.start < end:
                return [one]
    spans: list[Span] = []
    for outer in outers:
        found = next(_clocked(e.inner, outer, at), None)
        if found is not None:
            spans.append(found)
    return spans


def _bare(e: ex.Expression, at: At) -> list[Span]:
    """A bare expression with nothing around it: its occurrence near the anchor that the tense selects, then the others."""
    frame, head = e.frame, e
    while isinstance(head, ex.Within):
        head = head.outer
    if isinstance(head, ex.Nth) and head.default == head.what:  # 第三天 with nothing around it counts from today
        return resolve(_headed(e, ex.This(head.default, head.n - 1)), at)
    if isinstance(head, ex.Decade) and head is not e:  # 90年代末: the decade that "90s" alone would mean
        decade = _decade_alone(head, at)[0]
        assert decade.start is not None and decade.end is not None
        return resolve(_headed(e, ex.Fixed(decade.start, decade.end, Grain.DECADE)), at)
    if frame == "any":
        frame = head.default if isinstance(head, ex.Nth) else "month"
    assert frame is not None
    here = at.floor(frame)
    if isinstance(head, ex.Lunar) and (new_year := almanac.lunar_span(here.year, 1, 1)) is not None:
        here = here if new_year.start is None or at.wall >= new_year.start else add(here, -1, "year")
    # A leap day, a 31st or a leap month may be some years or months away.
    reach = 9 if frame in ("year", "month") else 2

    def first(*steps: int) -> Span | None:
        for step in steps:
            try:
                start = add(here, step, frame) if step else here
                window = Span(start, add(start, 1, frame), ex.GRAIN[frame])
            except (OverflowError, ValueError):
                return None
            found = next(occurrences(e, window, at), None)
            if found is not None:
                return found
        return None

    ahead, back = range(1, reach + 1), range(-1, -reach - 1, -1)
    edge = at.wall if e.grain <= Grain.DAY_PART or frame == "day" else midnight(at.wall)
    current = first(0)
    if at.tense == "past":
        begun = current is not None and current.start is not None and current.start <= edge
        chosen = current if begun else first(*back) or current or first(*ahead)
    elif at.tense == "future":
        over = current is not None and current.end is not None and current.end <= edge and current.start != current.end
        over = over or (
            current is not None and current.start == current.end and current.start is not None and current.start < edge
        )
        chosen = current if current is not None and not over else first(*ahead) or current or first(*back)
    else:
        chosen = current
    if chosen is not None and not at.every:
        return [chosen]
    order = [span for span in (first(*back), current, first(*ahead)) if span is not None]
    if not order:
        return []
    wall = at.wall
    if chosen is None:
        chosen = _nearest(order, wall)
    return [chosen, *(span for span in sorted(order, key=lambda span: _distance(span, wall)) if span != chosen)]


def _headed(e: ex.Expression, head: ex.Expression) -> ex.Expression:
    """`e` with its outermost piece replaced."""
    return ex.Within(_headed(e.outer, head), e.inner) if isinstance(e, ex.Within) else head


def _distance(span: Span, wall: dt.datetime) -> dt.timedelta:
    if span.start is None or span.end is None:
        return dt.timedelta.max
    return max(span.start - wall, wall - span.end, NOTHING)


def _nearest(spans: list[Span], wall: dt.datetime) -> Span:
    return min(spans, key=lambda span: _distance(span, wall))


def _bare_clock(e: ex.Clock, at: At) -> list[Span]:
    spans = _bare(e, at)
    if e.twelve and spans:
        half = HALF_DAY if e.hour < 12 else -HALF_DAY
        other = Span(spans[0].start + half, spans[0].end + half, e.precision) if spans[0].start and spans[0].end else None
        if other is not None:
            spans.insert(1, other)
    return spans


def _this(e: ex.This, at: At) -> list[Span]:
    start = add(at.floor(e.unit), e.offset, e.unit)
    return [Span(start, unit_end(start, e.unit), e.grain)]


def moved(wall: dt.datetime, amount: ex.Amount, sign: int, zone: dt.tzinfo | None) -> dt.datetime:
    """`wall` moved by `amount`: calendar units on the wall clock, elapsed ones as real seconds in `zone`."""
    seconds = 0.0
    for n, unit in amount.parts:
        whole, rest = divmod(n, 1)
        if unit in ex.ELAPSED:
            seconds += n * {"hour": 3600, "minute": 60, "second": 1}[unit]
            continue
        wall = add(wall, sign * int(whole), unit)
        if rest:
            smaller, size = {
                "year": ("month", 12), "half": ("month", 6), "quarter": ("month", 3), "season": ("month", 3), "month": ("day", 30),
                "week": ("day", 7), "decade": ("year", 10), "century": ("year", 100), "day": ("hour", 24), "weekend": ("day", 7),
                "workday": ("hour", 24),
            }[unit]  # fmt: skip
            wall = add(wall, sign * round(rest * size), smaller)
    if seconds:
        step = dt.timedelta(seconds=sign * seconds)
        if zone is None:
            return wall + step
        return wall_clock((attach(wall, zone).astimezone(UTC) + step).astimezone(zone))
    return wall


def _ago(e: ex.Ago, at: At) -> list[Span]:
    unit = e.amount.finest
    wall = moved(at.wall, e.amount, e.sign, at.moment.tzinfo)
    if unit in ex.ELAPSED:
        return [Span(wall, wall, e.grain)]
    if len(e.amount.parts) > 1 or any(n % 1 for n, _ in e.amount.parts):
        unit = "day"
    start = floor(wall, unit, at.conventions.week_start)
    coarse = Span(start, unit_end(start, unit), ex.GRAIN[unit])
    if ex.GRAIN[unit] is Grain.DAY:
        return [coarse]
    day = Span(midnight(wall), midnight(wall) + DAY, Grain.DAY)
    return [day, coarse] if e.to_the_day else [coarse, day]


def _rolling(e: ex.Rolling, at: At) -> list[Span]:
    wall, unit = at.wall, e.amount.finest
    if e.base is not None:
        return [span for base in resolve(e.base, at) if (span := _beside(base, e, at)) is not None]
    counted = e.sign < 0 and ex.GRAIN[unit] is Grain.DAY  # today is the last of the days
    far = moved(wall + DAY if counted else wall, e.amount, e.sign, at.moment.tzinfo)
    if unit in ex.ELAPSED:
        return [Span(min(wall, far), max(wall, far), e.grain)]
    if e.whole and len(e.amount.parts) == 1 and not e.amount.parts[0][0] % 1:
        n, here = int(e.amount.parts[0][0]), at.floor(unit)
        if e.sign < 0:
            end = here if unit != "weekend" or at.wall < here + DAY * 2 else add(here, 1, unit)
            return [Span(add(end, -n, unit), end if unit != "weekend" else add(end, -1, unit) + DAY * 2, e.grain)]
        start = add(here, 1, unit)
        return [Span(start, unit_end(add(start, n - 1, unit), unit), e.grain)]
    # Counted days are whole ones, today among them; a past window of weeks or coarser begins on the day so long ago.
    today, day = midnight(wall), midnight(far)
    if e.sign < 0:
        return [Span(day, today + DAY, e.grain)]
    return [Span(today, day, e.grain)]


def _lasting(e: ex.Lasting, at: At) -> list[Span]:
    spans = []
    for base in resolve(e.base, at):
        if base.start is not None:
            spans.append(Span(base.start, moved(base.start, e.amount, 1, at.moment.tzinfo), base.grain))
    return spans


def _in_zone(e: ex.InZone, at: At) -> list[Span]:
    def here(wall: dt.datetime | None) -> dt.datetime | None:
        return None if wall is None else _here(wall, e.zone, at)

    return [Span(here(span.start), here(span.end), span.grain) for span in resolve(e.base, at)]


def _weekend_by(e: ex.WeekendBy, at: At) -> list[Span]:
    spans = []
    for span in resolve(e.base, at):
        if span.start is None:
            continue
        day = midnight(span.start)
        weekday = day.weekday()
        start = day if weekday in (3, 4) else day - DAY * ((weekday - 5) % 7) if weekday != 2 else day + DAY * 3
        end = day + DAY if weekday in (0, 1) else day + DAY * (7 - weekday)
        spans.append(Span(start, end, Grain.WEEKEND))
    return spans


def _beside(base: Span, e: ex.Rolling, at: At) -> Span | None:
    edge = base.start if e.sign < 0 else base.end
    if edge is None:
        return None
    far = moved(edge, e.amount, e.sign, at.moment.tzinfo)
    return Span(min(edge, far), max(edge, far), e.grain)


def _vague(e: ex.Vague, at: At) -> list[Span]:
    days = DAY * (e.days or at.conventions.recent_days)
    today = midnight(at.wall)
    if at.tense == "future" and (e.either or not e.sign):
        return [Span(today, today + days, Grain.VAGUE)]
    if e.sign == 0:  # 这两天: the tense tells the side
        return [Span(today + DAY - days, today + DAY, Grain.VAGUE)]
    if e.sign < 0:
        return [Span(today + DAY - days, at.wall, Grain.VAGUE)]
    return [Span(at.wall, today + DAY + days, Grain.VAGUE)]


def _fixed(e: ex.Fixed, at: At) -> list[Span]:
    if e.zone is None:
        return [Span(e.start, e.end, e.precision)]
    return [Span(_here(e.start, e.zone, at), _here(e.end, e.zone, at), e.precision)]


def _year(e: ex.Year, at: At) -> list[Span]:
    start = dt.datetime(e.year, 1, 1)
    return [Span(start, add(start, 1, "year"), Grain.YEAR)]


def _decade_alone(e: ex.Decade, at: At) -> list[Span]:
    century = at.wall.year // 100 * 100
    start = dt.datetime(century + e.tens, 1, 1)
    if start > at.wall:
        start = dt.datetime(century - 100 + e.tens, 1, 1)
    return [Span(start, add(start, 10, "year"), Grain.DECADE)]


def _slice_alone(e: ex.Slice, at: At) -> list[Span]:
    if e.of == "any":
        return []
    return [_slice(e.name, s) for s in _this(ex.This(e.of), at)]


def _relative(e: ex.Relative, at: At) -> list[Span]:
    frame = e.what.frame or "year"
    today = midnight(at.wall)
    reach = (abs(e.n) + 1) * (9 if frame in ("year", "month") else 1)
    if frame == "any":  # it divides what surrounds it: all the months looked at are one
        frame, size = "month", abs(e.n) + 2
    else:
        size = 1
    here = at.floor(frame)
    left = abs(e.n)
    # Outwards from the frame that holds today, one frame at a time.
    for step in range(0, reach + 1, size):
        start = add(here, -step - size + 1 if e.n < 0 else step, frame)
        window = Span(start, add(start, size, frame), Grain.VAGUE)
        found = list(occurrences(e.what, window, at))
        if e.n < 0:
            beyond = [s for s in reversed(found) if s.end is not None and s.end <= today]
        else:
            beyond = [s for s in found if s.start is not None and s.start > today]
        if len(beyond) >= left:
            return [beyond[left - 1]]
        left -= len(beyond)
    return []


def _current(e: ex.Current, at: At) -> list[Span]:
    frame = _frame_unit(e.what)
    start = at.floor(frame)
    spans = [s for n in (0, 1, -1) for s in islice(_from(e.what, add(start, n, frame), frame, at), 1)]
    if at.tense != "past" and spans and spans[0].end is not None and spans[0].end <= midnight(at.wall):
        spans[:2] = spans[1::-1]
    return spans


def _from(e: ex.Expression, start: dt.datetime, frame: str, at: At) -> Iterator[Span]:
    """The occurrences of a bare expression in its frame that starts at `start`."""
    return occurrences(e, Span(start, add(start, 1, frame), ex.GRAIN[frame]), at)


def _both(e: ex.Both, at: At) -> list[Span]:
    spans = []
    untils = [s.end for s in resolve(e.until, at.told(at.tense, every=True)) if s.end is not None]
    for since in resolve(e.since, at):
        ends = [end for end in untils if since.start is not None and end > since.start]
        if ends:
            spans.append(Span(since.start, min(ends), e.grain))
    return spans


def _on_weekday(e: ex.OnWeekday, at: At) -> list[Span]:
    readings = resolve(e.day, at.told(at.tense, every=True))
    agreeing = [s for s in readings if s.start is not None and s.start.weekday() == e.weekday and _likely(s.start, at)]
    if not agreeing and isinstance(e.day, ex.Numeric) and e.day.first != e.day.second:
        # The weekday tells which of the two is the month: "Tues 8/9".
        turned = replace(e.day, first=e.day.second, second=e.day.first)
        readings_so = resolve(turned, at.told(at.tense, every=True))
        agreeing = [s for s in readings_so if s.start is not None and s.start.weekday() == e.weekday and _likely(s.start, at)]
    if agreeing or e.day.frame in (None, "year"):
        return agreeing or readings  # a date stands by itself: its weekday may be a slip
    # No neighbouring reading has that weekday: look further, for the tense's side first ("Wed 13th").
    frame = _frame_unit(e.day)
    here = at.floor(frame)
    further: list[Span] = []
    for step in range(1, 13):
        for sign in (1, -1) if at.tense != "past" else (-1, 1):
            start = add(here, sign * step, frame)
            found = occurrences(e, Span(start, add(start, 1, frame), Grain.MONTH), at)
            further += islice(found, 1)
    return further or readings


def _likely(day: dt.datetime, at: At) -> bool:
    """Whether a date that its weekday speaks for may be meant: at most a year and a half ahead or a year ago, and half a year on
    the side of now that the tense does not speak of.
    """
    ahead = DAY * (183 if at.tense == "past" else 550)
    back = DAY * (183 if at.tense == "future" else 366)
    return at.wall - back <= day <= at.wall + ahead


def _shift(e: ex.Shift, at: At) -> list[Span]:
    spans = []
    for base in resolve(e.base, at):
        start = None if base.start is None else moved(base.start, e.amount, e.sign, at.moment.tzinfo)
        end = None if base.end is None else moved(base.end, e.amount, e.sign, at.moment.tzinfo)
        if base.start is not None and base.end is not None and start is not None and not e.amount.elapsed:
            # A day moved by a month stays one day, even where the lengths of months differ.
            if base.grain is Grain.DAY:
                end = start + (base.end - base.start)
            elif e.amount.finest == "day" and base.grain in (Grain.WEEKEND, Grain.WEEK, Grain.MONTH, Grain.YEAR):
                base_day = base.start if e.sign < 0 else base.end - DAY
                start = moved(base_day, e.amount, e.sign, None)
                end = start + DAY
        spans.append(Span(start, end, ex.GRAIN[e.amount.finest] if e.amount.elapsed else base.grain))
    return spans


def _join(first: Span, last: ex.Expression, at: At) -> Span | None:
    """From `first` to the first occurrence of `last` after it; a clock time without its half of the day takes the next."""
    if first.start is None:
        return None
    if isinstance(last, ex.Union):  # to the 5th or 6th
        last = last.parts[-1]
    if last.frame is None:
        ends = resolve(last, at)
    else:
        # The window begins with the frame, for what surrounds the last side (its month, its afternoon) may begin before the first.
        frame = "month" if last.frame == "any" else last.frame
        window = Span(floor(first.start, frame, at.conventions.week_start), _horizon(first.start, last, at), Grain.VAGUE)
        if isinstance(last, ex.Clock) and last.zone is not None:  # its day may be another one here
            zoned = (_clock(last, midnight(first.start) + DAY * n, at) for n in (-1, 0, 1, 2))
            ends = [s for s in zoned if s.start is not None and s.start >= first.start][:1]
        elif isinstance(last, ex.Slice):  # 七月中旬到下旬: of the same month, or of the next one
            here = floor(first.start, frame, at.conventions.week_start)
            units = (Span(add(here, n, frame), add(here, n + 1, frame), ex.GRAIN[frame]) for n in (0, 1))
            ends = [s for s in (_slice(last.name, unit) for unit in units) if s.start is not None and s.start >= first.start][
                :1
            ]
        else:
            later_ones = (s for s in occurrences(last, window, at) if s.start is not None and s.start >= first.start)
            ends = list(islice(later_ones, 1))
            if isinstance(last, ex.Day) and ends and last.day > first.start.day and ends[0].start is not None:
                # "June 10 - 31": a day that the month lacks is not that of the next month.
                ends = [s for s in ends if s.start is not None and s.start.month == first.start.month]
        if isinstance(last, ex.Clock) and last.twelve and ends and ends[0].start is not None and first.start == first.end:
            half = Span(ends[0].start - HALF_DAY, ends[0].start - HALF_DAY, last.precision)
            later = Span(ends[0].start + HALF_DAY, ends[0].start + HALF_DAY, last.precision)
            nearer = [s for s in (half, ends[0], later) if s.start is not None and s.start > first.start]
            ends = nearer[:1]
        if not ends and isinstance(last, ex.OnWeekday):  # its weekday is a slip: the date stands by itself
            return _join(first, last.day, at)
    for end in ends:
        if end.end is not None and end.end >= first.start:
            return Span(first.start, end.end, max(first.grain, end.grain))
    return None


def _horizon(start: dt.datetime, last: ex.Expression, at: At) -> dt.datetime:
    frame = last.frame or "year"
    frame = "month" if frame == "any" else frame
    for n in (2, 1):
        try:
            return add(floor(start, frame, at.conventions.week_start), n, frame)
        except OverflowError:
            continue
    return dt.datetime(9999, 12, 31)


_FRAMES = ("day", "week", "month", "any", "year", "century")


def _from_to(e: ex.FromTo, at: At) -> list[Span]:
    if isinstance(e.first, ex.Clock) and e.first.twelve and e.first.hour == 12 and _forenoon(e.last):
        e = replace(e, first=replace(e.first, hour=0, twelve=False))  # 12-3am
    e = _of_one_zone(e)
    if isinstance(e.first, ex.Clock) and isinstance(e.last, ex.Within):
        e = replace(e, last=_past_noon(e.last, e.first))
    first, last = e.first.frame, e.last.frame
    finer = first in ("day", "month") and last is not None and _FRAMES.index(first) < _FRAMES.index(last)
    if first is not None and not isinstance(e.first, ex.Slice) and (last is None or finer):
        # The first side borrows from the last: its latest occurrence that is not after it.
        spans = []
        for end in resolve(e.last, at):
            if end.start is None or end.end is None:
                continue
            frame = _frame_unit(e.first)
            here = floor(end.start, frame, at.conventions.week_start)
            window = Span(add(here, -1, frame), end.end, Grain.VAGUE)
            starts = [s for s in occurrences(e.first, window, at) if s.start is not None and s.start < end.end]
            if isinstance(e.first, ex.Clock) and e.first.twelve and starts and starts[-1].start is not None:
                half = starts[-1].start + HALF_DAY
                if half < end.end:
                    starts.append(Span(half, half, e.first.precision))
            if starts:
                spans.append(Span(starts[-1].start, end.end, max(starts[-1].grain, end.grain)))
        return spans
    every = at.told(at.tense, every=True) if first in ("year", "month") and at.tense == "future" else at
    spans = [_same_half(e, span) for reading in resolve(e.first, every) if (span := _join(reading, e.last, at)) is not None]
    if not spans and (in_order := _in_order(e)) is not None:
        return _from_to(in_order, at)
    if first in ("year", "month") and at.tense == "future" and len(spans) > 1:
        # What has begun is not over while its last side is to come: "from August to October", said in September.
        coming = [s for s in spans if s.start is not None and s.end is not None and s.end > at.wall]
        best = min(coming, key=lambda s: s.start or at.wall, default=spans[0])
        spans = [best, *(s for s in spans if s is not best)]
    return spans


def _in_order(e: ex.FromTo) -> ex.FromTo | None:
    """The same where its last day, taken alone, is ahead of its first: the first before a past one ("from last Monday to last
    Thursday"), or the last after a coming one ("from next Friday to next Monday").
    """
    if isinstance(e.last, ex.Relative) and e.last.n < 0 and isinstance(e.first, ex.Relative) and e.first.n < 0:
        return replace(e, first=e.first.what)
    if isinstance(e.last, ex.Within) and isinstance(e.last.outer, ex.This) and e.last.outer.offset > 0:
        return replace(e, last=e.last.inner) if isinstance(e.last.inner, ex.Weekday) else None
    return None


def _past_noon(e: ex.Expression, first: ex.Clock) -> ex.Expression:
    """The last side of a stretch that begins at noon or after: "noon to 1:30 on the 8th"."""
    if isinstance(e, ex.Within):
        return replace(e, inner=_past_noon(e.inner, first))
    if not isinstance(e, ex.Clock) or not e.twelve or first.twelve or first.hour < 12:
        return e
    later = e.hour % 12 + 12
    return replace(e, hour=later, twelve=False) if (later, e.minute) > (first.hour, first.minute) else e


def _forenoon(e: ex.Expression) -> bool:
    while isinstance(e, ex.Within):
        e = e.inner
    return isinstance(e, ex.Clock) and not e.twelve and e.hour < 12


def _of_one_zone(e: ex.FromTo) -> ex.FromTo:
    """The zone that one side of a stretch of hours names is that of both: "9:30 - 11:00 CST"."""
    zone, first = _zone_of(e.last), _zone_of(e.first)
    if zone is not None and first is None:
        return replace(e, first=_by_zone(e.first, zone))
    return replace(e, last=_by_zone(e.last, first)) if first is not None and zone is None else e


def _by_zone(e: ex.Expression, zone: int | str) -> ex.Expression:
    if isinstance(e, ex.Within):
        return replace(e, inner=_by_zone(e.inner, zone))
    return replace(e, zone=zone) if isinstance(e, ex.Clock) else e


def _zone_of(e: ex.Expression) -> int | str | None:
    while isinstance(e, ex.Within):
        e = e.inner
    return e.zone if isinstance(e, ex.Clock) else None


def _same_half(e: ex.FromTo, span: Span) -> Span:
    """The half of the day that the last side says holds for the first: "3:30 to 6 PM"."""
    if span.start is None or span.end is None or not isinstance(e.last, ex.Clock) or e.last.twelve or not _undecided(e.first):
        return span
    later = span.start + HALF_DAY
    return Span(later, span.end, span.grain) if later < span.end else span


def _undecided(e: ex.Expression) -> bool:
    """Whether it is a clock time of which morning or afternoon is not said, not even by what surrounds it."""
    if isinstance(e, ex.Within):
        return e.outer.grain is not Grain.DAY_PART and _undecided(e.inner)
    return isinstance(e, ex.Clock) and e.twelve


def _open(e: ex.Since | ex.Until, base: Span) -> Span:
    if isinstance(e, ex.Since):
        return Span(base.end if e.after else base.start, None, base.grain)
    return Span(None, base.end if e.through else base.start, base.grain)


def _open_side(e: Any, at: At) -> list[Span]:
    if isinstance(e, ex.Since) and e.back:
        at = at.told("past", every=at.every)
    return [_open(e, base) for base in resolve(e.base, at)]


def _nearest_to(e: ex.Nearest, at: At) -> list[Span]:
    reach = (DAY * 366 if e.what.frame == "year" else DAY * 31) * (e.n + 8)
    for base in resolve(e.base, at):
        if base.start is not None:
            window = Span(base.start - reach, base.start + reach, Grain.VAGUE)
            far = [(abs(span.start - base.start), span) for span in occurrences(e.what, window, at) if span.start is not None]
            if len(far) >= e.n:
                return [sorted(far, key=lambda one: one[0])[e.n - 1][1]]
    return []


def _week_of(e: ex.WeekOf, at: At) -> list[Span]:
    starts = (floor(s.start, "week", at.conventions.week_start) for s in resolve(e.day, at) if s.start is not None)
    return [Span(start, start + almanac.WEEK, Grain.WEEK) for start in starts]


def _rest(e: ex.Rest, at: At) -> list[Span]:
    spans = []
    for base in resolve(e.base, at):
        start = base.start if e.side < 0 else max(base.start, at.wall) if base.start else at.wall
        end = base.end if e.side > 0 else min(base.end, at.wall) if base.end else at.wall
        if start is None or end is None or start <= end:
            spans.append(Span(start, end, base.grain))
    return spans


def _union(e: ex.Union, at: At) -> list[Span]:
    spans = [span for part in e.parts for span in resolve(part, at)[:1]]
    starts, ends = [s.start for s in spans if s.start is not None], [s.end for s in spans if s.end is not None]
    return [Span(min(starts), max(ends), e.grain)] if starts and ends else []


_RESOLVERS: dict[type, Callable[[Any, At], list[Span]]] = {
    ex.Now: lambda e, at: [Span(at.wall, at.wall, Grain.SECOND)],
    ex.This: _this,
    ex.Ago: _ago,
    ex.Rolling: _rolling,
    ex.Vague: _vague,
    ex.Fixed: _fixed,
    ex.Year: _year,
    ex.Decade: _decade_alone,
    ex.Slice: _slice_alone,
    ex.Relative: _relative,
    ex.Current: _current,
    ex.Both: _both,
    ex.Within: _within,
    ex.OnWeekday: _on_weekday,
    ex.Shift: _shift,
    ex.FromTo: _from_to,
    ex.Since: _open_side,
    ex.Until: _open_side,
    ex.Lasting: _lasting,
    ex.InZone: _in_zone,
    ex.Nearest: _nearest_to,
    ex.WeekOf: _week_of,
    ex.WeekendBy: _weekend_by,
    ex.Rest: _rest,
    ex.Union: _union,
    ex.Clock: _bare_clock,
    ex.Numeric: _numeric_alone,
    ex.Length: lambda e, at: [],
    ex.Recurring: lambda e, at: [],
    **dict.fromkeys(
        (
            ex.Month, ex.Day, ex.Weekday, ex.Weekend, ex.DayPart, ex.Quarter, ex.Half, ex.Season, ex.Festival, ex.Lunar,
            ex.SolarTerm, ex.WeekNumber, ex.Nth, ex.Run,
        ),
        _bare,
    ),
}  # fmt: skip
