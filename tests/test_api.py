"""The recall API as its callers see it: both ways to ask, every status, every field."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import anyio
import pytest
from support import NOW, batch, both_databases, items_of

import adapters
from adapters import Items, SourceError, SourceUnavailable, TimelineItem
from adapters._store import Store
from adapters.chat import StoreChat
from planner.modes import TemporalMode

pytestmark = pytest.mark.anyio

QUERY = "/v1/temporal-recall/query"
ASK = {"query": "我这周有什么重要的事？", "user_id": "ada", "now": "2026-09-03T22:00:00+08:00"}
LIFE = batch(
    "r1",
    ("2026-08-20T10:00", "九月五号中午和小李吃饭"),
    ("2026-08-28T10:00", "上周把旧手机卖了"),
    ("2026-09-01T09:00", "今天和房东签了合同"),
    ("2026-09-02T15:00", "昨天面试了两个候选人"),
    ("2026-09-03T08:00", "明天下午三点和王老师讨论论文"),
    ("2026-09-03T08:01", "好的", "assistant"),
)


class Fake:
    """A source that gives, hangs or fails, as told."""

    def __init__(
        self, source: str, items: list[TimelineItem] | None = None, error: Exception | None = None, hang: float = 0
    ) -> None:
        self.source, self.items, self.error, self.hang = source, items or [], error, hang
        self.cancelled = False

    async def search(self, ctx: Any) -> Items:
        try:
            await anyio.sleep(self.hang)
        except anyio.get_cancelled_exc_class():
            self.cancelled = True
            raise
        if self.error is not None:
            raise self.error
        return Items(self.items)

    async def check(self) -> str:
        if self.error is not None:
            raise self.error
        return "fake"

    async def close(self) -> None:
        return None


def item(n: int, day: int = 2, **more: Any) -> TimelineItem:
    fields: dict[str, Any] = {"source": "chat", "source_ref": f"chat:message:{n}", "type": "message", "title": f"t{n}", "content": f"第{n}件不同的事{n * 7919}",
                              "observed_time": NOW.replace(day=day), "importance": 0.9, "confidence": 0.95}  # fmt: skip
    return TimelineItem(**(fields | more))


async def test_the_shape_of_an_answer(serve: Any, settings: Any) -> None:
    """Both groups, the range, the stats and the plan, each with exactly the fields that are promised."""
    async with serve(settings) as client:
        await client.post("/add", json=LIFE)
        answer = (await client.post(QUERY, json=ASK)).json()
    assert list(answer) == ["query_type", "temporal_mode", "time_range", "groups", "items", "stats", "plan"]
    assert answer["time_range"] == {"start": "2026-08-31T00:00:00+08:00", "end": "2026-09-07T00:00:00+08:00"}
    assert [group["label"] for group in answer["groups"]] == ["occurred_in_range", "mentioned_or_planned"]
    assert answer["items"] == []
    occurred, rest = ([i["source_ref"].rpartition(":")[2] for i in group["items"]] for group in answer["groups"])
    assert set(occurred) == {"2", "3"}
    assert set(rest) == {"0", "4"}
    first = answer["groups"][0]["items"][0]
    assert set(first) == {"timeline_item_id", "source", "type", "event_time", "event_end", "event_grain", "observed_time", "title", "content", "importance",
                          "confidence", "recall_score", "tier", "source_ref", "status", "merged_from"}  # fmt: skip
    assert set(answer["stats"]) == {
        "sources_queried",
        "raw_count",
        "deduped_count",
        "returned_count",
        "dropped_count",
        "elapsed_ms",
        "partial",
        "sources",
        "nearest",
    }


async def test_a_plan_can_be_asked_for_edited_and_sent_back(serve: Any, settings: Any) -> None:
    """POST /plan answers the plan itself; sent to /query it gives what the question gives, and an edit is obeyed."""
    async with serve(settings) as client:
        await client.post("/add", json=LIFE)
        plan = (await client.post("/v1/temporal-recall/plan", json=ASK)).json()
        whole = (await client.post(QUERY, json={"plan": plan})).json()
        asked = (await client.post(QUERY, json=ASK)).json()
        assert whole["plan"] == plan == asked["plan"]
        assert items_of(whole) == items_of(asked)
        plan["temporal_mode"] = "OCCURRED_IN"
        edited = (await client.post(QUERY, json={"plan": plan})).json()
    assert edited["groups"] == []
    assert {i["source_ref"].rpartition(":")[2] for i in edited["items"]} == {"2", "3"}


async def test_a_topic_without_a_time_is_looked_for_in_all_of_a_life(serve: Any, settings: Any) -> None:
    """The horizon is where a source without an index stops; the store is searched whole, unless the plan is edited."""
    async with serve(settings) as client:
        await client.post("/add", json=batch("old", ("1988-05-01T10:00", "在青岛学会了游泳"), ("2026-09-01T10:00", "交了房租")))
        ask = ASK | {"query": "我在哪里学会了游泳"}
        whole = items_of((await client.post(QUERY, json=ask)).json())
        plan = (await client.post("/v1/temporal-recall/plan", json=ask)).json()
        for retrieval in plan["retrievals"]:
            retrieval["observed"]["start"] = "2020-01-01T00:00:00+08:00"
        edited = items_of((await client.post(QUERY, json={"plan": plan})).json())
    assert [item["title"] for item in whole] == ["在青岛学会了游泳"]
    assert edited == []


async def test_the_same_record_has_the_same_id(serve: Any, settings: Any) -> None:
    """timeline_item_id is stable over calls and questions."""
    async with serve(settings) as client:
        await client.post("/add", json=LIFE)
        one = {i["source_ref"]: i["timeline_item_id"] for i in items_of((await client.post(QUERY, json=ASK)).json())}
        two = {
            i["source_ref"]: i["timeline_item_id"]
            for i in items_of((await client.post(QUERY, json=ASK | {"query": "昨天和前天做了什么"})).json())
        }
    assert one.keys() & two.keys()
    assert all(one[ref] == two[ref] for ref in one.keys() & two.keys())


async def test_explain_and_dropped(serve: Any, settings: Any) -> None:
    """explain gives the five factors, whose product is the score; include_dropped names what fell and by which factor."""
    async with serve(settings) as client:
        await client.post("/add", json=LIFE)
        answer = (await client.post(QUERY, json=ASK | {"explain": True, "include_dropped": True})).json()
    for row in items_of(answer):
        product = 1.0
        for factor in ("source_quality", "temporal_match", "semantic_match", "importance", "confidence"):
            product *= row["score"][factor]
        assert abs(product - row["recall_score"]) < 0.001
    assert {row["dropped_by"] for row in answer["dropped"]} <= {
        "temporal_match",
        "importance",
        "semantic_match",
        "confidence",
        "source_quality",
        "limit",
    }
    assert answer["stats"]["dropped_count"] == len(answer["dropped"])


async def test_what_cannot_reach_the_answer_changes_nothing(serve: Any, settings: Any) -> None:
    """A source leaves out what could not be in the answer: the same items and counts as when all that fell is asked for."""
    said = [
        (f"2026-08-{25 + n // 20}T{8 + n % 12:02d}:{n % 7:02d}", f"租房合同第{n}页" if n % 4 == 0 else f"合同之外的第{n}件小事")
        for n in range(120)
    ]
    moved = ("2026-08-31T10:00", "租房合同改到周六签，房东说的")
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", *said, ("2026-08-30T10:00", "周五去签租房合同"), moved))
        for query in ("上周聊了什么租房合同", "关于租房合同提到过什么", "when did we talk about 租房合同"):
            ask = ASK | {"query": query, "limit": 200}
            plain = (await client.post(QUERY, json=ask)).json()
            whole = (await client.post(QUERY, json=ask | {"include_dropped": True})).json()
            assert items_of(plain) == items_of(whole) != []
            for name in ("raw_count", "returned_count", "deduped_count", "dropped_count"):
                assert plain["stats"][name] == whole["stats"][name], (query, name)
            assert whole["dropped"]


async def test_what_is_judged_unread_is_what_would_be_answered(serve: Any, settings: Any) -> None:
    """In every mode and order, with room for few or for all: the items are those that an answer gives which looks at everything."""
    day = dt.datetime(2026, 8, 24, 9)
    names = ["安娜", "小李", "王老师", "房东", "老周", "Bea", "Tom", "Carla", "客户", "教练"]
    deeds = (
        "和{}签了{}号合同", "周五和{}谈{}号合同", "{}的{}号合同下周一要交", "和{}的{}号合同取消了", "{}说{}号合同改到周六", "{}的{}号预算批了吗",
        "lunch with {} on Friday about contract {}", "contract {1} with {0} is due on September 8", "周三见{}，周四交{}号合同", "没有和{}谈{}号合同",
    )  # fmt: skip
    told = [
        ((day + dt.timedelta(hours=n)).isoformat(timespec="minutes"), deeds[n % 10].format(names[n * 7 % 10], 100 + n))
        for n in range(180)
    ]
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", *told))
        for query in (
            "上周签了什么合同", "这周有什么安排", "下周有什么要交的", "上周聊了什么合同", "最近的合同", "最早的合同是哪天谈的", "what contracts are due",
            "what happened last week", "which contracts did we discuss last", "上周五本来打算做什么", "合同", "有哪些会议", "昨天建了什么",
        ):  # fmt: skip
            for limit in (3, 20, 200):
                ask = ASK | {"query": query, "limit": limit}
                plain = (await client.post(QUERY, json=ask)).json()
                whole = (await client.post(QUERY, json=ask | {"include_dropped": True})).json()
                for found, all_found in zip(items_of(plain), items_of(whole), strict=True):
                    assert found | {"merged_from": 0} == all_found | {"merged_from": 0}, (query, limit)


async def test_what_was_moved_or_done_is_no_longer_to_be_done(serve: Any, settings: Any) -> None:
    """Asked for what is ahead, without a topic: a plan that a later word moved elsewhere, called off or tells to be done is not in the
    answer. What is done of a part of it, or of something else, leaves it.
    """
    told = [
        ("2026-08-29T09:00", "下周五和安娜吃饭"), ("2026-09-01T09:00", "和安娜的饭改到周六"), ("2026-08-29T10:00", "下周五交季度报告"),
        ("2026-09-02T10:00", "季度报告已经交了"), ("2026-08-29T11:00", "周五前交年度总结"), ("2026-09-02T11:00", "年度总结的第一章交了"),
        ("2026-08-29T12:00", "need to send the slides to Ana by Friday"), ("2026-09-01T12:00", "sent the slides to Ana"),
        ("2026-08-30T10:00", "周五晚上健身"), ("2026-08-29T13:00", "9月4日看牙"), ("2026-09-02T13:00", "4号看牙取消了"),
    ]  # fmt: skip
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", *told))

        async def titles(query: str) -> set[str]:
            answer = (await client.post(QUERY, json=ASK | {"query": query})).json()
            return {item["title"] for item in items_of(answer) if item["status"] != "cancelled"}

        assert await titles("周五有什么安排") == {"周五前交年度总结", "周五晚上健身"}
        assert await titles("还有什么没做完的") == {"周五前交年度总结", "周五晚上健身", "和安娜的饭改到周六"}
        assert await titles("what's due this week") == {"周五前交年度总结"}


async def test_what_is_over_is_told_beside_what_is_to_come(serve: Any, settings: Any) -> None:
    """A message that tells what was just done and what comes next answers for today and for then, each by its part."""
    told = [
        ("2026-09-03T16:30", "刚和王总复盘完，下个月再看一次"),
        ("2026-09-03T18:00", "Finished the draft, sending it Monday"),
    ]
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", *told))

        async def titles(query: str) -> set[str]:
            return {item["title"] for item in items_of((await client.post(QUERY, json=ASK | {"query": query})).json())}

        assert await titles("我今天做了什么") == {"刚和王总复盘完", "Finished the draft"}
        assert await titles("下个月有什么安排") == {"下个月再看一次"}
        assert await titles("what's planned for next Monday") == {"sending it Monday"}


async def test_many_copies_leave_room_for_others(serve: Any, settings: Any) -> None:
    """Where the first that are read say the same, the rest is read as well; a source that is not the store's is asked once."""
    copies = [(f"2026-09-01T{10 + n // 60:02d}:{n % 60:02d}", "记得周五把护照交给签证处，非常重要") for n in range(90)]
    others = [(f"2026-09-01T{14 + n // 60:02d}:{n % 60:02d}", f"周五和{name}喝茶") for n, name in enumerate("甲乙丙丁戊己")]
    asked = 0

    class Counting(Fake):
        async def search(self, ctx: Any) -> Any:
            nonlocal asked
            asked += 1
            return await super().search(ctx)

    store = Store(settings.database_url.get_secret_value())
    sources = {"chat": StoreChat(store), "notes": Counting("notes", [])}
    async with serve(settings, sources) as client:
        await client.post("/add", json=batch("r1", *copies, *others))
        answer = (
            await client.post(QUERY, json=ASK | {"query": "这周五有什么安排", "limit": 5, "sources": ["chat", "notes"]})
        ).json()
    await store.close()
    assert answer["stats"]["returned_count"] == 5
    assert len(items_of(answer)[0]["merged_from"]) == 89
    assert asked == 1


async def test_a_crowded_time_hides_nothing(serve: Any, settings: Any) -> None:
    """Of many more messages of a time than a source may give, what weighs most is in the answer, however much came behind it."""
    filler = [(f"2026-09-01T{10 + n // 60:02d}:{n % 60:02d}", f"第{n}个人在群里说今天的天气") for n in range(300)]
    plans = [(f"2026-08-31T{10 + n // 60:02d}:{n % 60:02d}", f"周五和第{n}号客户开会") for n in range(250)]
    off = [(f"2026-09-02T{10 + n // 60:02d}:{n % 60:02d}", f"9月4日和第{n}号商户的会取消了") for n in range(260)]
    weighty = ("2026-09-01T09:00", "记得！非常重要：今天必须把护照交给签证处，千万别忘")
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", weighty, *filler))
        await client.post("/add", json=batch("r2", ("2026-08-20T09:00", "9月4日和房东开会"), *plans))
        await client.post("/add", json=batch("r3", *off))
        answer = (await client.post(QUERY, json=ASK | {"query": "9月1日有什么重要的事", "limit": 5})).json()
        assert items_of(answer)[0]["title"].startswith("记得")
        answer = (await client.post(QUERY, json=ASK | {"query": "这周五有什么安排", "limit": 200})).json()
        whole = (
            await client.post(QUERY, json=ASK | {"query": "这周五有什么安排", "limit": 200, "include_dropped": True})
        ).json()
    assert [item["recall_score"] for item in items_of(whole)[:50]] == [item["recall_score"] for item in items_of(answer)[:50]]
    live = [item for item in items_of(answer) if item["status"] == "planned"]
    assert len(live) >= 100
    assert "9月4日和房东开会" in {item["title"] for item in live}
    assert answer["stats"]["sources"][0]["truncated"]


async def test_what_happens_then_takes_no_room_of_what_was_told_then(serve: Any, settings: Any) -> None:
    """Asked what was said in a week, the many plans for that week that were told before it are not looked at."""
    plans = [(f"2026-08-{1 + n // 20:02d}T{8 + n % 12:02d}:{n % 7:02d}", f"8月27日签第{n}份租房合同") for n in range(260)]
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2026-08-28T10:00", "房东聊了租房合同的押金和很多别的事情"), *plans))
        for query in ("上周聊了什么租房合同", "上周聊了什么"):
            answer = (await client.post(QUERY, json=ASK | {"query": query})).json()
            assert [item["title"] for item in items_of(answer)] == ["房东聊了租房合同的押金和很多别的事情"]
            assert answer["stats"]["raw_count"] == 1


async def test_limit_counts_over_both_groups(serve: Any, settings: Any) -> None:
    """The best `limit` items are returned, whichever group they are in."""
    async with serve(settings, {"chat": Fake("chat", [item(n) for n in range(30)])}) as client:
        answer = (await client.post(QUERY, json=ASK | {"limit": 7})).json()
    assert len(items_of(answer)) == answer["stats"]["returned_count"] == 7
    assert answer["stats"]["raw_count"] == 30


async def test_nothing_in_range_is_said_honestly(serve: Any, settings: Any) -> None:
    """An empty range gives no neighbours' items, but the nearest times before and after."""
    async with serve(settings) as client:
        await client.post("/add", json=LIFE)
        answer = (await client.post(QUERY, json=ASK | {"query": "8月30日发生了什么"})).json()
    assert items_of(answer) == []
    assert answer["stats"]["nearest"]["after"].startswith("2026-09-01")


async def test_the_nearest_is_known_from_the_whole_history(serve: Any, settings: Any) -> None:
    """Nothing then: the times before and after come from all that is stored, and with a topic from what is about it."""
    async with serve(settings) as client:
        told = [
            ("2024-03-05T10:00", "和安娜签了租房合同"),
            ("2025-01-10T10:00", "去健身房跑步"),
            ("2025-06-01T09:00", "看了科幻电影"),
        ]
        for n, message in enumerate(told):
            await client.post("/add", json=batch(f"r{n}", message))
        plain = (await client.post(QUERY, json=ASK | {"query": "2024年8月发生了什么"})).json()
        topic = (await client.post(QUERY, json=ASK | {"query": "2024年8月签了什么租房合同"})).json()
    assert items_of(plain) == items_of(topic) == []
    assert [plain["stats"]["nearest"][side][:10] for side in ("before", "after")] == ["2024-03-05", "2025-01-10"]
    assert topic["stats"]["nearest"]["before"].startswith("2024-03-05")
    assert topic["stats"]["nearest"]["after"] is None


@pytest.mark.parametrize(
    ("told", "query"),
    [
        ((("2026-08-10T10:00", "跟小李去游泳馆游泳"), ("2026-08-20T10:00", "看了科幻电影")), "8月20日去游泳了吗"),
        (
            (("2026-08-10T10:00", "Went sailing with Bea"), ("2026-08-20T10:00", "Fixed the printer")),
            "did I go sailing on August 20?",
        ),
        ((("2026-08-10T10:00", "房东要涨房租"), ("2026-08-20T10:00", "王敏要开花店")), "8月20日说了什么关于房租的事"),
    ],
)
async def test_what_is_told_at_another_time_only_is_no_answer(
    serve: Any, settings: Any, told: tuple[tuple[str, str], ...], query: str
) -> None:
    """What else was told then does not answer for a thing that is spoken of at another time; the nearest time is told."""
    async with serve(settings) as client:
        for n, message in enumerate(told):
            await client.post("/add", json=batch(f"r{n}", message))
        answer = (await client.post(QUERY, json=ASK | {"query": query})).json()
    assert items_of(answer) == []
    assert answer["stats"]["nearest"]["before"].startswith("2026-08-10")


@pytest.mark.parametrize(
    ("plan", "correction", "day", "topic"),
    [
        ("8月20号下午给客户做演示", "给客户的演示取消了，等九月再说", "8月20日发生了什么", "8月20日的客户演示办了吗"),
        ("Pottery class with Bea on August 20", "Pottery class with Bea is cancelled", "what happened on August 20",
         "did I go to the pottery class on August 20"),
    ],
)  # fmt: skip
async def test_what_was_called_off_long_before_did_not_happen(
    serve: Any, settings: Any, plan: str, correction: str, day: str, topic: str
) -> None:
    """A plan called off before its day is not told as what happened on it; who asks for the thing itself hears that it was off."""
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2026-08-01T10:00", plan)))
        await client.post("/add", json=batch("r2", ("2026-08-05T10:00", correction)))
        happened = (await client.post(QUERY, json=ASK | {"query": day})).json()
        asked = (await client.post(QUERY, json=ASK | {"query": topic})).json()
    assert items_of(happened) == []
    (only,) = items_of(asked)
    assert (only["content"], only["status"]) == (correction, "cancelled")
    assert only["event_time"].startswith("2026-08-20")


@pytest.mark.parametrize("query", ["上周你答应了什么", "what did you promise last week"])
async def test_asked_what_the_assistant_said_its_words_come_first(serve: Any, settings: Any, query: str) -> None:
    """Without a topic too, the side of the chat that is asked for comes before the other."""
    told = [
        ("2026-08-26T10:00", "I signed the contract for the flat", "user"),
        ("2026-08-27T10:00", "好的，我帮你整理一份攻略", "assistant"),
        ("2026-08-28T10:00", "今天正式入职了", "user"),
    ]
    async with serve(settings) as client:
        for n, message in enumerate(told):
            await client.post("/add", json=batch(f"r{n}", message))
        answer = (await client.post(QUERY, json=ASK | {"query": query})).json()
    assert items_of(answer)[0]["content"] == told[1][1]


@both_databases
async def test_what_came_after_takes_no_room(serve: Any, settings: Any) -> None:
    """However much was said since, a day is answered with what it held, and is never called empty."""
    said = [(f"2026-09-01T10:{n:02d}", f"第{n}件事办完了") for n in range(30)]
    since = [(f"2026-09-{2 + n // 700:02d}T{n // 60 % 12:02d}:{n % 60:02d}", f"后来的第{n}句") for n in range(1400)]
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", *said, *since))
        for query in ("9月1日发生了什么", "前天", "what happened on September 1st?", "9月1日聊了什么"):
            answer = (await client.post(QUERY, json=ASK | {"query": query, "limit": 200})).json()
            found = items_of(answer)
            assert {f"第{n}件事办完了" for n in range(30)} == {i["content"] for i in found}, (query, len(found))
            assert answer["stats"]["nearest"] is None


async def test_info(serve: Any, settings: Any) -> None:
    """Discovery needs no token, stands under both prefixes and tells the truth."""
    async with serve(settings, token=None) as client:
        for prefix in ("/v1", "/api/v1"):
            info = (await client.get(f"{prefix}/temporal-recall/info")).json()
            supported, planned = info["supported_sources"], info["planned_sources"]
            assert supported[0] == "meinput" and set(supported) == set(adapters.registry())
            promised = {"meinput", "chat", "calendar", "memory_v2", "email", "browser", "tasks"}
            assert set(supported).isdisjoint(planned) and promised <= {*supported, *planned}
            assert info["temporal_modes"] == ["OCCURRED_IN", "MENTIONED_IN", "PLANNED_IN", "CREATED_IN", "DUE_IN", "AMBIGUOUS"]
            assert (info["schema_version"], info["default_limit"], info["max_limit"]) == (1, 50, 200)
            assert info["configured_sources"] == ["chat"]


@pytest.mark.parametrize("prefix", ["/v1", "/api/v1"])
async def test_the_routes_stand_under_both_prefixes(serve: Any, settings: Any, prefix: str) -> None:
    """The portal mounts the service at /api."""
    async with serve(settings) as client:
        assert (await client.post(f"{prefix}/temporal-recall/query", json=ASK)).status_code == 200
        assert (await client.post(f"{prefix}/temporal-recall/plan", json=ASK)).status_code == 200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"limit": 0}, "limit"), ({"limit": 201}, "limit"), ({"limit": "50"}, "limit"), ({"limit": True}, "limit"), ({"limit": 5.0}, "limit"), ({"limit": None}, "limit"),
        ({"now": "2026-09-03T22:00:00"}, "now"), ({"now": 0}, "now"), ({"now": "0"}, "now"), ({"now": True}, "now"), ({"now": "gestern"}, "now"),
        ({"query": ""}, "query"), ({"query": " \n"}, "query"), ({"query": 7}, "query"), ({"user_id": " "}, "user_id"), ({"user_id": 7}, "user_id"), ({"user_id": None}, "user_id"),
        ({"temporal_mode": "WHENEVER"}, "temporal_mode"), ({"sources": ["nowhere"]}, "sources.0"), ({"sources": []}, "sources"), ({"timezone": "Mars"}, "timezone"),
        ({"explain": "yes"}, "explain"), ({"plan": {}}, "plan.query"), ({"query": None}, "query"),
        ({"query": "\x1f"}, "query"), ({"user_id": "\x1c\x1f"}, "user_id"), ({"user_id": "a\x00"}, "user_id"), ({"user_id": "a" * 513}, "user_id"),
        ({"now": "0001-01-01T00:00:00Z"}, "now"), ({"now": "9999-12-31T23:59:59-12:00"}, "now"), ({"now": "2026-02-29T00:00:00Z"}, "now"),
        ({"limit": 10**30}, "limit"), ({"sources": ["chat"] * 65}, "sources"), ({"timezone": "+24:00"}, "timezone"), ({"timezone": "../UTC"}, "timezone"),
    ],
)  # fmt: skip
async def test_400_names_the_field(serve: Any, settings: Any, change: dict[str, Any], field: str) -> None:
    """A bad request is invalid_plan with the fields at fault; nothing is converted silently."""
    async with serve(settings) as client:
        answer = await client.post(QUERY, json=ASK | change)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["code"] == "invalid_plan"
    assert field in [entry["field"] for entry in error["fields"]], error


async def test_400_names_the_field_in_a_plan(serve: Any, settings: Any) -> None:
    """A field of the plan is named by its path."""
    async with serve(settings) as client:
        plan = (await client.post("/v1/temporal-recall/plan", json=ASK)).json()
        plan["time"]["end"] = "2026-01-01"
        plan["retrievals"][0]["source"] = "nowhere"
        first = (await client.post(QUERY, json={"plan": plan})).json()["error"]["fields"]
        assert [entry["field"] for entry in first] == ["plan.time.end"]
        plan["time"]["end"] = "2026-10-01T00:00:00+08:00"
        second = (await client.post(QUERY, json={"plan": plan})).json()["error"]["fields"]
        assert [entry["field"] for entry in second] == ["plan.retrievals.0"]
        plan["retrievals"][0]["observed"]["end"] = plan["retrievals"][0]["observed"]["start"]
        plan["time"]["end"] = "9999-12-31T23:59:59Z"  # no time in the asker's zone
        third = (await client.post(QUERY, json={"plan": plan})).json()["error"]["fields"]
        assert [entry["field"] for entry in third] == ["plan.time.end", "plan.retrievals.0.observed.end"]
        both = (
            await client.post(QUERY, json=ASK | {"plan": (await client.post("/v1/temporal-recall/plan", json=ASK)).json()})
        ).json()
        assert [entry["field"] for entry in both["error"]["fields"]] == ["query"]


@pytest.mark.parametrize(
    ("zone", "query"),
    [("Asia/Shanghai", "1900年发生了什么"), ("Europe/Amsterdam", "what happened in 1930?"), ("+05:45", "昨天")],
)
async def test_a_plan_of_local_mean_time_can_be_sent_back(serve: Any, settings: Any, zone: str, query: str) -> None:
    """Before there were time zones an offset had seconds."""
    async with serve(settings) as client:
        plan = (await client.post("/v1/temporal-recall/plan", json=ASK | {"query": query, "timezone": zone})).json()
        answer = await client.post(QUERY, json={"plan": plan})
        assert answer.status_code == 200, answer.text
        assert answer.json()["plan"] == plan
        assert answer.json()["time_range"]["start"] == plan["time"]["start"]


@pytest.mark.parametrize("now", ["0002-01-01T00:00:00+14:00", "9998-12-31T23:59:59-12:00", "1582-10-10T00:00:00Z"])
@pytest.mark.parametrize(
    "query", ["昨天", "10000 years ago", "in 3000 years", "next century", "医生", "周五之前", "since Monday"]
)
async def test_the_ends_of_the_calendar(serve: Any, settings: Any, now: str, query: str) -> None:
    """Whenever a question is asked and whatever time it names, it is answered, and its plan can be sent back."""
    async with serve(settings) as client:
        for mode in TemporalMode:
            answer = await client.post(QUERY, json=ASK | {"now": now, "query": query, "temporal_mode": mode})
            assert answer.status_code == 200, answer.text
            again = await client.post(QUERY, json={"plan": answer.json()["plan"]})
            assert again.json()["time_range"] == answer.json()["time_range"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"query": "\xff"}',
        b'{"query": "\\ud800", "user_id": "ada"}',
        b"[" * 100_000,
        b'{"limit": 1%s}' % (b"0" * 5000),
    ],
)
async def test_400_for_what_is_no_json_object(serve: Any, settings: Any, body: bytes) -> None:
    """Broken JSON, another type, bytes that are no text."""
    async with serve(settings) as client:
        answer = await client.post(QUERY, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "invalid_plan"
    assert answer.json()["error"]["fields"]


async def test_401(serve: Any, settings: Any) -> None:
    """No token or a wrong one: unauthenticated, with the scheme to use."""
    async with serve(settings, token=None) as client:
        for headers in (
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": "Token worker-token"},
            {"X-Api-Key": "worker-token"},
        ):
            answer = await client.post(QUERY, json=ASK, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthenticated")
            assert answer.headers["www-authenticate"] == "Bearer"


async def test_404_405(serve: Any, settings: Any) -> None:
    """Unknown addresses and wrong methods answer in the one error form."""
    async with serve(settings) as client:
        assert (await client.get("/nowhere")).json()["error"]["code"] == "not_found"
        wrong = await client.get(QUERY)
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")


async def test_413(serve: Any, settings: Any) -> None:
    """A body over the limit is refused, whether its length is declared or not."""

    async def chunks() -> Any:
        for _ in range(40):
            yield b"x" * 100_000

    async with serve(settings.model_copy(update={"max_body_bytes": 1_000_000})) as client:
        declared = await client.post(QUERY, content=b"x" * 1_000_001)
        streamed = await client.post(QUERY, content=chunks())
        door = await client.post("/add", content=b"x" * 1_000_001)
    assert declared.status_code == streamed.status_code == door.status_code == 413
    assert declared.json()["error"]["code"] == streamed.json()["error"]["code"] == "too_large"
    assert "reason" in door.json()["detail"]


async def test_429(serve: Any, settings: Any) -> None:
    """More requests at once than allowed: too_many_requests and when to come again; /health still answers."""
    slow = {"chat": Fake("chat", hang=0.5)}
    async with serve(settings.model_copy(update={"max_concurrent": 1}), slow) as client:
        answers: list[Any] = []

        async def ask() -> None:
            answers.append(await client.post(QUERY, json=ASK))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.sleep(0.1)
            group.start_soon(ask)
            assert (await client.get("/health")).status_code == 200
    refused, served = answers
    assert (refused.status_code, refused.json()["error"]["code"], refused.headers["retry-after"]) == (
        429,
        "too_many_requests",
        "1",
    )
    assert served.status_code == 200


async def test_500_hides_the_cause(serve: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug of ours is an internal error in the one form, without a traceback."""

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr("temporal_recall.recall.dedupe", broken)
    async with serve(settings) as client:
        answer = await client.post(QUERY, json=ASK)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "secret" not in answer.text


async def test_partial(serve: Any, settings: Any) -> None:
    """One source fails, another answers with nothing: 200, partial, and the failed one named with its cause."""
    sources = {"chat": Fake("chat"), "meinput": Fake("meinput", error=SourceUnavailable("the export is out of order (503)"))}
    async with serve(settings, sources) as client:
        answer = (await client.post(QUERY, json=ASK)).json()
    assert answer["stats"]["partial"] is True
    assert [(row["source"], row["status"]) for row in answer["stats"]["sources"]] == [
        ("chat", "ok"),
        ("meinput", "unavailable"),
    ]
    assert answer["stats"]["sources"][1]["message"] == "the export is out of order (503)"


async def test_a_planned_source_is_reported_and_the_others_answer(serve: Any, settings: Any) -> None:
    """A known source that is not there yet does not take the supported ones down."""
    async with serve(
        settings, {"chat": Fake("chat", [item(1)]), "meinput": Fake("meinput", [item(2, source="meinput", source_ref="m:2")])}
    ) as client:
        answer = (await client.post(QUERY, json=ASK | {"sources": ["calendar", "meinput", "chat"]})).json()
    assert len(items_of(answer)) == 2
    assert answer["stats"]["sources"][0]["status"] == "not_configured"
    assert answer["stats"]["sources_queried"] == ["meinput", "chat"]


@pytest.mark.parametrize(
    "error", [SourceError("refused"), SourceUnavailable("down"), ZeroDivisionError("a bug"), TimeoutError("not the deadline")]
)
async def test_503_when_every_source_failed(serve: Any, settings: Any, error: Exception) -> None:
    """All sources failed, be it by a bug of an adapter: source_unavailable, each named; a bug's text stays inside."""
    async with serve(settings, {"chat": Fake("chat", error=error)}) as client:
        answer = await client.post(QUERY, json=ASK)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "source_unavailable")
    assert answer.json()["error"]["fields"][0]["field"] == "sources.chat"
    assert "a bug" not in answer.text


async def test_503_when_a_required_source_failed(serve: Any, settings: Any) -> None:
    """A source that the plan requires decides, whatever the others have."""
    sources = {"chat": Fake("chat", [item(1)]), "meinput": Fake("meinput", error=SourceUnavailable("down"))}
    async with serve(settings, sources) as client:
        plan = (await client.post("/v1/temporal-recall/plan", json=ASK)).json()
        for retrieval in plan["retrievals"]:
            retrieval["required"] = retrieval["source"] == "meinput"
        answer = await client.post(QUERY, json={"plan": plan})
    assert (answer.status_code, [f["field"] for f in answer.json()["error"]["fields"]]) == (503, ["sources.meinput"])


async def test_one_source_hangs(serve: Any, settings: Any) -> None:
    """The answer comes at the deadline with the others' items; the slow one is cancelled and named; the next answer is quick."""
    slow = Fake("meinput", hang=60)
    quick = settings.model_copy(update={"timeout_seconds": 0.6})
    async with serve(quick, {"chat": Fake("chat", [item(1)]), "meinput": slow}) as client:
        began = anyio.current_time()
        answer = (await client.post(QUERY, json=ASK)).json()
        assert 0.5 < anyio.current_time() - began < 0.9
        assert slow.cancelled
        assert len(items_of(answer)) == 1
        assert (answer["stats"]["partial"], answer["stats"]["sources"][1]["status"]) == (True, "timeout")
        slow.hang = 0
        began = anyio.current_time()
        assert (await client.post(QUERY, json=ASK)).json()["stats"]["partial"] is False
        assert anyio.current_time() - began < 0.3


async def test_504_when_all_hang(serve: Any, settings: Any) -> None:
    """Every source ran out of time: recall_timeout, soon after the deadline."""
    async with serve(
        settings.model_copy(update={"timeout_seconds": 0.4}),
        {"chat": Fake("chat", hang=60), "meinput": Fake("meinput", hang=60)},
    ) as client:
        began = anyio.current_time()
        answer = await client.post(QUERY, json=ASK)
    assert anyio.current_time() - began < 0.8
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "recall_timeout")


async def test_one_odd_item_does_not_take_the_answer_down(serve: Any, settings: Any) -> None:
    """No times at all, empty text, odd characters, a time at the edge of the calendar: all are carried or dropped, none breaks."""
    edge = dt.datetime(9999, 12, 31, 23, tzinfo=dt.UTC)
    odd = [
        item(1), item(2, content="", title=""), item(3, observed_time=None), item(4, content="\x00\ud7ff🙂" * 50), item(5, event_time=edge, event_end=edge),
        item(6, importance=7.0), item(7, confidence=-1.0),
    ]  # fmt: skip
    async with serve(settings, {"chat": Fake("chat", odd)}) as client:
        answer = await client.post(QUERY, json=ASK)
    assert answer.status_code == 200
    assert any(row["source_ref"] == "chat:message:1" for row in items_of(answer.json()))


async def test_openapi_has_real_examples(serve: Any, settings: Any) -> None:
    """The document lists every route and error, and its examples are accepted by the service."""
    async with serve(settings) as client:
        document = (await client.get("/openapi.json")).json()
        assert {"/v1/temporal-recall/query", "/api/v1/temporal-recall/query", "/add", "/search", "/health", "/ready"} <= set(
            document["paths"]
        )
        operation = document["paths"][QUERY]["post"]
        assert {"200", "400", "401", "403", "413", "429", "503", "504"} <= set(operation["responses"])
        examples = operation["requestBody"]["content"]["application/json"]["examples"]
        assert {"中文", "English", "plan"} == set(examples)
        for example in examples.values():
            assert (await client.post(QUERY, json=example["value"])).status_code == 200, json.dumps(example)


async def test_ready_tells_which_source_is_not(serve: Any, settings: Any) -> None:
    """/ready is 200 when every source can be asked, else 503 with the one at fault."""
    async with serve(settings) as client:
        assert (await client.get("/ready")).json() == {"ready": True, "sources": {"chat": "ok"}}
    async with serve(settings, {"meinput": Fake("meinput", error=SourceUnavailable("down"))}) as client:
        answer = await client.get("/ready")
    assert (answer.status_code, answer.json()["sources"]) == (503, {"meinput": "unavailable"})


async def test_no_text_reaches_the_log(serve: Any, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    """At INFO the log holds modes, counts and milliseconds, and no one's life."""
    caplog.set_level("INFO")
    async with serve(settings) as client:
        await client.post("/add", json=LIFE)
        await client.post(QUERY, json=ASK)
        await client.post(QUERY, json=ASK | {"limit": 0})
    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("temporal_recall"))
    assert "mode=AMBIGUOUS" in ours
    for secret in ("重要", "合同", "ada", "worker-token"):
        assert secret not in ours


async def test_the_seeds_sample_item_scores_078(serve: Any, settings: Any) -> None:
    """A mention typed this week, importance 0.71, confidence 0.95, asked for by importance alone: 0.78, occurred in range."""
    typed = item(
        1,
        source="meinput",
        source_ref="meinput:segment:1",
        type="mention",
        title="MeInput 验证上屏",
        content="MeInput验证上屏",
        importance=0.71,
        confidence=0.95,
    )
    async with serve(settings, {"meinput": Fake("meinput", [typed])}) as client:
        answer = (await client.post(QUERY, json=ASK)).json()
    assert [i["recall_score"] for i in answer["groups"][0]["items"]] == [pytest.approx(0.78, abs=0.005)]
    assert answer["groups"][0]["items"][0]["tier"] == "primary"


async def test_a_day_is_the_askers_day(serve: Any, settings: Any) -> None:
    """Said at 00:19 in Shanghai, stored as 16:19 UTC the day before: it belongs to today and not to yesterday."""
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2026-09-02T16:19:00+00:00", "把方案的初稿写完发给客户了")))
        today = items_of((await client.post(QUERY, json=ASK | {"query": "今天做了什么"})).json())
        yesterday = items_of((await client.post(QUERY, json=ASK | {"query": "昨天做了什么"})).json())
    assert [i["observed_time"] for i in today] == ["2026-09-03T00:19:00+08:00"]
    assert yesterday == []


async def test_a_plan_said_in_june_is_found_for_september(serve: Any, settings: Any) -> None:
    """The event's time is indexed when it is written: the observed window of 90 days does not hide it, nor do newer messages."""
    chatter = [(f"2026-0{m}-{d:02d}T1{d % 10}:00", f"随便聊聊第{m}{d}次") for m in (6, 7, 8) for d in range(1, 28)]
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2026-05-20T10:00", "2026年9月25日晚上去看演唱会"), *chatter))
        answer = (await client.post(QUERY, json=ASK | {"query": "9月25日有什么安排"})).json()
    assert [i["title"] for i in items_of(answer)] == ["2026年9月25日晚上去看演唱会"]


async def test_what_crosses_midnight_belongs_to_both_days(serve: Any, settings: Any) -> None:
    """23:30 to 00:45 is found for either day, once each."""
    night = item(
        1,
        event_time=NOW.replace(day=1, hour=23, minute=30),
        event_end=NOW.replace(day=2, hour=0, minute=45),
        observed_time=NOW.replace(day=2),
        status="occurred",
    )
    async with serve(settings, {"chat": Fake("chat", [night])}) as client:
        for query in ("9月1日发生了什么", "9月2日发生了什么"):
            assert len(items_of((await client.post(QUERY, json=ASK | {"query": query})).json())) == 1
        assert items_of((await client.post(QUERY, json=ASK | {"query": "8月31日发生了什么"})).json()) == []


async def test_no_decay_inside_an_asked_range(serve: Any, settings: Any) -> None:
    """What happened 242 days ago is as good an answer for that day as yesterday's is for yesterday."""
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2026-01-04T20:00", "今天和团队一起签了新的办公室合同")))
        found = items_of((await client.post(QUERY, json=ASK | {"query": "2026年1月4日发生了什么"})).json())
    assert [i["tier"] for i in found] == ["primary"]


async def test_history_is_dated_by_itself_not_by_its_import(serve: Any, settings: Any) -> None:
    """A message of May 2023 added today happened, and was made, in May 2023."""
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2023-05-10T12:00", "今天搬进了新的公寓，签了一年合同")))
        for query, mode, count in (
            ("2023年5月发生了什么", "OCCURRED_IN", 1),
            ("2023年5月", "CREATED_IN", 1),
            ("2026年9月", "CREATED_IN", 0),
        ):
            answer = (await client.post(QUERY, json=ASK | {"query": query, "temporal_mode": mode})).json()
            assert len(items_of(answer)) == count, (query, mode)


async def test_a_message_without_a_time_is_counted_not_returned(serve: Any, settings: Any) -> None:
    """Undated messages are in no range; the stats say how many there are."""
    body = batch("r1", ("2026-09-02T10:00", "今天签了合同"))
    body["messages"].append({"role": "user", "content": "昨天传感器挂了"})
    async with serve(settings) as client:
        await client.post("/add", json=body)
        answer = (await client.post(QUERY, json=ASK)).json()
    assert len(items_of(answer)) == 1
    assert answer["stats"]["sources"][0]["undated"] == 1


async def test_a_correction_supersedes(serve: Any, settings: Any) -> None:
    """周五评审, two hours later 改到周六: one live item, Saturday's, with Friday's in merged_from."""
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2026-09-02T10:00", "周五评审"), ("2026-09-02T12:00", "周五评审改到周六")))
        answer = (await client.post(QUERY, json=ASK | {"query": "这周有什么安排"})).json()
    found = items_of(answer)
    assert [(i["event_time"][:10], i["merged_from"]) for i in found] == [("2026-09-05", ["chat:message:r1:0"])]


async def test_a_stored_instant_is_not_moved(serve: Any, settings: Any) -> None:
    """Made at 02:00 UTC: it belongs to that day in Shanghai, and goes out as the same instant."""
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", ("2025-07-25T02:00:00+00:00", "给新项目建了一个任务清单")))
        found = items_of(
            (await client.post(QUERY, json=ASK | {"query": "2025年7月25日", "temporal_mode": "CREATED_IN"})).json()
        )
        day_before = items_of(
            (await client.post(QUERY, json=ASK | {"query": "2025年7月24日", "temporal_mode": "CREATED_IN"})).json()
        )
    assert [i["observed_time"] for i in found] == ["2025-07-25T10:00:00+08:00"]
    assert day_before == []


async def test_a_relative_time_without_an_anchor_dates_nothing(serve: Any, settings: Any) -> None:
    """昨天 with a known moment is a day; without one there is no event time, less confidence, and never the import day."""
    body = batch("r1", ("2026-07-20T09:00", "昨天传感器挂了"))
    body["messages"].append({"role": "user", "content": "昨天水泵也挂了"})
    async with serve(settings) as client:
        await client.post("/add", json=body)
        answer = (
            await client.post(
                QUERY, json=ASK | {"query": "什么东西挂了", "temporal_mode": "OCCURRED_IN", "include_dropped": True}
            )
        ).json()
    rows = {row["source_ref"][-1]: row for row in [*items_of(answer), *answer["dropped"]]}
    assert (rows["0"]["event_time"], rows["0"]["event_grain"]) == ("2026-07-19T00:00:00+08:00", "day")
    assert (rows["1"]["event_time"], rows["1"]["observed_time"]) == (None, None)
    assert rows["1"]["confidence"] < rows["0"]["confidence"]


async def test_a_year_is_no_first_of_january(serve: Any, settings: Any) -> None:
    """An event known by its year keeps that precision, and is not beaten by a newer one that only has a finer date."""
    said = [("2026-03-02T10:00", "参加了2026年开源峰会并分享"), ("2026-08-24T10:00", "2026-08-24 改成浅色主题")]
    async with serve(settings) as client:
        await client.post("/add", json=batch("r1", *said))
        found = items_of(
            (await client.post(QUERY, json=ASK | {"query": "峰会分享", "now": "2026-08-30T22:00:00+08:00"})).json()
        )
    assert found[0]["content"] == said[0][1]
    assert (found[0]["event_grain"], found[0]["event_end"]) == ("year", "2027-01-01T00:00:00+08:00")


async def test_answers_in_the_order_of_time(serve: Any, settings: Any) -> None:
    """The five newest are the newest five, newest first; "in what order" is oldest first; ties keep their order on every run."""
    async with serve(settings) as client:
        said = [(f"2026-08-{day:02d}T10:00", f"和安娜讨论装修预算第{day}版") for day in range(1, 29)]
        other = ["去健身房跑步", "给妈妈打电话", "看了一部科幻电影", "修好了自行车", "weekly sync with the team", "买菜做饭"]
        said += [(f"2026-07-{day:02d}T10:00", other[day % 6]) for day in range(1, 29)]
        for n, message in enumerate(said):
            await client.post("/add", json=batch(f"r{n}", message))

        async def ask(query: str) -> list[str]:
            body = {"query": query, "user_id": "ada", "now": NOW.isoformat()}
            answers = [items_of((await client.post("/v1/temporal-recall/query", json=body)).json()) for _ in range(2)]
            assert [i["source_ref"] for i in answers[0]] == [i["source_ref"] for i in answers[1]]
            return [item["observed_time"][5:10] for item in answers[0]]

        assert await ask("最新的5条装修预算讨论") == ["08-28", "08-27", "08-26", "08-25", "08-24"]
        days = await ask("我们按时间顺序都讨论了哪些装修预算")
        assert len(days) > 5
        assert days == sorted(days)


async def test_every_event_of_a_message_is_found(serve: Any, settings: Any) -> None:
    """By the day of each, as an item of its own; by its words at its own time; and what calls one off leaves the others."""
    told = ("2026-09-03T10:00", "周六体检，下周一交报告，下周三晚上和老李吃饭")
    async with serve(settings) as client:

        async def ask(query: str, **more: Any) -> list[tuple[str, str]]:
            answer = (await client.post(QUERY, json=ASK | {"query": query, "now": NOW.isoformat()} | more)).json()
            assert len({item["timeline_item_id"] for item in items_of(answer)}) == len(items_of(answer))
            return [(item["title"], item["event_time"][:10]) for item in items_of(answer)]

        await client.post("/add", json=batch("r1", told, ("2026-09-03T10:01", "周六和周日都要早起")))
        assert ("周六体检", "2026-09-05") in await ask("周六有什么安排")
        assert ("下周一交报告", "2026-09-07") in await ask("下周一有什么安排")
        assert await ask("下周三有什么安排") == [("下周三晚上和老李吃饭", "2026-09-09")]
        assert {("下周一交报告", "2026-09-07"), ("下周三晚上和老李吃饭", "2026-09-09")} <= set(await ask("下周有什么安排"))
        assert ("下周一交报告", "2026-09-07") in await ask("什么时候交报告")
        assert await ask("9月3日我说了什么", temporal_mode="MENTIONED_IN") == [
            (told[1], "2026-09-05"),
            ("周六和周日都要早起", "2026-09-05"),
        ]
        await client.post("/add", json=batch("r2", ("2026-09-03T12:00", "下周三和老李的饭取消了")))
        found = (await client.post(QUERY, json=ASK | {"query": "下周有什么安排", "now": NOW.isoformat()})).json()
        states = {item["title"]: (item["status"], item["merged_from"]) for item in items_of(found)}
        assert states["下周一交报告"] == ("due", [])
        assert states["下周三和老李的饭取消了"] == ("cancelled", ["chat:message:r1:0"])
        assert "下周三晚上和老李吃饭" not in states
