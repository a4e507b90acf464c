"""Labelled tables (fixtures/tables), written apart from the rules. What is not all right says how much is: a floor, not a goal."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import NOW, SHANGHAI

from adapters import TimelineItem
from planner import make_plan, read_statement, read_statements, read_times
from planner.ranges import Grain
from temporal_recall.dedupe import dedupe

TABLES = Path(__file__).parent.parent / "fixtures" / "tables"


def table(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (TABLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def share(right: list[bool]) -> float:
    return 100 * sum(right) / len(right)


@pytest.mark.parametrize(("language", "floor"), [("zh", 98), ("en", 98)])
def test_silence(language: str, floor: float) -> None:
    """Names, titles, prices, versions, idioms and the like give no range."""
    silent = [all(m.range is None for m in read_times(row["text"], NOW)) for row in table(f"negatives_{language}")]
    assert len(silent) >= 200
    assert share(silent) >= floor


@pytest.mark.parametrize("language", ["en"])
def test_times(language: str) -> None:
    """Every range that a sentence speaks of is among those read, and a row without one is silent."""
    wrong = []
    rows = table(f"times_{language}")
    for row in rows:
        found = [m.range for m in read_times(row["text"], NOW) if m.range is not None]
        ranges = ["/".join("" if side is None else shown(side) for side in (r.start, r.end)) for r in found]
        if not set(row["ranges"]) <= set(ranges) or (ranges and not row["ranges"]):
            wrong.append((row["text"], ranges))
    assert len(rows) >= 200
    assert 100 * len(wrong) / len(rows) <= 2, wrong


@pytest.mark.parametrize("language", ["zh", "en"])
def test_modes(language: str) -> None:
    """The mode of a question about one's own life."""
    right = [make_plan(row["text"], "ada", NOW).temporal_mode == row["mode"] for row in table(f"modes_{language}")]
    assert len(right) >= 150
    assert share(right) >= 98


def test_queries() -> None:
    """The times that questions about one's own life speak of, in text order."""
    rows = table("queries_zh")
    right = []
    for row in rows:
        found = [m.range for m in read_times(row["text"], NOW) if m.range is not None]
        right.append(["/".join(shown(side) if side else "" for side in (r.start, r.end)) for r in found] == row["times"])
    assert len(right) >= 200
    assert share(right) >= 98, [row["text"] for row, ok in zip(rows, right, strict=True) if not ok]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_corrections(language: str) -> None:
    """A question that takes a time back asks for the one it puts in its place, and for that alone."""
    wrong = []
    rows = table(f"corrections_{language}")
    for row in rows:
        time = make_plan(row["text"], "ada", NOW).time
        if f"{shown(time.start)}/{shown(time.end)}" != row["time"]:
            wrong.append((row["text"], time))
    assert len(rows) >= 20
    assert 100 * len(wrong) / len(rows) <= 5, wrong


def shown(moment: dt.datetime) -> str:
    return moment.strftime("%Y-%m-%d" if (moment.hour, moment.minute) == (0, 0) else "%Y-%m-%dT%H:%M")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_statements(language: str) -> None:
    """What a sentence says of its event: status, type, whether it happens, and when."""
    right: dict[str, list[bool]] = {"status": [], "type": [], "negated": [], "event": []}
    for row in table(f"statements_{language}"):
        observed = dt.datetime.fromisoformat(row["observed"]).astimezone(SHANGHAI) if "observed" in row else NOW
        said = read_statement(row["text"], observed)
        event = None
        if said.event is not None:
            assert said.event.start is not None
            assert said.event.end is not None
            event = f"{shown(said.event.start)}/{shown(said.event.end)}"
        wanted = None if row["event"] is None else "/".join(side.removesuffix("T00:00") for side in row["event"].split("/"))
        for name, value in (("status", said.status), ("type", said.type), ("negated", said.negated)):
            right[name].append(value == row[name])
        right["event"].append(event == wanted)
    assert len(right["status"]) >= 200
    assert {name: share(values) >= 95 for name, values in right.items()} == dict.fromkeys(right, True)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_events(language: str) -> None:
    """The events that a message tells of: when each of them is, and whether it is still to come, over or off."""
    wrong = []
    rows = table(f"events_{language}")
    for row in rows:
        told = []
        observed = dt.datetime.fromisoformat(row["observed"]).astimezone(SHANGHAI) if "observed" in row else NOW
        for said in read_statements(row["text"], observed):
            if said.event is not None and said.event.start is not None:
                off, over = said.status == "cancelled" or said.negated, said.status in ("occurred", "done")
                told.append(("off " if off else "over " if over else "") + shown(said.event.start))
        if told != row["events"]:
            wrong.append((row["text"], told))
    assert len(rows) >= 100
    assert 100 * len(wrong) / len(rows) <= 12, wrong


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("周六去理发，周日去看爸妈", ["周六去理发", "周日去看爸妈"]),
        ("1) Send invoices by Friday 2) Call the bank on Monday", ["Send invoices by Friday", "Call the bank on Monday"]),
        ("周六行程：\n8:00 出发\n10:30 到服务区\n12:00 吃午饭", ["8:00 出发", "10:30 到服务区", "12:00 吃午饭"]),
        ("周五评审，周六的聚餐取消，改到下周六老地方", ["周五评审", "周六的聚餐取消，改到下周六老地方"]),
        ("原定周三的评审，现在周五了，周四的站会照常", ["原定周三的评审，现在周五了", "周四的站会照常"]),
        ("周日大扫除，周一出差，谁来帮忙喂猫？", ["周日大扫除", "周一出差，谁来帮忙喂猫"]),
    ],
)
def test_what_tells_of_each_event(text: str, told: list[str]) -> None:
    """Without the marks of a list and its heading; a change is told by what was planned and by its new time."""
    assert [text[slice(*said.told)] for said in read_statements(text, NOW) if said.told is not None] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("刚开完会，明天交方案", [("done", None), ("due", "2026-09-04")]),
        ("妈妈生病了，周五回家看她", [("occurred", None), ("planned", "2026-09-04")]),
        ("Finished the draft, sending it Monday", [("done", None), ("planned", "2026-09-07")]),
        ("I passed the exam! party on Saturday", [("occurred", None), ("planned", "2026-09-05")]),
        # one event: what is over says too little, is told with its time, or the time is that of what is over
        ("定了，周五见", [("planned", "2026-09-04")]),
        ("考完试了，周五去看了电影", [("occurred", "2026-08-28")]),
        ("房租涨了，周一通知的", [("occurred", "2026-08-31")]),
        ("The boiler broke, engineer came Monday", [("occurred", "2026-08-31")]),
    ],
)
def test_what_is_over_ahead_of_what_is_to_come(text: str, told: list[tuple[str, str | None]]) -> None:
    """What is done is told without a time, and what comes next with one: two things, and a bare weekday is then the next one."""
    read = [
        (said.status, None if said.event is None or said.event.start is None else said.event.start.date().isoformat())
        for said in read_statements(text, NOW)
    ]
    assert read == told


def test_a_question_beside_what_is_told() -> None:
    """Is an event of its own, and leaves the other a plan; where all of it is asked, all of it is a question."""
    plan, asked = read_statements("周六我要加班，周日你有空吗？", NOW)
    assert (plan.status, plan.question, asked.status, asked.question) == ("planned", False, "mentioned", True)
    assert [said.question for said in read_statements("周六爬山，周日打球，好吗？", NOW)] == [True]


def test_events_of_a_text_of_no_known_time() -> None:
    """Only what says its year is dated: a weekday that is listed beside it is not one of 1970."""
    told = read_statements("2024年5月1日和周五体检，2024年6月3日复查", None, zone=SHANGHAI)
    assert [shown(said.event.start) for said in told if said.event and said.event.start] == ["2024-05-01", "2024-06-03"]


@given(
    st.lists(
        st.sampled_from(
            [
                "周三体检，",
                "周五交报告。",
                "昨天 ",
                "and ",
                "on Friday",
                "下午三点",
                "改到",
                "本来",
                "现在是",
                "1. ",
                "2. ",
                "：",
                "谁来？",
                "取消",
                "，",
                "去上海",
                "10:30",
                "\n",
                "的",
            ]
        )
    )
)
def test_what_tells_of_an_event_is_a_part_of_the_text(pieces: list[str]) -> None:
    """In the order of the text, with the places of its own times; events of one text are not the same time."""
    text = "".join(pieces)
    told = read_statements(text, NOW)
    assert told[0].told is not None or told == [read_statement(text, NOW)]
    places = [said.told for said in told if said.told is not None]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(said.told[0] <= a and b <= len(text) for said in told if said.told is not None for a, b in said.time_spans)
    starts = [said.event.start for said in told if said.event is not None]
    assert len(set(starts)) == len(starts)


@pytest.mark.parametrize("row", table("time_edges"), ids=lambda row: f"{row['tz']}:{row['text']}:{row['now'][:10]}")
def test_zone_and_dst_edges(row: dict[str, Any]) -> None:
    """Elapsed and calendar offsets, days of 23 and 25 hours, skipped and doubled hours, and clocks of other zones."""
    zone = ZoneInfo(row["tz"])
    now = dt.datetime.fromisoformat(row["now"])
    found = [m.range for m in read_times(row["text"], now.replace(tzinfo=zone) if now.tzinfo is None else now.astimezone(zone))]
    wanted = tuple(dt.datetime.fromisoformat(row[side]) for side in ("start", "end"))
    sides = [(r.start.astimezone(dt.UTC), r.end.astimezone(dt.UTC)) for r in found if r is not None and r.start and r.end]
    assert wanted in sides, found


def item(row: dict[str, Any], n: int) -> TimelineItem:
    observed = dt.datetime.fromisoformat(row["observed"])
    start = end = grain = None
    if row["event"]:
        start, end = (dt.datetime.fromisoformat(side) for side in row["event"].split("/"))
        start, end = (side if side.tzinfo else side.replace(tzinfo=SHANGHAI) for side in (start, end))
        grain = Grain.MINUTE if start == end else Grain.DAY if end - start >= dt.timedelta(hours=23) else Grain.DAY_PART
    said = read_statement(row["content"], observed.astimezone(SHANGHAI))
    return TimelineItem(
        source=row["source"], source_ref=f"{row['source']}:{n}", type=row["type"], title="", content=row["content"], observed_time=observed,
        event_time=start, event_end=None if start == end else end, event_grain=grain, status=row["status"], negated=said.negated, moved=said.moved,
        question=said.question, time_spans=said.time_spans,
    )  # fmt: skip


def test_duplicates() -> None:
    """Pairs that are one thing, and pairs that are not; a correction may take the corrected plan's place."""
    wrong = []
    rows = table("dedupe_pairs")
    for row in rows:
        a, b = item(row["a"], 1), item(row["b"], 2)
        kept = dedupe([a, b], SHANGHAI)
        if "corrects" in row:
            right = kept == [b] and b.merged_from == [a.source_ref] if row["corrects"] else len(kept) == 2
        else:
            # A plan that a later word moves or calls off is not told again, but it goes into that word's `merged_from`.
            superseded = len(kept) == 1 and row["b"]["status"] != row["a"]["status"] and kept[0].status == "cancelled"
            superseded = superseded or (len(kept) == 1 and kept[0].moved)
            right = (len(kept) == 1) == row["same"] or (superseded and not row["same"])
        if not right:
            wrong.append((row["a"]["content"], row["b"]["content"]))
    assert len(rows) >= 270
    assert 100 * len(wrong) / len(rows) <= 3, wrong
