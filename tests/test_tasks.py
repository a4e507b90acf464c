"""Tasks: what each program's file must give, in each sense of a question, and the real servers they lie on."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import caldav_server
import pytest
import todoist_server
from kits.tasks import vtodo
from support import NOW, SHANGHAI

from adapters import Items, SearchContext, SourceError
from adapters._candidates import candidates
from adapters.tasks import TasksSettings, TasksSource
from planner import make_plan
from planner.modes import TemporalMode
from planner.plan import PlanTime, Retrieval, Window
from temporal_recall.sample import served
from temporal_recall.temporal_match import TemporalMatch

pytestmark = pytest.mark.anyio

FIXTURES = Path(__file__).parent.parent / "fixtures" / "tasks"
CASES = sorted(path.parent for path in FIXTURES.glob("*/expected.json"))
WEEK = (dt.datetime(2026, 9, 1, tzinfo=SHANGHAI), dt.datetime(2026, 9, 8, tzinfo=SHANGHAI))


def source(*accounts: dict[str, Any], single: bool = True, **more: Any) -> TasksSource:
    return TasksSource(TasksSettings(accounts=accounts, **more), single)  # type: ignore[arg-type]


def asking(start: dt.datetime, end: dt.datetime, now: dt.datetime, mode: str, **more: Any) -> SearchContext:
    retrieval = Retrieval(source="tasks", observed=Window(start=start, end=end), limit=200)
    deadline = anyio.current_time() + 60
    return SearchContext(
        "ada", retrieval, PlanTime(start=start, end=end), TemporalMode(mode), (), now, deadline=deadline, **more
    )


def _time(text: str | None) -> dt.datetime | None:
    return None if text is None else dt.datetime.fromisoformat(text)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_files(case: Path) -> None:
    """Each file gives, for each question, just the items beside it."""
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    zone = ZoneInfo(expected["zone"])
    now = dt.datetime.fromisoformat(expected["now"]).astimezone(zone)
    adapter = source({"path": str(case / expected["file"])})
    late = dt.datetime(9999, 1, 1, tzinfo=dt.UTC)
    for ask in expected["asks"]:
        start, end = (dt.datetime.fromisoformat(ask[side]).replace(tzinfo=zone) for side in ("start", "end"))
        found = await adapter.search(asking(start, end, now, ask["mode"]))
        assert isinstance(found, Items)

        def order(title: str, at: dt.datetime | None, status: str) -> tuple[str, dt.datetime, str]:
            return title, at or late, status

        shown = sorted(found, key=lambda item: order(item.title, item.event_time, item.status))
        rows = sorted(ask["items"], key=lambda row: order(row["title"], _time(row["start"]), row["status"]))
        assert [(item.title, item.event_time, item.event_end, item.status, item.type) for item in shown] == [
            (row["title"], _time(row["start"]), _time(row["end"]), row["status"], "todo") for row in rows
        ], ask["mode"]
        for item, row in zip(shown, rows, strict=True):
            for name in ("importance", "confidence", "content"):
                assert name not in row or getattr(item, name) == pytest.approx(row[name]), name
            assert "ref" not in row or item.source_ref.split(":")[3] == row["ref"]
            assert "observed" not in row or item.observed_time == _time(row["observed"])
        assert (found.skipped, found.undated) == (expected["skipped"], expected["undated"])
        assert len({item.source_ref for item in found}) == len(found)
    await adapter.close()


def test_there_are_enough() -> None:
    """The table was found at all."""
    assert len(CASES) > 10


async def test_a_task_stays_itself_when_done(tmp_path: Path) -> None:
    """A line that gets its mark, loses its priority and goes to done.txt is the same task."""
    todo, done = tmp_path / "todo.txt", tmp_path / "done.txt"
    todo.write_text("(A) 2026-08-01 Pay the rent due:2026-09-05\n")
    adapter = source({"path": str(tmp_path)})
    before = await adapter.search(asking(*WEEK, NOW, "DUE_IN"))
    todo.write_text("2026-09-01 Another\n")
    done.write_text("x 2026-09-02 2026-08-01 Pay the rent due:2026-09-05 pri:A\n")
    after = await adapter.search(asking(*WEEK, NOW, "OCCURRED_IN"))
    assert [(item.status, item.source_ref) for item in before] == [("due", after[0].source_ref)]
    assert [item.status for item in after] == ["done"]


@pytest.mark.parametrize("mode", list(TemporalMode))
async def test_due_at_the_end_of_the_calendar_is_due_never(tmp_path: Path, mode: str) -> None:
    """A day that has no day before or after it dates no task, and takes nothing from the others."""
    lines = (
        "9999-12-31 Never due:9999-12-31",
        "0001-01-01 Once due:0001-01-01",
        "x 9999-12-31 0001-01-01 Undone",
        "x 2026-09-02 2026-09-01 Rent due:2026-09-04",
    )
    (tmp_path / "todo.txt").write_text("\n".join(lines))
    (tmp_path / "tasks.ics").write_text(
        "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:t\nSUMMARY:Forever\nDUE:99991231T235959Z\nCREATED:99991231T235959Z\nEND:VTODO\nEND:VCALENDAR\n"
    )
    found = await source({"path": str(tmp_path)}).search(asking(*WEEK, NOW, mode))
    assert {item.title for item in found} == {"Rent"}


@pytest.mark.parametrize(
    ("query", "mode", "titles"),
    [
        ("这周有什么要交的", "DUE_IN", {"交周报", "Pay the rent"}),
        ("what did I finish on September 2", "OCCURRED_IN", {"Book the train"}),
        ("今天新建了哪些任务", "CREATED_IN", {"Someday"}),
    ],
)
async def test_questions_rank_what_they_ask_for(query: str, mode: str, titles: set[str], tmp_path: Path) -> None:
    """What a question finds among tasks also fits it where answers are ranked."""
    (tmp_path / "todo.txt").write_text(
        "2026-08-01 交周报 due:2026-09-04\n2026-08-01 Pay the rent due:2026-09-05\nx 2026-09-02 2026-08-20 Book the train due:2026-09-12\n"
        "2026-09-03 Someday\n2026-08-01 Overdue due:2026-08-20\n",
        encoding="utf-8",
    )
    plan = make_plan(query, "ada", NOW, given=TemporalMode(mode))
    ctx = SearchContext("ada", plan.retrievals[0], plan.time, plan.temporal_mode, (), NOW, deadline=anyio.current_time() + 60)
    found = await source({"path": str(tmp_path)}).search(ctx)
    fits = TemporalMatch(plan)(candidates(found, [1.0] * len(found)))
    assert {item.title for item, fit in zip(found, fits, strict=True) if fit > 0.8} == titles


async def test_todoist() -> None:
    """Todoist's open tasks come page by page, done ones by the time they were done and by the time they were due."""
    tasks = [todoist_server.task(f"o{n}", f"Open {n}", due=todoist_server.due("2026-09-04")) for n in range(230)]
    tasks += [
        todoist_server.task(
            "d1", "Done then", due=todoist_server.due("2026-12-01"), completed_at="2026-09-02T03:00:00.000000Z"
        ),
        todoist_server.task("d2", "Due then", due=todoist_server.due("2026-09-05"), completed_at="2026-08-01T03:00:00.000000Z"),
        todoist_server.task("d3", "Done long ago", completed_at="2026-01-02T03:00:00.000000Z"),
    ]
    server = todoist_server.Todoist(tasks)
    async with served(server.app) as url:
        account = {"kind": "todoist", "url": url + "/api/v1", "password": "token"}
        adapter = source(account)
        due = await adapter.search(asking(*WEEK, NOW, "DUE_IN"))
        assert isinstance(due, Items) and due.truncated and len(due) == 200
        assert server.asked == ["/tasks", "/tasks", "/tasks/completed/by_due_date"]
        done = await adapter.search(asking(*WEEK, NOW, "OCCURRED_IN"))
        assert [(item.title, item.status) for item in done] == [("Done then", "done")]
        assert server.asked[3:] == ["/tasks/completed/by_completion_date"]
        year = (dt.datetime(2026, 1, 1, tzinfo=SHANGHAI), NOW)
        assert {item.title for item in await adapter.search(asking(*year, NOW, "OCCURRED_IN"))} == {
            "Done then",
            "Due then",
            "Done long ago",
        }
        assert await adapter.check() == f"{url.removeprefix('http://')}: 230 tasks"
        refused = source({**account, "password": "another"})
        with pytest.raises(SourceError, match="refuses"):
            await refused.search(asking(*WEEK, NOW, "DUE_IN"))
        await adapter.close()
        await refused.close()


async def test_caldav_gives_done_tasks_and_those_without_a_time(tmp_path: Path) -> None:
    """A server's tasks are read with those that are done and those that are never due."""
    url, name, password = caldav_server.person(str(tmp_path))
    more = (
        "BEGIN:VTODO\r\nUID:d\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Done\r\nSTATUS:COMPLETED\r\nCOMPLETED:20260902T000000Z\r\nEND:VTODO\r\n"
        "BEGIN:VTODO\r\nUID:u\r\nDTSTAMP:20260902T000000Z\r\nSUMMARY:Someday\r\nEND:VTODO\r\n"
    )
    caldav_server.put(url, name, password, vtodo([], more))
    adapter = source({"url": url, "username": name, "password": password})
    assert [item.title for item in await adapter.search(asking(*WEEK, NOW, "OCCURRED_IN"))] == ["Done"]
    assert {item.title for item in await adapter.search(asking(*WEEK, NOW, "AMBIGUOUS"))} == {"Done", "Someday"}
    await adapter.close()


def test_accounts() -> None:
    """Todoist has its own address by itself."""
    settings = TasksSettings(accounts='[{"kind": "todoist", "password_env": "T"}, {"path": "todo.txt"}]')  # type: ignore[arg-type]
    assert settings.accounts[0].url == "https://api.todoist.com/api/v1"
