"""The HTTP door. `create_app(settings)` builds it; nothing happens at import.

POST /v1/temporal-recall/query   POST /v1/temporal-recall/plan   GET /v1/temporal-recall/info      (and under /api/v1)
POST /add   POST /search         GET /health   GET /ready
"""

from __future__ import annotations

import datetime as dt
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Annotated, Any

import anyio
import anyio.to_thread
import httpx
import orjson
from fastapi import APIRouter, Body, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import adapters
from adapters import SourceError, TemporalSourceAdapter
from adapters._store import Store, reindexing
from adapters._web import trusted
from planner.modes import TemporalMode
from planner.plan import ContextPlan, make_plan, zone_of
from planner.ranges import UTC
from planner.restatement import gist, overlap
from planner.statements import read_statement
from temporal_recall import __version__, clock, errors, models
from temporal_recall.auth import Caller, Verifier, token_of
from temporal_recall.memory_door import DoorError, router
from temporal_recall.recall import DEFAULT_LIMIT, MAX_LIMIT, Recall
from temporal_recall.settings import Settings
from temporal_recall.sources import PLANNED_SOURCES, build_sources

log = logging.getLogger("temporal_recall")
_DOOR_PATHS = ("/add", "/search", "/v1/add", "/v1/search")


class Json(Response):
    """JSON by orjson."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content)


def create_app(settings: Settings | None = None, sources: dict[str, TemporalSourceAdapter] | None = None) -> FastAPI:
    """The service. `sources` overrules the configured ones (they are then the caller's to close)."""
    settings = settings or Settings()
    store = Store(settings.database_url.get_secret_value(), semantic=settings.by_meaning)
    client = httpx.AsyncClient(verify=trusted(), timeout=httpx.Timeout(4.0))
    verifier = Verifier(settings, client)
    configured = build_sources(settings, store) if sources is None else sources
    recall = Recall(settings, configured)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await store.open()
        await anyio.to_thread.run_sync(_warm)
        if people := await reindexing.outdated(store):
            log.warning("messages of %d people were read under older rules: run `temporal-recall reindex`", len(people))
        if store.vectors is not None:
            store.vectors.start()
        try:
            yield
        finally:
            if sources is None:
                for adapter in configured.values():
                    await adapter.close()
            await client.aclose()
            await store.close()

    app = FastAPI(
        title="Temporal Recall",
        version=__version__,
        description="What happened, was said, is planned, was made or is due, for one person, in one stretch of time.",
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.recall, app.state.store, app.state.verifier = recall, store, verifier
    _handle_errors(app)
    for prefix in ("/v1", "/api/v1"):
        app.include_router(_routes(recall, settings), prefix=prefix)
    for path in ("", "/v1"):
        app.include_router(router(store, settings, path))

    @app.get("/health", tags=["operation"], summary="Whether the process lives")
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": __version__}

    @app.get("/ready", tags=["operation"], summary="Whether every source can be asked", response_model=None)
    async def ready() -> Response:
        found: dict[str, str] = {}
        good = True

        async def look(name: str, adapter: TemporalSourceAdapter) -> None:
            nonlocal good
            with anyio.move_on_after(2) as scope:
                try:
                    await adapter.check()
                    found[name] = "ok"
                except SourceError as error:
                    found[name], good = error.status, False
            if scope.cancelled_caught:
                found[name], good = "timeout", False

        async with anyio.create_task_group() as group:
            for name, adapter in configured.items():
                group.start_soon(look, name, adapter)
        answer: dict[str, Any] = {"ready": good, "sources": dict(sorted(found.items()))}
        if store.vectors is not None:
            try:
                answer["waiting_for_vectors"] = await store.vectors.waiting()
            except SQLAlchemyError as error:
                log.warning("the store cannot be read: %s", type(error).__name__)
                answer["waiting_for_vectors"] = None
        return Json(answer, status_code=200 if good else 503)

    app.add_middleware(_Bounds, max_bytes=settings.max_body_bytes, max_concurrent=settings.max_concurrent)
    return app


@lru_cache(maxsize=1)
def _warm() -> None:
    """Loads what the first question would wait for, and takes it out of the garbage collector's rounds: each stops all for long."""
    for text in ("上周五和安娜讨论了什么合同", "what did we decide last Friday about the contract"):
        make_plan(text, "nobody", dt.datetime(2026, 1, 1, tzinfo=UTC))
        read_statement(text, dt.datetime(2026, 1, 1, tzinfo=UTC))
        overlap(gist(text), gist(text))
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)  # an answer makes some thousands of objects, and hardly a cycle


async def _caller(request: Request) -> Caller:
    verifier: Verifier = request.app.state.verifier
    return await verifier.caller(token_of(request.headers), request.client.host if request.client else None)


Asking = Annotated[Caller, Depends(_caller)]


def _routes(recall: Recall, settings: Settings) -> APIRouter:
    routes = APIRouter(prefix="/temporal-recall", tags=["recall"])

    answers: dict[int | str, dict[str, Any]] = {
        error.status: {"model": models.ErrorAnswer, "description": error.code}
        for error in errors.ALL
        if error.status not in (404, 405, 500)
    }

    @routes.post("/query", response_model=models.Answer, responses=answers, summary="Ask for a timeline")
    async def query(
        request: Annotated[models.QueryRequest, Body(openapi_examples=models.EXAMPLES)], caller: Asking
    ) -> Response:
        if request.plan is not None:
            if request.query is not None:
                raise errors.InvalidPlan("two ways to ask at once", [("query", "give either a plan or a query")])
            caller.may_ask_for(request.plan.user_id)
            plan = request.plan
        else:
            plan = _plan(request, caller)
        _known_sources([r.source for r in plan.retrievals], "plan.retrievals" if request.plan is not None else "sources")
        answer = await recall.answer(plan, request.limit, explain=request.explain, include_dropped=request.include_dropped)
        stats = answer["stats"]
        log.info(
            "recall mode=%s sources=%s raw=%d returned=%d ms=%d partial=%s",
            answer["temporal_mode"], ",".join(f"{s['source']}:{s['status']}" for s in stats["sources"]), stats["raw_count"],
            stats["returned_count"], stats["elapsed_ms"], stats["partial"],
        )  # fmt: skip
        return Json(answer)

    @routes.post("/plan", response_model=ContextPlan, responses=answers, summary="See how a question is understood")
    async def plan_for(
        request: Annotated[
            models.PlanRequest, Body(openapi_examples={k: v for k, v in models.EXAMPLES.items() if k != "plan"})
        ],
        caller: Asking,
    ) -> Response:
        return Json(_plan(request, caller).wire())

    @routes.get("/info", summary="What this service can do")
    async def info() -> dict[str, Any]:
        supported = sorted(adapters.registry(), key=lambda name: name != "meinput")
        return {
            "schema_version": 1,
            "supported_sources": supported,
            "planned_sources": [name for name in PLANNED_SOURCES if name not in supported],
            "temporal_modes": [mode.value for mode in TemporalMode],
            "default_limit": DEFAULT_LIMIT,
            "max_limit": MAX_LIMIT,
            "configured_sources": sorted(recall.adapters),
            "semantic": settings.by_meaning,
            "version": __version__,
        }

    def _plan(request: models.PlanRequest | models.QueryRequest, caller: Caller) -> ContextPlan:
        if request.query is None:
            raise errors.InvalidPlan("nothing is asked", [("query", "give a query or a plan")])
        user_id = caller.may_ask_for(request.user_id)
        if request.sources:
            _known_sources(request.sources, "sources")
        zone = settings.zone_for(user_id) if request.timezone is None else zone_of(request.timezone)
        now = request.now or clock.now(zone)
        if request.timezone is not None or now.utcoffset() == now.astimezone(zone).utcoffset():
            now = now.astimezone(zone)  # an offset is that of one moment; the zone's rules hold across the year
        return recall.plan(request.query, user_id, now, request.sources, request.temporal_mode)

    def _known_sources(names: Any, field: str) -> None:
        known = set(adapters.registry()) | set(PLANNED_SOURCES) | set(recall.adapters)
        unknown = [(f"{field}.{n}", f"there is no source {name!r}") for n, name in enumerate(names) if name not in known]
        if unknown:
            raise errors.InvalidPlan("a source is unknown", unknown)

    return routes


# --- errors ---------------------------------------------------------------------------------------------------------------


def _answer(error: errors.RecallError) -> Response:
    return Json(error.body(), status_code=error.status, headers=error.headers)


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(errors.RecallError)
    async def known(_: Request, error: errors.RecallError) -> Response:
        return _answer(error)

    @app.exception_handler(DoorError)
    async def at_the_door(_: Request, error: DoorError) -> Response:
        return Json({"detail": error.detail}, status_code=error.status, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        wrong = error.errors()
        inside = {e["loc"][:n] for e in wrong for n in range(len(e["loc"]))}
        # A list one of whose entries is wrong is also told to be too short.
        fields = [(_field(e["loc"]), _sentence(e)) for e in wrong if e["type"] != "too_short" or e["loc"] not in inside]
        return _answer(errors.InvalidPlan("the request is not valid", fields))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        if request.url.path in _DOOR_PATHS:
            return Json({"detail": {"reason": str(error.detail)}}, status_code=error.status_code, headers=error.headers or {})
        kind = {404: errors.NotFound, 405: errors.MethodNotAllowed, 413: errors.TooLarge, 429: errors.TooMany}.get(
            error.status_code, errors.InvalidPlan
        )
        # FastAPI refuses so what cannot be parsed at all: bytes that are no text, a number of thousands of digits, a deep nesting.
        fields = [("body", str(error.detail))] if kind is errors.InvalidPlan else []
        answer = _answer(kind(str(error.detail), fields))
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer

    @app.exception_handler(SQLAlchemyError)
    async def no_store(request: Request, error: SQLAlchemyError) -> Response:
        log.error("the store failed: %s at %s", type(error).__name__, request.url.path)
        # Locked for long, out of room, read-only: nothing was written, and the same request may be sent again.
        return Json(
            {"detail": {"reason": "the store cannot be read or written"}}, status_code=503, headers={"Retry-After": "1"}
        )

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        log.error("unexpected %s at %s", type(error).__name__, request.url.path)
        if request.url.path in _DOOR_PATHS:
            return Json({"detail": {"reason": "internal error"}}, status_code=500)
        return _answer(errors.Internal("an unexpected error; it has been logged"))


def _field(location: Any) -> str:
    parts = [str(part) for part in location if part != "body"]
    return ".".join(parts) or "body"


def _sentence(error: Any) -> str:
    return str(error["msg"]).removeprefix("Value error, ")


# --- bounds ---------------------------------------------------------------------------------------------------------------


class _Bounds:
    """Refuses a body over the limit (413) and more requests at once than are allowed (429), before anything is parsed."""

    def __init__(self, app: ASGIApp, max_bytes: int, max_concurrent: int) -> None:
        self.app, self.max_bytes, self.max_concurrent = app, max_bytes, max_concurrent
        self.running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.running >= self.max_concurrent and scope["path"] not in ("/health",):
            await self._refuse(errors.TooMany("too many requests at once"), scope, receive, send)
            return
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if length.isdigit() and int(length) > self.max_bytes:
            await self._refuse(errors.TooLarge(f"the body is larger than {self.max_bytes} bytes"), scope, receive, send)
            return
        self.running += 1
        try:
            await self._bounded(scope, receive, send)
        finally:
            self.running -= 1

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The length may be missing or a lie: what arrives is counted, and the body is complete before the app sees it.
        chunks: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            chunk = message.get("body", b"")
            size += len(chunk)
            if size > self.max_bytes:
                await self._refuse(errors.TooLarge(f"the body is larger than {self.max_bytes} bytes"), scope, receive, send)
                return
            chunks.append(chunk)
            more = message.get("more_body", False)
        given = False

        async def replay() -> Message:
            nonlocal given
            if not given:
                given = True
                return {"type": "http.request", "body": b"".join(chunks), "more_body": False}
            return await receive()

        await self.app(scope, replay, send)

    async def _refuse(self, error: errors.RecallError, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in _DOOR_PATHS:
            response = Json({"detail": {"reason": error.message}}, status_code=error.status, headers=error.headers)
        else:
            response = Json(error.body(), status_code=error.status, headers=error.headers)
        await response(scope, receive, send)
