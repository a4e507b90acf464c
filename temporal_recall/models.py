"""The wire of the API: what a request may say and how an answer looks, with examples in Chinese and English for OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from planner.modes import TemporalMode
from planner.plan import ContextPlan, Id, Now, SourceName, Text, zone_of

Limit = Annotated[int, Field(strict=True, ge=1, le=200)]
Flag = Annotated[bool, Field(strict=True)]

ASK_ZH: dict[str, Any] = {
    "query": "我这周有什么重要的事？",
    "user_id": "a70ff537-8908-486e-9b6c-042e07cc25db",
    "now": "2026-09-03T22:00:00+08:00",
    "limit": 50,
}
ASK_EN: dict[str, Any] = {
    "query": "what did we decide last Friday?",
    "user_id": "ada",
    "now": "2026-09-03T22:00:00+08:00",
    "timezone": "Asia/Shanghai",
}


def _known_zone(name: str) -> str:
    zone_of(name)
    return name


Zone = Annotated[str, StringConstraints(strict=True), AfterValidator(_known_zone)]


class _Asking(BaseModel):
    """What a question may say beside its words."""

    model_config = ConfigDict(extra="ignore")

    user_id: Id | None = None
    now: Now | None = None
    timezone: Zone | None = None
    temporal_mode: TemporalMode | None = None
    sources: Annotated[tuple[SourceName, ...], Field(min_length=1, max_length=64)] | None = None


class PlanRequest(_Asking):
    """A question. `user_id` may be left out with a session token; without `now` it is asked at the present moment."""

    model_config = ConfigDict(json_schema_extra={"examples": [ASK_ZH, ASK_EN]})

    query: Text


class QueryRequest(_Asking):
    """Either a whole `plan`, or a question (`query`, `user_id`, `now`); `limit` counts over both groups."""

    plan: ContextPlan | None = None
    query: Text | None = None
    limit: Limit = 50
    explain: Flag = False
    include_dropped: Flag = False


class Item(BaseModel):
    """One item of the timeline. Times carry the offset of the asker's zone."""

    timeline_item_id: str
    source: str
    type: str
    event_time: str | None
    event_end: str | None = None
    event_grain: str | None = None
    observed_time: str | None
    title: str
    content: str
    importance: float
    confidence: float
    recall_score: float
    tier: str | None
    source_ref: str
    status: str
    merged_from: list[str] = []
    score: dict[str, float] | None = None


class Group(BaseModel):
    label: str
    items: list[Item]


class SourceRow(BaseModel):
    """How one source fared. `truncated`: more lay behind what was read; `undated`: records left out since they have no readable time."""

    source: str
    status: str
    count: int
    ms: float
    truncated: bool
    undated: int
    skipped: int
    message: str


class Meant(BaseModel):
    """The time that a question was taken to mean by an event of the asker's life, and the records that tell when that was."""

    start: str
    end: str
    expression: str
    certainty: float
    told_by: list[str]


class Stats(BaseModel):
    sources_queried: list[str]
    raw_count: int
    deduped_count: int
    returned_count: int
    dropped_count: int
    elapsed_ms: int
    partial: bool
    sources: list[SourceRow]
    nearest: dict[str, str | None] | None
    meant: Meant | None = None


class TimeRangeOut(BaseModel):
    start: str
    end: str


class Answer(BaseModel):
    """The timeline. `groups` answer an ambiguous question and `items` any other; the one not used is empty."""

    query_type: str
    temporal_mode: TemporalMode
    time_range: TimeRangeOut
    groups: list[Group]
    items: list[Item]
    stats: Stats
    plan: dict[str, Any]
    dropped: list[dict[str, Any]] | None = None


class ErrorField(BaseModel):
    field: str
    message: str


class ErrorBody(BaseModel):
    code: str
    message: str
    fields: list[ErrorField]


class ErrorAnswer(BaseModel):
    """The form of every error of this API."""

    error: ErrorBody


EXAMPLES: dict[str, Any] = {
    "中文": {"summary": "一句话提问", "value": ASK_ZH},
    "English": {"summary": "A question", "value": ASK_EN},
    "plan": {
        "summary": "A whole plan, as /plan returns it",
        "value": {
            "plan": {
                "schema_version": 1, "query_type": "personal_temporal_recall", "query": "上周五聊了什么电影", "user_id": "ada",
                "now": "2026-09-03T22:00:00+08:00", "timezone": "Asia/Shanghai", "language": "zh", "temporal_mode": "MENTIONED_IN",
                "time": {"start": "2026-08-28T00:00:00+08:00", "end": "2026-08-29T00:00:00+08:00", "grain": "day", "expression": "上周五",
                         "source": "query", "alternatives": []},
                "expanded_queries": ["电影"],
                "retrievals": [{"source": "chat", "observed": {"start": "2026-08-28T00:00:00+08:00", "end": "2026-08-29T00:00:00+08:00"},
                                "limit": 200, "required": False}],
                "explanation": [],
            },
            "limit": 50,
        },
    },
}  # fmt: skip
