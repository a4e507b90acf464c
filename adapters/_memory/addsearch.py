"""Add/Search: the contract of memory benchmarks, and of this service's own door.

    POST /search    {"query", "user_id", "top_k"}        Authorization: Bearer … (or Token …, or X-Api-Key)
    {"data": [{"id", "content", "score"?, "created_at"?}]}                              best first

No time filter, no paging; at most `top_k` (100) come. `created_at` is optional. `score` has no stated scale, larger is better: it
counts as a similarity while every score of an answer lies in [0, 1], otherwise the words decide. A search may be tried again after
408, 425, 429 and 5xx, never after 409. `GET /health` answers without a token.
"""

from __future__ import annotations

from typing import Any

from adapters._memory.dialect import Asked, Dialect, Request, number


def _requests(asked: Asked) -> list[dict[str, Any]]:
    return [{"query": query, "user_id": asked.user_id, "top_k": asked.top_k} for query in asked.texts]


def _scores(rows: list[Any]) -> list[Any]:
    """The rows without their scores, if one of them shows that they are no similarities."""
    scores = [row["score"] for row in rows if isinstance(row, dict) and number(row.get("score"))]
    if all(0 <= score <= 1 for score in scores):
        return rows
    return [{**row, "score": None} if isinstance(row, dict) else row for row in rows]


DIALECT = Dialect(
    name="addsearch",
    auth="bearer",
    many=True,
    most=100,
    path="/search",
    requests=_requests,
    rows_at="data",
    names={"id": "id", "text": "content", "created": "created_at", "score": "score"},
    retried=frozenset({408, 425, 429, 500, 502, 503, 504}),
    check=Request("GET", "/health"),
    sound=_scores,
)
