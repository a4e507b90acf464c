"""What follows in the same sentence happens on the day, in the week, month or year told before it.

后天上午九点开会，下午三点见客户: both are the day after tomorrow. 上周一出差，周四回来 and 2024年5月入职，9月转正 alike. Only what is later
than what was told is carried on, for people tell things in their order; "last night" is no frame for the morning after it.
What comes earlier in its week or month than that is of the next one: 下周五出发，周二回来.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from planner import expressions as ex
from planner._composition import NO_OUTER, nest
from planner._grammar import Token
from planner.ranges import Grain

# How far apart, in characters, the two may be, and how far apart a day and an hour are that are said with no comma between.
_FAR, _NEAR = 16, 12
_STOPS = re.compile(r"[。！？!?；;…\n.]")
# What is listed shares its day there or not at all.
_LISTED = re.compile(r"\W*(?:or|and|或者?|和|与|及|还是|以及)\W*")
_PAUSES = re.compile(r"[，,、：:]")


def carry(pieces: list[Token], text: str, apart: Sequence[re.Pattern[str]], turns: Sequence[re.Pattern[str]]) -> None:
    """Puts bare pieces into what the piece before them lies in, and hours behind a daily recurrence into that.

    `apart` and `turns` are, a language each, the words between and about them that make the second a time of its own: what
    is told (昨天说下午三点开会), and what turns to now (昨天上午去过了，下午要再去).
    """
    for at in range(1, len(pieces)):
        told, token = pieces[at - 1], pieces[at]
        if told.weak or token.weak or token.start <= told.end:
            continue
        if (listed := _LINES.fullmatch(text, told.end, token.start)) is not None and _heads(text, told, listed[1]):
            made = _hours_on(told.value, token.value, paused=False)
            pieces[at] = token if made is None else Token(token.start, token.end, "X", made, False, token.rules)
            continue
        if token.start - told.end > _FAR or _STOPS.search(text, told.end, token.start):
            continue
        if _LISTED.fullmatch(text, told.end, token.start):
            continue
        paused = _PAUSES.search(text, told.end, token.start) is not None
        if isinstance(told.value, ex.Recurring):
            if not paused and told.value.every == _DAILY and _hour(token.value) is not None:
                pieces[at] = Token(token.start, token.end, "X", told.value, False, token.rules)
            continue
        made = _hours_on(told.value, token.value, paused=paused or token.start - told.end > _NEAR) or _on(
            told.value, token.value
        )
        if made is None or any(word.search(text, told.end, token.start) for word in apart):
            continue
        if not any(word.search(text, told.end, token.end + 2) for word in turns):
            pieces[at] = Token(token.start, token.end, "X", made, False, token.rules)


# A line's end, behind which the next time begins: that of the next line of a list.
_LINES = re.compile(r"([^\n]*)\n[\s\-*•·]*")


def _heads(text: str, told: Token, behind: str) -> bool:
    """Whether the piece is that of a heading, or of a line of the same list: it begins its line, or a mark or nothing ends it."""
    begun = text.rfind("\n", 0, told.start) + 1
    return not text[begun : told.start].strip("-*•· \t") or behind.rstrip().endswith((":", "：")) or not behind.strip()


_DAILY = ex.This("day")


def _hour(e: ex.Expression) -> float | None:
    """The hour of a time of day that is said without its day; None for all else."""
    if isinstance(e, ex.FromTo):
        return _hour(e.first) if e.frame == "day" else None
    if isinstance(e, ex.Within) and isinstance(e.outer, ex.DayPart) and isinstance(e.inner, ex.Clock):
        hour = _hour(e.inner) or 0.0
        return hour + 12 if e.inner.twelve and hour < 12 <= e.outer.last and e.outer.first >= 11 else hour
    if isinstance(e, ex.Clock):
        return e.hour + e.minute / 60
    return e.first if isinstance(e, ex.DayPart) else None


def _hours_on(told: ex.Expression, e: ex.Expression, *, paused: bool) -> ex.Expression | None:
    """A time of day on the day of `told`, if it is later in it."""
    if isinstance(e, ex.Nth) and e.what == e.default == "day" and e.n > 1:  # 3号到的，第二天就走了
        day, _ = _parted(told)
        if isinstance(day, ex.Shift) and day.sign > 0:  # the third day is counted from where the second was
            day = day.base
        whole = day.grain is Grain.DAY and day.frame != "day" and not isinstance(day, NO_OUTER)
        return ex.Shift(day, ex.Amount(((e.n - 1, "day"),)), 1) if whole else None
    hour = _hour(e)
    if hour is None:
        return None
    day, said = _parted(told.first if isinstance(told, ex.FromTo) else told)
    if day.grain is not Grain.DAY or day.frame == "day" or isinstance(day, NO_OUTER):
        return None
    if said is None:
        return None if paused else nest(day, e)
    begun = _hour(said)
    if begun is None:
        return None
    if hour <= begun < hour + 12 < 24 and (later := _afternoon(e)) is not None:
        e, hour = later, hour + 12
    return nest(day, e) if hour > begun else None


def _parted(e: ex.Expression) -> tuple[ex.Expression, ex.Expression | None]:
    """A day, and what of it is told."""
    if not isinstance(e, ex.Within) or e.grain >= Grain.DAY:
        return e, None
    if e.outer.grain < Grain.DAY:
        day, said = _parted(e.outer)
        return day, e.inner if said is None else ex.Within(said, e.inner)
    day, said = _parted(e.inner)
    return (e.outer, e.inner) if said is None else (ex.Within(e.outer, day), said)


def _afternoon(e: ex.Expression) -> ex.Expression | None:
    """The same time of a clock's hands in the second half of the day; None where the half is said."""
    if isinstance(e, ex.FromTo):
        first, last = _afternoon(e.first), _afternoon(e.last)
        return None if first is None or last is None else ex.FromTo(first, last)
    return replace(e, hour=e.hour + 12, twelve=False) if isinstance(e, ex.Clock) and e.twelve and e.hour < 12 else None


# What is told of a piece so that another of its kind may follow it.
_ORDERED: dict[type[ex.Expression], str] = {ex.Weekday: "weekday", ex.Day: "day", ex.Month: "month"}


def _on(told: ex.Expression, e: ex.Expression) -> ex.Expression | None:
    """A weekday of the week of `told`, a day of its month, a month of its year, if it is later in it; else of the next one."""
    lead = e.first if isinstance(e, ex.FromTo) else e
    while isinstance(lead, ex.Within):
        lead = lead.outer
    name = _ORDERED.get(type(lead))
    if name is None:
        return None
    told = told.last if isinstance(told, ex.FromTo) and isinstance(told.last, ex.Within) else told
    told = told.first if isinstance(told, ex.FromTo) else told
    while isinstance(told, ex.Within):
        if type(told.inner) is type(lead):
            outer = told.outer if getattr(lead, name) > getattr(told.inner, name) else _next(told.outer, told.inner, lead)
            return None if outer is None else nest(outer, e)
        told = told.outer
    return None


# A day of the month that is so much smaller is of the next month: 6月28号去的，3号回来.
_WRAPPED = 15


def _next(outer: ex.Expression, told: ex.Expression, e: ex.Expression) -> ex.Expression | None:
    """The week or the month after `outer`, where the second of two weekdays or days seems to lie in it."""
    if isinstance(outer, ex.This) and outer.unit == "week" and e != told:
        return ex.This("week", outer.offset + 1)
    if isinstance(told, ex.Day) and isinstance(e, ex.Day) and told.day - e.day >= _WRAPPED:
        month = outer.inner if isinstance(outer, ex.Within) else outer
        if isinstance(month, ex.Month) and month.month < 12:
            after = ex.Month(month.month + 1)
            return ex.Within(outer.outer, after) if isinstance(outer, ex.Within) else after
        if isinstance(outer, ex.This) and outer.unit == "month":
            return ex.This("month", outer.offset + 1)
    return None
