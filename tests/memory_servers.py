"""Four memory systems as their contracts describe them, strict about what a client must not do, for a real socket."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

SECRET = "memory-secret"


@dataclass(frozen=True)
class Memory:
    """One memory of a person. `made` and `said` are aware; `said` is when it was told, if before it was made; `seen` whether its
    source may be seen."""

    id: str
    text: str
    made: dt.datetime | None
    user: str = "ada"
    said: dt.datetime | None = None
    importance: float = 5.0
    belief: float | None = None
    seen: bool = True
    similar: float | None = None


@dataclass
class System:
    """What a server knows, whom it lets in, what it saw, and how it misbehaves: `first` answers before it is well, `delay` seconds."""

    memories: Sequence[Memory] = ()
    secret: str | None = SECRET
    more: Sequence[Any] = ()
    first: list[Response] = field(default_factory=list)
    delay: float = 0.0
    asked: list[dict[str, Any]] = field(default_factory=list)
    tries: int = 0

    def find(self, query: str, user: str | None, top_k: int) -> list[tuple[Memory, float]]:
        """The person's memories by how much of the query's letters they share, then the newest."""
        scored = [
            (m, m.similar if m.similar is not None else _alike(query, m.text)) for m in self.memories if user in (None, m.user)
        ]
        old = dt.datetime(1, 1, 2, tzinfo=dt.UTC)
        return sorted(scored, key=lambda pair: (pair[1], pair[0].made or old), reverse=True)[:top_k]


def _alike(query: str, text: str) -> float:
    asked = {c for c in query.lower() if c.isalnum()}
    return round(len(asked & set(text.lower())) / max(len(asked), 1), 4)


def _z(moment: dt.datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


def _unknown(body: Any, known: set[str]) -> str | None:
    return next((name for name in body if name not in known), None) if isinstance(body, dict) else "body"


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


async def _met(system: System, request: Request) -> Response | None:
    system.tries += 1
    if system.delay:
        await anyio.sleep(system.delay)
    return system.first.pop(0) if system.first else None


def addsearch(system: System, header: str = "authorization", scheme: str = "Bearer ") -> Starlette:
    """POST /search of the Add/Search contract; fields it says are not sent are refused here."""

    async def search(request: Request) -> Response:
        if (early := await _met(system, request)) is not None:
            return early
        if system.secret is not None and request.headers.get(header) != scheme + system.secret:
            return JSONResponse({"detail": {"reason": "unauthorized"}}, 401)
        body = await request.json()
        if _unknown(body, {"query", "options", "user_id", "top_k"}):
            return JSONResponse({"detail": [{"loc": ["body"], "msg": "undeclared field", "type": "extra"}]}, 422)
        if not _whole(body.get("top_k"), 0, 100) or not str(body.get("query", "")).strip() or not body.get("user_id"):
            return JSONResponse({"detail": [{"loc": ["body"], "msg": "wrong field", "type": "value"}]}, 422)
        system.asked.append(body)
        found = system.find(body["query"], body["user_id"], body["top_k"])
        rows = []
        for memory, score in found:
            row: dict[str, Any] = {"id": memory.id, "content": memory.text, "score": score}
            if memory.made is not None:
                row["created_at"] = _z(memory.made)
            rows.append(row)
        return JSONResponse({"data": [*system.more, *rows]})

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    return Starlette(routes=[Route("/search", search, methods=["POST"]), Route("/health", health)])


def memorax(system: System) -> Starlette:
    """POST /v1/memories/search: 1,024 characters, top_k 1 to 50 for each of two channels, filters.created_at."""

    def refuse(status: int, code: str) -> Response:
        return JSONResponse({"success": False, "error": {"code": code, "message": "no"}, "meta": {"request_id": "r"}}, status)

    def authorized(request: Request) -> bool:
        return request.headers.get("authorization") == f"Token {system.secret}"

    async def search(request: Request) -> Response:
        if (early := await _met(system, request)) is not None:
            return early
        if not authorized(request):
            return refuse(401, "unauthorized")
        if request.headers.get("content-type") != "application/json":
            return refuse(415, "unsupported_media_type")
        body = await request.json()
        known = {"user_id", "query", "mode", "output_mode", "return_raw_text", "sources", "document_ids", "filters", "top_k"}
        query = body.get("query")
        if (
            _unknown(body, known)
            or not isinstance(query, str)
            or not query.strip()
            or len(query) > 1024
            or body.get("mode", "fast") != "fast"
            or body.get("output_mode", "summary") not in ("summary", "facts", "raw")
            or not _whole(body.get("top_k", 10), 1, 50)
            or not body.get("user_id")
        ):
            return refuse(422, "validation_failed")
        tests: list[Callable[[dt.datetime], bool]] = []
        for condition in (body.get("filters") or {}).get("and", []):
            for name, value in condition.get("created_at", {}).items():
                edge = dt.datetime.fromisoformat(value)
                tests.append({"gte": edge.__le__, "gt": edge.__lt__, "lt": edge.__gt__, "lte": edge.__ge__}[name])
        system.asked.append(body)
        found = system.find(query, body["user_id"], len(system.memories))
        rows: list[Any] = []
        for memory, score in found:
            assert memory.made is not None  # created_at is required
            if all(test(memory.made) for test in tests):
                details = {"rank_method": "channel_rrf", "rank_score": 0.03, "semantic_similarity": score, "channel_rrf": 0.03}
                metadata = {} if memory.said is None else {"event_created_at": round(memory.said.timestamp() * 1000)}
                rows.append({
                    "id": memory.id, "memory": memory.text, "score": 0.03, "score_details": details, "user_id": memory.user,
                    "content_type": "dialogue", "created_at": _z(memory.made), "updated_at": _z(memory.made), "metadata": metadata,
                    "categories": [], "immutable": False,
                })  # fmt: skip
        data = {
            "task_id": "t",
            "status": "completed",
            "data": [*system.more, *rows[: 2 * body.get("top_k", 10)]],
            "balances": [],
        }
        return JSONResponse({"success": True, "data": data, "meta": {"request_id": "r", "timestamp": "2026-11-06T00:00:00Z"}})

    async def status(request: Request) -> Response:
        return refuse(404, "task_not_found") if authorized(request) else refuse(401, "unauthorized")

    return Starlette(
        routes=[
            Route("/v1/memories/search", search, methods=["POST"]),
            Route("/v1/memories/add/status/{task}", status),
        ]
    )


def iris(system: System, owner: str = "ada") -> Starlette:
    """POST /api/v1/memories/search: limit 1 to 100, times with a zone, one error object, Retry-After with 429 and 503."""

    def authorized(request: Request) -> bool:
        return request.headers.get("authorization") == f"Bearer {system.secret}"

    async def search(request: Request) -> Response:
        if (early := await _met(system, request)) is not None:
            return early
        if not authorized(request):
            return iris_error(401, "unauthorized")
        body = await request.json()
        known = {
            "text", "entry_id", "include_forgotten", "include_goals", "include_state", "limit", "people", "kinds", "stances",
            "time_from", "time_to",
        }  # fmt: skip
        if _unknown(body, known) or not _whole(body.get("limit", 8), 1, 100) or not isinstance(body.get("text"), str):
            return iris_error(400, "invalid_request")
        if body.get("entry_id") not in (None, "chat:main"):
            return iris_error(403, "entry_forbidden")
        since, until = (dt.datetime.fromisoformat(body[n]) if n in body else None for n in ("time_from", "time_to"))
        if any(edge is not None and edge.tzinfo is None for edge in (since, until)):
            return iris_error(400, "invalid_request")
        system.asked.append(body)
        rows: list[Any] = []
        for memory, _ in system.find(body["text"], owner, len(system.memories)):
            at = memory.said or memory.made
            if at is None or ((since is None or at >= since) and (until is None or at < until)):
                shown = {"entry_id": "chat:main", "entry_name": "main", "occurred_at": at.isoformat() if at else None}
                hidden = {"entry_id": None, "entry_name": None, "occurred_at": None}
                row: dict[str, Any] = {
                    "id": int(memory.id[1:]) if memory.id[1:].isdigit() else memory.id, "text": memory.text, "reason": "relevant",
                    "sources": [{"message_id": 7, **(shown if memory.seen else hidden)}], "lifecycle": "active",
                }  # fmt: skip
                rows.append(row if memory.belief is None else {**row, "belief": memory.belief})
        rows = [*system.more, *rows[: body.get("limit", 8)]]
        return JSONResponse({"memories": rows, "hints": [{"code": "news", "message": "-"}], "recall_id": "r"})

    async def status(request: Request) -> Response:
        return JSONResponse({"batches": []}) if authorized(request) else iris_error(401, "unauthorized")

    return Starlette(routes=[Route("/api/v1/memories/search", search, methods=["POST"]), Route("/api/v1/status", status)])


def iris_error(status: int, code: str, wait: int | None = None) -> Response:
    """Iris's one error object; a wait is told in the header and in the body."""
    fields = {"code": code, "message": "请求格式或内容不合法", "fields": [], "retry_after_seconds": wait, "retry_at": None}
    return JSONResponse({"error": fields}, status, {"Retry-After": str(wait)} if wait is not None else {})


def hybrid(system: System, owner: str = "ada") -> Starlette:
    """POST /api/v1/search of the hybrid API: top_k 1 to 100, weights, partitions, tags; `related` beside the results."""

    async def search(request: Request) -> Response:
        if (early := await _met(system, request)) is not None:
            return early
        body = await request.json()
        known = {"query", "partition_ids", "tags", "top_k", "weight_recency", "weight_importance", "weight_relevance"}
        if _unknown(body, known) or not body.get("query") or not _whole(body.get("top_k", 10), 1, 100):
            return JSONResponse({"detail": "invalid"}, 422)
        system.asked.append(body)

        def memory(m: Memory) -> dict[str, Any]:
            return {
                "id": m.id, "partition_id": "mem_semantic", "content": m.text, "importance_score": m.importance, "tags": [],
                "metadata": {}, "source": "api", "created_at": _z(m.made), "updated_at": _z(m.made), "access_count": 1,
                "last_accessed_at": _z(m.made), "expires_at": None,
            }  # fmt: skip

        rows = [
            {
                "memory": memory(m), "score": score, "recency_score": 0.5, "importance_score_normalized": m.importance / 10,
                "relevance_score": score,
            }
            for m, score in system.find(body["query"], owner, body.get("top_k", 10))
        ]  # fmt: skip
        related = [memory(Memory("related", "unasked", dt.datetime(2026, 9, 1, 4, tzinfo=dt.UTC)))]
        return JSONResponse({"results": [*system.more, *rows], "related": related})

    return Starlette(routes=[Route("/api/v1/search", search, methods=["POST"])])
