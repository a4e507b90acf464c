"""memory_v2: what other memory systems keep of a person, asked live over HTTP.

Each account is one system, in one of four dialects; `adapters/_memory/` says what each of them sends and answers.

    addsearch   POST /search                  the Add/Search contract, this service's own door among others
    memorax     POST /v1/memories/search      Authorization: Token
    iris        POST /api/v1/memories/search  Authorization: Bearer, filters by time
    hybrid      POST /api/v1/search           relevance, importance and recency

observed_time is when a memory's matter was said, where the system knows that, else when the record was made; CREATED_IN asks for the
latter. Times without a zone are in `TIME_ZONE` (UTC). Event time and status are read from the text at the moment it was said. A
memory without any moment is kept where its text names a full date, or where the question has no time; else it is counted as undated.
importance is the system's own (hybrid: importance_score / 10), else what the text says; confidence is the text's reading, times the
system's belief in [0, 1] where it has one; a similarity in [0, 1] is the item's relevance, unless the topic's words speak better.
source_ref is `memory_v2:{account's name, or its dialect}:{id}`.

A question is at most QUERIES searches to each account, and one more to Memorax, all at once: its topic, itself, itself with its time
told in days, the topic's rewordings. None of the systems has pages: an answer that is full is told as truncated.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Annotated, Any, Literal

import anyio
import anyio.lowlevel
import httpx
import orjson
from pydantic import Field, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from adapters._accounts import Account, Accounts, check_all, of_user, read_all
from adapters._base import (
    Items,
    SearchContext,
    Shared,
    SourceError,
    SourceSettings,
    SourceTimeout,
    SourceUnavailable,
    TemporalSourceAdapter,
    TimelineItem,
    item_of,
    items_of,
    source,
)
from adapters._memory import DIALECTS, Asked, Dialect, Record, Request
from adapters._memory.dialect import Auth, code_of
from adapters._web import trusted
from planner import words
from planner.modes import TemporalMode
from planner.parts import read_statements
from planner.plan import zone_of
from planner.ranges import UTC, TimeRange
from planner.statements import Statement


class MemoryAccount(Account):
    """One memory system.

    `known_as` is the id by which it knows the account's user (default: the asker's); `entry` is Iris's, `partitions` and `tags` the
    hybrid API's, `output_mode` Memorax's; `search_path` and `fields` (id, text, created, said, importance, belief, score, owner:
    dotted names in a row) overrule the dialect's.
    """

    dialect: Literal["addsearch", "memorax", "iris", "hybrid"]
    auth: Auth | None = None
    known_as: str | None = None
    entry: str | None = None
    partitions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    output_mode: Literal["summary", "facts", "raw"] | None = None
    search_path: str | None = None
    fields: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _sound(self) -> MemoryAccount:
        if self.url is None or re.fullmatch(r"https?://[^/\s@?#]+(/[^\s@?#]*)?", self.url) is None:
            raise ValueError("a memory account has the url of its system, without credentials or query")
        if self.name and re.fullmatch(r"[\w.-]{1,60}", self.name) is None:
            raise ValueError("a name has letters, digits, dots, dashes and underscores")
        if self.known_as is not None and self.user is None:
            raise ValueError("known_as tells whom the system means by the account's user: the account needs a user")
        unknown = self.fields.keys() - DIALECTS[self.dialect].names.keys()
        if unknown:
            raise ValueError(f"the {self.dialect} dialect has no field {', '.join(sorted(unknown))}")
        return self

    @property
    def many(self) -> bool:
        return DIALECTS[self.dialect].many and self.known_as is None

    @property
    def ref(self) -> str:
        return self.name or self.dialect


class MemorySettings(SourceSettings):
    """Which systems are asked, and how often. QUERIES counts the searches for one question, ATTEMPTS the tries of each."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_MEMORY_V2_")

    accounts: Accounts[MemoryAccount] = ()
    queries: Annotated[int, Field(ge=1, le=6)] = 3
    attempts: Annotated[int, Field(ge=1, le=6)] = 3
    time_zone: str = "UTC"

    @field_validator("accounts")
    @classmethod
    def _told_apart(cls, accounts: tuple[MemoryAccount, ...]) -> tuple[MemoryAccount, ...]:
        refs = [account.ref for account in accounts]
        twice = sorted({ref for ref in refs if refs.count(ref) > 1})
        if twice:
            raise ValueError(f"several accounts are called {', '.join(twice)}: give each a name of its own")
        return accounts


@source("memory_v2", MemorySettings, "MEMORY_V2_ACCOUNTS: a JSON list of {dialect, url, password_env}")
def build(settings: MemorySettings, shared: Shared) -> TemporalSourceAdapter | None:
    return MemoryV2(settings, shared.single) if settings.accounts else None


# What is read is handed in this long before the deadline, so that a slow system costs the rest and not all.
_RESERVE = 0.25
_FIRST_WAIT = 0.1  # seconds before the second try, doubled before each further one
_LARGEST_ANSWER = 16 * 2**20
_SCHEMES = {"bearer": ("Authorization", "Bearer "), "token": ("Authorization", "Token "), "x-api-key": ("X-Api-Key", "")}


class MemoryV2:
    """Asks memory systems over HTTP."""

    source = "memory_v2"

    def __init__(self, settings: MemorySettings, single: bool = False) -> None:
        self.settings, self.single = settings, single
        self.zone = zone_of(settings.time_zone)
        limits = httpx.Limits(max_connections=32, max_keepalive_connections=8)
        self.client = httpx.AsyncClient(
            verify=trusted(), headers={"Accept": "application/json"}, timeout=httpx.Timeout(30, connect=3), limits=limits
        )

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        accounts = of_user(self.settings.accounts, ctx.user_id, self.single)
        return await read_all(accounts, ctx, lambda account: self._read(account, ctx))

    async def _read(self, account: MemoryAccount, ctx: SearchContext) -> Items:
        dialect = DIALECTS[account.dialect]
        bodies = dialect.requests(self._question(account, dialect, ctx))
        answers: list[list[Any]] = []
        failures: list[SourceError] = []

        async def one(body: dict[str, Any]) -> None:
            request = Request("POST", account.search_path or dialect.path, body)
            try:
                answers.append(dialect.rows(await self._answer(account, dialect, request, ctx.deadline - _RESERVE)))
            except SourceError as error:
                failures.append(error)

        with anyio.move_on_at(ctx.deadline - _RESERVE) as scope:
            async with anyio.create_task_group() as group:
                for body in bodies:
                    group.start_soon(one, body)
        if not answers:
            raise failures[0] if failures else SourceTimeout("did not answer in time")
        found = await self._items(account, dialect, answers, ctx)
        found.truncated = scope.cancelled_caught or any(len(rows) >= dialect.most for rows in answers)
        found.problems = tuple(dict.fromkeys(f"{account.label}: {error}" for error in failures))
        return found

    def _question(self, account: MemoryAccount, dialect: Dialect, ctx: SearchContext) -> Asked:
        own = [ctx.query, _dated(ctx)] if ctx.query.strip() else []
        topics = [query for query in ctx.expanded_queries if query.strip()]
        texts = list(dict.fromkeys([*topics[:1], *own, *topics[1:]]))[: self.settings.queries]
        return Asked(
            texts or [_days(ctx)],
            account.known_as or ctx.user_id,
            ctx.retrieval.observed.range,
            ctx.time.range,
            ctx.now,
            top_k=dialect.most,
            created=ctx.temporal_mode is TemporalMode.CREATED_IN,
            topical=bool(topics),
            entry=account.entry,
            partitions=account.partitions,
            tags=account.tags,
            output_mode=account.output_mode,
        )

    # --- asking -----------------------------------------------------------------------------------------------------------

    async def _answer(self, account: MemoryAccount, dialect: Dialect, request: Request, until: float) -> Any:
        """An answer's JSON, tried again where the contract allows it and the time lasts. Raises SourceError."""
        wait = _FIRST_WAIT
        for attempt in range(1, self.settings.attempts + 1):
            try:
                status, headers, body = await self._send(account, dialect, request)
            except httpx.TransportError as error:
                failure: SourceError = SourceUnavailable(f"cannot be reached ({type(error).__name__})")
                if isinstance(error, httpx.TimeoutException):
                    failure = SourceTimeout("did not answer in time")
                asked_wait = None
            else:
                if status < 300:
                    return _json(body)
                failure = _failure(status, body)
                if status not in dialect.retried:
                    raise failure
                asked_wait = _retry_after(headers.get("retry-after"), headers.get("date"))
            pause = wait if asked_wait is None else asked_wait
            if attempt == self.settings.attempts or anyio.current_time() + pause >= until:
                raise failure
            await anyio.sleep(pause)
            wait *= 2
        raise AssertionError("the last try returns or raises")

    async def _send(self, account: MemoryAccount, dialect: Dialect, request: Request) -> tuple[int, httpx.Headers, bytes]:
        headers = {}
        auth, secret = account.auth or dialect.auth, account.secret()
        if auth != "none" and secret is not None:
            if not secret.isascii() or not secret.isprintable():
                raise SourceError("its secret holds characters that no header can")
            name, scheme = _SCHEMES[auth]
            headers[name] = scheme + secret
        assert account.url is not None
        address = account.url.rstrip("/") + "/" + request.path.lstrip("/")
        async with self.client.stream(request.method, address, json=request.json, headers=headers) as answer:
            parts, size = [], 0
            async for part in answer.aiter_bytes():
                size += len(part)
                if size > _LARGEST_ANSWER:
                    raise SourceError(f"its answer is larger than {_LARGEST_ANSWER >> 20} MiB")
                parts.append(part)
            return answer.status_code, answer.headers, b"".join(parts)

    # --- reading ----------------------------------------------------------------------------------------------------------

    async def _items(self, account: MemoryAccount, dialect: Dialect, answers: list[list[Any]], ctx: SearchContext) -> Items:
        names = {**dialect.names, **account.fields}
        records: dict[str, Record] = {}
        bad = [0]  # of each answer: the same row may well be in several
        for rows in answers:
            read = [dialect.record(row, names, self.zone, account.known_as or ctx.user_id) for row in rows]
            bad.append(read.count(None))
            for record in filter(None, read):
                known = records.get(record.id)
                if known is None or (record.similarity or 0) > (known.similarity or 0):
                    records[record.id] = record
        skipped, undated = max(bad), 0
        topics = [set(terms) for query in ctx.expanded_queries if (terms := words.content(query))]
        items = []
        for n, record in enumerate(records.values()):
            if n % 32 == 31:
                await anyio.lowlevel.checkpoint()
            try:
                told = _items(record, f"{self.source}:{account.ref}:{record.id}", topics, ctx)
            except (OverflowError, ValueError):  # a time that the asker's zone cannot hold
                skipped += 1
                continue
            first = told[0]
            if first.observed_time is None and first.event_time is None and (ctx.time.source != "default" or not topics):
                undated += 1
            else:
                items += [item for item in told if _asked_for(item, ctx)]
        return Items(items, undated=undated, skipped=skipped)

    async def check(self) -> str:
        return await check_all(self.settings.accounts, self._check)

    async def _check(self, account: MemoryAccount) -> str:
        dialect = DIALECTS[account.dialect]
        try:
            status, _, body = await self._send(account, dialect, dialect.check)
        except httpx.TransportError as error:
            raise SourceUnavailable(f"cannot be reached ({type(error).__name__})") from error
        if status >= 300 and status not in dialect.answers:
            raise _failure(status, body)
        return f"{account.dialect} answers"

    async def close(self) -> None:
        await self.client.aclose()


def _days(ctx: SearchContext) -> str:
    """The asked time in days, the last one named."""
    last_moment = ctx.time.end - dt.timedelta(microseconds=1)
    first, last = (moment.astimezone(ctx.zone).date() for moment in (ctx.time.start, last_moment))
    return f"{first}" if first == last else f"{first} - {last}"


def _dated(ctx: SearchContext) -> str:
    """The question with its time told in days: the system has no clock of the asker's, so "last Friday" says nothing to it."""
    if not ctx.time_spans:
        return ctx.query
    start, end = ctx.time_spans[0]
    return f"{ctx.query[:start]} {_days(ctx)} {ctx.query[end:]}".strip()


def _items(record: Record, ref: str, topics: list[set[str]], ctx: SearchContext) -> list[TimelineItem]:
    zone = ctx.zone
    said, created = (moment and moment.astimezone(zone) for moment in (record.said or record.created, record.created))
    observed = created if ctx.temporal_mode is TemporalMode.CREATED_IN and created is not None else said
    more: dict[str, Any] = {}
    if record.importance is not None:
        more["importance"] = record.importance
    if record.similarity is not None and topics:
        own = set(words.content(record.text))
        more["relevance"] = max(record.similarity, *(len(topic & own) / len(topic) for topic in topics))

    def make(statement: Statement) -> TimelineItem:
        believed = round(statement.confidence * (1 if record.belief is None else record.belief), 4)
        to_come = said is None and statement.status in ("occurred", "done") and _to_come(statement.event, ctx)
        status = "planned" if to_come else statement.status  # nobody knows when it was told, but it is still to come
        return item_of(
            statement, source=MemoryV2.source, source_ref=ref, default_type="memory", content=record.text, observed=observed,
            confidence=believed, status=status, **more,
        )  # fmt: skip

    return items_of(read_statements(record.text, said, ctx.conventions, zone=zone), ctx, make)


def _to_come(event: TimeRange | None, ctx: SearchContext) -> bool:
    return event is not None and event.start is not None and event.start > ctx.now


def _asked_for(item: TimelineItem, ctx: SearchContext) -> bool:
    """Whether the item was observed in the window, or happens in the asked time; one without any time is, where none is asked."""
    if item.observed_time is None and item.event_time is None:
        return True
    if item.observed_time is not None and ctx.retrieval.observed.range.holds(item.observed_time):
        return True
    event = item.event
    return event is not None and event.start is not None and ctx.time.range.overlaps(event.start, event.end)


def _json(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except ValueError as error:
        raise SourceError("its answer is no JSON") from error


def _failure(status: int, body: bytes) -> SourceError:
    """What a status means, with the system's own code where its error has one."""
    try:
        code = code_of(orjson.loads(body))
    except ValueError:
        code = ""
    shown = f"{status} {code}".strip()
    if status in (401, 403):
        return SourceError(f"refuses the secret ({shown}): check its password and auth")
    if status == 404:
        return SourceError(f"has no such address ({shown}): check its url and dialect")
    if status in (408, 504):
        return SourceTimeout(f"ran out of time ({shown})")
    if status in (425, 429) or status >= 500:
        return SourceUnavailable(f"is out of order or asked too often ({shown})")
    return SourceError(f"answered {shown}")


def _retry_after(value: str | None, date: str | None) -> float | None:
    """Seconds that the system asks to wait: a whole number, or a date counted from the answer's own."""
    if value is None:
        return None
    if re.fullmatch(r"\d{1,6}", value.strip()):
        return float(value)
    try:
        until, sent = parsedate_to_datetime(value), parsedate_to_datetime(date or "")
        if until.tzinfo is None or sent.tzinfo is None:
            return None
        return max((until.astimezone(UTC) - sent.astimezone(UTC)) / dt.timedelta(seconds=1), 0.0)
    except (ValueError, TypeError):
        return None
