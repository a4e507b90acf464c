"""memory_v2's kits: the four systems on real sockets; those that hold one person have a server for each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from conformance import Kit, Record
from memory_servers import SECRET, Memory, System, addsearch, hybrid, iris, memorax
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.memory_v2 import MemoryAccount, MemorySettings, MemoryV2
from temporal_recall.sample import served

Serve = Callable[..., Starlette]


@asynccontextmanager
async def _adapter(dialect: str, apps: Mapping[str | None, Starlette]) -> AsyncIterator[MemoryV2]:
    """The adapter over a server for each user; None: one server for all."""
    async with AsyncExitStack() as stack:
        accounts = []
        for user, app in apps.items():
            url = await stack.enter_async_context(served(app))
            name = f"{dialect}-{user}" if user else ""
            accounts.append(
                MemoryAccount.model_validate(
                    {"dialect": dialect, "url": url, "user": user, "name": name, "password": SecretStr(SECRET)}
                )
            )
        adapter = MemoryV2(MemorySettings(accounts=tuple(accounts)))
        try:
            yield adapter
        finally:
            await adapter.close()


def _opened(
    dialect: str, serve: Serve, many: bool, folder: Path, records: Sequence[Record], more: Sequence[Any] = (), **how: Any
) -> Any:
    memories = [Memory(record.key, record.text, record.start, record.user) for record in records]
    system = System(memories, more=more, **how)
    if many:
        return _adapter(dialect, {None: serve(system)})
    return _adapter(dialect, {user: serve(system, user) for user in ("ada", "eve")})


def _answering(dialect: str, body: bytes, status: int = 200) -> Any:
    async def answer(request: Request) -> Response:
        return Response(body, status, media_type="application/json")

    return _adapter(dialect, {"ada": Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])})


def _kit(dialect: str, serve: Serve, many: bool, bad: Mapping[str, Any]) -> Kit:
    opened = partial(_opened, dialect, serve, many)
    return Kit(
        f"memory-{dialect}",
        opened,
        damaged={kind: partial(opened, more=[row]) for kind, row in bad.items()},
        broken={
            "garbage": lambda folder: _answering(dialect, b"\xff\xfe<html>"),
            "truncated": lambda folder: _answering(dialect, b'{"data": [{"id": "e1", "co'),
            "another shape": lambda folder: _answering(dialect, b'{"rows": []}'),
            "a list": lambda folder: _answering(dialect, b"[]"),
            "deep": lambda folder: _answering(dialect, b"[" * 100_000),
            "huge": lambda folder: _answering(dialect, b" " * (17 * 2**20)),
            "refused": lambda folder: _answering(dialect, b"{}", 401),
            "out of order": lambda folder: _answering(dialect, b"{}", 503),
        },
        slow=lambda folder: opened(folder, [], delay=30),
    )


_TIME = "2026-09-01T05:00:00+08:00"
ADDSEARCH = _kit("addsearch", addsearch, True, {
    "no id": {"content": "x", "created_at": _TIME},
    "no text": {"id": "b1", "content": " ", "created_at": _TIME},
    "a list for text": {"id": "b2", "content": ["x"], "created_at": _TIME},
    "no row": None,
    "no time": {"id": "b3", "content": "sometime", "created_at": "soon"},
})  # fmt: skip
MEMORAX = _kit("memorax", memorax, True, {
    "no id": {"memory": "x", "user_id": "ada", "created_at": _TIME},
    "no text": {"id": "b1", "memory": None, "user_id": "ada", "created_at": _TIME},
    "another's": {"id": "b2", "memory": "x", "user_id": "eve", "created_at": _TIME},
    "no time": {"id": "b3", "memory": "sometime", "user_id": "ada", "created_at": "0000-00-00"},
})  # fmt: skip
IRIS = _kit("iris", iris, False, {
    "no id": {"text": "x", "sources": []},
    "true for an id": {"id": True, "text": "x", "sources": []},
    "no time": {"id": 9, "text": "sometime", "sources": [{"occurred_at": None}, None]},
    "sources that are none": {"id": 10, "text": "sometime", "sources": 3},
})  # fmt: skip
HYBRID = _kit("hybrid", hybrid, False, {
    "no memory": {"score": 0.9},
    "no text": {"memory": {"id": "b1", "created_at": _TIME}},
    "no time": {"memory": {"id": "b2", "content": "sometime", "created_at": None, "importance_score": "high"}},
})  # fmt: skip
KITS = [ADDSEARCH, MEMORAX, IRIS, HYBRID]
