"""Iris.

    POST /api/v1/memories/search    {"text", "limit", "time_from", "time_to", "entry_id"?}          Authorization: Bearer …
    {"memories": [{"id", "text", "belief"?, "created_at"?, "sources": [{"message_id", "occurred_at"?, "entry_id"?}]}], "hints": [...]}

`limit` is at most 100, there is no paging. The contract does not say whether `time_from` and `time_to` filter what was said or what
happens then, so they span both windows, and the answer is filtered here. It does not name a memory's text and belief either: an
account's `fields` may. A memory is said when the newest of its sources was; the times of sources in an entry that the token may not
see are null, and a memory without any is undated unless it has a `created_at`. The token holds one person's memories, or an `entry`
of them. 429 and 503 carry Retry-After and may be tried again; every error is one object with a `code`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from adapters import _times
from adapters._memory.dialect import Asked, Dialect, Request, iso


def _requests(asked: Asked) -> list[dict[str, Any]]:
    bounds = (asked.observed.start, asked.observed.end, asked.time.start, asked.time.end)
    start, *_, end = sorted(bound for bound in bounds if bound is not None)
    more = {"limit": asked.top_k, "time_from": iso(start), "time_to": iso(end)}
    if asked.entry is not None:
        more["entry_id"] = asked.entry
    return [{"text": query, **more} for query in asked.texts]


def _said(row: Mapping[str, Any], zone: dt.tzinfo) -> dt.datetime | None:
    sources = row.get("sources")
    told_at = [
        _times.moment(s.get("occurred_at"), zone) for s in (sources if isinstance(sources, list) else []) if isinstance(s, dict)
    ]
    return max((at for at in told_at if at is not None), default=None)


DIALECT = Dialect(
    name="iris",
    auth="bearer",
    many=False,
    most=100,
    path="/api/v1/memories/search",
    requests=_requests,
    rows_at="memories",
    names={
        "id": "id",
        "text": "text",
        "created": "created_at",
        "said": "occurred_at",
        "importance": "importance",
        "belief": "belief",
        "score": "score",
    },
    retried=frozenset({429, 503}),
    check=Request("GET", "/api/v1/status"),
    said=_said,
)
