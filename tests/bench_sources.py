"""What a question of one week costs over large files of the sources, in processor time: `python tests/bench_sources.py`."""

from __future__ import annotations

import datetime as dt
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from support import NOW

from adapters import SearchContext
from adapters.calendar import CalendarSettings, CalendarSource
from adapters.tasks import TasksSettings, TasksSource
from planner import make_plan

N = 5000
_HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n"


def calendar(endless: float) -> str:
    """5,000 series over three years, that share of them weekly without an end, the rest of one event each."""
    chance = random.Random(7)
    events = []
    for n in range(N):
        start = dt.datetime(2024, 1, 1, 9) + dt.timedelta(days=chance.randrange(1095), minutes=15 * chance.randrange(40))
        rule = "RRULE:FREQ=WEEKLY\r\n" if chance.random() < endless else ""
        events.append(
            f"BEGIN:VEVENT\r\nUID:{n}@example.org\r\nDTSTAMP:20260101T000000Z\r\nCREATED:20240101T000000Z\r\nSUMMARY:Meeting number {n}\r\n"
            f"LOCATION:Room {n % 40}\r\nDTSTART;TZID=Asia/Shanghai:{start:%Y%m%dT%H%M%S}\r\nDURATION:PT1H\r\n{rule}"
            "ATTENDEE;CN=Ada;PARTSTAT=ACCEPTED:mailto:ada@example.org\r\nATTENDEE;CN=Eve:mailto:eve@example.org\r\n"
            "DESCRIPTION:What we talk about and who brings what\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\n"
        )
    return _HEAD + "".join(events) + "END:VCALENDAR\r\n"


def todos() -> str:
    day = dt.date(2026, 1, 1)
    tasks = (
        f"BEGIN:VTODO\r\nUID:{n}\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Task {n}\r\nDUE;VALUE=DATE:{day + dt.timedelta(days=n % 365):%Y%m%d}\r\nEND:VTODO\r\n"
        for n in range(N)
    )
    return _HEAD + "".join(tasks) + "END:VCALENDAR\r\n"


def lines() -> str:
    day = dt.date(2026, 1, 1)
    return "".join(f"2026-01-01 Task {n} due:{day + dt.timedelta(days=n % 365)}\n" for n in range(N))


async def measure(name: str, file: str, text: str, open_: Callable[[str], Any]) -> None:
    plan = make_plan("这周有什么安排", "ada", NOW)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file)
        path.write_bytes(text.encode())  # noqa: ASYNC240  (nothing else runs)
        adapter = open_(str(path))
        taken = []
        for _ in range(3):
            ctx = SearchContext(
                "ada",
                plan.retrievals[0],
                plan.time,
                plan.temporal_mode,
                plan.expanded_queries,
                NOW,
                deadline=anyio.current_time() + 5,
            )
            before = time.process_time()
            found = await adapter.search(ctx)
            taken.append((time.process_time() - before) * 1000)
        await adapter.close()
        more = ", truncated" if found.truncated else ""
        print(f"{name:42} first {taken[0]:6.0f} ms, then {min(taken[1:]):6.0f} ms, {len(found)} items{more}")


async def sources() -> None:
    def events(path: str) -> CalendarSource:
        return CalendarSource(CalendarSettings(accounts=[{"path": path}]))  # type: ignore[arg-type, list-item]

    def tasks(path: str) -> TasksSource:
        return TasksSource(TasksSettings(accounts=[{"path": path}]))  # type: ignore[arg-type, list-item]

    await measure("calendar, 5,000 series, a tenth endless", "a.ics", calendar(0.1), events)
    await measure("calendar, 5,000 series, all endless", "a.ics", calendar(1), events)
    await measure("tasks, 5,000 VTODO", "a.ics", todos(), tasks)
    await measure("tasks, 5,000 lines of todo.txt", "todo.txt", lines(), tasks)


if __name__ == "__main__":
    anyio.run(sources)
