"""Todoist's API v1 as it is documented: the three lists that are read, with its token, pages and limits on time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


def task(key: str, content: str, **more: Any) -> dict[str, Any]:
    """A task with all the fields that the API gives."""
    return {
        "user_id": "1", "id": key, "project_id": "6Jf8", "section_id": None, "parent_id": None, "added_by_uid": "1", "assigned_by_uid": None,
        "responsible_uid": None, "labels": [], "deadline": None, "duration": None, "checked": "completed_at" in more, "is_deleted": False,
        "added_at": "2026-01-01T00:00:00.000000Z", "completed_at": None, "updated_at": "2026-01-01T00:00:00.000000Z", "due": None, "priority": 1,
        "child_order": 1, "content": content, "description": "", "note_count": 0, "day_order": -1, "is_collapsed": False, **more,
    }  # fmt: skip


def due(date: str, timezone: str | None = None) -> dict[str, Any]:
    return {"date": date, "timezone": timezone, "string": date, "lang": "en", "is_recurring": False}


class Todoist:
    """An account: `app` serves it under /api/v1; `asked` are the paths that were asked for."""

    def __init__(self, tasks: Sequence[Any], token: str = "token", delay: float = 0) -> None:
        self.tasks, self.token, self.delay = list(tasks), token, delay
        self.asked: list[str] = []
        routes = [
            Route("/api/v1/tasks", self._open),
            Route("/api/v1/tasks/completed/by_completion_date", self._completed("completed_at", 93)),
            Route("/api/v1/tasks/completed/by_due_date", self._completed("due", 42)),
        ]
        self.app = Starlette(routes=routes)

    async def _refused(self, request: Request) -> Response | None:
        self.asked.append(request.url.path.removeprefix("/api/v1"))
        await anyio.sleep(self.delay)
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return JSONResponse({"error": "Unauthorized", "error_code": 477, "http_code": 401}, 401)
        return None

    async def _open(self, request: Request) -> Response:
        done = [row for row in self.tasks if not (isinstance(row, dict) and row.get("checked"))]
        return await self._refused(request) or self._page(request, done, "results")

    def _completed(self, field: str, days: int) -> Any:
        async def answer(request: Request) -> Response:
            refused = await self._refused(request)
            if refused is not None:
                return refused
            try:
                since, until = (dt.datetime.fromisoformat(request.query_params[side]) for side in ("since", "until"))
            except (KeyError, ValueError):
                return JSONResponse({"error": "Invalid argument value", "http_code": 400}, 400)
            if until - since > dt.timedelta(days=days):
                return JSONResponse({"error": "The time range is too large", "http_code": 400}, 400)
            rows = [
                row for row in self.tasks if isinstance(row, dict) and row.get("checked") and _within(row, field, since, until)
            ]
            return self._page(request, rows, "items")

        return answer

    def _page(self, request: Request, rows: list[Any], field: str) -> Response:
        limit, at = int(request.query_params.get("limit", 50)), int(request.query_params.get("cursor", 0))
        if not 1 <= limit <= 200:
            return JSONResponse({"error": "Invalid argument value", "http_code": 400}, 400)
        more = at + limit < len(rows)
        return JSONResponse({field: rows[at : at + limit], "next_cursor": str(at + limit) if more else None})


def _within(row: dict[str, Any], field: str, since: dt.datetime, until: dt.datetime) -> bool:
    text = row["completed_at"] if field == "completed_at" else (row["due"] or {}).get("date")
    if text is None:
        return False
    moment = dt.datetime.fromisoformat(text)
    return since <= (moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)) < until
