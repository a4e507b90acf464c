"""Reading anew what was written under older rules, in place, while others read and write.

Block by block, each in one transaction: the rows of its messages, its postings and its columns are replaced together, so that a
question sees a block as it was or as it is. Whoever remembers a timeline learns from `revision` that it is another one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import anyio.lowlevel
from sqlalchemy import Connection, Row, bindparam, delete, select, update

from adapters._store.database import insert_all
from adapters._store.postings import BLOCK, Tail, pack_batch, unpack_terms
from adapters._store.schema import blocks, events, index, messages, people
from adapters._store.store import Store
from adapters._store.writing import RULES, NewMessage, Prepared, count_terms, further, read, read_tail, write_block, write_tail
from planner.resolution import DEFAULT, Conventions

_CHUNK = 500


async def outdated(store: Store, user_id: str | None = None, everything: bool = False) -> list[Row[Any]]:
    """The rows of the people whose messages were read under other rules than today's; with `everything` all people's."""
    query = select(people).order_by(people.c.person)
    if not everything:
        query = query.where(people.c.rules != RULES)
    if user_id is not None:
        query = query.where(people.c.user_id == user_id)
    return await store.read(lambda snapshot: list(snapshot.connection.execute(query)))


async def reindex(
    store: Store, person: int, zone_for: Callable[[str], dt.tzinfo], conventions: Conventions = DEFAULT
) -> AsyncIterator[int]:
    """Reads all messages of a person anew; yields after every block how many were read in it."""
    block = 0
    while True:
        count, more = await store.write(partial(_step, person, block, zone_for, conventions))
        yield count
        if not more:
            return
        block += 1
        await anyio.lowlevel.checkpoint()  # the lock is free for those who wait to write


def _step(
    person: int, block: int, zone_for: Callable[[str], dt.tzinfo], conventions: Conventions, connection: Connection
) -> tuple[int, bool]:
    """Reads a block anew; how many messages it holds, and whether another one comes behind it."""
    row = connection.execute(select(people).where(people.c.person == person).with_for_update()).one()
    whole = block < row.messages // BLOCK
    zone = zone_for(row.user_id)
    return (_block(connection, row, block, zone, conventions) if whole else _rest(connection, row, zone, conventions)), whole


def _read(
    connection: Connection, person: int, first: int, end: int, zone: dt.tzinfo, conventions: Conventions, kind: str
) -> tuple[list[Prepared], dict[str, int]]:
    """Reads messages `[first, end)` and writes their rows; what changes in the person's sums."""
    c = messages.c
    query = select(messages).where(c.person == person, c.no >= first, c.no < end).order_by(c.no)
    old = connection.execute(query).all()
    given = [NewMessage(row.role, row.content, row.observed_ms, row.given_importance, row.given_confidence) for row in old]
    prepared = [read(message, zone, conventions, kind) for message in given]
    if prepared:
        derived = [name for name in prepared[0].row if name not in ("role", "content", "observed_ms")]
        change = (
            update(messages)
            .where(c.person == person, c.no == bindparam("at"))
            .values({name: bindparam(f"new_{name}") for name in derived})
        )
        rows = [{f"new_{name}": new.row[name] for name in derived} | {"at": no} for no, new in enumerate(prepared, first)]
        connection.execute(change, rows)
        connection.execute(delete(events).where(events.c.person == person, events.c.no >= first, events.c.no < end))
        insert_all(connection, events, further(person, first, prepared))
    lost = sum(row.observed_ms is None and row.event_ms is None for row in old)
    undated = sum(new.row["observed_ms"] is None and new.row["event_ms"] is None for new in prepared)
    terms = sum(new.row["length"] for new in prepared) - sum(row.length for row in old)
    return prepared, {"terms": terms, "undated": undated - lost}


def _kind(person: Row[Any]) -> str:
    return "message" if person.source == "chat" else "mention"


def _block(connection: Connection, person: Row[Any], block: int, zone: dt.tzinfo, conventions: Conventions) -> int:
    number, first, end = person.person, block * BLOCK, (block + 1) * BLOCK
    prepared, change = _read(connection, number, first, end, zone, conventions, _kind(person))
    if block < person.blocks:
        known = select(blocks.c.terms).where(blocks.c.person == number, blocks.c.block == block)
        terms = unpack_terms(connection.execute(known).scalar_one())
        for at in range(0, len(terms), _CHUNK):
            some = (index.c.person == number, index.c.block == block, index.c.term.in_(terms[at : at + _CHUNK]))
            counted = connection.execute(select(index.c.term, index.c.count).where(*some)).all()
            count_terms(connection, number, [(term, -count) for term, count in counted])
        gone = delete(index).where(index.c.person == number, index.c.block == block, index.c.term == bindparam("gone"))
        connection.execute(gone, [{"gone": term} for term in terms])
        connection.execute(delete(blocks).where(blocks.c.person == number, blocks.c.block == block))
    else:
        young = read_tail(connection, number, person.blocks * BLOCK, person.messages)
        young.cut(block)
        write_tail(connection, number, young)
    fresh = Tail(first)
    fresh.take(pack_batch([new.counts for new in prepared], first), end)
    write_block(connection, number, block, fresh.cut(block))
    _sums(connection, person, change, max(person.blocks, block + 1), person.rules)
    return len(prepared)


def _rest(connection: Connection, person: Row[Any], zone: dt.tzinfo, conventions: Conventions) -> int:
    number, first = person.person, person.messages // BLOCK * BLOCK
    prepared, change = _read(connection, number, first, person.messages, zone, conventions, _kind(person))
    young = Tail(first)
    young.take(pack_batch([new.counts for new in prepared], first), person.messages)
    write_tail(connection, number, young)
    _sums(connection, person, change, person.messages // BLOCK, RULES)
    return len(prepared)


def _sums(connection: Connection, person: Row[Any], change: dict[str, int], full: int, rules: int) -> None:
    connection.execute(
        update(people).where(people.c.person == person.person).values(
            terms=person.terms + change["terms"], undated=person.undated + change["undated"], blocks=full, rules=rules,
            revision=person.revision + 1,
        )
    )  # fmt: skip
