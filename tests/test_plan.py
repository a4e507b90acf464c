"""What a plan says, and that it survives a round trip."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from planner import ContextPlan, PlanSettings, TemporalMode, make_plan

NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=ZoneInfo("Asia/Shanghai"))

MODE = TemporalMode


def plan(query: str, now: dt.datetime = NOW, mode: TemporalMode | None = None) -> ContextPlan:
    return make_plan(query, "ada", now, PlanSettings(), mode)


@pytest.mark.parametrize(
    ("query", "mode"),
    [
        ("我这周有什么重要的事？", MODE.AMBIGUOUS), ("今天", MODE.AMBIGUOUS), ("this week", MODE.AMBIGUOUS),
        ("昨天做了什么", MODE.OCCURRED_IN), ("what happened last week", MODE.OCCURRED_IN), ("上周三", MODE.OCCURRED_IN), ("last Friday", MODE.OCCURRED_IN),
        ("上周和小李聊了什么", MODE.MENTIONED_IN), ("Who mentioned Berlin in August?", MODE.MENTIONED_IN), ("我昨天提到的那本书", MODE.MENTIONED_IN),
        ("明天有什么安排", MODE.PLANNED_IN), ("what do I have planned for Friday", MODE.PLANNED_IN), ("下周", MODE.PLANNED_IN), ("next week", MODE.PLANNED_IN),
        ("上个月新建了哪些任务", MODE.CREATED_IN), ("notes I created yesterday", MODE.CREATED_IN), ("昨天记的笔记", MODE.CREATED_IN),
        ("下周要交什么作业", MODE.DUE_IN), ("what's due next week", MODE.DUE_IN), ("本周五截止的任务", MODE.DUE_IN), ("deadlines this month", MODE.DUE_IN),
    ],
)  # fmt: skip
def test_the_mode_comes_from_words_and_range(query: str, mode: TemporalMode) -> None:
    """Cue words decide; without one a past range happened, a future one is planned, one that holds now may be anything."""
    assert plan(query).temporal_mode is mode


def test_a_given_mode_wins() -> None:
    """Inference is for plans that name no mode, even where a word speaks for another one."""
    made = plan("上周聊了什么电影", mode=MODE.OCCURRED_IN)
    assert made.temporal_mode is MODE.OCCURRED_IN
    assert made.expanded_queries[0].endswith("电影")


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("昨天做了什么", "2026-09-02", "2026-09-03T22:00:01"),
        ("上周聊了什么", "2026-08-24", "2026-08-31"),
        ("明天有什么安排", "2026-06-06", "2026-09-03T22:00:01"),
        ("下周要交什么", "2026-06-09", "2026-09-03T22:00:01"),
        ("上个月新建了哪些任务", "2026-08-01", "2026-09-01"),
        ("我这周有什么重要的事？", "2026-06-02", "2026-09-03T22:00:01"),
        ("去年五月发生了什么", "2025-05-01", "2025-06-08"),
    ],
)  # fmt: skip
def test_where_to_look_depends_on_the_mode(query: str, start: str, end: str) -> None:
    """What happens was said before and is told after: the observed window follows the mode and never reaches past now."""
    window = plan(query).retrievals[0].observed
    assert window.start == dt.datetime.fromisoformat(start).replace(tzinfo=NOW.tzinfo)
    assert window.end == dt.datetime.fromisoformat(end).replace(tzinfo=NOW.tzinfo)


def test_without_time_a_topic_is_looked_for_everywhere() -> None:
    """A topic without a time searches the horizon, nothing at all the look-back; both say that they are defaults."""
    topic = plan("when did I last see the dentist").time
    assert topic.source == "default"
    assert (NOW - topic.start).days >= 7305
    nothing = plan("有什么事吗").time
    assert nothing.source == "default"
    assert 30 <= (NOW - nothing.start).days <= 31


@pytest.mark.parametrize(("query", "whole"), [
    ("2021年的海地地震和火箭发射，哪个更早？", True), ("搬家和去年的演唱会哪个更早？", True), ("which came first, the move in March or the concert?", True),
    ("看完电影的当天，5号还做了什么", True),
    ("上周看牙和去银行哪个更早？", False), ("2024年4月，搬家和演唱会哪个更早？", False), ("去年看牙和前年去银行哪个更早？", False),
    ("2024年4月小李和小王分别做了什么", False), ("did I first meet Anna or Tom last week", False),
])  # fmt: skip
def test_the_time_of_one_thing_compared_is_not_that_of_the_question(query: str, whole: bool) -> None:
    """Where a time tells only which concert is meant, what is compared with it may be of any time; the time still helps to find it."""
    asked = plan(query)
    assert (asked.time.source == "default") is whole
    if whole:
        assert asked.time.also
        assert asked.time_spans


def test_a_dated_telling_goes_before_what_was_relative_to_it() -> None:
    """ "Last week", as told on a day long ago, is not the week before now."""
    asked = plan("what trouble did Tim have last week, as mentioned on November 6, 2023?").time
    assert asked.start.date() == dt.date(2023, 11, 6)


@pytest.mark.parametrize(
    ("query", "days"), [("我最近看过什么电影", 366), ("what book am I currently reading", 366), ("最近发生了什么", 14)]
)
def test_lately_of_a_topic_may_be_longer_ago(query: str, days: int) -> None:
    """What is meant by "recently" or "now" is looked for in the year before where a topic tells what it is."""
    window = plan(query).retrievals[0].observed
    assert abs((NOW - window.start).days - days) <= 1


@pytest.mark.parametrize(("query", "topics"), [
    ("我这周有什么重要的事？", ["重要的事"]), ("昨天和前天我做了什么", []), ("what did we decide last Friday", ["decide"]),
    ("what's due next week", []), ("上周跟小李聊了什么电影", ["跟小李 电影"]),
])  # fmt: skip
def test_the_topic_is_what_is_left(query: str, topics: list[str]) -> None:
    """Time words and framing words are no topic; what is left is, with rewordings behind it."""
    assert list(plan(query).expanded_queries)[: max(len(topics), 1)] == topics


@pytest.mark.parametrize("query", [
    "7月发生了什么重大事件", "上周有哪些事件", "上周有什么关键事项", "what important events happened last week", "what events do I have tomorrow",
    "the key events of this week",
])  # fmt: skip
def test_events_are_no_topic(query: str) -> None:
    """Whoever asks for events, important or not, wants all that happened, and not what has the word "event" in it."""
    assert plan(query).expanded_queries == ()


@pytest.mark.parametrize("query", [
    "我还有什么没做完的", "还有哪些事没办", "有什么还没完成的任务", "接下来有什么事", "剩下的待办", "我的日程", "手头还有什么没处理的", "有哪些事拖着没办",
    "what's next", "what's left to do", "what's on my plate", "what do I still need to do", "what tasks are pending", "do I have any open tasks",
    "what's my schedule", "what am I supposed to do next",
])  # fmt: skip
def test_all_that_is_still_to_be_done(query: str) -> None:
    """Who asks for what lies ahead, whatever it is, names no topic: the days to come are looked at."""
    made = plan(query)
    assert made.temporal_mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN)
    assert made.expanded_queries == ()
    assert made.time.start <= NOW < made.time.end <= NOW + dt.timedelta(days=32)


@pytest.mark.parametrize("query", ["有什么逾期的", "哪些任务超期了", "what's overdue", "which invoices are overdue"])
def test_what_is_overdue_lies_behind(query: str) -> None:
    """It was due before now, and still is."""
    made = plan(query)
    assert made.temporal_mode is TemporalMode.DUE_IN
    assert made.time.start < NOW - dt.timedelta(days=29)
    assert abs(made.time.end - NOW) <= dt.timedelta(seconds=1)


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("最近有什么安排", "2026-09-03", "2026-09-17"),
        ("近期要交什么", "2026-09-03", "2026-09-17"),
        ("最近聊了什么", "2026-08-21", "2026-09-03"),
        ("what did I do recently", "2026-08-21", "2026-09-03"),
    ],
)
def test_lately_and_soon_are_one_word_in_chinese(query: str, start: str, end: str) -> None:
    """最近 lies behind, and ahead where what is to come is asked for."""
    made = plan(query)
    assert (made.time.start.date().isoformat(), made.time.end.date().isoformat()) == (start, end)


@pytest.mark.parametrize(("query", "topics"), [
    ("team event in July", ["team event"]), ("where is the key to the flat", ["key flat"]), ("7月的枪击事件", ["枪击"]),
    ("证监会发布了什么信息", ["证监会发布 信息"]), ("哪家银行即将上市", ["哪家银行即将上市"]),
    ("昨天的会议室", ["会议室"]), ("下周的会议", ["会议", "例会", "开会"]), ("the job of the jobber", ["job jobber", "career jobber", "work jobber"]),
])  # fmt: skip
def test_only_whole_words_are_reworded(query: str, topics: list[str]) -> None:
    """A synonym, as what asks for something important, is a word of its own and no part of another."""
    assert list(plan(query).expanded_queries) == topics


def test_a_listed_pair_of_days_is_one_range() -> None:
    """昨天和前天 asks about both days."""
    time = plan("昨天和前天我做了什么").time
    assert (time.start.day, time.end.day, time.expression) == (1, 3, "昨天和前天")


def test_an_instant_is_asked_about_as_its_neighbourhood() -> None:
    """Nothing happens in no time: a clock time is widened to the hours about it."""
    time = plan("昨天下午三点在干嘛").time
    assert (time.start.hour, time.end.hour) == (14, 16)


@pytest.mark.parametrize(
    ("zone", "now", "query"),
    [
        ("Pacific/Apia", "2012-01-03T10:00", "what did I do on December 30, 2011"),
        ("Pacific/Apia", "2012-01-03T10:00", "4天前做了什么"),
        ("Pacific/Kwajalein", "1993-08-25T10:00", "8月21日做了什么"),
    ],
)
def test_a_day_that_a_zone_left_out_is_asked_about_as_its_moment(zone: str, now: str, query: str) -> None:
    """Samoa had no 30 December 2011: the two hours about midnight, and no range that ends before it starts."""
    time = make_plan(query, "ada", dt.datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone))).time
    assert time.end.astimezone(dt.UTC) - time.start.astimezone(dt.UTC) == dt.timedelta(hours=2)


def test_the_plan_explains_itself() -> None:
    """Every reading names its characters and its rule, and the mode the word that told it."""
    made = plan("上周五聊了什么")
    rules = [(entry.text, entry.rule) for entry in made.explanation]
    assert rules[0][0] == "上周五"
    assert rules[0][1].startswith("zh.")
    assert rules[-1][1] == "zh.mode.mentioned"


@settings(max_examples=150, deadline=None)
@given(st.text(min_size=1, max_size=60).filter(str.strip))
def test_any_query_gives_a_plan_that_round_trips(query: str) -> None:
    """What /plan answers is accepted again, unchanged."""
    try:
        made = plan(query)
    except ValidationError:  # a lone surrogate is no text that JSON can carry
        assert any("\ud800" <= c <= "\udfff" for c in query)
        return
    assert ContextPlan.model_validate(json.loads(json.dumps(made.wire()))) == made


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("la semana que viene", "2026-09-07", "2026-09-14"), ("nächste Woche", "2026-09-07", "2026-09-14"), ("何をした先週", "2026-08-24", "2026-08-31"),
        ("¿Qué tengo el mes que viene?", "2026-10-01", "2026-11-01"), ("was habe ich gestern gemacht", "2026-09-02", "2026-09-03"),
        ("что я делал вчера", "2026-09-02", "2026-09-03"), ("le 14 juillet 2025", "2025-07-14", "2025-07-15"), ("지난주에 뭐 했어", "2026-08-24", "2026-08-31"),
    ],
)  # fmt: skip
def test_other_languages_are_read_by_a_library(query: str, start: str, end: str) -> None:
    """Days and calendar units, not instants: next week is Monday to Monday in any language."""
    time = plan(query).time
    assert (time.source, time.start.strftime("%Y-%m-%d"), time.end.strftime("%Y-%m-%d")) == ("query", start, end)


@pytest.mark.parametrize("query", ["hello there friend", "merge pull request", "who is Anna", "你好", "la " * 300 + "semana"])
def test_the_library_is_not_asked_for_nothing(query: str) -> None:
    """Words without a time have none, and a long text is not handed to a library that guesses."""
    assert plan(query).time.source == "default"


def test_the_librarys_failure_is_contained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever dateparser raises, the question has a plan."""

    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("inside")

    monkeypatch.setattr("dateparser.search.search_dates", broken)
    assert plan("was habe ich gestern gemacht").time.source == "default"


def test_unknown_fields_are_kept() -> None:
    """A caller's own notes in a plan come back with it."""
    body = plan("今天").wire() | {"trace": {"id": 7}}
    assert ContextPlan.model_validate(body).wire()["trace"] == {"id": 7}


def broken(path: str, value: Any) -> dict[str, Any]:
    body: Any = plan("今天").wire()
    *parents, last = path.split(".")
    node = body
    for name in parents:
        node = node[int(name)] if name.isdigit() else node[name]
    if value is ...:
        del node[last]
    else:
        node[last] = value
    return body


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("now", 0), ("now", "0"), ("now", "2026-09-03T22:00:00"), ("now", True), ("now", "yesterday"), ("now", "2026-13-03T22:00:00+08:00"), ("now", None),
        ("time.start", "2026-09-03"), ("time.end", 1788444000000), ("time.end", "2026-08-01T00:00:00+08:00"), ("time", ...), ("query", "  "), ("query", 5),
        ("user_id", ""), ("user_id", ...), ("temporal_mode", "SOMETIMES"), ("temporal_mode", ...), ("retrievals", []), ("retrievals", ...),
        ("retrievals.0.limit", "50"), ("retrievals.0.limit", True), ("retrievals.0.limit", 0), ("retrievals.0.observed.end", "2020-01-01T00:00:00Z"),
        ("retrievals.0.required", "yes"), ("retrievals.1.source", "meinput"), ("schema_version", 2), ("schema_version", "1"), ("query_type", "other"),
        ("timezone", "Mars/Olympus"), ("expanded_queries", [1]), ("time.grain", "aeon"),
    ],
)  # fmt: skip
def test_a_bad_plan_is_refused(path: str, value: Any) -> None:
    """Nothing is converted silently: wrong types, blank names, reversed ranges and times without an offset are errors."""
    with pytest.raises(ValidationError):
        ContextPlan.model_validate(broken(path, value))


@pytest.mark.parametrize(
    ("query", "order", "count", "topic"),
    [
        ("搬家、换工作、买车的先后顺序", "oldest", None, "搬家 换工作 买车"),
        ("最新的5条消息", "newest", 5, None),
        ("最近三次会议讲了什么", "newest", 3, "会议"),
        ("我最后一次见房东说了什么", "newest", None, "见房东"),
        ("我上次做指甲花了多少钱", "newest", None, "做指甲花 钱"),
        ("上回例会讲了什么", "newest", None, "例会"),
        ("what did we cook at my last potluck", "newest", None, "cook potluck"),
        ("in what order did I visit Paris and Rome", "oldest", None, "visit paris rome"),
        ("the latest 5 messages from Anna", "newest", 5, "anna"),
        ("last three emails about the lease", "newest", 3, "emails lease"),
        ("my first two meetings with Bob", "oldest", 2, "meetings bob"),
        ("下次见医生是什么时候", "oldest", None, "见医生"),
        ("下一场演唱会是哪天", "oldest", None, "演唱会"),
        ("我的下一节钢琴课", "oldest", None, "钢琴课"),
        ("when's my next dentist appointment", "oldest", None, "dentist appointment"),
        ("when is the next time we see Anna", "oldest", None, "see anna"),
        ("when did we leave for the next town", "relevance", None, None),
        ("next week's meetings", "relevance", None, None),
        ("下个月的会", "relevance", None, None),
        ("第二次评审的结论", "relevance", None, None),
        ("the first week of August", "relevance", None, None),
        ("last three days", "relevance", None, None),
        ("最近三个月花了多少", "relevance", None, None),
        ("上周开了几次会", "relevance", None, None),
    ],
)
def test_the_order_a_question_asks_for(query: str, order: str, count: int | None, topic: str | None) -> None:
    """先后, latest, first: by time, and how many; a count of days or an ordinal is none. The order's words are no topic."""
    plan = make_plan(query, "ada", NOW)
    assert (plan.order, plan.count) == (order, count)
    if topic is not None:
        assert plan.expanded_queries[0] == topic
        assert plan.time.source == "default"


@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("周六前要交哪些作业", "2026-09-06"),
        ("9月20号之前必须还的款", "2026-09-21"),
        ("月底前得付的账单", "2026-10-01"),
        ("今年年底前要完成什么", "2027-01-01"),
        ("what must I submit before Saturday", "2026-09-05"),
        ("which bills are due by Saturday", "2026-09-06"),
        ("what is due before the end of September", "2026-10-01"),
        ("十月前要交什么", "2026-10-01"),
        ("周六前有什么安排", "2026-09-05"),
    ],
)
def test_a_deadline_includes_its_limit(query: str, end: str) -> None:
    """周五前 and "by Friday" hold the Friday, 月底前 all of the month; "before Friday" and plans before a day end ahead of it."""
    assert plan(query).time.end.date().isoformat() == end


@pytest.mark.parametrize(
    ("query", "mode", "start", "topics"),
    [
        ("先週の金曜日に何をしましたか", MODE.OCCURRED_IN, "2026-08-28", ()),
        ("来週の締め切りは何ですか", MODE.DUE_IN, "2026-09-07", None),
        ("昨日の夜に食べたラーメン", MODE.OCCURRED_IN, "2026-09-02", ("食べたラーメン",)),
        ("来月の第一月曜日の予定は何ですか", MODE.PLANNED_IN, "2026-10-05", ()),
    ],
)
def test_a_question_in_a_language_with_a_file_is_planned(
    query: str, mode: TemporalMode, start: str, topics: tuple[str, ...] | None
) -> None:
    """Its range, mode and topic come from that file; what it does not say is left open and breaks nothing."""
    made = plan(query)
    assert made.language == "ja"
    assert made.temporal_mode is mode
    assert made.time.start.date().isoformat() == start
    assert topics is None or made.expanded_queries == topics
