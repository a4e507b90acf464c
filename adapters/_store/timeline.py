"""A person's messages in the order they were observed, without their texts: what scoring needs of every one of them, kept in memory."""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters._store.schema import messages
from planner import words

NEIGHBOURS = ((1, 0.5), (2, 0.25), (3, 0.1))
ANSWER = 1.5  # a question passes more of its match on to the message behind it
STEP_MS = 3_600_000  # neighbours are at most an hour apart, step by step
_CACHED_MESSAGES = 2_000_000
_REMEMBERED = 200_000  # neighbourhoods of the messages that were met, until new ones come


class Timeline:
    """One person's messages in the order they were observed: what scoring needs of every message, without the texts."""

    __slots__ = (
        "event",
        "event_end",
        "events",
        "length",
        "longest",
        "names",
        "near",
        "no_at",
        "observed",
        "place",
        "question",
        "role",
        "roles",
        "size",
        "times",
        "undated",
    )

    def __init__(self) -> None:
        self.near: dict[int, list[tuple[int, float]]] = {}
        self.size = 0
        self.observed, self.event, self.event_end = array("q"), array("q"), array("q")
        self.length, self.role = array("i"), array("i")
        self.question = bytearray()
        self.roles: dict[str, int] = {}
        self.names: list[tuple[re.Pattern[str], int]] = []
        self.no_at, self.times, self.place = array("i"), array("q"), array("i")
        self.events: list[tuple[int, int, int]] = []
        self.longest = 0
        self.undated = 0

    def extend(self, rows: Iterable[Any]) -> None:
        for row in rows:
            self.observed.append(NONE if row.observed_ms is None else row.observed_ms)
            self.event.append(NONE if row.event_ms is None else row.event_ms)
            self.event_end.append(NONE if row.event_end_ms is None else row.event_end_ms)
            self.length.append(row.length)
            if row.role not in self.roles:
                self.roles[row.role] = len(self.roles)
                if row.role.lower() not in ("user", "assistant", "system", "tool"):
                    self.names.append(
                        (
                            re.compile(
                                rf"(?<!\w){re.escape(words.fold(row.role))}(?!\w)"
                                if row.role.isascii()
                                else re.escape(words.fold(row.role))
                            ),
                            self.roles[row.role],
                        )
                    )
            self.role.append(self.roles[row.role])
            self.question.append(row.question)
        self.size = len(self.observed)
        self.undated = sum(at == event == NONE for at, event in zip(self.observed, self.event, strict=True))
        spans = ((at, max(self.event_end[no], at + 1), no) for no, at in enumerate(self.event) if at != NONE)
        self.events = sorted(spans)
        self.longest = max((until - at for at, until, _ in self.events), default=0)
        dated = sorted((self.observed[no], no) for no in range(self.size) if self.observed[no] != NONE)
        self.times = array("q", [at for at, _ in dated])
        self.no_at = array("i", [no for _, no in dated])
        self.place = array("i", [-1]) * self.size
        for place, no in enumerate(self.no_at):
            self.place[no] = place
        self.near.clear()

    def neighbours(self, no: int) -> list[tuple[int, float]]:
        """The messages that what is said in `no` also speaks for, with the weight it counts there."""
        found = self.near.get(no)
        if found is None:
            if len(self.near) >= _REMEMBERED:
                self.near.clear()
            found = self.near[no] = self._neighbours(no)
        return found

    def _neighbours(self, no: int) -> list[tuple[int, float]]:
        place = self.place[no]
        if place < 0:
            return []
        found = []
        times, no_at = self.times, self.no_at
        for step in (1, -1):
            at = place
            for distance, weight in NEIGHBOURS:
                after = at + step
                gap = abs(times[after] - times[at]) if 0 <= after < len(times) else -1
                # Records of the very same moment are a batch, not a conversation.
                if not 0 < gap <= STEP_MS:
                    break
                at = after
                found.append((no_at[at], weight * (ANSWER if step == 1 and distance == 1 and self.question[no] else 1.0)))
        return found


NONE = -(2**62)


class Timelines:
    """The timelines of the people last asked for, up to two million messages together."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Timeline] = OrderedDict()

    async def of(self, connection: AsyncConnection, person: int, count: int) -> Timeline:
        timeline = self._kept.pop(person, None) or Timeline()
        if timeline.size < count:
            query = (
                select(
                    messages.c.observed_ms,
                    messages.c.event_ms,
                    messages.c.event_end_ms,
                    messages.c.length,
                    messages.c.role,
                    messages.c.question,
                )
                .where(messages.c.person == person, messages.c.no >= timeline.size)
                .order_by(messages.c.no)
            )
            timeline.extend((await connection.execute(query)).all())
        self._kept[person] = timeline
        while len(self._kept) > 1 and sum(t.size for t in self._kept.values()) > _CACHED_MESSAGES:
            self._kept.popitem(last=False)
        return timeline
