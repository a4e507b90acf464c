"""Which of many records a question is answered with, chosen before they are made items: making one costs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from adapters._base import SearchContext
from planner import words

T = TypeVar("T")
# From so long a time on, what is not about the topic is not looked at.
_LONG = dt.timedelta(days=400)


def about_topic(records: Sequence[T], ctx: SearchContext, text: Callable[[T], str]) -> Sequence[T]:
    """The records that say a word of the topic, where a topic is looked for over years and some say one; else all."""
    if ctx.time.end - ctx.time.start < _LONG:
        return records
    terms = {term for query in ctx.expanded_queries for term in words.content(query)}
    return [record for record in records if any(term in text(record).casefold() for term in terms)] or records


def nearest(
    records: Iterable[T],
    ctx: SearchContext,
    *,
    text: Callable[[T], str],
    event: Callable[[T], tuple[dt.datetime, dt.datetime] | None],
) -> list[T]:
    """At most `retrieval.limit` of the records: those in the asked time first, then those on the topic, then the nearest to now.

    `event` is a record's time `[start, end)`, None when it has none.
    """
    found = list(records)
    limit = ctx.retrieval.limit
    if len(found) <= limit:
        return found
    topics = [set(terms) for query in ctx.expanded_queries if (terms := words.content(query))]
    shares: dict[str, float] = {}

    def share(said: str) -> float:
        if said not in shares:
            terms = set(words.content(said))
            shares[said] = max((len(topic & terms) / len(topic) for topic in topics), default=0.0)
        return shares[said]

    def order(record: T) -> tuple[bool, float, float]:
        when = event(record)
        outside = when is None or not ctx.time.range.overlaps(*when)
        away = abs((when[0] - ctx.now).total_seconds()) if when is not None else float("inf")
        return outside, -share(text(record)) if topics else 0.0, away

    return sorted(found, key=order)[:limit]
