"""Search by meaning: found by words at once, by meaning when the vectors are made; the queue goes on wherever it stood."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from make_centres import centres
from pydantic import SecretStr, ValidationError
from sqlalchemy import select, update
from support import NOW, TOKEN, batch, both_databases, items_of, ms

from adapters._store import NewMessage, Store, embedding, reindexing, search
from adapters._store.asking import asked
from adapters._store.embedding import embedder, installed
from adapters._store.schema import people, vectors
from adapters._store.vectors import CHUNK, pack
from adapters._store.writing import add
from planner import words
from temporal_recall.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not installed(), reason="the extra `semantic` is not installed")]
ZONE = NOW.tzinfo or dt.UTC
SAID = [
    "昨天带猫去打了疫苗，它一路上都在叫",
    "The landlord wants to raise what we pay every month",
    "周末去爬了香山，腿还在酸",
    "I finally fixed the leaking tap in the bathroom",
    "服务器又宕机了，折腾到半夜",
    "My sister got engaged in Rome!",
]
# A question that shares no term with the message it is about, within a language and across.
ASKED = [
    ("宠物看兽医的事", 0),
    ("Is our rent going up?", 1),
    ("房东要涨房租吗？", 1),
    ("When was the hike?", 2),
    ("plumbing repairs at home", 3),
    ("Was there a server outage?", 4),
    ("the wedding of a sibling", 5),
    ("谁要结婚？", 5),
]


@asynccontextmanager
async def opened(url: str, *, semantic: bool = True) -> AsyncIterator[Store]:
    store = Store(url, semantic=semantic)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def tell(store: Store, texts: list[str], name: str = "r", user: str = "ada") -> None:
    start = ms("2026-08-01T10:00")
    said = [NewMessage("user", text, start + n * 86_400_000) for n, text in enumerate(texts)]  # a day apart: no neighbours
    await add(store, user, name, "s", said, ZONE)


async def hits(store: Store, query: str, user: str = "ada", **more: Any) -> list[search.Hit]:
    return list(
        (await store.read(lambda seen: search.search(seen, user, search.Asked(words.sought(query), query, **more), 50))).hits
    )


async def drained(store: Store) -> int:
    """Makes the vectors that are missing; how many."""
    assert store.vectors is not None
    made: list[int] = []
    await store.vectors.drain(made.append)
    assert await store.vectors.waiting() == 0
    return sum(made)


@both_databases
async def test_what_shares_no_word_is_found_by_what_it_means(database: str) -> None:
    """In both languages and across; before the vectors are made a message is found by its words."""
    async with opened(database) as store:
        await tell(store, SAID)
        assert [hit.row.content for hit in await hits(store, "香山")] == [SAID[2]]
        for question, n in ASKED:
            assert SAID[n] not in [hit.row.content for hit in await hits(store, question)], question
        assert await drained(store) == len(SAID)
        for question, n in ASKED:
            best = (await hits(store, question))[0]
            assert best.row.content == SAID[n], question
        assert (await hits(store, "香山"))[0].row.content == SAID[2]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Which came first, the wedding of a sibling or the server outage?", {4, 5}),
        ("宠物看兽医和房东要涨房租，哪个更早？", {0, 1}),
    ],
)
async def test_each_compared_thing_is_meant_for_itself(tmp_path: Path, question: str, meant: set[int]) -> None:
    """Two things have no meaning in common: each is found as well as if it were asked for alone."""
    async with opened(f"sqlite:///{tmp_path}/t.sqlite3") as store:
        await tell(store, SAID)
        await drained(store)
        found = await store.read(lambda seen: search.search(seen, "ada", asked(question, zone=ZONE), 50))
        assert {SAID.index(hit.row.content) for hit in found.hits if (hit.relevance or 0) >= 0.75} == meant


async def test_relevance_tells_what_was_meant_from_what_was_not(database: str) -> None:
    """The best hit of a question that nothing answers is no match; one that is found by meaning alone is."""
    async with opened(database) as store:
        await tell(store, SAID)
        await drained(store)
        for question, _ in ASKED:
            best = (await hits(store, question))[0].relevance
            assert best is not None and best >= 0.6, question
        for question in ("quantum chromodynamics lattice", "古埃及法老的陵墓", "the offside rule in football"):
            assert all((hit.relevance or 0) < 0.6 for hit in await hits(store, question)), question


@both_databases
async def test_the_queue_goes_on_where_it_stood(database: str) -> None:
    """Stopped between batches and opened again, it makes the rest and nothing twice; so it does when messages come one by one."""
    texts = [f"第{n}次去{place}" for n in range(9) for place in ("北京", "上海", "纽约", "伦敦", "巴黎")]
    async with opened(database) as store:
        await tell(store, texts)
        assert store.vectors is not None
        kept = await store.vectors._next()
        assert kept is not None and 0 < kept < len(texts)
        assert await store.vectors.waiting() == len(texts) - kept
    async with opened(database) as store:
        assert await drained(store) == len(texts) - kept
        for n in range(CHUNK + 2):
            await tell(store, [f"又去了第{n}个地方"], f"late{n}")
            assert await drained(store) == 1
        together = embedder().texts([*texts, *(f"又去了第{n}个地方" for n in range(CHUNK + 2))])
        query = select(vectors).order_by(vectors.c.chunk)
        rows = await store.read(lambda seen: seen.connection.execute(query).all())
        assert (b"".join(row.signs for row in rows), b"".join(row.numbers for row in rows)) == pack(together)


@both_databases
async def test_two_processes_make_the_same_vectors_once(database: str) -> None:
    """Both draining at once: nothing is lost, nothing is there twice, both find by it."""
    async with opened(database) as one, opened(database) as two:
        for n in range(6):
            await tell(one, [f"{text} ({n})" for text in SAID], f"r{n}", f"user{n}")
        made: list[int] = []

        async def drain(store: Store) -> None:
            assert store.vectors is not None
            await store.vectors.drain(made.append)

        async with anyio.create_task_group() as group:
            group.start_soon(drain, one)
            group.start_soon(drain, two)
        assert sum(made) == 6 * len(SAID)
        for store in (one, two):
            for n in range(6):
                assert (await hits(store, "谁要结婚？", f"user{n}"))[0].row.content == f"{SAID[5]} ({n})"


async def test_what_another_model_made_is_made_anew(database: str) -> None:
    """Vectors of another version are not compared with today's, and are replaced."""
    async with opened(database) as store:
        await tell(store, SAID)
        await drained(store)
        assert await hits(store, "谁要结婚？")
        await store.write(lambda connection: connection.execute(update(people).values(model=0)))
        assert not await hits(store, "谁要结婚？")
        assert await drained(store) == len(SAID)
        assert (await hits(store, "谁要结婚？"))[0].row.content == SAID[5]


async def test_reading_anew_keeps_the_vectors(database: str) -> None:
    """The rules of reading change no vector: a message is found by meaning before, during and after."""
    async with opened(database) as store:
        await tell(store, SAID)
        await drained(store)
        (person,) = await reindexing.outdated(store, everything=True)
        async for _ in reindexing.reindex(store, person.person, lambda user: ZONE):
            assert (await hits(store, "谁要结婚？"))[0].row.content == SAID[5]
        assert await drained(store) == 0


async def test_off_it_is_as_if_there_were_no_vectors(database: str) -> None:
    """Scores and relevance to the last digit."""
    async with opened(database) as on, opened(database, semantic=False) as off:
        await tell(on, SAID)
        asked = [question for question, _ in ASKED] + ["猫", "leaking tap", "香山"]
        before = [[(h.row.no, h.score, h.relevance) for h in await hits(off, question)] for question in asked]
        undrained = [[(h.row.no, h.score, h.relevance) for h in await hits(on, question)] for question in asked]
        await drained(on)
        after = [[(h.row.no, h.score, h.relevance) for h in await hits(off, question)] for question in asked]
        assert before == undrained == after


async def test_meaning_leads_nobody_out_of_a_hard_time(database: str) -> None:
    """What a hard time excludes stays excluded, however well it fits."""
    async with opened(database) as store:
        await tell(store, SAID)
        await drained(store)
        for first in range(len(SAID)):
            for last in range(first + 1, len(SAID) + 1):
                observed = (ms("2026-08-01T00:00") + first * 86_400_000, ms("2026-08-01T00:00") + last * 86_400_000)
                for question, _ in ASKED:
                    found = await hits(store, question, observed_ms=observed, hard=True)
                    assert {hit.row.no for hit in found} <= set(range(first, last))


async def test_a_neighbour_carries_the_meaning(database: str) -> None:
    """The answer to a question that was asked in other words comes with it."""
    async with opened(database) as store:
        start = ms("2026-08-01T10:00")
        said = ["今天好热", "你家那只猫打疫苗了吗？", "上周三打过了"]
        await add(store, "ada", "r", "s", [NewMessage("user", text, start + n * 60_000) for n, text in enumerate(said)], ZONE)
        await tell(store, SAID[1:], "other")
        await drained(store)
        assert {hit.row.content for hit in (await hits(store, "the cat's vaccination"))[:2]} == set(said[1:])


def test_few_signs_lose_little() -> None:
    """The bytes that are kept tell the nearest messages as the vectors do."""
    made = embedder().texts([f"{text} {n}" for n in range(4) for text in SAID])
    signs, numbers = pack(made)
    kept = np.frombuffer(numbers, np.int8).reshape(len(made), -1).astype(np.float32)
    assert len(signs) == 48 * len(made)
    for question, _ in ASKED:
        asked = embedder().question(question)
        assert np.abs(kept @ asked / np.linalg.norm(kept, axis=1) - made @ asked).max() < 0.01


def test_of_a_long_question_its_beginning_is_meant() -> None:
    """A question has a deadline and the model cannot be stopped: what it costs does not grow with what else was pasted."""
    begins = "上个月和房东谈了什么" + "，还有水电" * 60
    assert np.array_equal(embedder().question(begins + "押金" * 1500), embedder().question(begins))
    assert not np.array_equal(embedder().question(begins[:100]), embedder().question(begins))


@pytest.mark.source_tree
def test_the_centres_are_those_of_the_sentences() -> None:
    """The numbers in the module are made of the sentences in tests/make_centres.py."""
    assert list(embedding._CENTRES) == centres()


async def test_a_service_makes_them_by_itself(serve: Any, database: str) -> None:
    """Behind the doors: added, found by words at once, by meaning when /ready says that nothing waits; also after a restart."""
    settings = Settings(database_url=SecretStr(database), token=SecretStr(TOKEN), semantic="on")
    async with serve(settings) as client:
        assert (await client.get("/v1/temporal-recall/info")).json()["semantic"] is True
        rows = [(f"2026-08-{n + 1:02}T10:00", text) for n, text in enumerate(SAID)]
        assert (await client.post("/add", json=batch("r", *rows))).status_code == 200
        found = (await client.post("/search", json={"query": "香山", "user_id": "ada", "top_k": 3})).json()["data"]
        assert found[0]["content"] == SAID[2]
    async with serve(settings) as client:
        with anyio.fail_after(60):
            while (await client.get("/ready")).json()["waiting_for_vectors"]:  # noqa: ASYNC110 (another program asks as well)
                await anyio.sleep(0.05)
        found = (await client.post("/search", json={"query": "谁要结婚？", "user_id": "ada", "top_k": 3})).json()["data"]
        assert found[0]["content"] == SAID[5]
        asked = {"query": "房东要涨房租吗？", "user_id": "ada", "now": NOW.isoformat()}
        answer = (await client.post("/v1/temporal-recall/query", json=asked)).json()
        assert items_of(answer)[0]["content"] == SAID[1]


async def test_an_error_is_told_and_tried_again(database: str, caplog: pytest.LogCaptureFixture) -> None:
    """While the vectors cannot be written the store is as before; when they can, they are made."""
    async with opened(database) as store:
        assert store.vectors is not None
        await tell(store, SAID)
        await store.write(lambda connection: connection.exec_driver_sql("ALTER TABLE tr_vectors RENAME TO tr_gone"))
        store.vectors.start()
        with anyio.fail_after(60):
            while "the vectors of messages wait" not in caplog.text:  # noqa: ASYNC110 (a log has no event)
                await anyio.sleep(0.05)
            assert [hit.row.content for hit in await hits(store, "香山")] == [SAID[2]]
            await store.write(lambda connection: connection.exec_driver_sql("ALTER TABLE tr_gone RENAME TO tr_vectors"))
            while await store.vectors.waiting():  # noqa: ASYNC110 (another process asks as well)
                await anyio.sleep(0.05)
        assert (await hits(store, "谁要结婚？"))[0].row.content == SAID[5]


async def test_switched_off(serve: Any, settings: Any) -> None:
    """No vectors are made, and the service says so."""
    async with serve(settings) as client:
        assert (await client.get("/v1/temporal-recall/info")).json()["semantic"] is False
        await client.post("/add", json=batch("r", ("2026-08-01T10:00", SAID[0])))
        assert "waiting_for_vectors" not in (await client.get("/ready")).json()
    with pytest.raises(ValidationError, match="semantic"):
        Settings(semantic="perhaps")  # type: ignore[arg-type]
