"""Rules of recurrence, window by window: the same dates as dateutil finds by walking from the start."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from itertools import takewhile
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import dateutil.rrule
import pytest
from dateutil.rrule import rrulestr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters._rrule import Refused, Rule

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def _some(values: st.SearchStrategy[int]) -> st.SearchStrategy[str]:
    return st.lists(values, min_size=1, max_size=4, unique=True).map(lambda found: ",".join(map(str, found)))


# How far each counts from the start and from the end. Of a first week that is counted from the end and begins in the year before,
# dateutil leaves those days out; see test_the_first_week_counted_from_the_end.
_SIGNED = {"BYMONTHDAY": (31, 31), "BYYEARDAY": (366, 366), "BYWEEKNO": (53, 51)}


@st.composite
def rules(draw: st.DrawFn) -> str:
    freq = draw(st.sampled_from(["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY"]))
    parts = {"FREQ": freq}
    if draw(st.booleans()):
        parts["INTERVAL"] = str(draw(st.integers(1, 5)))
    if draw(st.booleans()):
        parts["BYMONTH"] = draw(_some(st.integers(1, 12)))
    for name, (first, last) in _SIGNED.items():
        if draw(st.integers(0, 4)) == 0:
            parts[name] = draw(_some(st.integers(1, first) | st.integers(-last, -1)))
    if draw(st.booleans()):
        # Of "every Monday and the first Tuesday" dateutil wants days that are both: numbered or not, not mixed.
        plain = freq not in ("YEARLY", "MONTHLY") or "BYWEEKNO" in parts or draw(st.booleans())
        numbers = [""] if plain else ["1", "2", "-1", "5", "-2"]
        days = st.tuples(st.sampled_from(numbers), st.sampled_from(_DAYS)).map("".join)
        parts["BYDAY"] = ",".join(draw(st.lists(days, min_size=1, max_size=3, unique=True)))
    if draw(st.booleans()):
        parts["WKST"] = draw(st.sampled_from(_DAYS))
    if draw(st.integers(0, 3)) == 0:
        parts["BYHOUR"] = draw(_some(st.integers(0, 23)))
    if len(parts) > 1 and any(name.startswith("BY") for name in parts) and draw(st.integers(0, 3)) == 0:
        parts["BYSETPOS"] = draw(_some(st.integers(1, 4) | st.integers(-4, -1)))
    end = draw(st.sampled_from(["", "", "COUNT=7", "COUNT=40", "UNTIL=20270301T000000"]))
    return ";".join([f"{name}={value}" for name, value in parts.items()] + [end]).strip(";")


@pytest.fixture(scope="module", autouse=True)
def _dateutil_ends() -> Iterator[None]:
    """dateutil looks for a date that never comes until the year 9999; here its calendar ends soon after the windows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dateutil.rrule, "datetime", SimpleNamespace(**{**vars(dt), "MAXYEAR": 2030}))
        yield


@settings(max_examples=300, deadline=None)
@given(
    rule=rules(),
    start=st.datetimes(dt.datetime(2024, 1, 1), dt.datetime(2026, 12, 31)).map(lambda at: at.replace(microsecond=0)),
    after=st.integers(-200, 1000),
    days=st.integers(0, 200),
)
@example(rule="FREQ=HOURLY;BYYEARDAY=1;BYHOUR=0;BYSETPOS=1;COUNT=7", start=dt.datetime(2024, 1, 1), after=0, days=200)
@example(rule="FREQ=WEEKLY;BYMONTHDAY=1,-1;WKST=TU;BYHOUR=0;BYSETPOS=1", start=dt.datetime(2024, 1, 1), after=0, days=0)
@example(rule="FREQ=HOURLY;INTERVAL=5;BYDAY=MO", start=dt.datetime(2024, 1, 2, 3), after=3, days=60)
def test_as_dateutil(rule: str, start: dt.datetime, after: int, days: int) -> None:
    """Every rule gives, in every window, what dateutil gives."""
    low = start.replace(hour=0, minute=0, second=0) + dt.timedelta(days=after)
    high = low + dt.timedelta(days=days)
    try:
        walked = [at for at in takewhile(lambda at: at <= high, rrulestr(rule, dtstart=start)) if low <= at]
    except ValueError:  # of hours that never meet it says so
        walked = []
    assert list(Rule(rule, start).between(low, high)) == walked


def test_the_first_week_counted_from_the_end() -> None:
    """The 53rd last week of 2026 is its first, whose days of December are the same ones as of BYWEEKNO=1."""
    low, high = dt.datetime(2025, 12, 1), dt.datetime(2026, 1, 31)
    from_the_end = list(Rule("FREQ=YEARLY;BYWEEKNO=-53", dt.datetime(2025, 3, 4)).between(low, high))
    assert from_the_end == [dt.datetime(2025, 12, 29) + dt.timedelta(days=n) for n in range(7)]
    assert from_the_end == list(Rule("FREQ=YEARLY;BYWEEKNO=1", dt.datetime(2025, 3, 4)).between(low, high))


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;INTERVAL=4",
        "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=999999999",
        "FREQ=YEARLY;BYWEEKNO=30;BYMONTH=1",
        "FREQ=DAILY;COUNT=999999999;BYMONTH=2;BYMONTHDAY=30",
    ],
)
def test_a_rule_that_never_comes_costs_no_time(rule: str) -> None:
    """A day that there is not is not looked for until the end of time."""
    before = time.process_time()
    found = list(Rule(rule, dt.datetime(2023, 2, 28, 9)).between(dt.datetime(2026, 1, 1), dt.datetime(2027, 1, 1)))
    assert found == []
    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MINUTELY", "FREQ=SECONDLY;COUNT=3", "FREQ=HOURLY;BYMINUTE=0,30", "FREQ=DAILY;BYHOUR=1,2;BYMINUTE=0,5,10,15,20,25,30,35,40,45,50,55;BYSECOND=0,30",
        "FREQ=SOMETIMES", "INTERVAL=2", "", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=-1", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=x",
        "FREQ=DAILY;UNTIL=soon", "FREQ=DAILY;UNTIL=20261301", "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYDAY=", "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=YEARLY;BYMONTH=-1", "FREQ=YEARLY;RSCALE=CHINESE", "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;X=1", "FREQ=YEARLY;BYMONTH=٣",
    ],
)  # fmt: skip
def test_refused(rule: str) -> None:
    """What is no rule, repeats within the hour or counts by another calendar is refused, and not guessed at."""
    with pytest.raises(Refused):
        Rule(rule, dt.datetime(2026, 1, 1, 9))


def test_numbered_and_every_weekday() -> None:
    """Every Monday and the first Tuesday: either."""
    found = Rule("FREQ=MONTHLY;BYDAY=MO,1TU", dt.datetime(2026, 9, 1, 9)).between(
        dt.datetime(2026, 9, 1), dt.datetime(2026, 9, 15)
    )
    assert [at.day for at in found] == [1, 7, 14]


def test_too_many_steps() -> None:
    """A window of centuries of hours is refused rather than walked."""
    with pytest.raises(Refused):
        list(Rule("FREQ=HOURLY", dt.datetime(1900, 1, 1)).between(dt.datetime(1900, 1, 1), dt.datetime(2900, 1, 1)))


@pytest.mark.parametrize(
    ("until", "last"),
    [("20260903", 3), ("20260903T010000Z", 3), ("20260903T005959Z", 2), ("20260903T090000", 3), ("20260903T085959", 2)],
)
def test_until(until: str, last: int) -> None:
    """UNTIL is included, in UTC or on the wall; a day is included whole."""
    start = dt.datetime(2026, 9, 1, 9, tzinfo=ZoneInfo("Asia/Shanghai"))
    found = list(Rule(f"FREQ=DAILY;UNTIL={until}", start).between(start, start + dt.timedelta(days=30)))
    assert [at.day for at in found] == list(range(1, last + 1))


def test_the_wall_clock_stays() -> None:
    """Nine in Berlin is nine in Berlin in summer and winter."""
    start = dt.datetime(2026, 1, 5, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    utc = dt.UTC
    found = list(Rule("FREQ=WEEKLY", start).between(dt.datetime(2026, 3, 22, tzinfo=utc), dt.datetime(2026, 4, 1, tzinfo=utc)))
    assert [at.astimezone(utc).hour for at in found] == [8, 7]
