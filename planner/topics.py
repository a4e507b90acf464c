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
        found = [match.span() for match in language.weight.finditer(topic) if _whole(topic, *match.span())]
        weights += [topic[slice(*span)] for span in found]
        topic = _with(topic, found, " ")
    for language in reader.languages:
        topic = language.frame.sub(" ", language.frame.sub(" ", topic))  # what stood between two framing words frames too
    # Particles that stood between framing words are left over; a piece without a word of its own says nothing.
    topic = " ".join(piece for piece in topic.split() if words.content(piece))
    if not topic:
        # "Events" are whatever happened, and no word to look for.
        return [_SPACES.sub(" ", w).strip() for w in weights if not words.content(w)][:1]
    queries = [topic]
    for language in reader.languages:
        if _any_of(tuple(language.synonyms)).search(topic) is None:
            continue
        for group in language.synonyms:
            for word in sorted(group, key=len, reverse=True):
                found = [m.span() for m in _word(word).finditer(topic) if _whole(topic, *m.span())]
                if found:
                    queries += [_with(topic, found, other) for other in sorted(group) if other not in word]
                    break
    plain = words.fold(topic)
    return list(dict.fromkeys([*queries[:1], plain, *queries[1:]]))[:_AT_MOST]


def _whole(topic: str, start: int, end: int) -> bool:
    """Whether the characters `[start, end)` are words of their own: 大事 in 重大事件 is none, nor is 会 in 证监会."""
    return {start, end} <= words.edges(topic)


def _with(topic: str, spans: Iterable[tuple[int, int]], other: str) -> str:
    """The topic with something else in place of the characters of each span."""
    for start, end in sorted(spans, reverse=True):
        topic = topic[:start] + other + topic[end:]
    return topic


@lru_cache(maxsize=32)
def _any_of(groups: tuple[frozenset[str], ...]) -> re.Pattern[str]:
    """Finds any word of the groups in a topic: most topics hold none, and then no group is looked at."""
    return re.compile("|".join(_word(word).pattern for group in groups for word in group) or "(?!)")


@lru_cache(maxsize=1024)
def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word))
