"""Merging what several sources, or one person several times, say of the same thing. Pure.

Two items are one when their times are near (within 15 minutes, or one local day and one type), their words are the same (Dice
overlap above 0.7, the words that tell the time left aside), they say the same numbers, they agree whether it happens, and no
stated time contradicts the other. A later correction supersedes the plan
it corrects. Pairs are found by prefix filtering (Bayardo, Ma and Srikant, 2007): only items that share one of their rarest words
are ever compared.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from adapters import TimelineItem
from planner import words
from planner.ranges import Grain
from temporal_recall import calibration as cal
from temporal_recall.rank import content

_NEVER = dt.datetime(9999, 12, 31, tzinfo=dt.UTC)
_DAY = 86_400.0
_MOMENT = dt.timedelta(minutes=cal.SAME_MOMENT_MINUTES)
# Of two sets with Dice above t the smaller is at least t / (2 - t) of the larger, and shares as much of it.
_SHARED = cal.SAME_WORDS / (2 - cal.SAME_WORDS)


def dedupe(items: Sequence[TimelineItem], zone: dt.tzinfo, quality: Mapping[str, float] | None = None) -> list[TimelineItem]:
    """The items with duplicates merged and corrected plans folded into their correction, in the order they came.

    Of a merged group the item of the best source stays (then the surest, then the newest); `merged_from` lists the source_refs of
    the others, importance and confidence take the largest. The items given are changed.
    """
    items = _distinct(items)
    texts = [_words(item) for item in items]
    parent = list(range(len(items)))

    def root(n: int) -> int:
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    for a, b in _pairs(items, texts):
        if root(a) != root(b) and _same(items[a], items[b], texts[a], texts[b], zone):
            parent[root(b)] = root(a)
    groups: dict[int, list[int]] = defaultdict(list)
    for n in range(len(items)):
        groups[root(n)].append(n)
    merged = [_merge([items[n] for n in members], quality or {}) for members in groups.values()]
    return _corrected(merged)


# Numbers are compared as numbers; 三间 and 3间 are cut into different words.
_NUMERIC = re.compile(r"[\d〇一二两三四五六七八九十百千]")


def _words(item: TimelineItem) -> frozenset[str]:
    """The words that tell what an item is about, without its time and its numbers (all of them if nothing else is said)."""
    said = content(item.topic)
    return frozenset(word for word in said if not _NUMERIC.search(word)) or frozenset(said)


def _distinct(items: Iterable[TimelineItem]) -> list[TimelineItem]:
    """One item a source record: pages of a source may overlap."""
    return list({item.source_ref: item for item in items}.values())


def _when(item: TimelineItem) -> dt.datetime | None:
    return item.event_time or item.observed_time


def _pairs(items: Sequence[TimelineItem], texts: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    counts = Counter(term for text in texts for term in text)
    by_term: dict[str, list[int]] = defaultdict(list)
    order = sorted(range(len(items)), key=lambda n: len(texts[n]))
    seen: set[tuple[int, int]] = set()
    moments = {n: when.timestamp() for n, item in enumerate(items) if (when := _when(item)) is not None}
    for n in order:
        if n not in moments or not texts[n]:
            continue
        moment = moments[n]
        rare_first = sorted(texts[n], key=lambda term: (counts[term], term))
        for term in rare_first[: len(rare_first) - math.ceil(_SHARED * len(rare_first)) + 1]:
            for other in by_term[term]:
                if abs(moment - moments[other]) < _DAY and (other, n) not in seen:
                    seen.add((other, n))
                    yield other, n
            by_term[term].append(n)


def _same(a: TimelineItem, b: TimelineItem, words_a: frozenset[str], words_b: frozenset[str], zone: dt.tzinfo) -> bool:
    if 2 * len(words_a & words_b) <= cal.SAME_WORDS * (len(words_a) + len(words_b)):
        return False
    if a.negated != b.negated or (a.status == "cancelled") != (b.status == "cancelled") or a.question != b.question:
        return False
    when_a, when_b = _when(a), _when(b)
    assert when_a is not None and when_b is not None
    near = abs(when_a - when_b) < _MOMENT
    same_day = when_a.astimezone(zone).date() == when_b.astimezone(zone).date() and a.type == b.type
    return (near or same_day) and _times_agree(a, b) and words.numbers(a.topic) == words.numbers(b.topic)


def _times_agree(a: TimelineItem, b: TimelineItem) -> bool:
    """Whether the event times both state may be one: near each other, or the coarser one holds the finer one."""
    if a.event is None or b.event is None:
        return True
    assert a.event_time is not None and b.event_time is not None
    if abs(a.event_time - b.event_time) < _MOMENT:
        return (
            (a.event_grain or Grain.DAY) == (b.event_grain or Grain.DAY)
            or a.event_end == b.event_end
            or _holds(a, b)
            or _holds(b, a)
        )
    return _holds(a, b) or _holds(b, a)


def _holds(outer: TimelineItem, inner: TimelineItem) -> bool:
    return (
        outer.event_end is not None
        and outer.event_time is not None
        and inner.event_time is not None
        and outer.event_time <= inner.event_time < outer.event_end
        and (inner.event_end or inner.event_time) <= outer.event_end
        and (outer.event_grain or Grain.DAY) > (inner.event_grain or Grain.DAY)
    )


def _merge(members: list[TimelineItem], quality: Mapping[str, float]) -> TimelineItem:
    if len(members) == 1:
        return members[0]

    def worth(item: TimelineItem) -> tuple[float, float, float, str]:
        best = quality.get(item.source, cal.SOURCE_QUALITY.get(item.source, cal.UNKNOWN_SOURCE))
        newest = -math.inf if item.observed_time is None else item.observed_time.timestamp()
        return best, item.confidence, newest, item.source_ref

    kept = max(members, key=worth)
    for other in members:
        if other is not kept:
            kept.merged_from += [other.source_ref, *other.merged_from]
            kept.importance = max(kept.importance, other.importance)
            kept.confidence = max(kept.confidence, other.confidence)
            if other.relevance is not None:
                kept.relevance = max(kept.relevance or 0.0, other.relevance)
            if kept.event_time is None and other.event_time is not None:
                kept.event_time, kept.event_end, kept.event_grain = other.event_time, other.event_end, other.event_grain
    kept.merged_from.sort()
    return kept


def _corrected(items: list[TimelineItem]) -> list[TimelineItem]:
    """Plans that a later word moved or called off go into that word's `merged_from`."""
    corrections = [
        item
        for item in items
        if (item.moved or item.status == "cancelled") and item.observed_time is not None and not item.question
    ]
    if not corrections:
        return items
    gone: set[int] = set()
    for correction in sorted(corrections, key=lambda item: (item.observed_time or _NEVER, item.source_ref)):
        said = _words(correction)
        for item in items:
            if item is correction or id(item) in gone or item.observed_time is None or item.event_time is None:
                continue
            assert correction.observed_time is not None
            if (
                item.observed_time >= correction.observed_time
                or item.status not in ("planned", "due", "mentioned")
                or item.question
            ):
                continue
            # A plan whose day had passed when the correction was made is not what it moved.
            if (item.event_end or item.event_time) < correction.observed_time:
                continue
            topic = _words(item)
            if topic and len(topic & said) / len(topic) >= cal.CORRECTS:
                gone.add(id(item))
                correction.merged_from = sorted({*correction.merged_from, item.source_ref, *item.merged_from})
                correction.importance = max(correction.importance, item.importance)
    return [item for item in items if id(item) not in gone]
