"""Postings: which messages of a person hold a term, and how often.

Messages are numbered from 0 in the order they were written. Every 2048 of them are a block: of each term, one row with the places
in the block (16 bits) and the counts (8 bits). Younger messages are the tail: one JSON object a batch, {term: [number, count, ...]}.
So a batch is one small write, a block one write a term, and a question reads of its terms what lies where it looks.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from sqlalchemy import Row

BLOCK = 2048
_MOST = 255  # a message that says a word more often is no better a match
Numbers = npt.NDArray[np.signedinteger[Any]]


def unpack(rows: Sequence[Row[str, int, int, bytes]]) -> tuple[Numbers, Numbers]:
    """The numbers of the messages and the counts, of (term, block, how many, postings): all places `[0, BLOCK)`, then all counts."""
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
    found: dict[str, list[int]] = defaultdict(list)
    for number, message in enumerate(counts, first):
        for term, count in message.items():
            found[term] += (number, count if count < _MOST else _MOST)
    return orjson.dumps(found)


class Tail:
    """The postings of a person's messages from `start` on, up to `end` (excluded)."""

    __slots__ = ("end", "start", "terms")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.terms: dict[str, list[int]] = {}

    def take(self, body: bytes, end: int) -> None:
        """Takes in a batch's postings, which cover the messages from `self.end` on and up to `end` at most."""
        terms = self.terms
        for term, flat in orjson.loads(body).items():
            known = terms.get(term)
            if known is None:
                terms[term] = flat
            else:
                known += flat
        self.end = end

    def of(self, terms: Iterable[str], end: int) -> tuple[Numbers, Numbers, Numbers]:
        """The numbers and counts of the messages before `end` that hold each of the terms, one term behind the other, and how many each."""
        found = [self.terms.get(term, ())[:] for term in terms]
        pairs = np.fromiter(chain.from_iterable(found), np.int64, sum(map(len, found))).reshape(-1, 2)
        sizes = np.array([len(flat) // 2 for flat in found], np.int64)
        inside = pairs[:, 0] < end
        if not inside.all():
            sizes = np.diff(np.concatenate(([0], np.cumsum(inside)))[np.concatenate(([0], np.cumsum(sizes)))])
            pairs = pairs[inside]
        return pairs[:, 0], pairs[:, 1], sizes

    def cut(self, block: int) -> list[tuple[str, int, bytes]]:
        """Takes the block out of the tail, as rows of (term, count, postings) in the terms' order."""
        first, until = block * BLOCK, (block + 1) * BLOCK
        terms = sorted(self.terms)
        sizes = [len(self.terms[term]) // 2 for term in terms]
        flat = chain.from_iterable(map(self.terms.__getitem__, terms))
        pairs = np.fromiter(flat, np.int64, 2 * sum(sizes)).reshape(-1, 2)
        # All terms at once: one by one they are a hundred times as slow.
        before = np.concatenate([[0], np.cumsum(pairs[:, 0] < until)])
        places, counts = (pairs[:, 0] - first).astype("<u2").tobytes(), pairs[:, 1].astype("u1").tobytes()
        rows = []
        rest: dict[str, list[int]] = {}
        at = 0
        for term, size in zip(terms, sizes, strict=True):
            end = at + int(before[at + size] - before[at])
            if end > at:
                rows.append((term, end - at, places[2 * at : 2 * end] + counts[at:end]))
            if end < at + size:
                rest[term] = self.terms[term][2 * (end - at) :]
            at += size
        self.start, self.terms = until, rest
        return rows

    def body(self) -> bytes:
        """The whole tail as one batch."""
        return orjson.dumps(self.terms)
