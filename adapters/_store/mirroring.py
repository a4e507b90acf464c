"""A remote source's records, kept in the store beside the chats, so that they are found by event time, by words and far back.

A mirror goes forward in time and remembers how far it is complete, and the page it read last: what is interrupted goes on there, what
is read twice is kept once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import anyio.to_thread
from sqlalchemy import delete, insert, select

from adapters._store.schema import mirrors, people, reading, writing
from adapters._store.store import Store
from adapters._store.writing import NewMessage, keep, known_requests, locked_person, read
from planner.resolution import Conventions


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a mirror is: complete up to `upto_ms` (Unix milliseconds, excluded), and the cursor behind the last page since."""

    upto_ms: int
    cursor: str | None = None


async def progress(store: Store, user_id: str, source: str) -> Progress | None:
    """How far the mirror of a person's records is; None when there is none."""
    query = (
        select(mirrors.c.upto_ms, mirrors.c.cursor)
        .join(people, people.c.person == mirrors.c.person)
        .where(people.c.user_id == user_id, people.c.source == source)
    )
    async with reading(store.engine) as connection:
        row = (await connection.execute(query)).first()
    return None if row is None else Progress(row.upto_ms, row.cursor)


async def take(
    store: Store,
    user_id: str,
    source: str,
    records: Sequence[tuple[str, NewMessage]],
    reached: Progress,
    zone: dt.tzinfo,
    conventions: Conventions,
    kind: str,
) -> int:
    """Keeps the records that are not there yet, each under its own id, and how far the mirror is; how many were new.

    `zone` is the person's, in which relative times are read; `kind` the type of what says nothing else.
    """
    fresh = dict(records)
    prepared = await anyio.to_thread.run_sync(
        lambda: {name: read(message, zone, conventions, kind) for name, message in fresh.items()}
    )
    async with store.write_lock, writing(store.engine) as connection:
        person = await locked_person(connection, user_id, source)
        for name in await known_requests(connection, person.person, list(fresh)):
            prepared.pop(name)
        if prepared:
            await keep(connection, person, [(name, 0, "", row) for name, row in prepared.items()])
        await connection.execute(delete(mirrors).where(mirrors.c.person == person.person))
        state = {"person": person.person, "upto_ms": reached.upto_ms, "cursor": reached.cursor}
        await connection.execute(insert(mirrors), state)
    store.written()
    return len(prepared)
