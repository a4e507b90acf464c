"""Calendars: every kind of series with the items it must give, and the real places they lie in."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import caldav_server
import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from support import NOW, SHANGHAI

from adapters import Items, SearchContext, SourceError, SourceUnavailable, TimelineItem, _ical
from adapters._accounts import Account, read_all
from adapters._web import same_house
from adapters.calendar import CalendarSettings, CalendarSource
from planner.modes import TemporalMode
from planner.plan import PlanTime, Retrieval, Window
from temporal_recall.sample import served

pytestmark = pytest.mark.anyio

FIXTURES = Path(__file__).parent.parent / "fixtures" / "calendar"
CASES = sorted(path.parent for path in FIXTURES.glob("*/expected.json"))


def asking(start: dt.datetime, end: dt.datetime, now: dt.datetime, mode: str = "AMBIGUOUS", **more: Any) -> SearchContext:
    """The question for `[start, end)`, in the zone of `now`."""
    retrieval = Retrieval(source="calendar", observed=Window(start=start, end=end), limit=more.pop("limit", 200))
    return SearchContext(
        more.pop("user", "ada"),
        retrieval,
        PlanTime(start=start, end=end),
        TemporalMode(mode),
        more.pop("topics", ()),
        now,
        **more,
    )


async def test_a_bug_that_one_account_meets_takes_nothing_from_the_others() -> None:
    """What nobody thought of is told beside what the others gave, and by itself is the source's error."""
    accounts = [Account(name="good", path=Path("good.ics")), Account(name="odd", path=Path("odd.ics"))]

    async def read(account: Account) -> Items:
        if account.name == "odd":
            raise ZeroDivisionError
        return Items([TimelineItem("calendar", "calendar:1", "event", "评审", "评审", NOW)])

    ctx = asking(NOW - dt.timedelta(days=1), NOW, NOW)
    found = await read_all(accounts, ctx, read)
    assert [item.title for item in found] == ["评审"]
    assert found.problems == ("odd: it could not be read: ZeroDivisionError",)
    with pytest.raises(SourceError, match="ZeroDivisionError"):
        await read_all(accounts[1:], ctx, read)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_series(case: Path) -> None:
    """Each small calendar gives just the items beside it."""
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    asked = expected["asked"]
    zone = ZoneInfo(asked["zone"])
    start, end = (dt.datetime.fromisoformat(asked[side]).replace(tzinfo=zone) for side in ("start", "end"))
    now = dt.datetime.fromisoformat(expected["now"]).astimezone(zone)
    account = {"path": str(case / "calendar.ics"), "email": expected.get("email")}
    adapter = CalendarSource(CalendarSettings(accounts=[account]))  # type: ignore[arg-type, list-item]
    found = await adapter.search(asking(start, end, now, expected["mode"]))
    await adapter.close()
    assert isinstance(found, Items)
    shown = sorted(found, key=lambda item: (item.event_time, item.title))
    assert [(item.title, item.event_time, item.event_end, item.status) for item in shown] == [
        (row["title"], _time(row["start"]), _time(row["end"]), row["status"]) for row in expected["items"]
    ]
    for item, row in zip(shown, expected["items"], strict=True):
        for name in ("importance", "confidence", "content"):
            assert name not in row or getattr(item, name) == pytest.approx(row[name]), name
        assert "grain" not in row or item.event_grain.word == row["grain"]  # type: ignore[union-attr]
        assert "ref" not in row or item.source_ref.split(":")[3] == row["ref"]
        assert "observed" not in row or item.observed_time == _time(row["observed"])
    assert found.skipped == expected["skipped"]
    assert len({item.source_ref for item in found}) == len(found)


def _time(text: str | None) -> dt.datetime | None:
    return None if text is None else dt.datetime.fromisoformat(text)


def test_there_are_enough() -> None:
    """The table was found at all."""
    assert len(CASES) > 80


_ANY_LINES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=40)
    | st.tuples(
        st.sampled_from(["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "SEQUENCE", "STATUS", "ATTENDEE", "CREATED"]),
        st.sampled_from([":", ";TZID=Nowhere:", ";VALUE=DATE:", ';X="', ";RANGE=THISANDFUTURE:"]),
        st.sampled_from(["20260902T010000Z", "20260902", "99999999", "P1W", "-PT5H", "FREQ=DAILY", "FREQ=HOURLY;COUNT=9", "20260902T010000Z/P1D", "", ","]),
    ).map("".join),
    max_size=6,
).map(lambda lines: [line for line in lines if not line.strip().upper().startswith(("BEGIN:", "END:", "UID"))])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(lines=_ANY_LINES)
def test_whatever_an_event_holds_the_others_are_found(lines: list[str]) -> None:
    """No text inside of an event breaks more than this event, and nothing but what is foreseen is raised."""
    events = [
        "UID:1\nSUMMARY:A\nDTSTART:20260902T010000Z",
        "UID:2\n" + "\n".join(lines),
        "UID:3\nSUMMARY:C\nDTSTART:20260902T010000Z",
    ]
    calendar = _ical.read_calendar(calendar_of(*events).encode(), lambda: None)
    found = {}
    for entry in calendar.entries:
        with contextlib.suppress(*_ical.MALFORMED):
            found[entry.uid] = [one.start for one in _ical.instances(entry, *WEEK, NOW)[0]]
            _ical.component_of(entry.blocks[0])
    start = dt.datetime(2026, 9, 2, 9, tzinfo=SHANGHAI)
    assert found["1"] == found["3"] == [start]


# --- places ---------------------------------------------------------------------------------------------------------------

WEEK = (dt.datetime(2026, 8, 31, tzinfo=SHANGHAI), dt.datetime(2026, 9, 7, tzinfo=SHANGHAI))
_STAMP = "DTSTAMP:20260101T000000Z"


def calendar_of(*events: str) -> str:
    lines = [f"BEGIN:VEVENT\n{_STAMP}\n{event}\nEND:VEVENT" for event in events]
    return "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", *lines, "END:VCALENDAR", ""]).replace(
        "\n", "\r\n"
    )


def source(*accounts: dict[str, Any], single: bool = True, **more: Any) -> CalendarSource:
    return CalendarSource(CalendarSettings(accounts=accounts, **more), single)  # type: ignore[arg-type]


async def titles(adapter: CalendarSource, mode: str = "AMBIGUOUS", **more: Any) -> set[str]:
    return {item.title for item in await adapter.search(asking(*WEEK, NOW, mode, **more))}


async def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    """What is kept of a file holds as long as the file is the same; a file that is gone is gone."""
    one, two = tmp_path / "one.ics", tmp_path / "deep" / "two.ics"
    two.parent.mkdir()
    one.write_text(calendar_of("UID:1\nSUMMARY:Before\nDTSTART:20260902T010000Z"))
    two.write_text(calendar_of("UID:1\nSUMMARY:Other\nDTSTART:20260902T010000Z"))
    adapter = source({"path": str(tmp_path)})
    assert await titles(adapter) == {"Before", "Other"}
    one.write_text(calendar_of("UID:1\nSUMMARY:After the change\nDTSTART:20260902T010000Z"))
    two.unlink()
    assert await titles(adapter) == {"After the change"}


async def test_a_file_that_is_too_large_is_told(tmp_path: Path) -> None:
    """No more is read of an account than MAX_BYTES; what else the folder holds is read."""
    (tmp_path / "a.ics").write_text(calendar_of("UID:1\nSUMMARY:Small\nDTSTART:20260902T010000Z"))
    (tmp_path / "b.ics").write_text(calendar_of("UID:2\nSUMMARY:Large\nDTSTART:20260902T010000Z\nDESCRIPTION:" + "x" * 5000))
    adapter = source({"path": str(tmp_path)}, max_bytes=2000)
    found = await adapter.search(asking(*WEEK, NOW))
    assert [item.title for item in found] == ["Small"]
    assert isinstance(found, Items) and "b.ics" in found.problems[0] and "2000" in found.problems[0]


async def test_a_year_of_a_series_is_bounded(tmp_path: Path) -> None:
    """Over twenty years a series without an end is followed from now backward, and that there is more is told."""
    (tmp_path / "a.ics").write_text(calendar_of("UID:1\nSUMMARY:Dentist\nDTSTART:20060102T010000Z\nRRULE:FREQ=WEEKLY"))
    start = dt.datetime(2006, 9, 3, tzinfo=SHANGHAI)
    found = await source({"path": str(tmp_path)}).search(asking(start, NOW, NOW, "OCCURRED_IN", topics=("dentist",)))
    assert isinstance(found, Items) and found.truncated and len(found) == 200
    assert max(item.event_time for item in found if item.event_time) == dt.datetime(2026, 8, 31, 9, tzinfo=SHANGHAI)


async def test_accounts_are_their_persons_alone(tmp_path: Path) -> None:
    """An account with a user is read for that person; one without only while the service answers a single person."""
    (tmp_path / "a.ics").write_text(calendar_of("UID:1\nSUMMARY:Hers\nDTSTART:20260902T010000Z"))
    (tmp_path / "b.ics").write_text(calendar_of("UID:1\nSUMMARY:Anybody's\nDTSTART:20260902T010000Z"))
    accounts = ({"path": str(tmp_path / "a.ics"), "user": "ada"}, {"path": str(tmp_path / "b.ics")})
    assert await titles(source(*accounts)) == {"Hers", "Anybody's"}
    assert await titles(source(*accounts), user="eve") == {"Anybody's"}
    assert await titles(source(*accounts, single=False)) == {"Hers"}
    assert await titles(source(*accounts, single=False), user="eve") == set()


class Feed:
    """A server of one calendar that counts what it is asked and speaks ETag and Last-Modified."""

    def __init__(self) -> None:
        self.text, self.status, self.asked, self.unchanged = "", 200, 0, 0
        self.headers: dict[str, str] = {}
        self.seen: list[dict[str, str]] = []

    async def give(self, request: Request) -> Response:
        self.asked += 1
        self.seen.append(dict(request.headers))
        if self.status != 200:
            return Response(b"", self.status)
        same = {"if-none-match": self.headers.get("ETag"), "if-modified-since": self.headers.get("Last-Modified")}
        if any(value is not None and request.headers.get(name) == value for name, value in same.items()):
            self.unchanged += 1
            return Response(b"", 304, self.headers)
        return Response(self.text, headers=self.headers, media_type="text/calendar")


@pytest.mark.parametrize(
    "header", [{"ETag": '"v1"'}, {"Last-Modified": "Tue, 01 Sep 2026 00:00:00 GMT"}], ids=["etag", "modified"]
)
async def test_a_subscription_is_asked_whether_it_changed(header: dict[str, str]) -> None:
    """An address that says what version it gives is not sent again; within REFRESH_SECONDS it is not even asked."""
    feed = Feed()
    feed.text, feed.headers = calendar_of("UID:1\nSUMMARY:Match\nDTSTART:20260902T010000Z"), header
    async with served(Starlette(routes=[Route("/team.ics", feed.give)])) as url:
        always, seldom = source({"url": url + "/team.ics"}, refresh_seconds=0), source({"url": url + "/team.ics"})
        for _ in range(3):
            assert await titles(always) == {"Match"}
        assert (feed.asked, feed.unchanged) == (3, 2)
        for _ in range(3):
            assert await titles(seldom) == {"Match"}
        assert feed.asked == 4
        feed.text, feed.headers = calendar_of("UID:1\nSUMMARY:Rematch\nDTSTART:20260902T010000Z"), {}
        assert await titles(always) == {"Rematch"}
        await always.close()
        await seldom.close()


async def test_a_subscription_that_fails_gives_what_it_held() -> None:
    """While the address is out of order its last content stands, and the answer says so; without one it is unavailable."""
    feed = Feed()
    feed.text = calendar_of("UID:1\nSUMMARY:Match\nDTSTART:20260902T010000Z")
    async with served(Starlette(routes=[Route("/team.ics", feed.give)])) as url:
        adapter, fresh = (source({"url": url + "/team.ics", "name": "team"}, refresh_seconds=0) for _ in range(2))
        assert await titles(adapter) == {"Match"}
        feed.status = 503
        found = await adapter.search(asking(*WEEK, NOW))
        assert [item.title for item in found] == ["Match"]
        assert isinstance(found, Items) and found.problems[0].startswith("team: ")
        with pytest.raises(SourceUnavailable):
            await fresh.search(asking(*WEEK, NOW))
        await adapter.close()
        await fresh.close()


async def test_a_password_goes_to_no_other_house() -> None:
    """Sent on to another server, an address is followed without the password that it was given."""
    feed, other = Feed(), Feed()
    other.text = calendar_of("UID:1\nSUMMARY:Elsewhere\nDTSTART:20260902T010000Z")

    async with served(Starlette(routes=[Route("/x.ics", other.give)])) as there:

        async def on(request: Request) -> Response:
            await feed.give(request)
            return Response(b"", 302, {"Location": there + "/x.ics", "Set-Cookie": "who=ada"})

        async with served(Starlette(routes=[Route("/x.ics", on)])) as here:
            adapter = source({"url": here + "/x.ics", "username": "ada", "password": "secret"}, refresh_seconds=0)
            for _ in range(2):
                assert await titles(adapter) == {"Elsewhere"}
            await adapter.close()
    assert all("authorization" in headers for headers in feed.seen)
    assert not any("authorization" in headers or "cookie" in headers for headers in other.seen)
    assert not any("cookie" in headers for headers in feed.seen)


@pytest.mark.parametrize(
    ("given", "asked", "same"),
    [
        ("https://caldav.icloud.com/", "https://p12-caldav.icloud.com:443/1/", True),
        ("https://example.org/", "https://dav.example.org/", True),
        ("https://dav.example.org/", "https://example.org/", True),
        ("https://dav.example.org/", "http://dav.example.org/", False),
        ("http://dav.example.org/", "https://dav.example.org/", True),
        ("https://dav.example.org/", "https://example.org.evil.net/", False),
        ("https://dav.example.org/", "https://evilexample.org/", False),
        ("https://example.org/", "https://other.org/", False),
        ("https://10.1.2.3/", "https://9.1.2.3/", False),
        ("https://localhost/", "https://evil.localhost/", False),
    ],
)
def test_same_house(given: str, asked: str, same: bool) -> None:
    """A secret goes to the host it was given for, and over TLS to others of its domain."""
    assert same_house(httpx.URL(given), httpx.URL(asked)) is same


async def test_caldav(tmp_path: Path) -> None:
    """A server's calendars are found from its bare address, a calendar's own address, and the well-known one; each gives the same."""
    url, name, password = caldav_server.person(str(tmp_path))
    moved = "UID:w\nSUMMARY:周会\nRECURRENCE-ID:20261104T020000Z\nDTSTART:20260904T020000Z"
    caldav_server.put(
        url, name, password,
        calendar_of(
            "UID:w\nSUMMARY:周会\nDTSTART;TZID=Asia/Shanghai:20260107T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY", moved,
            "UID:f\nSUMMARY:Floating late\nDTSTART:20260906T233000", "UID:g\nSUMMARY:Floating too late\nDTSTART:20260907T003000",
            "UID:d\nSUMMARY:Whole day\nDTSTART;VALUE=DATE:20260831", "UID:e\nSUMMARY:Day before\nDTSTART;VALUE=DATE:20260830",
            "UID:n\nSUMMARY:Written then\nCREATED:20260902T000000Z\nDTSTART:20270101T000000Z",
        ),
    )  # fmt: skip
    caldav_server.put(url, name, password, calendar_of("UID:w\nSUMMARY:Another calendar\nDTSTART:20260902T010000Z"), "second")
    account = {"username": name, "password": password}
    week = {"周会", "Floating late", "Whole day", "Another calendar"}
    for address in (url, f"{url}/.well-known/caldav", f"{url}/{name}/"):
        adapter = source({"url": address, **account})
        assert await titles(adapter, "PLANNED_IN") == week
        assert await titles(adapter) == week | {"Written then"}
        assert await titles(adapter, "CREATED_IN") == {"Written then"}
        assert "7 events" in await adapter.check()
        await adapter.close()
    alone = source({"url": f"{url}/{name}/calendar/", **account})
    assert await titles(alone, "PLANNED_IN") == week - {"Another calendar"}
    instances = [item for item in await alone.search(asking(*WEEK, NOW)) if item.title == "周会"]
    assert sorted(item.source_ref.split(":")[3] for item in instances) == ["20260902T020000Z", "20261104T020000Z"]
    await alone.close()


async def test_caldav_sees_a_change(tmp_path: Path) -> None:
    """A calendar is kept until the server's tag for it changes."""
    url, name, password = caldav_server.person(str(tmp_path))
    caldav_server.put(url, name, password, calendar_of("UID:1\nSUMMARY:Before\nDTSTART:20260902T010000Z"))
    adapter = source({"url": url, "username": name, "password": password})
    assert await titles(adapter) == await titles(adapter) == {"Before"}
    caldav_server.put(url, name, password, calendar_of("UID:1\nSUMMARY:After\nDTSTART:20260902T010000Z"))
    assert await titles(adapter) == {"After"}
    await adapter.close()


async def test_caldav_refuses(tmp_path: Path) -> None:
    """A wrong password is told as one, without the password."""
    url, name, _ = caldav_server.person(str(tmp_path))
    adapter = source({"url": url, "username": name, "password": "wrong", "name": "work"})
    with pytest.raises(SourceError, match="refuses the name, the password") as error:
        await adapter.search(asking(*WEEK, NOW))
    assert "wrong" not in str(error.value)
    with pytest.raises(SourceError, match="work: the server refuses"):
        await adapter.check()
    await adapter.close()


def test_how_accounts_are_spelled() -> None:
    """Settings spell places plainly or as JSON; an account is a file or an address, never both."""
    plain = CalendarSettings(accounts="~/a.ics, https://example.org/b.ics")  # type: ignore[arg-type]
    assert [account.served for account in plain.accounts] == [False, False]
    written = CalendarSettings(accounts='[{"url": "https://dav.example.org", "username": "ada", "password_env": "DAV"}]')  # type: ignore[arg-type]
    assert written.accounts[0].served
    with pytest.raises(ValueError, match="either a path or a url"):
        CalendarSettings(accounts='{"url": "https://example.org/b.ics", "path": "b.ics"}')  # type: ignore[arg-type]
