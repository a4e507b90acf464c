"""tasks: what a person has to do, had to do and did, from VTODO, todo.txt, Taskwarrior and Todoist.

    TEMPORAL_RECALL_TASKS_ACCOUNTS='~/todo, {"kind": "todoist", "password_env": "TODOIST_TOKEN"}, …'

Files and folders: `*.ics` (VTODO), `todo.txt` and `done.txt`, `*.json` (a `task export`, or what Todoist's API answers), `*.csv` (a
Todoist project); addresses of iCalendar files; CalDAV servers; Todoist's API v1:

    GET {url}/tasks                                              {"results": [task …], "next_cursor": …}
    GET {url}/tasks/completed/by_completion_date?since=…&until=… {"items": [task …], "next_cursor": …}    at most 3 months
    GET {url}/tasks/completed/by_due_date?since=…&until=…        the same, at most 6 weeks                 Bearer token

Type todo. An open task's event is its due time (status due), or when it is to be begun (planned); a day is the whole day in the
asker's zone. A done one's is when it was done (status done) where the question is what happened; asked what was due or planned, it
is still found by its due time. Open tasks have not happened: OCCURRED_IN finds none. observed_time is when it was created.

source_ref is `tasks:task:{place}:{recurrence}:{id}`, as the calendar's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import anyio
import orjson
from pydantic import Field, model_validator
from pydantic_settings import SettingsConfigDict

from adapters import _ical
from adapters._accounts import Accounts, check_all, of_user, read_all
from adapters._base import (
    Items,
    SearchContext,
    Shared,
    SourceError,
    SourceSettings,
    SourceTimeout,
    TemporalSourceAdapter,
    TimelineItem,
    source,
    title_of,
)
from adapters._blocking import Stop, in_thread
from adapters._choice import about_topic, nearest
from adapters._dav import auth_of
from adapters._ical import MALFORMED, Time, moment_of
from adapters._places import Feeds, PlaceAccount, Read, Servers, Shelf, digest
from adapters._todos import Task, Tasks, add, read_csv, read_json, read_todotxt, read_vtodo, todo_state, todoist
from adapters._web import Web, raise_for
from planner.modes import TemporalMode
from planner.ranges import FIRST_YEAR, LAST_YEAR, UTC, Grain, attach

_TODOIST = "https://api.todoist.com/api/v1"


class TasksAccount(PlaceAccount):
    """`kind` todoist asks Todoist's API, by itself at its own address."""

    kind: Literal["ics", "caldav", "todoist"] | None = None  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _todoist(cls, value: Any) -> Any:
        if isinstance(value, dict) and value.get("kind") == "todoist" and not value.get("url"):
            return {**value, "url": _TODOIST}
        return value


class TasksSettings(SourceSettings):
    """Where the tasks are; `max_bytes` bounds what is read of one account, `refresh_seconds` how old a subscription may be."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_TASKS_")

    accounts: Accounts[TasksAccount] = ()
    max_bytes: Annotated[int, Field(ge=1024)] = 20_000_000
    refresh_seconds: Annotated[float, Field(ge=0)] = 300


@source("tasks", TasksSettings, "TASKS_ACCOUNTS: task files or folders, CalDAV servers, Todoist")
def build(settings: TasksSettings, shared: Shared) -> TemporalSourceAdapter | None:
    return TasksSource(settings, shared.single) if settings.accounts else None


_SURE, _DOUBTFUL = 0.98, 0.7
_ALARM = 0.05
_NOTES = 1000
_RESERVE = 0.25
_DAY = dt.timedelta(days=1)
_PAGES, _PAGE = 50, 200
_BY_DUE = (TemporalMode.DUE_IN, TemporalMode.PLANNED_IN)
_BY_RECORD = (TemporalMode.CREATED_IN, TemporalMode.MENTIONED_IN, TemporalMode.AMBIGUOUS)


class TasksSource:
    """Reads tasks wherever they lie."""

    source = "tasks"

    def __init__(self, settings: TasksSettings, single: bool = True) -> None:
        self.settings, self.single = settings, single
        self.web = Web(settings.max_bytes)
        forms = {"todo.txt": read_todotxt, "done.txt": read_todotxt, ".ics": read_vtodo, ".json": read_json, ".csv": read_csv}
        self.shelf: Shelf[Tasks] = Shelf(forms, settings.max_bytes)
        self.feeds: Feeds[Tasks] = Feeds(self.web, read_vtodo, settings.refresh_seconds)
        self.servers: Servers[Tasks] = Servers(self.web, read_vtodo, "VTODO")

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        mine = of_user(self.settings.accounts, ctx.user_id, self.single)
        return await read_all(mine, ctx, partial(self._account, ctx=ctx))

    async def _account(self, account: TasksAccount, ctx: SearchContext) -> Items:
        read = await self._read(account, ctx, ctx.deadline)
        return await in_thread(partial(_items, read, account, ctx), ctx.deadline)

    async def _read(self, account: TasksAccount, ctx: SearchContext | None, deadline: float) -> Read[Tasks]:
        if account.path is not None:
            return await in_thread(partial(self.shelf.read, account.place), deadline)
        if account.kind == "todoist":
            return await _Todoist(self.web, account).read(ctx)
        if account.served:
            return await self.servers.read(account, None, deadline)
        return await self.feeds.read(account, deadline)

    async def check(self) -> str:
        return await check_all(self.settings.accounts, self._check)

    async def _check(self, account: TasksAccount) -> str:
        read = await self._read(account, None, float("inf"))
        count = sum(len(part.tasks) + len(part.recurring) for _, part in read.parts)
        return f"{count} tasks" + (f" ({'; '.join(read.problems)})" if read.problems else "")

    async def close(self) -> None:
        await self.web.close()


# --- the tasks of a question ----------------------------------------------------------------------------------------------


def _items(read: Read[Tasks], account: TasksAccount, ctx: SearchContext, stop: Stop) -> Items:
    skipped = read.damaged + sum(part.skipped for _, part in read.parts)
    undated = sum(part.undated for _, part in read.parts)
    found: dict[str, _Placed] = {}
    late = more = False
    for place, part in read.parts:
        # A line goes from todo.txt to done.txt and stays the same task.
        key = digest(account.called, "" if place.endswith(".txt") else place)
        recurring: list[tuple[str, Task]] = []
        for entry in part.recurring:
            stop.check()
            late = late or stop.late
            try:
                instances, left = _recurring(entry, ctx) if not late else ([], True)
            except MALFORMED:
                skipped += 1
                continue
            recurring += instances
            more = more or left
        for n, (recurrence, task) in enumerate([*(("-", task) for task in part.tasks), *recurring]):
            if not n % 200:
                stop.check()
            placed = _placed(task, ctx)
            if placed is not None:
                ref = f"tasks:task:{key}:{recurrence}:{task.key}"
                found[_free(ref, found)] = placed
    about = about_topic(list(found.items()), ctx, lambda one: one[1].text)
    kept = nearest(about, ctx, text=lambda one: one[1].text, event=lambda one: one[1].event)
    items = []
    for ref, placed in kept:
        stop.check()
        items.append(_item(ref, placed, ctx))
    truncated = read.truncated or late or more or len(kept) < len(about)
    return Items(items, truncated=truncated, undated=undated, skipped=skipped, problems=read.problems)


def _free(ref: str, taken: dict[str, _Placed]) -> str:
    """The reference, numbered where another record of the place has it already."""
    n, free = 1, ref
    while free in taken:
        n += 1
        free = f"{ref}#{n}"
    return free


def _recurring(entry: _ical.Entry, ctx: SearchContext) -> tuple[list[tuple[str, Task]], bool]:
    """The instances of a VTODO with a rule that may be due, begun or done in the asked time, each as a task of its own."""
    start, end = ctx.time.start - _DAY, ctx.time.end + _DAY
    instances, more = _ical.instances(entry, start, end, ctx.now) if entry.may_lie(start, end) else ([], False)
    if not instances and ctx.temporal_mode in _BY_RECORD:
        begin = _ical.first(entry, ctx.zone)
        instances = [begin] if begin is not None else []
    tasks = []
    for one in instances:
        state, done = todo_state(one.block)
        last: Time = one.end.replace(tzinfo=None).date() if one.all_day else one.end
        first: Time = one.start.replace(tzinfo=None).date() if one.all_day else one.start
        due = any(block.has("DUE") or block.has("DURATION") for block in entry.blocks)
        made = _ical.made_at(one.block, UTC)
        task = Task(
            entry.uid, _ical.summary(one.block), created=made, dues=(last,) if due else (), start=first, done=done, state=state,
            doubtful=one.doubtful, block=one.block,
        )  # fmt: skip
        tasks.append((one.recurrence, task))
    return tasks, more


class _Placed:
    """A task, and the time by which a question finds it: `event` is `[start, end)`, None when it has none."""

    __slots__ = ("event", "grain", "status", "task")

    def __init__(self, task: Task, event: tuple[dt.datetime, dt.datetime] | None, grain: Grain | None, status: str) -> None:
        self.task, self.event, self.grain, self.status = task, event, grain, status

    @property
    def text(self) -> str:
        return self.task.title + "\n" + (self.task.notes or (self.task.block.text if self.task.block is not None else ""))


def _placed(task: Task, ctx: SearchContext) -> _Placed | None:
    """The task as the question finds it, None when it does not."""
    mode, asked = ctx.temporal_mode, ctx.time.range
    untimed = ctx.time.source == "default" and bool(ctx.expanded_queries) and mode is not TemporalMode.DUE_IN
    if mode is TemporalMode.OCCURRED_IN and task.state != "done" and not untimed:
        return None
    open_status = "cancelled" if task.state == "cancelled" else "done" if task.state == "done" else ""
    times: list[tuple[Time, str]] = []
    if task.done is not None and mode not in _BY_DUE:
        times.append((task.done, "done"))
    if task.state != "done" or mode is not TemporalMode.OCCURRED_IN:
        times += [(due, open_status or "due") for due in task.dues]
        if task.start is not None:
            times.append((task.start, open_status or "planned"))
    default = open_status or "planned"
    choices = [_Placed(task, *_span(time, task, ctx.zone), status) for time, status in times if _in_calendar(time)]
    fitting = next((one for one in choices if one.event is not None and asked.overlaps(*one.event)), None)
    by_time = mode not in (TemporalMode.CREATED_IN, TemporalMode.MENTIONED_IN)
    if by_time and fitting is not None:
        return fitting
    made = _moment(task.created, ctx.zone)
    if untimed or (mode in _BY_RECORD and made is not None and asked.holds(made)):
        return fitting or next(iter(choices), None) or _Placed(task, None, None, default)
    return None


def _in_calendar(value: Time) -> bool:
    """Whether it is a time at all: what is due on 9999-12-31 is due never."""
    return FIRST_YEAR <= value.year <= LAST_YEAR


def _moment(value: Time | None, zone: dt.tzinfo) -> dt.datetime | None:
    return None if value is None or not _in_calendar(value) else moment_of(value, zone)


def _span(value: Time, task: Task, zone: dt.tzinfo) -> tuple[tuple[dt.datetime, dt.datetime], Grain]:
    """The time `[start, end)` and how precise it is: a date is its whole day in `zone`."""
    moment = moment_of(value, zone)
    midnight = task.by_midnight and value in task.dues and moment.time() == dt.time()
    if isinstance(value, dt.datetime) and not midnight:
        return (moment, moment), Grain.MINUTE
    return (moment, attach(dt.datetime.combine(moment.date() + _DAY, dt.time()), zone)), Grain.DAY


def _item(ref: str, placed: _Placed, ctx: SearchContext) -> TimelineItem:
    task = placed.task
    if task.block is not None:
        task = _whole(task)
    content = "\n".join(part for part in (task.title, task.notes[:_NOTES]) if part) or "(no title)"
    start, end = placed.event if placed.event is not None else (None, None)
    return TimelineItem(
        source="tasks",
        source_ref=ref,
        type="todo",
        title=title_of(task.title or content),
        content=content,
        observed_time=_moment(task.created, ctx.zone),
        event_time=start,
        event_end=end if end != start else None,
        event_grain=placed.grain,
        status=placed.status,
        importance=min(1.0, task.importance),
        confidence=_DOUBTFUL if task.doubtful else _SURE,
        negated=placed.status == "cancelled",
    )


def _whole(task: Task) -> Task:
    """A VTODO with its text as it reads."""
    assert task.block is not None
    try:
        component = _ical.component_of(task.block)
    except MALFORMED:
        return replace(task, doubtful=True)
    place = _ical.text_of(component, "LOCATION")
    title = " @ ".join(part for part in (_ical.text_of(component, "SUMMARY"), place) if part)
    priority = _ical.text_of(component, "PRIORITY")
    weight = task.importance + (_ALARM if component.walk("VALARM") else 0)
    if priority.isdecimal() and 1 <= int(priority[:3]) <= 9:
        weight += 0.2 if int(priority) < 5 else -0.15 if int(priority) > 5 else 0
    return replace(task, title=title, notes=_ical.text_of(component, "DESCRIPTION"), importance=weight)


# --- Todoist --------------------------------------------------------------------------------------------------------------

_MONTHS, _WEEKS = dt.timedelta(days=89), dt.timedelta(days=41)
# So many stretches of three months or six weeks are asked for, the newest first.
_STRETCHES = 8


class _Todoist:
    """One account of Todoist, asked for what a question needs."""

    def __init__(self, web: Web, account: TasksAccount) -> None:
        self.web, self.account = web, account
        self.url = (account.url or _TODOIST).rstrip("/")
        self.found, self.truncated, self.pages = Tasks(), False, 0
        self.seen: set[str] = set()

    async def read(self, ctx: SearchContext | None) -> Read[Tasks]:
        """All open tasks, and the done ones of the asked time; a check asks for the open ones alone."""
        deadline = float("inf") if ctx is None else ctx.deadline - _RESERVE
        with anyio.move_on_at(deadline) as scope:
            for path, field, since, until in self._asked(ctx):
                params = {"since": _iso(since), "until": _iso(until)} if since is not None and until is not None else {}
                await self._pages(path, field, params)
        if scope.cancelled_caught and not self.pages:
            raise SourceTimeout("Todoist did not answer in time")
        return Read([("", self.found)], truncated=self.truncated or scope.cancelled_caught)

    def _asked(self, ctx: SearchContext | None) -> Iterator[tuple[str, str, dt.datetime | None, dt.datetime | None]]:
        if ctx is None or ctx.temporal_mode is not TemporalMode.OCCURRED_IN or ctx.time.source == "default":
            yield "/tasks", "results", None, None
        if ctx is None:
            return
        start, end = ctx.time.start, ctx.time.end
        if ctx.temporal_mode not in _BY_DUE:
            until = ctx.now + _DAY if ctx.temporal_mode in _BY_RECORD else min(end, ctx.now + _DAY)
            yield from self._stretches("by_completion_date", start, until, _MONTHS)
        if ctx.temporal_mode in (*_BY_DUE, TemporalMode.AMBIGUOUS):
            yield from self._stretches("by_due_date", start - _DAY, end + _DAY, _WEEKS)

    def _stretches(
        self, name: str, start: dt.datetime, end: dt.datetime, size: dt.timedelta
    ) -> Iterator[tuple[str, str, dt.datetime, dt.datetime]]:
        for _ in range(_STRETCHES):
            if end <= start:
                return
            low = max(start, end - size)
            yield f"/tasks/completed/{name}", "items", low, end
            end = low
        self.truncated = self.truncated or start < end

    async def _pages(self, path: str, field: str, params: dict[str, str]) -> None:
        cursor = ""
        cursors: set[str] = set()
        while True:
            asked: dict[str, str | int] = {**params, "limit": _PAGE, **({"cursor": cursor} if cursor else {})}
            answer = await self.web.ask(self.url + path, auth=auth_of(self.account), params=asked)
            raise_for(answer.status)
            try:
                body = orjson.loads(answer.body)
                rows = body[field]
                cursor = body.get("next_cursor") or ""
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise SourceError("Todoist's answer is not what its API promises") from error
            if not isinstance(rows, list) or not isinstance(cursor, str):
                raise SourceError("Todoist's answer is not what its API promises")
            self.pages += 1
            for n, row in enumerate(rows):
                if n % 32 == 31:
                    await anyio.lowlevel.checkpoint()
                self._keep(row)
            if not cursor or cursor in cursors or not rows:
                return
            if self.pages >= _PAGES:
                self.truncated = True
                return
            cursors.add(cursor)

    def _keep(self, row: Any) -> None:
        before = len(self.found.tasks)
        add(self.found, row, todoist)
        if len(self.found.tasks) > before:
            key = self.found.tasks[-1].key
            if key in self.seen:  # by completion and by due date: the same
                self.found.tasks.pop()
            self.seen.add(key)


def _iso(moment: dt.datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
