"""What a question is about: its words without its time and without the words that only frame a question."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from planner import words
from planner.reading import reader_of

_SPACES = re.compile(r"\s+")
_AT_MOST = 6


def without_times(query: str, spans: Iterable[tuple[int, int]]) -> str:
    """The query with spaces for the characters `[start, end)` of its times; a meal is a time of day and a thing to look for."""
    reader = reader_of(query)
    folded = reader.fold(query)
    kept = list(query)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
        for language in reader.languages:
            for meal in language.cue("meals").finditer(folded, start, end):
                kept[slice(*meal.span())] = query[slice(*meal.span())]
    return "".join(kept)


def expanded_queries(query: str, spans: Iterable[tuple[int, int]]) -> list[str]:
    """What to look for, best first: the topic as said, then rewordings. Empty when the question is about its range as a whole.

    `spans` are the characters `[start, end)` of the query that tell its time and its mode.
    """
    reader = reader_of(query)
    topic = reader.fold(without_times(query, spans))
    weights = []
    for language in reader.languages:
        weights += [match.group() for match in language.weight.finditer(topic)]
        topic = language.weight.sub(" ", topic)
    for language in reader.languages:
        topic = language.frame.sub(" ", topic)
    # Particles that stood between framing words are left over; a piece without a word of its own says nothing.
    topic = " ".join(piece for piece in topic.split() if words.content(piece))
    if not topic:
        return [_SPACES.sub(" ", w).strip() for w in weights[:1]]
    queries = [topic]
    for language in reader.languages:
        if _any_of(tuple(language.synonyms)).search(topic) is None:
            continue
        for group in language.synonyms:
            said = next((word for word in sorted(group, key=len, reverse=True) if _word(word).search(topic)), None)
            if said is not None:
                queries += [topic.replace(said, other) for other in sorted(group) if other not in said]
    plain = words.fold(topic)
    return list(dict.fromkeys([*queries[:1], plain, *queries[1:]]))[:_AT_MOST]


@lru_cache(maxsize=32)
def _any_of(groups: tuple[frozenset[str], ...]) -> re.Pattern[str]:
    """Finds any word of the groups in a topic: most topics hold none, and then no group is looked at."""
    return re.compile("|".join(_word(word).pattern for group in groups for word in group) or "(?!)")


@lru_cache(maxsize=1024)
def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word))
