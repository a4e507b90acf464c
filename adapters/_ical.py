"""iCalendar (RFC 5545): calendars of VEVENT and VTODO, and what of them lies in a window.

A calendar's text is cut into its components first and read series by series (all components of one UID), since one that is broken
must not lose the others. Most of a large calendar lies outside of a question's window: the dates that stand in a series' text tell
that before anything of it is parsed. icalendar reads properties, recurring-ical-events puts rules, additions, exceptions and moved
instances together, `adapters._rrule` gives the dates of a rule.

Times: a date is the whole day and a time without zone the wall clock in the zone asked in, or in the calendar's X-WR-TIMEZONE. TZID
is an IANA name, one with a prefix, one of Windows, one the calendar defines (VTIMEZONE), or an offset; with any other the time is
read as one without zone, and the series is `doubtful`.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from icalendar import Component, Event, Timezone, Todo
from icalendar.prop import vDDDTypes
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON
from recurring_ical_events.adapters.component import ComponentAdapter
from recurring_ical_events.adapters.event import EventAdapter
from recurring_ical_events.adapters.todo import TodoAdapter
from recurring_ical_events.occurrence import Occurrence as Found
from recurring_ical_events.series import Series

from adapters._rrule import Rule
from planner.ranges import UTC, attach

Time = dt.date | dt.datetime
_DAY = dt.timedelta(days=1)
# What the libraries raise on text that is no calendar's.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError)
_STAMPS = ("CREATED", "LAST-MODIFIED", "DTSTAMP")
_DATED = ("DTSTART", "DTEND", "DUE", "RDATE", "COMPLETED")
_TIMING = frozenset(("UID", *_DATED, "DURATION", "RRULE", "EXDATE", "RECURRENCE-ID", "SEQUENCE", "STATUS", *_STAMPS))
_TIMING_NAMES = tuple(_TIMING)
_TIMING_STARTS = frozenset(name[0] for name in _TIMING) | frozenset(name[0].lower() for name in _TIMING)
_LINE = re.compile(r"([A-Za-z0-9-]+)[ \t]*((?:;(?:\"[^\"]*\"|[^\":])*)?):(.*)", re.DOTALL)
_PLACED = re.compile(r"(?i)(DTSTART|DTEND|DUE|RRULE|RDATE|EXDATE|RECURRENCE-ID)[ \t]*[;:]")
_DURATION = re.compile(r"\+?P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?")
_UNTIL = re.compile(r"(?i)UNTIL=(\d{8})")
_TZID = re.compile(r"(?i);\s*TZID\s*=\s*(?:\"([^\"]*)\"|([^;]*))")
_OFFSET = re.compile(r"\(?(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d\d)?\b")
_EIGHT = re.compile(r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)")
# A series without an end is followed for so many instances of a question, the nearest to now first.
INSTANCES = 200
_CHUNK = dt.timedelta(days=366)
EARLIEST_YEAR = 1971


class Malformed(ValueError):
    """The series cannot be read."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One occurrence of a series, in the zone asked in.

    `[start, end)` is aware; `end` equals `start` where it has no extent; `all_day` tells that only days are known. `recurrence` is
    its place in the series (RECURRENCE-ID, in UTC if it has a zone), "" in a series of one. `block` is the component that it is told by.
    """

    start: dt.datetime
    end: dt.datetime
    all_day: bool
    recurrence: str
    block: Block
    doubtful: bool


@dataclass(eq=False, frozen=True, slots=True)
class Block:
    """One component as unfolded text; `timing` its own lines that tell times or names, as (name, parameters, value)."""

    kind: str
    text: str
    timing: tuple[tuple[str, str, str], ...]

    def value(self, name: str) -> str:
        """The raw value of the first property of that name; "" when there is none."""
        return next((value.strip() for found, _, value in self.timing if found == name), "")

    def has(self, name: str) -> bool:
        return any(found == name for found, _, _ in self.timing)


@dataclass(eq=False, slots=True)
class Entry:
    """The components of one UID: the series itself first where there is one, then the instances that it changes.

    `low` and `high` are days that all of its times surely lie between, None where the text does not tell. `made` is the day of its
    record's making, None when that is not told. `endless` tells that its text names no last day.
    """

    kind: str
    uid: str
    blocks: tuple[Block, ...]
    zones: Zones
    low: dt.date | None
    high: dt.date | None
    made: dt.date | None
    endless: bool

    @property
    def recurs(self) -> bool:
        core = self.blocks[0]
        return core.has("RECURRENCE-ID") or core.has("RRULE") or core.has("RDATE")

    def may_lie(self, start: dt.datetime, end: dt.datetime) -> bool:
        """Whether some of it may lie in `[start, end)`; False only when it surely does not."""
        return (self.low is None or self.low <= end.date() + _DAY) and (self.high is None or self.high >= start.date() - _DAY)


@dataclass(slots=True)
class Calendar:
    """What a calendar's text holds; `damaged` counts the components that are cut off."""

    entries: list[Entry]
    damaged: int = 0


# --- text -----------------------------------------------------------------------------------------------------------------


def read_calendar(data: bytes, check: Callable[[], None]) -> Calendar:
    """The entries of a calendar's text (several calendars may follow one another); `check` is called as it goes on.

    Raises Malformed for what is no calendar.
    """
    damaged, seen = 0, False
    zones = Zones()
    blocks: list[Block] = []
    kind, depth = "", 0
    lines: list[str] = []
    timing: list[tuple[str, str, str]] = []
    for n, line in enumerate(_text(data).split("\n")):
        if not n % 2000:
            check()
        word = line.strip().upper() if line[:1] in _BEGINS_WORD else ""
        begins = word[6:].strip() if word.startswith("BEGIN:") else ""
        if begins == "VCALENDAR" or (begins in _KINDS and kind):
            damaged += bool(kind)
            kind, seen = "", True
        if not kind:
            if begins in _KINDS:
                kind, lines, timing, depth = begins, [], [], 1
            elif word.startswith("X-WR-TIMEZONE") and zones.default is None:
                zones.default = zone_named(line.rpartition(":")[2].strip())
        elif begins:
            depth += 1
            lines.append(f"BEGIN:{begins}")
        elif word.startswith("END:"):
            depth -= 1
            if word[4:].strip() == "VCALENDAR":
                damaged, kind = damaged + 1, ""
            elif depth:
                lines.append(word)
            else:
                if kind == "VTIMEZONE":
                    zones.define("\n".join(lines))
                elif kind in _ADAPTERS:
                    blocks.append(Block(kind, "\n".join(lines), tuple(timing)))
                kind = ""
        elif line:
            lines.append(line)
            likely = depth == 1 and line[0] in _TIMING_STARTS and line[:13].upper().startswith(_TIMING_NAMES)
            if likely and (parts := _LINE.match(line)) is not None and (name := parts[1].upper()) in _TIMING:
                timing.append((name, parts[2], parts[3]))
    if not seen:
        raise Malformed("no calendar (BEGIN:VCALENDAR) is in it")
    check()
    return Calendar(list(_entries(blocks, zones, check)), damaged + bool(kind))


_KINDS = ("VEVENT", "VTODO", "VTIMEZONE", "VJOURNAL", "VFREEBUSY")
_BEGINS_WORD = frozenset("BbEeXx \t")


def _text(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode()
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # Folding may cut a character in two: lines are joined before they are decoded.
    data = data.replace(b"\n ", b"").replace(b"\n\t", b"")
    for charset in ("utf-8", "gb18030"):
        try:
            return data.decode(charset)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def _entries(blocks: Iterable[Block], zones: Zones, check: Callable[[], None]) -> Iterator[Entry]:
    by_uid: dict[tuple[str, str], list[Block]] = {}
    for n, block in enumerate(blocks):
        if not n % 500:
            check()
        uid = block.value("UID") or hashlib.sha256(block.text.encode()).hexdigest()[:16]
        by_uid.setdefault((block.kind, uid), []).append(block)
    for (kind, uid), components in by_uid.items():
        check()
        cores = [block for block in components if not block.has("RECURRENCE-ID")]
        changes = [block for block in components if block.has("RECURRENCE-ID")]
        last = _newest(cores) if len(cores) > 1 else cores
        yield _entry(kind, uid, (*last[:1], *changes), zones)
        for place, other in enumerate(last[1:], 1):  # one UID for things that no revision tells apart: they are not the same
            start = other.value("DTSTART") or other.value("DUE") or str(place)
            yield _entry(kind, f"{uid}@{start}", (other,), zones)


def _newest(cores: list[Block]) -> list[Block]:
    """The components of the newest revision, each once."""
    newest = max(map(_revision, cores))
    return list({block.text: block for block in cores if _revision(block) == newest}.values())


def _revision(block: Block) -> tuple[int, str, str]:
    sequence = block.value("SEQUENCE")
    return int(sequence[:9]) if sequence.isdecimal() else 0, block.value("LAST-MODIFIED"), block.value("DTSTAMP")


def _entry(kind: str, uid: str, blocks: tuple[Block, ...], zones: Zones) -> Entry:
    """The entry, with the bounds that the digits of its dates give; they are sure only where every line is plain."""
    days: list[dt.date] = []
    sure, rules, lasts, additions = True, False, False, False
    lasting = dt.timedelta(0)
    made: dict[str, dt.date | None] = {}
    for n, block in enumerate(blocks):
        dated = False
        for name, _, value in block.timing:
            if name in _DATED:
                stated = [day for found in _EIGHT.finditer(value) if (day := _day(*found.groups())) is not None]
                dated = dated or bool(stated)
                sure = sure and bool(stated)
                days += stated
                lasts, additions = lasts or name == "DTEND", additions or name == "RDATE"
            elif name == "DURATION":
                length = _DURATION.fullmatch(value.strip())
                sure = sure and length is not None
                lasting = max(lasting, _length(length)) if length is not None else lasting
            elif name == "RRULE":
                rules = True
                ends = _UNTIL.findall(value)
                sure = sure and len(ends) == 1
                days += [day for text in ends if (day := _day(text[:4], text[4:6], text[6:])) is not None]
            elif name in _STAMPS and n == 0:
                made[name] = _day(value.strip()[:4], value.strip()[4:6], value.strip()[6:8])
        sure = sure and dated
    low = min(days, default=None) if sure or (days and not additions and len(blocks) == 1 and rules) else None
    high = max(days, default=None) if sure else None
    if low is not None and high is not None and rules and lasts:
        # The last instance of a rule may last as long as all that is stated before it.
        high += min(high - low, dt.date.max - high)
    if high is not None:
        high += min(lasting, dt.date.max - high)
    created = made.pop("CREATED", None)
    if created is None or created.year < EARLIEST_YEAR:
        created = min((day for day in made.values() if day is not None), default=None)
    return Entry(
        kind, uid, blocks, zones,
        None if low is None else low - min(2 * _DAY, low - dt.date.min),
        None if high is None else high + min(2 * _DAY, dt.date.max - high),
        created, rules and high is None,
    )  # fmt: skip


def _length(found: re.Match[str]) -> dt.timedelta:
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return dt.timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)


def _day(year: str, month: str, day: str) -> dt.date | None:
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


# --- zones ----------------------------------------------------------------------------------------------------------------


class Zones:
    """The zones a calendar names, and those that it defines itself. Definitions never leave their calendar."""

    def __init__(self) -> None:
        self.default: dt.tzinfo | None = None
        self._defined: dict[str, str] = {}
        self._found: dict[str, dt.tzinfo | None] = {}

    def define(self, block: str) -> None:
        self._defined.setdefault(_line_of(block, "TZID"), block)

    def __call__(self, name: str) -> dt.tzinfo | None:
        if name not in self._found:
            zone = zone_named(name)
            if zone is None and name in self._defined:
                block = self._defined[name]
                zone = zone_named(_line_of(block, "X-LIC-LOCATION")) or _zone_defined(block)
            self._found[name] = zone or _zone_by_offset(name)
        return self._found[name]


def _line_of(block: str, name: str) -> str:
    found = re.search(rf"(?im)^{name}\b.*?:(.*)$", block)
    return found[1].strip() if found else ""


@lru_cache(maxsize=1024)
def zone_named(name: str) -> dt.tzinfo | None:
    """The zone of an IANA name, bare or after a vendor's prefix, or of Windows' name; None for any other."""
    clean = name.strip().strip('"').strip("/")
    parts = clean.split("/")
    tails = ["/".join(parts[n:]) for n in range(1, len(parts))] if name.startswith("/") else []
    for key in (clean, WINDOWS_TO_OLSON.get(clean, ""), *tails):
        try:
            return ZoneInfo(key)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return None


def _zone_by_offset(name: str) -> dt.tzinfo | None:
    match = _OFFSET.match(name.strip())
    if match is None or int(match[2]) > 14:
        return None
    delta = dt.timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return dt.timezone(-delta if match[1] == "-" else delta)


@lru_cache(maxsize=256)
def _zone_defined(block: str) -> dt.tzinfo | None:
    """The zone that a VTIMEZONE defines, None when it cannot be read."""
    # Parsed whole, icalendar would keep it under its name for every calendar to come.
    zone, part = Timezone(), list[str]()
    zone.add("TZID", hashlib.sha256(block.encode()).hexdigest()[:16])
    try:
        for line in block.split("\n"):
            if line.startswith("BEGIN:") or part:
                part.append(line)
            if line.startswith("END:") and part:
                zone.add_component(Component.from_ical("\r\n".join(part)))
                part = []
        found: dt.tzinfo = zone.to_tz(lookup_tzid=False)
        found.utcoffset(dt.datetime(2026, 1, 1))
    except MALFORMED:
        return None
    return found


# --- series ---------------------------------------------------------------------------------------------------------------


class _Rules(Series.RecurrenceRules):
    def create_rule_with_start(self, rule_string: str) -> Rule:
        return Rule(rule_string, self.start)


class _Found(Found):
    """An occurrence that knows what it was made of; `own` tells that it is a component itself and no repetition of one."""

    def __init__(self, adapter: ComponentAdapter, start: Time | None = None, end: Time | None = None) -> None:
        super().__init__(adapter, start, end)
        self.adapter, self.own = adapter, start is None


class _Series(Series):
    RecurrenceRules = _Rules

    def occurrence(self, adapter: ComponentAdapter, start: Time | None = None, end: Time | None = None) -> _Found:
        return _Found(adapter, start, end)


class _Event(EventAdapter):
    @property
    def raw_end(self) -> Time:
        start: Time = self.raw_start
        end: Time = super().raw_end
        if not isinstance(start, dt.datetime) and not isinstance(end, dt.datetime) and end <= start:
            return start + _DAY  # an all-day event without an extent is its day
        return end


_ADAPTERS: Mapping[str, tuple[Any, Any]] = {"VEVENT": (Event, _Event), "VTODO": (Todo, TodoAdapter)}


@dataclass(slots=True)
class _Value:
    """The value of a property as recurring-ical-events asks for it: one time (`dt`), or several (`dts`)."""

    dt: Any
    params: Mapping[str, str]

    @property
    def dts(self) -> list[_Value]:
        return [_Value(part, {}) for part in self.dt] if isinstance(self.dt, list) else [self]

    def to_ical(self) -> bytes:
        return str(self.dt).encode()


class _Timing(dict[str, Any]):
    """What times a component, by property, in the shape of a component; `block` is all of it."""

    block: Block

    def walk(self, name: str) -> list[Any]:
        return []


# 8,192 series of some 4 KB each.
@lru_cache(maxsize=8192)
def _series(entry: Entry) -> tuple[_Series, bool]:
    """The series of an entry, and whether a part of it had to be left out. Raises what MALFORMED lists."""
    doubtful, adapters = False, []
    for block in entry.blocks:
        component, doubt = _timing(block, entry.zones)
        component["UID"] = entry.uid
        doubtful |= doubt
        if "DTSTART" not in component and (entry.kind == "VEVENT" or "DUE" not in component):
            raise Malformed("no DTSTART")
        adapters.append(_ADAPTERS[entry.kind][1](component))
    return _Series(adapters), doubtful


_MUST = ("DTSTART", "RRULE", "RECURRENCE-ID")
_LISTS = ("RDATE", "EXDATE")
_ONCE = ("DTSTART", "DTEND", "DUE", "DURATION", "RECURRENCE-ID")


def _timing(block: Block, zones: Zones) -> tuple[_Timing, bool]:
    """What times a component, and whether something in that was unreadable and left out."""
    doubtful, component = False, _Timing()
    component.block = block
    for name, parameters, text in block.timing:
        try:
            if name == "SEQUENCE":
                component[name] = int(text)
            elif name == "RRULE":
                component.setdefault(name, []).append(_Value(text.strip(), {}))
            elif name in _LISTS or name in _ONCE:
                zone, known = _zone_of(parameters, zones)
                doubtful |= not known
                times = [_time(part, zone) for part in text.split(",")] if name in _LISTS else _time(text, zone)
                params = {"RANGE": "THISANDFUTURE"} if "THISANDFUTURE" in parameters.upper() else {}
                if name in _LISTS:
                    component.setdefault(name, []).append(_Value(times, params))
                elif name in component:
                    raise Malformed(f"{name} stands twice")
                else:
                    component[name] = _Value(times, params)
        except MALFORMED as error:
            if name in _MUST:
                raise Malformed(f"{name} is unreadable") from error
            doubtful = True
    return component, doubtful


def _zone_of(parameters: str, zones: Zones) -> tuple[dt.tzinfo | None, bool]:
    """The zone of times without one, and whether it is the one that the calendar meant."""
    match = _TZID.search(parameters)
    if match is None:
        return zones.default, True
    zone = zones((match[1] or match[2] or "").strip())
    return zone, zone is not None


def _time(text: str, zone: dt.tzinfo | None) -> Any:
    """The date, datetime, duration or period of a value; a time without a zone gets `zone`."""
    return _zoned(vDDDTypes.from_ical(text.strip().upper()), zone)  # type: ignore[no-untyped-call]


def listed(value: Any) -> list[Any]:
    """The values of a property that may stand once, several times, or not at all."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _zoned(value: Any, zone: dt.tzinfo | None) -> Any:
    if isinstance(value, tuple):
        return tuple(_zoned(part, zone) for part in value)
    return value.replace(tzinfo=zone) if isinstance(value, dt.datetime) and value.tzinfo is None else value


def times_of(entry: Entry) -> tuple[dict[str, Any], bool]:
    """DTSTART, DUE and DURATION of an entry of one component, as its text has them, and whether something was unreadable.

    Raises what MALFORMED lists when DTSTART is none.
    """
    component, doubtful = _timing(entry.blocks[0], entry.zones)
    return {name: component[name].dt for name in ("DTSTART", "DUE", "DURATION") if name in component}, doubtful


@lru_cache(maxsize=2048)
def component_of(block: Block) -> Any:
    """The component but for its place in time, which `instances` tells. Raises what MALFORMED lists."""
    text = "\r\n".join(line for line in block.text.split("\n") if not _PLACED.match(line))
    return _ADAPTERS[block.kind][0].from_ical(f"BEGIN:{block.kind}\r\n{text}\r\nEND:{block.kind}")


def instances(entry: Entry, start: dt.datetime, end: dt.datetime, now: dt.datetime) -> tuple[list[Instance], bool]:
    """The entry's instances that share a moment with `[start, end)`, and whether there are more than were followed.

    All are aware; `start`'s zone is the one asked in. Raises what MALFORMED lists for a series that cannot be followed.
    """
    series, doubtful = _series(entry)
    found: dict[str, Instance] = {}
    for low, high in _chunks(start, end, now) if entry.endless else [(start, end)]:
        if len(found) >= INSTANCES:
            return list(found.values()), True
        for one in series.between(max(low, _FIRST) - _DAY, min(high, _LAST) + _DAY):
            instance = _instance(entry, one, start.tzinfo or UTC, doubtful)
            if instance.start < high and (instance.end > low or instance.start >= low):
                found[instance.recurrence] = instance
    return list(found.values()), False


_FIRST, _LAST = dt.datetime(2, 1, 1, tzinfo=UTC), dt.datetime(9998, 1, 1, tzinfo=UTC)


def _chunks(start: dt.datetime, end: dt.datetime, now: dt.datetime) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    """`[start, end)` in parts, from now backward and then what lies ahead; in one where it is short."""
    if end - start <= _CHUNK:
        yield start, end
        return
    middle = min(max(now, start), end)
    edge = middle
    while edge > start:
        low = max(edge - _CHUNK, start)
        yield low, edge
        edge = low
    edge = middle
    while edge < end:
        high = min(edge + _CHUNK, end)
        yield edge, high
        edge = high


def first(entry: Entry, zone: dt.tzinfo) -> Instance | None:
    """The entry's first instance, in `zone`; None when it has none in its first year. Raises what MALFORMED lists."""
    series, doubtful = _series(entry)
    begin = moment_of(series.components[0].start, zone)
    begun = [_instance(entry, one, zone, doubtful) for one in series.between(begin - _DAY, begin + _CHUNK)]
    return min(begun, key=lambda instance: instance.start, default=None)


def _instance(entry: Entry, one: _Found, zone: dt.tzinfo, doubtful: bool) -> Instance:
    component = one.adapter._component
    if one.own:
        original = component["RECURRENCE-ID"].dt if "RECURRENCE-ID" in component else one.start
    else:
        original = one.start - one.adapter.move_recurrences_by
    start, end = one.start, one.end
    if start == one.adapter.raw_start:
        end = one.adapter.raw_end
    begin, finish = moment_of(start, zone), moment_of(end, zone)
    lasting = component.get("DURATION")
    by_duration = lasting is not None and "DTEND" not in component and "DUE" not in component
    if by_duration and isinstance(start, dt.datetime) and one.end - one.start == one.adapter.duration:
        # Days of a duration are those of the calendar, hours those that pass.
        days = dt.timedelta(days=lasting.dt.days)
        finish = (moment_of(start + days, zone).astimezone(UTC) + (lasting.dt - days)).astimezone(zone)
    all_day = not isinstance(start, dt.datetime)
    finish = max(finish, begin)
    return Instance(begin, finish, all_day, _written(original) if entry.recurs else "", component.block, doubtful)


def moment_of(value: Time, zone: dt.tzinfo) -> dt.datetime:
    """The moment in `zone` that a date (its first), a time without zone or one with means."""
    if not isinstance(value, dt.datetime):
        return attach(dt.datetime(value.year, value.month, value.day), zone)
    return attach(value, zone) if value.tzinfo is None else value.astimezone(UTC).astimezone(zone)


def _written(value: Time) -> str:
    if not isinstance(value, dt.datetime):
        return value.strftime("%Y%m%d")
    return value.strftime("%Y%m%dT%H%M%S") if value.tzinfo is None else value.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def made_at(block: Block, zone: dt.tzinfo) -> dt.datetime | None:
    """When the record was made: CREATED, else the earlier of LAST-MODIFIED and DTSTAMP; None when none of them is a time."""
    created, *others = (stamp(block, name, zone) for name in _STAMPS)
    return created or min((moment for moment in others if moment is not None), default=None)


def stamp(block: Block, name: str, zone: dt.tzinfo) -> dt.datetime | None:
    """The moment of a property that holds one in UTC; None when it stands there not, or is none."""
    try:
        value = _time(block.value(name), UTC)
        # Some write a time before there were calendars when they know none.
        return moment_of(value, zone) if isinstance(value, dt.date) and value.year >= EARLIEST_YEAR else None
    except MALFORMED:
        return None


def text_of(component: Any, name: str) -> str:
    """The property's text, "" when there is none; of several the first."""
    for value in listed(component.get(name)):
        return str(value).strip()
    return ""


def summary(block: Block) -> str:
    """The title as it stands in the text, for choosing; `text_of` gives it as it reads."""
    return _line_of(block.text, "SUMMARY")
