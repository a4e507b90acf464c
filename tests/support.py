"""What several test files share: the reference now and short ways to write a request and read an answer."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from adapters._store import Snapshot, search

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=SHANGHAI)  # a Thursday
TOKEN = "worker-token"
# A test that runs on SQLite and on PostgreSQL; it takes the fixture `database`, or `settings`, which takes it.
both_databases = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)


def ms(text: str) -> int:
    """Unix milliseconds of an ISO time; without an offset it is Shanghai's."""
    moment = dt.datetime.fromisoformat(text)
    return round((moment if moment.tzinfo else moment.replace(tzinfo=SHANGHAI)).timestamp() * 1000)


def batch(
    request_id: str, *messages: tuple[str, str] | tuple[str, str, str], user: str = "ada", session: str = "s1"
) -> dict[str, Any]:
    """The body of an /add request: messages are (time, content) or (time, content, role)."""
    rows = [{"role": m[2] if len(m) > 2 else "user", "content": m[1], "timestamp": ms(m[0])} for m in messages]
    return {"request_id": request_id, "user_id": user, "session_id": session, "messages": rows}


def in_time(seen: Snapshot, observed_ms: tuple[int, int] | None, event_ms: tuple[int, int] | None) -> list[search.Hit]:
    """Ada's messages of a time in the store."""
    person = search.person_in(seen, "ada")
    return [] if person is None else person.read(search.in_time(person, observed_ms, event_ms)[0])


def items_of(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return answer["items"] or [item for group in answer["groups"] for item in group["items"]]
