"""When an event of a person's life was, from what their sources tell of it. Pure.

texts that speak of the event --hints_of--> hints --episode--> Episode --asked_range--> the time that a question means by it

A hint is a stretch that is told ("in Denver, February 10 to 14"), a day that was planned, an arrival, a return, or no more than that the
event was spoken of on some day. The hints of one event lie close to each other; of several events of one name the last one that has
begun is meant. `certainty` tells how well the hints agree: the days are inferred, and no caller may take them for told ones.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from planner import words
from planner._grammar import Language
from planner.anchors import Anchor
from planner.ranges import Grain, TimeRange
from planner.reading import read_times, reader_of
from planner.statements import says_its_year

Kind = Literal["stay", "day", "arrival", "return", "talk"]
SURE = 0.35  # below it nothing is known of when it was
_DAY = dt.timedelta(days=1)
_APART = dt.timedelta(days=4)  # hints that lie further apart tell of two events
_LONG_AGO = dt.timedelta(days=180)
_LONGEST = dt.timedelta(days=120)  # of a stretch that is told
_AWAY = dt.timedelta(days=60)  # after an arrival comes a return
_WEEK = dt.timedelta(days=7)  # what is told more coarsely places no event
_SETTLED = dt.timedelta(hours=12)  # who comes home within it of having left was not away
_TALK = dt.timedelta(days=21)  # what is spoken of for longer, with nothing else to date it, is no event
_HEAVIEST = 6.0
# How much a hint of each kind tells; of what was only spoken of, less where nothing says that it happened.
_WEIGHTS: dict[Kind, float] = {"stay": 2.0, "arrival": 1.5, "return": 1.2, "day": 1.0, "talk": 0.8}
_IDLE, _OF_OTHERS = 0.5, 0.4
_IDLE_RIVAL = 0.25


@dataclass(frozen=True, slots=True)
class Hint:
    """What a source tells of when an event was: `[start, end)`, told at `told`. `weight` counts how well the text meets the event.

    `named` is False for a return that does not say from where.
    """

    kind: Kind
    start: dt.datetime
    end: dt.datetime
    told: dt.datetime
    weight: float
    ref: str = ""
    named: bool = True


@dataclass(frozen=True, slots=True)
class Episode:
    """When an event was: `[start, end)`; `over` is the moment from which it was over; `certainty` lies in [0, 1].

    `refs` tell by whom it is known, `away` that a return may have ended it, `told` the moments at which it was told of afterwards.
    """

    start: dt.datetime
    end: dt.datetime
    over: dt.datetime
    certainty: float
    refs: tuple[str, ...] = ()
    away: bool = False
    told: tuple[dt.datetime, ...] = ()


# --- hints ----------------------------------------------------------------------------------------------------------------


def hints_of(
    text: str,
    observed: dt.datetime,
    anchor: Anchor,
    *,
    event: TimeRange | None = None,
    grain: Grain | None = None,
    status: str = "mentioned",
    meets: float = 1.0,
    ref: str = "",
) -> list[Hint]:
    """What a text that speaks of the event, told at `observed` (aware, in the asker's zone), says of when it was.

    `event`, `grain` and `status` are the text's own as `read_statement` reads them; `meets`, in [0, 1], is how well it meets the
    event's words.
    """
    reader = reader_of(text)
    folded = reader.fold(text)
    languages = reader.written_in(folded)
    weight = meets * meets * (_OF_OTHERS if any(x.cue("others").search(folded) for x in languages) else 1.0)
    if grain is not None and grain > Grain.MONTH:
        event = None
    today = _day(observed)
    if event is not None and event.start is not None and event.start < today - _LONG_AGO:
        event = _nearer(text, observed) or event
    hints: list[Hint] = []

    def hint(kind: Kind, start: dt.datetime, end: dt.datetime, factor: float = 1.0) -> None:
        hints.append(Hint(kind, start, end, observed, _WEIGHTS[kind] * weight * factor, ref))

    lately = event is not None and event.start is not None and today - _DAY <= event.start < today + _DAY
    if event is not None and event.start is not None and event.end is not None and not lately:
        start, end = _day(event.start), max(event.end, event.start + dt.timedelta(minutes=1))
        length = end - event.start
        until = _until(text, folded, observed, status, start, languages)
        if until is not None:
            hint("stay", *until)
        elif grain == Grain.DAY and _DAY * 1.5 < length <= _LONGEST:
            hint("stay", start, end)
        elif length <= _LONGEST:
            # A week or a month that is told is not all of it what something takes, unless one was away for it.
            lasts = anchor.away and length > _DAY * 1.5
            hint(
                "stay" if lasts else "day",
                start,
                _day(end - dt.timedelta(microseconds=1)) + _DAY,
                1.0 if grain == Grain.DAY else _IDLE,
            )
        return hints
    moment = observed
    if event is not None and event.start is not None and event.start < today:
        moment = event.start
    until = _until(text, folded, observed, status, today, languages) if event is not None and moment == observed else None
    if anchor.away and any(_goes_home(x, folded, anchor) for x in languages):
        hint("return", moment, moment)
    elif until is not None:
        hint("stay", *until)
    elif anchor.away and any(x.cue("arrives").search(folded) for x in languages):
        hint("arrival", moment, moment)
    else:
        hint("talk", moment, moment, 1.0 if status in ("occurred", "done") or event is not None else _IDLE)
    return hints


def _nearer(text: str, observed: dt.datetime) -> TimeRange | None:
    """The time that a text tells, where it names no year and may be near: "signed the lease, moving on March 28"."""
    placed = [m for m in read_times(text, observed, tense=None) if m.range is not None]
    if len(placed) != 1 or says_its_year(placed[0].expression):
        return None
    return placed[0].range


def tells_return(text: str) -> bool:
    """Whether a text says that its teller has come back, from wherever it was."""
    reader = reader_of(text)
    folded = reader.fold(text)
    return any(x.cue("returns").search(folded) for x in reader.written_in(folded))


def _goes_home(language: Language, folded: str, anchor: Anchor) -> bool:
    """Whether the text tells of a return, and not of one to the very place that the event names (回老家了)."""
    match = language.cue("returns").search(folded)
    return match is not None and not set(words.content(anchor.about)) & set(words.content(match.group()))


def _until(
    text: str, folded: str, observed: dt.datetime, status: str, start: dt.datetime, languages: Sequence[Language]
) -> tuple[dt.datetime, dt.datetime] | None:
    """The stretch of which a text tells the end: "in Lisbon until Sunday", "flying on Monday, back on the 12th"."""
    placed = [
        m
        for m in read_times(text, observed, tense="past" if status in ("occurred", "done") and start < observed else "future")
        if m.range is not None
    ]
    for n, mention in enumerate(placed):
        assert mention.range is not None
        end = mention.range.end
        if end is None or end <= observed or end - start > _LONGEST:
            continue
        ahead = folded[placed[n - 1].end if n else 0 : mention.start]
        if mention.range.start is None or any(x.cue("stays_until").search(ahead) for x in languages):
            return (_day(observed) if not n else start), _day(end - dt.timedelta(microseconds=1)) + _DAY
        behind = folded[mention.end : placed[n + 1].start if n + 1 < len(placed) else len(folded)]
        if n and end > start + _DAY and any(x.cue("stays_back").search(side) for x in languages for side in (ahead, behind)):
            return start, end
    return None


def _day(moment: dt.datetime) -> dt.datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


# --- episodes -------------------------------------------------------------------------------------------------------------


def episode(hints: Sequence[Hint], anchor: Anchor, now: dt.datetime, *, ahead: bool = False) -> Episode | None:
    """When the event was, as well as the hints tell; None where they do not. With `ahead` it is asked for what is to come."""
    groups = _groups([hint for hint in hints if hint.named])
    weights = {n: min(_HEAVIEST, sum(hint.weight for hint in group)) for n, group in enumerate(groups)}
    most = max(weights.values(), default=0.0)
    if not most:
        return None
    strong = [n for n, weight in weights.items() if 2 * weight >= most]
    begun = [n for n in strong if groups[n][0].start <= now]
    coming = [n for n in strong if max(hint.end for hint in groups[n]) > now]
    chosen = min(coming) if ahead and coming else max(begun or strong)
    loose = [hint for hint in hints if not hint.named]
    found = _settled(groups[chosen], loose, anchor)
    if found is None:
        return None
    told = sorted({hint.told for hint in groups[chosen] if hint.told >= found.end})
    # Who speaks of it for years on end speaks of other things; one that is dated stands out of them.
    dated = any(hint.kind != "talk" for hint in groups[chosen])
    idle = {n for n, group in enumerate(groups) if dated and n != chosen and all(hint.kind == "talk" for hint in group)}
    rivals = sum(weight * (_IDLE_RIVAL if n in idle else 1.0) for n, weight in weights.items())
    certainty = found.certainty * math.sqrt(weights[chosen] / rivals)
    found = replace(found, certainty=certainty, told=tuple(told))
    return found if found.certainty >= SURE else None


def _groups(hints: Sequence[Hint]) -> list[list[Hint]]:
    """The hints of each event, in order of time."""
    groups: list[list[Hint]] = []
    until = None
    for hint in sorted(hints, key=lambda hint: (hint.start, hint.end)):
        reach = _AWAY if hint.kind == "return" and groups and groups[-1][-1].kind != "return" else _APART
        if until is not None and hint.start <= until + reach:
            groups[-1].append(hint)
            until = max(until, hint.end)
        else:
            groups.append([hint])
            until = hint.end
    return groups


def _settled(group: Sequence[Hint], loose: Sequence[Hint], anchor: Anchor) -> Episode | None:
    """The event that hints close to each other tell of, with the returns that do not say from where."""
    by: dict[Kind, list[Hint]] = defaultdict(list)
    for hint in group:
        by[hint.kind].append(hint)
    refs = tuple(dict.fromkeys(hint.ref for hint in sorted(group, key=lambda hint: -hint.weight) if hint.ref))
    if by["stay"]:
        best = max(by["stay"], key=lambda hint: (hint.weight, hint.told))
        start, end = best.start, best.end
        arrived = [hint.start for hint in by["arrival"] if abs(hint.start - start) <= 2 * _DAY]
        start = min([start, *(_day(moment) for moment in arrived)])
        spare = max(2 * _DAY, (end - start) / 2)
        back = _first([h for h in (*by["return"], *loose) if max(start + _SETTLED, end - spare) < h.start <= end + spare], end)
        return Episode(start, end if back is None else _day(back) + _DAY, back or end, 0.9, refs, away=True)
    if by["arrival"]:
        # Of what was planned for the very days before it was the beginning.
        first = by["arrival"][0].start
        start = min([_day(first), *(h.start for h in by["day"] if first - 2 * _DAY <= h.start <= first)])
        named = _first([h for h in by["return"] if h.start > first])
        back = named or _first([h for h in loose if first + _SETTLED < h.start <= first + _AWAY])
        last = max(h.end for h in group if h.kind != "return")
        end = _day(back or last) + _DAY
        return Episode(start, end, back or end, 0.9 if back else 0.7, refs, away=True)
    began = min((h.start for h in by["talk"] if h.weight > _OF_OTHERS), default=None)
    if anchor.away and began is not None and not by["day"]:
        back = _first([h for h in (*by["return"], *loose) if began + _SETTLED < h.start <= began + _TALK])
        last = max(h.end for h in group)
        if last - began > _TALK:
            return None
        end = _day(back or last) + _DAY
        return Episode(_day(began), end, back or end, 0.8 if back else 0.75 if len(group) > 1 else 0.6, refs, away=True)
    if by["return"] and anchor.returns:
        back = by["return"][-1].start
        earlier = [hint.start for hint in group if hint.start < back]
        return Episode(_day(min([*earlier, back])), _day(back) + _DAY, back, 0.9, refs)
    return _days(group, anchor, refs)


def _first(returns: Sequence[Hint], near: dt.datetime | None = None) -> dt.datetime | None:
    """The first return, those that say from where before others; with `near` the one closest to it."""
    said = [hint.start for hint in returns if hint.named] or [hint.start for hint in returns]
    if not said:
        return None
    return min(said) if near is None else min(said, key=lambda moment: abs(moment - near))


def _days(group: Sequence[Hint], anchor: Anchor, refs: tuple[str, ...]) -> Episode | None:
    """The event that was planned for a day or spoken of on some: the day that most speaks for, or all of them for what lasts."""
    votes: dict[dt.datetime, float] = defaultdict(float)
    for hint in group:
        votes[_day(hint.start)] += hint.weight
    day = max(votes, key=lambda day: (votes[day], -day.timestamp()))
    planned = any(hint.kind == "day" and _day(hint.start) == day and hint.end - hint.start <= _WEEK for hint in group)
    told = [hint.start for hint in group if hint.kind != "day" and _day(hint.start) == day]
    certainty = 0.9 if planned and told else 0.75 if len(group) > 1 else 0.6
    if planned or anchor.relation != "during":
        end = max([day + _DAY, *(hint.end for hint in group if hint.kind == "day" and _day(hint.start) == day)])
        return Episode(day, end, min(told, default=day + _DAY / 2), certainty, refs)
    first, last = _day(min(hint.start for hint in group)), max(hint.end for hint in group)
    if last - first > _TALK:
        return None
    return Episode(first, _day(last) + _DAY, last, min(certainty, 0.75), refs)


# --- the asked time -------------------------------------------------------------------------------------------------------

_HOURS = {"morning": (6, 12), "noon": (11, 18), "evening": (17, 24), "night": (18, 30)}


def asked_range(anchor: Anchor, found: Episode, week_start: int = 0) -> TimeRange:
    """The time that a question means by an event: half-open, on either side open as "since" and "before" are."""
    first, last = _day(found.start), _day(found.end - dt.timedelta(microseconds=1))
    if anchor.relation in ("since", "after"):
        return TimeRange(found.over, None)
    if anchor.relation == "before":
        return TimeRange(None, found.over if anchor.returns else first)
    if anchor.relation == "during":
        return TimeRange(found.start, found.end)
    if anchor.returns:
        first = last = _day(found.over)
    count, unit = anchor.count, anchor.unit or "day"
    if anchor.part is not None:
        begin, end = (dt.timedelta(hours=hour) for hour in _HOURS[anchor.part])
        if count > 0 and anchor.unit is None:  # "the night after the wedding": of that day or of the next one
            return TimeRange(last + begin, last + count * _DAY + end)
        day = last + count * _DAY if count > 0 else first + count * _DAY
        return TimeRange(day + begin, day + end)
    if not count and not anchor.first:
        return TimeRange(*_whole(unit, first, last, week_start))
    if unit == "weekend":
        past = ((first if count < 0 else last).weekday() - 5) % 7  # days since its last Saturday
        day = first - (past + (7 if past < 2 else 0)) * _DAY if count < 0 else last + (7 - past) * _DAY
        return TimeRange(day, day + 2 * _DAY)
    length = {"day": 1, "week": 7, "month": 30}[unit] * max(abs(count), 1) * _DAY
    if anchor.first:
        return TimeRange(first, first + length)
    if count > 0:
        return TimeRange(last + _DAY if unit == "day" else last, last + _DAY + length)
    return TimeRange(first - length, first)


def _whole(unit: str, first: dt.datetime, last: dt.datetime, week_start: int) -> tuple[dt.datetime, dt.datetime]:
    """The days, weeks or months that hold the event."""
    if unit == "month":
        following = (last.replace(day=1) + 32 * _DAY).replace(day=1)
        return first.replace(day=1), following
    if unit == "day":
        return first, last + _DAY if last - first < 2 * _DAY else first + _DAY
    begins = 5 if unit == "weekend" else week_start
    start = first - (first.weekday() - begins) % 7 * _DAY
    end = last - (last.weekday() - begins) % 7 * _DAY + (2 if unit == "weekend" else 7) * _DAY
    return start, max(end, last + _DAY)
