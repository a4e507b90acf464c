"""The browser's kits: a history of Chromium, of Firefox and of Safari, in the forms of the fixtures."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

from conformance import Kit, Record

from adapters.browser import Browser, BrowserAccount, BrowserSettings
from planner.ranges import UTC

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "browser"
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=UTC)


@asynccontextmanager
async def reading(*accounts: BrowserAccount, single: bool = False, **settings: Any) -> AsyncIterator[Browser]:
    adapter = Browser(BrowserSettings(accounts=accounts, **settings), single)
    try:
        yield adapter
    finally:
        await adapter.close()


def schema(case: str) -> str:
    """The tables of a fixture without its rows."""
    lines = (FIXTURES / case / "history.sql").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("INSERT"))


def micros(moment: dt.datetime) -> int:
    return (moment - _EPOCH) // dt.timedelta(microseconds=1)


def chromium(
    file: Path, number: int, url: Any, title: str, at: Any, lasts: int = 0, transition: int = 0x30000000
) -> list[tuple[str, Any]]:
    at = micros(at) + 11_644_473_600_000_000 if isinstance(at, dt.datetime) else at
    return [
        ("INSERT INTO urls(id, url, title, last_visit_time) VALUES (?, ?, ?, 0)", (number, url, title)),
        (
            "INSERT INTO visits(url, visit_time, transition, visit_duration) VALUES (?, ?, ?, ?)",
            (number, at, transition, lasts),
        ),
    ]


def _firefox(file: Path, number: int, url: Any, title: str, at: Any, lasts: int = 0) -> list[tuple[str, Any]]:
    at = micros(at) if isinstance(at, dt.datetime) else at
    return [
        ("INSERT INTO moz_places(id, url, title) VALUES (?, ?, ?)", (number, url, title)),
        ("INSERT INTO moz_historyvisits(place_id, visit_date, visit_type) VALUES (?, ?, 1)", (number, at)),
    ]


def _safari(file: Path, number: int, url: Any, title: str, at: Any, lasts: int = 0) -> list[tuple[str, Any]]:
    at = micros(at) / 1e6 - 978_307_200 if isinstance(at, dt.datetime) else at
    return [
        ("INSERT INTO history_items(id, url) VALUES (?, ?)", (number, url)),
        ("INSERT INTO history_visits(history_item, visit_time, title) VALUES (?, ?, ?)", (number, at, title)),
    ]


Rows = Callable[..., list[tuple[str, Any]]]


def _opened(
    folder: Path, records: Sequence[Record], *, case: str, name: str, rows: Rows, more: Sequence[tuple[Any, ...]] = ()
) -> Any:
    accounts = []
    for user in dict.fromkeys(["ada", *(record.user for record in records)]):
        profile = folder / user
        profile.mkdir(exist_ok=True)
        file = profile / name
        file.unlink(missing_ok=True)
        with closing(sqlite3.connect(file)) as database, database:
            database.executescript(schema(case))
            mine = [record for record in records if record.user == user]
            for number, record in enumerate(mine, 1):
                lasts = (record.end - record.start) // dt.timedelta(microseconds=1) if record.end else 0
                for statement, values in rows(
                    file, number, f"https://{record.key}.example/page", record.text, record.start, lasts
                ):
                    database.execute(statement, values)
            for number, (url, at) in enumerate(more, 1000):
                for statement, values in rows(file, number, url, "odd", at):
                    database.execute(statement, values)
        accounts.append(BrowserAccount(path=profile, user=user))
    return reading(*accounts)


def _file(content: bytes | str, folder: Path) -> Any:
    path = folder / "History"
    if isinstance(content, str):
        with closing(sqlite3.connect(path)) as database:
            database.executescript(content)
    else:
        path.write_bytes(content)
    return reading(BrowserAccount(path=path, user="ada"))


def _torn(folder: Path) -> Any:
    path = folder / "whole"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(schema("chromium_2025"))
        database.executemany(
            "INSERT INTO urls(url, last_visit_time) VALUES (?, 0)", [(f"https://x.example/{n}" * 50,) for n in range(200)]
        )
    (folder / "History").write_bytes(path.read_bytes()[:20_000])
    return reading(BrowserAccount(path=folder / "History", user="ada"))


_ENDLESS = """
CREATE TABLE urls(id, url, title, hidden);
CREATE VIEW visits AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000)
  SELECT 1 url, count(*) visit_time, 0 transition FROM n;
"""
_ODD: dict[str, list[tuple[Any, Any]]] = {
    "a time that is none": [("https://odd.example/", "yesterday")],
    "a time of zero": [("https://odd.example/", 0)],
    "no address": [("", dt.datetime(2026, 9, 1, 4, tzinfo=UTC))],
}


def _kit(name: str, case: str, file: str, rows: Rows) -> Kit:
    made = partial(_opened, case=case, name=file, rows=rows)
    return Kit(
        name,
        made,
        damaged={kind: partial(made, more=more) for kind, more in _ODD.items()},
        broken={
            "garbage": partial(_file, b"\x00\xffno database" * 1000),
            "empty": partial(_file, b""),
            "other tables": partial(_file, "CREATE TABLE notes(id);"),
            "a column missing": partial(_file, "CREATE TABLE urls(id, url); CREATE TABLE visits(id, url);"),
            "torn": _torn,
            "missing": lambda folder: reading(BrowserAccount(path=folder / "none", user="ada")),
            "no profile": lambda folder: reading(BrowserAccount(path=folder, user="ada")),
        },
        slow=partial(_file, _ENDLESS),
    )


KITS = [
    _kit("browser-chromium", "chromium_2025", "History", chromium),
    _kit("browser-firefox", "firefox_2025", "places.sqlite", _firefox),
    _kit("browser-safari", "safari", "History.db", _safari),
]
