"""Remembering what was made of people's messages, of those who asked last."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

_BY_ITSELF = 100  # so many messages weigh what a person's arrays take beside their content
V = TypeVar("V")


class Kept(Generic[V]):
    """What was last asked for, by person, as far as it weighs no more than `room` together; the last one however heavy."""

    def __init__(self, room: int) -> None:
        self._kept: OrderedDict[int, tuple[V, int]] = OrderedDict()
        self._room, self._weight = room, 0

    def get(self, person: int) -> V | None:
        found = self._kept.get(person)
        return None if found is None else found[0]

    def keep(self, person: int, value: V, messages: int) -> None:
        """Keeps what was made of so many messages; what was longest not asked for goes."""
        weight = messages + _BY_ITSELF
        _, before = self._kept.pop(person, (None, 0))
        self._kept[person] = value, weight
        self._weight += weight - before
        while len(self._kept) > 1 and self._weight > self._room:
            _, (_, gone) = self._kept.popitem(last=False)
            self._weight -= gone
