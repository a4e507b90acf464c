"""The recall score: what each factor gives, and that the product decides."""

from __future__ import annotations

import datetime as dt
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import NOW, SHANGHAI

from adapters import TimelineItem
from adapters._candidates import candidates
from planner import TemporalMode, make_plan
from planner.plan import ContextPlan
from planner.ranges import Grain
from temporal_recall import calibration as cal
from temporal_recall.dedupe import dedupe
from temporal_recall.group import group
from temporal_recall.pairs import Entered
from temporal_recall.rank import Scoring, in_order, rank
from temporal_recall.temporal_match import TemporalMatch

MODE = TemporalMode
DAY = dt.timedelta(days=1)


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=NOW.tzinfo)


def item(
    observed: str | None = "2026-09-02T10:00", event: str | None = None, end: str | None = None, **more: Any
) -> TimelineItem:
    fields: dict[str, Any] = {
        "source": "chat", "source_ref": f"chat:{observed}:{event}:{end}:{sorted(more.items())!r}", "type": "message", "title": "", "content": "和小李看电影",
        "observed_time": None if observed is None else at(observed), "event_time": None if event is None else at(event),
        "event_end": None if end is None else at(end), "event_grain": None if event is None else Grain.DAY, "importance": 0.8, "confidence": 0.95,
    }  # fmt: skip
    return TimelineItem(**(fields | more))


def plan(query: str, mode: TemporalMode) -> ContextPlan:
    return make_plan(query, "ada", NOW, None, mode)


def fit(asked: ContextPlan, thing: TimelineItem) -> float:
    """The temporal match of one item."""
    return float(TemporalMatch(asked)(candidates([thing], [1.0]))[0])


THIS_WEEK, NEXT_WEEK, YESTERDAY = "这周", "下周", "昨天"


@pytest.mark.parametrize(
    ("query", "mode", "thing", "value"),
    [
        # happened: the event's own time decides, the time of telling only where it has none
        (YESTERDAY, MODE.OCCURRED_IN, item(event="2026-09-02T00:00", end="2026-09-03T00:00", status="occurred"), 1.0),
        (YESTERDAY, MODE.OCCURRED_IN, item(event="2026-08-20T00:00", end="2026-08-21T00:00", status="occurred"), 0.0),
        (YESTERDAY, MODE.OCCURRED_IN, item(), cal.OBSERVED_ONLY),
        (YESTERDAY, MODE.OCCURRED_IN, item("2026-09-03T10:00"), 0.0),
        (YESTERDAY, MODE.OCCURRED_IN, item(event="2026-09-05T00:00", status="planned"), 0.0),
        (YESTERDAY, MODE.OCCURRED_IN, item(event="2026-09-02T09:00", status="cancelled"), 0.0),
        (YESTERDAY, MODE.OCCURRED_IN, item("2026-09-01T10:00", event="2026-09-02T09:00", status="planned"), cal.PLANNED_THEN),
        (YESTERDAY, MODE.OCCURRED_IN, item("2026-09-01T10:00", event="2026-09-02T09:00", status="due"), cal.DUE_THEN),
        (YESTERDAY, MODE.OCCURRED_IN, item(event="2026-09-01T23:30", end="2026-09-02T00:45", status="occurred"), 1.0),
        (THIS_WEEK, MODE.OCCURRED_IN, item(event="2026-09-06T10:00", status="planned"), 0.0),  # in the range, and after now
        # said: when it was told, whatever it is about
        (YESTERDAY, MODE.MENTIONED_IN, item(event="2026-12-24T00:00", status="planned"), 1.0),
        (YESTERDAY, MODE.MENTIONED_IN, item("2026-09-01T10:00", event="2026-09-02T00:00"), 0.0),
        (YESTERDAY, MODE.MENTIONED_IN, item(None), 0.0),
        (YESTERDAY, MODE.CREATED_IN, item(), 1.0),
        # planned: told before it begins
        (NEXT_WEEK, MODE.PLANNED_IN, item(event="2026-09-09T15:00", status="planned"), 1.0),
        (NEXT_WEEK, MODE.PLANNED_IN, item("2026-06-01T10:00", event="2026-09-09T15:00", status="planned"), 1.0),
        (NEXT_WEEK, MODE.PLANNED_IN, item(event="2026-09-09T15:00", status="cancelled"), cal.CALLED_OFF),
        (NEXT_WEEK, MODE.PLANNED_IN, item(), 0.0),
        (YESTERDAY, MODE.PLANNED_IN, item("2026-09-03T10:00", event="2026-09-02T15:00", status="occurred"), 0.0),
        # due: a duty with its time in the range
        (NEXT_WEEK, MODE.DUE_IN, item(event="2026-09-09T00:00", end="2026-09-10T00:00", status="due"), 1.0),
        (NEXT_WEEK, MODE.DUE_IN, item(event="2026-09-09T00:00", end="2026-09-10T00:00", status="planned", type="todo"), 1.0),
        (NEXT_WEEK, MODE.DUE_IN, item(event="2026-09-09T00:00", end="2026-09-10T00:00", status="planned"), 0.0),
        # any of these
        (THIS_WEEK, MODE.AMBIGUOUS, item(), 1.0),
        (THIS_WEEK, MODE.AMBIGUOUS, item("2026-06-01T10:00", event="2026-09-05T18:00", status="planned"), 1.0),
        (THIS_WEEK, MODE.AMBIGUOUS, item("2026-06-01T10:00"), 0.0),
    ],
)  # fmt: skip
def test_temporal_match(query: str, mode: TemporalMode, thing: TimelineItem, value: float) -> None:
    """An item belongs by its own time in the sense that is asked for; outside of the range it is nothing."""
    assert fit(plan(query, mode), thing) == pytest.approx(value)


@pytest.mark.parametrize(
    ("query", "mode", "thing", "value"),
    [
        # what was told of it in the range, also as a plan for later or as called off; not what is still to come in it
        ("昨天小李的电影", MODE.OCCURRED_IN, item(event="2026-10-05T00:00", status="planned"), cal.TOLD_THEN),
        ("昨天小李的电影", MODE.OCCURRED_IN, item(event="2026-10-05T00:00", status="cancelled"), cal.TOLD_THEN),
        ("昨天小李的电影", MODE.OCCURRED_IN, item("2026-09-01T10:00", event="2026-10-05T00:00", status="planned"), 0.0),
        ("这周小李的电影", MODE.OCCURRED_IN, item(event="2026-09-06T10:00", status="planned"), 0.0),
        ("昨天小李的电影", MODE.PLANNED_IN, item(), cal.TOLD_THEN),
        ("下周小李的电影", MODE.PLANNED_IN, item(), 0.0),
        # when a thing is due: it was, or what else is dated of it
        ("小李的电影什么时候截止", MODE.DUE_IN, item(event="2026-10-05T00:00", status="due"), 1.0),
        (
            "小李的电影什么时候截止",
            MODE.DUE_IN,
            item("2026-07-02T10:00", event="2026-08-05T00:00", status="due"),
            cal.LONGER_AGO,
        ),
        ("小李的电影什么时候截止", MODE.DUE_IN, item(event="2026-10-05T00:00", status="planned"), cal.TOLD_THEN),
        # longer ago than "recently" and "now" say, never than a certain time
        ("最近小李的电影", MODE.OCCURRED_IN, item("2026-05-02T10:00"), cal.LONGER_AGO),
        ("小李现在看的电影", MODE.OCCURRED_IN, item("2026-05-02T10:00"), cal.LONGER_AGO),
        ("过去十四天小李的电影", MODE.OCCURRED_IN, item("2026-05-02T10:00"), 0.0),
        ("最近", MODE.OCCURRED_IN, item("2026-05-02T10:00"), 0.0),
    ],
)
def test_for_a_topic_the_telling_speaks_too(query: str, mode: TemporalMode, thing: TimelineItem, value: float) -> None:
    """Who asks about something sees, behind what fits, what was said of it then, and of a vague time what was said before."""
    assert fit(plan(query, mode), thing) == pytest.approx(value)


def test_what_there_was_and_what_came_to_be() -> None:
    """Where only the place of the range tells the mode, what was planned for it is as good an answer as what happened."""
    there_was = make_plan("昨天有什么", "ada", NOW)
    thing = item("2026-09-01T10:00", event="2026-09-02T09:00", status="planned")
    assert there_was.temporal_mode is MODE.OCCURRED_IN
    assert fit(there_was, thing) == 1.0
    assert fit(make_plan("昨天发生了什么", "ada", NOW), thing) == cal.PLANNED_THEN


def test_a_coarser_time_counts_by_its_share() -> None:
    """An event told as "in 2026" fits a day of 2026 less than one told by the day, and never by a made-up first of January."""
    year = item(event="2026-01-01T00:00", end="2027-01-01T00:00", status="occurred", event_grain=Grain.YEAR)
    day, first = plan("2026年3月5日", MODE.OCCURRED_IN), plan("2026年1月1日", MODE.OCCURRED_IN)
    assert 0 < fit(day, year) < 0.2
    assert fit(first, year) == pytest.approx(fit(day, year))
    assert fit(plan("2026年", MODE.OCCURRED_IN), year) == 1.0


def test_what_lasts_longer_than_one_unit_is_then_as_well() -> None:
    """September 10 to 12 is on the 11th, and March to May in April; a week or a month alone is only a vague time."""
    days = item("2026-08-28T09:00", event="2026-09-10T00:00", end="2026-09-13T00:00", status="planned")
    week = item("2026-08-28T09:00", event="2026-09-07T00:00", end="2026-09-14T00:00", status="planned", event_grain=Grain.WEEK)
    day = plan("9月11日", MODE.PLANNED_IN)
    assert fit(day, days) == cal.LASTING
    assert fit(day, week) == pytest.approx((1 / 7) ** 0.5)
    months = item(
        "2026-06-01T09:00", event="2026-03-01T00:00", end="2026-06-01T00:00", status="occurred", event_grain=Grain.MONTH
    )
    assert fit(plan("4月5日", MODE.OCCURRED_IN), months) == cal.LASTING


def test_without_a_time_none_is_missed() -> None:
    """A topic without a time is answered from all of history, newest or oldest alike."""
    asked = make_plan("和小李看过什么电影", "ada", NOW)
    assert asked.time.source == "default"
    assert fit(asked, item("2009-01-01T10:00")) == 1.0


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_every_factor_lies_in_the_unit_interval(importance: float, confidence: float, relevance: float) -> None:
    """Whatever a source claims, the score is a product of five numbers in [0, 1], and its tier follows the thresholds."""
    asked = plan("昨天和小李看了什么电影", MODE.OCCURRED_IN)
    [ranked] = rank([item(importance=importance, confidence=confidence, relevance=relevance)], Scoring(asked))
    factors = [
        getattr(ranked.score, name)
        for name in ("source_quality", "temporal_match", "semantic_match", "importance", "confidence")
    ]
    assert all(0 <= factor <= 1 for factor in factors)
    shown = round(ranked.value, 2)
    assert ranked.tier == ("primary" if shown >= 0.75 else "secondary" if shown >= 0.50 else None)


@pytest.mark.parametrize(
    ("query", "title"), [("周五的羽毛球还打吗", "羽毛球局"), ("周六还去爬香山吗", "香山"), ("周日的钢琴课还上吗", "钢琴课")]
)
def test_the_verb_beside_a_thing_weighs_little(query: str, title: str) -> None:
    """An appointment names what is done and seldom the verb: 羽毛球 answers for 打羽毛球."""
    fits, other = item(title=title, content="", source_ref="a"), item(title="电话会", content="", source_ref="b")
    values = {r.item.source_ref: r.score.semantic_match for r in rank([fits, other], Scoring(plan(query, MODE.PLANNED_IN)))}
    assert values["a"] > 0.8
    assert values["b"] < 0.5


def test_the_topic_decides_among_items_in_range() -> None:
    """What covers the topic's rare words beats what only shares a common one; what shares nothing is dropped."""
    things = [
        item(content=text, source="meinput", source_ref=text)
        for text in ("和小李看科幻电影", "和小李吃饭", "交了房租", "和小王看病")
    ]
    ranked = rank(things, Scoring(plan("昨天和小李看了什么科幻电影", MODE.OCCURRED_IN)))
    assert ranked[0].item.content == "和小李看科幻电影"
    assert {r.item.content for r in ranked if r.tier is None} >= {"交了房租"}


def test_ties_have_one_order() -> None:
    """Equal scores go by event time, observed time and reference, whatever order the sources answered in."""
    things = [item("2026-09-02T10:00", source_ref=name) for name in "cab"] + [item("2026-09-02T09:00", source_ref="z")]
    asked = plan(YESTERDAY, MODE.MENTIONED_IN)
    orders = {
        tuple(r.item.source_ref for r in rank(list(order), Scoring(asked)))
        for order in (things, things[::-1], things[2:] + things[:2])
    }
    assert orders == {("z", "a", "b", "c")}


def test_an_order_by_time_is_one_of_what_fits() -> None:
    """Weighty or not, what fits the topic comes in the order of time, and what fits it less behind it."""
    told = [
        item("2026-08-03T10:00", importance=0.2, relevance=0.95, source_ref="a"),
        item("2026-08-20T10:00", importance=0.9, relevance=0.9, source_ref="b"),
        item("2026-08-11T10:00", importance=0.3, relevance=0.85, source_ref="c"),
        item("2026-08-05T10:00", importance=1.0, relevance=0.7, source_ref="d"),
    ]
    asked = plan("最新的电影讨论", MODE.MENTIONED_IN)
    assert asked.order == "newest"
    ranked = rank(told, Scoring(asked))
    assert [r.item.source_ref for r in in_order(ranked, asked, 50)] == ["b", "c", "a", "d"]
    assert [r.item.source_ref for r in in_order(ranked, asked, 2)] == ["b", "c"]


@pytest.mark.parametrize(
    ("query", "kind"),
    [("这个月建了哪些任务", "todo"), ("which reminders did I add in September", "todo"), ("9月写了哪些笔记", "note")],
)
def test_the_kind_of_record_that_is_asked_for_comes_first(query: str, kind: str) -> None:
    """What was made of another kind comes behind it, and is not less where there is none of that kind."""
    asked = make_plan(query, "ada", NOW)
    other, own = item("2026-09-02T10:00", importance=0.95, source_ref="a"), item("2026-09-02T11:00", type=kind, source_ref="b")
    alone = rank([other], Scoring(asked))[0]
    both = rank([other, own], Scoring(asked))
    assert [r.item.source_ref for r in both] == ["b", "a"]
    assert both[1].value == pytest.approx(alone.value * cal.OTHER_KIND)


def test_the_latest_said_is_not_the_latest_to_come() -> None:
    """Asked what was said last, the time of telling orders, and not that of the plans it tells of."""
    told = [
        item("2026-08-03T10:00", event="2027-05-01T00:00", end="2027-05-02T00:00", status="planned", source_ref="early"),
        item("2026-08-20T10:00", source_ref="late"),
    ]
    for mode, first in ((MODE.MENTIONED_IN, "late"), (MODE.AMBIGUOUS, "early")):
        asked = plan("最新的电影讨论", mode)
        assert in_order(rank(told, Scoring(asked)), asked, 50)[0].item.source_ref == first


def test_groups_answer_an_ambiguous_question_only() -> None:
    """What happened in the range at or before now, and the rest: plans, duties, questions, what is called off or still ahead."""
    things = {
        "happened": item(event="2026-09-01T10:00", status="occurred"), "said": item("2026-09-02T10:00", source_ref="said"), "ahead": item(event="2026-09-05T10:00", status="planned"),
        "duty": item(status="planned", type="todo"), "asked": item(question=True), "off": item(event="2026-09-01T11:00", status="cancelled"),
    }  # fmt: skip
    asked = plan(THIS_WEEK, MODE.AMBIGUOUS)
    groups, flat = group(rank(list(things.values()), Scoring(asked)), asked)
    assert flat == []
    assert {id(r.item) for r in groups[0][1]} == {id(things["happened"]), id(things["said"])}
    other = plan(THIS_WEEK, MODE.OCCURRED_IN)
    assert group(rank(list(things.values()), Scoring(other)), other)[0] == []


def test_nine_restatements_and_a_contradiction() -> None:
    """Restatements become one item that lists the other eight; the contradiction stays apart."""
    said = [item(f"2026-09-02T{10 + n}:00", source_ref=f"r{n}", content="小李对花生过敏") for n in range(9)]
    merged = dedupe(
        [*said, item("2026-09-02T20:00", source_ref="no", content="小李对花生不过敏", negated=True)], NOW.tzinfo or dt.UTC
    )
    assert sorted(len(i.merged_from) for i in merged) == [0, 8]


def test_the_best_source_is_kept() -> None:
    """Of duplicates the item of the best source stays, with the largest importance and confidence of all."""
    typed = item("2026-09-02T10:00", source="meinput", source_ref="m", importance=0.3, confidence=0.7)
    said = item("2026-09-02T10:05", source="chat", source_ref="c", importance=0.9, confidence=0.95)
    [kept] = dedupe([said, typed], NOW.tzinfo or dt.UTC)
    assert (kept.source, kept.merged_from, kept.importance, kept.confidence) == ("meinput", ["c"], 0.9, 0.95)


def test_different_stated_times_stay_apart() -> None:
    """The same words about Thursday and about Friday are two plans."""
    two = [
        item("2026-09-01T10:00", event="2026-09-03T10:00", source_ref="a", status="planned"),
        item("2026-09-01T10:01", event="2026-09-04T10:00", source_ref="b", status="planned"),
    ]
    assert len(dedupe(two, NOW.tzinfo or dt.UTC)) == 2


def test_lunch_with_another_is_not_what_was_moved() -> None:
    """A correction takes the plan it speaks of, and no other of the same kind."""
    plans = [
        item("2026-09-01T10:00", event="2026-09-04", source_ref="li", status="planned", content="周五和小李吃饭"),
        item("2026-09-01T11:00", event="2026-09-04", source_ref="wang", status="planned", content="周五和小王吃饭"),
    ]
    moved = item(
        "2026-09-02T10:00", event="2026-09-05", source_ref="moved", status="planned", content="和小李吃饭改到周六", moved=True
    )
    assert {i.source_ref: i.merged_from for i in dedupe([*plans, moved], SHANGHAI)} == {"wang": [], "moved": ["li"]}


def test_a_correction_that_names_nothing_takes_the_last_plan_told() -> None:
    """ "Moved to Saturday" speaks of the plan told just before it in the same source, and of none told long ago or elsewhere."""
    plans = [
        item("2026-09-02T10:00", event="2026-09-04", source_ref="old", status="planned", content="周五去钓鱼"),
        item("2026-09-02T15:00", event="2026-09-04", source_ref="last", status="planned", content="周五剪头发"),
        item("2026-09-02T15:05", event="2026-09-04", source="notes", source_ref="other", status="planned", content="周五交表"),
    ]

    def superseded(told: str) -> list[str]:
        moved = item(told, event="2026-09-05", source_ref="moved", status="planned", content="改到周六了", moved=True)
        moved.time_spans = ((2, 4),)
        merged = dedupe([*plans, moved], SHANGHAI)
        return next(kept.merged_from for kept in merged if kept.source_ref == "moved")

    assert superseded("2026-09-02T15:20") == ["last"]
    assert superseded("2026-09-03T15:20") == []


TOLD = (
    "周五和小李吃饭", "周五和小王吃饭", "和小李周五吃饭", "周五吃饭", "周五不和小李吃饭", "小李借给我五百块", "我借给小李五百块", "把周报交给李老师", "交周报给李老师",
    "dinner with Nina on Friday", "Friday dinner with Nina and Omar", "dinner with Omar on Friday", "not having dinner with Nina on Friday", "Nina told Omar", "Omar told Nina",
)  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from(TOLD), st.integers(0, 100), st.sampled_from(("chat", "meinput"))), max_size=12),
    st.randoms(),
)
def test_the_order_of_the_items_does_not_matter(told: list[tuple[str, int, str]], random: Random) -> None:
    """Permuting the items gives the same groups, each with the same item kept."""

    def groups(order: list[int]) -> set[tuple[str, ...]]:
        things = [
            item(
                content=told[n][0],
                source=told[n][2],
                source_ref=f"{n:02}",
                observed_time=at("2026-09-02T10:00") + told[n][1] * DAY / 96,
            )
            for n in order
        ]
        return {(kept.source_ref, *kept.merged_from) for kept in dedupe(things, SHANGHAI)}

    shuffled = list(range(len(told)))
    random.shuffle(shuffled)
    assert groups(shuffled) == groups(list(range(len(told))))


@given(
    st.lists(
        st.tuples(
            st.integers(700000, 700003), st.sampled_from([-1, 0, 0, 1]), st.sets(st.sampled_from("甲乙丙丁戊己庚"), min_size=1)
        ),
        max_size=30,
    )
)
def test_what_may_say_the_same_is_compared(told: list[tuple[int, int, set[str]]]) -> None:
    """Of two tellings of one day, or of the day beside, the one that holds all words of the other meets it."""
    days, beside, said = [list(column) for column in zip(*told, strict=True)] or [[], [], []]
    pairs = Entered(days, beside, [sorted(words) for words in said]).pairs()
    assert len(pairs) == len(set(pairs))
    for n in range(len(told)):
        for other in range(len(told)):
            if n != other and said[other] <= said[n] and days[other] in (days[n], days[n] + beside[n]):
                assert (n, other) in pairs


def test_a_crowd_is_compared_with_those_nearest_in_time() -> None:
    """Of a thousand tellings of one word each meets a bounded number, and its neighbours in time among them."""
    entered = Entered([700000] * 1000, [0] * 1000, [["甲"]] * 1000)
    pairs = set(entered.pairs())
    assert entered.crowded == {700000}
    assert len(pairs) <= 1000 * cal.COMPARED
    assert all((n, n + 1) in pairs and (n + 1, n) in pairs for n in range(999))


def test_a_mail_and_the_promise_it_asks_for_are_one() -> None:
    """Who wrote the mail stands in its last line and sets it apart from nothing; another thing asked for does."""
    for promised, same in (("I'll send the signed contract to Anna", True), ("I'll send the signed receipt to Anna", False)):
        asked = item(source="email", type="email", source_ref="mail", content="Please send me the signed contract.\nFrom: Anna")
        kept = dedupe([asked, item(source_ref="said", content=promised)], SHANGHAI)
        assert (len(kept) == 1) is same


def test_no_group_holds_a_contradiction() -> None:
    """A short telling that would fit two that contradict each other joins one of them and does not join them to each other."""
    texts = ("周五晚上和小李在老地方吃火锅", "周五晚上和小王在老地方吃火锅", "周五晚上在老地方吃火锅")
    kept = dedupe([item(content=text, source_ref=text) for text in texts], SHANGHAI)
    assert sorted(len(i.merged_from) for i in kept) == [0, 1]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("finished the restaurant review", "finished the restuarant review", True),
        ("called Carla about the lease", "called Carlo about the lease", False),
        ("called Martin about the lease", "called Martina about the lease", False),
    ],
)
def test_a_slip_of_the_pen_is_not_another_name(a: str, b: str, same: bool) -> None:
    """A letter out of place inside a long word is a slip; another letter, or one at the end, is another word."""
    kept = dedupe([item(content=text, source_ref=text) for text in (a, b)], SHANGHAI)
    assert (len(kept) == 1) is same
