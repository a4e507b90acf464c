"""Questions whose time an event of the asker's own life tells: how they are read, and how the days are found in what was told."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import batch

from planner import ContextPlan, PlanSettings, make_plan
from planner.anchors import Anchor, anchors_of
from planner.episodes import SURE, Episode, Hint, asked_range, episode, hints_of
from planner.statements import read_statement

NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
QUERY = "/v1/temporal-recall/query"
ASK = {"user_id": "ada", "now": "2026-09-03T22:00:00+08:00"}


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("what did I cook while I was in Oslo?", ["during: in oslo"]),
        ("who wrote to me during my parental leave", ["during: parental leave"]),
        ("since we moved to Elm Road, who has visited", ["since: moved to elm road"]),
        ("what did I read after I came back from Peru", ["after: came back from peru"]),
        ("what did I pack before the regatta", ["before: regatta"]),
        ("what did I eat the night before the marathon", ["beside -1 night: marathon"]),
        ("who did I call two days after the audition", ["beside 2 day: audition"]),
        ("what happened in the week of the fair", ["beside week: fair"]),
        ("what did I learn on the first day of the workshop", ["beside first day: workshop"]),
        ("what did I do between the audition and the premiere", ["since: audition", "before: premiere"]),
        ("我在青岛的时候吃了什么", ["during: 青岛"]),
        ("产假期间谁来看过我", ["during: 产假"]),
        ("从秘鲁回来以后我读了什么", ["after: 秘鲁回来"]),
        ("自从养了狗，我几点起床", ["since: 养了狗"]),
        ("帮我查一下装修之前我问过谁", ["before: 装修"]),
        ("马拉松前一天晚上我吃了什么", ["beside -1 day evening: 马拉松"]),
        ("试镜第二天我在做什么", ["beside 1 day: 试镜"]),
        ("装修后那一周谁来过", ["beside 1 week: 装修"]),
        ("试镜以后首演之前我见了谁", ["since: 试镜", "before: 首演"]),
        ("how long after the audition did they call", []),
        ("did I buy the car before or after the fair", []),
        ("装修之后多久搬进去的", []),
        ("what did I do after Monday", []),
        ("三天前我说了什么", []),
        ("以前我说过什么", []),
        ("what did Nora cook during her holiday", []),
    ],
)  # fmt: skip
def test_the_event_and_how_the_time_lies_to_it_are_read(query: str, read: list[str]) -> None:
    """In both languages; what compares, measures, has a date of its own or is another's life tells no event."""
    assert [str(anchor) for anchor in make_plan(query, "ada", NOW).anchors] == read


def test_a_plan_says_what_it_cannot_know() -> None:
    """The plan's time stays a default, its explanation names the event, and all of it survives a round trip."""
    made = make_plan("我在青岛的时候吃了什么", "ada", NOW)
    assert made.time.source == "default"
    assert made.expanded_queries[0].split() == ["青岛", "吃"]
    told = next(part for part in made.explanation if part.rule == "zh.event.during")
    assert (told.text, told.reading) == ("我在青岛的时候", "during: 青岛")
    assert ContextPlan.model_validate(made.wire()) == made


@pytest.mark.parametrize("filler", ["啊", "前", "我在", "后的", "while ", "after a ", "the day "])
def test_a_long_question_is_no_burden(filler: str) -> None:
    """What holds the words of an event over and over tells at most two of them, and what is longer than a question tells none."""
    assert len(anchors_of((filler * 500)[:500])) <= 2
    assert anchors_of(filler * 500 + "我在青岛的时候") == []


def test_a_told_time_goes_before_an_event() -> None:
    """Where the question says a time, no event is asked for."""
    assert make_plan("what did I eat last week after the fair", "ada", NOW).anchors == ()


def when(query: str, *told: tuple[str, str], now: dt.datetime = NOW) -> Episode | None:
    """When the event of a question was, of texts that all speak of it, each with its moment."""
    anchor = anchors_of(query)[0]
    hints: list[Hint] = []
    for n, (at, text) in enumerate(told):
        observed = dt.datetime.fromisoformat(f"2026-{at}").replace(tzinfo=NOW.tzinfo)
        said = read_statement(text, observed)
        hints += hints_of(text, observed, anchor, event=said.event, grain=said.grain, status=said.status, ref=str(n))
    return episode(hints, anchor, now)


@pytest.mark.parametrize(
    ("query", "told", "days"),
    [
        ("while I was in Oslo", [("05-01T10:00", "Off to Oslo, June 2 to June 6")], ("06-02", "06-07")),
        ("while I was in Oslo", [("06-02T10:00", "I'm in Oslo until Saturday")], ("06-02", "06-07")),
        ("while I was in Oslo", [("05-01T10:00", "flying to Oslo on June 2, back on June 6")], ("06-02", "06-07")),
        ("while I was in Oslo", [("06-02T10:00", "Landed in Oslo"), ("06-06T21:00", "Home from Oslo")], ("06-02", "06-07")),
        ("我在青岛的时候", [("05-01T10:00", "6月2号到6号去青岛"), ("08-01T10:00", "翻到青岛的照片")], ("06-02", "06-07")),
        ("我在青岛的时候", [("06-02T10:00", "到青岛了"), ("06-06T21:00", "从青岛回来了")], ("06-02", "06-07")),
        ("before the fair", [("05-01T10:00", "The fair is on June 2"), ("06-02T18:00", "The fair was packed")], ("06-02", "06-03")),
        ("装修之前", [("06-02T18:00", "今天开始装修了")], ("06-02", "06-03")),
    ],
)  # fmt: skip
def test_the_days_come_from_what_was_told(query: str, told: list[tuple[str, str]], days: tuple[str, str]) -> None:
    """A told stretch, an end, an arrival and a return, a planned day, the day it was told on."""
    found = when(query, *told)
    assert found is not None
    assert (f"{found.start:%m-%d}", f"{found.end:%m-%d}") == days
    assert SURE <= found.certainty <= 1


def test_of_several_the_last_that_has_begun_is_meant() -> None:
    """A trip of the same name long ago, or one to come, is not it."""
    trips = [(f"{month}-02T10:00", f"Landed in Oslo, {month}") for month in ("02", "06")]
    found = when("while I was in Oslo", *trips, ("08-20T10:00", "Off to Oslo from October 3 to October 9"))
    assert found is not None
    assert found.start.month == 6


def test_a_habit_is_no_event() -> None:
    """What is told of again and again has no days of its own: nothing is made up."""
    told = [(f"{month:02}-{day}T19:00", "went for a run after work") for month in range(1, 9) for day in (10, 20)]
    assert when("after work", *told) is None


HOURS = st.integers(0, 24 * 360)


@given(start=HOURS, length=st.integers(1, 24 * 40), anchor=st.sampled_from([
    "while I was in Oslo", "since the fair", "after the fair", "before the fair", "the day after the fair", "the night before the fair",
    "the week after the fair", "the weekend before the fair", "the month of the fair", "the first week of the fair", "five days before the fair",
    "the evening of the fair", "since I came back from Oslo", "before I came back from Oslo",
]))  # fmt: skip
def test_the_side_of_the_event_is_kept(start: int, length: int, anchor: str) -> None:
    """What is after an event never ends before it, what is before it never begins behind it, across changes of the clock as well."""
    zone = ZoneInfo("America/New_York")
    begin = dt.datetime(2026, 1, 1, tzinfo=zone) + dt.timedelta(hours=start)
    end = begin + dt.timedelta(hours=length)
    asked: Anchor = anchors_of(anchor)[0]
    meant = asked_range(asked, Episode(begin, end, end, 0.9))
    if asked.relation == "before" or asked.count < 0:
        assert meant.end is not None
        assert meant.end <= (end if asked.returns else begin + dt.timedelta(hours=6))
    elif asked.relation in ("since", "after"):
        assert (meant.start, meant.end) == (end, None)
    else:
        assert meant.end is not None
        assert meant.start is not None
        assert meant.start < meant.end
        assert meant.end > begin


CHATTER = [(f"2026-{month:02}-{day:02}T09:00", text) for month in range(1, 9) for day, text in [
    (1, "地铁好挤"), (4, "开会开到很晚"), (7, "困死了"), (17, "给花浇了水"), (21, "电脑有点卡"), (24, "下雨没带伞"), (27, "看了一集综艺"),
]]  # fmt: skip
LIFE = batch(
    "r1",
    ("2026-03-02T12:00", "午饭吃了牛肉面"),
    ("2026-04-20T20:00", "五月十号到十四号去青岛出差"),
    ("2026-05-08T20:00", "买了个行李箱"),
    ("2026-05-10T15:00", "到青岛了，风好大"),
    ("2026-05-11T20:00", "跟小鲁吃了海鲜"),
    ("2026-05-12T20:00", "买了两斤虾干"),
    ("2026-05-15T01:00", "从青岛回来了"),
    ("2026-05-16T19:00", "买了双跑鞋"),
    ("2026-07-01T20:00", "小鲁说青岛又下雨了"),
    ("2026-08-01T12:00", "吃了碗凉面"),
    *CHATTER,
)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("query", "first", "never"),
    [
        ("我在青岛的时候吃了什么", "跟小鲁吃了海鲜", "牛肉面"),
        ("在青岛出差期间我买了什么", "买了两斤虾干", "行李箱"),
        ("去青岛之前我买了什么", "买了个行李箱", "跑鞋"),
        ("从青岛回来以后我买了什么", "买了双跑鞋", "虾干"),
    ],
)
async def test_what_was_then_is_answered(serve: Any, settings: Any, query: str, first: str, never: str) -> None:
    """At both doors; the answer tells which days it took it for and who told so, and its plan stays what the question says."""
    async with serve(settings) as client:
        assert (await client.post("/add", json=LIFE)).status_code == 200
        answer = (await client.post(QUERY, json=ASK | {"query": query})).json()
        hits = (await client.post("/search", json={"user_id": "ada", "query": query, "top_k": 5})).json()["data"]
    contents = [item["content"] for item in answer["items"]]
    assert contents[0] == first
    assert first in [hit["content"] for hit in hits]
    assert not any(never in item["content"] and item["tier"] == "primary" for item in answer["items"])
    meant = answer["stats"]["meant"]
    assert meant["expression"] in query
    assert set(meant["told_by"]) & {"chat:message:r1:1", "chat:message:r1:3"}
    assert answer["plan"]["time"]["source"] == "default"


@pytest.mark.anyio
async def test_an_event_of_which_nobody_told_is_not_made_up(serve: Any, settings: Any) -> None:
    """The question is answered as one without a time, and says nothing of what it was taken for."""
    async with serve(settings) as client:
        await client.post("/add", json=LIFE)
        answer = (await client.post(QUERY, json=ASK | {"query": "我在敦煌的时候吃了什么"})).json()
    assert "meant" not in answer["stats"] or answer["stats"]["meant"] is None


CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//test//EN\r
BEGIN:VEVENT\r
UID:oslo\r
DTSTAMP:20260401T080000Z\r
DTSTART;VALUE=DATE:20260602\r
DTEND;VALUE=DATE:20260607\r
SUMMARY:Conference in Oslo\r
END:VEVENT\r
END:VCALENDAR\r
"""


@pytest.mark.anyio
async def test_a_calendar_tells_when_an_event_was(
    serve: Any, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the chats tell of those days is found by an appointment that stands in another source."""
    place = tmp_path / "life.ics"
    place.write_text(CALENDAR)
    monkeypatch.setenv("TEMPORAL_RECALL_CALENDAR_ACCOUNTS", json.dumps([{"path": str(place), "user": "ada"}]))
    told = batch(
        "r1",
        ("2026-05-01T19:00", "had fish tacos"),
        ("2026-06-03T20:00", "had reindeer stew"),
        ("2026-07-01T20:00", "had ramen"),
    )
    async with serve(settings) as client:
        await client.post("/add", json=told)
        asked = ASK | {"query": "what happened while I was in Oslo", "sources": ["chat", "calendar"]}
        answer = (await client.post(QUERY, json=asked)).json()
    contents = [item["content"] for item in answer["items"]]
    assert "had reindeer stew" in contents
    assert not {"had fish tacos", "had ramen"} & set(contents)
    assert answer["stats"]["meant"]["start"] == "2026-06-02T00:00:00+08:00"


def test_settings_close_an_open_side() -> None:
    """The plan in a found time has its open side closed as one of "before" is, and is marked as inferred."""
    from planner.plan import placed
    from planner.ranges import TimeRange

    made = make_plan("去青岛之前我买了什么", "ada", NOW)
    day = dt.datetime(2026, 5, 10, tzinfo=NOW.tzinfo)
    then = placed(made, TimeRange(None, day), PlanSettings(horizon_days=100))
    assert (then.time.source, then.time.end, then.time.start) == ("inferred", day, day - dt.timedelta(days=100))
    assert then.expanded_queries[0] == "买"
