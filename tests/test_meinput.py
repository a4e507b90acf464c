"""The meinput source against a real export server on a real socket."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from support import NOW

from adapters import Items, SearchContext, SourceError, SourceTimeout, SourceUnavailable
from adapters.meinput import MeInput, MeInputSettings
from planner import make_plan
from temporal_recall.sample import export_app, served

pytestmark = pytest.mark.anyio


def row(n: int, occurred: Any, text: str = "今天签了合同", **more: Any) -> dict[str, Any]:
    return {
        "evidence_id": f"e{n}",
        "type": "expression_segment",
        "text": text,
        "occurred_at": occurred,
        "user_id": "ada",
        **more,
    }


def context(query: str = "这周", limit: int | None = None, seconds: float = 5.0) -> SearchContext:
    plan = make_plan(query, "ada", NOW)
    retrieval = plan.retrievals[0] if limit is None else plan.retrievals[0].model_copy(update={"limit": limit})
    return SearchContext(
        "ada", retrieval, plan.time, plan.temporal_mode, plan.expanded_queries, NOW, deadline=anyio.current_time() + seconds
    )


@asynccontextmanager
async def reading(app: Any, **settings: Any) -> AsyncIterator[MeInput]:
    async with served(app) as url:
        adapter = MeInput(MeInputSettings(url=url, **settings))
        try:
            yield adapter
        finally:
            await adapter.close()


async def search(app: Any, query: str = "这周", limit: int | None = None, seconds: float = 5.0, **settings: Any) -> Items:
    async with reading(app, **settings) as adapter:
        found = await adapter.search(context(query, limit, seconds))
        assert isinstance(found, Items)
        return found


def answering(answer: Callable[[Request], Response]) -> Starlette:
    async def export(request: Request) -> Response:
        return answer(request)

    return Starlette(routes=[Route("/v1/evidence/export", export)])


@pytest.mark.parametrize("ndjson", [False, True])
async def test_every_page_is_read(ndjson: bool) -> None:
    """JSON or NDJSON, five rows a page: all rows of the asked week, each once, mapped as documented."""
    rows = [row(n, (NOW - dt.timedelta(hours=n)).isoformat(), f"第{n}句话") for n in range(23)]
    found = await search(export_app(rows, "t", ndjson=ndjson), token=SecretStr("t"), page_size=5)
    assert sorted(item.source_ref for item in found) == sorted(f"meinput:segment:e{n}" for n in range(23))
    first = next(item for item in found if item.source_ref.endswith(":e0"))
    assert (first.source, first.type, first.observed_time, first.content) == ("meinput", "mention", NOW, "第0句话")
    assert found.truncated is False


async def test_the_event_time_is_read_where_it_was_typed() -> None:
    """明天下午三点, typed on Wednesday, is Thursday at three, in the asker's zone."""
    found = await search(export_app([row(1, "2026-09-02T06:30:00Z", "明天下午三点开会")]))
    assert found[0].observed_time == dt.datetime(2026, 9, 2, 14, 30, tzinfo=NOW.tzinfo)
    assert found[0].event_time == dt.datetime(2026, 9, 3, 15, 0, tzinfo=NOW.tzinfo)
    assert found[0].status == "planned"


async def test_other_rows_are_left_out() -> None:
    """Only expression segments of this person in the asked window; bad rows are counted, each by its fault."""
    rows = [
        row(1, "2026-09-02T10:00:00+08:00"), row(2, "2026-09-02T10:00:00+08:00", type="key_event"), row(3, "2026-09-02T10:00:00+08:00", user_id="ada2"),
        row(4, "not-a-time"), row(5, None), row(6, "2026-09-02T10:00:00+08:00", text=""), row(7, "2026-09-02T10:00:00+08:00", text=None),
        {"type": "expression_segment"}, "rubbish", None, 7, row(8, "2020-01-01T00:00:00Z"),
    ]  # fmt: skip
    found = await search(answering(lambda request: JSONResponse({"items": rows})))
    assert [item.source_ref for item in found] == ["meinput:segment:e1"]
    # Every window that is looked through meets the bad rows again, so the counts are at least those of one reading.
    assert found.undated >= 2
    assert found.skipped >= 6


@pytest.mark.parametrize(
    ("occurred", "zone", "expected"),
    [
        ("2026-09-02 06:07:40", "UTC", "2026-09-02T14:07:40+08:00"), ("2026-09-02T14:07:40", "Asia/Shanghai", "2026-09-02T14:07:40+08:00"),
        (1788329260, "UTC", "2026-09-02T14:07:40+08:00"), (1788329260000, "UTC", "2026-09-02T14:07:40+08:00"), ("1788329260000", "UTC", "2026-09-02T14:07:40+08:00"),
        ("2026-09-02T01:07:40-05:00", "UTC", "2026-09-02T14:07:40+08:00"),
    ],
)  # fmt: skip
async def test_times_in_every_form(occurred: Any, zone: str, expected: str) -> None:
    """ISO with or without a zone, Unix seconds and milliseconds: one moment, told in the asker's zone."""
    found = await search(answering(lambda request: JSONResponse({"items": [row(1, occurred)]})), time_zone=zone)
    assert [item.observed_time.isoformat() for item in found if item.observed_time] == [expected]


async def test_given_weights_are_taken() -> None:
    """Importance, confidence and title of a row are taken as they are, nonsense is not."""
    rows = [
        row(1, "2026-09-02T10:00:00Z", importance=0.71, confidence=0.95, title="验证"),
        row(2, "2026-09-02T11:00:00Z", importance=7, confidence="high", title=5),
    ]
    found = {item.source_ref[-1]: item for item in await search(export_app(rows))}
    assert (found["1"].importance, found["1"].confidence, found["1"].title) == (0.71, 0.95, "验证")
    assert 0 <= found["2"].importance <= 1
    assert found["2"].title


async def test_every_name_is_a_setting() -> None:
    """Another cloud's path, parameters, fields and header are only settings away."""
    seen: dict[str, str] = {}

    async def export(request: Request) -> Response:
        seen.update(request.query_params, auth=request.headers["x-key"])
        return JSONResponse({"data": [{"id": 5, "kind": "seg", "body": "今天签了合同", "ts": 1788329260}], "after": None})

    app = Starlette(routes=[Route("/export", export)])
    found = await search(
        app, path="/export", token=SecretStr("k"), auth_header="X-Key", auth_scheme="", user_param="u", from_param="since", to_param="until", limit_param="n",
        rows_field="data", next_field="after", id_field="id", kind_field="kind", kind="seg", text_field="body", occurred_field="ts", time_params="epoch_ms",
    )  # fmt: skip
    assert [item.source_ref for item in found] == ["meinput:segment:5"]
    assert (seen["u"], seen["auth"], seen["n"]) == ("ada", "k", "200")
    assert seen["since"].isdigit()


@pytest.mark.parametrize(
    ("status", "body", "kind", "says"),
    [
        (401, "{}", SourceError, "token"), (403, "{}", SourceError, "token"), (404, "{}", SourceError, "404"), (500, "{}", SourceUnavailable, "500"),
        (503, "", SourceUnavailable, "503"), (429, "", SourceUnavailable, "429"), (504, "", SourceTimeout, "504"), (302, "", SourceError, "302"), (418, "", SourceError, "418"),
        (200, "<html>", SourceError, "JSON"), (200, "", SourceError, "JSON"), (200, "{}", SourceError, "items"), (200, '{"items": 5}', SourceError, "items"), (200, "7", SourceError, "items"),
    ],
)  # fmt: skip
async def test_each_fault_of_the_cloud_is_told_apart(status: int, body: str, kind: type[SourceError], says: str) -> None:
    """A refused token, a wrong address, an order out, garbage: each is its own clear error, and no text of the cloud is repeated."""
    app = answering(lambda request: Response(body, status, media_type="application/json"))
    with pytest.raises(kind, match=says):
        await search(app, token=SecretStr("hidden"))


async def test_nobody_there() -> None:
    """A closed port is unavailable."""
    adapter = MeInput(MeInputSettings(url="http://127.0.0.1:9"))
    try:
        with pytest.raises(SourceUnavailable):
            await adapter.search(context())
        with pytest.raises(SourceUnavailable):
            await adapter.check()
    finally:
        await adapter.close()


async def test_a_bad_line_of_ndjson_is_skipped_and_counted() -> None:
    """One broken line does not lose the others."""
    lines = [
        json.dumps(row(1, "2026-09-02T10:00:00Z"), ensure_ascii=False),
        '{"evidence_id": ',
        "",
        json.dumps(row(2, "2026-09-02T11:00:00Z", "别的话\u2028同一行"), ensure_ascii=False),
    ]
    found = await search(answering(lambda request: Response("\n".join(lines), media_type="application/x-ndjson")))
    assert {item.source_ref[-1] for item in found} == {"1", "2"}
    assert found.skipped >= 1


async def test_a_cursor_that_never_ends_is_left() -> None:
    """A cloud that repeats its cursor, or always has another page, costs a bounded number of pages."""
    count = 0

    def endless(request: Request) -> Response:
        nonlocal count
        count += 1
        return JSONResponse({"items": [row(count, "2026-09-02T10:00:00Z", f"第{count}页")], "next_cursor": str(count)})

    found = await search(answering(endless), page_limit=7)
    assert count == 7
    assert found.truncated is True


async def test_slow_pages_give_what_was_read() -> None:
    """When the deadline nears, what is there is handed in as truncated; when nothing is there, it is a timeout."""
    rows = [row(n, (NOW - dt.timedelta(days=n)).isoformat(), f"第{n}天") for n in range(60)]
    found = await search(export_app(rows, delay=0.3), seconds=1.2)
    assert found.truncated is True
    assert found
    with pytest.raises(SourceTimeout):
        await search(export_app(rows, delay=5), seconds=0.6)


async def test_looking_back_goes_newest_first() -> None:
    """A plan is looked for in the asked range, then back in time; what the limit cuts off is the oldest."""
    rows = [row(n, (NOW - dt.timedelta(days=n)).isoformat(), f"第{n}天") for n in range(80)]
    found = await search(export_app(rows), query="明天有什么安排", limit=10)
    assert [item.source_ref for item in found] == [f"meinput:segment:e{n}" for n in range(10)]
    assert found.truncated is True


async def test_the_sources_own_end_is_out() -> None:
    """An item on the window's end is not in it."""
    found = await search(
        answering(
            lambda request: JSONResponse(
                {
                    "items": [
                        row(1, "2026-08-31T00:00:00+08:00"),
                        row(2, "2026-08-30T23:59:59+08:00"),
                        row(3, "2026-08-24T00:00:00+08:00"),
                    ]
                }
            )
        ),
        query="上周聊了什么",
    )
    assert sorted(item.source_ref[-1] for item in found) == ["2", "3"]
