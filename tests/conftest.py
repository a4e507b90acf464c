"""Shared by the tests: the reference now, a service of one's own on an SQLite file, a client that speaks to it."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import pytest
from pydantic import SecretStr
from support import TOKEN

from temporal_recall.api import create_app
from temporal_recall.settings import Settings

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("any machine")

for name in list(os.environ):  # a developer's own settings must not decide a test
    if name.startswith("TEMPORAL_RECALL_"):
        del os.environ[name]
# What is found must not depend on how far the vectors are; the tests of the search by meaning ask for it.
os.environ["TEMPORAL_RECALL_SEMANTIC"] = "off"
# The commands and servers that tests start need not compile everything again each time, wherever Python is told to keep nothing.
os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Callable[[], str]]:
    """A real PostgreSQL, started once; called, it makes an empty database and gives its URL."""
    pgserver = pytest.importorskip("pgserver", reason="no PostgreSQL wheel for this machine")
    # As root the server runs as another user, who may not enter pytest's folders.
    folder = tempfile.mkdtemp(prefix="pg")
    server = pgserver.get_server(folder, cleanup_mode="delete")
    host = server.get_uri().partition("host=")[2]
    for line in ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):  # a test's database need not survive
        server.psql(f"ALTER SYSTEM SET {line};")
    server.psql("SELECT pg_reload_conf();")
    numbers = itertools.count()

    def fresh() -> str:
        name = f"test_{next(numbers)}"
        server.psql(f"CREATE DATABASE {name};")
        return f"postgresql://postgres@/{name}?host={host}"

    yield fresh
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database: SQLite, or with `both_databases` PostgreSQL in turn."""
    if getattr(request, "param", "sqlite") == "postgresql":
        return str(request.getfixturevalue("postgresql")())
    return f"sqlite:///{tmp_path}/store.sqlite3"


@pytest.fixture
def settings(database: str) -> Settings:
    return Settings(database_url=SecretStr(database), token=SecretStr(TOKEN))


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
