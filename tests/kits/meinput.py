"""MeInput's kits: a cloud on a real socket that answers JSON or NDJSON."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from conformance import Kit, Record
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.meinput import MeInput, MeInputSettings
from temporal_recall.sample import export_app, served


def _row(record: Record) -> dict[str, Any]:
    return {
        "evidence_id": record.key, "type": "expression_segment", "text": record.text,
        "occurred_at": record.start.isoformat(), "user_id": record.user,
    }  # fmt: skip


@asynccontextmanager
async def _served(app: Any) -> AsyncIterator[MeInput]:
    async with served(app) as url:
        adapter = MeInput(MeInputSettings(url=url))
        try:
            yield adapter
        finally:
            await adapter.close()


def _opened(folder: Path, records: Sequence[Record], *, ndjson: bool = False, more: Sequence[Any] = ()) -> Any:
    return _served(export_app([*map(_row, records), *more], ndjson=ndjson))


def _answering(body: bytes, status: int = 200) -> Any:
    async def export(request: Request) -> Response:
        return Response(body, status, media_type="application/json")

    return _served(Starlette(routes=[Route("/v1/evidence/export", export)]))


_TIME = "2026-09-01T05:00:00+08:00"
_BAD_ROWS: dict[str, dict[str, Any]] = {
    "no id": {"type": "expression_segment", "text": "x", "occurred_at": _TIME, "user_id": "ada"},
    "no text": {"evidence_id": "b1", "type": "expression_segment", "text": None, "occurred_at": _TIME, "user_id": "ada"},
    "a list for text": {
        "evidence_id": "b2",
        "type": "expression_segment",
        "text": ["x"],
        "occurred_at": _TIME,
        "user_id": "ada",
    },
}


def _kit(name: str, ndjson: bool) -> Kit:
    return Kit(
        name,
        partial(_opened, ndjson=ndjson),
        damaged={kind: partial(_opened, ndjson=ndjson, more=[row]) for kind, row in _BAD_ROWS.items()},
        broken={
            "garbage": lambda folder: _answering(b"\xff\xfe<html>"),
            "truncated": lambda folder: _answering(b'{"items": [{"evidence_id": "e1", "ty'),
            "another shape": lambda folder: _answering(b'{"rows": []}'),
            "deep": lambda folder: _answering(b"[" * 100_000),
            "empty": lambda folder: _answering(b""),
            "refused": lambda folder: _answering(b"{}", 401),
            "out of order": lambda folder: _answering(b"{}", 503),
        },
        slow=lambda folder: _served(export_app([], delay=30)),
    )


KITS = [_kit("meinput-json", False), _kit("meinput-ndjson", True)]
