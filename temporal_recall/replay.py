"""Replaying recorded questions: a case folder holds a whole question and the answer it must get.

request.json     the body of POST /v1/temporal-recall/query, with a frozen `now`
meinput.jsonl, chat.jsonl, calendar.ics, ...    what the sources read, as `temporal_recall.folder` has it, each optional
expected.json    what must hold of the answer: mode, range, and per group (or `items`) the source_refs with status and tier
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr

from temporal_recall import folder
from temporal_recall.api import create_app
from temporal_recall.settings import Settings


def find(folders: Iterable[Path]) -> list[Path]:
    """The case folders in or below these folders, by name."""
    found = {
        path.parent
        for base in folders
        for path in [*base.glob("request.json"), *base.glob("*/request.json"), *base.glob("*/*/request.json")]
    }
    return sorted(found)


async def answer(case: Path) -> dict[str, Any]:
    """The service's answer to a case, over its own HTTP door. Raises ValueError when it is not 200."""
    request = json.loads((case / "request.json").read_text(encoding="utf-8"))
    user = (request.get("plan") or request)["user_id"]
    with tempfile.TemporaryDirectory() as work:
        zones = {user: request["timezone"]} if "timezone" in request else {}
        settings = Settings(database_url=SecretStr(f"sqlite:///{work}/case.sqlite3"), token=None, user_timezones=zones)
        async with folder.opened(case, settings, user, Path(work)) as sources:
            app = create_app(settings, sources)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
                got = await client.post("/v1/temporal-recall/query", json=request, timeout=30)
            await app.state.store.close()
    if got.status_code != 200:
        raise ValueError(f"{case.name}: the service answered {got.status_code}: {got.text}")
    body: dict[str, Any] = got.json()
    return body


def essence(body: dict[str, Any]) -> dict[str, Any]:
    """What a case compares: not the milliseconds."""

    def item(row: dict[str, Any]) -> dict[str, Any]:
        kept = (
            "source_ref",
            "type",
            "status",
            "event_time",
            "event_end",
            "event_grain",
            "observed_time",
            "tier",
            "recall_score",
            "merged_from",
            "title",
        )
        return {name: row[name] for name in kept if row[name] not in (None, [])}

    return {
        "temporal_mode": body["temporal_mode"],
        "time_range": body["time_range"],
        "expanded_queries": body["plan"]["expanded_queries"],
        "groups": {group["label"]: [item(row) for row in group["items"]] for group in body["groups"]},
        "items": [item(row) for row in body["items"]],
        "partial": body["stats"]["partial"],
        "nearest": body["stats"]["nearest"],
    }


async def run(case: Path, update: bool = False) -> list[str]:
    """The differences between the answer and the expected one, a line each; none when they are the same."""
    got = essence(await answer(case))
    path = case / "expected.json"
    if update:
        path.write_text(json.dumps(got, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return []
    return list(_differences(json.loads(path.read_text(encoding="utf-8")), got, "answer"))


def _differences(want: Any, got: Any, place: str) -> Iterable[str]:
    if isinstance(want, dict) and isinstance(got, dict):
        for key in sorted(want.keys() | got.keys()):
            yield from _differences(want.get(key), got.get(key), f"{place}.{key}")
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for n, (a, b) in enumerate(zip(want, got, strict=True)):
            yield from _differences(a, b, f"{place}[{n}]")
    elif want != got:
        yield f"{place}: want {json.dumps(want, ensure_ascii=False)[:300]}, got {json.dumps(got, ensure_ascii=False)[:300]}"
