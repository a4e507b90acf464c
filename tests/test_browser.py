"""browser: visits of every kind of history, in sittings, told no further than the settings say, from files that are in use."""

from __future__ import annotations

import datetime as dt
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from kits.browser import FIXTURES, chromium, reading, schema
from mailing import SHANGHAI
from support import NOW

from adapters import Items, SearchContext, SourceError, TimelineItem
from adapters.browser import BrowserAccount, BrowserSettings
from planner import make_plan
from planner.modes import TemporalMode
from planner.plan import PlanSettings

pytestmark = pytest.mark.anyio
CASES = sorted(path.name for path in FIXTURES.iterdir())


def asking(
    query: str = "9月1日", mode: TemporalMode = TemporalMode.OCCURRED_IN, *, user: str = "ada", limit: int = 200
) -> SearchContext:
    plan = make_plan(query, user, NOW, PlanSettings(sources=("browser",), limit=limit), mode)
    return SearchContext(
        user, plan.retrievals[0], plan.time, plan.temporal_mode, plan.expanded_queries, NOW, deadline=anyio.current_time() + 60,
        query=query, time_spans=plan.time_spans,
    )  # fmt: skip


def at(hour: float, day: int = 1) -> dt.datetime:
    return dt.datetime(2026, 9, day, tzinfo=SHANGHAI) + dt.timedelta(hours=hour)


def profile(folder: Path, *visits: tuple[Any, ...], case: str = "chromium_2025") -> BrowserAccount:
    """A profile with these visits: address, title, moment, seconds."""
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / "History")) as database, database:
        database.executescript(schema(case))
        for number, (url, title, moment, *lasts) in enumerate(visits, 1):
            for statement, values in chromium(folder, number, url, title, moment, (lasts or [0])[0] * 1_000_000):
                database.execute(statement, values)
    return BrowserAccount(path=folder, user="ada")


def shown(item: TimelineItem) -> dict[str, Any]:
    assert item.event_time is not None and item.observed_time == item.event_time
    return {
        "ref": item.source_ref, "title": item.title, "content": item.content, "start": item.event_time.isoformat(),
        "end": item.event_end.isoformat() if item.event_end is not None else None, "importance": item.importance,
    }  # fmt: skip


@pytest.mark.parametrize("case", CASES)
async def test_fixtures(case: str, tmp_path: Path) -> None:
    """Each form of a history gives the sittings that stand beside it, of kind and status of a visit."""
    path = tmp_path / "history"
    with closing(sqlite3.connect(path)) as database:
        database.executescript((FIXTURES / case / "history.sql").read_text(encoding="utf-8"))
    async with reading(BrowserAccount(path=path, user="ada")) as adapter:
        items = await adapter.search(asking("9月1日到9月2日"))
    got = sorted(map(shown, items), key=lambda row: (row["start"], row["ref"]))
    assert {(item.type, item.status, item.source) for item in items} == {("visit", "occurred", "browser")}
    assert got == json.loads((FIXTURES / case / "expected.json").read_text(encoding="utf-8"))


async def test_the_same_visit_in_every_form(tmp_path: Path) -> None:
    """One visit has one reference whatever the browser's form, so that a history taken over to another browser counts once."""
    refs = []
    for case in ("chromium_2012", "firefox_2010", "firefox_2025", "firefox_mobile"):
        rows = json.loads((FIXTURES / case / "expected.json").read_text(encoding="utf-8"))
        refs.append({row["ref"] for row in rows if row["content"].endswith("bank.example") and row["end"] is None})
    assert refs[1] == refs[2] == refs[3] and len(refs[1]) == 1


async def test_sittings(tmp_path: Path) -> None:
    """Visits with no longer break than the gap are one; the break begins when the last visit ended."""
    page = ("https://a.example/x", "A")
    account = profile(
        tmp_path / "p",
        (*page, at(9)),
        (*page, at(9.4), 1200),
        (*page, at(10.2)),
        (*page, at(11)),
        ("https://b.example", "B", at(9.1)),
    )
    async with reading(account) as adapter:
        items = await adapter.search(asking())
    assert sorted((i.title, i.event_time, i.event_end) for i in items) == [
        ("A", at(9), at(10.2)),
        ("A", at(11), None),
        ("B", at(9.1), None),
    ]
    async with reading(account, gap_minutes=0) as adapter:
        assert len(await adapter.search(asking())) == 5


async def test_a_sitting_over_midnight(tmp_path: Path) -> None:
    """It belongs to both days, whole, and is the same item on both."""
    page = ("https://a.example/x", "A")
    account = profile(tmp_path / "p", *((*page, at(23.2 + n / 4)) for n in range(8)))
    async with reading(account) as adapter:
        first = await adapter.search(asking("9月1日"))
        second = await adapter.search(asking("9月2日"))
    assert [i.source_ref for i in first] == [i.source_ref for i in second]
    assert [(i.event_time, i.event_end) for i in second] == [(at(23.2), at(24.95))]


async def test_private_by_default(tmp_path: Path) -> None:
    """Neither path, query, fragment, port nor a name in an address is told, also not by a title that repeats the address."""
    secret = "https://ada:pw@shop.example:8443/orders/12345?token=s3cret#top"
    account = profile(
        tmp_path / "p", (secret, "Orders", at(9)), (secret + "2", "shop.example:8443/orders/12345?token=s3cret", at(12))
    )
    async with reading(account) as adapter:
        told = repr(await adapter.search(asking()))
    assert "shop.example" in told
    assert not any(word in told for word in ("12345", "s3cret", "8443", "pw"))
    async with reading(account, full_urls=True) as adapter:
        assert "token=s3cret" in repr(await adapter.search(asking()))


async def test_excluded_hosts(tmp_path: Path) -> None:
    """A host that is excluded is not told, nor those under it; one that only ends alike is."""
    visits = [
        (f"https://{host}/", host, at(9))
        for host in ("health.example", "my.health.example", "notmyhealth.example", "a.example")
    ]
    settings = BrowserSettings(excluded_hosts="Health.example, *.other.example")  # type: ignore[arg-type]
    async with reading(profile(tmp_path / "p", *visits), excluded_hosts=settings.excluded_hosts) as adapter:
        assert {item.content for item in await adapter.search(asking())} == {"notmyhealth.example", "a.example"}


async def test_what_is_no_visit(tmp_path: Path) -> None:
    """A question for plans or duties finds nothing in a history; one for what was said or made finds visits of the time."""
    async with reading(profile(tmp_path / "p", ("https://a.example/", "A", at(9)))) as adapter:
        for mode in TemporalMode:
            found = await adapter.search(asking(mode=mode))
            assert len(found) == (0 if mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN) else 1), mode


async def test_the_limit(tmp_path: Path) -> None:
    """Where not all fits, what names the topic comes first, then what one stayed at; that more was there is told."""
    glances = [(f"https://x{n}.example/", f"glance {n}", at(10 + n / 60)) for n in range(20)]
    account = profile(
        tmp_path / "p",
        *glances,
        ("https://long.example/", "a long read", at(8), 1500),
        ("https://t.example/", "tram tickets", at(7)),
    )
    async with reading(account) as adapter:
        items = await adapter.search(asking(limit=3))
        assert items[0].title == "a long read" or "a long read" in {i.title for i in items}
        assert isinstance(items, Items) and items.truncated and len(items) == 3
        found = await adapter.search(asking("9月1日看的 tram 票", limit=3))
    assert "tram tickets" in {item.title for item in found}


async def test_several_profiles(tmp_path: Path) -> None:
    """A directory of profiles is read whole; one visit that both hold is one; a broken profile is told and costs only itself."""
    same = ("https://a.example/", "A", at(9))
    profile(tmp_path / "Default", same)
    profile(tmp_path / "Profile 1", same, ("https://b.example/", "B", at(10)))
    async with reading(BrowserAccount(path=tmp_path, user="ada")) as adapter:
        assert sorted(item.title for item in await adapter.search(asking())) == ["A", "B"]
        assert "Chromium, 1 visits; Chromium, 2 visits" in await adapter.check()
        (tmp_path / "Profile 2").mkdir()
        (tmp_path / "Profile 2" / "History").write_bytes(b"broken" * 500)
        items = await adapter.search(asking())
    assert isinstance(items, Items)
    assert len(items) == 2 and "Profile 2" in items.problems[0]


def _writing(path: Path, mode: str) -> sqlite3.Connection:
    """A browser that has the file open: its newest visit is in the log, or its lock is exclusive."""
    database = sqlite3.connect(path, isolation_level=None)
    if mode == "wal":
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
    else:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
    return database


@pytest.mark.parametrize("mode", ["wal", "exclusive"])
async def test_a_browser_that_runs(mode: str, tmp_path: Path) -> None:
    """The newest visits are seen, the lock does not matter, and not a byte of the profile changes."""
    account = profile(tmp_path / "p", ("https://a.example/", "A", at(9)))
    with closing(_writing(tmp_path / "p" / "History", mode)) as browser:
        for statement, values in chromium(tmp_path, 2, "https://b.example/", "B", at(10)):
            browser.execute(statement, values)
        before = _state(tmp_path / "p")
        assert any(name.endswith("-wal") and content for name, (content, _) in before.items()) == (mode == "wal")
        async with reading(account) as adapter:
            with anyio.fail_after(20):
                assert {item.title for item in await adapter.search(asking())} == {"A", "B"}
        assert _state(tmp_path / "p") == before


async def test_a_transaction_that_is_open(tmp_path: Path) -> None:
    """While the browser is in the middle of a write, what was there before is read."""
    account = profile(tmp_path / "p", ("https://a.example/", "A", at(9)))
    with closing(sqlite3.connect(tmp_path / "p" / "History", isolation_level=None)) as browser:
        browser.execute("PRAGMA cache_size = 1")
        browser.execute("BEGIN EXCLUSIVE")
        browser.executemany(
            "INSERT INTO urls(url, title, last_visit_time) VALUES (?, 'x', 0)",
            [(f"https://x.example/{n}",) for n in range(5000)],
        )
        async with reading(account) as adapter:
            with anyio.fail_after(20):
                assert {item.title for item in await adapter.search(asking())} == {"A"}
        browser.execute("ROLLBACK")


def _state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(folder.iterdir())}


@pytest.fixture
def own_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


async def test_no_copy_stays(own_temp: Path, tmp_path: Path) -> None:
    """The copy is gone after an answer, an error and a question that was given up."""
    async with reading(profile(tmp_path / "p", ("https://a.example/", "A", at(9)))) as adapter:
        await adapter.search(asking())
        with anyio.move_on_after(0):
            await adapter.search(asking())
        (tmp_path / "p" / "History").write_bytes(b"SQLite format 3\0" + os.urandom(9000))
        with pytest.raises(SourceError):
            await adapter.search(asking())
    assert os.listdir(own_temp) == []


@pytest.mark.parametrize(
    ("accounts", "complaint"),
    [('[{"url": "https://a.example"}]', "path"), ('[{"path": "x", "hidden": 1}]', "hidden"), ("{", "accounts")],
)
def test_settings_that_make_no_sense(accounts: str, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be an account is refused by name."""
    monkeypatch.setenv("TEMPORAL_RECALL_BROWSER_ACCOUNTS", accounts)
    with pytest.raises(ValueError, match=complaint):
        BrowserSettings()
