"""The calendar's kits: files, a subscribed address on a real server, and CalDAV on a Radicale of one's own."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import caldav_server
from conformance import Kit, Record
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.calendar import CalendarSettings, CalendarSource
from planner.ranges import UTC
from temporal_recall.sample import served

_HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n"
_END = "END:VCALENDAR\r\n"
_STAMP = "DTSTAMP:20260101T000000Z"


def _utc(moment: dt.datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def event(record: Record) -> str:
    end = record.end or record.start + dt.timedelta(minutes=10)
    text = record.text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;").replace("\n", "\\n")
    lines = [
        "BEGIN:VEVENT",
        f"UID:{record.key}",
        _STAMP,
        f"SUMMARY:{text}",
        f"DTSTART:{_utc(record.start)}",
        f"DTEND:{_utc(end)}",
        "END:VEVENT",
    ]
    return "\r\n".join(lines) + "\r\n"


def calendar(records: Sequence[Record], more: str = "") -> str:
    return _HEAD + "".join(map(event, records)) + more + _END


def _broken(*lines: str) -> str:
    return "\r\n".join(["BEGIN:VEVENT", "UID:broken", _STAMP, "SUMMARY:broken", *lines, "END:VEVENT"]) + "\r\n"


DAMAGE = {
    "no start": _broken(),
    "a start that is none": _broken("DTSTART:tomorrow"),
    "a day that there is not": _broken("DTSTART:20260931T000000Z"),
    "a rule that is none": _broken("DTSTART:20260901T000000Z", "RRULE:FREQ=NEVER"),
    "every second for ever": _broken("DTSTART:19700101T000000Z", "RRULE:FREQ=SECONDLY"),
    "not closed": "BEGIN:VEVENT\r\nUID:broken\r\nDTSTART:2026",
}


def users(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(["ada", *(record.user for record in records)]))


@asynccontextmanager
async def _adapter(accounts: Sequence[dict[str, Any]]) -> AsyncIterator[CalendarSource]:
    adapter = CalendarSource(CalendarSettings(accounts=accounts), single=False)  # type: ignore[arg-type]
    try:
        yield adapter
    finally:
        await adapter.close()


def _files(folder: Path, records: Sequence[Record], more: str = "", beside: bytes = b"") -> Any:
    accounts = []
    for user in users(records):
        place = folder / user
        place.mkdir(exist_ok=True)
        place.joinpath("calendar.ics").write_bytes(calendar([r for r in records if r.user == user], more).encode())
        if beside:
            place.joinpath("other.ics").write_bytes(beside)
        accounts.append({"path": str(place), "user": user})
    return _adapter(accounts)


def _only(folder: Path, content: bytes | None) -> Any:
    path = folder / "only.ics"
    if content is not None:
        path.write_bytes(content)
    return _adapter([{"path": str(path), "user": "ada"}])


def _slow_file(folder: Path) -> Any:
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:{n}\r\n{_STAMP}\r\nDTSTART:20200101T000000Z\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n"
        for n in range(60_000)
    )
    return _only(folder, (_HEAD + events + _END).encode())


@asynccontextmanager
async def _addresses(folder: Path, records: Sequence[Record], more: str = "") -> AsyncIterator[CalendarSource]:
    texts = {user: calendar([r for r in records if r.user == user], more) for user in users(records)}

    async def give(request: Request) -> Response:
        return Response(texts[request.path_params["user"]], media_type="text/calendar")

    async with (
        served(Starlette(routes=[Route("/{user}.ics", give)])) as url,
        _adapter([{"url": f"{url}/{user}.ics", "user": user, "name": user} for user in texts]) as adapter,
    ):
        yield adapter


@asynccontextmanager
async def _answering(
    folder: Path, answer: Callable[[], Response], delay: float = 0, path: str = "/ada.ics", **more: str
) -> AsyncIterator[CalendarSource]:
    async def give(request: Request) -> Response:
        await anyio.sleep(delay)
        return answer()

    methods = ["GET", "PROPFIND", "REPORT"]
    async with (
        served(Starlette(routes=[Route("/{rest:path}", give, methods=methods)])) as url,
        _adapter([{"url": url + path, "user": "ada", **more}]) as adapter,
    ):
        yield adapter


_NOTHING: dict[str, Callable[[], Response]] = {
    "garbage": lambda: Response(b"\xff\xfe\x00garbage"),
    "a page": lambda: Response("<!doctype html><title>Sign in</title>", media_type="text/html"),
    "empty": lambda: Response(b""),
    "refused": lambda: Response(b"", 401),
    "gone": lambda: Response(b"", 410),
    "out of order": lambda: Response(b"", 503),
    "in a circle": lambda: Response(b"", 302, {"Location": "/ada.ics"}),
    "to a file": lambda: Response(b"", 302, {"Location": "file:///etc/hostname"}),
    "a bomb": lambda: Response(_bomb(), headers={"Content-Encoding": "gzip"}),
}


def _bomb() -> bytes:
    import gzip

    return gzip.compress(b"BEGIN:VCALENDAR\r\n" * 4_000_000, 1)


@asynccontextmanager
async def _servers(folder: Path, records: Sequence[Record], more: str = "") -> AsyncIterator[CalendarSource]:
    accounts = []
    for user in users(records):
        url, name, password = await anyio.to_thread.run_sync(caldav_server.person, f"{folder} {user}")
        text = calendar([r for r in records if r.user == user])
        await anyio.to_thread.run_sync(caldav_server.put, url, name, password, text)
        accounts.append({"url": url + "/", "username": name, "password": password, "user": user, "name": user})
    async with _adapter(accounts) as adapter:
        yield adapter


@asynccontextmanager
async def _no_server(folder: Path) -> AsyncIterator[CalendarSource]:
    url, name, _ = await anyio.to_thread.run_sync(caldav_server.person, f"{folder}")
    async with _adapter([{"url": url, "username": name, "password": "wrong", "user": "ada"}]) as adapter:
        yield adapter


# Entities of entities, behind so much space that it takes a reader to see them.
_LAUGHS = (
    b'<?xml version="1.0"?>' + b" " * 5000 + b"<!DOCTYPE x [<!ENTITY a0 'ha'>"
    + b"".join(b"<!ENTITY a%d '%b'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12))
    + b']><multistatus xmlns="DAV:"><response><href>&a11;</href></response></multistatus>'
)  # fmt: skip

FILE = Kit(
    "calendar-file",
    _files,
    damaged={
        **{kind: partial(_files, more=text) for kind, text in DAMAGE.items()},
        "a file that is no calendar": partial(_files, beside=b"\x00\x01 not a calendar"),
    },
    broken={
        "garbage": lambda folder: _only(folder, b"\xff\xfe\x00garbage" * 1000),
        "empty": lambda folder: _only(folder, b""),
        "missing": lambda folder: _only(folder, None),
        "cut off": lambda folder: _only(folder, (_HEAD + "BEGIN:VEVENT\r\nUID:x\r\nDTSTART:20260901T00").encode()),
        "deep": lambda folder: _only(folder, (_HEAD + "BEGIN:VEVENT\r\n" * 50_000).encode()),
    },
    slow=_slow_file,
    by_event=True,
    extent=True,
)
URL = Kit(
    "calendar-url",
    _addresses,
    damaged={kind: partial(_addresses, more=text) for kind, text in DAMAGE.items()},
    broken={kind: partial(_answering, answer=answer) for kind, answer in _NOTHING.items()},
    slow=partial(_answering, answer=lambda: Response(b""), delay=30),
    by_event=True,
    extent=True,
)
CALDAV = Kit(
    "calendar-caldav",
    _servers,
    damaged={},
    broken={
        **{kind: partial(_answering, answer=answer, path="/", kind="caldav") for kind, answer in _NOTHING.items()},
        "a wrong password": _no_server,
        "entities": partial(_answering, answer=lambda: Response(_LAUGHS, 207, media_type="text/xml"), path="/", kind="caldav"),
        "no calendars": partial(
            _answering, answer=lambda: Response(b'<multistatus xmlns="DAV:"/>', 207), path="/", kind="caldav"
        ),
    },
    slow=partial(_answering, answer=lambda: Response(b""), delay=30, path="/", kind="caldav"),
    by_event=True,
    extent=True,
)
KITS = [FILE, URL, CALDAV]
