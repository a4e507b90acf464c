"""Memorax.

    POST /v1/memories/search    {"user_id", "query", "mode": "fast", "top_k", "filters"}          Authorization: Token …
    {"success": true, "data": {"data": [{"id", "memory", "score"?, "score_details"?, "created_at", "metadata"?}]}}

A query has at most 1,024 characters; `top_k` (1 to 50) is counted for each of two channels, so that up to twice as many come.
`filters.created_at` filters by when the record was made. What was said before it was imported has its own moment in
`metadata.event_created_at` (Unix milliseconds or ISO 8601; -1 for none): a record is never made before it was said, so the window's
lower bound always holds for `created_at`, its upper bound only for what was written down at once; one more request leaves it open.
`score` means what `score_details` says: only `semantic_similarity` is a match in [0, 1].
"""

from __future__ import annotations

from typing import Any

from adapters._memory.dialect import Asked, Dialect, Request, iso

QUERY_LENGTH = 1024


def _requests(asked: Asked) -> list[dict[str, Any]]:
    since, until = {"gte": iso(asked.observed.start)}, {"lt": iso(asked.observed.end)}
    made = [_search(asked, query, since | until) for query in asked.texts]
    if not asked.created and asked.observed.end is not None and asked.observed.end <= asked.now:
        made.append(_search(asked, asked.texts[0], since))
    return made


def _search(asked: Asked, query: str, created: dict[str, str]) -> dict[str, Any]:
    mode = {"output_mode": asked.output_mode} if asked.output_mode is not None else {}
    filters = {"and": [{"created_at": created}]}
    text = query[:QUERY_LENGTH]
    return {"user_id": asked.user_id, "query": text, "mode": "fast", "top_k": asked.top_k, "filters": filters, **mode}


DIALECT = Dialect(
    name="memorax",
    auth="token",
    many=True,
    most=50,
    path="/v1/memories/search",
    requests=_requests,
    rows_at="data.data",
    names={
        "id": "id",
        "text": "memory",
        "created": "created_at",
        "said": "metadata.event_created_at",
        "owner": "user_id",
        "score": "score_details.semantic_similarity",
    },
    retried=frozenset({429, 503}),
    # A task that does not exist costs no quota, and only a key that may read is told that it does not.
    check=Request("GET", "/v1/memories/add/status/temporal-recall-check"),
    answers=frozenset({404}),
)
