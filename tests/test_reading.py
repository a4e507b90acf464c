"""What a caller of `read_times` can rely on: times read right, texts without a time left alone, nothing ever raised."""

from __future__ import annotations

import datetime as dt
import time
import zoneinfo
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import Conventions, make_plan, read_statements, read_times
from planner._numbering import unnumbered
from planner.ranges import attach
from planner.restatement import Gist

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=SHANGHAI)


def at(text: str, zone: str = "Asia/Shanghai") -> dt.datetime:
    moment = dt.datetime.fromisoformat(text)
    return moment.replace(tzinfo=ZoneInfo(zone)) if moment.tzinfo is None else moment.astimezone(ZoneInfo(zone))


def ranges(text: str, now: dt.datetime = NOW, conventions: Conventions | None = None) -> list[tuple[str, str]]:
    found = read_times(text, now, conventions or Conventions())
    side = lambda moment: "" if moment is None else moment.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00")  # noqa: E731
    return [(side(m.range.start), side(m.range.end)) for m in found if m.range is not None]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what do I have this week", "2026-08-31", "2026-09-07"),
        ("从9月2号到5、6号", "2026-09-02", "2026-09-07"),
        ("this month", "2026-09-01", "2026-10-01"),
        ("this weekend", "2026-09-05", "2026-09-07"),
        ("what is due next week", "2026-09-07", "2026-09-14"),
        ("next quarter", "2026-10-01", "2027-01-01"),
        ("end of the month", "2026-09-21", "2026-10-01"),
        ("in the last 3 days", "2026-09-01", "2026-09-04"),
        ("past two weeks", "2026-08-20", "2026-09-04"),
        ("since Monday", "2026-08-31", ""),
        ("between Aug 1 and Aug 5", "2026-08-01", "2026-08-06"),
        ("tonight", "2026-09-03 18:00", "2026-09-04"),
        ("Q2 2026", "2026-04-01", "2026-07-01"),
        ("the week of Aug 10", "2026-08-10", "2026-08-17"),
        ("yesterday afternoon", "2026-09-02 12:00", "2026-09-02 18:00"),
        ("明天下午三点的会议", "2026-09-04 15:00", "2026-09-04 15:00"),
        ("half an hour ago", "2026-09-03 21:30", "2026-09-03 21:30"),
        ("去年夏天", "2025-06-01", "2025-09-01"),
        ("国庆节去哪了", "2025-10-01", "2025-10-02"),
        ("这个月", "2026-09-01", "2026-10-01"),
        ("下周三到周五", "2026-09-09", "2026-09-12"),
        ("in 2019 where did I live", "2019-01-01", "2020-01-01"),
        ("2025年7月25日", "2025-07-25", "2025-07-26"),
        ("上个月15号下午三点到五点", "2026-08-15 15:00", "2026-08-15 17:00"),
        ("the last Friday of last month", "2026-08-28", "2026-08-29"),
        ("最近三个周末", "2026-08-15", "2026-08-31"),
        ("this day last year", "2025-09-03", "2025-09-04"),
        ("the weekend before last", "2026-08-22", "2026-08-24"),
        ("late January", "2026-01-21", "2026-02-01"),
        ("明天差十分九点", "2026-09-04 08:50", "2026-09-04 08:50"),
        ("明 天 下午", "2026-09-04 12:00", "2026-09-04 18:00"),
        ("２０２６年９月３日", "2026-09-03", "2026-09-04"),
        ("上個週末", "2026-08-29", "2026-08-31"),
        ("下周三 3pm", "2026-09-09 15:00", "2026-09-09 15:00"),
        ("昨晚十一点", "2026-09-02 23:00", "2026-09-02 23:00"),
        ("昨晚两点", "2026-09-03 02:00", "2026-09-03 02:00"),
    ],
)  # fmt: skip
def test_a_time_is_read(text: str, start: str, end: str) -> None:
    """An everyday expression of either language gives exactly its range."""
    assert ranges(text) == [(start, end)]


@pytest.mark.parametrize(
    ("text", "now", "start", "end"),
    [
        ("1st day of next month", "2021-01-29T12:00", "2021-02-01", "2021-02-02"),
        ("1st Friday of next month", "2021-01-29T12:00", "2021-02-05", "2021-02-06"),
        ("3rd Friday of next month", "2021-01-29T12:00", "2021-02-19", "2021-02-20"),
        ("下周一到下下周一", "2020-04-05T12:00", "2020-04-06", "2020-04-14"),
        ("中秋节", "1978-05-01T12:00", "1978-09-17", "1978-09-18"),
        ("Easter", "2024-01-10T12:00", "2024-03-31", "2024-04-01"),
        ("今天", "2024-02-29T08:00", "2024-02-29", "2024-03-01"),
        ("明年今天", "2024-02-29T08:00", "2025-02-28", "2025-03-01"),
        ("去年除夕", "2026-09-03T22:00", "2025-01-28", "2025-01-29"),
    ],
)  # fmt: skip
def test_a_time_is_read_at_another_now(text: str, now: str, start: str, end: str) -> None:
    """The anchor is an argument, and month ends, leap days and lunar tables follow it."""
    assert ranges(text, at(now)) == [(start, end)]


@pytest.mark.parametrize(
    "text",
    [
        "三百页", "星期八乐队", "二月河的小说", "马上就好", "等一下", "这个玩具一点都不好玩", "零点五", "加七点八", "调高24点5度", "我有三点建议",
        "身份证号140302197706220124", "上海下面的小店", "日本的天气", "点击下载", "电话是138-2010-2015", "版本1.1.30", "价格99.5元", "十分之一的概率",
        "May Chen", "she may march", "why did port 2019 fail", "version 2.0.1", "spring boot", "the cat sat in the sun", "a second version", "24/7 support",
        "call +86 138-2010-2015", "a score of 3:1... no, 1:1 meeting", "knowledge", "$19.99", "192.168.10.12", "v2", "A4 paper", "them ago", "in am", "June 10 - 31, 2022", "", "   ", "。。。",
    ],
)  # fmt: skip
def test_a_text_without_a_time_stays_silent(text: str) -> None:
    """Names, quantities, prices, versions, ports and idioms are no times."""
    assert ranges(text) == []


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("先週の金曜日に何をしましたか", {"ja"}), ("来週水曜日", {"ja"}), ("昨天去了阿里の店", {"zh"}), ("上周五和さくら一起吃饭", {"zh"}), ("昨天看了《となりのトトロ》", {"zh"}),
        ("I met さくら yesterday", {"en"}), ("at the café on Monday", {"en"}), ("明日の会議", {"ja"}), ("明日的会议", {"zh"}), ("9月3日", {"zh"}),
    ],
)  # fmt: skip
def test_the_text_chooses_the_language(text: str, rules: set[str]) -> None:
    """A text of a language that is read alone is not read as Chinese, and foreign letters in a Chinese or English text do not make it one."""
    assert {rule.split(".")[0] for mention in read_times(text, NOW) for rule in mention.rules} == rules


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("周五去哪了", "2026-08-28"), ("周五要去哪", "2026-09-04"), ("where did I go on Friday", "2026-08-28"), ("where will I go on Friday", "2026-09-04"),
        ("10月去了哪里", "2025-10-01"), ("10月要去哪里", "2026-10-01"), ("what happened in December", "2025-12-01"), ("what will happen in March", "2027-03-01"),
    ],
)  # fmt: skip
def test_the_tense_chooses(text: str, start: str) -> None:
    """A bare weekday or month is the last one in the past tense and the next one in the future; the others stay as alternatives."""
    mention = read_times(text, NOW)[0]
    assert mention.range is not None
    assert mention.range.start is not None
    assert mention.range.start.strftime("%Y-%m-%d") == start
    assert mention.alternatives
    assert all(other.range != mention.range for other in mention.alternatives)


@pytest.mark.parametrize(
    ("text", "now", "zone", "start", "end"),
    [
        ("in 2 weeks at 9am", "2025-02-27T12:00", "America/Los_Angeles", "2025-03-13T09:00-07:00", "2025-03-13T09:00-07:00"),
        ("3 hours ago", "2026-03-08T04:00", "America/New_York", "2026-03-08T00:00-05:00", "2026-03-08T00:00-05:00"),
        ("3小时前", "2026-11-01T03:00", "America/New_York", "2026-11-01T01:00-04:00", "2026-11-01T01:00-04:00"),
        ("昨天", "2026-03-09T12:00", "America/New_York", "2026-03-08T00:00-05:00", "2026-03-09T00:00-04:00"),
        ("tomorrow at 9", "2026-10-24T12:00", "Europe/London", "2026-10-25T09:00+00:00", "2026-10-25T09:00+00:00"),
        ("今天", "2026-04-05T12:00", "Australia/Lord_Howe", "2026-04-05T00:00+11:00", "2026-04-06T00:00+10:30"),
        ("明天", "2026-09-03T22:00", "Asia/Kathmandu", "2026-09-04T00:00+05:45", "2026-09-05T00:00+05:45"),
        ("今天凌晨2点30分", "2026-03-08T12:00", "America/New_York", "2026-03-08T03:30-04:00", "2026-03-08T03:30-04:00"),
    ],
)  # fmt: skip
def test_zones_and_dst(text: str, now: str, zone: str, start: str, end: str) -> None:
    """Elapsed hours are real hours, calendar days are wall-clock days, a skipped wall time moves forward by the gap."""
    found = read_times(text, at(now, zone))[0].range
    assert found is not None
    # In UTC: Python holds an hour that occurs twice for unequal to any other zone's.
    sides = [None if side is None else side.astimezone(dt.UTC) for side in (found.start, found.end)]
    assert sides == [dt.datetime.fromisoformat(start), dt.datetime.fromisoformat(end)]


def test_a_naive_now_is_refused() -> None:
    """Without a zone nobody knows which day it is."""
    with pytest.raises(ValueError, match="zone"):
        read_times("今天", dt.datetime(2026, 9, 3))


def test_conventions_are_settings() -> None:
    """The first day of the week, the length of "recently" and the order of 08/09 are a deployment's choice."""
    assert ranges("这周", conventions=Conventions(week_start=6)) == [("2026-08-30", "2026-09-06")]
    assert ranges("最近", conventions=Conventions(recent_days=7)) == [("2026-08-28", "2026-09-03 22:00")]
    assert ranges("08/09/2026") == [("2026-08-09", "2026-08-10")]
    assert ranges("08/09/2026", conventions=Conventions(day_first=True)) == [("2026-09-08", "2026-09-09")]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("后天上午九点开会，下午三点见客户", ["2026-09-05 09:00", "2026-09-05 15:00"]),
        ("明天下午两点见客户三点半回公司", ["2026-09-04 14:00", "2026-09-04 15:30"]),
        ("国庆第一天上午爬山下午泡温泉", ["2026-10-01 06:00", "2026-10-01 12:00"]),
        ("上周一出差，周四回来", ["2026-08-24", "2026-08-27"]),
        ("下周五出发，周二回来", ["2026-09-11", "2026-09-15"]),
        ("2024年5月入职，9月转正", ["2024-05-01", "2024-09-01"]),
        ("6月28号去的，3号回来", ["2026-06-28", "2026-07-03"]),
        ("9月3号到的，第二天爬山，第三天回家", ["2026-09-03", "2026-09-04", "2026-09-05"]),
        ("on 5 June 2024 in the morning a talk, in the afternoon a walk", ["2024-06-05 06:00", "2024-06-05 12:00"]),
        # A time of its own: told of, turned to now, earlier in the day, of another sentence, or behind a mere day and a pause.
        ("昨天下午他说晚上聚餐", ["2026-09-02 12:00", "2026-09-03 18:00"]),
        ("昨天上午去过了，下午要再去", ["2026-09-02 06:00", "2026-09-03 12:00"]),
        ("昨天晚上没睡早上七点才睡", ["2026-09-02 18:00", "2026-09-03 07:00"]),
        ("前天去了超市。晚上在家看剧", ["2026-09-01", "2026-09-03 18:00"]),
        ("昨天没睡好，下午补觉", ["2026-09-02", "2026-09-03 12:00"]),
        ("每天加班到十点", []),
    ],
)
def test_what_follows_lies_in_what_was_told(text: str, starts: list[str]) -> None:
    """Of several times in a sentence, the later ones are of the day, week, month or year that the earlier ones name."""
    assert [start for start, _ in ranges(text)] == starts


def test_days_said_in_one_word_are_mentions_of_their_own() -> None:
    """周一三五 is three days, each with the characters of all; what is said about them holds for each."""
    found = read_times("下周二、四晚上七点练琴", NOW)
    assert [m.text for m in found] == ["下周二、四晚上七点"] * 2
    assert [m.range.start.strftime("%m-%d %H") for m in found if m.range and m.range.start] == ["09-08 19", "09-10 19"]
    plan = make_plan("这周一三五我练了琴吗", "ada", NOW)
    assert (plan.time.start.day, plan.time.end.day) == (31, 5)


@given(day=st.dates(dt.date(2000, 1, 1), dt.date(2050, 1, 1)), count=st.integers(1, 60))
def test_workdays_are_counted_monday_to_friday(day: dt.date, count: int) -> None:
    """So many workdays from a day lies on a workday, with as many workdays on the way to it."""
    now = dt.datetime(day.year, day.month, day.day, 9, tzinfo=SHANGHAI)
    for text, sign in ((f"{count}个工作日后", 1), (f"{count}个工作日前", -1)):
        (found,) = [m.range for m in read_times(text, now)]
        assert found is not None
        assert found.start is not None
        reached = found.start.date()
        passed = [day + dt.timedelta(days=sign * n) for n in range(1, abs((reached - day).days) + 1)]
        assert sum(d.weekday() < 5 for d in passed) == count
        assert reached.weekday() < 5


def test_a_mention_names_its_characters_and_rules() -> None:
    """The span is that of the given text, whatever was folded or squeezed on the way."""
    text = "　請問　上 個 月 15號 我做了什麼"
    mention = read_times(text, NOW)[0]
    assert text[mention.start : mention.end] == mention.text == "上 個 月 15號"
    assert mention.rule.startswith("zh.")
    assert mention.grain.word == "day"


ZONES = sorted(z for z in zoneinfo.available_timezones() if "/" in z and not z.startswith(("Etc/", "SystemV/")))
MOMENTS = st.datetimes(min_value=dt.datetime(1900, 1, 1), max_value=dt.datetime(2100, 12, 31))
PIECES = st.lists(
    st.sampled_from(
        ["今天", "昨天", "上", "下", "个", "周", "月", "三", "15", "号", "年", "2026", "到", "和", "前", "后", "最近", "三天", "每", "第", "半", "点", "下午", ":", "-", "/", ".", "next", "last", "Friday", "of", "the", "3rd", "week", "in", "5", "pm", "to", "until", "since", "May", "2024-02-30", "25:61", "99/99/9999", "农历", "闰", "初一", "国庆", "the", "day", "after", "周一三五", "、", "sat", "and", "sun", "3pm", "PT", "伦敦时间", "结束", "早", "late", "mid", "about", "or", "three", "days", "ago"]
    ),
    max_size=12,
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    text=st.one_of(st.text(max_size=80), PIECES.map(" ".join), PIECES.map("".join)), now=MOMENTS, zone=st.sampled_from(ZONES)
)
def test_nothing_is_ever_raised_and_ranges_are_sound(text: str, now: dt.datetime, zone: str) -> None:
    """Any text, any moment from 1900 to 2100, any IANA zone: mentions in order, inside the text, ends after starts, in the zone."""
    info = ZoneInfo(zone)
    last = (0, 0)
    for mention in read_times(text, attach(now, info)):
        assert last[1] <= mention.start or mention.span == last  # times said in one word share it
        assert mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.text
        last = mention.span
        for found in [mention.range, *(other.range for other in mention.alternatives)]:
            if found is not None:
                for side in (found.start, found.end):
                    assert side is None or side.tzinfo is info
                assert found.start is None or found.end is None or found.start <= found.end


@settings(max_examples=100, deadline=None)
@given(now=MOMENTS, zone=st.sampled_from(ZONES))
def test_days_meet_without_gap_or_overlap(now: dt.datetime, zone: str) -> None:
    """Yesterday ends where today starts, today where tomorrow does, on every day of every zone."""
    moment = attach(now, ZoneInfo(zone))
    day = [read_times(text, moment)[0].range for text in ("昨天", "今天", "tomorrow")]
    assert all(found is not None for found in day)
    assert day[0].end == day[1].start  # type: ignore[union-attr]
    assert day[1].end == day[2].start  # type: ignore[union-attr]
    assert day[1].holds(moment) or now.hour == 0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "unit",
    [
        "1" * 50,
        "上" * 50,
        "第",
        "2026-",
        "三天",
        "every ",
        "the last ",
        "from 3 to ",
        "周",
        "半",
        "1:",
        "一",
        "1/",
        "《",
        "“",
        "(",
        "——",
        "'",
        "w/",
        "的",
        "3pm the ",
        "jan '2",
        "先週の",
        "あ",
        "monday's.",
        "3.14 ",
        "0930 ",
        "17-7 ",
        "一周内 ",
        "2000块，",
        "国庆前一天",
        "two days after ",
        "的三个，的天",
        "1,",
        "1，",
    ],
)
def test_hostile_repetition_stays_linear(unit: str) -> None:
    """Four times the text takes no more than about four times the work: no pattern backtracks."""
    _linear(lambda text: read_times(text, NOW), unit)


@pytest.mark.parametrize("unit", ["1,", "7", "3万", "ab1", "改到", "不", "→", "re: ", "not on "])
def test_what_a_hostile_text_says_is_told_in_linear_time(unit: str) -> None:
    """As above, for what merging compares."""
    _linear(lambda text: Gist(text).core, unit)


@pytest.mark.parametrize("unit", ["周三去。", "周三，", "周三体检周五交报告", "on Friday and ", "1点去2点来"])
def test_the_events_of_a_hostile_text_are_told_in_linear_time(unit: str) -> None:
    """As above, for the parts of a text; of a long one the first 4,000 characters are read."""
    _linear(lambda text: read_statements(text[: len(text) // 8], NOW), unit)


def _linear(read: Callable[[str], object], unit: str) -> None:
    def spent(text: str) -> float:
        began = time.process_time()
        read(text)
        return time.process_time() - began

    short, long = unit * (8000 // len(unit)), unit * (32000 // len(unit))
    read(short)
    bound = 12 * min(spent(short), spent(short)) + 0.05
    assert any(spent(long) < bound for _ in range(2))


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("一、9月5日上午9点例会\n二、9月7日下午2点拜访客户", ["9月5日上午9点", "9月7日下午2点"]),
        ("1、9月5日例会\n2、9月7日拜访客户", ["9月5日", "9月7日"]),
        ("纪要：①9月8日评审 ②9月18日提测", ["9月8日", "9月18日"]),
        ("1) invoices by Friday 2) call the bank on Monday", ["by Friday", "Monday"]),
        ("a) invoices by Friday b) call the bank on Monday", ["by Friday", "Monday"]),
        ("3、4月在装修", ["3、4月", "3、4月"]),
        ("约在周五下午3点、周六上午10点", ["周五下午3点", "周六上午10点"]),
    ],
)
def test_marks_of_a_list_are_no_times(text: str, times: list[str]) -> None:
    """What numbers the lines of a list is no figure of the times in them; figures that count nothing are."""
    assert [m.text.strip() for m in read_times(text, NOW) if m.range is not None] == times


@given(st.text(alphabet="1234567890一二三①②ab.)、（( \n周五九月日点,"))
def test_a_list_keeps_its_places(text: str) -> None:
    """A mark is put out character for character, and nothing else is."""
    plain = unnumbered(text)
    assert len(plain) == len(text)
    assert all(new == old or new in "\n " for new, old in zip(plain, text, strict=True))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("周六行程：\n8:00 出发\n10:30 到服务区", ["2026-09-05 08:00", "2026-09-05 10:30"]),
        ("Saturday\n8:00 leave home with all the kids and the dog\n10:30 ferry", ["2026-09-05 08:00", "2026-09-05 10:30"]),
        ("昨晚加班到十点，明天请假", ["2026-09-02 22:00", "2026-09-04 00:00"]),
        ("明天下午三点，晚上七点", ["2026-09-04 15:00", "2026-09-04 19:00"]),
        ("早上八点，下午三点", ["2026-09-03 08:00", "2026-09-03 15:00"]),
    ],
)
def test_a_heading_dates_the_lines_below_it(text: str, days: list[str]) -> None:
    """Hours that begin the lines of a list are of its day; of two behind one another each has its half of the day, and one that
    ends something is of no day behind a comma."""
    found = [
        f"{m.range.start:%Y-%m-%d %H:%M}" for m in read_times(text, NOW) if m.range is not None and m.range.start is not None
    ]
    assert found[-2:] == days
