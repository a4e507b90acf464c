"""The embedded store as a thing to open and close."""

from __future__ import annotations

import sqlite3

import anyio
from sqlalchemy.exc import SQLAlchemyError

from adapters._base import SourceUnavailable
from adapters._store.migrating import migrate
from adapters._store.schema import engine_for
from adapters._store.timeline import Timelines
from adapters._store.vectors import Vectors


class Store:
    """The embedded store behind a database URL. Open it before use, close it afterwards.

    With `semantic` it is searched by meaning too, as far as there are vectors; `vectors.start` has them made.
    """

    def __init__(self, url: str, *, semantic: bool = False) -> None:
        self.engine = engine_for(url)
        self.write_lock = anyio.Lock()
        self.timelines = Timelines()
        self.vectors = Vectors(self.engine, self.write_lock) if semantic else None

    async def open(self) -> None:
        """Creates what is missing. Raises SourceUnavailable when the database cannot be opened."""
        try:
            async with self.engine.connect() as connection:
                await connection.run_sync(migrate)
                await connection.commit()
        except (OSError, sqlite3.Error, SQLAlchemyError) as error:
            raise SourceUnavailable(f"the store cannot be opened: {type(error).__name__}") from error

    def written(self) -> None:
        """To be called after messages were written."""
        if self.vectors is not None:
            self.vectors.wake()

    async def close(self) -> None:
        if self.vectors is not None:
            await self.vectors.stop()
        await self.engine.dispose()
