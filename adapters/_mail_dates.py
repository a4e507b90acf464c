"""When a mail was sent, whatever its Date header makes of it.

A date without a zone, or with a name that several zones bear (CST is China's and America's), is read in the zone that brings it
nearest to the moment at which a server took the mail in; without such a moment in the account's own. A date that is missing,
impossible or later than the arrival by more than a day gives way to the arrival.
"""

from __future__ import annotations

import datetime as dt
import re
from email.utils import parsedate_tz

from adapters._times import moment
from planner.ranges import UTC

_HOURS: dict[str, tuple[float, ...]] = {
    "UT": (0,), "UTC": (0,), "GMT": (0,), "Z": (0,), "EDT": (-4,), "CDT": (-5,), "MDT": (-6,), "MST": (-7,), "PDT": (-7,), "PST": (-8,),
    "CST": (-6, 8), "EST": (-5, 10), "IST": (5.5, 2, 1), "BST": (1, 6), "AST": (-4, 3), "ADT": (-3,), "WET": (0,), "WEST": (1,),
    "CET": (1,), "MET": (1,), "CEST": (2,), "MEST": (2,), "EET": (2,), "EEST": (3,), "MSK": (3,), "SGT": (8,), "HKT": (8,), "AWST": (8,),
    "JST": (9,), "KST": (9,), "AEST": (10,), "AEDT": (11,), "NZST": (12,), "NZDT": (13,),
}  # fmt: skip
_NAMED = re.compile(r"\d\s+\(?([A-Za-z]{1,5})\)?\s*$")
_OFFSET = re.compile(r"[+-]\d{4}\b")
_FIRST_YEAR = 1975  # no mail is older; a clock that was never set is
_DAY = dt.timedelta(days=1)


def sent(date: str, arrived: dt.datetime | None, zone: dt.tzinfo, otherwise: dt.datetime | None = None) -> dt.datetime | None:
    """The moment a mail was sent, in UTC.

    `date` is its Date header, "" for none; `arrived` is when a server took it in; `zone` is that of wall times without one. None when
    neither tells.
    """
    read = _read(date, arrived, zone)
    if read is None or read.year < _FIRST_YEAR or (arrived is not None and read > arrived + _DAY):
        return arrived
    return read


_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_WELL_FORMED = re.compile(
    r"\s*(?:[A-Za-z]{3},\s+)?(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4})\s+(\d\d):(\d\d):(\d\d)\s+([+-])(\d\d)([0-5]\d)\s*(?:\([^)]*\)\s*)?"
)


def _read(date: str, arrived: dt.datetime | None, zone: dt.tzinfo) -> dt.datetime | None:
    try:
        plain = _WELL_FORMED.fullmatch(date)
        if plain is not None:  # nearly all are, and this takes a tenth of the time
            day, month, year, hour, minute, second, sign, hours, minutes = plain.groups()
            wall = dt.datetime(int(year), _MONTHS[month.lower()], int(day), int(hour), int(minute), int(second), tzinfo=UTC)
            offset = dt.timedelta(hours=int(hours), minutes=int(minutes))
            return (wall + offset if sign == "-" else wall - offset) if int(hours) < 24 else None
        return _read_any(" ".join(date.split()), arrived, zone)
    except (ValueError, TypeError, IndexError, KeyError, OverflowError):
        return None


def _read_any(text: str, arrived: dt.datetime | None, zone: dt.tzinfo) -> dt.datetime | None:
    parts = parsedate_tz(text)
    if parts is None:
        return moment(text, zone, "text")
    wall = dt.datetime(*parts[:6])
    if _OFFSET.search(text):
        return _at(wall, (parts[9] or 0) / 3600)
    own = wall.replace(tzinfo=zone).astimezone(UTC)
    named = _NAMED.search(text)
    hours = _HOURS.get(named[1].upper()) if named is not None else None
    said = [own, wall.replace(tzinfo=UTC)] if hours is None else [_at(wall, h) for h in hours]
    if arrived is not None:
        nearest = min(said, key=lambda m: abs(m - arrived))
        if abs(nearest - arrived) <= _DAY:  # a mail that was moved here long after tells nothing
            return nearest
    return own if own in said else said[0]


def _at(wall: dt.datetime, hours: float) -> dt.datetime:
    return wall.replace(tzinfo=dt.timezone(dt.timedelta(hours=hours))).astimezone(UTC)


def received(header: str, zone: dt.tzinfo) -> dt.datetime | None:
    """The moment that a Received header ends with, in UTC."""
    return _read(header.rpartition(";")[2], None, zone) if ";" in header else None


_FROM_LINE = re.compile(r"From\s+\S.*?\s((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s.*)")


def from_line(line: str) -> dt.datetime | None:
    """The moment that an mbox's "From " line ends with, in UTC; without a zone it is UTC, as RFC 4155 has it."""
    match = _FROM_LINE.match(line)
    if match is None:
        return None
    text = re.sub(r"^(\w{3}\s+\w{3}\s+\d{1,2}\s+[\d:]+)\s+([+-]\d{4})\s+(\d{4})$", r"\1 \3 \2", match[1].strip())
    read = _read(text, None, UTC)
    return read if read is not None and read.year >= _FIRST_YEAR else None


def internal(text: str) -> dt.datetime | None:
    """IMAP's INTERNALDATE, in UTC."""
    return _read(text.replace("-", " ", 2), None, UTC)
