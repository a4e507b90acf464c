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
window first, until the limit, the page limit or the deadline; what was not reached is told as truncated.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
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
    source,
)
from planner.plan import zone_of
from planner.ranges import UTC, TimeRange
from planner.resolution import Conventions
from planner.statements import read_statement


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
    return MeInput(settings) if settings.url else None


# Looking back goes window by window, newest first, so that what is cut off is the oldest.
_BACK = dt.timedelta(days=30)
# What is read is handed in this long before the deadline, so that a slow cloud costs the rest and not all.
_RESERVE = 0.25


class MeInput:
    """Reads a MeInput cloud's export over HTTP."""

    source = "meinput"

    def __init__(self, settings: MeInputSettings, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.settings = settings
        self.zone = zone_of(settings.time_zone)
        headers = {"Accept": "application/x-ndjson, application/json"}
        if settings.token is not None:
            headers[settings.auth_header] = f"{settings.auth_scheme} {settings.token.get_secret_value()}".strip()
        limits = httpx.Limits(max_connections=32, max_keepalive_connections=8)
        self.client = httpx.AsyncClient(
            base_url=(settings.url or "").rstrip("/"),
            headers=headers,
            timeout=httpx.Timeout(30, connect=3),
            limits=limits,
            transport=transport,
        )

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        reader = _Reader(self, ctx)
        with anyio.move_on_at(ctx.deadline - _RESERVE) as scope:
            await reader.read()
        if scope.cancelled_caught and not reader.pages:
            raise SourceTimeout("the export did not answer in time")
        kept = chosen(reader.items, ctx)
        truncated = scope.cancelled_caught or reader.truncated or len(kept) < len(reader.items)
        return Items(kept, truncated=truncated, undated=reader.undated, skipped=reader.skipped)

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

    def item(self, row: Any, user_id: str, zone: dt.tzinfo, conventions: Conventions) -> TimelineItem | str:
        """The item of a row, or why there is none: `other`, `bad`, `undated`."""
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
        observed = occurred.astimezone(zone)
        statement = read_statement(text, observed, conventions)
        said = {name: float(row[name]) for name in ("importance", "confidence") if _unit_interval(row.get(name))}
        return item_of(
            statement, source=self.source, source_ref=f"meinput:segment:{number}", default_type="mention", content=text, observed=observed,
            **({"title": row["title"]} if isinstance(row.get("title"), str) and row["title"].strip() else {}), **said,
        )  # fmt: skip


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

    def __init__(self, adapter: MeInput, ctx: SearchContext) -> None:
        self.adapter, self.ctx = adapter, ctx
        self.items: list[TimelineItem] = []
        self.seen: set[str] = set()
        self.pages = self.undated = self.skipped = 0
        self.truncated = False

    async def read(self) -> None:
        for window in self._windows():
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
        params: dict[str, Any] = {
            settings.user_param: ctx.user_id,
            settings.from_param: self._time(window.start),
            settings.to_param: self._time(window.end),
            settings.limit_param: settings.page_size,
        }
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
        item = self.adapter.item(row, self.ctx.user_id, self.ctx.zone, self.ctx.conventions)
        if isinstance(item, str):
            self.undated += item == "undated"
            self.skipped += item == "bad"
        elif item.observed_time is not None and window.holds(item.observed_time) and item.source_ref not in self.seen:
            self.seen.add(item.source_ref)
            self.items.append(item)

    def _time(self, moment: dt.datetime | None) -> str | int:
        assert moment is not None
        if self.adapter.settings.time_params == "epoch_ms":
            return round(moment.timestamp() * 1000)
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
