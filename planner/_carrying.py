"""What follows in the same sentence happens on the day, in the week, month or year told before it.

后天上午九点开会，下午三点见客户: both are the day after tomorrow. 上周一出差，周四回来 and 2024年5月入职，9月转正 alike. Only what is later
than what was told is carried on, for people tell things in their order; "last night" is no frame for the morning after it.
What comes earlier in its week or month than that is of the next one: 下周五出发，周二回来.
A day that heads a note is that of all its hours: "Wed: parents' evening, 6pm", and of the lines of hours below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from planner import expressions as ex
from planner._composition import NO_OUTER, innermost, nest
from planner._grammar import Token
from planner.ranges import Grain

# How far apart, in characters, the two may be, and how far apart a day and an hour are that are said with no comma between.
_FAR, _NEAR = 16, 12
_STOPS = re.compile(r"[。！？!?；;…\n.]")
# What is listed shares its day there or not at all.
_LISTED = re.compile(r"\W*(?:or|and|或者?|和|与|及|还是|以及)\W*")
_PAUSES = re.compile(r"[，,、：:]")
# What heads a line, and what follows a day that heads a note; how far its hour may be from it, if no one does anything there.
_OPENING, _BULLETS = ("", *"\n。.;；!！?？"), " \t-*•·"
_HEADS, _HEADED = re.compile(r"[ \t]*(?:[:：,，\n]|[-–—]+[ \t])"), 40
_DOES = re.compile(r"\b(?:i|we|he|she|they|you|it|i'm|we're|i've|was|were|had|went)\b|[我他她你它们]")


def carry(pieces: list[Token], text: str, apart: Sequence[re.Pattern[str]], turns: Sequence[re.Pattern[str]]) -> None:
    """Puts bare pieces into what the piece before them lies in, and hours behind a daily recurrence into that.

    `apart` and `turns` are, a language each, the words between and about them that make the second a time of its own: what
    is told (昨天说下午三点开会), and what turns to now (昨天上午去过了，下午要再去).
    """
    for at in range(1, len(pieces)):
        told, token = pieces[at - 1], pieces[at]
        if told.weak or token.weak or token.start <= told.end:
            continue
        if (listed := _LINES.fullmatch(text, told.end, token.start)) is not None and _lists(text, told, listed[1]):
            made = _hours_on(told.value, token.value, paused=False)
            pieces[at] = token if made is None else Token(token.start, token.end, "X", made, False, token.rules)
            continue
        heads = _heads(told, token, text)
        if token.start - told.end > (_HEADED if heads else _FAR) or _STOPS.search(text, told.end, token.start):
            continue
        if _LISTED.fullmatch(text, told.end, token.start):
            continue
        paused = not heads and (token.start - told.end > _NEAR or _PAUSES.search(text, told.end, token.start) is not None)
        if isinstance(told.value, ex.Recurring):
            if not paused and told.value.every == _DAILY and _hour(token.value) is not None:
                pieces[at] = Token(token.start, token.end, "X", told.value, False, token.rules)
            continue
        made = _hours_on(told.value, token.value, paused=paused) or (
            _on(told.value, token.value) if token.start - told.end <= _FAR else None
        )
        if made is None or any(word.search(text, told.end, token.start) for word in apart):
            continue
        if not any(word.search(text, told.end, token.end + 2) for word in turns):
            pieces[at] = Token(token.start, token.end, "X", made, False, token.rules)


# A line's end, behind which the next time begins: that of the next line of a list.
_LINES = re.compile(r"([^\n]*)\n[\s\-*•·]*")


def _lists(text: str, told: Token, behind: str) -> bool:
    """Whether the piece is that of a heading, or of a line of the same list: it begins its line, or a mark or nothing ends it."""
    begun = text.rfind("\n", 0, told.start) + 1
    return not text[begun : told.start].strip("-*•· \t") or behind.rstrip().endswith((":", "：")) or not behind.strip()


def halve(
    pieces: list[Token],
    text: str,
    evening: Sequence[tuple[re.Pattern[str], re.Pattern[str]]],
    early: Sequence[re.Pattern[str]],
    by_day: Sequence[re.Pattern[str]],
) -> None:
    """Finds the half of the day of hours of the clock's hands, where what happens then says it: "dinner at 7", "woke up at 4".

    `evening` are, a language each, what stands ahead of an hour of the evening and what stands behind it, `early` what stands ahead
    of one of the morning, `by_day` what is done by day: "call at 3:15". A stretch of digits ends behind its beginning: "9:30 to 3:30".
    """
    for at, token in enumerate(pieces):
        if type(token.value) not in _TIMED or token.weak or not _open(token.value):
            continue
        ahead = _CLAUSE_ENDS.split(text[max(token.start - _HEADED, 0) : token.start])[-1]
        made = _moved(token.value, 6, 10, 12)
        if made is not None:
            late = any(before.search(ahead) or behind.match(text, token.end) for before, behind in evening)
            made = made if late else None
        elif (made := _moved(token.value, 13, 17, -12)) is not None:
            made = made if any(before.search(ahead) for before in early) else None
        if made is None and _AFTERNOON.search(text, token.start, token.end) is not None:
            made = _to_the_afternoon(token.value)
            if made is None and not any(before.search(ahead) for before in early):
                clause = ahead + " " + _CLAUSE_ENDS.split(text[token.end : token.end + _HEADED], maxsplit=1)[0]
                made = _moved(token.value, 1, 5, 12) if any(word.search(clause) for word in by_day) else None
        if made is not None:
            pieces[at] = Token(token.start, token.end, "X", made, False, token.rules)


_TIMED = frozenset({ex.Clock, ex.FromTo, ex.Since, ex.Until, ex.Within, ex.Union})
_AFTERNOON = re.compile(r"(?<![\d:.,])[1-5]:[0-5]\d(?![\d:])")
_CLAUSE_ENDS = re.compile(r"[,.;!?\n，。；！？]| (?:and|but|then) ")


def _to_the_afternoon(e: ex.Expression) -> ex.Expression | None:
    """A stretch of hours from the morning on, with its end in the afternoon; None for all else."""
    if isinstance(e, ex.Within):
        inner = _to_the_afternoon(e.inner)
        return None if inner is None or e.outer.grain is not Grain.DAY else ex.Within(e.outer, inner)
    if not isinstance(e, ex.FromTo):
        return None
    clock, ends = innermost(e.first), _moved(e.last, 1, 5, 12)
    begun = isinstance(clock, ex.Clock) and clock.twelve and clock.hour > 5
    return replace(e, last=ends) if begun and ends is not None else None


def _open(e: ex.Expression) -> bool:
    """Whether it may hold an hour of which no half of the day is said."""
    if isinstance(e, ex.Within):
        return _open(e.inner) and e.outer.grain is Grain.DAY
    if isinstance(e, ex.FromTo):
        return _open(e.first) or _open(e.last)
    if isinstance(e, ex.Since | ex.Until):
        return _open(e.base)
    return e.twelve if isinstance(e, ex.Clock) else isinstance(e, ex.Union)


def _moved(e: ex.Expression, first: int, last: int, hours: int) -> ex.Expression | None:
    """The same time so many hours later, if it is of an hour from `first` to `last` whose half of the day is not said; else None."""
    if isinstance(e, ex.Clock):
        return replace(e, hour=e.hour + hours) if e.twelve and e.zone is None and first <= e.hour <= last else None
    if isinstance(e, ex.FromTo):
        begins, ends = _moved(e.first, first, last, hours), _moved(e.last, first, last, hours)
        return None if begins is None else replace(e, first=begins, last=ends or e.last)
    if isinstance(e, ex.Since | ex.Until):
        base = _moved(e.base, first, last, hours)
        return None if base is None else replace(e, base=base)
    if isinstance(e, ex.Union):
        parts = [_moved(part, first, last, hours) for part in e.parts]
        return None if None in parts else ex.Union(tuple(part for part in parts if part is not None))
    if isinstance(e, ex.Within) and e.outer.grain is Grain.DAY:
        inner = _moved(e.inner, first, last, hours)
        return None if inner is None else ex.Within(e.outer, inner)
    return None


_DAILY = ex.This("day")


def _heads(told: Token, token: Token, text: str) -> bool:
    """Whether a day heads a note, in which the other stands: "Wed: parents' evening, 6pm"."""
    after = _HEADS.match(text, told.end)
    return (
        after is not None
        and _ahead(text, told.start) in _OPENING
        and (after.end() > token.start or _DOES.search(text, after.end(), token.start) is None)
    )


def _ahead(text: str, start: int) -> str:
    """The character ahead of a place, but for spaces and the dots and dashes of a list."""
    while start and text[start - 1] in _BULLETS:
        start -= 1
    return text[start - 1 : start]


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
