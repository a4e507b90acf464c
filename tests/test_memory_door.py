"""The Add/Search contract, row by row: what is accepted, what is refused and how, what a repeated request does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy.exc import SQLAlchemyError
from support import SHANGHAI, both_databases

from adapters._store import NewMessage
from adapters._store.writing import add

pytestmark = pytest.mark.anyio

GOOD_ADD: dict[str, Any] = {
    "request_id": "r1", "user_id": "ada", "session_id": "s1",
    "messages": [{"role": "user", "content": "周五下午三点和王老师评审", "timestamp": 1788444000000}],
}  # fmt: skip
GOOD_SEARCH: dict[str, Any] = {"query": "什么时候评审？", "user_id": "ada", "top_k": 10}
MISSING = object()


def changed(body: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(body))
    *parents, last = path.split(".")
    node: Any = copy
    for name in parents:
        node = node[int(name)] if name.isdigit() else node[name]
    if value is MISSING:
        del node[last]
    else:
        node[last] = value
    return copy


@both_databases
async def test_what_is_added_is_found_at_once(serve: Any, settings: Any) -> None:
    """The answer repeats the three ids, and a search right after it finds the message under a stable id."""
    async with serve(settings) as client:
        added = await client.post("/add", json=GOOD_ADD)
        assert (added.status_code, added.json()) == (
            200,
            {"success": True, "request_id": "r1", "user_id": "ada", "session_id": "s1"},
        )
        found = (await client.post("/search", json=GOOD_SEARCH)).json()
    assert list(found) == ["data"]
    assert found["data"][0]["id"] == "chat:message:r1:0"
    assert found["data"][0]["content"] == GOOD_ADD["messages"][0]["content"]
    assert found["data"][0]["created_at"] == "2026-09-03T14:00:00.000Z"
    assert found["data"][0]["score"] > 0


@both_databases
async def test_a_moment_of_the_far_future_is_not_the_present(serve: Any, settings: Any) -> None:
    """A question is asked at the newest message; one in milliseconds that were thousandths does not move it to the year 5138."""
    told = {"去看了电影盗梦空间": 1589500000000, "去看了电影星际穿越": 1592600000000, "去看了一部老电影": 99999999999999}
    rows = [{"role": "user", "content": text, "timestamp": at} for text, at in told.items()]
    async with serve(settings) as client:
        await client.post("/add", json=GOOD_ADD | {"messages": rows})
        for month, first in (("上个月", "盗梦空间"), ("这个月", "星际穿越")):
            found = (await client.post("/search", json=GOOD_SEARCH | {"query": f"{month}看了什么电影"})).json()["data"]
            assert len(found) == 3
            assert found[0]["content"].endswith(first)


@pytest.mark.parametrize("path", ["/add", "/search", "/v1/add", "/v1/search"])
async def test_the_door_is_under_both_paths(serve: Any, settings: Any, path: str) -> None:
    """The contract's routes stand at the root and under /v1."""
    async with serve(settings) as client:
        body = GOOD_ADD if path.endswith("add") else GOOD_SEARCH
        assert (await client.post(path, json=body)).status_code == 200


BAD_NAMES = [MISSING, "", "   ", None, 1, True, [], {}]
ADD_REFUSED = (
    [(name, value) for name in ("request_id", "user_id", "session_id") for value in BAD_NAMES]
    + [("messages", value) for value in (MISSING, [], {}, [1], "x", None)]
    + [("messages.0.role", value) for value in (MISSING, "", " ", None, 1, True)]
    + [("messages.0.content", value) for value in (MISSING, "", " ", None, 1, ["x"])]
    + [("messages.0.timestamp", value) for value in ("1704067200000", 1704067200000.7, True, "soon", [1])]
)


@pytest.mark.parametrize(("path", "value"), ADD_REFUSED)
async def test_a_bad_add_is_422(serve: Any, settings: Any, path: str, value: Any) -> None:
    """A required field that is missing, blank or of another type is refused with its place, and nothing is kept."""
    async with serve(settings) as client:
        answer = await client.post("/add", json=changed(GOOD_ADD, path, value))
        assert answer.status_code == 422
        detail = answer.json()["detail"]
        assert isinstance(detail, list)
        assert detail[0]["loc"][0] == "body"
        assert path.split(".")[-1] in [str(part) for part in detail[0]["loc"]] or path.split(".")[0] in detail[0]["loc"]
        assert (await client.post("/search", json=GOOD_SEARCH)).json() == {"data": []}


@pytest.mark.parametrize("raw", ["NaN", "Infinity", "-Infinity"])
async def test_a_timestamp_that_is_no_number_is_422(serve: Any, settings: Any, raw: str) -> None:
    """NaN and the infinities are no moments, whatever the JSON parser thinks."""
    body = json.dumps(GOOD_ADD).replace("1788444000000", raw)
    async with serve(settings) as client:
        assert (await client.post("/add", content=body, headers={"content-type": "application/json"})).status_code == 422


@pytest.mark.parametrize(
    ("timestamp", "created"),
    [
        (1704067200000.0, "2024-01-01T00:00:00.000Z"),
        (1704067200000, "2024-01-01T00:00:00.000Z"),
        (None, None),
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        # Moments that have no year before or after them, or are none, date nothing; the message is kept and found.
        (253402271999999, None),
        (-62135593200000, None),
        (2**62, None),
    ],
)
@both_databases
async def test_a_lossless_timestamp_is_taken(serve: Any, settings: Any, timestamp: Any, created: str | None) -> None:
    """A whole number written as a float loses nothing; no timestamp at all is allowed, and then no time is made up."""
    async with serve(settings) as client:
        assert (await client.post("/add", json=changed(GOOD_ADD, "messages.0.timestamp", timestamp))).status_code == 200
        found = (await client.post("/search", json=GOOD_SEARCH)).json()["data"][0]
    assert found["created_at"] == created


SEARCH_REFUSED = (
    [("query", value) for value in (MISSING, "", "  ", None, 3)]
    + [("user_id", value) for value in BAD_NAMES]
    + [("top_k", value) for value in (MISSING, None, "100", 100.0, 10.5, True, [100], -1)]
    + [("options", value) for value in ([1, 2], "A", {"a": 1})]
)


@pytest.mark.parametrize(("path", "value"), SEARCH_REFUSED)
async def test_a_bad_search_is_422(serve: Any, settings: Any, path: str, value: Any) -> None:
    """top_k has no default and is never converted; options are strings; query and user are not blank."""
    async with serve(settings) as client:
        assert (await client.post("/search", json=changed(GOOD_SEARCH, path, value))).status_code == 422


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe{}"])
async def test_a_body_that_is_no_object_is_422(serve: Any, settings: Any, body: bytes) -> None:
    """Broken JSON is a format error like any other."""
    async with serve(settings) as client:
        for path in ("/add", "/search"):
            answer = await client.post(path, content=body, headers={"content-type": "application/json"})
            assert answer.status_code == 422
            assert "detail" in answer.json()


@both_databases
async def test_undeclared_fields_are_ignored(serve: Any, settings: Any) -> None:
    """metadata, app_id, rerank and the like do no harm, at the top and in a message."""
    body = GOOD_ADD | {"metadata": {}, "app_id": 1, "messages": [GOOD_ADD["messages"][0] | {"name": "x"}]}
    async with serve(settings) as client:
        assert (await client.post("/add", json=body)).status_code == 200
        assert (await client.post("/search", json=GOOD_SEARCH | {"rerank": True, "filters": 3})).status_code == 200


@both_databases
async def test_top_k_is_clamped_and_never_exceeded(serve: Any, settings: Any) -> None:
    """Above the limit it is clamped without an error, 0 gives nothing, and no answer is longer than asked."""
    messages = [{"role": "user", "content": f"评审第{n}次", "timestamp": 1788444000000 + n * 60000} for n in range(120)]
    async with serve(settings) as client:
        assert (await client.post("/add", json=GOOD_ADD | {"messages": messages})).status_code == 200
        for top_k, most in ((10**6, 100), (7, 7), (0, 0)):
            answer = await client.post("/search", json=GOOD_SEARCH | {"top_k": top_k})
            assert answer.status_code == 200
            assert len(answer.json()["data"]) == most


@both_databases
async def test_the_first_write_wins(serve: Any, settings: Any) -> None:
    """The same request again answers the same ids and changes nothing, even with another text."""
    async with serve(settings) as client:
        await client.post("/add", json=GOOD_ADD)
        again = await client.post("/add", json=changed(GOOD_ADD, "messages.0.content", "评审取消"))
        assert again.json() == {"success": True, "request_id": "r1", "user_id": "ada", "session_id": "s1"}
        data = (await client.post("/search", json=GOOD_SEARCH)).json()["data"]
    assert [row["content"] for row in data] == [GOOD_ADD["messages"][0]["content"]]


@both_databases
async def test_another_users_same_request_is_another(serve: Any, settings: Any) -> None:
    """The idempotency key is the pair of request and user; u1 and u10 never see one another's rows, by word or by neighbour."""
    async with serve(settings) as client:
        for user in ("u1", "u10", "U1", "u1 "):
            text = f"评审 of {user}|"
            body = GOOD_ADD | {"user_id": user, "messages": [{"role": "user", "content": text, "timestamp": 1788444000000}]}
            assert (await client.post("/add", json=body)).status_code == 200
        for user in ("u1", "u10", "U1", "u1 "):
            data = (await client.post("/search", json=GOOD_SEARCH | {"user_id": user})).json()["data"]
            assert [row["content"] for row in data] == [f"评审 of {user}|"]


@both_databases
async def test_options_help_and_replace_nothing(serve: Any, settings: Any) -> None:
    """The options of a choice are searched beside the query; the words of the query still find."""
    async with serve(settings) as client:
        await client.post("/add", json=GOOD_ADD)
        body = GOOD_SEARCH | {"options": ["A. 王老师", "B. 李老师"]}
        assert (await client.post("/search", json=body)).json()["data"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Authorization": "Token worker-token"}, 200), ({"Authorization": "Bearer worker-token"}, 200), ({"X-Api-Key": "worker-token"}, 200),
     ({"Authorization": "Basic worker-token"}, 401), ({"X-Api-Key": "wrong"}, 401), ({"Authorization": "Bearer"}, 401), ({}, 401)],
)  # fmt: skip
async def test_three_ways_to_show_a_token(serve: Any, settings: Any, headers: dict[str, str], status: int) -> None:
    """Token, Bearer and X-Api-Key are taken; anything else is 401 in the door's own error form."""
    async with serve(settings, token=None) as client:
        answer = await client.post("/add", json=GOOD_ADD, headers=headers)
        assert answer.status_code == status
        if status == 401:
            assert isinstance(answer.json()["detail"]["reason"], str)


async def test_health_needs_no_token(serve: Any, settings: Any) -> None:
    """GET /health answers 2xx to anybody."""
    async with serve(settings, token=None) as client:
        assert (await client.get("/health")).status_code == 200


@both_databases
async def test_a_chinese_word_of_two_characters_is_found(serve: Any, settings: Any) -> None:
    """周会 is found in a sentence of other words, and so is its traditional spelling."""
    body = GOOD_ADD | {"messages": [
        {"role": "user", "content": "今天天气不错", "timestamp": 1788444000000},
        {"role": "user", "content": "我们把周会挪到三楼开", "timestamp": 1788454000000},
        {"role": "user", "content": "這個電影很好看", "timestamp": 1788464000000},
    ]}  # fmt: skip
    async with serve(settings) as client:
        await client.post("/add", json=body)
        assert (await client.post("/search", json=GOOD_SEARCH | {"query": "周会"})).json()["data"][0][
            "id"
        ] == "chat:message:r1:1"
        assert (await client.post("/search", json=GOOD_SEARCH | {"query": "这个电影"})).json()["data"][0][
            "id"
        ] == "chat:message:r1:2"


@both_databases
async def test_a_store_that_fails_is_503(serve: Any, settings: Any) -> None:
    """What cannot be kept now may be sent again: 503 in the door's form, nothing half kept, no one's words in the error."""
    async with serve(settings) as client:
        store = client.app.state.store

        async def rename(old: str, new: str) -> None:
            await store.write(lambda connection: connection.exec_driver_sql(f"ALTER TABLE {old} RENAME TO {new}"))

        await rename("tr_messages", "away")
        answer = await client.post("/add", json=GOOD_ADD)
        assert (answer.status_code, list(answer.json()["detail"])) == (503, ["reason"])
        assert "retry-after" in answer.headers
        with pytest.raises(SQLAlchemyError) as error:
            await add(store, "ada", "r1", "s1", [NewMessage("user", "周五下午三点和王老师评审", None)], SHANGHAI)
        assert "评审" not in str(error.value)
        await rename("away", "tr_messages")
        assert (await client.post("/add", json=GOOD_ADD)).status_code == 200
        assert len((await client.post("/search", json=GOOD_SEARCH)).json()["data"]) == 1
        await rename("tr_messages", "away")
        assert (await client.post("/search", json=GOOD_SEARCH)).status_code == 503
