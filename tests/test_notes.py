"""Daily notes: what a folder of Markdown becomes."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from support import NOW

from adapters import Items, SearchContext
from adapters._accounts import Account
from adapters._blocking import Stop
from adapters.notes import Notes, NotesSettings, _read
from planner import make_plan

pytestmark = pytest.mark.anyio
FOLDER = Path(__file__).parent.parent / "fixtures" / "notes" / "daily"
NAMES = ("source_ref", "type", "title", "content", "observed_time", "event_time", "event_end", "status")


async def search(folder: Path, query: str, limit: int = 200, seconds: float = 5.0) -> Items:
    plan = make_plan(query, "ada", NOW)
    ctx = SearchContext(
        "ada", plan.retrievals[0].model_copy(update={"limit": limit}), plan.time, plan.temporal_mode, plan.expanded_queries, NOW,
        deadline=anyio.current_time() + seconds, query=query, time_spans=plan.time_spans,
    )  # fmt: skip
    adapter = Notes(NotesSettings(accounts=(Account(path=folder, name="daily"),)), single=True)
    found = await adapter.search(ctx)
    assert isinstance(found, Items)
    return found


def shown(items: Items) -> list[dict[str, Any]]:
    return [
        {name: v.isoformat() if isinstance(v := getattr(item, name), dt.datetime) else v for name in NAMES}
        for item in sorted(items, key=lambda item: item.source_ref)
    ]


@pytest.mark.parametrize("question", ["这周", "下周有什么安排"])
async def test_a_folder_is_read_as_recorded(question: str) -> None:
    """Days from names and headings, clocks, tasks, front matter, fences, alike entries, a day to come, files without a day."""
    found = await search(FOLDER / "folder", question)
    expected = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    assert shown(found) == expected[question]
    assert found.undated == 2


async def test_a_topic_is_looked_for_first(tmp_path: Path) -> None:
    """Of years of notes the ones that hold the topic's words come, though they are the oldest, and the rest is told as truncated."""
    for n in range(1200):
        day = NOW.date() - dt.timedelta(days=n)
        (tmp_path / f"{day}.md").write_text("- the boiler was mended\n" if n == 1199 else f"- entry {n}\n", encoding="utf-8")
    found = await search(tmp_path, "when was the boiler mended?", limit=50)
    assert "the boiler was mended" in [item.content for item in found]
    assert found.truncated


async def test_a_changed_note_is_read_again(tmp_path: Path) -> None:
    """What is written into a note between two questions is in the second answer."""
    note = tmp_path / "2026-09-02.md"
    note.write_text("- one\n", encoding="utf-8")
    adapter = Notes(NotesSettings(accounts=(Account(path=tmp_path),)), single=True)
    plan = make_plan("这周", "ada", NOW)
    ctx = SearchContext("ada", plan.retrievals[0], plan.time, plan.temporal_mode, plan.expanded_queries, NOW)
    assert [item.content for item in await adapter.search(ctx)] == ["one"]
    note.write_text("- one\n- two, longer\n", encoding="utf-8")
    assert {item.content for item in await adapter.search(ctx)} == {"one", "two, longer"}


async def test_a_day_at_the_calendars_ends_is_none(tmp_path: Path) -> None:
    """A note named 9999-12-31 has no day, and takes nothing from the others."""
    for name in ("9999-12-31", "0001-01-01", "2026-09-03"):
        (tmp_path / f"{name}.md").write_text("- 和王老师评审", encoding="utf-8")
    found = await search(tmp_path, "这周有什么")
    assert [item.source_ref for item in found] == ["notes:daily:2026-09-03.md:" + found[0].source_ref.rpartition(":")[2]]
    assert found.undated == 2


def test_folders_are_told_apart() -> None:
    """Two folders of one name would share their references; a note has no address."""
    with pytest.raises(ValidationError, match="give their accounts names"):
        NotesSettings(accounts="a/daily, b/daily")  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="has a path"):
        NotesSettings(accounts="https://example.org/daily")  # type: ignore[arg-type]


LINES = st.sampled_from(
    [
        "",
        "- a",
        "* [ ] b",
        "- [x] c",
        "1. d",
        "text",
        "  more",
        "# 2026-09-01",
        "## 9:15 x",
        "- 24:70 y",
        "---",
        "```",
        "#",
        "- ",
        "2026-13-01",
    ]
)


@given(st.lists(LINES, max_size=30), st.sampled_from(["2026-09-02", "2026-99-99 x", "idea", ""]))
def test_any_note_is_read(lines: list[str], name: str) -> None:
    """Whatever stands in a note: every entry has words and a reference of its own."""
    entries = list(_read("\n".join(lines), name, "notes:x", Stop()))
    assert all(entry.text.strip() for entry in entries)
    assert len({entry.ref for entry in entries}) == len(entries)
