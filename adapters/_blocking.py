"""Blocking readers in a thread that stops when the question is given up.

Cancellation does not reach a thread: what it reads goes on, with its file or connection open. So the reader is handed a `Stop`, asks
it as it goes, and tells it how to break what it may be waiting in; `in_thread` does not return before the thread has ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")
# What is read by so many seconds before the deadline can still be handed in.
HAND_IN_SECONDS = 0.25


class Stopped(Exception):
    """The question was given up: the reader ends, its result is of no use."""


class Stop:
    """Asked by a reader in a thread, set from the event loop. `deadline` is on `time.monotonic`'s clock, in seconds."""

    def __init__(self, deadline: float = float("inf")) -> None:
        self._set = threading.Event()
        self._lock = threading.Lock()
        self._ends: list[Callable[[], object]] = []
        self._deadline = deadline

    def check(self) -> None:
        """Raises Stopped once the question has been given up. Ask it every few milliseconds of work."""
        if self._set.is_set():
            raise Stopped

    @property
    def late(self) -> bool:
        """Whether the deadline is so near that the reader hands in what it has."""
        return self.left <= 0

    @property
    def left(self) -> float:
        """Seconds until the reader hands in what it has; none when it is late."""
        return max(0.0, self._deadline - HAND_IN_SECONDS - time.monotonic())

    def breaks(self, end: Callable[[], object]) -> None:
        """`end` (a socket's shutdown, a connection's interrupt) is called, from another thread, when the question is given up, and
        again until the reader has ended: an interrupt that comes before its statement has begun does nothing.
        """
        with self._lock:
            self._ends.append(end)

    @contextmanager
    def breaking(self, end: Callable[[], object]) -> Iterator[None]:
        """As `breaks`, as long as the context lasts: for what others use afterwards."""
        self.breaks(end)
        try:
            yield
        finally:
            with self._lock:
                self._ends.remove(end)

    def set(self) -> None:
        self._set.set()
        with self._lock:  # nobody else is handed what is about to be broken
            for end in self._ends:
                with suppress(Exception):  # what is already closed need not be closed again
                    end()


async def in_thread(
    work: Callable[[Stop], T], deadline: float = float("inf"), limiter: anyio.CapacityLimiter | None = None
) -> T:
    """The result of `work` in a worker thread. Its exceptions pass; cancellation stops it and waits until it has ended."""
    # The two clocks may differ by a constant: what is left of the time is the same on both.
    stop = Stop(time.monotonic() + deadline - anyio.current_time())
    turn = threading.Lock()
    begun = given_up = ended = False
    outcome: list[T] = []
    failure: list[Exception] = []

    def run() -> None:
        nonlocal begun, ended
        with turn:
            if given_up:
                return
            begun = True
        try:
            outcome.append(work(stop))
        except Exception as error:  # handed to the caller below, whether it still waits or not
            failure.append(error)
        finally:
            ended = True

    async with limiter or anyio.CapacityLimiter(1):
        try:
            await anyio.to_thread.run_sync(run, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1))
        except anyio.get_cancelled_exc_class():
            with turn:  # the thread may never have come to it
                given_up = True
            pause = 0.01
            while begun and not ended:
                with anyio.CancelScope(shield=True):
                    await anyio.to_thread.run_sync(stop.set, limiter=anyio.CapacityLimiter(1))
                    await anyio.sleep(pause)
                pause = min(2 * pause, 0.5)
            raise
    if failure:
        raise failure[0]
    return outcome[0]
