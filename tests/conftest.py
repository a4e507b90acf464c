"""Shared by the tests: the reference now, a service of one's own on an SQLite file, a client that speaks to it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from support import TOKEN

from temporal_recall.api import create_app
from temporal_recall.settings import Settings

for name in list(os.environ):  # a developer's own settings must not decide a test
    if name.startswith("TEMPORAL_RECALL_"):
        del os.environ[name]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database_url=SecretStr(f"sqlite:///{tmp_path}/store.sqlite3"), token=SecretStr(TOKEN))


@pytest.fixture
def serve() -> Callable[..., Any]:
    """`async with serve(settings, sources=...) as client`: the service, started and stopped, behind an HTTP client."""

    @asynccontextmanager
    async def started(
        settings: Settings, sources: Any = None, token: str | None = TOKEN, host: str = "127.0.0.1"
    ) -> AsyncIterator[httpx.AsyncClient]:
        app = create_app(settings, sources)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(app, client=(host, 50000), raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers, timeout=30) as client,
        ):
            client.app = app  # type: ignore[attr-defined]
            yield client

    return started
