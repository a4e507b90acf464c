"""What every source shares: the item it gives, the question it is asked, how it fails, how it is found.

A source is one file in this package. It registers itself with `@source("name", Settings)` on a factory that takes its settings and
what the service shares, and gives an adapter, or None when it is not configured.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pydantic_settings import BaseSettings, SettingsConfigDict

from planner import words
from planner.modes import TemporalMode
from planner.plan import PlanTime, Retrieval
from planner.ranges import Grain, TimeRange
from planner.resolution import DEFAULT, Conventions
from planner.statements import Statement

if TYPE_CHECKING:
    from adapters._candidates import Judge

STATUSES = ("mentioned", "planned", "due", "occurred", "done", "cancelled")
TYPES = ("mention", "message", "commitment", "todo", "event", "note", "visit", "email", "memory")


@dataclass(slots=True)
class TimelineItem:
    """One thing on a person's timeline, as a source tells it.

    All times are aware. `event_time` is when it happened or will, `event_end` where that has an extent (half-open), None when
    the source does not say; `observed_time` is when the source recorded it, None when even that is unknown. `importance` and
    `confidence` lie in [0, 1]. `relevance` is the match with the question's topic that the source's own index found, None when
    it has no index. `source_ref` is stable: the same record gives the same one on every call. Where a record tells of several events
    there may be an item for each: `part` numbers them from 0 on, and `told` is what of the content tells of this one. `time_spans`
    are the places of its times in that, and `said` its words as merging compares them (`planner.restatement.Gist.said`), where the
    source has kept them.
    """

    source: str
    source_ref: str
    type: str
    title: str
    content: str
    observed_time: dt.datetime | None
    event_time: dt.datetime | None = None
    event_end: dt.datetime | None = None
    event_grain: Grain | None = None
    status: str = "mentioned"
    importance: float = 0.5
    confidence: float = 0.9
    relevance: float | None = None
    negated: bool = False
    moved: bool = False
    question: bool = False
    merged_from: list[str] = field(default_factory=list)
    time_spans: tuple[tuple[int, int], ...] = ()
    aside: bool = False
    said: tuple[str, ...] | None = None
    told: str | None = None
    part: int = 0

    @property
    def telling(self) -> str:
        """What tells of the event: the content, or the part of it that does."""
        return self.content if self.told is None else self.told

    @property
    def topic(self) -> str:
        """What tells of the event, without the words that tell its time."""
        return words.blanked(self.telling, self.time_spans)

    @property
    def event(self) -> TimeRange | None:
        """The event's range; an instant when it has no extent; None when no event time is known."""
        if self.event_time is None:
            return None
        return TimeRange(self.event_time, self.event_end or self.event_time)


def item_of(
    statement: Statement,
    *,
    source: str,
    source_ref: str,
    default_type: str,
    content: str,
    observed: dt.datetime | None,
    **more: Any,
) -> TimelineItem:
    """The item of a text whose statement was read; `more` overrules what the statement says. `content` is that text, where it tells of
    several events.
    """
    event = statement.event
    told, begin = (None, 0) if statement.told is None else (content[slice(*statement.told)], statement.told[0])
    fields: dict[str, Any] = {
        "source": source,
        "source_ref": source_ref,
        "type": statement.type or default_type,
        "title": title_of(content if told is None else told),
        "content": content,
        "observed_time": observed,
        "event_time": event.start if event is not None else None,
        "event_end": event.end if event is not None and event.end != event.start else None,
        "event_grain": statement.grain if event is not None else None,
        "status": statement.status,
        "importance": statement.importance,
        "confidence": statement.confidence,
        "negated": statement.negated,
        "moved": statement.moved,
        "question": statement.question,
        "time_spans": tuple((start - begin, end - begin) for start, end in statement.time_spans),
        "aside": statement.aside,
        "told": told,
    }
    return TimelineItem(**(fields | more))


_MARK = re.compile("[。！？!?；;]")


def title_of(content: str, limit: int = 60) -> str:
    """The first line, at most `limit` characters, cut at a sentence's end where there is one."""
    line = content.strip()
    if not line.isprintable():
        line = line.splitlines()[0].rstrip()
    if _MARK.search(line, 4, limit) is not None:
        for mark in "。！？!?；;":
            at = line.find(mark)
            if 4 <= at < limit:
                return line[:at]
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class SearchContext:
    """One question to one source.

    `user_id` is the id by which this source knows the person. `retrieval.observed` and `time` are half-open. `now` is aware, and
    its tzinfo is the zone in which items' relative times are read and in which all times go out. `deadline` is the moment, on
    `anyio.current_time`'s clock in seconds, after which nothing of the answer is waited for: a source that reads page by page gives
    what it has a little earlier. `query` is the question as asked, `time_spans` its characters `[start, end)` that tell the time. What
    `judge` leaves out may be left out, but never a correction of what it does not; without one everything is wanted. `events`
    are the words of the events from which a time is inferred: what lies outside of it, and speaks of them, may be the answer as well.
    """

    user_id: str
    retrieval: Retrieval
    time: PlanTime
    temporal_mode: TemporalMode
    expanded_queries: tuple[str, ...]
    now: dt.datetime
    conventions: Conventions = DEFAULT
    deadline: float = float("inf")
    query: str = ""
    time_spans: tuple[tuple[int, int], ...] = ()
    judge: Judge | None = None
    events: tuple[str, ...] = ()

    @property
    def by_telling(self) -> bool:
        """Whether all that counts is when a thing was told or made, and not when it happens."""
        return self.temporal_mode in (TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN)

    @property
    def zone(self) -> dt.tzinfo:
        assert self.now.tzinfo is not None
        return self.now.tzinfo


class Items(list[TimelineItem]):
    """What a source found.

    `truncated`: more lay behind what was read; `undated`, `skipped`: so many rows were left out, since their time, or they
    themselves, are unreadable; `below`: so many since they could not reach the answer, and `beyond`: since they stand behind all it has
    room for; `problems`: what could not be read at all, a line each, while the rest could.
    """

    def __init__(
        self,
        items: Iterable[TimelineItem] = (),
        *,
        truncated: bool = False,
        undated: int = 0,
        skipped: int = 0,
        below: int = 0,
        beyond: int = 0,
        problems: Iterable[str] = (),
    ) -> None:
        super().__init__(items)
        self.truncated, self.undated, self.skipped = truncated, undated, skipped
        self.below, self.beyond = below, beyond
        self.problems = tuple(problems)


@runtime_checkable
class TemporalSourceAdapter(Protocol):
    """The contract of a source.

    `search` gives the items that may belong to the answer: observed in `retrieval.observed`, or, where the source can ask by event
    time, happening in `time`; at most `retrieval.limit`, best first. It raises `SourceError` for what went wrong and lets
    cancellation through, leaving no thread, connection or file behind. It never reads another person's data.
    """

    source: str

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]: ...

    async def check(self) -> str:
        """One line on what is found at the source; raises SourceError if it cannot be asked."""
        ...

    async def close(self) -> None: ...


@runtime_checkable
class KnowsWhen(Protocol):
    """What a source with an index of its own can tell beside items."""

    async def around(self, ctx: SearchContext) -> list[dt.datetime]:
        """The times, of telling and of events, of what fits the question's topic and lies nearest outside of `ctx.time`."""
        ...


@runtime_checkable
class DatesEvents(Protocol):
    """What a source that is soon asked can tell of when an event of the person's life was."""

    async def telling(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        """As `search`: what speaks of the event, whose words are the topic."""
        ...


class SourceError(Exception):
    """A source could not answer. The message names the cause and never holds a person's text or a secret."""

    status = "error"


class SourceUnavailable(SourceError):
    """The source cannot be reached, or says that it is out of order."""

    status = "unavailable"


class SourceTimeout(SourceError):
    """The source itself ran out of time."""

    status = "timeout"


class SourceSettings(BaseSettings):
    """Base of a source's settings: read from the environment under TEMPORAL_RECALL_{SOURCE}_, each declared once."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, env_ignore_empty=True)


@dataclass(frozen=True, slots=True)
class Shared:
    """What the service shares with its sources: the embedded store, the zone of naive times, the conventions.

    `single` tells that callers are not verified: the service then runs for one person, whose every account is.
    """

    store: Any
    zone: dt.tzinfo
    conventions: Conventions = DEFAULT
    single: bool = False


Build = Callable[[Any, Shared], TemporalSourceAdapter | None]


@dataclass(frozen=True, slots=True)
class Registered:
    """A source that exists in code: its name, its settings, how to build it (None when it is not configured)."""

    name: str
    settings: type[SourceSettings]
    build: Build
    needs: str


REGISTRY: dict[str, Registered] = {}


def source(name: str, settings: type[SourceSettings], needs: str) -> Callable[[Build], Build]:
    """Registers a source under its name; `needs` says in a line what must be set for it to be configured."""

    def register(build: Build) -> Build:
        REGISTRY[name] = Registered(name, settings, build, needs)
        return build

    return register


def items_of(
    statements: Sequence[Statement], ctx: SearchContext, make: Callable[[Statement], TimelineItem]
) -> list[TimelineItem]:
    """The items that the question is about, of a record that tells of an event or of several; `make` gives a statement's item."""
    if len(statements) > 1 and ctx.by_telling:
        spans = tuple(span for statement in statements for span in statement.time_spans)
        return [make(replace(statements[0], told=None, time_spans=spans))]
    items = [make(statement) for statement in statements]
    for n, item in enumerate(items):
        item.part = n
    return asked_for(items, ctx)


def asked_for(items: list[TimelineItem], ctx: SearchContext) -> list[TimelineItem]:
    """Of items for the events that one record tells of, those that the question is about.

    Without a topic that is every one in the asked time; with one it is the one that speaks of it then, or else at all.
    """
    if len(items) == 1:
        return items
    topic = {term for query in ctx.expanded_queries for term in words.content(query)}

    def then(item: TimelineItem) -> bool:
        if item.event is None:
            return item.observed_time is not None and ctx.time.range.holds(item.observed_time)
        return ctx.time.range.overlaps(item.event.start or ctx.now, item.event.end)

    def fits(item: TimelineItem) -> tuple[bool, int, bool, int]:
        speaks, meets = len(topic.intersection(words.content(item.telling))), then(item)
        return meets and speaks > 0, speaks, meets, -item.part

    return [max(items, key=fits)] if topic else list(filter(then, items)) or items[:1]


def belongs(item: TimelineItem, ctx: SearchContext) -> bool:
    """Whether the item was observed, or happens, in the asked time: what a source keeps first when it must choose."""
    asked = ctx.time.range
    if not ctx.by_telling and item.event is not None and asked.overlaps(item.event.start or ctx.now, item.event.end):
        return True
    return item.observed_time is not None and asked.holds(item.observed_time)


def chosen(items: Iterable[TimelineItem], ctx: SearchContext) -> list[TimelineItem]:
    """At most `retrieval.limit` of the items: those that belong to the asked time first, of these what meets the topic, then the
    newest. Without a topic those that weigh most come before all, as they do in the answer.
    """
    found = list(items)
    more = len(found) > ctx.retrieval.limit
    topics = [set(terms) for query in ctx.expanded_queries if (terms := words.content(query))] if more else []
    first: dict[int, int] = {}
    if more and ctx.judge is not None and not topics:
        from adapters._candidates import candidates  # not before it is needed: numpy loads with it

        judged = ctx.judge(candidates(found, [1.0 if item.relevance is None else item.relevance for item in found]), len(found))
        first = {id(found[at]): n for n, at in enumerate(judged.places.tolist())}

    def order(item: TimelineItem) -> tuple[float, bool, float, float, str]:
        age = math.inf if item.observed_time is None else -item.observed_time.timestamp()
        return first.get(id(item), math.inf), not belongs(item, ctx), -meets(item, topics), age, item.source_ref

    return sorted(found, key=order)[: ctx.retrieval.limit]


def meets(item: TimelineItem, topics: Sequence[set[str]]) -> float:
    """The match with the topic that the source found, or the share of a topic's words that the item holds; 0 without a topic."""
    if not topics:
        return 0.0
    if item.relevance is not None:
        return item.relevance
    said = set(words.content(item.title + "\n" + item.content))
    return max(len(topic & said) / len(topic) for topic in topics)
