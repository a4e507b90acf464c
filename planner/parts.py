"""What a text says of several events: "周三体检，周五交报告" tells of two days, and each of them is to be found.

A text is cut where each side has a time and says something of it; what has no time belongs to the part before it. Every part is
read as a text of its own (`planner.statements`), with its times as they stand in the whole; what a part leaves open of its time or
its tense follows from the part before it, since people tell things in their order.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from planner import words
from planner._grammar import Language
from planner.expressions import Expression, Now, Until, Vague
from planner.ranges import Grain, TimeRange
from planner.reading import Mention, Times, tense_of, zoned_range
from planner.resolution import DEFAULT, At, Conventions, Tense
from planner.restatement import Gist
from planner.statements import READ_AT_MOST, Statement, attributive, clause_of, statement_of

Span = tuple[int, int]  # characters [start, end)
_ENDS = re.compile(
    r"[,，。;；!！?？、\n]+|\.(?=\s|$)|\b(?:and|but|then|also)\b|然后|接着|另外|还有|(?<=[\u3400-\u9fff])[ \u3000]+(?=[\u3400-\u9fff\d])",
    re.IGNORECASE,
)
# What stands between times that are told of one thing, and between those of which one is chosen or which are one time.
_LISTED = re.compile(
    r"\s*(?:(?:和|跟|与|及|以及|还有|、|[,，&]|\band\b)\s*)?(?:[又再]|(?:then |once )?again\s*)?(?:(?:on|in|at)\b\s*)?",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\W*(?:(?:也|或|又)?就是(?:说)?|也即|即|或者?|要么|还是|or|either|i\.?e\.?)\W*(?:on\b\W*)?", re.IGNORECASE
)
_ANY = re.compile(r"\W*(?:都(?:行|可以?|成|ok|没问题|方便|有空)|either\b|both work|whichever)", re.IGNORECASE)
# What little may be said of a time and still tells what happens then.
_HAPPENS = re.compile(
    r"\b(?:going|coming|am|are|will)\W*$|[\u3400-\u9fff]了\W*$|[不没冇唔](?![是对])[\u3400-\u9fff]|(?<![过上下出进回])[去来走]\W*$"
)
# A verb that begins what comes next in a text without stops, behind a time.
_BEGINS = re.compile(
    r"\s+(?:(?:i|we|he|she|they|i'm|i'll|we're|we'll)\s|(?!need|regard|concern)[a-z]{3,}ed\s|(?:got|went|had|aiming|planning|hoping|going|picking|leaving|flying|driving|heading|coming|gonna)\s)",
    re.IGNORECASE,
)
# What a time belongs to that stands behind it: 改到周五, 从周三到.
_LEADS_ON = tuple("到至从在于改成是为比离和跟与及、的等叫说给把被让按自距")
_BLANK = re.compile(r"\s+")
_HAN = re.compile("[\u3400-\u9fff]")
_IF = re.compile(r"如果|要是|假如|万一|除非|的话|\b(?:if|unless)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[。；;\n]|[.!?！？](?=\s*\w)")
_CLAUSE = re.compile(r"[,，。;；!！?？\n]|(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff])")
# What stands over a list of things to come: "周六行程：", or a line of its own.
_HEADING = re.compile(r"[^\n：:。；;!！?？]*(?:[：:](?!\d)\s*|\n\s*)")
_LEAD = 6  # so many characters at most stand ahead of a time that begins a part
_SUBJECT = 4  # and so many may name who or what it is of,
_LOOKS_BACK = re.compile(r"的\W*$|那[顿次场天个回]|太[多晚早]")
_GOING = re.compile(
    r"\s*(?:(?:and|so|but|now|then) )?(?:[a-z]{2,}ing\b|(?:i'll|we'll|will|gonna|going to|i'm|we're|have to|need to|must|should)\b)",
    re.IGNORECASE,
)
_SHORT = 40  # characters at most of a clause that needs no verb to be one: "party on Saturday"
_SAYS = 2  # words at least of what is told without a time, to be told apart
_MOST = 12  # so many events of a text are kept apart,
_LOOKED_AT = 24  # of so many of its parts
# An hour so little before the one told ahead of it is of the same day: 八点的飞机，六点出门.
_AHEAD_OF = dt.timedelta(hours=4)


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

    Where it does, `told` are the characters `[start, end)` of each. Events of one time are one. A question beside what is told is
    one of them, and so is, without a time, what is over ahead of what is still to come.
    """
    times = Times(text[:READ_AT_MOST])

    def read(start: int, end: int) -> _Told:
        part = times.part(start, end)
        return _Told(*statement_of(part, observed, conventions, by_user=by_user, zone=zone), (start, end), part)

    def moves(start: int, end: int) -> bool:
        return any(x.cue("moved").search(folded[start:end]) for x in times.reader.languages)

    whole, mention = statement_of(times, observed, conventions, by_user=by_user, zone=zone)
    # What is done every week is no row of events.
    if whole.event is None:
        return [whole]
    if observed is not None and (over := _over_before(times, whole, observed, read)) is not None:
        return [*over]
    if len(whole.time_spans) < 2:
        return [whole]
    folded = times.folded
    if whole.question and _SENTENCE.search(folded) is None and any(x.nod.search(folded) for x in times.reader.languages):
        return [whole]  # all of it is asked: 周六爬山，周日打球，好吗？
    begun = 0 if observed is None else _listed_from(times, observed, conventions)
    parts = list(islice(_parts(times, whole, begun), _LOOKED_AT))
    row = _Row(whole, observed, conventions)
    skip = False
    for span, following in zip(parts, [*parts[1:], None], strict=True):
        if skip:
            skip = False
            continue
        told = read(*span) if len(parts) > 1 or begun else _Told(whole, mention, span, times)
        if told.said.status == "mentioned" and told.mention is not None:
            # What is asked or supposed beside what is told: 周日大扫除，谁来帮忙.
            stop = _CLAUSE.search(times.text, span[0] + told.mention.end, span[1])
            tag = any(x.nod.search(told.times.folded) for x in times.reader.languages)
            if stop is not None and not tag and times.text[stop.end() : span[1]].strip():
                apart = read(span[0], stop.start())
                told = told if apart.said.status == "mentioned" else apart._replace(span=span)
        if told.said.status == "mentioned" and _IF.search(times.text, *span):
            skip = True  # what follows hangs on it: 如果周六下雨，周日再去
            continue
        if (
            whole.moved
            and not told.said.moved
            and following is not None
            and moves(span[0], following[1])
            and not moves(*following)
        ):
            # A change that is told across two parts: 原定周五聚餐，现在周六了.
            both = read(span[0], following[1])
            if both.said.moved:
                told, skip = both, True
        row.add(told)
        if row.full:
            break
    found = [
        replace(
            told.said,
            time_spans=tuple((a + told.span[0], b + told.span[0]) for a, b in told.said.time_spans),
            told=_trimmed(times.text, *told.span),
        )
        for told in row.told()
    ]
    # A change that is told across more of them is told by none.
    changes = (whole.moved and not any(s.moved for s in found)) or (
        whole.status == "cancelled" and not any(s.status == "cancelled" or s.moved for s in found)
    )
    return found if len(found) > 1 and not changes and any(s.status != "mentioned" for s in found) else [whole]


def _over_before(
    times: Times, whole: Statement, observed: dt.datetime, read: Callable[[int, int], _Told]
) -> tuple[Statement, Statement] | None:
    """What is over, told without a time, and what is still to come behind it: 刚开完会，明天交方案."""
    if whole.status in ("mentioned", "cancelled") or whole.moved or whole.question or not whole.time_spans:
        return None
    first = min(start for start, _ in whole.time_spans)
    stops = [m for m in _CLAUSE.finditer(times.text, 0, first) if times.text[: m.start()].strip()]
    if not stops or (whole.status in ("occurred", "done") and not _turns(times.text, stops[-1], first)):
        return None
    ahead_of, languages = times.folded[: stops[-1].start()], times.reader.languages
    if not any(x.past.search(ahead_of) or x.cue("done").search(ahead_of) for x in languages):
        return None
    before, after = read(0, stops[-1].start()), read(stops[-1].end(), len(times.text))
    over, ahead = before.said, after.said
    if over.event is not None or over.status not in ("done", "occurred") or ahead.status not in ("planned", "due"):
        return None
    if ahead.event is None or ahead.event.start is None or ahead.event.start < observed:
        return None
    if len(Gist(before.times.text, ()).core) < _SAYS:
        return None
    spans = tuple((start + after.span[0], end + after.span[0]) for start, end in ahead.time_spans)
    told = _trimmed(times.text, *after.span)
    return replace(over, told=_trimmed(times.text, *before.span)), replace(ahead, told=told, time_spans=spans)


def _turns(text: str, stop: re.Match[str], first: int) -> bool:
    """Whether what stands behind a stop may look ahead, though what is ahead of it does not: it is a clause of its own, and no rest of a
    list ("talked to Ann, Bea in the evening").
    """
    if _LOOKS_BACK.search(text, first):
        return False
    behind = text[stop.end() :]
    if stop.group() not in ",， " and len(behind) <= _SHORT:
        return True
    return text[: stop.start()].rstrip().endswith("了") if _HAN.search(behind) else _GOING.match(behind) is not None


class _Told(NamedTuple):
    """What a part says, the mention that dates it, and where the part stands."""

    said: Statement
    mention: Mention | None
    span: Span
    times: Times


class _Row:
    """The events of a text, as one follows another."""

    def __init__(self, whole: Statement, observed: dt.datetime | None, conventions: Conventions) -> None:
        self._whole, self._observed, self._conventions = whole, observed, conventions
        self._told: list[_Told] = []

    def add(self, told: _Told) -> None:
        """The part's event, and those that are listed beside it."""
        said, mention, last = told.said, told.mention, self._told[-1].said if self._told else None
        if said.event is None or mention is None or (said.status == "mentioned" and not said.question):
            return
        if isinstance(mention.expression, Vague):  # 改天再约
            return
        if last is not None and self._goes_on(told, mention):
            return
        if said.moved and last is not None and (last.status == "cancelled" or (last.status == "planned" and _led(told))):
            # Called off and given a new time, or given one in words that say no more of what: one change.
            told = told._replace(span=(self._told.pop().span[0], told.span[1]))
        if self._observed is None:  # only what says its year dates anything
            self._told.append(told)
            return
        said = self._in_row(told, mention, self._told[-1].said if self._told else self._whole)
        self._told.append(told._replace(said=said))
        if not said.moved:
            self._told += [
                told._replace(said=replace(said, event=event)) for event in self._beside(told, mention, _tense(said))
            ]

    @property
    def full(self) -> bool:
        """Whether no more of them are kept apart."""
        return len({told.said.event for told in self._told}) >= _MOST

    def _goes_on(self, told: _Told, mention: Mention) -> bool:
        """Whether the time is the end of what was told before: 周六到，住到下周二."""
        ahead = told.times.folded[: mention.start].rstrip()
        return not told.said.moved and any(x.cue("stays_until").search(ahead) for x in told.times.reader.languages)

    def told(self) -> list[_Told]:
        """All of them, each time once."""
        found = self._told
        for at in range(len(found) - 2, -1, -1):
            found[at] = self._before(found[at], found[at + 1].said)
        kept: list[_Told] = []
        for told in found:
            if not any(_meet(told.said.event, other.said.event) for other in kept):
                kept.append(told)
        return kept[:_MOST]

    def _in_row(self, told: _Told, mention: Mention, before: Statement) -> Statement:
        """What a part says behind `before`; what it leaves open of its time and its tense follows from that:
        7月2日被拘留，7月15日病情恶化."""
        said, now = told.said, self._observed
        assert said.event is not None
        assert now is not None
        if before.event is None or before.event.start is None or said.event.start is None:
            return said
        begun, over, silent = before.event.start, _tense(before) == "past", _silent(told, mention)
        named = _named(mention)
        if named.frame == "day":
            if (before.grain or Grain.DAY) > Grain.DAY or not (silent or _tense(said) == _tense(before)):
                return said
            since = begun if over else begun - _AHEAD_OF
            event = self._read(named, since, "future") or said.event
            status = said.status
            if silent and status in ("planned", "occurred"):
                status = "occurred" if over and (event.end or now) <= now else "planned"
            return replace(said, event=event, status=status)
        if not silent:
            return said
        if over and said.status == "planned":
            past = self._read(named, now, "past")
            if past is not None and past.start is not None and begun <= past.start <= now:
                return replace(said, status="occurred", event=past)
        elif said.status in ("occurred", "mentioned") and said.event.start < begun:
            ahead = self._read(named, begun, "future")
            nearest = over or named.frame == "year"
            if ahead is None or ahead.start is None or (nearest and now - said.event.start < ahead.start - now):
                return said
            status = said.status if said.question else "planned" if ahead.start >= now else "occurred"
            return replace(said, status=status, event=ahead)
        return said

    def _before(self, told: _Told, after: Statement) -> _Told:
        """The same for a date ahead of one that would be before it: 6月毕业，10月转正 said in September."""
        said, now, mention = told.said, self._observed, told.mention
        if now is None or mention is None or said.status != "planned" or mention.expression.frame != "year":
            return told
        if said.event is None or said.event.start is None or after.event is None or after.event.start is None:
            return told
        if said.event.start <= after.event.start or not _silent(told, mention):
            return told
        past = self._read(mention.expression, now, "past")
        if past is None or past.end is None or past.end > after.event.start or now - past.end > said.event.start - now:
            return told
        return told._replace(said=replace(said, status="occurred", event=past))

    def _beside(self, told: _Told, mention: Mention, tense: Tense) -> Iterator[TimeRange]:
        """The times that are listed behind the one that dates a part; what is chosen from is one."""
        assert self._observed is not None
        if len(told.said.time_spans) < 2:
            return
        here = [
            m
            for m in told.times.at(self._observed, self._conventions, tense=tense)
            if m.start >= mention.start and m.range is not None and not isinstance(m.expression, Now)
        ]
        for n, (last, one) in enumerate(pairwise(here), 1):
            if one.span != last.span and not _LISTED.fullmatch(told.times.text, last.end, one.start):
                break
            if n == len(here) - 1 and _ANY.match(told.times.text, one.end):
                break
            if one.range is not None:
                yield one.range

    def _read(self, e: Expression, anchor: dt.datetime, tense: Tense) -> TimeRange | None:
        return zoned_range(e, At(anchor, tense, self._conventions))


def _led(told: _Told) -> bool:
    """Whether the part begins with what says that something is moved: 周六相亲，最后定了周日."""
    text = _ENDS.sub(" ", told.times.folded).lstrip()
    found = [m.start() for x in told.times.reader.languages if (m := x.cue("moved").search(text)) is not None]
    return 0 in found


def _named(mention: Mention) -> Expression:
    return mention.expression.base if isinstance(mention.expression, Until) else mention.expression


def _tense(said: Statement) -> Tense:
    return "past" if said.status in ("occurred", "done") else "future"


def _silent(told: _Told, mention: Mention) -> bool:
    """Whether the part says nothing of its side of now."""
    said = told.said
    if (said.status not in ("planned", "occurred") and not said.question) or said.type or said.moved:
        return False
    clause = clause_of(told.times.folded, mention)
    spoken = told.times.reader.written_in(clause)
    return tense_of(clause, spoken) is None and not any(
        x.cue(cue).search(clause) for x in spoken for cue in ("report", "planned")
    )


def _meet(one: TimeRange | None, other: TimeRange | None) -> bool:
    if one is None or one.start is None or other is None or other.start is None:
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


def _listed_from(times: Times, anchor: dt.datetime, conventions: Conventions) -> int:
    """Where a list begins whose heading names the time that holds all in it; 0 where there is no heading."""
    heading = _HEADING.match(times.text)
    if heading is None:
        return 0
    named = [m for m in times.at(anchor, conventions, tense="future") if m.range is not None]
    over = [m for m in named if m.end <= heading.end()]
    if not over or over[-1].range is None or over[-1].range.start is None:
        return 0
    held, behind = over[-1].range, [m for m in named if m.start >= heading.end()]
    assert held.start is not None
    if ":" not in heading[0] and "：" not in heading[0]:  # a line with no mark is a heading where lines begin with their times
        behind = [m for m in behind if not times.text[times.text.rfind("\n", 0, m.start) + 1 : m.start].strip("-*•· \t")]
    inside = [
        m.range
        for m in behind
        if m.range is not None and m.range.start is not None and held.holds(m.range.start) and m.range != held
    ]
    return heading.end() if len(set(inside)) > 1 else 0


class _Placed:
    """Where a text's times stand."""

    def __init__(self, text: str, spans: Sequence[Span], *, changes: bool) -> None:
        self._text, self._spans, self._changes = text, spans, changes
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
        plain = words.blanked(part, own)
        if not any(map(str.isalnum, plain)) or _CHOSEN.fullmatch(plain):
            return True
        if not self._changes and _HAPPENS.search(plain):
            return False
        # That something changes is said of what was told before only where something does: else "moved in" is an event.
        return Gist(part, own).bare and (self._changes or words.says_little(plain, 1))


def _parts(times: Times, whole: Statement, begin: int = 0) -> Iterator[Span]:
    """The stretches `[start, end)` of the text from `begin` on that have a time and say something of it; together they are all of it."""
    text, languages = times.text, times.reader.languages
    placed = _Placed(text, whole.time_spans, changes=whole.moved)
    stops = [m.end() for m in _ENDS.finditer(text, begin) if not placed.inside(*m.span())]
    if not whole.moved:
        stops = sorted({*stops, *_within(text, whole.time_spans, stops, placed, languages)})
    timed: list[Span] = []  # each with what has no time behind it
    fresh = True  # whether the last one has no time yet
    for start, end in pairwise([begin, *stops, len(text)]):
        has_time = bool(placed.of(start, end))
        if timed and (fresh or not has_time):
            timed[-1] = timed[-1][0], end
        else:
            timed.append((start, end))
            fresh = True
        fresh = fresh and not has_time
    begun, bare = begin, True
    for start, end in timed:
        says = not placed.bare(start, end)
        if says and not bare:
            yield begun, start
            begun = start
        bare = bare and not says
    yield begun, len(text)


def _within(
    text: str, spans: Sequence[Span], stops: Sequence[int], placed: _Placed, languages: Sequence[Language]
) -> Iterator[int]:
    """Where a part begins without a stop, as in what is dictated: 周三体检周五交报告."""
    begun = 0
    for (first, until), (then, behind), (further, _) in zip(spans, spans[1:], [*spans[2:], (len(text), 0)], strict=False):
        at = bisect_right(stops, first)
        begun = max(begun, stops[at - 1] if at else 0)
        ends = min(stops[at] if at < len(stops) else len(text), further)
        between = text[until:then].strip()
        if _BEGINS.match(text, until) and then < ends and first >= begun:
            begun = until
            yield until
            continue
        if attributive(between, languages) and "的" not in text[behind : behind + _LEAD]:
            continue
        if then >= ends or _HAN.search(between) is None or between.endswith(_LEADS_ON) or first - begun > _LEAD:
            continue
        named = placed.bare(begun, first) or (first - begun <= _SUBJECT and not between.startswith("的"))
        if named and not placed.bare(until, then) and not placed.bare(behind, ends):
            begun = then
            yield then
