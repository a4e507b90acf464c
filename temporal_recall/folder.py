"""A life laid out in a folder: what each source reads, in a file of its usual name. For the sample and for recorded questions.

meinput.jsonl   rows of a MeInput export, served on a real socket
chat.jsonl      messages {role, content, timestamp (ISO 8601)}, written into the store
memory.jsonl    the same, kept by another Temporal Recall, which is asked through its memory door
calendar.ics    appointments                 todo.txt     tasks
mail.mbox       mails                        history.sql  a browser's history, as the SQL text that makes it
notes/          daily notes

Each source is configured and built as the environment would have it; only where its place is comes from here.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr

import adapters
from adapters import Shared, TemporalSourceAdapter
from adapters._store import NewMessage, Store
from adapters._store.writing import add
from adapters._times import to_ms
from temporal_recall import sample
from temporal_recall.settings import Settings

_PLACES = {"calendar": "calendar.ics", "tasks": "todo.txt", "email": "mail.mbox", "notes": "notes"}
_TOKEN = "folder"


@asynccontextmanager
async def opened(folder: Path, settings: Settings, user: str, work: Path) -> AsyncIterator[dict[str, TemporalSourceAdapter]]:
    """The sources over the files that are in `folder`, by name; `chat` is always among them. `work` is for what is made of the files.

    The store is that of `settings`, which the service over these sources shares.
    """
    async with AsyncExitStack() as stack:
        store = await _store(stack, settings)
        await _say(store, user, folder / "chat.jsonl", settings)
        shared = Shared(store, settings.zone, settings.conventions, single=True)
        configured: dict[str, dict[str, Any]] = {"chat": {}}
        if (folder / "meinput.jsonl").exists():
            url = await stack.enter_async_context(sample.served(sample.export_app(lines(folder / "meinput.jsonl"), _TOKEN)))
            configured["meinput"] = {"url": url, "token": SecretStr(_TOKEN)}
        if (folder / "memory.jsonl").exists():
            url = await _memory(stack, user, folder / "memory.jsonl", settings, work)
            configured["memory_v2"] = {"accounts": [{"dialect": "addsearch", "url": url}]}
        if (folder / "history.sql").exists():
            history = work / "History"
            history.unlink(missing_ok=True)
            with sqlite3.connect(history) as database:
                database.executescript((folder / "history.sql").read_text(encoding="utf-8"))
            database.close()
            configured["browser"] = {"accounts": [{"path": history}]}
        # Named, so that references do not tell where the folder lies.
        configured |= {n: {"accounts": [{"name": n, "path": folder / p}]} for n, p in _PLACES.items() if (folder / p).exists()}
        built = {}
        for name, registered in adapters.registry().items():
            adapter = registered.build(registered.settings(**configured[name]), shared) if name in configured else None
            if adapter is not None:
                stack.push_async_callback(adapter.close)
                built[name] = adapter
        yield built


def lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line; none when there is no such file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines() if line.strip()]


async def _store(stack: AsyncExitStack, settings: Settings) -> Store:
    store = Store(settings.database_url.get_secret_value(), semantic=settings.by_meaning)
    await store.open()
    stack.push_async_callback(store.close)
    return store


async def _say(store: Store, user: str, path: Path, settings: Settings) -> None:
    rows = lines(path)
    if rows:
        messages = [NewMessage(row["role"], row["content"], _milliseconds(row.get("timestamp"))) for row in rows]
        await add(store, user, "fixture", "fixture", messages, settings.zone_for(user))


def _milliseconds(written: str | None) -> int | None:
    return None if written is None else to_ms(dt.datetime.fromisoformat(written))


async def _memory(stack: AsyncExitStack, user: str, path: Path, settings: Settings, work: Path) -> str:
    from temporal_recall.api import create_app

    (work / "memory.sqlite3").unlink(missing_ok=True)
    other = Settings(database_url=SecretStr(f"sqlite:///{work}/memory.sqlite3"), user_timezones=settings.user_timezones)
    await _say(await _store(stack, other), user, path, settings)
    app = create_app(other, {})
    stack.push_async_callback(app.state.store.close)
    return await stack.enter_async_context(sample.served(app))
