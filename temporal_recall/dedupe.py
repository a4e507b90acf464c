"""Merging what several sources, or one person several times, say of the same thing. Pure.

Two items are one when their times are near (within 15 minutes, or one local day and one type), their words overlap by more than
0.7 (Dice), neither text says what contradicts the other (`planner.restatement`), they agree whether it happens, and no stated
time contradicts the other. A group takes nothing in that contradicts one of its members. A later correction supersedes the
plan it corrects.

Only items of one day that share a rare word are ever compared (`temporal_recall.pairs`), and what a text says beyond its words is
read only of those. The work goes in an order of its own, so that the groups do not depend on the order of the items.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from adapters import TimelineItem
from planner.ranges import Grain
from planner.restatement import Gist, contradicts, differ, gist, overlap, replaced, slip
from temporal_recall import calibration as cal
from temporal_recall.pairs import Entered

_NEVER = dt.datetime(9999, 12, 31, tzinfo=dt.UTC)
_MOMENT = dt.timedelta(minutes=cal.SAME_MOMENT_MINUTES)
_DAY = 24 * 60


@dataclass(slots=True, eq=False)
class _Telling:
    """Items that say the same in the same words, at one time: the first, what it says, and all of them."""

    item: TimelineItem
    gist: Gist
    moment: float  # seconds since 1970
    day: int  # local, proleptic ordinal
    beside: int  # -1 or 1 if the day before or after is so near that it counts too, else 0
    ref: str  # the first of its items' source_refs
    items: list[TimelineItem]


def dedupe(
    items: Sequence[TimelineItem], zone: dt.tzinfo, quality: Mapping[str, float] | None = None, *, still_open: bool = False
) -> list[TimelineItem]:
    """The items with duplicates merged and corrected plans folded into their correction, in the order they came. With `still_open` what a
    later word tells to be done is folded into that.

    Of a merged group the item of the best source stays (then the surest, then the newest); `merged_from` lists the source_refs of
    the others, importance and confidence take the largest. The items given are changed.
    """
    items = _distinct(items)
    tellings, timeless = _tellings(items, zone)
    group_of: dict[int, list[_Telling]] = {}
    links = sorted(_links(tellings), key=lambda link: link[:3])
    for _, _, _, a, b in links:
        ours, theirs = group_of.setdefault(id(a), [a]), group_of.setdefault(id(b), [b])
        if ours is not theirs and all(_agree(x, y) for x in ours for y in theirs):
            ours += theirs
            for telling in theirs:
                group_of[id(telling)] = ours
    place = {id(item): n for n, item in enumerate(items)}
    merged = [(place[id(item)], item) for item in timeless]
    groups = {id(group): [item for telling in group for item in telling.items] for group in group_of.values()}
    for members in [*groups.values(), *(telling.items for telling in tellings if id(telling) not in group_of)]:
        if len(members) > 1:
            members.sort(key=lambda item: place[id(item)])
        merged.append((place[id(members[0])], _merge(members, quality or {})))
    merged.sort(key=itemgetter(0))
    return _corrected([item for _, item in merged], still_open)


def _distinct(items: Iterable[TimelineItem]) -> list[TimelineItem]:
    """One item an event of a source record: pages of a source may overlap."""
    return list({(item.source_ref, item.part): item for item in items}.values())


def _tellings(items: Sequence[TimelineItem], zone: dt.tzinfo) -> tuple[list[_Telling], list[TimelineItem]]:
    """The tellings in an order of their own, by time, and the items that have no time or no words."""
    found: dict[tuple[object, ...], _Telling] = {}
    apart: list[TimelineItem] = []
    for item in items:
        when = item.event_time or item.observed_time
        said = _gist(item)
        if when is None or not said.keys:
            apart.append(item)
            continue
        local = when.astimezone(zone)
        moment = local.timestamp()
        key = (id(said), moment, item.event_time is None, item.event_end, item.event_grain, item.type, item.negated,
               item.status == "cancelled", item.question)  # fmt: skip
        telling = found.get(key)
        if telling is None:
            minute = local.hour * 60 + local.minute
            beside = -1 if minute < cal.SAME_MOMENT_MINUTES else 1 if minute >= _DAY - cal.SAME_MOMENT_MINUTES else 0
            found[key] = _Telling(item, said, moment, local.toordinal(), beside, item.source_ref, [item])
        else:
            telling.items.append(item)
            telling.ref = min(telling.ref, item.source_ref)
    return sorted(found.values(), key=lambda t: (t.moment, t.ref)), apart


def _links(tellings: Sequence[_Telling]) -> Iterator[tuple[float, int, int, _Telling, _Telling]]:
    """Tellings of one thing, pair by pair, with what sorts them: the most alike first, then by their places."""
    days, beside = [t.day for t in tellings], [t.beside for t in tellings]
    # Figures count among the words where many of one day have the same rarest word, as texts made to one pattern have; else they
    # need not be read.
    entered = Entered(days, beside, [t.gist.said for t in tellings])
    crowded = entered.crowded
    said = [t.gist.core if t.day in crowded else t.gist.keys for t in tellings]
    if crowded:
        listed = [sorted(words) if day in crowded else t.gist.said for t, day, words in zip(tellings, days, said, strict=True)]
        entered = Entered(days, beside, listed)
    alike: dict[tuple[int, int], float] = {}
    for n, other in entered.pairs():
        a, b = tellings[n], tellings[other]
        ours, theirs = a.gist, b.gist
        if ours is theirs:
            if other > n:
                continue
        elif not (said[other] <= said[n] or slip(said[other], said[n])):
            continue
        pair = (id(ours), id(theirs))
        share = alike.get(pair)
        if share is None:
            share = alike[pair] = _alike(ours, theirs)
        if share > cal.SAME_WORDS and _linked(a, b):
            yield (-share, n, other, a, b) if n < other else (-share, other, n, b, a)


def _alike(ours: Gist, theirs: Gist) -> float:
    """The overlap of two texts, the first no shorter; 0.0 where they contradict each other or the first lacks what the other says."""
    if ours is theirs:
        return 1.0
    size = len(theirs.core)
    if 2 * size <= cal.SAME_WORDS * (len(ours.keys) + size):  # too little for all that the first says
        return 0.0
    if not (theirs.core <= ours.core or slip(theirs.core, ours.core)) or contradicts(ours, theirs):
        return 0.0
    return overlap(ours, theirs)


def _linked(a: _Telling, b: _Telling) -> bool:
    """Whether both are near in time and agree in what is not told by words."""
    near = abs(a.moment - b.moment) < cal.SAME_MOMENT_MINUTES * 60
    return (near or (a.day == b.day and a.item.type == b.item.type)) and _facts_agree(a, b)


def _agree(a: _Telling, b: _Telling) -> bool:
    return _facts_agree(a, b) and not contradicts(a.gist, b.gist)


def _facts_agree(a: _Telling, b: _Telling) -> bool:
    x, y = a.item, b.item
    return (
        (x.negated == y.negated or a.gist.affirms or b.gist.affirms or (bool(a.gist.denied) and a.gist.denied == b.gist.denied))
        and (x.status == "cancelled") == (y.status == "cancelled")
        and (x.question and a.gist.asks) == (y.question and b.gist.asks)
        and _times_agree(x, y)
    )


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
    for other in sorted(members, key=lambda item: item.source_ref):
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


def _corrected(items: list[TimelineItem], still_open: bool) -> list[TimelineItem]:
    """Plans that a later word moved, put right or called off, or what it tells to be done, go into that word's `merged_from`."""
    corrections = [
        item
        for item in items
        if item.observed_time is not None and not item.question and (_corrects_some(item) or (still_open and _done(item)))
    ]
    if not corrections:
        return items
    plans = [item for item in items if _may_be_moved(item)]
    telling_of: dict[str, list[int]] = defaultdict(list)
    topics = [_gist(item).core for item in plans]
    for n, topic in enumerate(topics):
        for unit in topic:
            telling_of[unit].append(n)
    gone: set[int] = set()
    for correction in sorted(corrections, key=lambda item: (item.observed_time or _NEVER, item.source_ref)):
        said = _gist(correction)
        if said.bare:
            shared = Counter(dict.fromkeys(_last_told(correction, plans), 0))
        else:
            shared = Counter(n for unit in said.core for n in telling_of.get(unit, ()))
        for n in sorted(shared):
            item, share = plans[n], 1.0 if said.bare else shared[n] / len(topics[n])
            if share >= cal.CORRECTS and id(item) not in gone and _corrects(correction, item, share):
                gone.add(id(item))
                correction.merged_from = sorted({*correction.merged_from, item.source_ref, *item.merged_from})
                correction.importance = max(correction.importance, item.importance)
                if correction.relevance is not None and item.relevance is not None:
                    correction.relevance = max(correction.relevance, item.relevance)
                if _dated_by(item, correction):
                    correction.event_time, correction.event_end, correction.event_grain = (
                        item.event_time, item.event_end, item.event_grain,
                    )  # fmt: skip
    return [item for item in items if id(item) not in gone]


def _done(item: TimelineItem) -> bool:
    return item.status == "done" and not item.negated


def _dated_by(plan: TimelineItem, correction: TimelineItem) -> bool:
    """Whether the plan tells when that was to be which the correction calls off: it names no time, or a vaguer one (等九月再说)."""
    if _done(correction):
        return False
    if correction.event_time is None:
        return True
    vaguer = (correction.event_grain or Grain.DAY) > (plan.event_grain or Grain.DAY)
    return vaguer and correction.status == "cancelled" and not correction.moved


def _gist(item: TimelineItem) -> Gist:
    return gist(item.telling, item.time_spans, item.said)


def _corrects_some(item: TimelineItem) -> bool:
    if item.moved or item.status == "cancelled":
        return True
    return item.event_time is not None and (_denies(item) or _gist(item).amends)


def _denies(item: TimelineItem) -> bool:
    """Whether it says that something will not happen then: "no yoga on Friday after all"."""
    return item.negated and item.status in ("planned", "due")


def _may_be_moved(item: TimelineItem) -> bool:
    return (
        item.observed_time is not None
        and item.event_time is not None
        and item.status in ("planned", "due", "mentioned")
        and not item.question
    )


def _last_told(correction: TimelineItem, plans: Sequence[TimelineItem]) -> list[int]:
    """The place of the plan that a correction without a topic speaks of: the last one told before it, in its source, lately."""
    assert correction.observed_time is not None
    since = correction.observed_time - dt.timedelta(minutes=cal.CORRECTS_LATELY)
    lately = [
        (plan.observed_time, plan.source_ref, n)
        for n, plan in enumerate(plans)
        if plan.source == correction.source
        and plan.observed_time is not None
        and since <= plan.observed_time < correction.observed_time
    ]
    return [max(lately)[2]] if lately else []


def _corrects(correction: TimelineItem, plan: TimelineItem, share: float) -> bool:
    """Whether the plan was told before the correction, was not over by then, and is no other one: lunch with Bea, lunch with Tom."""
    assert correction.observed_time is not None
    assert plan.observed_time is not None
    assert plan.event_time is not None
    if plan is correction or plan.observed_time >= correction.observed_time:
        return False
    if (plan.event_end or plan.event_time) < correction.observed_time:
        return False
    ours, theirs = _gist(correction), _gist(plan)
    if theirs.bare:
        return False
    if _done(correction):
        # What says more than the plan may be done of a part of it, or of something else: 报告的第一章交了.
        return plan.status in ("planned", "due") and not plan.negated and (ours.bare or ours.core <= theirs.core)
    if not correction.moved and correction.status != "cancelled":
        same_time = _times_agree(correction, plan)
        if _denies(correction):
            return same_time and not plan.negated and not differ(ours, theirs)
        if same_time:
            return False  # puts no time right
    if ours.bare or not differ(ours, theirs):
        return True
    if any(rest is not ours and not differ(rest, theirs) for rest in (ours.standing, ours.change)):
        return True
    return share >= cal.CORRECTS_OTHERWISE and overlap(ours, theirs) >= cal.CORRECTS_ALIKE and not replaced(ours, theirs)
