"""calendar: a person's appointments, from iCalendar files and folders, subscribed addresses and CalDAV servers.

    TEMPORAL_RECALL_CALENDAR_ACCOUNTS='~/calendars, https://example.org/team.ics, {…}'

Every VEVENT is read, its series unfolded for the asked window alone (`adapters._ical`: times, zones, rules). An instance's event time
is its start, `event_end` its end (excluded); a whole day is the day in the asker's zone. observed_time is CREATED, or the earlier of
LAST-MODIFIED and DTSTAMP. Status: cancelled, else occurred or planned by its start. Who takes part, where, and the description
are in the content; attendees, alarms and PRIORITY weigh in importance; TENTATIVE, and a zone that nobody knows, lower confidence.

A question of what was written down in a time (CREATED_IN, MENTIONED_IN, AMBIGUOUS) finds a series once, as its first instance.

source_ref is `calendar:event:{place}:{recurrence}:{uid}`: `place` eight hex digits of the account and file, `recurrence` the
instance's RECURRENCE-ID, `-` in a series of one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from adapters import _ical
from adapters._accounts import Accounts, check_all, of_user, read_all
from adapters._base import (
    Items,
    SearchContext,
    Shared,
    SourceSettings,
    TemporalSourceAdapter,
    TimelineItem,
    source,
    title_of,
)
from adapters._blocking import Stop, in_thread
from adapters._choice import about_topic, nearest
from adapters._ical import MALFORMED, Calendar, Entry, Instance
from adapters._places import Feeds, PlaceAccount, Read, Servers, Shelf, digest
from adapters._web import Web
from planner.modes import TemporalMode
from planner.ranges import Grain


class CalendarSettings(SourceSettings):
    """Where the calendars are; `max_bytes` bounds what is read of one account, `refresh_seconds` how old a subscription may be."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_CALENDAR_")

    accounts: Accounts[PlaceAccount] = ()
    max_bytes: Annotated[int, Field(ge=1024)] = 20_000_000
    refresh_seconds: Annotated[float, Field(ge=0)] = 300


@source("calendar", CalendarSettings, "CALENDAR_ACCOUNTS: .ics files or folders, addresses, CalDAV servers")
def build(settings: CalendarSettings, shared: Shared) -> TemporalSourceAdapter | None:
    return CalendarSource(settings, shared.single) if settings.accounts else None


# Modes in which a record counts by when it was made.
_BY_RECORD = (TemporalMode.CREATED_IN, TemporalMode.MENTIONED_IN, TemporalMode.AMBIGUOUS)
_ONLY_BY_RECORD = (TemporalMode.CREATED_IN, TemporalMode.MENTIONED_IN)
# Importance: an appointment counts a little more than a remark; what others share, or one is reminded of, more.
_BASE, _SHARED, _CROWD, _ALARM, _HIGH, _LOW = 0.6, 0.1, 0.05, 0.05, 0.2, -0.2
_SURE, _TENTATIVE, _DOUBTFUL = 0.98, 0.7, 0.7
_DESCRIPTION = 1000
_NAMES = 12


class CalendarSource:
    """Reads calendars wherever they lie."""

    source = "calendar"

    def __init__(self, settings: CalendarSettings, single: bool = True) -> None:
        self.settings, self.single = settings, single
        self.web = Web(settings.max_bytes)
        self.shelf: Shelf[Calendar] = Shelf({".ics": _ical.read_calendar, ".ical": _ical.read_calendar}, settings.max_bytes)
        self.feeds: Feeds[Calendar] = Feeds(self.web, _ical.read_calendar, settings.refresh_seconds)
        self.servers: Servers[Calendar] = Servers(self.web, _ical.read_calendar, "VEVENT")

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        mine = of_user(self.settings.accounts, ctx.user_id, self.single)
        return await read_all(mine, ctx, partial(self._account, ctx=ctx))

    async def telling(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        return await self.search(ctx)

    async def _account(self, account: PlaceAccount, ctx: SearchContext) -> Items:
        window = None if ctx.temporal_mode in _BY_RECORD else (ctx.time.start, ctx.time.end)
        read = await self._read(account, window, ctx.deadline)
        return await in_thread(partial(_items, read, account, ctx), ctx.deadline)

    async def _read(
        self, account: PlaceAccount, window: tuple[dt.datetime, dt.datetime] | None, deadline: float
    ) -> Read[Calendar]:
        if account.path is not None:
            return await in_thread(partial(self.shelf.read, account.place), deadline)
        if account.served:
            return await self.servers.read(account, window, deadline)
        return await self.feeds.read(account, deadline)

    async def check(self) -> str:
        return await check_all(self.settings.accounts, self._check)

    async def _check(self, account: PlaceAccount) -> str:
        read = await self._read(account, None, float("inf"))
        count = sum(entry.kind == "VEVENT" for _, calendar in read.parts for entry in calendar.entries)
        return f"{count} events" + (f" ({'; '.join(read.problems)})" if read.problems else "")

    async def close(self) -> None:
        await self.web.close()


def _items(read: Read[Calendar], account: PlaceAccount, ctx: SearchContext, stop: Stop) -> Items:
    reading = _Reading(account, ctx, stop)
    skipped = read.damaged + sum(calendar.damaged for _, calendar in read.parts)
    late = False
    entries = [(digest(account.called, place), entry) for place, calendar in read.parts for entry in calendar.entries]
    for key, entry in about_topic(entries, ctx, lambda found: found[1].blocks[0].text):
        stop.check()
        late = late or stop.late
        if entry.kind != "VEVENT" or late:
            continue
        try:
            reading.entry(entry, key)
        except MALFORMED:
            skipped += 1
    items, left = reading.items(), reading.left
    return Items(items, truncated=read.truncated or late or left, skipped=skipped + reading.skipped, problems=read.problems)


class _Reading:
    """The instances of one account that answer one question."""

    def __init__(self, account: PlaceAccount, ctx: SearchContext, stop: Stop) -> None:
        self.account, self.ctx, self.stop = account, ctx, stop
        self.found: dict[str, tuple[Entry, Instance]] = {}
        self.left, self.skipped = False, 0

    def entry(self, entry: Entry, key: str) -> None:
        """Finds the entry's instances. Raises what MALFORMED lists."""
        ctx = self.ctx
        found: list[Instance] = []
        if ctx.temporal_mode not in _ONLY_BY_RECORD and entry.may_lie(ctx.time.start, ctx.time.end):
            found, more = _ical.instances(entry, ctx.time.start, ctx.time.end, ctx.now)
            self.left = self.left or more
        if not found and ctx.temporal_mode in _BY_RECORD and self._made(entry):
            begin = _ical.first(entry, ctx.zone)
            found = [begin] if begin is not None else []
        for instance in found:
            self.found[_ref(entry, instance, key)] = entry, instance

    def _made(self, entry: Entry) -> bool:
        """Whether its record may have been made in the asked time."""
        day, ctx = dt.timedelta(days=1), self.ctx
        return entry.made is not None and ctx.time.start.date() - day <= entry.made <= ctx.time.end.date() + day

    def items(self) -> list[TimelineItem]:
        """The best of what was found, at most the limit."""
        ctx = self.ctx
        kept = nearest(
            self.found.items(),
            ctx,
            text=lambda found: _ical.summary(found[1][1].block),
            event=lambda found: (found[1][1].start, found[1][1].end),
        )
        items = []
        for ref, (_, instance) in kept:
            self.stop.check()
            try:
                item = _item(ref, instance, self.account, ctx)
            except MALFORMED:
                self.skipped += 1
                continue
            happens = ctx.temporal_mode not in _ONLY_BY_RECORD and ctx.time.range.overlaps(instance.start, instance.end)
            if happens or (item.observed_time is not None and ctx.time.range.holds(item.observed_time)):
                items.append(item)
        self.left = self.left or len(kept) < len(self.found)
        return items


def _ref(entry: Entry, instance: Instance, key: str) -> str:
    return f"calendar:event:{key}:{instance.recurrence or '-'}:{entry.uid}"


def _item(ref: str, instance: Instance, account: PlaceAccount, ctx: SearchContext) -> TimelineItem:
    component = _ical.component_of(instance.block)
    told = _ical.text_of(component, "STATUS").upper()
    people = _people(component)
    title = _ical.text_of(component, "SUMMARY")
    content = _content(component, title, people)
    declined = account.email is not None and _declined(component, account.email)
    cancelled = told == "CANCELLED" or declined
    confidence = min(_TENTATIVE if told == "TENTATIVE" else _SURE, _DOUBTFUL if instance.doubtful else _SURE)
    return TimelineItem(
        source="calendar",
        source_ref=ref,
        type="event",
        title=title_of(title or content),
        content=content,
        observed_time=_ical.made_at(instance.block, ctx.zone),
        event_time=instance.start,
        event_end=instance.end if instance.end > instance.start else None,
        event_grain=Grain.DAY if instance.all_day else Grain.MINUTE,
        status="cancelled" if cancelled else "occurred" if instance.start <= ctx.now else "planned",
        importance=_importance(component, len(people)),
        confidence=confidence,
        negated=cancelled,
    )


def _content(component: Any, title: str, people: Sequence[str]) -> str:
    """Title and place, who takes part, and the description, a line each."""
    place = _ical.text_of(component, "LOCATION")
    shown = ", ".join(people[:_NAMES]) + (f" +{len(people) - _NAMES}" if len(people) > _NAMES else "")
    lines = [" @ ".join(part for part in (title, place) if part), shown, _ical.text_of(component, "DESCRIPTION")[:_DESCRIPTION]]
    return "\n".join(line for line in lines if line) or "(no title)"


def _people(component: Any) -> list[str]:
    """The names of those who take part, rooms left out."""
    names = []
    for attendee in _ical.listed(component.get("ATTENDEE")):
        if str(attendee.params.get("CUTYPE", "")).upper() not in ("ROOM", "RESOURCE"):
            names.append(str(attendee.params.get("CN", "")) or _address(attendee))
    return list(dict.fromkeys(name for name in names if name))


def _address(person: Any) -> str:
    text = str(person)
    return text[7:] if text[:7].lower() == "mailto:" else text


def _declined(component: Any, email: str) -> bool:
    people: Iterable[Any] = _ical.listed(component.get("ATTENDEE"))
    return any(
        _address(person).lower() == email.lower() and str(person.params.get("PARTSTAT", "")).upper() == "DECLINED"
        for person in people
    )


def _importance(component: Any, people: int) -> float:
    weight = _BASE + (_SHARED if people > 1 else 0) + (_CROWD if people > 5 else 0)
    weight += _ALARM if component.walk("VALARM") else 0
    priority = _ical.text_of(component, "PRIORITY")
    if priority.isdecimal() and 1 <= int(priority[:3]) <= 9:
        weight += _HIGH if int(priority) < 5 else _LOW if int(priority) > 5 else 0
    return min(1.0, max(0.0, weight))
