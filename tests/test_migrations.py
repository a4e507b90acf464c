"""The store's tables: made at once or by migration, they are the same; what was written under older rules is read anew."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from sqlalchemy import Connection, Select, func, inspect, select, update
from support import NOW, both_databases, in_time, ms

from adapters._candidates import NONE
from adapters._store import NewMessage, Store, reindexing, search
from adapters._store.database import Database
from adapters._store.migrating import HEAD, migrate
from adapters._store.postings import BLOCK
from adapters._store.schema import blocks, events, index, messages, people, terms, version
from adapters._store.timeline import CORRECTS, SEVERAL, unpack_columns
from adapters._store.writing import RULES, add
from planner import words

pytestmark = pytest.mark.anyio
ZONE = NOW.tzinfo or dt.UTC


def migrated(connection: Connection, until: str) -> None:
    """Runs the migrations up to one of them, as alembic alone would."""
    from alembic import command
    from alembic.config import Config

    import adapters._store.migrating as module

    config = Config()
    config.set_main_option("script_location", str(Path(module.__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, until)


def shape(connection: Connection) -> dict[str, Any]:
    """Every table's columns, keys and indices."""
    found = inspect(connection)
    return {
        table: (
            sorted((c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(table)),
            found.get_pk_constraint(table)["constrained_columns"],
            sorted(tuple(u["column_names"]) for u in found.get_unique_constraints(table)),
            sorted((i["name"], tuple(i["column_names"])) for i in found.get_indexes(table) if not i["unique"]),
        )
        for table in sorted(found.get_table_names())
    }


@both_databases
async def test_migrations_lead_to_the_tables_that_are_declared(database: str, tmp_path: Path, request: Any) -> None:
    """From nothing by every migration, and at once: the same tables."""
    other = request.getfixturevalue("postgresql")() if "postgresql" in database else f"sqlite:///{tmp_path}/other.sqlite3"
    shapes = []
    for url, make in ((database, migrate), (other, lambda connection: migrated(connection, "head"))):
        base = Database(url)
        await base.write(make)
        shapes.append(await base.read(shape))
        assert await base.read(lambda connection: connection.execute(select(version.c.version_num)).scalar()) == HEAD
        await base.close()
    assert shapes[0] == shapes[1]


@both_databases
async def test_a_store_of_the_first_version_goes_on(database: str) -> None:
    """Its messages are found by time at once, and by words when they have been read anew; numbering goes on."""
    base = Database(database)

    def first_version(connection: Connection) -> None:
        migrated(connection, "0001")
        connection.exec_driver_sql(
            "INSERT INTO tr_people (person, user_id, messages, terms, newest_ms) VALUES (7, 'ada', 1, 3, 1)"
        )
        connection.exec_driver_sql(
            "INSERT INTO tr_messages VALUES (7, 0, 'r', 0, 's', 'user', '周五下午三点评审', "
            f"{ms('2026-09-02T10:00')}, NULL, NULL, NULL, 'mentioned', 'message', 0.5, 0.9, false, false, false, 3, false, '')"
        )
        connection.exec_driver_sql("DROP TABLE alembic_version")  # the first version had none

    await base.write(first_version)
    await base.close()
    store = Store(database)
    await store.open()
    try:
        assert await said_of(store, "评审") == []
        await add(store, "ada", "r2", "s", [NewMessage("user", "评审的结果", ms("2026-09-05T10:00"))], ZONE)
        assert await said_of(store, "评审") == ["评审的结果"]
        assert [row.person for row in await reindexing.outdated(store)] == [7]
        assert [count async for count in reindexing.reindex(store, 7, lambda user: ZONE)] == [2]
        assert await reindexing.outdated(store) == []
        assert sorted(await said_of(store, "评审")) == ["周五下午三点评审", "评审的结果"]
        friday = (ms("2026-09-04T00:00"), ms("2026-09-05T00:00"))
        found = await store.read(lambda seen: in_time(seen, None, friday))
        assert [hit.row.content for hit in found] == ["周五下午三点评审"]
    finally:
        await store.close()


async def said_of(store: Store, query: str, user: str = "ada") -> list[str]:
    found = await store.read(lambda seen: search.search(seen, user, search.Asked(words.sought(query), query), 5000))
    return [hit.row.content for hit in found.hits]


@both_databases
async def test_reading_anew_while_others_write(database: str) -> None:
    """Old rows are read anew block by block, whole blocks and the tail, while messages come in: each is found, once, by today's rules."""
    store = Store(database)
    await store.open()
    try:
        size = BLOCK + 300
        for first in range(0, size, 469):
            batch = [
                NewMessage(
                    "user",
                    f"第{n}条 评审" if n % 100 else f"第{n}条 周五体检，周日爬山，评审",
                    ms("2026-09-02T10:00") + n * 1000,
                )
                for n in range(first, min(first + 469, size))
            ]
            await add(store, "ada", f"r{first}", "s", batch, ZONE)
        assert len(await said_of(store, "评审")) == size
        # As if older rules had read another status, and had written no terms.
        await store.write(lambda connection: connection.execute(update(people).values(rules=RULES - 1, terms=0)))
        await store.write(lambda connection: connection.execute(update(messages).values(status="due", length=0)))
        await store.write(lambda connection: connection.execute(update(events).values(status="due")))
        (person,) = await reindexing.outdated(store)

        async def write() -> None:
            for n in range(20):
                await add(
                    store, "ada", f"late{n}", "s", [NewMessage("user", f"晚到 {n} 评审", ms("2026-09-03T10:00") + n)], ZONE
                )
                await anyio.lowlevel.checkpoint()

        async with anyio.create_task_group() as group:
            group.start_soon(write)
            read = [count async for count in reindexing.reindex(store, person.person, lambda user: ZONE)]
        assert sum(read) >= size
        found = await said_of(store, "评审")
        assert len(found) == len(set(found)) == size + 20

        async def rows(query: Select[Any]) -> list[Any]:
            return await store.read(lambda seen: list(seen.connection.execute(query)))

        (row,) = await rows(select(people))
        lengths = [length for (length,) in await rows(select(messages.c.length))]
        assert await rows(select(messages.c.no).where(messages.c.status == "due")) == []
        assert await rows(select(blocks.c.block)) == [(0,)]
        assert {status for (status,) in await rows(select(events.c.status))} == {"planned"}
        assert len(await rows(select(events.c.no))) == len(range(0, size, 100))
        summed = select(index.c.term, func.sum(index.c.count)).group_by(index.c.term)
        counted = select(terms.c.term, terms.c.count).where(terms.c.count != 0)
        assert sorted(map(tuple, await rows(counted))) == sorted(map(tuple, await rows(summed)))
        assert (row.rules, row.messages, row.terms, row.blocks) == (RULES, size + 20, sum(lengths), 1)
    finally:
        await store.close()


@both_databases
async def test_what_messages_are_judged_by_is_there_without_reading_anew(database: str) -> None:
    """The columns of blocks that an older version wrote are made at the migration: all but whether something puts right, which any
    event may until it has been read.
    """
    store = Store(database)
    await store.open()
    texts = ("周五评审", "周五体检，周日爬山", "记错了，评审是周六", "周六的评审取消了", "随便聊聊")
    told = [NewMessage("user", f"{texts[n % 5]} {n}", ms("2026-09-02T10:00") + n * 1000) for n in range(BLOCK)]
    await add(store, "ada", "r", "s", told, ZONE)

    def columns(connection: Connection) -> Any:
        return unpack_columns(connection.execute(select(blocks.c.columns)).scalar_one())

    names, judged = await store.database.read(columns)

    def older(connection: Connection) -> None:
        connection.execute(update(blocks).values(columns=b"of another form"))
        connection.exec_driver_sql("ALTER TABLE tr_messages DROP COLUMN marks")
        connection.exec_driver_sql("DROP TABLE tr_terms")
        connection.execute(update(version).values(version_num="0006"))

    await store.write(older)
    await store.close()
    store = Store(database)
    await store.open()
    try:
        again, migrated_ones = await store.database.read(columns)
        assert again == names
        for name in judged.dtype.names:
            if name != "marks":
                assert (migrated_ones[name] == judged[name]).all(), name
        assert (migrated_ones["marks"] & SEVERAL == judged["marks"] & SEVERAL).all()
        assert (migrated_ones["marks"] & judged["marks"] == judged["marks"]).all()
        told_of_events = judged["event"] != NONE
        assert (migrated_ones["marks"][told_of_events] & CORRECTS != 0).all()
        counted = select(terms.c.count).where(terms.c.term == "评审")
        assert await store.database.read(lambda seen: seen.execute(counted).scalar()) == BLOCK * 3 // 5 + 1
        assert "周五评审 0" in await said_of(store, "评审")
    finally:
        await store.close()
