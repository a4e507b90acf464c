"""The door of the embedded store: POST /add, POST /search, by the Add/Search contract (docs/memory-door.md). Also under /v1.

Declared fields are checked strictly and never converted, undeclared ones are ignored. Adding is idempotent by (request_id,
user_id): the first write wins. Errors have the form {"detail": {"reason": "..."}}, a wrong field is 422 with a list in `detail`.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictStr, ValidationError

from adapters import TimelineItem
from adapters._store import NewMessage, Snapshot, Store, search
from adapters._store.asking import asked as asked_of
from adapters._store.writing import add
from adapters._times import from_ms, to_ms
from adapters.chat import StoreChat
from planner.plan import ContextPlan, make_plan
from planner.ranges import UTC
from temporal_recall import clock
from temporal_recall.auth import Caller, Verifier, token_of
from temporal_recall.dating import meant
from temporal_recall.errors import RecallError
from temporal_recall.retrieval import telling
from temporal_recall.settings import Settings

_DEEPEST = 100  # as many hits as relevance is worked out for at least, whatever top_k


class Refusal(BaseModel):
    """The form of the door's errors; of a wrong field, `detail` is a list of {loc, msg, type}."""

    detail: dict[str, str] | list[dict[str, Any]]


_REFUSALS: dict[int | str, dict[str, Any]] = {status: {"model": Refusal} for status in (401, 403, 413, 422, 429, 503)}


class DoorError(Exception):
    """An error in the door's own form."""

    def __init__(self, status: int, detail: Any, headers: dict[str, str] | None = None) -> None:
        super().__init__(str(status))
        self.status, self.detail, self.headers = status, detail, headers or {}


def _not_blank(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    if not value.strip():
        raise ValueError("must not be blank")
    if "\x00" in value:
        raise ValueError("must not hold a NUL character")
    return value


def _milliseconds(value: Any) -> Any:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        if isinstance(value, int) and abs(value) > 2**62:
            raise ValueError("is out of range")
        return value
    if isinstance(value, float) and math.isfinite(value) and value == int(value) and abs(value) <= 2**53:
        return int(value)  # a whole number written as 1704067200000.0 loses nothing
    raise ValueError("must be Unix milliseconds as a whole number")


def _whole(value: Any) -> Any:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("must be a whole number")
    return value


Name = Annotated[str, Field(min_length=1, max_length=512, pattern=r"\S"), BeforeValidator(_not_blank)]
Body = Annotated[str, Field(min_length=1, pattern=r"\S"), BeforeValidator(_not_blank)]


class Message(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Name
    content: Body
    timestamp: Annotated[int | None, BeforeValidator(_milliseconds)] = None


class AddRequest(BaseModel):
    """A batch of messages, in order, to be kept and found again at once."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={"examples": [{
            "request_id": "r-1", "user_id": "ada", "session_id": "s-1",
            "messages": [{"role": "user", "content": "周五下午三点和王老师评审", "timestamp": 1788444000000}],
        }]},
    )  # fmt: skip

    request_id: Name
    messages: Annotated[list[Message], Field(min_length=1)]
    user_id: Name
    session_id: Name


class AddAnswer(BaseModel):
    success: bool
    request_id: str
    user_id: str
    session_id: str


class SearchRequest(BaseModel):
    """What is looked for, among one user's messages; at most `top_k`, best first."""

    model_config = ConfigDict(
        extra="ignore", json_schema_extra={"examples": [{"query": "什么时候评审？", "user_id": "ada", "top_k": 10}]}
    )

    query: Body
    options: list[StrictStr] | None = None
    user_id: Name
    top_k: Annotated[int, BeforeValidator(_whole), Field(ge=0)]


class Memory(BaseModel):
    id: str
    content: str
    score: float
    created_at: str | None = None


class SearchAnswer(BaseModel):
    data: list[Memory]


def _body_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The request body for OpenAPI; the body itself is read by hand, since its errors have the door's own form."""
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    if "messages" in schema["properties"]:
        schema["properties"]["messages"]["items"] = definitions["Message"]
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


async def _verified(request: Request) -> Caller:
    verifier: Verifier = request.app.state.verifier
    try:
        return await verifier.caller(token_of(request.headers, door=True), request.client.host if request.client else None)
    except RecallError as error:
        raise DoorError(error.status, {"reason": error.message}, error.headers) from error


# The caller is verified before the body is read: a stranger learns nothing of what a body should look like.
Verified = Annotated[Caller, Depends(_verified)]


def _may_ask_for(caller: Caller, user_id: str) -> None:
    try:
        caller.may_ask_for(user_id)
    except RecallError as error:
        raise DoorError(error.status, {"reason": error.message}) from error


def router(store: Store, settings: Settings, path: str) -> APIRouter:
    """The door's two routes under `path` ("" or "/v1")."""
    routes = APIRouter(prefix=path, tags=["memory"])

    async def body_of(request: Request, model: type[BaseModel]) -> Any:
        try:
            return model.model_validate_json(await request.body())
        except ValidationError as error:
            details = [
                {"loc": ["body", *e["loc"]], "msg": e["msg"], "type": e["type"]}
                for e in error.errors(include_url=False, include_context=False)
            ]
            raise DoorError(422, details) from error

    @routes.post("/add", response_model=AddAnswer, responses=_REFUSALS, openapi_extra=_body_schema(AddRequest))
    async def add_messages(request: Request, caller: Verified) -> Any:
        asked: AddRequest = await body_of(request, AddRequest)
        _may_ask_for(caller, asked.user_id)
        batch = [NewMessage(message.role, message.content, message.timestamp) for message in asked.messages]
        await add(
            store,
            asked.user_id,
            asked.request_id,
            asked.session_id,
            batch,
            settings.zone_for(asked.user_id),
            settings.conventions,
        )
        return AddAnswer(success=True, request_id=asked.request_id, user_id=asked.user_id, session_id=asked.session_id)

    @routes.post("/search", response_model=SearchAnswer, responses=_REFUSALS, openapi_extra=_body_schema(SearchRequest))
    async def search_messages(request: Request, caller: Verified) -> Any:
        asked: SearchRequest = await body_of(request, SearchRequest)
        _may_ask_for(caller, asked.user_id)
        top_k = min(asked.top_k, settings.search_top_k_max)
        hits = await _find(store, settings, asked, max(top_k, _DEEPEST))
        return SearchAnswer(data=[_memory(hit) for hit in hits[:top_k]])

    return routes


async def _find(store: Store, settings: Settings, asked: SearchRequest, limit: int) -> Sequence[search.Hit]:
    zone = settings.zone_for(asked.user_id)
    plans = settings.plan_settings(("chat",))
    options = " ".join(asked.options or ())

    def found(snapshot: Snapshot, plan: ContextPlan) -> Sequence[search.Hit]:
        return search.search(snapshot, asked.user_id, wanted(asked.query, plan, options), limit).hits

    def work(snapshot: Snapshot) -> tuple[ContextPlan, Sequence[search.Hit]]:
        # The contract carries no clock: a question is asked at the person's newest message, but not at one of the far future.
        today = clock.now(zone)
        newest = search.newest(snapshot, asked.user_id, to_ms(today + dt.timedelta(days=1)))
        now = from_ms(newest, zone) if newest is not None else today
        plan = make_plan(asked.query[:4096], asked.user_id, now, plans)
        return plan, [] if plan.anchors else found(snapshot, plan)

    plan, hits = await store.read(work)
    if not plan.anchors:
        return hits
    chat = {"chat": StoreChat(store)}
    deadline = anyio.current_time() + settings.timeout_seconds

    async def ask(about: ContextPlan) -> Sequence[TimelineItem]:
        return await telling(about, chat, {}, deadline, settings.conventions)

    told = await meant(plan, plans, ask)
    return await store.read(lambda snapshot: found(snapshot, plan if told is None else told.plan))


def wanted(query: str, plan: ContextPlan, options: str = "") -> search.Asked:
    """What the store is asked for a question: its words without the time's own, and its time as a soft term."""
    inferred = plan.time.source == "inferred"
    timed = inferred or (plan.time.source == "query" and plan.time.grain != "vague")
    times = [(to_ms(plan.time.start), to_ms(plan.time.end))] if timed else []
    timed = timed or (plan.time.source == "default" and bool(plan.time.alternatives))
    times += [(to_ms(start), to_ms(end)) for start, end in plan.time.also] if timed else []
    events = tuple(anchor.about for anchor in plan.anchors) if inferred else ()
    return asked_of(query, plan.time_spans if timed else (), times, more=options, zone=plan.zone, events=events)


def _memory(hit: search.Hit) -> Memory:
    row = hit.row
    created = (
        None
        if row.observed_ms is None
        else from_ms(row.observed_ms, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )
    return Memory(
        id=f"chat:message:{row.request_id}:{row.position}", content=row.content, score=round(hit.score, 6), created_at=created
    )
