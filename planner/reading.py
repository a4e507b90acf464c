"""`read_times`: every time a text speaks of, as ranges in the asker's zone.

words -> pieces -> expressions (`planner._grammar`, `planner._composition`, `planner.lang`) -> ranges (`planner.resolution`)
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from functools import lru_cache

from planner import expressions as ex
from planner._carrying import carry, halve
from planner._composition import lend, narrow, place, share
from planner._form import Form, form
from planner._grammar import LONGEST, SHORT, Grammar, Language, Page, Reached, Token, squeeze
from planner._names import holds_no_time
from planner._numbering import unnumbered
from planner.lang import ALONE, TOGETHER, language
from planner.ranges import Grain, Span, TimeRange, attach
from planner.resolution import DEFAULT, At, Conventions, Tense, resolve, settled


@form
class Reading(Form):
    """One way to understand a mention, and why."""

    range: TimeRange
    reason: str


@form
class Mention(Form):
    """A time expression read in a text.

    `start` and `end` are the characters `[start, end)` of the text; `range` is None for a duration or a recurrence, which have
    no single place in time; `rules` name what read it, outermost first. `at` is the anchor it was read against. Several times
    said in one word (周一三五) are mentions that share its characters.
    """

    text: str
    start: int
    end: int
    range: TimeRange | None
    grain: Grain
    rules: tuple[str, ...]
    expression: ex.Expression
    at: At

    @property
    def alternatives(self) -> tuple[Reading, ...]:
        """The other readings, best first: worked out when they are asked for."""
        return tuple(Reading(other, _reason(other, self.at)) for other in dict.fromkeys(self._others()))

    @property
    def ambiguous(self) -> bool:
        """Whether there are other readings."""
        return next(self._others(), None) is not None

    def _others(self) -> Iterator[TimeRange]:
        if self.range is None or settled(self.expression):
            return
        # A neighbour outside of the years 1 to 9999 is no alternative.
        with suppress(OverflowError, ValueError):
            for span in resolve(self.expression, self.at.told(self.at.tense, every=True)):
                other = _zoned(span, self.at)
                if other != self.range:
                    yield other

    @property
    def rule(self) -> str:
        return self.rules[0]

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


@lru_cache(maxsize=8)
def grammar(codes: tuple[str, ...] = TOGETHER) -> Grammar:
    """The compiled grammar of these languages, built on first use."""
    return Grammar([language(code) for code in codes])


_ENGLISH = re.compile("[a-zA-Z]{3}")
# A letter that neither Chinese nor English has.
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z\u3400-\u9fff\uff21-\uff3a\uff41-\uff5a]")


def reader_of(text: str) -> Grammar:
    """The grammar that reads a text: that of Chinese and English, unless its letters are foreign and another language knows it."""
    if not text.isascii() and _FOREIGN.search(text) is not None:
        return _other(text) or grammar()
    return grammar()


def _other(text: str) -> Grammar | None:
    """The grammar of the first other language that says the text is its own."""
    spoken = (language(code) for code in ALONE)
    if text.isascii():
        spoken = (other for other in spoken if other.latin)
    return next((grammar((other.code,)) for other in spoken if other.speaks.search(text)), None)


def tense_of(text: str, languages: Sequence[Language] | None = None) -> Tense:
    """Whether the sentence speaks of the past or the future, as its own words tell; None where they do not, or say both."""
    past = future = False
    for spoken in grammar().written_in(text) if languages is None else languages:
        past = past or spoken.past.search(text) is not None
        future = future or spoken.future.search(text) is not None
    return None if past == future else "past" if past else "future"


def read_times(text: str, now: dt.datetime, conventions: Conventions = DEFAULT, *, tense: Tense | bool = True) -> list[Mention]:
    """The times `text` speaks of, in text order, read against `now`.

    `now` must be aware; its tzinfo is the asker's zone, and all ranges come out in it, half-open. A clock time is an instant.
    `tense` overrules what the sentence's own words tell (True: let them tell). Raises ValueError for a naive `now`.
    """
    return Times(text).at(now, conventions, tense=tense)


class Times:
    """The time expressions of a text. They are read once, and told at as many anchors and tenses as are asked for.

    `text` is the text, with a new line in place of each mark that numbers a list.
    """

    __slots__ = ("_folded", "_origin", "_tokens", "reader", "text")

    def __init__(self, text: str, reader: Grammar | None = None) -> None:
        self.text = text = unnumbered(text)
        self.reader = reader = reader or reader_of(text)
        squeezed, self._origin = squeeze(text)
        self._folded = folded = reader.fold(squeezed)
        page = Page(folded)
        pieces = _pieces(reader, page)
        if len(pieces) > 1:
            lend(pieces, folded, reader.attributes)
            carry(pieces, folded, reader.apart, reader.turns)
        if pieces:
            halve(pieces, folded, reader.evening, reader.early, reader.by_day)
            place(pieces, folded, reader.events, reader.of_events)
        self._tokens = [
            token
            for token in pieces
            if (not token.weak or page.alone(token.start, token.end))
            and not holds_no_time(token, squeezed, folded, reader.languages)
        ]

    def part(self, start: int, end: int) -> Times:
        """The times in the characters `[start, end)`, as they stand in the whole; none of them lies across an end."""
        part = copy(self)
        part.text = self.text[start:end]
        if self._origin is not None:
            low, high = bisect_left(self._origin, start), bisect_left(self._origin, end)
            part._origin = [at - start for at in self._origin[low:high]]
            start, end = low, high
        part._folded = self._folded[start:end]
        part._tokens = [
            Token(t.start - start, t.end - start, t.cat, t.value, t.weak, t.rules)
            for t in self._tokens
            if start <= t.start and t.end <= end
        ]
        return part

    @property
    def first(self) -> int | None:
        """Where the first of them begins, where the text has no spaces between its Chinese characters; None where there is none."""
        return self._tokens[0].start if self._tokens and self._origin is None else None

    @property
    def folded(self) -> str:
        """The text as its grammar spells it, character for character."""
        return self._folded if self._origin is None else self.reader.fold(self.text)

    def at(self, now: dt.datetime, conventions: Conventions = DEFAULT, *, tense: Tense | bool = True) -> list[Mention]:
        """As `read_times`."""
        if now.tzinfo is None:
            raise ValueError("now needs a time zone")
        mentions = self._at(now, conventions, tense) if self._tokens else []
        if mentions:
            return mentions
        # A text without foreign letters may be another language's, and one with them may hold English.
        text = self.text
        other = _other(text) if self.reader is grammar() else grammar() if _ENGLISH.search(text) else None
        return mentions if other is None else Times(text, other)._at(now, conventions, tense)

    def _at(self, now: dt.datetime, conventions: Conventions, tense: Tense | bool) -> list[Mention]:
        mentions: list[Mention] = []
        at: At | None = None
        told = False
        # By its id, where each expression lies: a long text says the same over and over, and a run that is remembered is one object.
        placed: dict[int, tuple[TimeRange, Grain] | None] = {}
        for token in self._tokens:
            if tense is True and not told and _open_to_tense(token.value):
                told, at = True, At(now, tense_of(self._folded, self.reader.written_in(self._folded)), conventions)
                placed = {}
            elif at is None:
                at = At(now, None if tense is True else (tense or None), conventions)
            for expression in token.value.parts if isinstance(token.value, ex.Union) else (token.value,):
                mention = _mention(token, expression, self.text, self._origin, at, placed)
                if mention is not None:
                    mentions.append(mention)
        return mentions


def _pieces(reader: Grammar, page: Page) -> list[Token]:
    """All expressions that a folded text says. What depends on a stretch alone is remembered: people say "tomorrow" often."""
    text, reached, memory = page.text, Reached(), reader.stretched
    pieces: list[Token] = []
    for left, right in reader.stretches(text):
        page.lone = page.alone(left, right)
        plain = reached.at <= left and reader.plain(text, left, right)
        found = memory.recall("", page, left, right) if plain else None
        if found is None:
            found, beside, further = [], reader.figured(text, left, right), False
            for run in reader.runs_within(text, left, right, reached):
                if reader.tells(run):
                    page.beside = page.further = False
                    found += parse(reader, run, page)
                    beside, further = beside or page.beside, further or page.further
            if plain and not further and reached.at <= right:
                memory.keep("", page, left, right, found, beside)
        pieces += found
    return pieces


def parse(reader: Grammar, run: list[Token], page: Page) -> list[Token]:
    """The expressions that a run of tokens says: tokens to pieces, pieces to whole expressions."""
    start, end = run[0].start, run[-1].end
    line = reader.pieces.line(run)
    found = reader.remembered.recall(line, page, start, end)
    if found is not None:
        return found
    page.beside = page.further = False
    found = _parse(reader, run, page)
    if not page.further and len(run) <= SHORT and end - start <= LONGEST:
        reader.remembered.keep(line, page, start, end, found, page.beside)
    return found


def _parse(reader: Grammar, run: list[Token], page: Page) -> list[Token]:
    tokens, made = reader.pieces.apply(run, page)
    if not made and "X" not in [token.cat for token in tokens]:
        return []
    if len(tokens) > 1:
        tokens = share(narrow(tokens, reader.glue))
    for _ in range(3):
        if len(tokens) == 1:
            break
        tokens, made = reader.phrases.apply(tokens, page)
        if not made:
            break
        tokens = narrow(tokens, reader.glue)
    return [token for token in tokens if token.cat == "X"]


def _open_to_tense(expression: ex.Expression) -> bool:
    """Whether the sentence's tense may decide the reading: something in it is bare. Costs less than to read the tense."""
    if expression.frame is not None:
        return True
    if isinstance(expression, (ex.This, ex.Ago, ex.Now, ex.Fixed, ex.Year, ex.Length, ex.Recurring)):
        return False
    if isinstance(expression, ex.Vague):
        return expression.either or expression.sign == 0
    if isinstance(expression, ex.Within):
        return _open_to_tense(expression.outer)
    return True


def _mention(
    token: Token,
    expression: ex.Expression,
    text: str,
    origin: list[int] | None,
    at: At,
    placed: dict[int, tuple[TimeRange, Grain] | None],
) -> Mention | None:
    start, end = token.start, token.end
    if origin is not None:
        start, end = origin[start], origin[end - 1] + 1
    if id(expression) not in placed:
        placed[id(expression)] = _place(expression, at)
    place = placed[id(expression)]
    if place is not None:
        return Mention(text[start:end], start, end, *place, token.rules, expression, at)
    if isinstance(expression, (ex.Length, ex.Recurring)):
        return Mention(text[start:end], start, end, None, expression.grain, token.rules, expression, at)
    return None


def _place(expression: ex.Expression, at: At) -> tuple[TimeRange, Grain] | None:
    """The first reading of `expression` in the anchor's zone; None where it has none."""
    try:
        spans = resolve(expression, at)
        return (_zoned(spans[0], at), spans[0].grain) if spans else None
    except (OverflowError, ValueError):  # a reading outside of the years 1 to 9999: there is no such range
        return None


def zoned_range(expression: ex.Expression, at: At) -> TimeRange | None:
    """The first reading of `expression` as a range in the anchor's zone; None where it has none."""
    place = _place(expression, at)
    return None if place is None else place[0]


def _zoned(span: Span, at: At) -> TimeRange:
    zone = at.moment.tzinfo
    assert zone is not None
    start = None if span.start is None else attach(span.start, zone)
    end = start if span.start == span.end else None if span.end is None else attach(span.end, zone)
    return TimeRange(start, end)


def _reason(range_: TimeRange, at: At) -> str:
    if range_.end is not None and range_.end <= at.moment:
        return "the one before now"
    if range_.start is not None and range_.start > at.moment:
        return "the one after now"
    return "the one that holds now"
