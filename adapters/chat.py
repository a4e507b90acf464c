"""chat: what a person and their assistants wrote to one another.

Two homes, one source.

Without further settings it reads the embedded store (`adapters._store`), which `POST /add` and `temporal-recall add` fill; event
times are asked from its index, so that a plan said in June is found for September.

With `TEMPORAL_RECALL_CHAT_DATABASE_URL` it reads a portal's database (SQLite, PostgreSQL, MySQL), by default

    h5_agent_runs(user_id, session_id, deleted_at)                 a run makes its session visible to its user
    session_messages(id, session_id, role, content, created_at)    role user or assistant; created_at in any form

`created_at` may be a timestamp with zone, text with or without one, Unix seconds or milliseconds. A text is compared by its date, so
the query is widened by a day and filtered here. A portal cannot be asked by event time: it is read in the asked window, newest
first, up to `SCAN_LIMIT` rows; what lies behind is told as truncated.

observed_time is created_at; event time, status, commitments and to-dos are read from the text; source_ref is `chat:message:{id}`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import anyio
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict
from sqlalchemy import Connection, column, func, select, table
from sqlalchemy.exc import SQLAlchemyError

from adapters import _times
from adapters._base import (
    Items,
    SearchContext,
    Shared,
    SourceError,
    SourceSettings,
    SourceUnavailable,
    TemporalSourceAdapter,
    TimelineItem,
    chosen,
    item_of,
    items_of,
    source,
)
from adapters._store import Store
from adapters._store.database import Database, check_url
from adapters._store.items import around, stored
from adapters._store.schema import messages
from planner.parts import read_statements
from planner.plan import zone_of


class ChatSettings(SourceSettings):
    """Where the chats are. Names of tables and columns are identifiers, quoted as the database wants them."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_CHAT_")

    database_url: SecretStr | None = None
    runs_table: str = "h5_agent_runs"
    runs_user: str = "user_id"
    runs_session: str = "session_id"
    runs_deleted: str = "deleted_at"
    messages_table: str = "session_messages"
    message_id: str = "id"
    message_session: str = "session_id"
    message_role: str = "role"
    message_content: str = "content"
    message_created: str = "created_at"
    message_deleted: str = ""
    roles: str = "user,assistant"
    time_form: _times.TimeForm = "auto"
    time_zone: str = "UTC"
    scan_limit: Annotated[int, Field(ge=1)] = 2000

    @field_validator("database_url")
    @classmethod
    def _a_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            check_url(value.get_secret_value(), ("sqlite", "postgresql", "mysql"))
        return value

    @field_validator("time_zone")
    @classmethod
    def _zone(cls, value: str) -> str:
        zone_of(value)
        return value


@source("chat", ChatSettings, "nothing: it is the embedded store; CHAT_DATABASE_URL for a portal's database")
def build(settings: ChatSettings, shared: Shared) -> TemporalSourceAdapter | None:
    if settings.database_url is not None:
        return PortalChat(settings)
    return StoreChat(shared.store)


class StoreChat:
    """Reads the embedded store."""

    source = "chat"

    def __init__(self, store: Store) -> None:
        self.store = store

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        return await stored(self.store, ctx, self.source, lambda row: f"chat:message:{row.request_id}:{row.position}")

    async def telling(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        return await self.search(ctx)

    async def around(self, ctx: SearchContext) -> list[dt.datetime]:
        return await around(self.store, ctx, self.source)

    async def check(self) -> str:
        try:
            count = await self.store.read(
                lambda seen: seen.connection.execute(select(func.count()).select_from(messages)).scalar()
            )
        except SQLAlchemyError as error:
            raise SourceUnavailable(f"the store cannot be read: {type(error).__name__}") from error
        return f"embedded store, {count} messages"

    async def close(self) -> None:
        return None


class PortalChat:
    """Reads a portal's database, only what the person may see: own sessions, not deleted, the roles of a conversation."""

    source = "chat"

    def __init__(self, settings: ChatSettings) -> None:
        assert settings.database_url is not None
        self.settings = settings
        self.database = Database(settings.database_url.get_secret_value())
        self.zone = zone_of(settings.time_zone)
        columns = (settings.runs_user, settings.runs_session, settings.runs_deleted)
        self.runs = table(settings.runs_table, *(column(name) for name in columns if name))
        columns_ = (
            settings.message_id, settings.message_session, settings.message_role, settings.message_content, settings.message_created,
            settings.message_deleted,
        )  # fmt: skip
        self.messages = table(settings.messages_table, *(column(name) for name in columns_ if name))

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        settings, messages = self.settings, self.messages.c
        created = messages[settings.message_created]
        window, asked = ctx.retrieval.observed, ctx.time
        # What came after the asked range must not take its room.
        inside = (max(window.start, asked.start), min(window.end, asked.end))
        windows = (
            list(dict.fromkeys([inside, (window.start, window.end)])) if inside[0] < inside[1] else [(window.start, window.end)]
        )
        query = select(
            messages[settings.message_id].label("id"), messages[settings.message_role].label("role"),
            messages[settings.message_content].label("content"), created.label("created"),
        ).where(*self._visible(ctx.user_id))  # fmt: skip

        def look(connection: Connection) -> Sequence[Any]:
            sample = connection.execute(select(created).where(created.is_not(None)).limit(1)).scalar()
            rows: dict[Any, Any] = {}
            for start, end in windows:
                if len(rows) <= settings.scan_limit:
                    part = query.where(
                        created >= _times.bound(start, sample, settings.time_form, -1),
                        created < _times.bound(end, sample, settings.time_form, 2),
                    )
                    newest = part.order_by(created.desc()).limit(settings.scan_limit + 1)
                    rows |= {row.id: row for row in connection.execute(newest) if row.id not in rows}
            return list(rows.values())[: settings.scan_limit + 1]

        try:
            rows = await self.database.read(look)
        except (SQLAlchemyError, OSError) as error:
            raise SourceUnavailable(f"the chat database cannot be read: {type(error).__name__}") from error
        truncated = len(rows) > settings.scan_limit
        items, undated = [], 0
        for n, row in enumerate(rows[: settings.scan_limit]):
            if n % 32 == 31:
                await anyio.lowlevel.checkpoint()
            moment = _times.moment(row.created, self.zone, settings.time_form)
            if moment is None:
                undated += 1
            elif window.range.holds(moment) and isinstance(row.content, str) and row.content.strip():
                items += self._items(row, moment.astimezone(ctx.zone), ctx)
        kept = chosen(items, ctx)
        return Items(kept, truncated=truncated or len(kept) < len(items), undated=undated)

    def _visible(self, user_id: str) -> list[Any]:
        settings, runs, messages = self.settings, self.runs.c, self.messages.c
        own = select(runs[settings.runs_session]).where(runs[settings.runs_user] == user_id)
        if settings.runs_deleted:
            own = own.where(runs[settings.runs_deleted].is_(None))
        visible = [messages[settings.message_session].in_(own)]
        if settings.message_deleted:
            visible.append(messages[settings.message_deleted].is_(None))
        roles = [role.strip() for role in settings.roles.split(",") if role.strip()]
        return [*visible, messages[settings.message_role].in_(roles)]

    def _items(self, row: Any, observed: dt.datetime, ctx: SearchContext) -> list[TimelineItem]:
        statements = read_statements(row.content, observed, ctx.conventions, by_user=row.role != "assistant")
        ref, content = f"chat:message:{row.id}", row.content
        make = partial(item_of, source=self.source, source_ref=ref, default_type="message", content=content, observed=observed)
        return items_of(statements, ctx, make)

    async def check(self) -> str:
        def look(connection: Connection) -> int:
            connection.execute(select(func.count()).select_from(self.runs))
            return connection.execute(select(func.count()).select_from(self.messages)).scalar_one()

        try:
            count = await self.database.read(look)
        except (SQLAlchemyError, OSError) as error:
            raise SourceError(f"the chat database cannot be read: {type(error).__name__}") from error
        return f"portal database ({self.database.name}), {count} messages"

    async def close(self) -> None:
        await self.database.close()
