"""A database and the threads that speak to it: what is asked of it is one function of a connection, run in one thread.

Asynchronous drivers were tried first: SQLite's runs every statement in a thread of its own all the same, and five statements cost
seven times what they cost here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from sqlalchemy import Connection, Dialect, Engine, Table, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from adapters._blocking import Stop, in_thread

T = TypeVar("T")
_DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql", "mariadb": "mariadb+pymysql"}
_ASYNCHRONOUS = {"aiosqlite", "asyncpg", "asyncmy", "aiomysql"}
# One fewer reads at once than the pool has connections: who waits, waits where it can be given up, and one is left to stop another.
_POOL, _MORE = 5, 10
# What a question costs in SQLite is work of this process: more threads than this take one another's turns, and all wait longer.
_EMBEDDED = 2


class Database:
    """The database behind a URL of SQLAlchemy's; the driver is filled in where the URL names none, or one for asyncio."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._readers = anyio.CapacityLimiter(_EMBEDDED if self.name == "sqlite" else _POOL + _MORE - 1)

    @property
    def name(self) -> str:
        """sqlite, postgresql, mysql, ..."""
        return self.engine.dialect.name

    async def read(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, which sees one moment of the database; its running statement stops when the caller is cancelled."""

        def run(stop: Stop) -> T:
            with self.engine.connect() as connection, stop.breaking(self._breaker(connection)):
                if self.name == "sqlite":
                    connection.exec_driver_sql("BEGIN")  # else every SELECT would see another moment
                else:
                    connection = connection.execution_options(isolation_level="REPEATABLE READ")
                return work(connection)

        return await in_thread(run, limiter=self._readers)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, whose changes are kept together when it returns, and not at all when it raises.

        On SQLite it holds the write lock from the start. Cancellation waits until it has ended.
        """

        def run() -> T:
            with self.engine.begin() as connection:
                if self.name == "sqlite":
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                return work(connection)

        return await anyio.to_thread.run_sync(run)

    async def close(self) -> None:
        await anyio.to_thread.run_sync(self.engine.dispose)

    def _breaker(self, connection: Connection) -> Callable[[], object]:
        """What stops the statement that runs on a connection, called from another thread."""
        raw: Any = connection.connection.driver_connection
        if self.name == "sqlite":
            return lambda: raw.interrupt()
        if self.name == "postgresql":
            return lambda: raw.cancel_safe(timeout=1.0)
        thread = raw.thread_id()

        def kill() -> None:
            with self.engine.connect() as other:
                other.exec_driver_sql(f"KILL QUERY {thread}")

        return kill


def check_url(url: str, backends: Sequence[str]) -> None:
    """Raises ValueError, which holds nothing of the URL, for one that names no database of these kinds or whose driver is missing."""
    try:
        parsed = _driven(url)
    except ArgumentError:
        raise ValueError("no URL of a database, as in sqlite:////path/to/file or postgresql://host/name") from None
    backend = parsed.get_backend_name().replace("mariadb", "mysql")
    if backend not in backends:
        raise ValueError(f"the database is one of {', '.join(backends)}")
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise ValueError("an SQLite database is a file, as in sqlite:////path/to/file")
    try:
        parsed.get_dialect().import_dbapi()
    except (ImportError, NoSuchModuleError):
        raise ValueError(f"the driver is missing: pip install 'temporal-recall[{backend}]'") from None


def insert_all(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], *, adding: str | None = None) -> None:
    """Inserts rows of one form, given as the driver takes them: what SQLAlchemy does for each value costs more than the insert.

    Where a row with the same key is there and a column is named as `adding`, the new row's number is added to the old one's.
    """
    if not rows:
        return
    columns = tuple(rows[0])
    statement, placed = _insert_of(connection.dialect.name, table, columns, connection.dialect)
    if adding is not None:
        keys = ", ".join(column.name for column in table.primary_key)
        statement += f" ON CONFLICT ({keys}) DO UPDATE SET {adding} = {table.name}.{adding} + excluded.{adding}"
    connection.exec_driver_sql(statement, rows if placed is None else list(map(placed, rows)))


_inserts: dict[tuple[str, str, tuple[str, ...]], tuple[str, itemgetter[Any] | None]] = {}


def _insert_of(name: str, table: Table, columns: tuple[str, ...], dialect: Dialect) -> tuple[str, itemgetter[Any] | None]:
    """The statement, and what puts the values of a row, which are several, in order if the driver wants them by their place."""
    known = _inserts.get((name, table.name, columns))
    if known is None:
        compiled = table.insert().compile(dialect=dialect, column_keys=columns)
        order = compiled.positiontup
        known = _inserts[name, table.name, columns] = str(compiled), itemgetter(*order) if order else None
    return known


def _driven(url: str) -> URL:
    """The URL with the driver filled in."""
    parsed = make_url(url)
    backend, _, driver = parsed.drivername.partition("+")
    return parsed.set(drivername=_DRIVERS.get(backend, backend)) if not driver or driver in _ASYNCHRONOUS else parsed


def _engine(url: str) -> Engine:
    parsed = _driven(url)
    sqlite = parsed.drivername.partition("+")[0] == "sqlite"
    if sqlite and parsed.database and parsed.database != ":memory:" and not parsed.database.startswith("file:"):
        Path(parsed.database).expanduser().parent.mkdir(parents=True, exist_ok=True)
    # Who waits for a connection longer than a question may take is told that the database is busy.
    # What a statement holds is someone's life: an error does not show it, for errors are logged.
    engine = create_engine(
        parsed, hide_parameters=True, pool_pre_ping=not sqlite, pool_size=_POOL, max_overflow=_MORE, pool_timeout=4
    )
    if sqlite:
        event.listen(engine, "connect", _open_sqlite)
    return engine


def _open_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "busy_timeout=5000",
        "foreign_keys=ON",
        "temp_store=MEMORY",
        "cache_size=-16384",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
