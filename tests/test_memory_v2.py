"""memory_v2 against real servers of the four contracts on real sockets."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_servers import SECRET, Memory, System, addsearch, hybrid, iris, iris_error, memorax
from pydantic import SecretStr, ValidationError
from starlette.responses import JSONResponse, Response
from support import NOW, SHANGHAI, TOKEN, batch

from adapters import Items, SearchContext, SourceError, SourceTimeout, SourceUnavailable
from adapters._memory import DIALECTS
from adapters.memory_v2 import MemoryAccount, MemorySettings, MemoryV2
from planner import make_plan
from planner.modes import TemporalMode
from temporal_recall.api import create_app
from temporal_recall.sample import served
from temporal_recall.settings import Settings

pytestmark = pytest.mark.anyio
SERVERS = {"addsearch": addsearch, "memorax": memorax, "iris": iris, "hybrid": hybrid}
each_dialect = pytest.mark.parametrize("dialect", list(SERVERS))


def day(text: str) -> dt.datetime:
    moment = dt.datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=SHANGHAI)


def context(query: str = "这周", *, user: str = "ada", seconds: float = 5.0, mode: TemporalMode | None = None) -> SearchContext:
    plan = make_plan(query, user, NOW, None, mode)
    return SearchContext(
        user, plan.retrievals[0], plan.time, plan.temporal_mode, plan.expanded_queries, NOW,
        deadline=anyio.current_time() + seconds, query=query, time_spans=plan.time_spans,
    )  # fmt: skip


@asynccontextmanager
async def reading(
    dialect: str, system: System, single: bool = True, settings: Any = None, **account: Any
) -> AsyncIterator[MemoryV2]:
    app = SERVERS[dialect](system, **account.pop("server", {}))
    async with served(app) as url:
        fields = {"dialect": dialect, "url": url, "password": SecretStr(SECRET), **account}
        adapter = MemoryV2(MemorySettings(accounts=(MemoryAccount.model_validate(fields),), **(settings or {})), single)
        try:
            yield adapter
        finally:
            await adapter.close()


async def search(
    dialect: str, system: System, query: str = "这周", seconds: float = 5.0, mode: Any = None, **how: Any
) -> Items:
    async with reading(dialect, system, **how) as adapter:
        found = await adapter.search(context(query, seconds=seconds, mode=mode))
        assert isinstance(found, Items)
        return found


REVIEW = Memory("m1", "明天下午三点评审", day("2026-09-02T10:00"), importance=8.0, belief=0.6)


# --- what an item becomes -------------------------------------------------------------------------------------------------


@each_dialect
async def test_a_memory_becomes_an_item(dialect: str) -> None:
    """Its moment is the observed time, its text is read at that moment, its reference names the dialect and the record."""
    found = await search(dialect, System([REVIEW]))
    (item,) = found
    key = "1" if dialect == "iris" else "m1"
    assert (item.source, item.type, item.source_ref) == ("memory_v2", "memory", f"memory_v2:{dialect}:{key}")
    assert item.observed_time == day("2026-09-02T10:00")
    assert item.event_time == day("2026-09-03T15:00")
    assert item.status == "planned"
    assert item.content == REVIEW.text
    assert (found.undated, found.skipped, found.truncated, found.problems) == (0, 0, False, ())


async def test_importance_and_belief() -> None:
    """importance_score of 10 is the importance; a belief lowers the confidence; without them the text's reading stands."""
    plain = (await search("addsearch", System([REVIEW])))[0]
    assert (await search("hybrid", System([REVIEW])))[0].importance == 0.8
    believed = (await search("iris", System([REVIEW])))[0]
    assert believed.confidence == pytest.approx(plain.confidence * 0.6, abs=1e-4)
    assert believed.importance == plain.importance


@pytest.mark.parametrize("dialect", ["addsearch", "memorax", "hybrid"])
async def test_a_similarity_is_the_relevance(dialect: str) -> None:
    """Where the topic's words are not met, the system's own similarity speaks; where they are, they do; without a topic nothing."""
    far = Memory("m1", "周三看牙", day("2026-09-02T10:00"), similar=0.7)
    near = Memory("m2", "预算评审通过了", day("2026-09-02T11:00"), similar=0.1)
    found = {item.content: item.relevance for item in await search(dialect, System([far, near]), "这周评审怎么样了")}
    assert found == {"周三看牙": 0.7, "预算评审通过了": 1.0}
    assert {item.relevance for item in await search(dialect, System([far, near]))} == {None}


async def test_scores_of_another_scale_are_no_similarities() -> None:
    """One score beyond 1 shows that all of an Add/Search answer only order it."""
    memories = [
        Memory("m1", "周三看牙", day("2026-09-02T10:00"), similar=12.5),
        Memory("m2", "取药", day("2026-09-02T11:00"), similar=0.4),
    ]
    found = await search("addsearch", System(memories), "这周评审怎么样了")
    assert {item.relevance for item in found} == {None}


async def test_told_long_before_it_was_imported() -> None:
    """What was said in May and imported in August was observed in May; only CREATED_IN asks for the record's own making."""
    old = Memory("m1", "今天和房东谈了租约", day("2026-08-21T09:00"), said=day("2025-05-10T20:00"))
    for dialect in ("memorax", "iris"):
        (item,) = await search(dialect, System([old]), "2025年5月")
        assert (item.observed_time, item.event_time) == (day("2025-05-10T20:00"), day("2025-05-10T00:00"))
    assert list(await search("memorax", System([old]), "2025年5月", mode=TemporalMode.CREATED_IN)) == []
    (made,) = await search("memorax", System([old]), "2026年8月", mode=TemporalMode.CREATED_IN)
    assert made.observed_time == day("2026-08-21T09:00")
    assert made.event_time == day("2025-05-10T00:00")


@pytest.mark.parametrize("dialect", ["addsearch", "iris", "hybrid"])
async def test_without_a_moment(dialect: str) -> None:
    """A full date in the text dates it; a relative one does not; without either it counts only if no time is asked."""
    memories = [
        Memory("m1", "2026年9月2日签了合同", None),
        Memory("m2", "明天评审", None),
        Memory("m3", "咖啡不加糖", None, seen=False),
    ]
    found = await search(dialect, System(memories))
    assert [(item.content, item.observed_time, item.event_time) for item in found] == [
        ("2026年9月2日签了合同", None, day("2026-09-02T00:00"))
    ]
    assert found.undated == 2
    assert "咖啡不加糖" in [item.content for item in await search(dialect, System(memories), "咖啡要不要加糖")]


async def test_hidden_sources_have_no_time() -> None:
    """A source that Iris may not show has null for its time; another source of the same memory dates it."""
    hidden = Memory("m1", "和Anna吃了饭", day("2026-09-02T19:00"), seen=False)
    found = await search("iris", System([hidden]))
    assert (list(found), found.undated) == ([], 1)
    row = {"id": 5, "text": "和Anna吃了饭", "sources": [{"occurred_at": None}, {"occurred_at": "2026-09-02T19:00:00+08:00"}]}
    assert (await search("iris", System([], more=[row])))[0].observed_time == day("2026-09-02T19:00")


async def test_related_is_not_read() -> None:
    """What never matched the query is no answer to it."""
    assert list(await search("hybrid", System([]))) == []


async def test_fields_may_be_renamed() -> None:
    """An account tells what its system calls a field, by a dotted name."""
    row = {"id": 5, "content": "签了合同", "trust": {"level": 0.5}, "when": "2026-09-02T10:00:00+08:00"}
    fields = {"text": "content", "belief": "trust.level", "created": "when"}
    (item,) = await search("iris", System([], more=[row]), fields=fields)
    assert (item.content, item.observed_time) == ("签了合同", day("2026-09-02T10:00"))
    assert item.confidence < 0.5


# --- what is sent ---------------------------------------------------------------------------------------------------------


async def test_the_texts_that_are_asked() -> None:
    """Topic, question, the question with its time in days; without a topic the question and its dated form; never more than QUERIES."""
    system = System([])
    await search("addsearch", system, "上周五评审说了什么")
    assert {body["query"] for body in system.asked} == {"评审", "上周五评审说了什么", "2026-08-28 评审说了什么"}
    assert {(body["top_k"], body["user_id"]) for body in system.asked} == {(100, "ada")}
    system.asked.clear()
    await search("addsearch", system, "这周")
    assert {body["query"] for body in system.asked} == {"这周", "2026-08-31 - 2026-09-06"}
    system.asked.clear()
    await search("addsearch", system, "上周五评审说了什么", settings={"queries": 1})
    assert [body["query"] for body in system.asked] == ["评审"]


async def test_memorax_is_asked_by_time() -> None:
    """The window filters created_at; one request more leaves its end open, for what was imported later; the user's words are cut to 1,024."""
    system = System([])
    await search("memorax", system, "上周五聊了什么" + "很长" * 900)
    windows = [body["filters"]["and"][0]["created_at"] for body in system.asked]
    shut = {"gte": "2026-08-27T16:00:00Z", "lt": "2026-08-28T16:00:00Z"}
    assert windows.count(shut) == 3
    assert windows.count({"gte": "2026-08-27T16:00:00Z"}) == 1
    assert max(len(body["query"]) for body in system.asked) == 1024


async def test_iris_is_asked_by_time() -> None:
    """Both windows are spanned, since what time_from filters is not said; an entry is asked for where the account names one."""
    system = System([])
    await search("iris", system, "下周有什么安排", entry="chat:main")
    assert {(body["time_from"], body["time_to"], body["entry_id"], body["limit"]) for body in system.asked} == {
        ("2026-06-08T16:00:00Z", "2026-09-13T16:00:00Z", "chat:main", 100)
    }


async def test_the_hybrid_weights() -> None:
    """A topic is looked for without regard to recency; without a topic all three count. Partitions and tags are the account's."""
    system = System([])
    await search("hybrid", system, "这周评审怎么样了", partitions=["mem_semantic"], tags=["工作"])
    body = system.asked[0]
    assert (body["weight_recency"], body["weight_importance"], body["weight_relevance"]) == (0.0, 0.0, 1.0)
    assert (body["partition_ids"], body["tags"]) == (["mem_semantic"], ["工作"])
    await search("hybrid", system)
    assert system.asked[-1]["weight_recency"] == 1.0


@pytest.mark.parametrize(("auth", "header", "scheme"), [
    ("bearer", "authorization", "Bearer "), ("token", "authorization", "Token "), ("x-api-key", "x-api-key", ""),
])  # fmt: skip
async def test_three_ways_to_show_the_secret(auth: str, header: str, scheme: str) -> None:
    """Add/Search systems take a Bearer, a Token or an X-Api-Key."""
    system = System([REVIEW])
    found = await search("addsearch", system, auth=auth, server={"header": header, "scheme": scheme})
    assert len(found) == 1


async def test_each_record_once() -> None:
    """Several texts find the same record: it is one item."""
    memories = [Memory(f"m{n}", f"第{n}次评审", day("2026-09-02T10:00")) for n in range(5)]
    system = System(memories)
    found = await search("addsearch", system, "这周的评审")
    assert len(system.asked) > 1
    assert len({item.source_ref for item in found}) == len(found) == 5


@each_dialect
async def test_a_full_answer_is_told(dialect: str) -> None:
    """There are no pages: an answer that holds as many as were asked for may have left some out."""
    memories = [Memory(f"m{n}", f"第{n}次评审", day("2026-09-02T10:00")) for n in range(120)]
    found = await search(dialect, System(memories), settings={"queries": 1})
    assert len(found) == 100
    assert found.truncated


# --- who is asked ---------------------------------------------------------------------------------------------------------


async def test_whose_memories() -> None:
    """A system that tells people apart is asked for the asker; one that does not belongs to its account's user, or to the single one."""
    theirs = [
        Memory("m1", "签了合同", day("2026-09-02T10:00"), user="ada"),
        Memory("m2", "看牙", day("2026-09-02T10:00"), user="conv-7"),
    ]
    async with reading("addsearch", System(theirs), single=False) as adapter:
        assert [item.content for item in await adapter.search(context())] == ["签了合同"]
    async with reading("addsearch", System(theirs), single=False, user="eve", known_as="conv-7") as adapter:
        assert [item.content for item in await adapter.search(context(user="eve"))] == ["看牙"]
        assert list(await adapter.search(context())) == []
    async with reading("hybrid", System(theirs), single=False) as adapter:
        assert list(await adapter.search(context())) == []
    async with reading("hybrid", System(theirs), single=True) as adapter:
        assert len(await adapter.search(context())) == 1


async def test_several_systems_at_once() -> None:
    """All accounts are asked; one that fails is told and takes nothing from the others; only if all fail is it an error."""
    async with served(addsearch(System([REVIEW]))) as one, served(memorax(System([REVIEW], secret="other"))) as two:
        accounts = [
            {"dialect": "addsearch", "url": one, "password": SECRET, "name": "notes"},
            {"dialect": "memorax", "url": two, "password": SECRET},
            {"dialect": "memorax", "url": two, "password_env": "NOT_SET_ANYWHERE", "name": "second"},
        ]
        adapter = MemoryV2(MemorySettings(accounts=tuple(map(MemoryAccount.model_validate, accounts))))
        found = await adapter.search(context())
        await adapter.close()
    assert isinstance(found, Items)
    assert [item.source_ref for item in found] == ["memory_v2:notes:m1"]
    assert len(found.problems) == 2
    assert any("401 unauthorized" in problem for problem in found.problems)
    assert any("second: the environment has no NOT_SET_ANYWHERE" in problem for problem in found.problems)
    assert SECRET not in "".join(found.problems)


@pytest.mark.parametrize(("wrong", "says"), [
    ({"dialect": "mem0", "url": "http://a.example"}, "dialect"), ({"dialect": "iris", "path": "x"}, "url of its system"),
    ({"dialect": "iris", "url": "http://u:secret@a.example"}, "without credentials"), ({"dialect": "iris", "url": "ftp://a.example"}, "url of its system"),
    ({"dialect": "iris", "url": "http://a.example?key=1"}, "url of its system"), ({"dialect": "iris", "url": "http://a.example", "fields": {"words": "x"}}, "no field words"),
    ({"dialect": "iris", "url": "http://a.example", "name": "a:b"}, "a name has letters"), ({"dialect": "iris", "url": "http://a.example", "known_as": "x"}, "needs a user"),
])  # fmt: skip
def test_a_wrong_account_is_named(wrong: dict[str, Any], says: str) -> None:
    """What an account cannot mean is refused with the reason."""
    with pytest.raises(ValidationError, match=says):
        MemorySettings(accounts=[wrong])  # type: ignore[arg-type]


def test_accounts_are_told_apart() -> None:
    """Two accounts of one name would share their references."""
    twice = '[{"dialect": "iris", "url": "http://a.example"}, {"dialect": "iris", "url": "http://b.example"}]'
    with pytest.raises(ValidationError, match="give each a name"):
        MemorySettings(accounts=twice)  # type: ignore[arg-type]


# --- what goes wrong ------------------------------------------------------------------------------------------------------


def failing(status: int, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"detail": {"reason": "x"}}, status, headers)


RETRIED = {
    "addsearch": (408, 425, 429, 500, 502, 503, 504), "memorax": (429, 503), "iris": (429, 503), "hybrid": (429, 502, 503, 504),
}  # fmt: skip


@each_dialect
@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 504])
async def test_what_is_tried_again(dialect: str, status: int) -> None:
    """A search is tried again after exactly the statuses that its contract lets be."""
    system = System([REVIEW], first=[failing(status)])
    settings = {"queries": 1}
    if status in RETRIED[dialect]:
        assert len(await search(dialect, system, settings=settings)) == 1
        assert system.tries == 2
    else:
        with pytest.raises(SourceError, match=str(status)):
            await search(dialect, system, settings=settings)
        assert system.tries == 1


async def test_retry_after_is_kept() -> None:
    """The wait that is asked for is waited; one that outlasts the deadline ends the search at once, with the reason."""
    system = System([REVIEW], first=[iris_error(429, "rate_limited", 1)])
    began = anyio.current_time()
    assert len(await search("iris", system, settings={"queries": 1})) == 1
    assert anyio.current_time() - began >= 1
    began = anyio.current_time()
    with pytest.raises(SourceUnavailable, match="429 rate_limited"):
        await search("iris", System([], first=[iris_error(429, "rate_limited", 60)]), settings={"queries": 1})
    assert anyio.current_time() - began < 1


async def test_tries_are_few() -> None:
    """A system that stays out of order is asked ATTEMPTS times."""
    system = System([], first=[failing(503)] * 9)
    with pytest.raises(SourceUnavailable, match="503"):
        await search("addsearch", system, settings={"queries": 1, "attempts": 2})
    assert system.tries == 2


async def test_one_text_failed() -> None:
    """What the other texts found is handed in, and the failure is told."""
    system = System([REVIEW], first=[failing(409)])
    found = await search("addsearch", system, "这周评审怎么样了")
    assert len(found) == 1
    assert ["409" in problem for problem in found.problems] == [True]


async def test_a_slow_system_runs_out_of_time() -> None:
    """Shortly before the deadline it is given up, as out of time."""
    with pytest.raises(SourceTimeout):
        await search("iris", System([REVIEW], delay=30), seconds=0.6)


async def test_nobody_listens() -> None:
    """A refused connection is unavailable, and says so."""
    account = MemoryAccount.model_validate({"dialect": "hybrid", "url": "http://127.0.0.1:9"})
    adapter = MemoryV2(MemorySettings(accounts=(account,)), single=True)
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        await adapter.search(context())
    with pytest.raises(SourceUnavailable, match=r"127.0.0.1:9: cannot be reached"):
        await adapter.check()
    await adapter.close()


@each_dialect
async def test_check(dialect: str) -> None:
    """check says that the system answers; a wrong secret is told where the system asks for one on the way."""
    async with reading(dialect, System([])) as adapter:
        assert f"{dialect} answers" in await adapter.check()
    if dialect in ("memorax", "iris"):
        async with reading(dialect, System([], secret="other")) as adapter:
            with pytest.raises(SourceError, match="refuses the secret"):
                await adapter.check()


async def test_another_service_of_this_kind(settings: Settings) -> None:
    """This service's own door is an Add/Search system: what was added to it is recalled through it."""
    app = create_app(settings)
    async with app.router.lifespan_context(app), served(app) as url:
        account = MemoryAccount.model_validate({"dialect": "addsearch", "url": url, "password": TOKEN})
        adapter = MemoryV2(MemorySettings(accounts=(account,)))
        added = batch("r1", ("2026-09-02T10:00", "明天下午三点评审预算"), ("2026-08-01T10:00", "八月初搬了家"))
        answer = await adapter.client.post(f"{url}/add", json=added, headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        items = await adapter.search(context("这周预算的事"))
        await adapter.close()
    assert [item.source_ref for item in items] == ["memory_v2:addsearch:chat:message:r1:0"]


_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", " ", "x", "soon", "2026-09-02T10:00:00", "-1", "9e99"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["occurred_at", "id", "content"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(DIALECTS)), st.dictionaries(st.sampled_from([
    "id", "content", "text", "memory", "created_at", "score", "sources", "belief", "importance", "relevance_score", "metadata", "user_id",
]), _VALUES))  # fmt: skip
def test_any_row_is_read_or_left_out(dialect: str, row: dict[str, Any]) -> None:
    """Whatever stands in a row, it is a record with sound values, or none; never an exception."""
    known = DIALECTS[dialect]
    record = known.record(row, known.names, dt.UTC, "ada")
    if record is not None:
        assert record.id.strip() and record.text.strip()
        assert all(value is None or 0 <= value <= 1 for value in (record.importance, record.belief, record.similarity))
        assert all(moment is None or moment.tzinfo is not None for moment in (record.said, record.created))


# --- recorded answers -----------------------------------------------------------------------------------------------------

CASES = sorted(path.parent for path in (Path(__file__).parent.parent / "fixtures" / "memory_v2").glob("*/answer.json"))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_a_recorded_answer_gets_its_items(case: Path) -> None:
    """An answer as the contract shows it, and the items it becomes for a question."""
    asked: dict[str, Any] = json.loads((case / "question.json").read_text(encoding="utf-8"))
    body = (case / "answer.json").read_bytes()
    dialect = asked["dialect"]
    found = await search(dialect, System([], first=[Response(body, media_type="application/json")] * 9), asked["query"])
    got = {"items": _shown(found), "undated": found.undated, "skipped": found.skipped, "truncated": found.truncated}
    assert got == json.loads((case / "expected.json").read_text(encoding="utf-8"))


def _shown(items: Sequence[Any]) -> list[dict[str, Any]]:
    names = (
        "source_ref",
        "type",
        "content",
        "observed_time",
        "event_time",
        "event_end",
        "status",
        "importance",
        "confidence",
        "relevance",
    )
    return [
        {name: v.isoformat() if isinstance(v := getattr(item, name), dt.datetime) else v for name in names} for item in items
    ]


def test_the_recorded_answers_cover_the_dialects() -> None:
    """Each dialect has one."""
    assert {json.loads((case / "question.json").read_text(encoding="utf-8"))["dialect"] for case in CASES} == set(SERVERS)
