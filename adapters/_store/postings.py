"""Postings: which messages of a person hold a term, and how often.

Messages are numbered from 0 in the order they were written. Every 2048 of them are a block: of each term, one row with the places
in the block (16 bits) and the counts (8 bits). Younger messages are the tail: one JSON object a batch, {term: [number, count, ...]}.
So a batch is one small write, a block one write a term, and a question reads of its terms what lies where it looks.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from sqlalchemy import Row

BLOCK = 2048
_MOST = 255  # a message that says a word more often is no better a match
Numbers = npt.NDArray[np.signedinteger[Any]]


def pack(places: Sequence[int], counts: Sequence[int]) -> bytes:
    """A term's postings in a block: places `[0, BLOCK)` and counts `[1, 255]`."""
    return struct.pack(f"<{len(places)}H", *places) + bytes(counts)


def unpack(rows: Sequence[Row[str, int, int, bytes]]) -> tuple[Numbers, Numbers]:
    """The numbers of the messages and the counts, of (term, block, how many, postings)."""
    sizes = [size for _, _, size, _ in rows]
    places = np.frombuffer(b"".join([body[: 2 * size] for _, _, size, body in rows]), "<u2")
    first = np.repeat(np.array([block * BLOCK for _, block, _, _ in rows], np.int64), sizes)
    return first + places, np.frombuffer(b"".join([body[2 * size :] for _, _, size, body in rows]), "u1").astype(np.int64)


def pack_terms(terms: Iterable[str]) -> bytes:
    return zlib.compress("\n".join(terms).encode(), 1)


def unpack_terms(body: bytes) -> list[str]:
    return zlib.decompress(body).decode().split("\n")


def pack_batch(counts: Sequence[Mapping[str, int]], first: int) -> bytes:
    """The postings of messages `first`, `first + 1`, ..., whose terms are counted."""
    found: dict[str, list[int]] = {}
    for number, message in enumerate(counts, first):
        for term, count in message.items():
            found.setdefault(term, []).extend((number, min(count, _MOST)))
    return orjson.dumps(found)


class Tail:
    """The postings of a person's messages from `start` on, up to `end` (excluded)."""

    __slots__ = ("end", "start", "terms")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.terms: dict[str, list[int]] = {}

    def take(self, body: bytes, end: int) -> None:
        """Takes in a batch's postings, which cover the messages from `self.end` on and up to `end` at most."""
        for term, flat in orjson.loads(body).items():
            self.terms.setdefault(term, []).extend(flat)
        self.end = end

    def of(self, term: str, end: int) -> tuple[Numbers, Numbers]:
        """The numbers and counts of the messages before `end` that hold a term."""
        flat = np.array(self.terms.get(term, ())[:], np.int64).reshape(-1, 2)
        numbers = flat[:, 0]
        inside = slice(None) if not len(numbers) or numbers[-1] < end else numbers < end
        return numbers[inside], flat[:, 1][inside]

    def cut(self, block: int) -> list[tuple[str, int, bytes]]:
        """Takes the block out of the tail, as rows of (term, count, postings) in the terms' order."""
        first, until = block * BLOCK, (block + 1) * BLOCK
        rows = []
        rest: dict[str, list[int]] = {}
        for term, flat in self.terms.items():
            numbers = flat[::2]
            inside = bisect_left(numbers, until)
            if inside:
                rows.append((term, inside, pack([no - first for no in numbers[:inside]], flat[1 : 2 * inside : 2])))
            if inside < len(numbers):
                rest[term] = flat[2 * inside :]
        self.start, self.terms = until, rest
        return sorted(rows)

    def body(self) -> bytes:
        """The whole tail as one batch."""
        return orjson.dumps(self.terms)
