"""meinput: what a person typed with their input method, exported by a MeInput cloud.

    GET {URL}/v1/evidence/export?user_id=…&from=…&to=…&limit=…&cursor=…      Authorization: Bearer {TOKEN}

answers one page, as JSON

    {"items": [{"evidence_id": "e1", "type": "expression_segment", "text": "…", "occurred_at": "2026-09-02T14:30:00+08:00"}],
     "next_cursor": "…"}

or as NDJSON, one row a line (the next cursor then stands in the `x-next-cursor` header). Only rows of type `expression_segment` are
kept. `occurred_at` is ISO 8601 or Unix time; without a zone it is wall time in `TIME_ZONE` (UTC). `importance` and `confidence`, if a
row has them, are taken as they are. Clouds differ: the path, every field and every parameter name is a setting.

observed_time is occurred_at; event time and status are read from the text at that moment; source_ref is
`meinput:segment:{evidence_id}`. The cloud cannot be asked by event time: the asked range is read first, then back in time, newest
window first, until the limit, the page limit or the deadline; what was not reached is told as truncated. With a mirror of the person
(`temporal-recall sync meinput`) the store answers instead, and only what was typed since is asked of the cloud.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import httpx
import orjson
from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from adapters import _times
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
    chosen,
    item_of,
    items_of,
    source,
)
from adapters._store import NewMessage, Store, mirroring
from adapters._store.items import around, stored
from adapters._times import from_ms, to_ms
from adapters._web import trusted
from planner.parts import read_statements
from planner.plan import zone_of
from planner.ranges import UTC, TimeRange
from planner.resolution import DEFAULT, Conventions


class MeInputSettings(SourceSettings):
    """Where the cloud is and how it spells things. Times are sent as ISO 8601 UTC, or Unix milliseconds with TIME_PARAMS=epoch_ms."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_MEINPUT_")

    url: str | None = None
    token: SecretStr | None = None
    auth_header: str = "Authorization"
    auth_scheme: str = "Bearer"
    path: str = "/v1/evidence/export"
    user_param: str = "user_id"
    from_param: str = "from"
    to_param: str = "to"
    limit_param: str = "limit"
    page_param: str = "cursor"
    page_size: int = 200
    page_limit: int = 50
    time_params: str = "iso"
    rows_field: str = "items"
    next_field: str = "next_cursor"
    id_field: str = "evidence_id"
    kind_field: str = "type"
    kind: str = "expression_segment"
    text_field: str = "text"
    occurred_field: str = "occurred_at"
    user_field: str = "user_id"
    time_form: _times.TimeForm = "auto"
    time_zone: str = "UTC"


@source("meinput", MeInputSettings, "MEINPUT_URL, and MEINPUT_TOKEN if the cloud wants one")
def build(settings: MeInputSettings, shared: Shared) -> TemporalSourceAdapter | None:
    return MeInput(settings, store=shared.store) if settings.url else None


# Looking back goes window by window, newest first, so that what is cut off is the oldest.
_BACK = dt.timedelta(days=30)
# What is read is handed in this long before the deadline, so that a slow cloud costs the rest and not all.
_RESERVE = 0.25
# A mirror looks so far back for what reached the cloud late.
_LATE = dt.timedelta(days=1)


class MeInput:
    """Reads a MeInput cloud's export over HTTP."""

    source = "meinput"

    def __init__(self, settings: MeInputSettings, store: Store | None = None) -> None:
        self.settings, self.store = settings, store
        self.zone = zone_of(settings.time_zone)
        headers = {"Accept": "application/x-ndjson, application/json"}
        if settings.token is not None:
            headers[settings.auth_header] = f"{settings.auth_scheme} {settings.token.get_secret_value()}".strip()
        limits = httpx.Limits(max_connections=32, max_keepalive_connections=8)
        self.client = httpx.AsyncClient(
            verify=trusted(),
            base_url=(settings.url or "").rstrip("/"),
            headers=headers,
            timeout=httpx.Timeout(30, connect=3),
            limits=limits,
        )

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        mirrored = await mirroring.progress(self.store, ctx.user_id, self.source) if self.store is not None else None
        if self.store is None or mirrored is None:
            return await self._search(ctx, None)
        kept = await self._mirrored(self.store, ctx)
        upto = from_ms(mirrored.upto_ms, UTC)
        if upto >= ctx.retrieval.observed.end:
            return kept
        try:
            young = await self._search(ctx, upto)
        except SourceError as error:
            return Items(
                kept,
                truncated=kept.truncated,
                undated=kept.undated,
                below=kept.below,
                beyond=kept.beyond,
                problems=[f"what is not mirrored yet: {error}"],
            )
        old = {item.source_ref for item in kept}
        fresh = [item for item in young if item.source_ref not in old]
        limit = ctx.retrieval.limit
        room = max(limit - len(fresh), 3 * limit // 4)  # what was typed since the mirror does not crowd out what fits better
        return Items(
            [*kept[:room], *fresh][:limit],
            truncated=kept.truncated or young.truncated or len(kept) + len(fresh) > limit,
            undated=kept.undated + young.undated,
            skipped=young.skipped,
            below=kept.below,
            beyond=kept.beyond,
        )

    async def _mirrored(self, store: Store, ctx: SearchContext) -> Items:
        return await stored(store, ctx, self.source, lambda row: f"meinput:segment:{row.request_id}")

    async def telling(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        """From the mirror; nothing without one."""
        return [] if self.store is None else await self._mirrored(self.store, ctx)

    async def around(self, ctx: SearchContext) -> list[dt.datetime]:
        """Times from the mirror; none without one."""
        return [] if self.store is None else await around(self.store, ctx, self.source)

    async def _search(self, ctx: SearchContext, since: dt.datetime | None) -> Items:
        """What the cloud says, of what was typed at or after `since`."""
        reader = _Reader(self, ctx, since)
        with anyio.move_on_at(ctx.deadline - _RESERVE) as scope:
            await reader.read()
        if scope.cancelled_caught and not reader.pages:
            raise SourceTimeout("the export did not answer in time")
        kept = chosen(reader.items, ctx)
        truncated = scope.cancelled_caught or reader.truncated or len(kept) < len(reader.items)
        return Items(kept, truncated=truncated, undated=reader.undated, skipped=reader.skipped)

    async def mirror(
        self,
        store: Store,
        user_id: str,
        zone: dt.tzinfo,
        now: dt.datetime,
        since: dt.datetime,
        conventions: Conventions = DEFAULT,
    ) -> AsyncIterator[Mirrored]:
        """Brings the store's mirror of a person's segments up to `now`; yields after every page.

        The first time it begins at `since`; later where it stood, a day back for what arrived late. `zone` is the person's. Raises
        SourceError where the cloud does not answer: what was read until then is kept, and the next call goes on behind it.
        """
        known = await mirroring.progress(store, user_id, self.source)
        cursor = None if known is None else known.cursor
        at = since if known is None else from_ms(known.upto_ms, UTC)
        if cursor is None and known is not None:
            at -= _LATE
        while at < now:
            end = min(at + _BACK, now)
            while True:
                rows, following, skipped = await self.page(self.params(user_id, TimeRange(at, end), cursor))
                records, undated = [], 0
                for row in rows:
                    read = self.record(row, user_id)
                    if isinstance(read, tuple):
                        records.append(read)
                    skipped, undated = skipped + (read == "bad"), undated + (read == "undated")
                cursor = following if rows and following != cursor else None
                reached = mirroring.Progress(to_ms(end if cursor is None else at), cursor)
                new = await mirroring.take(store, user_id, self.source, records, reached, zone, conventions, "mention")
                yield Mirrored(end, len(records), new, skipped, undated)
                if cursor is None:
                    break
            at = end

    async def check(self) -> str:
        settings = self.settings
        try:
            answer = await self.client.get(settings.path, params={settings.limit_param: 1})
        except httpx.HTTPError as error:
            raise SourceUnavailable(f"the export cannot be reached: {type(error).__name__}") from error
        if answer.status_code not in (400, 422):  # it may well want a user
            _raise_for(answer.status_code)
        return f"export answers {answer.status_code}"

    async def close(self) -> None:
        await self.client.aclose()

    async def page(self, params: dict[str, Any]) -> tuple[list[Any], str | None, int]:
        """One page's rows, the next cursor, and how many lines could not be read."""
        try:
            answer = await self.client.get(self.settings.path, params=params)
        except httpx.TimeoutException as error:
            raise SourceTimeout("the export did not answer in time") from error
        except httpx.HTTPError as error:
            raise SourceUnavailable(f"the export cannot be reached: {type(error).__name__}") from error
        _raise_for(answer.status_code)
        return self._rows(answer)

    def _rows(self, answer: httpx.Response) -> tuple[list[Any], str | None, int]:
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        cursor = answer.headers.get("x-next-cursor") or None
        if "ndjson" in kind or "jsonl" in kind or "json-seq" in kind:
            rows, bad = [], 0
            for line in answer.content.decode("utf-8", "replace").split("\n"):
                if line.strip():
                    try:
                        rows.append(orjson.loads(line))
                    except ValueError:
                        bad += 1
            if bad and not rows:
                raise SourceError("the export's lines are no JSON")
            return rows, cursor, bad
        try:
            body = orjson.loads(answer.content)
        except ValueError as error:
            raise SourceError("the export's answer is no JSON") from error
        if isinstance(body, list):
            return body, cursor, 0
        rows_ = body.get(self.settings.rows_field) if isinstance(body, dict) else None
        if not isinstance(rows_, list):
            raise SourceError(f"the export's answer has no list {self.settings.rows_field!r}")
        following = body.get(self.settings.next_field)
        return rows_, str(following) if following not in (None, "", False) else cursor, 0

    def params(self, user_id: str, window: TimeRange, cursor: str | None = None) -> dict[str, Any]:
        """The query of a page; the window is half-open, both sides given."""
        settings = self.settings
        asked: dict[str, Any] = {
            settings.user_param: user_id,
            settings.from_param: self._time(window.start),
            settings.to_param: self._time(window.end),
            settings.limit_param: settings.page_size,
        }
        return asked if cursor is None else asked | {settings.page_param: cursor}

    def _time(self, moment: dt.datetime | None) -> str | int:
        assert moment is not None
        if self.settings.time_params == "epoch_ms":
            return round(moment.timestamp() * 1000)
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")

    def record(self, row: Any, user_id: str) -> tuple[str, NewMessage] | str:
        """The id and text of a row with its moment and what it says of itself, or why there is none: `other`, `bad`, `undated`."""
        settings = self.settings
        if not isinstance(row, dict):
            return "bad"
        if row.get(settings.kind_field) != settings.kind or str(row.get(settings.user_field, user_id)) != user_id:
            return "other"
        number, text = row.get(settings.id_field), row.get(settings.text_field)
        if (
            not isinstance(number, str | int)
            or isinstance(number, bool)
            or number == ""
            or not isinstance(text, str)
            or not text.strip()
        ):
            return "bad"
        occurred = _times.moment(row.get(settings.occurred_field), self.zone, settings.time_form)
        if occurred is None:
            return "undated"
        said = [float(row[name]) if _unit_interval(row.get(name)) else None for name in ("importance", "confidence")]
        return str(number), NewMessage("user", text, to_ms(occurred), *said)

    def items(self, row: Any, ctx: SearchContext) -> list[TimelineItem] | str:
        """The items of a row that the question is about, or why there is none, as `record` says."""
        record = self.record(row, ctx.user_id)
        if isinstance(record, str):
            return record
        number, message = record
        assert message.observed_ms is not None
        observed = from_ms(message.observed_ms, ctx.zone)
        said = {name: value for name in ("importance", "confidence") if (value := getattr(message, name)) is not None}
        make = partial(
            item_of, source=self.source, source_ref=f"meinput:segment:{number}", default_type="mention", content=message.content,
            observed=observed, **({"title": row["title"]} if isinstance(row.get("title"), str) and row["title"].strip() else {}), **said,
        )  # fmt: skip
        return items_of(read_statements(message.content, observed, ctx.conventions), ctx, make)


@dataclass(frozen=True, slots=True)
class Mirrored:
    """A page taken into the mirror: which window it ends, how many segments it held, how many were new, what was left out."""

    upto: dt.datetime
    read: int
    added: int
    skipped: int
    undated: int


def _unit_interval(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _raise_for(status: int) -> None:
    if status in (401, 403):
        raise SourceError(f"the export refuses the token ({status}): check MEINPUT_TOKEN")
    if status == 404:
        raise SourceError("the export has no such address (404): check MEINPUT_URL and MEINPUT_PATH")
    if status == 408 or status == 504:
        raise SourceTimeout(f"the export ran out of time ({status})")
    if status == 429 or status >= 500:
        raise SourceUnavailable(f"the export is out of order ({status})")
    if status >= 300:
        raise SourceError(f"the export answered {status}")


class _Reader:
    """Reads page after page into `items` until it has enough; what is there when it is cancelled stays."""

    def __init__(self, adapter: MeInput, ctx: SearchContext, since: dt.datetime | None = None) -> None:
        self.adapter, self.ctx, self.since = adapter, ctx, since
        self.items: list[TimelineItem] = []
        self.seen: set[str] = set()
        self.pages = self.undated = self.skipped = 0
        self.truncated = False

    async def read(self) -> None:
        for window in self._windows():
            if self.since is not None and window.start is not None and window.start < self.since:
                if window.end is None or window.end <= self.since:
                    continue
                window = TimeRange(self.since, window.end)
            if self.pages >= self.adapter.settings.page_limit or len(self.items) >= 5 * self.ctx.retrieval.limit:
                self.truncated = True
                return
            await self._window(window)

    def _windows(self) -> Iterator[TimeRange]:
        observed, asked = self.ctx.retrieval.observed, self.ctx.time
        start, end = max(observed.start, asked.start), min(observed.end, asked.end)
        if start < end:
            yield TimeRange(start, end)
        else:
            start = end = observed.end
        for edge, other in ((observed.end, end), (start, observed.start)):
            while edge > other:
                low = max(edge - _BACK, other)
                yield TimeRange(low, edge)
                edge = low

    async def _window(self, window: TimeRange) -> None:
        settings, ctx = self.adapter.settings, self.ctx
        params = self.adapter.params(ctx.user_id, window)
        cursors: set[str] = set()
        while True:
            rows, cursor, bad = await self.adapter.page(params)
            self.pages += 1
            self.skipped += bad
            for n, row in enumerate(rows):
                if n % 32 == 31:
                    await anyio.lowlevel.checkpoint()
                self._keep(row, window)
            if cursor is None or cursor in cursors or not rows:
                return
            if self.pages >= settings.page_limit:
                self.truncated = True
                return
            cursors.add(cursor)
            params[settings.page_param] = cursor

    def _keep(self, row: Any, window: TimeRange) -> None:
        told = self.adapter.items(row, self.ctx)
        if isinstance(told, str):
            self.undated += told == "undated"
            self.skipped += told == "bad"
            return
        first = told[0]
        if first.observed_time is not None and window.holds(first.observed_time) and first.source_ref not in self.seen:
            self.seen.add(first.source_ref)
            self.items += told
