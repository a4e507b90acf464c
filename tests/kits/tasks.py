"""The tasks' kits: VTODO in files and on a CalDAV server, todo.txt, Taskwarrior's export, Todoist's export and API."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread
import caldav_server
import todoist_server
from conformance import Kit, Record
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from support import SHANGHAI

from adapters.tasks import TasksSettings, TasksSource
from planner.ranges import UTC
from temporal_recall.sample import served

_HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n"
_END = "END:VCALENDAR\r\n"


def users(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(["ada", *(record.user for record in records)]))


@asynccontextmanager
async def _adapter(accounts: Sequence[dict[str, Any]]) -> AsyncIterator[TasksSource]:
    adapter = TasksSource(TasksSettings(accounts=accounts), single=False)  # type: ignore[arg-type]
    try:
        yield adapter
    finally:
        await adapter.close()


def _files(folder: Path, records: Sequence[Record], *, file: str, text: Callable[..., str], more: Any = None) -> Any:
    accounts = []
    for user in users(records):
        place = folder / user
        place.mkdir(exist_ok=True)
        own = [record for record in records if record.user == user]
        place.joinpath(file).write_bytes((text(own) if more is None else text(own, more)).encode())
        accounts.append({"path": str(place), "user": user})
    return _adapter(accounts)


def _only(folder: Path, file: str, content: bytes | None) -> Any:
    path = folder / file
    if content is not None:
        path.write_bytes(content)
    return _adapter([{"path": str(path), "user": "ada"}])


def vtodo(records: Sequence[Record], more: str = "") -> str:
    tasks = [
        f"BEGIN:VTODO\r\nUID:{r.key}\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:{r.text}\r\nDUE:{r.start.astimezone(UTC):%Y%m%dT%H%M%SZ}\r\nEND:VTODO\r\n"
        for r in records
    ]
    return _HEAD + "".join(tasks) + more + _END


def todotxt(records: Sequence[Record], more: str = "") -> str:
    return "".join(f"2026-01-01 {r.text} due:{r.start.astimezone(SHANGHAI):%Y-%m-%d} id:{r.key}\n" for r in records) + more


def taskwarrior(records: Sequence[Record], more: Sequence[Any] = ()) -> str:
    rows = [
        {
            "uuid": r.key,
            "description": r.text,
            "status": "pending",
            "entry": "20260101T000000Z",
            "due": f"{r.start.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        }
        for r in records
    ]
    return json.dumps([*rows, *more])


def _row(record: Record) -> dict[str, Any]:
    return todoist_server.task(
        record.key, record.text, due=todoist_server.due(f"{record.start.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")
    )


@asynccontextmanager
async def _todoist(
    folder: Path, records: Sequence[Record], more: Sequence[Any] = (), delay: float = 0
) -> AsyncIterator[TasksSource]:
    async with AsyncExitStack() as stack:
        accounts = []
        for user in users(records):
            account = todoist_server.Todoist([*(_row(r) for r in records if r.user == user), *more], f"token of {user}", delay)
            url = await stack.enter_async_context(served(account.app))
            accounts.append({"kind": "todoist", "url": url + "/api/v1", "password": account.token, "user": user, "name": user})
        yield await stack.enter_async_context(_adapter(accounts))


@asynccontextmanager
async def _answering(folder: Path, answer: Callable[[], Response], password: str = "token") -> AsyncIterator[TasksSource]:
    async def give(request: Request) -> Response:
        return answer()

    async with (
        served(Starlette(routes=[Route("/{rest:path}", give)])) as url,
        _adapter([{"kind": "todoist", "url": url, "password": password, "user": "ada"}]) as adapter,
    ):
        yield adapter


@asynccontextmanager
async def _servers(folder: Path, records: Sequence[Record]) -> AsyncIterator[TasksSource]:
    accounts = []
    for user in users(records):
        url, name, password = await anyio.to_thread.run_sync(caldav_server.person, f"{folder} tasks {user}")
        await anyio.to_thread.run_sync(caldav_server.put, url, name, password, vtodo([r for r in records if r.user == user]))
        accounts.append({"url": url + "/", "username": name, "password": password, "user": user, "name": user})
    async with _adapter(accounts) as adapter:
        yield adapter


def _kit(name: str, file: str, text: Callable[..., str], damage: dict[str, Any], broken: dict[str, bytes], **more: Any) -> Kit:
    places: dict[str, bytes | None] = {"garbage": b"\xff\xfe\x00garbage" * 100, "missing": None, **broken}
    return Kit(
        name,
        partial(_files, file=file, text=text),
        damaged={kind: partial(_files, file=file, text=text, more=bad) for kind, bad in damage.items()},
        broken={kind: partial(_only, file=file, content=content) for kind, content in places.items()},
        slow=None,
        by_event=True,
        **more,
    )


_BAD_VTODO = "BEGIN:VTODO\r\nUID:b\r\n{}\r\nEND:VTODO\r\n"
VTODO = _kit(
    "tasks-vtodo", "tasks.ics", vtodo,
    {
        "a due time that is none": _BAD_VTODO.format("DUE:tomorrow"), "a start that is none": _BAD_VTODO.format("DTSTART:tomorrow"),
        "every second": _BAD_VTODO.format("DUE:20260901T000000Z\r\nRRULE:FREQ=SECONDLY"), "not closed": "BEGIN:VTODO\r\nUID:b\r\nDUE:2026",
    },
    {"empty": b"", "cut off": (_HEAD + "BEGIN:VTODO\r\nDUE:20260901").encode()},
)  # fmt: skip
TODOTXT = _kit(
    "tasks-todotxt", "todo.txt", todotxt,
    {"no text": "(A) 2026-01-01 due:2026-09-01\n", "a day that there is not": "something due:2026-02-30\n", "done on no day": "x 2026-19-01 2026-01-01 y due:x\n"},
    {"empty": b""},
)  # fmt: skip
TASKWARRIOR = _kit(
    "tasks-taskwarrior", "export.json", taskwarrior,
    {"no uuid": [{"description": "x"}], "no object": [None, 7, "x", []], "no text": [{"uuid": "b", "description": ["x"]}],
     "times that are none": [{"uuid": "b", "description": "x", "due": 7, "entry": "then"}]},
    {"empty": b"", "cut off": b'[{"uuid": "x", "descr', "deep": b"[" * 100_000, "another shape": b'{"rows": []}', "no tasks": b'[{"a": 1}]'},
)  # fmt: skip
TODOIST = Kit(
    "tasks-todoist",
    _todoist,
    damaged={
        "no id": partial(_todoist, more=[{"content": "x"}]),
        "no object": partial(_todoist, more=[None, 7, "x"]),
        "a due time that is none": partial(_todoist, more=[todoist_server.task("b", "x", due={"date": "soon"})]),
        "a zone that is none": partial(
            _todoist, more=[todoist_server.task("b", "x", due=todoist_server.due("2026-09-01T09:00:00", "Mars"))]
        ),
    },
    broken={
        "garbage": partial(_answering, answer=lambda: Response(b"\xff\xfe<html>")),
        "another shape": partial(_answering, answer=lambda: Response(b'{"results": 7}')),
        "a list": partial(_answering, answer=lambda: Response(b"[]")),
        "deep": partial(_answering, answer=lambda: Response(b"[" * 100_000)),
        "refused": partial(_answering, answer=lambda: Response(b"{}", 401)),
        "too often": partial(_answering, answer=lambda: Response(b"{}", 429)),
        "for ever": partial(_answering, answer=lambda: Response(b'{"results": [1], "items": [1], "next_cursor": "same"}')),
    },
    slow=partial(_todoist, records=[], delay=30),
    by_event=True,
)
CALDAV = Kit("tasks-caldav", _servers, damaged={}, broken={}, slow=None, by_event=True)
KITS = [VTODO, TODOTXT, TASKWARRIOR, TODOIST, CALDAV]
