"""Brings a database to today's tables: an empty one at once, an older one by Alembic's migrations, whatever version it comes from."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select, text

from adapters._store.schema import metadata, version

HEAD = "0007"
_LOCK = 7_262_151  # of this program among a PostgreSQL server's advisory locks


def migrate(connection: Connection) -> None:
    """Runs the missing migrations inside a writing transaction; of several processes one does, the others wait."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    tables = set(inspect(connection).get_table_names())
    versioned = version.name in tables
    if versioned and connection.execute(select(version.c.version_num)).scalar() == HEAD:
        return
    if not versioned and "tr_people" not in tables:
        metadata.create_all(connection)
        connection.execute(insert(version), {"version_num": HEAD})
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    if not versioned:
        command.stamp(config, "0001")  # a store from before there were migrations
    command.upgrade(config, "head")
