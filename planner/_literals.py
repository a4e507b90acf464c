"""What every match of a pattern holds: so it is known of most patterns, without a search, that a text has no match.

A pattern that is parsed tells a set of literals one of which stands in every match (the prefilter of RE2, Russ Cox, 2010). An
automaton (Aho and Corasick, 1975) finds in one pass which literals of many patterns a text holds. A pattern of many words is
searched for by those of its alternatives alone that the text may have: tried at every character, they cost far more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from re import _compiler, _parser  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from typing import Any

from ahocorasick_rs import AhoCorasick

# Classes of more characters, and alternatives of more words, tell too little.
_CLASS, _WORDS = 24, 400


def literals(pattern: str) -> frozenset[str] | None:
    """A set of which every match of the pattern holds at least one; None where it tells none."""
    return _literals(_parser.parse(pattern))


def _literals(parsed: Any) -> frozenset[str] | None:
    return None if parsed.state.flags & re.IGNORECASE else _of(parsed.data)


def _of(parsed: Sequence[tuple[Any, Any]]) -> frozenset[str] | None:
    found: list[frozenset[str]] = []
    runs = [""]
    for what, value in parsed:
        if what is op.LITERAL:
            char = chr(value)
            runs = [run + char for run in runs]
            continue
        chars = _chars(what, value)
        if chars and len(runs) * len(chars) <= _CLASS:
            runs = [run + char for run in runs for char in chars]
            continue
        part = None
        if runs[0]:
            found.append(frozenset(runs))
            part = _joined(runs, what, value) if not chars and len(runs[0]) == 1 and runs[0].isalpha() else None
        runs = chars or [""]
        part = part if chars or part is not None else _one(what, value)
        if part is not None:
            found.append(part)
    if runs[0]:
        found.append(frozenset(runs))
    if len(found) > 1:  # the longer the shortest is, the rarer they are; of equals the fewer
        return max(found, key=lambda words: (min(min(map(_length, words)), 3), -len(words)))
    return found[0] if found else None


def _joined(runs: list[str], what: Any, value: Any) -> frozenset[str] | None:
    """The literals of alternatives together with the letter right ahead of them: "is" and "intend" of `i(?:s|ntend)`."""
    told = [
        _of([*((op.LITERAL, ord(char)) for char in run), *branch.data]) for branch in _branches(what, value) for run in runs
    ]
    words = frozenset[str]().union(*(part for part in told if part is not None))
    return words if told and None not in told and len(words) <= _WORDS else None


def _chars(what: Any, value: Any) -> list[str]:
    """The characters that may stand where one does, if it is one of a class and they are few."""
    if what is op.IN and len(value) <= _CLASS and all(kind is op.LITERAL for kind, _ in value):
        return [chr(code) for _, code in value]
    return []


def _length(word: str) -> int:
    return len(word) if word.isascii() else 2 * len(word)  # a character of Chinese tells as much as half a word


def _one(what: Any, value: Any) -> frozenset[str] | None:
    if what is op.SUBPATTERN:
        return _of(value[3].data) if not value[1] & re.IGNORECASE else None
    if what is op.ATOMIC_GROUP:
        return _of(value.data)
    if what is op.ASSERT:
        return _of(value[1].data)
    if what in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _of(value[2].data) if value[0] else None
    if what is op.BRANCH:
        parts = [_of(branch.data) for branch in value[1]]
        if any(part is None for part in parts):
            return None
        words = frozenset[str]().union(*(part for part in parts if part is not None))
        return words if len(words) <= _WORDS else None
    return None


class Part:
    """One alternative of a pattern, compiled when a text first may have it."""

    __slots__ = ("_parsed", "search")

    def __init__(self, parsed: Any) -> None:
        self._parsed = parsed
        self.search: Callable[[str], re.Match[str] | None] = self._first_search

    def _first_search(self, text: str) -> re.Match[str] | None:
        self.search = _compiler.compile(self._parsed).search
        self._parsed = None
        return self.search(text)


# What may stand ahead of the alternatives of a pattern and takes no character.
_NO_CHARACTER = (op.AT, op.ASSERT, op.ASSERT_NOT)


def _parted(parsed: Any) -> list[tuple[Any, frozenset[str] | None]]:
    """Patterns of which a text has one exactly where it has the given one, each with its literals.

    They are its alternatives, if these are what tells the literals.
    """
    items, at = parsed.data, 0
    while at < len(items) and items[at][0] in _NO_CHARACTER:
        at += 1
    branches = _branches(*items[at]) if at < len(items) else ()
    if parsed.state.groups > 2:  # one of them may ask for what another one's group has found
        branches = ()
    words = None if branches and len(items) == 1 else _literals(parsed)
    if not branches or words not in (None, _of(items[at : at + 1])):
        return [(parsed, words)]
    whole = ([*items[:at], *branch.data, *items[at + 1 :]] for branch in branches)
    return [part for one in whole for part in _parted(_parser.SubPattern(parsed.state, one))]


def _branches(what: Any, value: Any) -> Sequence[Any]:
    if what is op.SUBPATTERN and value[:3] == (None, 0, 0) and len(value[3].data) == 1:
        what, value = value[3].data[0]
    return value[1] if what is op.BRANCH else ()


class Prefilter:
    """Of patterns by name, those that may be found in a text, letter for letter."""

    def __init__(self, patterns: Iterable[tuple[str, str]]) -> None:
        self._always: list[tuple[str, Part]] = []
        parts: dict[str, list[tuple[str, Part]]] = {}
        for name, pattern in patterns:
            for parsed, words in _parted(_parser.parse(pattern)):
                part = name, Part(parsed)
                for known in [self._always] if words is None else [parts.setdefault(word, []) for word in words]:
                    known.append(part)
        self._parts = list(parts.values())
        self._words = AhoCorasick(list(parts))

    def possible(self, text: str) -> dict[str, set[Part]]:
        """By the names of the patterns that may have a match, the alternatives that may have it."""
        found: dict[str, set[Part]] = {}
        matches = self._words.find_matches_as_indexes(text, overlapping=True)
        for parts in (self._always, *[self._parts[word] for word in {word for word, _, _ in matches}]):
            for name, part in parts:
                if name in found:
                    found[name].add(part)
                else:
                    found[name] = {part}
        return found


_known: dict[tuple[int, str], tuple[object, Prefilter]] = {}


def filter_of(owner: object, kind: str, patterns: Callable[[], Iterable[tuple[str, str]]]) -> Prefilter:
    """The filter of some patterns of a language, by their kind, made when it is first asked for."""
    found = _known.get((id(owner), kind))  # the owner is kept too, so that no other one gets its id
    if found is None:
        found = _known[id(owner), kind] = owner, Prefilter(patterns())
    return found[1]
