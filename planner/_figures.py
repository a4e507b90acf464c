"""Figures that mean the same in every language: dates, clock times and their ranges written in digits.

A run of digits and the marks that join them is read whole or not at all, so that a telephone number, a version or a price
does not hold a date by accident. Gives tokens INT, DEC, CLOCK, X (a date), ORDINAL, and JUNK for what is no time.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

from planner import expressions as ex
from planner._later import later
from planner.ranges import Grain

_BLOB = later(
    r"\d{4}-(?:\d\d?-\d\d?[t ]|\d\d-\d\d-?(?=\d\d:))\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:z\b|[+-]\d\d:?\d\d\b))?"  # ISO date and time
    r"|\d+(?:[.:/,\-–—~]\d+){0,15}"  # more would be read again and again, number by number
)
_YMD = later(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)")
_ISO = later(r"(\d{4})-(\d\d?)-(\d\d?)[t -]?(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?: ?(z|[+-]\d\d:?\d\d))?")
_COMPACT = later(r"(19\d\d|20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_SHORT_YMD = later(r"(1[3-9]|2\d|3[2-9]|4\d)-(\d\d?)-(\d)")  # a first number that is no day nor month
_YM = later(r"(\d{4})([-/.])(\d\d?)")
_MY = later(r"(\d\d?)([-/])(\d{4})")
_DMY = later(r"(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)")
_YEAR_FIRST = later(r"(1[3-9]|[234]\d)([-/.])(\d\d?)\2(\d\d?)")
_VERSION = later(r"(?:[a-z]|版本?|级到?) ?$")
_MD = later(r"(\d\d?)/(\d\d?)")
_HM = later(r"(\d\d?):(\d\d)(?::(\d\d))?")
_DOTTED = later(r"([1-9]|1[0-2])\.([0-5]\d)()")
_MERIDIEM = later(r" ?(?:(a|p)\.? ?m(?![a-z0-9_])(?:(?<=\. m)\.|(?<=\.m)\.)?|(a|p)(?!\.?[a-z0-9_]))")
_ORDINAL = later(r"(?:st|nd|rd|th)\b")
_HOUR_MARK = later(r"h(\d\d)?\b")
_TENS = later(r"'?s\b")
_OFFSET = later(r" ?([+-])(\d\d?):?(\d\d)?\b")
_ZONE = later(
    r" ?(?:\(?(z|utc|gmt)(?![a-z0-9_]) ?([+-]\d\d?(?::?\d\d)?)?\)?|(?<=\d)([+-]\d\d:\d\d)\b(?! ?[ap]\.?m)"
    # "18:00 -0700": behind a space and without a colon it ends no range
    r"|(?<=[\dm] )([+-](?:0\d|1[0-4])(?:00|15|30|45))\b(?! ?[ap]\.?m))"
)
_PLACE = later(r" ?[(\[]?((?:africa|america|asia|atlantic|australia|europe|indian|pacific)/[a-z_]+(?:/[a-z_]+)?)[)\]]?")
# Marks that make a number part of something else when they touch it.
_TOUCHING = frozenset("$€£¥￥#@_=&%+*^\\")


def day(year: int, month: int, number: int) -> ex.Fixed | None:
    """One stated day, or None where the calendar has none such."""
    try:
        start = dt.datetime(year, month, number)
        return ex.Fixed(start, start + dt.timedelta(days=1), Grain.DAY)
    except (ValueError, OverflowError):
        return None


def month(year: int, number: int) -> ex.Expression | None:
    return ex.Within(ex.Year(year), ex.Month(number)) if 1 <= number <= 12 and 1 <= year <= 9998 else None


def two_digit_year(number: int) -> int:
    """The year meant by two digits: 00-49 this century, 50-99 the last."""
    return number + (2000 if number < 50 else 1900)


def clock(hour: int, minute: int, second: int, meridiem: str | None, zone: int | str | None = None) -> ex.Clock | None:
    """A time of day of digits with a minute; None where a clock shows none such."""
    if minute > 59 or second > 59 or hour > 24 or (hour == 24 and minute):
        return None
    if meridiem:
        if not 1 <= hour <= 12:
            return ex.Clock(hour, minute, second, zone=zone) if hour <= 24 else None
        return ex.Clock(hour % 12 + (12 if meridiem == "p" else 0), minute, second, zone=zone)
    return ex.Clock(hour, minute, second, twelve=1 <= hour <= 12, zone=zone)


def _zone_minutes(text: str) -> int:
    if text in ("z", "Z"):
        return 0
    digits = text[1:].replace(":", "")
    minutes = int(digits[:2]) * 60 + int(digits[2:] or 0)
    return -minutes if text[0] == "-" else minutes


def zone_offset(text: str, start: int) -> int | None:
    """The minutes east of UTC that stand at `start`, behind a name of UTC: "UTC+5:30"."""
    offset = _OFFSET.match(text, start)
    return None if offset is None else _zone_minutes(offset[1] + offset[2].zfill(2) + (offset[3] or ""))


def _date(blob: str) -> Any:
    """The date a whole blob of digits spells, as an expression; a tuple where the order of day and month is open."""
    if (m := _ISO.fullmatch(blob)) is not None:
        year, month_, number, hour, minute = (int(g) for g in m.groups()[:5])
        try:
            start = dt.datetime(year, month_, number, hour % 24, minute, int(m[6] or 0))
            start += dt.timedelta(days=hour // 24)
        except (ValueError, OverflowError):
            return None
        return ex.Fixed(start, start, Grain.MINUTE, None if m[7] is None else _zone_minutes(m[7]))
    if (m := _YMD.fullmatch(blob)) is not None:
        return day(int(m[1]), int(m[3]), int(m[4]))
    if (m := _COMPACT.fullmatch(blob)) is not None:
        return day(int(m[1]), int(m[2]), int(m[3]))
    if (m := _SHORT_YMD.fullmatch(blob)) is not None:
        return day(2000 + int(m[1]), int(m[2]), int(m[3]))
    if (m := _DMY.fullmatch(blob)) is not None and not (m[2] == "." and len(blob) < 7):  # 1.1.30 is a version
        year = int(m[4]) if len(m[4]) == 4 else two_digit_year(int(m[4]))
        if m[2] == "." and (stated := day(year, int(m[3]), int(m[1]))) is not None:
            return stated  # where dates are written with points, the day comes first
        return ("slash", int(m[1]), int(m[3]), year)
    if (m := _YM.fullmatch(blob)) is not None and 1900 <= int(m[1]) <= 2100:
        return month(int(m[1]), int(m[3]))
    if (m := _MY.fullmatch(blob)) is not None and 1900 <= int(m[3]) <= 2100:
        return month(int(m[3]), int(m[1]))
    if (m := _MD.fullmatch(blob)) is not None and blob != "24/7":
        return ("slash", int(m[1]), int(m[2]), None)
    return None


def _dotted_day(said: str) -> ex.Expression | None:
    """10.7, behind a date that is written so: the day of a month."""
    number, _, of_it = said.partition(".")
    if not (1 <= len(of_it) <= 2 and 1 <= int(number) <= 12 and 1 <= int(of_it) <= 31):
        return None
    return ex.Within(ex.Month(int(number)), ex.Day(int(of_it)))


def tokens(text: str, start: int, token: Any, joined: bool = False) -> tuple[list[Any], int]:
    """The tokens of the figures that begin at `start`, and where they end; `joined` to a time word by the mark before them."""
    match = _BLOB.match(text, start)
    assert match is not None
    blob, end = match.group(), match.end()
    before = text[start - 1] if start and not joined else ""
    named = start > 1 and text[start - 2].isalnum() and text[start - 2].isascii()
    if before == "/" and named and not text[start - 2].isdigit():  # of an address or a path
        return [token(start, end, "JUNK", None)], end
    if before == "+" and not text[: start - 1].rstrip(" ,(;:") and len(blob) < 4:  # "+2 months", which opens a text
        return [token(start - 1, start, "PLUS", None), token(start, end, "INT", int(blob))] if blob.isdigit() else [], end
    if before and (before in _TOUCHING or (before in "-–." and named)) and not (before in "-_" and _stamp(blob)):
        return [token(start, end, "JUNK", None)], end
    if joined and (m := _MY.fullmatch(blob)) is not None:  # Sep-08-2026: the day and the year
        parts, at = [], start
        for said in (m[1], m[2], m[3]):
            parts.append(
                token(
                    at,
                    at + len(said),
                    "INT" if said.isdigit() else "DASH" if said == "-" else "SLASH",
                    int(said) if said.isdigit() else None,
                )
            )
            at += len(said)
        return parts, end
    after = text[end : end + 1]
    if after and (after in "%°℃" or (after == "." and text[end + 1 : end + 2].isalnum() and not _stamp(blob))):
        return [token(start, end, "JUNK", None)], end
    return _parts(text, blob, start, end, token)


def _stamp(blob: str) -> bool:
    """Whether it is a whole date with its year first, which is one even inside a file's name: report-20170302.html."""
    return len(blob) >= 8 and (_YMD.fullmatch(blob) or _COMPACT.fullmatch(blob)) is not None


def _parts(text: str, blob: str, start: int, end: int, token: Any) -> tuple[list[Any], int]:
    if blob.isdigit() and len(blob) <= 4:
        return _integer(text, blob, start, end, token)
    if (m := _YEAR_FIRST.fullmatch(blob)) is not None and (not text.isascii() or (m[2] == "." and len(m[4]) == 1)):
        # Chinese notes write the year first. With dots only its place tells a date from a version: it counts beside a time.
        dated = day(2000 + int(m[1]), int(m[3]), int(m[4]))
        if dated is not None and (m[2] != "." or _VERSION.search(text, 0, start) is None):
            return [token(start, end, "X", dated, m[2] == ".", ("figures.date",))], end
    date = _date(blob)
    if date is not None:
        if isinstance(date, tuple):
            return [token(start, end, "X", ex.Numeric(*date[1:]), False, ("figures.date",))], end
        if isinstance(date, ex.Fixed) and date.precision is Grain.MINUTE and date.zone is None:
            zone, end = _zone_behind(text, end)
            date = date if zone is None else replace(date, zone=zone)
        return [token(start, end, "X", date, False, ("figures.date",))], end
    if (m := _HM.fullmatch(blob)) is not None:
        return _time(text, m, start, end, token)
    for mark in ("~", "–", "—", "-"):
        if mark in blob and blob.count(mark) == 1:
            left, right = blob.split(mark)
            middle = start + len(left)
            first, _ = _parts(text[:middle], left, start, middle, token)
            second, stop = _parts(text, right, middle + 1, end, token)
            if (_COMPACT.fullmatch(left) is None) != (_COMPACT.fullmatch(right) is None):  # 021-20081231, 20260901-17
                break
            if first[0].cat == "X" and second[0].cat == "DEC" and "." in left and (ends_on := _dotted_day(right)) is not None:
                second = [token(middle + 1, end, "X", ends_on, False, ("figures.date",))]  # 2026.10.1-10.7
            good = {"INT", "X", "CLOCK", "DEC"}
            alike = (first[0].cat == "DEC") == (second[0].cat == "DEC")
            alike = alike or (second[0].cat == "CLOCK" and "." in right and _DOTTED.fullmatch(left) is not None)  # 8.30-9.15am
            if first[0].cat in good and second[0].cat in good and alike:
                return [*first, token(middle, middle + 1, "DASH", None), *second], stop
    if re.fullmatch(r"\d+\.\d+", blob):
        if (m := _DOTTED.fullmatch(blob)) is not None and (meridiem := _MERIDIEM.match(text, end)) is not None and meridiem[1]:
            return _time(text, m, start, end, token)  # 8.30 pm
        return [token(start, end, "DEC", float(blob))], end
    if len(blob) < 16 and re.fullmatch(r"\d{1,3}(,\d{3})+", blob):
        return [token(start, end, "INT", int(blob.replace(",", "")))], end
    if "," in blob:  # a list or "3,2024": the comma parts numbers
        head, _, _ = blob.partition(",")
        return _parts(text, head, start, start + len(head), token)
    return [token(start, end, "JUNK", None)], end


def _integer(text: str, blob: str, start: int, end: int, token: Any) -> tuple[list[Any], int]:
    number = int(blob)
    rest = text[end : end + 6]
    if rest[:1].isalpha() or rest[:1] in " '.":
        if (m := _ORDINAL.match(rest)) is not None:
            return [token(start, end + m.end(), "ORDINAL", number)], end + m.end()
        if (m := _MERIDIEM.match(rest)) is not None and 1 <= number <= 12 and (m[1] or rest[:1] != " "):
            zone, stop = _zone_behind(text, end + m.end())
            return [token(start, stop, "CLOCK", clock(number, 0, 0, m[1] or m[2], zone))], stop
        if (m := _MERIDIEM.match(rest)) is not None and len(blob) in (3, 4) and m[1]:
            made = clock(number // 100, number % 100, 0, m[1])
            if made is not None:
                return [token(start, end + m.end(), "CLOCK", made)], end + m.end()
        if (m := _HOUR_MARK.match(rest)) is not None and number <= 24 and (m[1] or rest[1:2] != "h"):
            made = clock(number, int(m[1] or 0), 0, None)
            if made is not None and m[1]:
                return [token(start, end + m.end(), "CLOCK", made)], end + m.end()
        if (m := _TENS.match(rest)) is not None and number % 10 == 0 and (len(blob) == 2 or 1000 <= number <= 2090):
            return [token(start, end + m.end(), "TENS", number)], end + m.end()
    return [token(start, end, "INT", number)], end


@lru_cache(maxsize=1)
def _places() -> dict[str, str]:
    """The names of the zones of the world, by how the lexicon spells them."""
    return {name.lower(): name for name in available_timezones()}


def _zone_behind(text: str, end: int) -> tuple[int | str | None, int]:
    """The zone that stands at `end`, an IANA name or minutes east of UTC, and where it ends."""
    named = _ZONE.match(text, end)
    if named is None:
        place = _PLACE.match(text, end)
        name = None if place is None else _places().get(place[1])
        return (None, end) if place is None or name is None else (name, place.end())
    offset = named[2] or named[3] or named[4]
    return _zone_minutes(offset if len(offset) > 2 else offset[0] + "0" + offset[1:]) if offset else 0, named.end()


def _time(text: str, m: re.Match[str], start: int, end: int, token: Any) -> tuple[list[Any], int]:
    meridiem = _MERIDIEM.match(text, end)
    letter = None
    if meridiem is not None and (meridiem[1] or text[end : end + 1] != " "):
        letter, end = meridiem[1] or meridiem[2], meridiem.end()
    zone, end = _zone_behind(text, end)
    made = clock(int(m[1]), int(m[2]), int(m[3] or 0), letter, zone)
    if made is None:
        return [token(start, end, "JUNK", None)], end
    return [token(start, end, "CLOCK", made)], end
