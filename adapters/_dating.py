"""From what sources tell of an event to the hints by which it is dated (`planner.episodes`)."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from adapters._base import TimelineItem
from planner import words
from planner.anchors import Anchor
from planner.episodes import Hint, hints_of, tells_return
from planner.ranges import TimeRange
from planner.topics import expanded_queries

LIMIT = 100  # so many items at most tell of an event
_PAIR = 0.1  # of a word's weight a pair of Chinese characters has
# So much of the event's words a text holds that speaks of it: in itself, and of what the best one holds.
_LEAST, _MEETS = 0.4, 0.6
_LIVED = 100, 9900  # years at whose ends no days are left to count
_ASUNDER = re.compile("(?<=[\u3400-\u9fff])[完了过好]+(?=[\u3400-\u9fff])")
_HAN = re.compile("[\u3400-\u9fff]")
_VERB = re.compile("[\u3400-\u9fff]{2}")


def hints(items: Sequence[TimelineItem], anchor: Anchor, zone: dt.tzinfo) -> list[Hint]:
    """What the items tell, in the asker's zone, of when the event was; questions, what is denied or called off tells nothing."""
    said = [_terms(item.content) for item in items]
    held = Counter(term for terms in said for term in terms)
    # What is rare among them tells more: the mountain more than the photographs.
    rare = {term: math.log(1 + len(items) / count) for term, count in held.items()}
    sayings = [weights for text in sayings_of(anchor) if (weights := _weights(text, rare, math.log(2 + len(items))))]
    met = [(item, max(map(partial(_share, terms), sayings), default=0.0)) for item, terms in zip(items, said, strict=True)]
    best = max((share for _, share in met), default=0.0)
    found: list[Hint] = []
    for item, share in met:
        if share < max(_LEAST, _MEETS * best) or item.question or item.status == "cancelled" or item.observed_time is None:
            continue
        if not _LIVED[0] < item.observed_time.year < _LIVED[1]:
            continue
        event = None
        if item.event_time is not None and _LIVED[0] < item.event_time.year < _LIVED[1]:
            event = TimeRange(*(moment.astimezone(zone) for moment in (item.event_time, item.event_end or item.event_time)))
        found += hints_of(
            item.content,
            item.observed_time.astimezone(zone),
            anchor,
            event=event,
            grain=item.event_grain,
            status=item.status,
            meets=share / best,
            ref=item.source_ref,
        )
    return found


def sayings_of(anchor: Anchor) -> list[str]:
    """The ways in which texts may speak of the event: its words, rewordings, and what Chinese takes apart (搬家, 搬完家)."""
    close = _ASUNDER.sub("", anchor.about)
    apart = " ".join(" ".join(word) if _VERB.fullmatch(word) else word for word in _named(close))
    return list(dict.fromkeys([anchor.about, *expanded_queries(anchor.about, ()), close, apart]))


def _share(said: set[str], saying: Mapping[str, float]) -> float:
    return sum(weight for term, weight in saying.items() if term in said) / sum(saying.values())


def returns(items: Iterable[TimelineItem], zone: dt.tzinfo) -> list[Hint]:
    """The returns that items tell of, from wherever it was."""
    told = [
        (item.observed_time.astimezone(zone), item.source_ref)
        for item in items
        if item.observed_time is not None and not item.question and not item.negated and tells_return(item.content)
    ]
    return [Hint("return", moment, moment, moment, 1.0, ref, named=False) for moment, ref in told]


def _terms(text: str) -> set[str]:
    close = _ASUNDER.sub("", text)
    return {*words.terms(text), *words.pairs(text), *(words.terms(close) if close != text else ())}


def _named(text: str) -> list[str]:
    """The terms of a text that tell it from another, of Chinese those of which none overlaps another."""
    apart = set(words.cut(words.fold(text)))
    return [term for term in words.content(text) if not _HAN.match(term) or term in apart]


def _weights(text: str, rare: Mapping[str, float], rarest: float) -> dict[str, float]:
    said = dict.fromkeys(_named(text) or words.sought(text), 1.0)
    said |= {pair: _PAIR for pair in words.sought(text) if pair[0] == words.PAIR}
    return {term: weight * rare.get(term, rarest) for term, weight in said.items()}
