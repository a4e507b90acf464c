"""What a text says of several events: "周三体检，周五交报告" tells of two days, and each of them is to be found.

A text is cut where each side has a time and says something of it; what has no time belongs to the part before it. Every part is
read as a text of its own (`planner.statements`), but its time as it stands in the whole, where it may lean on what was said before.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from planner import words
from planner.expressions import Expression, Now, Until
from planner.ranges import Grain, TimeRange
from planner.reading import Times, tense_of, zoned_range
from planner.resolution import DEFAULT, At, Conventions, Tense
from planner.restatement import Gist
from planner.statements import READ_AT_MOST, Statement, read_statement

Span = tuple[int, int]  # characters [start, end)
_ENDS = re.compile(r"[,，。;；!！?？、\n]+|\.(?=\s|$)|\b(?:and|but|then|also)\b|然后|接着|另外|还有", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:(?:和|跟|与|及|以及|还有|或者?|、|[,，&]|\b(?:and|or)\b)\s*)?(?:on\b\s*)?", re.IGNORECASE)
# What a time belongs to that stands behind it: 改到周五, 从周三到.
_LEADS_ON = tuple("到至从在于改成是为比离和跟与及、的等叫说给把被让按自距")
_BLANK = re.compile(r"\s+")
_HAN = re.compile("[\u3400-\u9fff]")
_LEAD = 6  # so many characters at most stand ahead of a time that begins a part
_MOST = 12  # so many events of a text are kept apart,
_LOOKED_AT = 24  # of so many of its parts


def read_statements(
    text: str,
    observed: dt.datetime | None,
    conventions: Conventions = DEFAULT,
    *,
    by_user: bool = True,
    zone: dt.tzinfo = dt.UTC,
) -> list[Statement]:
    """What `text` says of each event that it gives a time, in its order, read as by `read_statement`: of the whole text where it
    does not tell of two.

    Where it does, `told` are the characters `[start, end)` of each. Events of one time are one.
    """
    whole = read_statement(text, observed, conventions, by_user=by_user, zone=zone)
    # What is asked, supposed or done every week is no row of events.
    if len(whole.time_spans) < 2 or whole.event is None or whole.status == "mentioned" or whole.question:
        return [whole]
    head, anchor = text[:READ_AT_MOST], observed or dt.datetime(1970, 1, 1, tzinfo=zone)
    times = _Times(head, anchor, conventions)
    found: list[Statement] = []
    for start, end in islice(_parts(head, whole), _LOOKED_AT):
        said = read_statement(head[start:end], observed, conventions, by_user=by_user, zone=zone)
        if said.event is None or said.status == "mentioned":
            continue
        events = [said.event]
        if observed is not None:  # else only what says its year dates anything
            said, events = times.of(said, start, end, found[-1] if found else whole)
        for event in events:
            if len(found) < _MOST and not any(_meet(event, other.event) for other in found):
                spans = tuple((a + start, b + start) for a, b in said.time_spans)
                found.append(replace(said, event=event, time_spans=spans, told=_trimmed(head, start, end)))
    # A change that is told across the parts is told by none of them.
    changes = (whole.moved and not any(s.moved for s in found)) or (
        whole.status == "cancelled" and not any(s.status == "cancelled" for s in found)
    )
    return found if len(found) > 1 and not changes else [whole]


def _meet(one: TimeRange, other: TimeRange | None) -> bool:
    if one.start is None or other is None or other.start is None:
        return False
    return one.start == other.start or one.overlaps(other.start, other.end) or other.overlaps(one.start, one.end)


def _trimmed(text: str, start: int, end: int) -> Span:
    """Without the stops and the words that go on, at both ends."""
    while (stop := _ENDS.match(text, start, end) or _BLANK.match(text, start, end)) is not None:
        start = stop.end()
    for stop in reversed(list(_ENDS.finditer(text, start, end))):
        if text[stop.end() : end].strip():
            break
        end = stop.start()
    return start, start + len(text[start:end].rstrip())


class _Time(NamedTuple):
    start: int
    end: int
    range: TimeRange
    expression: Expression

    @property
    def span(self) -> Span:
        return self.start, self.end


class _Times:
    """What the times of a text mean where they stand in the whole of it."""

    def __init__(self, text: str, anchor: dt.datetime, conventions: Conventions) -> None:
        self._text, self._anchor, self._conventions = text, anchor, conventions
        self._times = Times(text)
        self._whole: dict[Tense, list[_Time]] = {}

    def of(self, said: Statement, start: int, end: int, before: Statement) -> tuple[Statement, list[TimeRange]]:
        """What the part `[start, end)` says, and its events by their times in the whole text: its own and those listed beside it.

        `before` is what the part before it says, of the first one the whole text. If that is over, what tells no tense goes on from
        it: 7月2日被拘留，7月15日病情恶化.
        """
        assert said.event is not None
        alone = self._read(Times(self._text[start:end]), _tense(said))
        dates = next(
            (m for m in alone if m.range.start == said.event.start), next((m for m in alone if m.range.start is None), None)
        )
        if dates is None:
            return said, [said.event]
        place = (dates.start + start, dates.end + start)
        if said.status == "planned" and not said.type and _tense(before) == "past":
            over = next((m.range for m in self._as("past") if m.span == place), None)
            if over is not None and tense_of(self._text[start:end].lower()) is None and self._goes_on(over, before):
                return replace(said, status="occurred"), [over]
        named = dates.expression.base if isinstance(dates.expression, Until) else dates.expression
        # A time of day alone is of the day before it, on that one's side of now.
        side = _tense(before) if named.frame == "day" else _tense(said)
        here = [m for m in self._as(side) if m.span >= place and m.end <= end]
        if not here or here[0].span != place:
            return said, [said.event]
        event = here[0].range if dates.range == said.event else said.event
        if named.frame == "day":
            event = self._of_day(named, before) or event if event == said.event else event
            if said.status in ("planned", "occurred"):
                said = replace(said, status="occurred" if side == "past" else "planned")
        events = [event]
        for last, mention in pairwise(here):
            if said.moved or (mention.span != last.span and not _LISTED.fullmatch(self._text, last.end, mention.start)):
                break
            events.append(mention.range)
        return said, events

    def _goes_on(self, over: TimeRange, before: Statement) -> bool:
        begun = before.event.start if before.event is not None else None
        return begun is not None and over.start is not None and begun <= over.start <= self._anchor

    def _of_day(self, named: Expression, before: Statement) -> TimeRange | None:
        """A time of day, where the text itself does not carry the day on: the next one from the part before."""
        if before.event is None or before.event.start is None or (before.grain or Grain.DAY) > Grain.DAY:
            return None
        return zoned_range(named, At(before.event.start, "future", self._conventions))

    def _as(self, tense: Tense) -> list[_Time]:
        if tense not in self._whole:
            self._whole[tense] = self._read(self._times, tense)
        return self._whole[tense]

    def _read(self, times: Times, tense: Tense) -> list[_Time]:
        return [
            _Time(m.start, m.end, m.range, m.expression)
            for m in times.at(self._anchor, self._conventions, tense=tense)
            if m.range is not None and not isinstance(m.expression, Now)
        ]


def _tense(said: Statement) -> Tense:
    return "past" if said.status in ("occurred", "done") else "future"


class _Placed:
    """Where a text's times stand."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self._text, self._spans = text, spans
        self._starts = [start for start, _ in spans]

    def inside(self, start: int, end: int) -> bool:
        """Whether a time holds the stretch and goes on behind it."""
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and end < self._spans[at][1]

    def of(self, start: int, end: int) -> Sequence[Span]:
        """The times that begin in `[start, end)`."""
        return self._spans[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def bare(self, start: int, end: int) -> bool:
        """Whether the stretch says nothing beside its times."""
        own = tuple((a - start, b - start) for a, b in self.of(start, end) if b <= end)
        part = self._text[start:end]
        return not any(map(str.isalnum, words.blanked(part, own))) or Gist(part, own).bare


def _parts(text: str, whole: Statement) -> Iterator[Span]:
    """The stretches `[start, end)` of the text that have a time and say something of it; together they are all of it."""
    placed = _Placed(text, whole.time_spans)
    stops = [m.end() for m in _ENDS.finditer(text) if not placed.inside(*m.span())]
    if not whole.moved:
        stops = sorted({*stops, *_within(text, whole.time_spans, stops, placed)})
    timed: list[Span] = []  # each with what has no time behind it
    fresh = True  # whether the last one has no time yet
    for start, end in pairwise([0, *stops, len(text)]):
        has_time = bool(placed.of(start, end))
        if timed and (fresh or not has_time):
            timed[-1] = timed[-1][0], end
        else:
            timed.append((start, end))
            fresh = True
        fresh = fresh and not has_time
    begun, bare = 0, True
    for start, end in timed:
        says = not placed.bare(start, end)
        if says and not bare:
            yield begun, start
            begun = start
        bare = bare and not says
    yield begun, len(text)


def _within(text: str, spans: Sequence[Span], stops: Sequence[int], placed: _Placed) -> Iterator[int]:
    """Where a part begins without a stop, as in what is dictated: 周三体检周五交报告."""
    begun = 0
    for (first, until), (then, behind), (further, _) in zip(spans, spans[1:], [*spans[2:], (len(text), 0)], strict=False):
        at = bisect_right(stops, first)
        begun = max(begun, stops[at - 1] if at else 0)
        ends = min(stops[at] if at < len(stops) else len(text), further)
        between = text[until:then].strip()
        if then >= ends or _HAN.search(between) is None or between.endswith(_LEADS_ON) or first - begun > _LEAD:
            continue
        if placed.bare(begun, first) and not placed.bare(until, then) and not placed.bare(behind, ends):
            begun = then
            yield then
