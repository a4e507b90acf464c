"""The chat source: a portal's database in every form of time, and the embedded store."""

from __future__ import annotations

import datetime as dt
import sqlite3
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from pydantic import SecretStr
from sqlalchemy import Connection, text
from support import NOW, batch, items_of

from adapters import Items, SearchContext, SourceUnavailable
from adapters._blocking import Stop, in_thread
from adapters._store.database import Database
from adapters.chat import ChatSettings, PortalChat
from planner import make_plan

pytestmark = pytest.mark.anyio

# (session, role, content, moment): s1 is ada's, s2 bob's, s3 ada's and deleted.
SAID = (
    ("s1", "user", "明天下午三点和王老师讨论论文", "2026-09-02T10:00:00+08:00"),
    ("s1", "assistant", "好的，明天下午三点提醒你", "2026-09-02T10:00:05+08:00"),
    ("s1", "system", "系统提示", "2026-09-02T10:00:06+08:00"),
    ("s1", "user", "今天和房东签了合同", "2026-09-03T00:30:00+08:00"),
    ("s2", "user", "bob 的秘密计划", "2026-09-02T10:00:00+08:00"),
    ("s3", "user", "删掉的会话", "2026-09-02T10:00:00+08:00"),
    ("s1", "user", "上周的事", "2026-08-30T23:59:59+08:00"),
)
FORMS = {
    "text": lambda m: m.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S"),
    "text_zone": lambda m: m.isoformat(),
    "text_z": lambda m: m.astimezone(dt.UTC).isoformat().replace("+00:00", "Z"),
    "epoch_s": lambda m: m.timestamp(),
    "epoch_ms": lambda m: round(m.timestamp() * 1000),
}


def portal(path: Path, form: str) -> str:
    database = sqlite3.connect(path)
    database.executescript(
        "CREATE TABLE h5_agent_runs(id INTEGER PRIMARY KEY, user_id TEXT, session_id TEXT, deleted_at TEXT);"
        "CREATE TABLE session_messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, created_at);"
        "INSERT INTO h5_agent_runs(user_id, session_id, deleted_at) VALUES ('ada','s1',NULL),('ada','s1',NULL),('bob','s2',NULL),('ada','s3','2026-09-02');"
    )
    write = FORMS[form]
    rows = [(session, role, content, write(dt.datetime.fromisoformat(moment))) for session, role, content, moment in SAID]
    database.executemany("INSERT INTO session_messages(session_id, role, content, created_at) VALUES (?,?,?,?)", rows)
    database.commit()
    database.close()
    return f"sqlite:///{path}"


async def test_a_crowded_time_of_a_portal(tmp_path: Path, serve: Any, settings: Any) -> None:
    """Of more messages of a time than a source may give, those that weigh most are in the answer."""
    url = portal(tmp_path / "portal.db", "text")
    database = sqlite3.connect(tmp_path / "portal.db")
    filler = [("s1", "user", f"第{n}个人说今天的天气", f"2026-09-01 {3 + n // 60:02d}:{n % 60:02d}:00") for n in range(300)]
    weighty = ("s1", "user", "记得！非常重要：今天必须把护照交给签证处，千万别忘", "2026-09-01 01:00:00")
    database.executemany(
        "INSERT INTO session_messages(session_id, role, content, created_at) VALUES (?,?,?,?)", [weighty, *filler]
    )
    database.commit()
    database.close()
    chat = PortalChat(ChatSettings(database_url=SecretStr(url)))
    async with serve(settings, {"chat": chat}) as client:
        asked = {"query": "9月1日有什么重要的事", "user_id": "ada", "now": NOW.isoformat(), "limit": 5}
        answer = (await client.post("/v1/temporal-recall/query", json=asked)).json()
    assert items_of(answer)[0]["title"].startswith("记得")


def context(query: str = "我这周有什么重要的事", user: str = "ada", limit: int = 200) -> SearchContext:
    plan = make_plan(query, user, NOW)
    retrieval = plan.retrievals[1].model_copy(update={"limit": limit})
    return SearchContext(user, retrieval, plan.time, plan.temporal_mode, plan.expanded_queries, NOW)


async def ask(url: str, query: str = "我这周有什么重要的事", user: str = "ada", limit: int = 200, **settings: Any) -> Items:
    adapter = PortalChat(ChatSettings(database_url=SecretStr(url), **settings))
    try:
        found = await adapter.search(context(query, user, limit))
        assert isinstance(found, Items)
        return found
    finally:
        await adapter.close()


@pytest.mark.parametrize("form", list(FORMS))
async def test_a_portal_with_any_form_of_time(tmp_path: Path, form: str) -> None:
    """timestamps as text with or without zone, seconds or milliseconds: the same items at the same moments."""
    found = await ask(portal(tmp_path / "p.sqlite3", form), "这周聊了什么")
    assert {item.content: item.observed_time.isoformat() for item in found if item.observed_time} == {
        "明天下午三点和王老师讨论论文": "2026-09-02T10:00:00+08:00",
        "好的，明天下午三点提醒你": "2026-09-02T10:00:05+08:00",
        "今天和房东签了合同": "2026-09-03T00:30:00+08:00",
    }


async def test_only_what_the_person_may_see(tmp_path: Path) -> None:
    """Own sessions, not deleted, the roles of a conversation; a prefix of an id is another person."""
    url = portal(tmp_path / "p.sqlite3", "text")
    texts = {item.content for item in await ask(url)}
    assert not any(word in said for said in texts for word in ("秘密", "删掉", "系统"))
    assert {item.content for item in await ask(url, user="bob")} == {"bob 的秘密计划"}
    for stranger in ("ad", "ada2", "ADA", "ada' OR '1'='1"):
        assert await ask(url, user=stranger) == []


async def test_items_are_read_and_named(tmp_path: Path) -> None:
    """source_ref names the message; event time and status come from the text."""
    found = {item.source_ref: item for item in await ask(portal(tmp_path / "p.sqlite3", "text"))}
    first = found["chat:message:1"]
    assert (first.event_time, first.status) == (dt.datetime(2026, 9, 3, 15, tzinfo=NOW.tzinfo), "planned")


async def test_mixed_offsets_in_text_lose_no_row(tmp_path: Path) -> None:
    """Rows written with different offsets are compared as moments: the database only narrows by the day."""
    path = tmp_path / "p.sqlite3"
    portal(path, "text_zone")
    database = sqlite3.connect(path)
    database.execute(
        "INSERT INTO session_messages(session_id, role, content, created_at) VALUES ('s1','user','洛杉矶说的','2026-08-30T09:00:00-08:00')"
    )
    database.commit()
    assert "洛杉矶说的" in {item.content for item in await ask(f"sqlite:///{path}", "这周聊了什么")}


async def test_bad_rows_are_counted(tmp_path: Path) -> None:
    """A row whose time cannot be read is undated, an empty text is no item; neither loses the others."""
    path = tmp_path / "p.sqlite3"
    portal(path, "text")
    database = sqlite3.connect(path)
    database.execute(
        "INSERT INTO session_messages(session_id, role, content, created_at) VALUES ('s1','user','坏的','2026-09-02 soon'),('s1','user',NULL,'2026-09-02 01:00:00'),('s1','user','  ','2026-09-02 01:00:00')"
    )
    database.commit()
    found = await ask(f"sqlite:///{path}", "这周聊了什么")
    assert (len(found), found.undated) == (3, 1)


async def test_limits_and_truncation(tmp_path: Path) -> None:
    """What the limit or the scan limit cuts off is told."""
    url = portal(tmp_path / "p.sqlite3", "text")
    assert ((await ask(url, limit=1)).truncated, len(await ask(url, limit=1))) == (True, 1)
    assert (await ask(url, scan_limit=2)).truncated is True
    assert (await ask(url)).truncated is False


@pytest.mark.parametrize("form", ["text_zone", "epoch_ms"])
async def test_what_came_after_takes_no_room(tmp_path: Path, form: str) -> None:
    """However much was said since, the asked day is read first."""
    url = portal(tmp_path / "p.sqlite3", form)
    database = sqlite3.connect(tmp_path / "p.sqlite3")
    today = [("s1", "user", f"第{n}句", FORMS[form](NOW - dt.timedelta(minutes=n))) for n in range(500)]
    before = [("s1", "user", f"前天第{n}句", FORMS[form](NOW - dt.timedelta(days=2, minutes=n))) for n in range(10)]
    database.executemany("INSERT INTO session_messages(session_id, role, content, created_at) VALUES (?,?,?,?)", today + before)
    database.commit()
    found = await ask(url, "9月1日发生了什么", limit=20, scan_limit=100)
    assert found.truncated
    assert len([item for item in found if item.content.startswith("前天")]) == 10


async def test_other_names(tmp_path: Path) -> None:
    """Tables and columns are settings, quoted as identifiers."""
    path = tmp_path / "p.sqlite3"
    database = sqlite3.connect(path)
    database.executescript(
        'CREATE TABLE "my runs"(who TEXT, "session" TEXT); CREATE TABLE msgs(mid TEXT, sess TEXT, "from" TEXT, body TEXT, at INTEGER, gone INTEGER);'
        "INSERT INTO \"my runs\" VALUES ('ada','x'); INSERT INTO msgs VALUES ('m1','x','human','今天签了合同',1788329260,NULL),('m2','x','human','撤回的',1788329260,1);"
    )
    database.commit()
    found = await ask(
        f"sqlite:///{path}", runs_table="my runs", runs_user="who", runs_session="session", runs_deleted="", messages_table="msgs", message_id="mid",
        message_session="sess", message_role="from", message_content="body", message_created="at", message_deleted="gone", roles="human",
    )  # fmt: skip
    assert [item.source_ref for item in found] == ["chat:message:m1"]


async def test_a_portal_that_is_not_there(tmp_path: Path) -> None:
    """A missing table or database is unavailable, in words without the address or its password."""
    with pytest.raises(SourceUnavailable) as caught:
        await ask(f"sqlite:///{tmp_path}/empty.sqlite3")
    assert str(tmp_path) not in str(caught.value)


async def test_a_running_query_stops_when_cancelled(tmp_path: Path) -> None:
    """The deadline interrupts SQLite itself: the caller is not held up, and the connection can be used again."""
    database = Database(f"sqlite:///{tmp_path}/slow.sqlite3")
    endless = text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000000) SELECT count(*) FROM n")
    try:
        began = anyio.current_time()
        with anyio.move_on_after(0.3) as scope:
            await database.read(lambda connection: connection.execute(endless).all())
        assert scope.cancelled_caught
        assert anyio.current_time() - began < 2
        assert await database.read(lambda connection: connection.execute(text("SELECT 1")).scalar()) == 1
    finally:
        await database.close()


@pytest.mark.parametrize("milliseconds", [0, 0.1, 0.5, 1, 2, 5])
async def test_a_query_given_up_at_once_stops_too(tmp_path: Path, milliseconds: float) -> None:
    """However early the caller gives up, before the statement has begun or while it begins, nothing goes on."""
    database = Database(f"sqlite:///{tmp_path}/slow.sqlite3")
    endless = text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000000) SELECT count(*) FROM n")

    def work(stop: Stop) -> None:
        while True:
            stop.check()
            time.sleep(0.001)

    try:
        for _ in range(5):
            with anyio.move_on_after(milliseconds / 1000) as scope:
                await database.read(lambda connection: connection.execute(endless).all())
            assert scope.cancelled_caught
            with anyio.move_on_after(milliseconds / 1000) as scope:
                await in_thread(work)
            assert scope.cancelled_caught
    finally:
        await database.close()


async def test_the_store_is_one_of_its_homes(serve: Any, settings: Any) -> None:
    """Without a portal the embedded store is the chat: commitments and to-dos are told apart."""
    async with serve(settings) as client:
        said = [
            ("2026-09-02T10:00", "我会在周五之前把周报交给李老师"),
            ("2026-09-02T10:01", "记得周六之前交房租"),
            ("2026-09-02T10:02", "今天的天气真好，我们一起去了公园"),
        ]
        await client.post("/add", json=batch("r", *said))
        answer = (
            await client.post("/v1/temporal-recall/query", json={"query": "这周", "user_id": "ada", "now": NOW.isoformat()})
        ).json()
    assert {i["content"][:2]: i["type"] for i in items_of(answer)} == {"我会": "commitment", "记得": "todo", "今天": "message"}


@pytest.mark.parametrize("column", ["timestamptz", "timestamp", "text", "bigint"])
async def test_a_portal_on_postgresql(postgresql: Any, column: str) -> None:
    """The same questions to a real PostgreSQL, whatever form the time of its messages has."""
    url = postgresql()
    at = dt.datetime(2026, 9, 2, 2, 0, tzinfo=dt.UTC)
    written = {
        "timestamptz": f"'{at.isoformat()}'", "timestamp": "'2026-09-02 02:00:00'", "text": "'2026-09-02 02:00:00'",
        "bigint": str(round(at.timestamp() * 1000)),
    }[column]  # fmt: skip
    database = Database(url)

    def lay_out(connection: Connection) -> None:
        for line in (
            "CREATE TABLE h5_agent_runs(user_id TEXT, session_id TEXT, deleted_at TIMESTAMPTZ)",
            f"CREATE TABLE session_messages(id BIGINT, session_id TEXT, role TEXT, content TEXT, created_at {column})",
            "INSERT INTO h5_agent_runs VALUES ('ada', 's1', NULL), ('ada', 's2', now()), ('bob', 's3', NULL)",
            f"INSERT INTO session_messages VALUES (1, 's1', 'user', '明天下午三点和王老师讨论论文', {written}), "
            f"(2, 's2', 'user', '删掉的', {written}), (3, 's3', 'user', 'bob 的秘密', {written}), (4, 's1', 'system', '系统', {written})",
        ):
            connection.exec_driver_sql(line)

    await database.write(lay_out)
    await database.close()
    (item,) = await ask(url, "这周聊了什么")
    assert (item.source_ref, item.observed_time) == ("chat:message:1", at)
    assert item.event_time == dt.datetime(2026, 9, 3, 15, tzinfo=NOW.tzinfo)
