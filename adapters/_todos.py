"""Tasks as their programs write them: VTODO, todo.txt, Taskwarrior, Todoist. Each reader gives `Task`s, all in one shape.

A time of a task is a date (the whole day), a datetime without zone (the wall clock where the person asks), or one with a zone.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from adapters import _ical
from adapters._ical import MALFORMED, Block, Entry, Malformed, Time
from planner.plan import zone_of
from planner.ranges import UTC, Grain
from planner.statements import read_statement

State = Literal["open", "done", "cancelled"]
# Importance: a task counts a little more than a remark.
BASE, HIGH, LOW = 0.6, 0.2, -0.15


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `key` is stable in its place; `dues` are its due time and, where there is one, its deadline.

    `by_midnight` tells that its program writes a day as its midnight. `block` holds a VTODO's further text.
    """

    key: str
    title: str
    notes: str = ""
    created: Time | None = None
    dues: tuple[Time, ...] = ()
    start: Time | None = None
    done: Time | None = None
    state: State = "open"
    importance: float = BASE
    doubtful: bool = False
    by_midnight: bool = False
    block: Block | None = None


@dataclass(slots=True)
class Tasks:
    """A file's or server's tasks. `recurring` are VTODOs with a rule; `undated` counts times that are none, `skipped` broken rows."""

    tasks: list[Task] = field(default_factory=list)
    recurring: list[Entry] = field(default_factory=list)
    undated: int = 0
    skipped: int = 0


Check = Callable[[], None]


def _text(data: bytes) -> str:
    if b"\0" in data:
        raise Malformed("it is no text")
    for charset in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(charset)
        except UnicodeDecodeError:
            continue
    raise Malformed("it is no text")


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


# --- VTODO ----------------------------------------------------------------------------------------------------------------

_STATES: dict[str, State] = {"COMPLETED": "done", "CANCELLED": "cancelled"}


def read_vtodo(data: bytes, check: Check) -> Tasks:
    """The tasks of an iCalendar file: due by DUE, or DTSTART and DURATION; done at COMPLETED, or lacking it at LAST-MODIFIED."""
    calendar = _ical.read_calendar(data, check)
    found = Tasks(skipped=calendar.damaged)
    for entry in calendar.entries:
        if entry.kind != "VTODO":
            continue
        if entry.recurs:
            found.recurring.append(entry)
            continue
        try:
            task, undated = _vtodo(entry)
        except MALFORMED:
            found.skipped += 1
            continue
        found.tasks.append(task)
        found.undated += undated
    return found


def _vtodo(entry: Entry) -> tuple[Task, bool]:
    block = entry.blocks[0]
    times, doubtful = _ical.times_of(entry)
    start, due, lasting = times.get("DTSTART"), times.get("DUE"), times.get("DURATION")
    if due is None and start is not None and lasting is not None:
        due = start + lasting
    state, done = todo_state(block)
    return Task(
        entry.uid, _ical.summary(block), created=_ical.made_at(block, UTC), dues=() if due is None else (due,), start=start, done=done,
        state=state, doubtful=doubtful, block=block,
    ), block.has("DUE") and due is None  # fmt: skip


def todo_state(block: Block) -> tuple[State, dt.datetime | None]:
    """Whether a VTODO is open, done or off, and when it was done."""
    completed = _ical.stamp(block, "COMPLETED", UTC)
    state: State = _STATES.get(block.value("STATUS").upper(), "done" if completed is not None else "open")
    return state, (completed or _ical.stamp(block, "LAST-MODIFIED", UTC)) if state == "done" else None


# --- todo.txt -------------------------------------------------------------------------------------------------------------

_DAY = r"\d{4}-\d\d-\d\d"
_DONE = re.compile(rf"x (?:({_DAY}) )?(?:({_DAY}) )?(.*)")
_OPEN = re.compile(rf"(?:\(([A-Z])\) )?(?:({_DAY}) )?(.*)")
_TAG = re.compile(r"(?<!\S)(due|t|pri|rec|id|uuid):(\S+)")


def read_todotxt(data: bytes, check: Check) -> Tasks:
    """todo.txt, a task a line: `x 2026-09-03 2026-09-01 text`, `(A) 2026-09-01 text due:2026-09-05 t:2026-09-04`. Days only."""
    found = Tasks()
    seen: dict[str, int] = {}
    for n, line in enumerate(_text(data).replace("\r\n", "\n").split("\n")):
        if not n % 500:
            check()
        if not line.strip():
            continue
        line = line.strip() + " "  # a line may end with its mark
        done = _DONE.fullmatch(line)
        opened = _OPEN.fullmatch(line)
        assert opened is not None
        first, second, text = done.groups("") if done is not None else ("", *opened.groups("")[1:])
        tags = dict(_TAG.findall(text))
        title = _TAG.sub("", text).strip()
        if not title:
            found.skipped += 1
            continue
        stated = {"done": first, "created": second, "due": tags.get("due", ""), "t": tags.get("t", "")}
        days = {name: _date(value) for name, value in stated.items() if value}
        found.undated += sum(day is None for day in days.values())
        priority = (opened[1] if done is None else None) or tags.get("pri", "")
        key = tags.get("uuid") or tags.get("id") or _hash(second, " ".join(title.split()))
        seen[key] = seen.get(key, 0) + 1
        due = days.get("due")
        found.tasks.append(
            Task(
                key if seen[key] == 1 else f"{key}-{seen[key]}", title, created=days.get("created"), dues=() if due is None else (due,),
                start=days.get("t"), done=days.get("done"), state="open" if done is None else "done",
                importance=BASE + (HIGH if priority == "A" else HIGH / 2 if priority == "B" else 0),
            )
        )  # fmt: skip
    return found


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if re.fullmatch(_DAY, text, re.ASCII) else None
    except ValueError:
        return None


# --- JSON: Taskwarrior and Todoist ----------------------------------------------------------------------------------------


def read_json(data: bytes, check: Check) -> Tasks:
    """A `task export` (a list, or a row a line), or what Todoist's API answers. Raises Malformed for neither."""
    rows = _rows(_text(data))
    taskwarrior = any(isinstance(row, dict) and "uuid" in row and "description" in row for row in rows)
    if rows and not taskwarrior and not any(isinstance(row, dict) and "content" in row for row in rows):
        raise Malformed("it is neither Taskwarrior's export nor Todoist's")
    found = Tasks()
    for n, row in enumerate(rows):
        if not n % 500:
            check()
        add(found, row, _taskwarrior if taskwarrior else todoist)
    return found


def _rows(text: str) -> list[Any]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        rows = [_row(line.strip().removesuffix(",")) for line in text.strip().strip("[]").split("\n") if line.strip()]
        if not any(isinstance(row, dict) for row in rows):
            raise Malformed("it is no JSON") from error
        return rows
    if isinstance(read, dict):
        lists = [read[name] for name in ("items", "results", "tasks", "completed_items") if isinstance(read.get(name), list)]
        if not lists:
            raise Malformed("it holds no list of tasks")
        return [row for rows in lists for row in rows]
    if not isinstance(read, list):
        raise Malformed("it holds no list of tasks")
    return read


def _row(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def add(found: Tasks, row: Any, read: Callable[[dict[str, Any]], tuple[Task | None, int]]) -> None:
    """Adds the task of a row, or counts it as skipped."""
    try:
        if not isinstance(row, dict):
            raise Malformed("a row is no object")
        task, undated = read(row)
    except MALFORMED:
        found.skipped += 1
        return
    found.undated += undated
    if task is not None:
        found.tasks.append(task)


def _named(row: dict[str, Any], id_name: str, text_name: str) -> tuple[str, str]:
    key, title = row.get(id_name), row.get(text_name)
    if isinstance(key, bool) or not isinstance(key, str | int) or key == "" or not isinstance(title, str) or not title.strip():
        raise Malformed(f"a task needs {id_name} and {text_name}")
    return str(key), title.strip()


def _taskwarrior(row: dict[str, Any]) -> tuple[Task | None, int]:
    """A row of Taskwarrior's export; times are UTC, a day is its midnight where the person is. Parents of recurring tasks are none."""
    status = row.get("status")
    if status == "recurring":
        return None, 0
    key, title = _named(row, "uuid", "description")
    times = {name: _compact(row[name]) for name in ("entry", "due", "end", "scheduled", "wait") if row.get(name) is not None}
    state: State = "done" if status == "completed" else "cancelled" if status == "deleted" else "open"
    notes = [str(note.get("description", "")) for note in row.get("annotations") or [] if isinstance(note, dict)]
    due = times.get("due")
    return Task(
        key, title, "\n".join(note for note in notes if note), times.get("entry"), () if due is None else (due,),
        times.get("scheduled"), times.get("end") if state == "done" else None, state,
        BASE + {"H": HIGH, "L": LOW}.get(str(row.get("priority")), 0), by_midnight=True,
    ), sum(time is None for time in times.values())  # fmt: skip


def _compact(value: Any) -> dt.datetime | None:
    try:
        return dt.datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except (ValueError, TypeError):
        return None


def todoist(row: dict[str, Any]) -> tuple[Task | None, int]:
    """A task of Todoist's API: `due.date` a day, a wall time (in `due.timezone`, or where the person is), or UTC; `deadline.date` a day."""
    if isinstance(row.get("item_object"), dict):  # as the older list of completed tasks has them
        row = {**row["item_object"], **row, "id": row.get("task_id", row.get("id"))}
    key, title = _named(row, "id", "content")
    if row.get("is_deleted") is True:
        return None, 0
    due, deadline = (row.get(name) if isinstance(row.get(name), dict) else None for name in ("due", "deadline"))
    stated = [_moment(due.get("datetime") or due.get("date"), due.get("timezone"))] if due else []
    stated += [_moment(deadline.get("date"), None)] if deadline else []
    finished = row.get("completed_at")
    done = _moment(finished, None) if finished is not None else None
    created = row.get("added_at") or row.get("created_at")
    state: State = "done" if row.get("checked") is True or row.get("is_completed") is True or finished is not None else "open"
    if state == "done" and due and due.get("is_recurring") is True:
        key = f"{key}:{finished}"  # the task itself goes on
    level = row.get("priority")
    times = [*stated, *([done] if finished is not None else []), *([_moment(created, None)] if created else [])]
    return Task(
        key, title, str(row.get("description") or ""), _moment(created, None), tuple(time for time in stated if time is not None),
        done=done, state=state, importance=BASE + {4: HIGH, 3: HIGH / 2}.get(level if isinstance(level, int) else 1, 0),
    ), sum(time is None for time in times)  # fmt: skip


def _moment(value: Any, zone: Any) -> Time | None:
    if not isinstance(value, str):
        return None
    try:
        if len(value) == 10:
            return _date(value)
        moment = dt.datetime.fromisoformat(value)
        if moment.tzinfo is None and isinstance(zone, str) and zone:
            moment = moment.replace(tzinfo=zone_of(zone.removeprefix("UTC") if zone.startswith(("UTC+", "UTC-")) else zone))
        return moment
    except ValueError:
        return None


# --- Todoist's CSV --------------------------------------------------------------------------------------------------------


def read_csv(data: bytes, check: Check) -> Tasks:
    """A Todoist project as CSV: TYPE, CONTENT, DESCRIPTION, PRIORITY (1 highest), DATE in words, TIMEZONE, DEADLINE. Open tasks only.

    A DATE that is no date by itself ("every Monday", "tomorrow") is none.
    """
    rows = csv.DictReader(io.StringIO(_text(data)))
    names = {name.strip().upper(): name for name in rows.fieldnames or () if name}
    if not {"TYPE", "CONTENT"} <= set(names):
        raise Malformed("it is no Todoist project: TYPE and CONTENT are missing")
    found = Tasks()
    seen: dict[str, int] = {}
    for row in _csv_rows(rows, found, check):
        said = {name: (row.get(spelled) or "").strip() for name, spelled in names.items()}
        if said["TYPE"] != "task":
            continue
        if not said["CONTENT"]:
            found.skipped += 1
            continue
        stated = [(said.get(name, ""), _worded(said.get(name, ""), said.get("TIMEZONE", ""))) for name in ("DATE", "DEADLINE")]
        found.undated += sum(bool(text) and time is None for text, time in stated)
        key = _hash(said["CONTENT"])
        seen[key] = seen.get(key, 0) + 1
        found.tasks.append(
            Task(
                key if seen[key] == 1 else f"{key}-{seen[key]}", said["CONTENT"], said.get("DESCRIPTION", ""),
                dues=tuple(time for _, time in stated if time is not None),
                importance=BASE + {"1": HIGH, "2": HIGH / 2}.get(said.get("PRIORITY", ""), 0),
            )
        )  # fmt: skip
    return found


def _csv_rows(rows: csv.DictReader[str], found: Tasks, check: Check) -> Iterator[dict[str, str]]:
    while True:
        check()
        try:
            yield next(rows)
        except StopIteration:
            return
        except csv.Error:
            found.skipped += 1


def _worded(text: str, zone: str) -> Time | None:
    time = _moment(text.replace(" ", "T", 1) if re.match(rf"{_DAY} \d", text) else text, zone)
    if time is not None or not text:
        return time
    statement = read_statement(text, None)
    if statement.event is None or statement.event.start is None or statement.grain is None:
        return None
    wall = statement.event.start.replace(tzinfo=None)
    return _moment(wall.isoformat(), zone) if statement.grain < Grain.DAY else wall.date()
