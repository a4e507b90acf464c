"""ContextPlan: what a question means and where to look for its answer. Public, versioned, round-trips.

`make_plan` builds one from a query and now; a caller may edit it and send it back. Unknown fields are kept and echoed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    WrapSerializer,
    field_validator,
)

from planner import expressions as ex
from planner import words
from planner._corrections import standing
from planner._fallback import read_foreign
from planner._grammar import Grammar, Language
from planner.anchors import Anchor, anchors_of
from planner.modes import FRAMING, ModeReading, TemporalMode, mode_by_words, settle_mode, tense_for
from planner.ordering import Order, order_by_words
from planner.ranges import FIRST_YEAR, LAST_YEAR, Grain, TimeRange
from planner.reading import Mention, grammar, read_times, reader_of, tense_of, zoned_range
from planner.resolution import Conventions
from planner.statements import says_its_year
from planner.topics import expanded_queries

QUERY_TYPE: Literal["personal_temporal_recall"] = "personal_temporal_recall"
MAX_LIMIT = 200
# How long before a planned or due time it may have been said, and how long after it happened it may be told.
SAID_BEFORE = dt.timedelta(days=90)
TOLD_AFTER = dt.timedelta(days=7)
_AHEAD = (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN)
# How far back "recently" and "now" may reach where a topic is asked for.
LATELY_AT_MOST = dt.timedelta(days=366)
# A conversation goes on for so long about what is told in it.
_TALK = dt.timedelta(hours=1)
# Of all that was soon before or after an event.
NEAR_EVENT = dt.timedelta(days=14)
_DAY = dt.timedelta(days=1)
_MODE_RULE, _ORDER_RULE, _EVENT_RULE = re.compile(r"(?:^|\.)mode\."), re.compile(r"\.order\."), re.compile(r"\.event\.")
# The types of item that are meant by the kinds of records a question names.
_KINDS = (("record_todo", ("todo", "commitment")), ("record_note", ("note",)))
_ALSO, _TOLD_OF = "the question also says", "the event was told of then"

# A time between these can be written in every zone.
_FIRST, _LAST = dt.datetime(1, 1, 2, tzinfo=dt.UTC), dt.datetime(9999, 12, 31, tzinfo=dt.UTC)
_OFFSET = re.compile(r"(?:UTC)?([+-])(\d\d):?(\d\d)")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|z|[+-]\d\d:?\d\d|[+-]\d\d:\d\d:\d\d)")


def zone_of(name: str) -> dt.tzinfo:
    """The zone of an IANA name or of an offset such as "+08:00". Raises ValueError for anything else."""
    match = _OFFSET.fullmatch(name)
    if match is not None:
        delta = dt.timedelta(hours=int(match[2]), minutes=int(match[3]))
        return dt.timezone(-delta if match[1] == "-" else delta)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"unknown time zone {name!r}") from error


def zone_name(zone: dt.tzinfo) -> str:
    """The name that `zone_of` reads back."""
    if isinstance(zone, ZoneInfo) and zone.key:
        return zone.key
    offset = zone.utcoffset(None)
    if offset is None:
        raise ValueError("a zone without a name or a fixed offset")
    minutes = round(offset.total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _moment(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        if value.tzinfo is None:
            raise ValueError("a time needs an offset, as in 2026-09-03T22:00:00+08:00")
        return value
    if not isinstance(value, str):
        raise ValueError("a time is a string in ISO 8601 form with an offset")
    if not _TIMESTAMP.fullmatch(value):
        raise ValueError("not a time in ISO 8601 form with an offset, as in 2026-09-03T22:00:00+08:00")
    try:
        moment = dt.datetime.fromisoformat(value.replace("z", "Z").replace(",", "."))
        utc = moment.astimezone(dt.UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"no such time: {value}") from error
    if not _FIRST <= utc < _LAST:
        raise ValueError(f"no time of the years 1 to 9999 in every zone: {value}")
    return moment


def _reference(now: dt.datetime) -> dt.datetime:
    if not FIRST_YEAR <= now.year <= LAST_YEAR:
        raise ValueError(f"a question is asked in the years {FIRST_YEAR} to {LAST_YEAR}")
    return now


def _not_blank(value: str) -> str:
    if not value.strip():  # U+001C to U+001F are blank to Python and not to the pattern
        raise ValueError("must not be blank")
    return value


def _storable(value: str) -> str:
    if "\x00" in value:
        raise ValueError("must not hold a NUL character")
    return value


def _written(moment: dt.datetime, write: SerializerFunctionWrapHandler) -> Any:
    offset = moment.utcoffset()
    return moment.isoformat() if offset is not None and offset.seconds % 60 else write(moment)  # pydantic drops the seconds


Moment = Annotated[
    dt.datetime,
    BeforeValidator(_moment),
    WrapSerializer(_written, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
Now = Annotated[Moment, AfterValidator(_reference)]
Text = Annotated[
    str, StringConstraints(strict=True, min_length=1, max_length=4096), Field(pattern=r"\S"), AfterValidator(_not_blank)
]
Id = Annotated[
    str,
    StringConstraints(strict=True, min_length=1, max_length=512),
    Field(pattern=r"\S"),
    AfterValidator(_not_blank),
    AfterValidator(_storable),
]
SourceName = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z][a-z0-9_]{0,63}$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class _Window(_Part):
    start: Moment
    end: Moment

    @field_validator("end")
    @classmethod
    def _ordered(cls, value: dt.datetime, info: ValidationInfo) -> dt.datetime:
        if "start" in info.data and value <= info.data["start"]:
            raise ValueError("end must be later than start")
        return value

    @property
    def range(self) -> TimeRange:
        return TimeRange(self.start, self.end)


class Window(_Window):
    """`[start, end)` with offsets."""


class Alternative(_Part):
    """Another way to read the time, `[start, end)`, and why it was not taken."""

    start: Moment | None = None
    end: Moment | None = None
    reason: str = ""


class PlanTime(_Window):
    """The asked range `[start, end)`. `source` tells where it came from: the query, a default, or the caller's edit; `inferred` is what a
    person's sources tell of an event that the query names.
    """

    grain: Literal[tuple(grain.word for grain in Grain)] = "vague"  # type: ignore[valid-type]
    expression: str | None = None
    source: str = "query"
    alternatives: tuple[Alternative, ...] = ()

    def lately(self, now: dt.datetime) -> bool:
        """Whether it is a stretch about `now` as vague as "recently" or "currently": what is meant may be longer ago."""
        return (
            self.grain == "vague"
            and self.source not in ("default", "inferred")
            and self.start < now
            and self.end <= _moved(now, _DAY)
        )

    def open_in(self, mode: TemporalMode, now: dt.datetime) -> bool:
        """Whether what is still to be done is asked for: what is done by now is none of it."""
        return mode in _AHEAD and self.end > now

    @property
    def also(self) -> tuple[tuple[dt.datetime, dt.datetime], ...]:
        """Further ranges the question names beside the asked one; of an inferred one, those in which its event was told of."""
        return tuple(
            (a.start, a.end)
            for a in self.alternatives
            if a.start and a.end and a.start < a.end and a.reason.startswith((_ALSO, _TOLD_OF))
        )


class Retrieval(_Part):
    """One question to one source: what it observed in `[start, end)`, at most `limit` items."""

    source: SourceName
    observed: Window
    limit: Annotated[int, Field(strict=True, ge=1, le=10_000)] = 200
    required: Annotated[bool, Field(strict=True)] = False


class Explanation(_Part):
    """What the characters `[start, end)` of the query were read as, and by which rule."""

    span: tuple[int, int] | None = None
    text: str = ""
    rule: str
    reading: str = ""


class ContextPlan(_Part):
    schema_version: Annotated[int, Field(strict=True, ge=1, le=1)] = 1
    query_type: Literal["personal_temporal_recall"] = QUERY_TYPE
    query: Text
    user_id: Id
    now: Now
    timezone: str
    language: str = "zh"
    temporal_mode: TemporalMode
    time: PlanTime
    order: Order = "relevance"
    count: Annotated[int, Field(strict=True, ge=1, le=MAX_LIMIT)] | None = None
    expanded_queries: tuple[Annotated[str, StringConstraints(strict=True, max_length=4096)], ...] = ()
    kinds: tuple[Annotated[str, StringConstraints(strict=True, max_length=64)], ...] = ()
    anchors: Annotated[tuple[Anchor, ...], Field(max_length=2)] = ()
    retrievals: Annotated[tuple[Retrieval, ...], Field(min_length=1, max_length=64)]
    explanation: tuple[Explanation, ...] = ()

    @field_validator("timezone")
    @classmethod
    def _zone(cls, value: str) -> str:
        zone_of(value)
        return value

    @field_validator("retrievals")
    @classmethod
    def _once_each(cls, value: tuple[Retrieval, ...]) -> tuple[Retrieval, ...]:
        names = [retrieval.source for retrieval in value]
        if len(set(names)) < len(names):
            raise ValueError("a source is asked twice")
        return value

    @property
    def zone(self) -> dt.tzinfo:
        return zone_of(self.timezone)

    @property
    def time_spans(self) -> tuple[tuple[int, int], ...]:
        """The characters of the query that tell the asked time, or the order by time, and are no topic."""
        return tuple(
            part.span
            for part in self.explanation
            if part.span is not None
            and not _MODE_RULE.search(part.rule)
            and (
                self.time.source == "inferred"
                or (
                    not _EVENT_RULE.search(part.rule)
                    and (self.time.source == "query" or self.time.alternatives or _ORDER_RULE.search(part.rule))
                )
            )
        )

    def wire(self) -> dict[str, Any]:
        """The plan as JSON values, times with the offset of its zone."""
        return self.model_dump(mode="json")


class PlanSettings(BaseModel):
    """What a deployment decides about plans. Days are whole local days."""

    sources: tuple[str, ...] = ("meinput", "chat")
    lookback_days: int = 30
    horizon_days: int = 7305
    limit: int = MAX_LIMIT
    week_start: int = 0
    recent_days: int = 14
    day_first: bool = False

    @property
    def conventions(self) -> Conventions:
        return Conventions(self.week_start, self.recent_days, self.day_first)


def make_plan(
    query: str, user_id: str, now: dt.datetime, settings: PlanSettings | None = None, given: TemporalMode | None = None
) -> ContextPlan:
    """The plan for `query` asked by `user_id` at `now`; a `given` mode is obeyed.

    `now` is aware; its tzinfo is the asker's zone, in which all ranges are computed and written. Raises ValueError for a
    blank query or user, for a naive `now` and for one outside of the years 2 to 9998.
    """
    if not query.strip() or not user_id.strip():
        raise ValueError("a plan needs a query and a user")
    _reference(now)
    settings = settings or PlanSettings()
    told = mode_by_words(query) if given is None else ModeReading(given, None, "mode.given")
    reader = reader_of(query)
    folded = reader.fold(query)
    tense = tense_for(told.mode) if told is not None and told.tells_tense else tense_of(folded, reader.languages)
    if tense == "future" and told is not None and told.mode is TemporalMode.DUE_IN:  # "which bills were due in August"
        tense = "past" if any(x.cue("ask_was_due").search(folded) for x in reader.languages) else tense
    mentions = read_times(query, now, settings.conventions, tense=tense)
    if reader is grammar() and not any(mention.range is not None for mention in mentions):
        mentions = read_foreign(query, now, settings.conventions) or mentions
    anchors = anchors_of(query, mentions)
    apart = [m for m in mentions if not any(a.span[0] <= m.start and m.end <= a.span[1] for a in anchors)]
    if any(m.range is not None for m in apart):
        anchors = []  # the time is told, whatever else dates it
    elif anchors:
        mentions = apart
    compared = any(language.cue("compared").search(folded) for language in reader.languages)
    order = order_by_words(query)
    if order is not None:  # 最近三次: no time, but an order
        mentions = [m for m in mentions if not (order.span[0] <= m.start and m.end <= order.span[1])]
    meant = standing(mentions, folded, reader.languages)
    asked, spans, others = _asked(meant, query, compared)
    if asked is not None and _only_of_parts([m for m in meant if m.range is not None], folded, reader):
        asked, others = None, [m for m in meant if m.range is not None]
    if len(meant) < len(mentions):  # what takes a time back is no topic either
        spans.append((mentions[0].start, mentions[-1].end))
    mode = settle_mode(told, asked.range if asked else None, now)
    if mode.framing and mode.span is not None:
        spans.append(mode.span)
    if mode.mode is TemporalMode.CREATED_IN:  # "notes", "tasks" name the kind of record and not what it is about
        spans += [m.span() for language in reader.languages for m in language.cue("records").finditer(folded)]
    if order is not None and order.ahead and mode.mode not in _AHEAD:  # "the next town" of what is over is no next one
        order = None
    if order is not None:
        spans.append(order.span)
    if mode.mode is TemporalMode.DUE_IN and asked is not None:
        asked = _with_its_limit(asked, reader.languages)
    kinds: tuple[str, ...] = ()
    if mode.mode is TemporalMode.CREATED_IN:
        kinds = tuple(t for cue, types in _KINDS for t in types if any(x.cue(cue).search(folded) for x in reader.languages))
    topics = expanded_queries(query, [*spans, *_joints(anchors, folded)])
    late = mode.mode is TemporalMode.DUE_IN and any(language.cue("overdue").search(folded) for language in reader.languages)
    time = _time(asked, others, mode.mode, bool(topics), late, now, settings)
    window = _observed(time, mode.mode, now, settings.horizon_days if topics else 0)
    explanation = [_explain(mention) for mention in mentions]
    reading = f"{mode.mode}"
    explanation.append(
        Explanation(span=mode.span, text="" if mode.span is None else query[slice(*mode.span)], rule=mode.rule, reading=reading)
    )
    for anchor in anchors:
        explanation.append(
            Explanation(span=anchor.span, text=query[slice(*anchor.span)], rule=anchor.rule, reading=str(anchor))
        )
    if order is not None:
        explanation.append(
            Explanation(span=order.span, text=query[slice(*order.span)], rule=order.rule, reading=f"{order.order} first")
        )
    return ContextPlan(
        query=query,
        user_id=user_id,
        now=now,
        timezone=zone_name(now.tzinfo or dt.UTC),
        language=_language(query, reader),
        temporal_mode=mode.mode,
        time=time,
        order="relevance" if order is None else order.order,
        count=None if order is None else order.count,
        expanded_queries=tuple(topics),
        kinds=kinds,
        anchors=tuple(anchors),
        retrievals=tuple(Retrieval(source=source, observed=window, limit=settings.limit) for source in settings.sources),
        explanation=tuple(explanation),
    )


def placed(plan: ContextPlan, asked: TimeRange, settings: PlanSettings, told: Sequence[dt.datetime] = ()) -> ContextPlan:
    """The plan for what it asks in the range that the events it names were found to mean; an open side of it is closed as one of "since"
    and "before" is. Its topic is without the events' words, unless the caller has given one. Where there is a topic all of history is
    still looked at, since the range is inferred. `told` are moments at which the events were told of later.
    """
    query, now = plan.query, plan.now.astimezone(plan.zone)
    events = [anchor.span for anchor in plan.anchors]
    spans = [
        part.span
        for part in plan.explanation
        if part.span is not None and (_MODE_RULE.search(part.rule) is None or plan.temporal_mode in FRAMING)
    ]
    spans = [span for span in spans if span not in events]
    folded = reader_of(query).fold(query)
    as_made = plan.expanded_queries == tuple(expanded_queries(query, [*spans, *_joints(plan.anchors, folded)]))
    topics = tuple(expanded_queries(query, [*spans, *events])) if as_made else plan.expanded_queries
    start, end = asked.start, asked.end
    if not topics:  # of all that was before or after it, what lies near is meant
        if start is None and end is not None and end <= now:
            start = _moved(end, -NEAR_EVENT)
        if end is None and start is not None and start <= now and plan.anchors[0].relation == "after":
            end = min(_moved(start, NEAR_EVENT), _just_after(now))
    ahead = plan.temporal_mode in (*_AHEAD, TemporalMode.AMBIGUOUS)
    start, end = _closed(start, end, ahead, plan.temporal_mode, now, settings)
    text = " … ".join(query[slice(*span)] for span in dict.fromkeys(events))
    later = tuple(Alternative(start=at - _TALK, end=at + _TALK, reason=_TOLD_OF) for at in told)
    time = PlanTime(start=start, end=end, grain="vague", expression=text, source="inferred", alternatives=later)
    window = plan.retrievals[0].observed if topics else _observed(time, plan.temporal_mode, now, 0)
    retrievals = tuple(retrieval.model_copy(update={"observed": window}) for retrieval in plan.retrievals)
    return plan.model_copy(update={"time": time, "expanded_queries": topics, "retrievals": retrievals})


def about(
    plan: ContextPlan, texts: Sequence[str], settings: PlanSettings, limit: int, observed: TimeRange | None = None
) -> ContextPlan:
    """The plan by which its sources are asked for all that speaks of something, in any of these words, and was told in `observed`."""
    now = plan.now.astimezone(plan.zone)
    query = "\n".join(texts)
    time = _time(None, (), TemporalMode.AMBIGUOUS, True, False, now, settings)
    window = _observed(time, TemporalMode.AMBIGUOUS, now, settings.horizon_days)
    if observed is not None:
        window = Window(start=observed.start, end=observed.end)
    return plan.model_copy(
        update={
            "query": query,
            "temporal_mode": TemporalMode.AMBIGUOUS,
            "time": time,
            "order": "relevance",
            "count": None,
            "expanded_queries": tuple(texts),
            "kinds": (),
            "anchors": (),
            "retrievals": tuple(Retrieval(source=each.source, observed=window, limit=limit) for each in plan.retrievals),
            "explanation": (),
        }
    )


def _joints(anchors: Sequence[Anchor], folded: str) -> list[tuple[int, int]]:
    """The characters that say how the asked time lies to the events, without those of the events."""
    joints = []
    for start, end in dict.fromkeys(anchor.span for anchor in anchors):
        for anchor in anchors:
            at = folded.find(anchor.text, start, end) if anchor.span[1] == end else -1
            if at >= 0:
                joints.append((start, at))
                start = at + len(anchor.text)
        joints.append((start, end))
    return joints


def _language(query: str, reader: Grammar) -> str:
    if reader is not grammar():
        return reader.languages[0].code
    return "zh" if any("\u3400" <= c <= "\u9fff" for c in query) else "en"


_PARTS = re.compile(r"[、，,；;]|以及|和|与|及|跟|还是|\b(?:and|or|before|after)\b")
_APART = re.compile(r"\s*(?:[，,]|里|中|的时候|which\b|哪)")


def _only_of_parts(placed: Sequence[Mention], folded: str, reader: Grammar) -> bool:
    """Whether the times are those of some of the things compared ("A of 2021 or B, which came first") or of what follows a day that an
    event tells ("the day A happened, until the 5th"): the question as a whole has none.
    """

    def found(cue: str, text: str) -> re.Match[str] | None:
        return next((m for language in reader.languages if (m := language.cue(cue).search(text))), None)

    day = found("that_day", folded)
    if day is not None and all(m.start >= day.end() and not says_its_year(m.expression) for m in placed):
        return True
    if found("which_first", folded) is None:
        return False
    first = placed[0]
    if all(m.span == first.span for m in placed):
        # At the head or at the end it is the time of all that is compared: last week; in 2024, which ...
        head, end = not words.content(folded[: first.start]), not words.content(folded[first.end :])
        if (head and _APART.match(folded, first.end)) or ((head or end) and not says_its_year(first.expression)):
            return False
    plain = list(folded)
    for m in placed:
        plain[m.start : m.end] = " " * (m.end - m.start)
    parts, undated, start = 0, 0, 0
    for stop in [*(m.span() for m in _PARTS.finditer("".join(plain))), (len(folded), len(folded))]:
        piece = "".join(plain[start : stop[0]])
        dated = any(
            start <= m.start < stop[0] and m.range is not None and None not in (m.range.start, m.range.end) for m in placed
        )
        for language in reader.languages:
            piece = language.frame.sub(" ", language.cue("which_first").sub(" ", piece))
        if dated or words.content(piece):
            parts, undated = parts + 1, undated + (not dated)
        start = stop[1]
    return parts > 1 and undated > 0


_BETWEEN_LISTED = re.compile(r"\s*(?:和|跟|与|及|以及|还有|或者?|、|,|，|&|and|or)?\s*")


def _asked(
    mentions: Sequence[Mention], query: str, compared: bool
) -> tuple[Mention | None, list[tuple[int, int]], list[Mention]]:
    """The time that is asked for: the first one with a range, joined with those listed beside it (昨天和前天)."""
    placed = [mention for mention in mentions if mention.range is not None]
    spans = [mention.span for mention in placed]
    if not placed:
        return None, spans, []
    if len(placed) == 1:
        return placed[0], spans, []
    firm = [m for m in placed if m.grain is not Grain.VAGUE and not isinstance(m.expression, ex.Now)]
    dated = [m for m in firm if m.grain >= Grain.DAY and not m.ambiguous]
    bare = placed[0] not in firm or isinstance(placed[0].expression, ex.DayPart | ex.Clock)
    first = next(iter(dated if bare else ()), next(iter(firm), placed[0]))  # a date before "recently" and "at lunch"
    rest = [m for m in placed if m is not first]
    if compared:
        if first in dated:  # things of several dates are compared: look from the first to the last
            for other in dated:
                first = _hull(first, other, query) or first
        return first, spans, [m for m in rest if m not in dated]
    full = [m for m in dated if says_its_year(m.expression) and _before(m, first)]
    if full and not says_its_year(first.expression):  # "last week, as told on 6 November 2023": last week was before that day
        return full[0], spans, [m for m in placed if m is not full[0]]
    while rest and (
        first.span == rest[0].span
        or (first.end <= rest[0].start and _BETWEEN_LISTED.fullmatch(query[first.end : rest[0].start]))
    ):
        joined = _hull(first, rest[0], query)
        if joined is None:
            break
        first, rest = joined, rest[1:]
    return first, spans, rest


def _with_its_limit(asked: Mention, languages: Sequence[Language]) -> Mention:
    """The mention with the end of a month or a year that it names as the limit, and with the day where a language says "by" and
    "before" alike: what is to be handed in 周五前 is due on that Friday, as `read_statement` dates it, 月底前 runs to the month's end.
    """
    e = asked.expression
    if not isinstance(e, ex.Until) or e.through:
        return asked
    named = e.base
    while isinstance(named, ex.Within):
        named = named.inner
    alike = e.grain is Grain.DAY and any(x.cue("limit").search(asked.text[-3:]) for x in languages)
    if not alike and not (isinstance(named, ex.Slice) and named.name in ("late", "end")):
        return asked
    expression = replace(e, through=True)
    range_ = zoned_range(expression, asked.at)
    return asked if range_ is None else replace(asked, expression=expression, range=range_)


def _before(a: Mention, b: Mention) -> bool:
    if a.range is None or b.range is None or a.range.end is None or b.range.start is None:
        return False
    return a.range.end <= b.range.start


def _hull(a: Mention, b: Mention, query: str) -> Mention | None:
    if a.range is None or b.range is None:
        return None
    if a.range.start is None or a.range.end is None or b.range.start is None or b.range.end is None:
        return None
    start, end = min(a.range.start, b.range.start), max(a.range.end, b.range.end)
    expression = ex.FromTo(a.expression, b.expression)
    rules = (*a.rules, *b.rules)
    return Mention(
        query[a.start : b.end], a.start, b.end, TimeRange(start, end), max(a.grain, b.grain), rules, expression, a.at
    )


def _time(
    asked: Mention | None,
    others: Iterable[Mention],
    mode: TemporalMode,
    topical: bool,
    late: bool,
    now: dt.datetime,
    settings: PlanSettings,
) -> PlanTime:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    ahead = mode in (*_AHEAD, TemporalMode.AMBIGUOUS)
    horizon = dt.timedelta(days=settings.horizon_days)
    if asked is None or asked.range is None:
        back = horizon if topical else dt.timedelta(days=settings.lookback_days)
        also = _also(others)
        since = today if mode in _AHEAD and not late else _moved(today, -back)
        until = _just_after(now)
        if ahead and not late:
            until = _moved(today, min(back, dt.timedelta(days=366)) + dt.timedelta(days=1))
        return PlanTime(start=since, end=until, grain="vague", expression=None, source="default", alternatives=also)
    start, end, grain = asked.range.start, asked.range.end, asked.grain
    if start is not None and start == end:
        # An instant is asked about as the hour about it, "now" as today.
        if isinstance(asked.expression, ex.Now):
            start, end, grain = today, _moved(today, dt.timedelta(days=1)), Grain.VAGUE if topical else Grain.DAY
        else:
            # By the hours that go by and not by the wall clock, which has none at a day that a zone left out.
            hour, moment = dt.timedelta(hours=1), start.astimezone(dt.UTC)
            start, end = (_moved(moment, by).astimezone(start.tzinfo) for by in (-hour, hour))
    start, end = _closed(start, end, ahead, mode, now, settings)
    alternatives = [Alternative(start=r.range.start, end=r.range.end, reason=r.reason) for r in asked.alternatives]
    alternatives += _also(others)
    return PlanTime(
        start=start, end=end, grain=grain.word, expression=asked.text, source="query", alternatives=tuple(alternatives)
    )


def _closed(
    start: dt.datetime | None,
    end: dt.datetime | None,
    ahead: bool,
    mode: TemporalMode,
    now: dt.datetime,
    settings: PlanSettings,
) -> tuple[dt.datetime, dt.datetime]:
    """A range whose open side is closed with now or the horizon."""
    today, horizon = now.replace(hour=0, minute=0, second=0, microsecond=0), dt.timedelta(days=settings.horizon_days)
    if end is None and start is not None:
        end = _moved(start, horizon) if (ahead and mode is not TemporalMode.AMBIGUOUS) or start > now else _just_after(now)
    if start is None and end is not None:
        start = today if ahead and end > now and mode is not TemporalMode.AMBIGUOUS else _moved(min(end, now), -horizon)
    assert start is not None and end is not None
    return start, max(end, start + dt.timedelta(minutes=1))


def _also(others: Iterable[Mention]) -> tuple[Alternative, ...]:
    return tuple(
        Alternative(start=m.range.start, end=m.range.end, reason=f"{_ALSO} {m.text}") for m in others if m.range is not None
    )


def _just_after(now: dt.datetime) -> dt.datetime:
    """The end of a range that holds `now` as its last moment."""
    return _moved(now, dt.timedelta(microseconds=1)) if now.microsecond else _moved(now, dt.timedelta(seconds=1))


def _moved(moment: dt.datetime, by: dt.timedelta) -> dt.datetime:
    """`moment` moved on the wall clock, or the last one that still is a time."""
    try:
        moved = moment + by
        moved.astimezone(dt.UTC)
    except OverflowError:
        moved = (
            dt.datetime(1, 1, 3, tzinfo=moment.tzinfo)
            if by < dt.timedelta(0)
            else dt.datetime(9999, 12, 29, tzinfo=moment.tzinfo)
        )
    return moved


def _observed(time: PlanTime, mode: TemporalMode, now: dt.datetime, history_days: int) -> Window:
    """Where to look by observed time, as the mode has it (see docs/modes.md)."""
    upto = _just_after(now)
    if time.source == "default" and history_days:  # a topic without a time: anything said of it so far
        return Window(start=_moved(now, -dt.timedelta(days=history_days)), end=upto)
    if mode in (TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN):
        start, end = time.start, time.end
    elif mode is TemporalMode.OCCURRED_IN:
        start, end = time.start, min(_moved(time.end, TOLD_AFTER), upto)
    else:
        start, end = _moved(time.start, -SAID_BEFORE), upto
    if history_days and time.lately(now):
        start = min(start, _moved(now, -LATELY_AT_MOST))
    if end <= start and mode not in (TemporalMode.MENTIONED_IN, TemporalMode.CREATED_IN):
        # A range that has not begun: nothing can have been told of it yet but before now.
        start, end = _moved(now, -SAID_BEFORE), upto
    return Window(start=start, end=end)


def _explain(mention: Mention) -> Explanation:
    reading = str(mention.range) if mention.range is not None else "no single place in time"
    return Explanation(span=mention.span, text=mention.text, rule=" < ".join(mention.rules), reading=reading)
