"""Writing: a message is read once, here, for its event time, status, weights and terms."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters._store.schema import messages, people, postings, requests
from adapters._store.store import Store
from adapters._times import from_ms, to_ms
from planner import words
from planner.resolution import DEFAULT, Conventions
from planner.statements import read_statement

_TERM_LENGTH = 64
_ASKS = re.compile(r"[?？]\s*(?:\[|$)|[吗呢]\W*$")  # what ends with a question waits for an answer
_TERMS_AT_MOST = 4000


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to be kept. `observed_ms` is Unix milliseconds, None when unknown."""

    role: str
    content: str
    observed_ms: int | None


async def add(
    store: Store,
    user_id: str,
    request_id: str,
    session_id: str,
    batch: Sequence[NewMessage],
    zone: dt.tzinfo,
    conventions: Conventions = DEFAULT,
) -> bool:
    """Keeps a batch; False if this request of this user was kept before (the first write wins).

    Relative times are read at each message's own moment, in `zone`. All or nothing: an error leaves no part of the batch.
    """
    prepared = [_prepare(message, zone, conventions) for message in batch]
    async with store.write_lock:
        try:
            async with store.engine.begin() as connection:
                if connection.dialect.name == "sqlite":
                    # The write lock is taken before the person's count is read: another process may be adding too.
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                person, kept = await _person(connection, user_id)
                known = select(requests.c.request_id).where(requests.c.person == person, requests.c.request_id == request_id)
                if (await connection.execute(known)).first() is not None:
                    return False
                await connection.execute(
                    insert(requests), {"person": person, "request_id": request_id, "session_id": session_id}
                )
                rows, terms, length = [], [], 0
                for position, (row, counts) in enumerate(prepared):
                    no = kept + position
                    rows.append(
                        row
                        | {"person": person, "no": no, "request_id": request_id, "position": position, "session_id": session_id}
                    )
                    terms += [{"person": person, "term": t, "no": no, "count": min(n, 32767)} for t, n in counts.items()]
                    length += row["length"]
                await connection.execute(insert(messages), rows)
                if terms:
                    await connection.execute(insert(postings), terms)
                times = [row["observed_ms"] for row in rows if row["observed_ms"] is not None]
                newest: Any = people.c.newest_ms
                if times:
                    greatest = func.max if connection.dialect.name == "sqlite" else func.greatest
                    newest = greatest(func.coalesce(newest, max(times)), max(times))
                await connection.execute(
                    update(people).where(people.c.person == person).values(
                        messages=people.c.messages + len(rows), terms=people.c.terms + length, newest_ms=newest
                    )
                )  # fmt: skip
        except IntegrityError:
            # Another process kept the same request between our look and our write; ours must not be kept twice.
            async with store.engine.connect() as connection:
                found = await connection.execute(
                    select(requests.c.request_id).join(people, people.c.person == requests.c.person).where(
                        people.c.user_id == user_id, requests.c.request_id == request_id
                    )
                )  # fmt: skip
                if found.first() is not None:
                    return False
            raise
    return True


async def _person(connection: AsyncConnection, user_id: str) -> tuple[int, int]:
    """The person's number and how many messages they have; writes a new person down."""
    query = select(people.c.person, people.c.messages).where(people.c.user_id == user_id).with_for_update()
    found = (await connection.execute(query)).first()
    if found is not None:
        return found.person, found.messages
    made = await connection.execute(insert(people).values(user_id=user_id, messages=0, terms=0))
    key = made.inserted_primary_key
    assert key is not None
    return key[0], 0


def _prepare(message: NewMessage, zone: dt.tzinfo, conventions: Conventions) -> tuple[dict[str, Any], Counter[str]]:
    observed = None
    if message.observed_ms is not None:
        try:
            observed = from_ms(message.observed_ms, zone)
        except OverflowError:  # a moment outside of the calendar dates nothing, but the message is kept
            observed = None
    statement = read_statement(message.content, observed, conventions, by_user=message.role != "assistant")
    event = statement.event
    terms = words.terms(message.content)[:_TERMS_AT_MOST]
    counts = Counter(term[:_TERM_LENGTH] for term in terms)
    counts.update(words.pairs(message.content)[:_TERMS_AT_MOST])
    return {
        "role": message.role[:128],
        "content": message.content,
        "observed_ms": None if observed is None else message.observed_ms,
        "event_ms": to_ms(event.start) if event is not None and event.start is not None else None,
        "event_end_ms": to_ms(event.end) if event is not None and event.end is not None else None,
        "event_grain": int(statement.grain) if event is not None and statement.grain is not None else None,
        "status": statement.status,
        "type": statement.type or "message",
        "importance": statement.importance,
        "confidence": statement.confidence,
        "negated": statement.negated,
        "moved": statement.moved,
        "question": statement.question and _ASKS.search(message.content) is not None,
        "length": len(terms),
        "aside": statement.aside,
        "time_spans": " ".join(f"{start}-{end}" for start, end in statement.time_spans[:40]),
    }, counts


def spans_of(text: str) -> tuple[tuple[int, int], ...]:
    """The spans that a row's `time_spans` spells."""
    pairs = (part.partition("-") for part in text.split())
    return tuple((int(start), int(end)) for start, _, end in pairs)
