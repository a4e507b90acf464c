"""The hybrid search API: relevance, importance and recency, weighted by the one who asks.

    POST /api/v1/search    {"query", "top_k", "partition_ids"?, "tags"?, "weight_recency", "weight_importance", "weight_relevance"}
    {"results": [{"memory": {"id", "content", "importance_score", "created_at", ...}, "score", "relevance_score"}], "related": [...]}

`top_k` is 1 to 100; no time filter, no paging, no user and no token: a server, or its partitions, is one person's. `importance_score`
is 0 to 10. Recency counts from the last access and not from the matter's own time, so a topic is asked for without it. `related`
never matched the query and is not read.
"""

from __future__ import annotations

from typing import Any

from adapters._memory.dialect import Asked, Dialect, Request


def _requests(asked: Asked) -> list[dict[str, Any]]:
    more: dict[str, Any] = {"partition_ids": list(asked.partitions)} if asked.partitions else {}
    more |= {"tags": list(asked.tags)} if asked.tags else {}
    other = 0.0 if asked.topical else 1.0
    more |= {"weight_recency": other, "weight_importance": other, "weight_relevance": 1.0}
    return [{"query": query, "top_k": asked.top_k, **more} for query in asked.texts]


DIALECT = Dialect(
    name="hybrid",
    auth="none",
    many=False,
    most=100,
    path="/api/v1/search",
    requests=_requests,
    rows_at="results",
    names={
        "id": "memory.id",
        "text": "memory.content",
        "created": "memory.created_at",
        "importance": "memory.importance_score",
        "score": "relevance_score",
    },
    retried=frozenset({429, 502, 503, 504}),
    check=Request("POST", "/api/v1/search", {"query": "check", "top_k": 1}),
    importance_of=10.0,
)
