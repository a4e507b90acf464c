"""The chat's kits: the embedded store, and a portal's SQLite database."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from conformance import Kit, Record
from pydantic import SecretStr

from adapters._store import NewMessage, Store
from adapters._store.writing import add
from adapters._times import to_ms
from adapters.chat import ChatSettings, PortalChat, StoreChat
from planner.ranges import UTC

_PORTAL = """
CREATE TABLE h5_agent_runs(user_id TEXT, session_id TEXT, deleted_at TEXT);
CREATE TABLE session_messages(id TEXT PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, created_at);
"""


@asynccontextmanager
async def _portal(
    folder: Path, records: Sequence[Record], more: Sequence[tuple[Any, ...]] = (), script: str = _PORTAL
) -> AsyncIterator[Any]:
    path = folder / "portal.sqlite3"
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        database.executescript(script)
        for record in records:
            database.execute("INSERT INTO h5_agent_runs VALUES (?, ?, NULL)", (record.user, f"s-{record.user}"))
            at = record.start.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
            database.execute(
                "INSERT INTO session_messages VALUES (?, ?, 'user', ?, ?)", (record.key, f"s-{record.user}", record.text, at)
            )
        for row in more:
            database.execute("INSERT INTO session_messages VALUES (?, ?, ?, ?, ?)", row)
    database.close()
    adapter = PortalChat(ChatSettings(database_url=SecretStr(f"sqlite:///{path}")))
    try:
        yield adapter
    finally:
        await adapter.close()


@asynccontextmanager
async def _garbage(folder: Path) -> AsyncIterator[Any]:
    path = folder / "portal.sqlite3"
    path.write_bytes(b"not a database at all" * 100)
    adapter = PortalChat(ChatSettings(database_url=SecretStr(f"sqlite:///{path}")))
    try:
        yield adapter
    finally:
        await adapter.close()


# Every look at the messages counts to a great number first.
_SLOW = """
CREATE TABLE h5_agent_runs(user_id TEXT, session_id TEXT, deleted_at TEXT);
INSERT INTO h5_agent_runs VALUES ('ada', 's', NULL);
CREATE VIEW session_messages AS
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000)
  SELECT 'x' id, 's' session_id, 'user' role, 'x' content, CASE WHEN count(*) THEN '2026-09-01 01:00:00' END created_at FROM n;
"""


@asynccontextmanager
async def _store(folder: Path, records: Sequence[Record]) -> AsyncIterator[Any]:
    store = Store(f"sqlite:///{folder}/store.sqlite3")
    await store.open()
    try:
        for record in records:
            message = NewMessage("user", record.text, to_ms(record.start))
            await add(store, record.user, record.key, "s", [message], UTC)
        yield StoreChat(store)
    finally:
        await store.close()


_BAD = [("b1", "s-ada", "user", "when", "2026-09-01 soon")]
PORTAL = Kit(
    "chat-portal",
    _portal,
    damaged={"a time that is none": partial(_portal, more=_BAD)},
    broken={"garbage": _garbage, "no tables": lambda folder: _portal(folder, [], script="")},
    slow=lambda folder: _portal(folder, [], script=_SLOW),
)
STORE = Kit("chat-store", _store, damaged={}, broken={}, slow=None)
KITS = [PORTAL, STORE]
