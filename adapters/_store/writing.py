"""Writing: a message is read once, here, for its event time, status, weights and terms."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import anyio.to_thread
from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from adapters._store.database import insert_all
from adapters._store.embedding import MODEL
from adapters._store.postings import BLOCK, Tail, pack_batch, pack_terms
from adapters._store.schema import blocks, events, index, messages, people, requests, tail, terms
from adapters._store.store import Snapshot, Store
from adapters._store.timeline import CORRECTS, DONE, SCORED, pack_columns
from adapters._times import from_ms, to_ms
from planner import words
from planner.parts import read_statements
from planner.ranges import FIRST_YEAR, LAST_YEAR
from planner.resolution import DEFAULT, Conventions
from planner.restatement import Gist, amends
from planner.statements import Statement

# The version of what is read from a message. A change that alters rows or terms adds one: `temporal-recall reindex` reads anew.
RULES = 4
# Made once: to build a statement costs more than to run it.
_PERSON = select(people).where(people.c.user_id == bindparam("whose"), people.c.source == bindparam("kind"))
_LOCKED = _PERSON.with_for_update()
_KNOWN = select(requests.c.request_id).where(
    requests.c.person == bindparam("number"), requests.c.request_id.in_(bindparam("some", expanding=True))
)
_CHANGE = update(people).where(people.c.person == bindparam("number"))
_SCORED = (
    select(*[messages.c[name] for name in SCORED])
    .where(messages.c.person == bindparam("number"), messages.c.no >= bindparam("first"), messages.c.no < bindparam("end"))
    .order_by(messages.c.no)
)
_CHUNK = 500
_TERM_LENGTH = 64
_ASKS = re.compile(r"[?？]\s*(?:\[|$)|[吗呢]\W*$")  # what ends with a question waits for an answer
_TERMS_AT_MOST = 4000


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to be kept. `observed_ms` is Unix milliseconds, None when unknown.

    `importance` and `confidence`, in [0, 1], overrule what is read from the text.
    """

    role: str
    content: str
    observed_ms: int | None
    importance: float | None = None
    confidence: float | None = None


class Prepared(NamedTuple):
    """What is derived from a message: its row without its place, its terms with their counts, the rows of its further events."""

    row: dict[str, Any]
    counts: Counter[str]
    further: Sequence[dict[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages that are kept or known together, under the id of the request that brings them."""

    request_id: str
    session_id: str
    messages: Sequence[NewMessage]


async def add(
    store: Store,
    user_id: str,
    request_id: str,
    session_id: str,
    batch: Sequence[NewMessage],
    zone: dt.tzinfo,
    conventions: Conventions = DEFAULT,
    source: str = "chat",
) -> bool:
    """Keeps a batch; False if this request of this user was kept before (the first write wins).

    Relative times are read at each message's own moment, in `zone`. All or nothing: an error leaves no part of the batch.
    """
    return await add_all(store, user_id, [Batch(request_id, session_id, batch)], zone, conventions, source) == 1


async def add_all(
    store: Store,
    user_id: str,
    batches: Sequence[Batch],
    zone: dt.tzinfo,
    conventions: Conventions = DEFAULT,
    source: str = "chat",
) -> int:
    """Keeps those batches whose request is new, in one transaction, all or nothing; how many they were. As `add` otherwise."""
    first: dict[str, Batch] = {}
    for batch in batches:
        first.setdefault(batch.request_id, batch)
    known = await known_of(store, user_id, list(first), source) if len(first) > 1 else set()
    new = [batch for batch in first.values() if batch.request_id not in known]

    def prepare() -> list[tuple[Batch, list[Prepared]]]:
        return [(batch, [read(message, zone, conventions) for message in batch.messages]) for batch in new]

    prepared = await anyio.to_thread.run_sync(prepare) if new else []
    if not prepared:
        return 0

    def write(connection: Connection) -> int:
        person = locked_person(connection, user_id, source)
        kept = known_requests(connection, person.person, [batch.request_id for batch, _ in prepared])
        fresh = [(batch, read) for batch, read in prepared if batch.request_id not in kept]
        if fresh:
            keep(connection, person, [(b.request_id, n, b.session_id, row) for b, read in fresh for n, row in enumerate(read)])
        return len(fresh)

    try:
        return await store.write(write)
    except IntegrityError:
        # Another process kept one of the requests between our look and our write: now it is seen.
        return await store.write(write)


async def known_of(store: Store, user_id: str, request_ids: Sequence[str], source: str = "chat") -> set[str]:
    """Those of the requests that were kept for the person before."""

    def look(snapshot: Snapshot) -> set[str]:
        person = snapshot.connection.execute(_PERSON, {"whose": user_id, "kind": source}).first()
        return set() if person is None else known_requests(snapshot.connection, person.person, request_ids)

    return await store.read(look)


def known_requests(connection: Connection, person: int, request_ids: Sequence[str]) -> set[str]:
    """Those of the requests that a person, by number, has."""
    known: set[str] = set()
    for at in range(0, len(request_ids), _CHUNK):
        asked = {"number": person, "some": request_ids[at : at + _CHUNK]}
        known.update(connection.execute(_KNOWN, asked).scalars())
    return known


def keep(connection: Connection, person: Row[Any], given: Sequence[tuple[str, int, str, Prepared]]) -> None:
    """Writes messages of new requests behind the person's last: request id, position in it, session id, what was read."""
    first, number = person.messages, person.person
    sessions = {request: session for request, _, session, _ in given}
    insert_all(connection, requests, [{"person": number, "request_id": r, "session_id": s} for r, s in sessions.items()])
    rows = [
        read.row | {"person": number, "no": no, "request_id": request, "position": position, "session_id": session}
        for no, (request, position, session, read) in enumerate(given, first)
    ]
    insert_all(connection, messages, rows)
    insert_all(connection, events, further(number, first, [read for *_, read in given]))
    postings = pack_batch([read.counts for *_, read in given], first)
    insert_all(connection, tail, [{"person": number, "first": first, "postings": postings}])
    changed: dict[str, Any] = {
        "messages": first + len(rows),
        "terms": person.terms + sum(row["length"] for row in rows),
        "undated": person.undated + sum(row["observed_ms"] is None and row["event_ms"] is None for row in rows),
        "blocks": _fill(connection, number, person.blocks, first + len(rows)),
    }
    times = [row["observed_ms"] for row in rows if row["observed_ms"] is not None]
    if times:
        changed["newest_ms"] = max(times) if person.newest_ms is None else max(*times, person.newest_ms)
    connection.execute(_CHANGE, {"number": number, **changed})


def further(person: int, first: int, prepared: Sequence[Prepared]) -> list[dict[str, Any]]:
    """The rows of the further events of messages from `first` on."""
    return [row | {"person": person, "no": no} for no, read in enumerate(prepared, first) for row in read.further]


def _fill(connection: Connection, person: int, full: int, size: int) -> int:
    """Moves what fills whole blocks from the tail to the index; how many blocks are full then."""
    if size < (full + 1) * BLOCK:
        return full
    young = read_tail(connection, person, full * BLOCK, size)
    while size >= (full + 1) * BLOCK:
        write_block(connection, person, full, young.cut(full))
        full += 1
    write_tail(connection, person, young)
    return full


def read_tail(connection: Connection, person: int, start: int, end: int) -> Tail:
    """The person's tail, from message `start` to `end` (excluded)."""
    found = Tail(start)
    for row in connection.execute(select(tail.c.postings).where(tail.c.person == person).order_by(tail.c.first)):
        found.take(row.postings, end)
    return found


def write_tail(connection: Connection, person: int, young: Tail) -> None:
    """Puts one batch in the place of all of the person's tail."""
    connection.execute(delete(tail).where(tail.c.person == person))
    if young.terms:
        connection.execute(insert(tail), {"person": person, "first": young.start, "postings": young.body()})


def write_block(connection: Connection, person: int, block: int, postings: Sequence[tuple[str, int, bytes]]) -> None:
    """Writes a block: its postings as rows of (term, count, postings), and the columns of its messages, which are there."""
    asked = {"number": person, "first": block * BLOCK, "end": (block + 1) * BLOCK}
    columns = pack_columns(connection.execute(_SCORED, asked).all())
    rows = [{"person": person, "term": term, "block": block, "count": n, "postings": body} for term, n, body in postings]
    insert_all(connection, index, rows)
    count_terms(connection, person, [(term, n) for term, n, _ in postings])
    packed = pack_terms(term for term, _, _ in postings)
    connection.execute(insert(blocks), {"person": person, "block": block, "columns": columns, "terms": packed})


def count_terms(connection: Connection, person: int, more: Sequence[tuple[str, int]]) -> None:
    """So many more messages of blocks hold these terms."""
    insert_all(connection, terms, [{"person": person, "term": term, "count": count} for term, count in more], adding="count")


def locked_person(connection: Connection, user_id: str, source: str) -> Row[Any]:
    """The person's row, locked; writes a new person down."""
    asked = {"whose": user_id, "kind": source}
    found = connection.execute(_LOCKED, asked).first()
    if found is None:
        # Another process may be first to write this person down.
        with suppress(IntegrityError), connection.begin_nested():
            connection.execute(
                insert(people).values(user_id=user_id, source=source, messages=0, terms=0, rules=RULES, model=MODEL)
            )
        found = connection.execute(_LOCKED, asked).one()
    return found


def read(message: NewMessage, zone: dt.tzinfo, conventions: Conventions, kind: str = "message") -> Prepared:
    """What is derived from a message; `kind` is the type of what says nothing else."""
    observed = None
    if message.observed_ms is not None:
        try:
            observed = from_ms(message.observed_ms, zone)
        except OverflowError:
            observed = None
        if observed is not None and not FIRST_YEAR <= observed.year <= LAST_YEAR:
            observed = None  # a moment at the calendar's ends or outside dates nothing, but the message is kept
    statement, *others = read_statements(message.content, observed, conventions, by_user=message.role != "assistant", zone=zone)
    told = message.content if statement.told is None else message.content[slice(*statement.told)]
    said = words.terms(message.content)[:_TERMS_AT_MOST]
    counts = Counter([*[term[:_TERM_LENGTH] for term in said], *words.pairs(message.content)[:_TERMS_AT_MOST]])
    first = _told(statement, message, kind)
    gist = Gist(told, spans_of(first["time_spans"]))
    further = [_told(other, message, kind) | {"part": n} for n, other in enumerate(others, 1)]
    marks = 0
    for each in (first, *further):
        marks |= _marks(each, message.content)
    row = first | {
        "role": message.role[:128],
        "content": message.content,
        "observed_ms": None if observed is None else message.observed_ms,
        "question": statement.question and _ASKS.search(message.content) is not None,
        "length": len(said),
        "aside": statement.aside,
        "given_importance": message.importance,
        "given_confidence": message.confidence,
        "said": " ".join(gist.said),
        "marks": marks,
    }
    return Prepared(row, counts, further)


def _marks(told: dict[str, Any], content: str) -> int:
    """What an event of a message may do to what was told before."""
    if told["moved"] or told["status"] == "cancelled":
        return CORRECTS
    done = DONE if told["status"] == "done" else 0
    if told["event_ms"] is None:
        return done
    denies = told["negated"] and told["status"] in ("planned", "due")
    text = content if told["told"] is None else content[slice(*spans_of(told["told"])[0])]
    puts_right = denies or amends(words.blanked(text, spans_of(told["time_spans"])))
    return done | (CORRECTS if puts_right else 0)


def _told(statement: Statement, message: NewMessage, kind: str) -> dict[str, Any]:
    """The columns of what a message tells of an event; the places of its times are those in the part that tells of it."""
    event, begin = statement.event, 0 if statement.told is None else statement.told[0]
    return {
        "event_ms": to_ms(event.start) if event is not None and event.start is not None else None,
        "event_end_ms": to_ms(event.end) if event is not None and event.end is not None else None,
        "event_grain": int(statement.grain) if event is not None and statement.grain is not None else None,
        "status": statement.status,
        "type": statement.type or kind,
        "importance": statement.importance if message.importance is None else message.importance,
        "confidence": statement.confidence if message.confidence is None else message.confidence,
        "negated": statement.negated,
        "moved": statement.moved,
        "told": None if statement.told is None else "{}-{}".format(*statement.told),
        "time_spans": " ".join(f"{start - begin}-{end - begin}" for start, end in statement.time_spans[:40]),
    }


@lru_cache(maxsize=4096)
def spans_of(text: str) -> tuple[tuple[int, int], ...]:
    """The spans that a row's `time_spans`, or its `told`, spells."""
    if not text:
        return ()
    numbers = map(int, text.replace("-", " ").split())
    return tuple(zip(numbers, numbers, strict=True))
