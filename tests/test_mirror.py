"""`sync meinput`: a cloud's segments mirrored into the store, against a real export server and on both databases."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from support import NOW, SHANGHAI, both_databases

from adapters import Items, SearchContext, SourceError
from adapters._store import Store, mirroring, reindexing
from adapters.meinput import MeInput, MeInputSettings, Mirrored
from planner import make_plan
from temporal_recall.sample import export_app, served

pytestmark = [pytest.mark.anyio, both_databases]
SINCE = NOW - dt.timedelta(days=400)


def row(n: int, when: dt.datetime, text: str, user: str = "ada", **more: Any) -> dict[str, Any]:
    return {
        "evidence_id": f"e{n}",
        "type": "expression_segment",
        "text": text,
        "occurred_at": when.isoformat(),
        "user_id": user,
        **more,
    }


@asynccontextmanager
async def opened(database: str, app: Any, **settings: Any) -> AsyncIterator[tuple[MeInput, Store]]:
    store = Store(database)
    await store.open()
    async with served(app) as url:
        adapter = MeInput(MeInputSettings(url=url, **settings), store)
        try:
            yield adapter, store
        finally:
            await adapter.close()
            await store.close()


async def synced(adapter: MeInput, store: Store, user: str = "ada", now: dt.datetime = NOW) -> list[Mirrored]:
    return [page async for page in adapter.mirror(store, user, SHANGHAI, now, SINCE)]


async def ask(adapter: MeInput, query: str, user: str = "ada") -> Items:
    plan = make_plan(query, user, NOW)
    found = await adapter.search(
        SearchContext(
            user, plan.retrievals[0], plan.time, plan.temporal_mode, plan.expanded_queries, NOW,
            deadline=anyio.current_time() + 20, query=query, time_spans=plan.time_spans,
        )
    )  # fmt: skip
    assert isinstance(found, Items)
    return found


LONG_AGO = row(1, NOW - dt.timedelta(days=200), "2026年9月10日和王老师评审论文")
ROWS = [
    LONG_AGO,
    *(row(n, NOW - dt.timedelta(days=300 - n), f"第{n}次去健身房") for n in range(2, 40)),
    row(50, NOW - dt.timedelta(hours=2), "今天签了租房合同", importance=0.91, confidence=0.55),
    row(60, NOW - dt.timedelta(hours=3), "别人的秘密评审", user="eve"),
    {"evidence_id": "x", "type": "expression_segment", "text": "没有时间", "occurred_at": "soon", "user_id": "ada"},
]


async def test_a_plan_typed_long_ago_is_found(database: str) -> None:
    """Without a mirror the look-back is cut off and told so; with it the plan of seven months ago is there, and nothing is cut."""
    async with opened(database, export_app(ROWS), page_size=3, page_limit=4) as (adapter, store):
        before = await ask(adapter, "下周有什么安排")
        assert "meinput:segment:e1" not in {item.source_ref for item in before}
        pages = await synced(adapter, store)
        assert sum(page.added for page in pages) == 40
        after = await ask(adapter, "下周有什么安排")
        found = {item.source_ref: item for item in after}
        assert found["meinput:segment:e1"].event_time == dt.datetime(2026, 9, 10, tzinfo=SHANGHAI)
        assert (found["meinput:segment:e1"].source, found["meinput:segment:e1"].type) == ("meinput", "mention")
        assert not after.truncated


async def test_again_adds_only_what_is_new(database: str) -> None:
    """A second run reads the last day again and keeps each segment once; what comes later is taken then."""
    rows = list(ROWS)
    async with opened(database, export_app(rows), page_size=7) as (adapter, store):
        await synced(adapter, store)
        assert sum(page.added for page in await synced(adapter, store)) == 0
    late = [*rows, row(70, NOW + dt.timedelta(minutes=5), "明天去看牙")]
    async with opened(database, export_app(late), page_size=7) as (adapter, store):
        assert sum(page.added for page in await synced(adapter, store, now=NOW + dt.timedelta(hours=1))) == 1
        assert await mirroring.progress(store, "eve", "meinput") is None


async def test_what_the_cloud_says_of_a_segment_stays(database: str) -> None:
    """Importance and confidence of the row are kept, also when everything is read anew."""
    async with opened(database, export_app(ROWS)) as (adapter, store):
        await synced(adapter, store)
        for _ in range(2):
            (item,) = [i for i in await ask(adapter, "今天的租房合同") if i.source_ref == "meinput:segment:e50"]
            assert (item.importance, item.confidence) == (0.91, 0.55)
            for person in await reindexing.outdated(store, everything=True):
                assert [count async for count in reindexing.reindex(store, person.person, lambda user: SHANGHAI)] == [40]


async def test_interrupted_it_goes_on(database: str) -> None:
    """A cloud that fails in the middle: what was read is kept, and the next run begins behind it and completes the mirror."""
    asked: list[str] = []
    broken = True
    good = export_app(ROWS)

    async def export(request: Request) -> Response:
        asked.append(request.query_params.get("cursor", ""))
        if broken and len(asked) > 12:
            return JSONResponse({}, 503)
        endpoint: Any = good.routes[0].endpoint  # type: ignore[attr-defined]
        answer: Response = await endpoint(request)
        return answer

    async with opened(database, Starlette(routes=[Route("/v1/evidence/export", export)]), page_size=5) as (adapter, store):
        with pytest.raises(SourceError):
            await synced(adapter, store)
        state = await mirroring.progress(store, "ada", "meinput")
        assert state is not None
        broken = False
        asked.clear()
        await synced(adapter, store)
        texts = [item.content for item in await ask(adapter, "健身房")]
        assert len(texts) == len(set(texts)) == 38


async def test_what_is_not_mirrored_yet_is_asked_of_the_cloud(database: str) -> None:
    """What was typed since the last run is found too; a cloud that is gone costs only that, and is told."""
    mirrored_upto = NOW - dt.timedelta(days=1)
    async with opened(database, export_app(ROWS)) as (adapter, store):
        await synced(adapter, store, now=mirrored_upto)
        refs = {item.source_ref for item in await ask(adapter, "这周")}
        assert "meinput:segment:e50" in refs
        adapter.client.base_url = "http://127.0.0.1:9"
        left = await ask(adapter, "健身房")
        assert len(left) == 38
        assert left.problems and "not mirrored" in left.problems[0]


async def test_a_strangers_mirror_is_not_read(database: str) -> None:
    """Each person's segments are their own, and the chats of the same id are another source."""
    async with opened(database, export_app(ROWS)) as (adapter, store):
        await synced(adapter, store)
        await synced(adapter, store, "eve")
        assert {i.content for i in await ask(adapter, "评审", "eve")} == {"别人的秘密评审"}
        assert all("秘密" not in json.dumps(i.content, ensure_ascii=False) for i in await ask(adapter, "评审"))
