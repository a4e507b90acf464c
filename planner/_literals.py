"""What every match of a pattern holds: so it is known of most patterns, without a search, that a text has no match.

A pattern that is parsed tells a set of literals one of which stands in every match (the prefilter of RE2, Russ Cox, 2010). An
automaton (Aho and Corasick, 1975) finds in one pass which literals of many patterns a text holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from ahocorasick_rs import AhoCorasick

# Classes of more characters, and alternatives of more words, tell too little.
_CLASS, _WORDS = 24, 400


def literals(pattern: str) -> frozenset[str] | None:
    """A set of which every match of the pattern holds at least one; None where it tells none."""
    parsed = _parser.parse(pattern)
    return None if parsed.state.flags & re.IGNORECASE else _of(parsed)


def _of(parsed: Sequence[tuple[Any, Any]]) -> frozenset[str] | None:
    found: list[frozenset[str]] = []
    runs = [""]
    for what, value in parsed:
        chars = _chars(what, value)
        if chars and len(runs) * len(chars) <= _CLASS:
            runs = [run + char for run in runs for char in chars]
            continue
        found.append(frozenset(runs))
        runs = list(chars) if chars else [""]
        part = None if chars else _one(what, value)
        if part is not None:
            found.append(part)
    found.append(frozenset(runs))
    # The longer the shortest is, the rarer they are; of equals the fewer.
    best = max(found, key=lambda words: (min(min(map(_length, words)), 3), -len(words)))
    return None if "" in best else best


def _chars(what: Any, value: Any) -> list[str]:
    """The characters that may stand where one does, if it is one and they are few."""
    if what is op.LITERAL:
        return [chr(value)]
    if what is op.IN and len(value) <= _CLASS and all(kind is op.LITERAL for kind, _ in value):
        return [chr(code) for _, code in value]
    return []


def _length(word: str) -> int:
    return len(word) if word.isascii() else 2 * len(word)  # a character of Chinese tells as much as half a word


def _one(what: Any, value: Any) -> frozenset[str] | None:
    if what is op.SUBPATTERN:
        return _of(value[3]) if not value[1] & re.IGNORECASE else None
    if what is op.ATOMIC_GROUP:
        return _of(value)
    if what is op.ASSERT:
        return _of(value[1])
    if what in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _of(value[2]) if value[0] else None
    if what is op.BRANCH:
        parts = [_of(branch) for branch in value[1]]
        if any(part is None for part in parts):
            return None
        words = frozenset[str]().union(*(part for part in parts if part is not None))
        return words if len(words) <= _WORDS else None
    return None


class Prefilter:
    """Of patterns by name, those that may be found in a text, letter for letter."""

    def __init__(self, patterns: Iterable[tuple[str, str]]) -> None:
        self._always: set[str] = set()
        names: dict[str, set[str]] = {}
        for name, pattern in patterns:
            words = literals(pattern)
            if words is None:
                self._always.add(name)
            else:
                for word in words:
                    names.setdefault(word, set()).add(name)
        self._names = list(names.values())
        self._words = AhoCorasick(list(names))

    def possible(self, text: str) -> set[str]:
        """The names of the patterns that may have a match."""
        matches = self._words.find_matches_as_indexes(text, overlapping=True)
        return self._always.union(*[self._names[word] for word in {word for word, _, _ in matches}])
