"""The embedded store as a thing to open and close."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from adapters._base import SourceUnavailable
from adapters._store.database import Database
from adapters._store.migrating import migrate
from adapters._store.timeline import Timelines
from adapters._store.vectors import Vectors

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The store as it is at one moment, and what is remembered of its people."""

    connection: Connection
    timelines: Timelines
    vectors: Vectors | None = None


class Store:
    """The embedded store behind a database URL. Open it before use, close it afterwards.

    With `semantic` it is searched by meaning too, as far as there are vectors; `vectors.start` has them made.
    """

    def __init__(self, url: str, *, semantic: bool = False) -> None:
        self.database = Database(url)
        self.timelines = Timelines()
        self.vectors = Vectors(self.database.read, self._write) if semantic else None
        self._writer = anyio.Lock()

    async def open(self) -> None:
        """Creates what is missing. Raises SourceUnavailable when the database cannot be opened."""
        try:
            await self.write(migrate)
        except (OSError, sqlite3.Error, SQLAlchemyError) as error:
            raise SourceUnavailable(f"the store cannot be opened: {type(error).__name__}") from error

    async def read(self, work: Callable[[Snapshot], T]) -> T:
        """The result of `work`, run in a thread; what it asks the database stops when the caller is cancelled."""
        return await self.database.read(lambda connection: work(Snapshot(connection, self.timelines, self.vectors)))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, run in a thread: all its changes are kept or none. This process writes one thing at a time."""
        result = await self._write(work)
        if self.vectors is not None:
            self.vectors.wake()
        return result

    async def _write(self, work: Callable[[Connection], T]) -> T:
        async with self._writer:
            return await self.database.write(work)

    async def close(self) -> None:
        if self.vectors is not None:
            await self.vectors.stop()
        await self.database.close()
