"""Joining pieces: a bare expression goes into the coarser one beside it, in either order, in any language.

"上个月 15号 下午 三点" and "3pm on the 15th of last month" are the same tree; no language has a rule for it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from planner import expressions as ex
from planner._grammar import Token
from planner.ranges import Grain

# Given a text and where a day begins in it: what is counted from the event of that day, and where its words begin.
OfEvent = Callable[[str, int, ex.Expression], tuple[int, ex.Expression] | None]

NO_OUTER = (ex.Now, ex.Rolling, ex.Vague, ex.Since, ex.Until, ex.Recurring, ex.Length, ex.Clock, ex.FromTo)
# Units of which the first or the last days, weeks or months may be told: 三季度头两个月.
_DIVIDED = (ex.Year, ex.Month, ex.Quarter, ex.Half, ex.Season, ex.Within, ex.This)
_OUTER_GRAINS: dict[str, frozenset[Grain]] = {
    "day": frozenset({Grain.DAY, Grain.WEEKEND}),
    "week": frozenset({Grain.WEEK}),
    "month": frozenset({Grain.MONTH}),
    "year": frozenset({Grain.YEAR}),
    "century": frozenset({Grain.CENTURY}),
}


def nest(outer: ex.Expression, inner: ex.Expression) -> ex.Expression | None:
    """`inner` put into `outer`, or None where the pair makes no sense."""
    if isinstance(inner, ex.Union):
        return _each(nest(outer, part) for part in inner.parts)
    if isinstance(outer, ex.Union):
        return _each(nest(part, inner) for part in outer.parts)
    if isinstance(inner, ex.Rolling) and inner.whole and len(inner.amount.parts) == 1:
        n, unit = inner.amount.parts[0]
        if outer.grain is Grain.WEEKEND and inner.amount.parts == ((1, "day"),):  # the day before the weekend
            return ex.Shift(outer, inner.amount, inner.sign)
        if not n % 1 and isinstance(outer, _DIVIDED) and outer.grain > ex.GRAIN[unit]:
            return ex.Within(outer, ex.Run(int(n) * -inner.sign, unit))
        return None
    if isinstance(inner, ex.Ago) and isinstance(outer, ex.Weekday) and len(inner.amount.parts) == 1:
        n, unit = inner.amount.parts[0]
        if unit == "week" and not n % 1:  # "Monday two weeks from now" is in that week
            return ex.Within(ex.This("week", int(n) * inner.sign), outer)
        if unit == "day":
            return inner
    if isinstance(inner, ex.Ago) and isinstance(outer, (ex.Festival, ex.Lunar, ex.SolarTerm)) and len(inner.amount.parts) == 1:
        n, unit = inner.amount.parts[0]
        if unit == "year" and not n % 1:  # Diwali two years ago is that year's
            return ex.Within(ex.This("year", int(n) * inner.sign), outer)
    if isinstance(inner, ex.Ago) and not isinstance(outer, NO_OUTER):
        return ex.Shift(outer, inner.amount, inner.sign) if not inner.amount.elapsed else None
    frame = inner.frame
    if frame == "day" and isinstance(outer, ex.FromTo) and isinstance(outer.first, ex.This) and isinstance(outer.last, ex.This):
        days = range(outer.first.offset, outer.last.offset + 1)
        if outer.first.unit == outer.last.unit == "day" and 1 < len(days) < 4:  # 今明两天下午
            return ex.Union(tuple(ex.Within(ex.This("day", n), inner) for n in days))
        return None
    if (
        frame is None
        and isinstance(inner, (ex.Since, ex.Until, ex.Lasting, ex.InZone, ex.WeekendBy))
        and inner.base.frame is not None
    ):
        base = nest(outer, inner.base)
        return None if base is None else replace(inner, base=base)
    if frame is None and isinstance(inner, ex.WeekOf) and inner.day.frame is not None:  # Easter week 2027
        day = nest(outer, inner.day)
        return None if day is None else ex.WeekOf(day)
    if frame is None or isinstance(outer, NO_OUTER):
        return None
    grain = outer.grain
    if isinstance(outer, ex.Ago):
        (n, unit), *finer = outer.amount.parts
        if not finer and not n % 1 and ex.GRAIN[unit] in _OUTER_GRAINS.get(frame, frozenset()) and unit != "day":
            return ex.Within(ex.This(unit, int(n) * outer.sign), inner)  # 三年前的九月, two weeks ago on Friday
        if outer.amount.elapsed or frame != "day":
            return None
        return ex.Within(ex.Shift(ex.This("day"), outer.amount, outer.sign), inner)
    if frame == "any":
        feast = innermost(outer)
        if isinstance(inner, ex.Nth) and inner.what == "day" and isinstance(feast, ex.Festival) and feast.holiday:
            return ex.Within(outer, inner)  # the last day of Ramadan
        if isinstance(inner, ex.Slice):
            return ex.Within(outer, inner) if grain >= Grain.DAY_PART else None
        return ex.Within(outer, inner) if grain > inner.grain else None
    if frame == "day" and grain is Grain.DAY_PART:
        if isinstance(inner, ex.DayPart) and isinstance(outer, ex.Within) and isinstance(outer.inner, ex.DayPart):
            # the small hours of Monday morning
            return ex.Within(outer.outer, inner) if (inner.name, outer.inner.name) == ("small_hours", "morning") else None
        return ex.Within(outer, inner) if inner.grain <= Grain.HOUR else None
    if frame == "week" and grain is Grain.DAY:
        if isinstance(inner, ex.Weekday):
            return _agree(inner, outer)
        if isinstance(inner, ex.Within) and isinstance(inner.outer, ex.Weekday):
            day = _agree(inner.outer, outer)
            return None if day is None else ex.Within(day, inner.inner)
        return None
    if grain in _OUTER_GRAINS.get(frame, frozenset()):
        return ex.Within(outer, inner)
    return None


def _each(parts: Iterable[ex.Expression | None]) -> ex.Expression | None:
    made = [part for part in parts if part is not None]
    return ex.Union(tuple(made)) if made else None


def _agree(weekday: ex.Weekday, day: ex.Expression) -> ex.Expression | None:
    if isinstance(day, ex.Weekday):
        return None
    return day if isinstance(day, (ex.This, ex.Fixed)) else ex.OnWeekday(weekday.weekday, day)


def innermost(e: ex.Expression) -> ex.Expression:
    while isinstance(e, ex.Within):
        e = e.inner
    return e


def beside(base: ex.Expression, window: ex.Rolling) -> ex.Expression:
    """So many units before or after `base`; a single day is that day, and may be divided further (国庆前一天晚上)."""
    if window.amount.parts in (((1, "day"),), ((1, "workday"),)):
        return ex.Shift(base, window.amount, window.sign)
    return ex.Rolling(window.amount, window.sign, base=base)


def join(left: ex.Expression, right: ex.Expression) -> ex.Expression | None:
    """Two neighbours as one expression, whichever of them is the outer."""
    if isinstance(left, ex.Recurring):
        return left if right.frame is not None else None
    if isinstance(right, ex.Recurring):
        if right.every is not None and right.every.grain is left.grain and not isinstance(left, ex.FromTo):
            return None  # 周一到周五每天
        return right if left.frame in ("day", "week", "month", "any") else None
    if (
        isinstance(left, ex.Current)
        and isinstance(left.what, ex.Weekday)
        and right.grain is Grain.DAY
        and right.frame in ("month", "year")
    ):
        return ex.OnWeekday(left.what.weekday, right)  # "this Friday, the 5th"
    if isinstance(right, ex.Rolling) and right.whole and right.base is None:
        feast, (n, unit) = innermost(left), right.amount.parts[0]
        if isinstance(feast, ex.Festival) and feast.holiday and unit == "day" and n > 1 and not n % 1:
            return ex.Within(left, ex.Run(int(n) * -right.sign, "day"))  # 国庆假期前三天
        if isinstance(left, (ex.Festival, ex.SolarTerm)):
            return beside(left, right)
    for dated, named in ((left, right), (right, left)):  # 9月25号中秋 is one day, said twice
        if isinstance(named, (ex.Festival, ex.SolarTerm)) and isinstance(innermost(dated), ex.Day) and dated.frame != "month":
            return dated
    nested = nest(left, right)
    # "三天前 昨天" is no date; "2月13号 一个月以前" is. A solar term is no outer piece: 小雪今年没来 is of a girl.
    if nested is None and not isinstance(left, (ex.Ago, ex.SolarTerm)):
        nested = nest(right, left)
    return nested


def in_zone(e: ex.Expression, zone: int | str) -> ex.Expression | None:
    """A time of day by the clocks of `zone`; None for what no clock shows, and where the zone is said already."""
    inner: ex.Expression = e
    while isinstance(inner, (ex.Within, ex.FromTo, ex.Since, ex.Until)):
        inner = inner.inner if isinstance(inner, ex.Within) else inner.last if isinstance(inner, ex.FromTo) else inner.base
    shown = isinstance(inner, (ex.Clock, ex.DayPart)) or (isinstance(inner, ex.Fixed) and inner.precision is Grain.MINUTE)
    return ex.InZone(e, zone) if shown and getattr(inner, "zone", None) is None else None


# Nobody says a time in more pieces than so many rules read; what a text strings together beyond is not one time.
_LARGEST = 48


def narrow(tokens: list[Token], glue: frozenset[str]) -> list[Token]:
    """The tokens with neighbouring pieces joined; glue words ("of", 的) may stand between them."""
    if [token.cat for token in tokens].count("X") < 2:
        return tokens
    if ex.DayPart in [type(token.value) for token in tokens]:
        tokens = _day_parts(tokens)
    stack: list[Token] = []
    for token in tokens:
        while token.cat == "X":
            below = len(stack) - 1
            while below >= 0 and stack[below].cat in glue:
                below -= 1
            if below < 0 or stack[below].cat != "X":
                break
            left = stack[below]
            if below > 0 and stack[below - 1].cat in _RANGING and _paused(stack[below + 1 :]) and token.value.frame != "day":
                break  # 加班到十点，明天请假
            if (
                isinstance(left.value, ex.Within)
                and left.value.frame == token.value.frame == "day"
                and _paused(stack[below + 1 :])
            ):
                break  # 下午三点，晚上七点
            joined = join(left.value, token.value) if len(left.rules) + len(token.rules) <= _LARGEST else None
            if joined is None:
                break
            del stack[below:]
            token = Token(left.start, token.end, "X", joined, left.weak and token.weak, left.rules + token.rules)
        stack.append(token)
    return stack


def _paused(between: list[Token]) -> bool:
    return any(token.cat == "COMMA" for token in between)


def _day_parts(tokens: list[Token]) -> list[Token]:
    """A part of the day goes to the day before it first: in "5 pm Monday afternoon" the clock time is of that afternoon, and
    "half past four in the afternoon" says which half it means."""
    out: list[Token] = []
    for token in tokens:
        day = out[-1] if out else None
        if day is not None and day.cat == "X" and isinstance(token.value, ex.DayPart) and _parted(day.value):
            joined = join(day.value, token.value)
            if joined is not None:
                token = Token(day.start, token.end, "X", joined, day.weak and token.weak, day.rules + token.rules)
                out.pop()
        out.append(token)
    return out


def _parted(e: ex.Expression) -> bool:
    return e.grain is Grain.DAY or (isinstance(e, ex.Clock) and e.twelve)


def lend(
    pieces: list[Token], text: str, attributes: Sequence[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]]
) -> None:
    """The clock time that tells one thing from others is of the day told behind that thing: "the 3pm call on Thursday".

    `attributes` are, a language each, what stands ahead of such a clock time, what lies between it and the day, and what does
    where it would else be taken for that of the day ahead of it: "haircut on Saturday, lunch with my parents on Sunday".
    """
    for token, behind in itertools.pairwise(pieces):
        if isinstance(token.value, ex.Within) and token.value.inner.frame == "day" and behind.value.grain is Grain.DAY:
            paused = text.find(",", token.start, token.end)
            if paused >= 0 and any(c.fullmatch(text, token.end, behind.start) for _, _, c in attributes):
                token.value, token.end = token.value.outer, paused
                continue
        timed = token.value.first if isinstance(token.value, ex.FromTo) else token.value
        if not isinstance(timed, ex.Clock) or behind.value.grain is not Grain.DAY or behind.value.frame == "day":
            continue
        ahead = text[max(token.start - 8, 0) : token.start]
        if any(a.search(ahead) and b.fullmatch(text, token.end, behind.start) for a, b, _ in attributes):
            token.value = nest(behind.value, token.value) or token.value


def place(pieces: list[Token], text: str, events: Sequence[re.Pattern[str]], ahead: Sequence[OfEvent]) -> None:
    """What is counted from an event whose day is told beside it is counted from that day: 9月20号婚礼前一天.

    `events` are, a language each, what lies between the day and what is counted from it; `ahead` read what stands before
    the day where a language says it there: "two days before the exam on Monday".
    """
    for at in range(len(pieces) - 1, -1, -1):
        day = pieces[at]
        if day.value.grain is not Grain.DAY or day.weak or isinstance(day.value, NO_OUTER):
            continue
        for reads in ahead:
            found = reads(text, day.start, day.value)
            if found is not None:
                start, meant = found
                first = next(n for n, token in enumerate(pieces) if token.end > start)
                pieces[first : at + 1] = [Token(start, day.end, "X", meant, False, day.rules)]
                return
        if at + 1 == len(pieces):
            continue
        counted = pieces[at + 1]
        made = _counted_from(day.value, counted.value)
        if made is None or not any(event.fullmatch(text, day.end, counted.start) for event in events):
            continue
        end, rules, used = counted.end, counted.rules + day.rules, at + 2
        if used < len(pieces) and pieces[used].start - end <= 1 and (part := nest(made, pieces[used].value)) is not None:
            made, end, rules, used = part, pieces[used].end, rules + pieces[used].rules, used + 1  # 前一天晚上
        pieces[at:used] = [Token(day.start, end, "X", made, False, rules)]


def _counted_from(day: ex.Expression, value: ex.Expression) -> ex.Expression | None:
    """What `value` counts (前一天, 三天后, 第三天, 前一晚) from that day on; None where it counts nothing."""
    if isinstance(value, ex.Within) and isinstance(value.outer, ex.Rolling):
        outer = _counted_from(day, value.outer)
        return None if outer is None else ex.Within(outer, value.inner)
    if isinstance(value, ex.Rolling):
        return beside(day, value) if value.whole and value.base is None and not value.amount.elapsed else None
    if isinstance(value, ex.Nth):
        return ex.Shift(day, ex.Amount(((value.n, "day"),)), 1) if value.what == "day" and value.n > 0 else None
    return ex.Shift(day, value.amount, value.sign) if isinstance(value, ex.Ago) and not value.amount.elapsed else None


_LISTING = frozenset({"AND", "OR", "LIST", "COMMA"})
_RANGING = frozenset({"DASH", "TO", "ZTO"})


def share(tokens: list[Token]) -> list[Token]:
    """In a list, what one piece says about its surroundings holds for the others: 下周三和周五, "Monday and Friday next week"."""
    for at in (*range(1, len(tokens) - 1), *range(len(tokens) - 2, 0, -1)):
        left, mid, right = tokens[at - 1], tokens[at], tokens[at + 1]
        if mid.cat not in _LISTING or left.cat != "X" or right.cat != "X":
            continue
        if isinstance(left.value, ex.Recurring) and right.value.frame is not None:  # "every month on the 1st and the 15th"
            right.value = left.value
            continue
        ends = at > 1 and tokens[at - 2].cat in _RANGING  # the end of a range has the day of its beginning
        for source, target in ((left, right), (right, left)):
            if target is left and (ends or not _behind(left, right)):
                continue
            outer = outer_of(source.value, target.value.frame)
            if _half(target.value):  # 明天下午三点，晚上七点
                outer = outer.outer if isinstance(outer, ex.Within) and _half(outer.inner) else None if _half(outer) else outer
            if outer is not None:
                nested = nest(outer, target.value)
                if nested is not None:
                    target.value, target.weak = nested, target.weak and source.weak
                    break
    return tokens


def _half(e: ex.Expression | None) -> bool:
    """Whether it says its part of the day."""
    return isinstance(e.outer if isinstance(e, ex.Within) and e.frame == "day" else e, ex.DayPart)


def _behind(left: Token, right: Token) -> bool:
    """Whether what the right one says of its surroundings is told behind it, as in "Monday and Friday next week", and not 周六和下周一."""
    said = tuple(
        name.replace(".weak_", ".") for name in left.rules
    )  # "spring and summer 2025": a weak piece is one of its kind
    return len(right.rules) > len(said) and tuple(name.replace(".weak_", ".") for name in right.rules[: len(said)]) == said


def outer_of(source: ex.Expression, frame: str | None) -> ex.Expression | None:
    """The part of `source` that surrounds its own piece of the same frame."""
    source = source.parts[0] if isinstance(source, ex.Union) else source
    while frame is not None and isinstance(source, ex.Within):
        if source.inner.frame == frame or (frame == "day" and source.grain <= Grain.DAY_PART and source.inner.frame == "day"):
            return source.outer
        source = source.outer
    return None
