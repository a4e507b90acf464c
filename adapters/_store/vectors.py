"""Finding by meaning: vectors of messages, made in the background, and the messages whose vectors are nearest to a question's.

The queue is what stands in tr_messages beyond a person's `embedded`: nothing of it lives in memory only, so it goes on after a restart,
and of several processes that make the same vectors one keeps them. Every 16 messages are a row of tr_vectors: 384 numbers of 8 bits
a message, and their signs, 48 bytes. The signs are kept in memory for the people asked for last; the messages whose signs differ least
from the question's are then compared by their numbers.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import anyio
import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from adapters._store.embedding import MODEL, SIZE, Vector, embedder
from adapters._store.kept import Kept
from adapters._store.postings import Numbers
from adapters._store.schema import messages, people, vectors
from adapters._store.timeline import Scope

log = logging.getLogger("temporal_recall")

CHUNK = 16  # messages a row
# Cosines: at LOW and below a message has nothing to do with the question, from HIGH on it is what was asked.
LOW, HIGH = 0.05, 0.55
_NEAREST = 400  # by their signs, so many messages are compared by their numbers
_SIGNS = SIZE // 8
_WORDS = SIZE // 64
_AT_ONCE = 65_536  # messages whose signs are compared in one go: what fits the processor's cache
_CACHED_MESSAGES = 2_000_000
_BATCH_CHARACTERS = 2000  # embedded in one go: what a stop or a newcomer waits for
_LOOK_SECONDS, _RETRY_SECONDS = 30, 10
_FAIR = 8  # of so many people with the least to do one is next, at random: other processes choose as well
_ROWS = 500
Values = npt.NDArray[np.float64]
T = TypeVar("T")


class _Run(Protocol):
    def __call__(self, work: Callable[[Connection], T], /) -> Awaitable[T]: ...


class Vectors:
    """The vectors of a store: `start` makes those that are missing until `stop`, `near` finds by them.

    `read` and `write` run a function of a connection in a thread, as `Database` does.
    """

    def __init__(self, read: _Run, write: _Run) -> None:
        self._read, self._write = read, write
        self._signs: Kept[_Signs] = Kept(_CACHED_MESSAGES)
        self._lock = threading.Lock()
        self._woken = anyio.Event()
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._thread: ThreadPoolExecutor | None = None

    # --- the queue ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._stopping = False
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Ends after the batch that is being made, within a second or so."""
        self._stopping = True
        self.wake()
        if self._task is not None:
            await self._task
            self._task = None
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def wake(self) -> None:
        """Something was written."""
        self._woken.set()

    async def waiting(self) -> int:
        """How many messages have no vector yet."""
        query = select(func.coalesce(func.sum(people.c.messages - people.c.embedded), 0)).where(
            people.c.embedded < people.c.messages
        )
        return await self._read(lambda connection: int(connection.execute(query).scalar_one()))

    async def drain(self, told: Callable[[int], None] = lambda count: None) -> None:
        """Makes all vectors that are missing; `told` hears of every batch how many messages it held."""
        await self._renew()
        while (count := await self._next()) is not None and not self._stopping:
            told(count)

    async def _run(self) -> None:
        while not self._stopping:
            self._woken = anyio.Event()
            pause = _LOOK_SECONDS  # what another process wrote is seen by looking
            try:
                await self.drain()
            except Exception as error:  # whatever it was, the service goes on and the queue is tried again
                log.warning("the vectors of messages wait: %s", type(error).__name__)
                pause = _RETRY_SECONDS
            with anyio.move_on_after(pause):
                await self._woken.wait()

    async def _renew(self) -> None:
        """What another model made is made anew."""
        old = update(people).where(people.c.model != MODEL)
        new = old.values(model=MODEL, embedded=0, revision=people.c.revision + 1)
        await self._write(lambda connection: connection.execute(new))

    async def _next(self) -> int | None:
        """Makes one batch of vectors of one person; how many were kept, None when nothing waits."""
        c = messages.c

        def look(connection: Connection) -> tuple[int, int, list[str]] | None:
            few = select(people.c.person, people.c.embedded).where(
                people.c.embedded < people.c.messages, people.c.model == MODEL
            )
            found = connection.execute(few.order_by(people.c.messages - people.c.embedded).limit(_FAIR)).all()
            if not found:
                return None
            person, first = random.choice(found)
            inside = c.no.between(first, first // CHUNK * CHUNK + CHUNK - 1)
            query = select(c.content).where(c.person == person, inside).order_by(c.no)
            return person, first, list(connection.execute(query).scalars())

        waiting = await self._read(look)
        if waiting is None:
            return None
        person, first, texts = waiting
        room, count = _BATCH_CHARACTERS, 0
        for text in texts:
            if count and room < len(text):
                break
            room, count = room - len(text), count + 1
        made = await self._embed(texts[:count])
        return count if await self._keep(person, first, made) else 0

    async def _embed(self, texts: Sequence[str]) -> Vector:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "vectors", _give_way)
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: embedder().texts(texts))

    async def _keep(self, person: int, first: int, made: Vector) -> bool:
        """Writes the vectors of messages `first`, `first + 1`, ... of one chunk; False when another process was faster."""
        chunk, old = first // CHUNK, first % CHUNK
        here = (vectors.c.person == person, vectors.c.chunk == chunk)

        def keep(connection: Connection) -> bool:
            moved = connection.execute(
                update(people)
                .where(people.c.person == person, people.c.embedded == first, people.c.model == MODEL)
                .values(embedded=first + len(made))
            )
            if moved.rowcount != 1:
                return False
            signs, numbers = pack(made)
            if old:
                before = connection.execute(select(vectors).where(*here)).one()
                signs, numbers = before.signs[: old * _SIGNS] + signs, before.numbers[: old * SIZE] + numbers
            connection.execute(delete(vectors).where(*here))
            connection.execute(insert(vectors), {"person": person, "chunk": chunk, "signs": signs, "numbers": numbers})
            return True

        return await self._write(keep)

    # --- finding -----------------------------------------------------------------------------------------------------------

    def near(self, connection: Connection, person: Row[Any], text: str, scope: Scope) -> Values:
        """How near each message of the scope is in meaning to the text, in [0, 1], by place.

        A message is met by its own meaning or its neighbours'. What has no vector yet is met by neither.
        """
        if person.model != MODEL or not person.embedded:
            return np.zeros(scope.size)
        try:
            question = embedder().question(text)
        except (ImportError, OSError, RuntimeError) as error:
            log.warning("the model cannot be loaded, messages are found by words only: %s", type(error).__name__)
            return np.zeros(scope.size)
        with self._lock:
            signs = self._signs.get(person.person)
            if signs is None or signs.revision != person.revision:
                signs = _Signs(person.revision)
            signs.extend(connection, person.person, person.embedded)
            self._signs.keep(person.person, signs, signs.size)
        numbers = signs.nearest(question, person.embedded, scope.numbers)
        cosines = _cosines(connection, person.person, numbers, question)
        own, passed = np.zeros(scope.size), np.zeros(scope.size)
        met = np.clip((cosines - LOW) / (HIGH - LOW), 0, 1) ** 2
        numbers, met = numbers[met > 0], met[met > 0]
        own[scope.places(numbers)[0]] = met
        for there, others, weight in scope.timeline.neighbours(numbers):
            places, heard = scope.places(others)
            passed[places] += (weight * met[there])[heard]
        passed = np.minimum(1.0, passed)
        return own + passed - own * passed


def pack(made: Vector) -> tuple[bytes, bytes]:
    """The signs of vectors, a bit each, and their numbers as bytes; a vector's length is not kept."""
    numbers = np.rint(made * (127 / np.abs(made).max(axis=1, keepdims=True))).astype(np.int8)
    return np.packbits(made > 0, axis=1).tobytes(), numbers.tobytes()


def _give_way() -> None:
    if sys.platform == "linux":  # elsewhere it would be the whole process that gives way
        os.setpriority(os.PRIO_PROCESS, 0, 10)


class _Signs:
    """The signs of a person's first messages, as words of 64 bits, the first words of all messages before the second."""

    def __init__(self, revision: int) -> None:
        self.revision, self.size = revision, 0
        self._words = np.empty((_WORDS, 0), np.uint64)

    def extend(self, connection: Connection, person: int, size: int) -> None:
        if size <= self.size:
            return
        c = vectors.c
        query = (
            select(c.signs)
            .where(c.person == person, c.chunk >= self.size // CHUNK, c.chunk <= (size - 1) // CHUNK)
            .order_by(c.chunk)
        )
        body = b"".join(connection.execute(query).scalars())
        new = np.frombuffer(body, np.uint64).reshape(-1, _WORDS)[self.size % CHUNK :][: size - self.size]
        if size > self._words.shape[1]:
            grown = np.empty((_WORDS, max(size, self.size * 5 // 4)), np.uint64)
            grown[:, : self.size] = self._words[:, : self.size]
            self._words = grown
        self._words[:, self.size : size] = new.T
        self.size = size

    def nearest(self, question: Vector, size: int, among: Numbers | None) -> Numbers:
        """Of the first `size` messages those whose signs differ least from the question's, in no order."""
        asked = np.packbits(question > 0).view(np.uint64)
        if among is not None:
            among = among[among < size]
            size = len(among)
        differ = np.zeros(size, np.uint16)
        for first in range(0, size, _AT_ONCE):
            part = slice(first, min(first + _AT_ONCE, size))
            for words, word in zip(self._words, asked, strict=True):
                differ[part] += np.bitwise_count((words[part] if among is None else words[among[part]]) ^ word)
        best = np.arange(size) if size <= _NEAREST else np.argpartition(differ, _NEAREST - 1)[:_NEAREST]
        return best if among is None else among[best]


def _cosines(connection: Connection, person: int, numbers: Numbers, question: Vector) -> Values:
    """The cosines of messages, given by number, with the question."""
    c = vectors.c
    wanted = np.unique(numbers // CHUNK)
    bodies: dict[int, npt.NDArray[np.int8]] = {}
    for at in range(0, len(wanted), _ROWS):
        query = select(c.chunk, c.numbers).where(c.person == person, c.chunk.in_(wanted[at : at + _ROWS].tolist()))
        for chunk, body in connection.execute(query):
            bodies[chunk] = np.frombuffer(body, np.int8).reshape(-1, SIZE)
    found = np.array([bodies[no // CHUNK][no % CHUNK] for no in numbers.tolist()], np.float32).reshape(-1, SIZE)
    cosines: Values = (found @ question / np.linalg.norm(found, axis=1)).astype(np.float64)
    return cosines
