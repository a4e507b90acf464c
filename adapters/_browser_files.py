"""The history files of browsers, told apart by their tables, read from a copy.

    Chromium   urls(id, url, title, hidden), visits(url, visit_time, transition, visit_duration)      microseconds since 1601
    Firefox    moz_places(id, url, title, hidden), moz_historyvisits(id, place_id, visit_date, visit_type, from_visit)
               microseconds since 1970, on mobile milliseconds
    Safari     history_items(id, url), history_visits(history_item, visit_time, title, redirect_destination, load_successful)
               seconds since 2001

A browser that runs keeps its file locked and its newest visits in a write-ahead log: file, log and journal are copied to a temporary
folder, which is gone when the question is answered, and read there. The original is never opened by SQLite.
"""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from adapters._base import SourceError, SourceUnavailable
from adapters._blocking import Stop
from planner.ranges import UTC

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=UTC)
_PIECE = 4 * 1024 * 1024
_BESIDE = ("", "-wal", "-journal")
_TRIES = 4
_AT_ONCE = 500  # SQLite takes at least 999 parameters
_NAMES = ("History", "places.sqlite", "History.db")
_PROFILES = ("", "Default", "Profile *", "Profiles/*", "*.default*")


def files_at(place: Path) -> list[Path]:
    """The history files at a path: itself, or those of the profile or profiles in a directory."""
    if not place.is_dir():
        return [place]
    found = [
        file
        for pattern in _PROFILES
        for folder in (sorted(place.glob(pattern)) if pattern else [place])
        for name in _NAMES
        if (file := folder / name).is_file()
    ]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the history: its address and its title, "" where it has none."""

    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit; microseconds since 1970 in UTC. `page` is the page's id in this file."""

    page: int
    at: int
    lasted: int
    title: str | None


@dataclass(frozen=True, slots=True)
class _Form:
    """How a kind of file is asked. Times are in units of `unit` microseconds since `epoch` (seconds since 1970)."""

    kind: str
    pages: str
    page_id: str
    visits: str
    visit_page: str
    visit_at: str
    unit: int
    epoch: int


_CHROMIUM = _Form("Chromium", "urls", "id", "visits", "url", "visit_time", 1, -11_644_473_600)
_FIREFOX = _Form("Firefox", "moz_places", "id", "moz_historyvisits", "place_id", "visit_date", 1, 0)
_MOBILE = _Form("Firefox for mobile", "moz_places", "id", "moz_historyvisits", "place_id", "visit_date", 1000, 0)
_SAFARI = _Form("Safari", "history_items", "id", "history_visits", "history_item", "visit_time", 1_000_000, 978_307_200)
# From this many on, a date of Firefox counts microseconds: as milliseconds it would be the year 5138.
_MICROSECONDS_FROM = 1e14

# Chromium's transition: the kind in the lowest byte, the place in a chain of redirections in the highest bits.
_SUBFRAMES = (3, 4)
_CHAIN_START, _CHAIN_END, _REDIRECT = 0x10000000, 0x20000000, 0xC0000000
_FRAMED, _REDIRECTED = 8, "(5, 6)"  # Firefox's visit_type: a link in a frame; reached by a redirection
_LONGEST = 12 * 3600 * 1_000_000  # a tab that is left open is no visit of days


class History:
    """One history file, opened from its copy."""

    def __init__(self, connection: sqlite3.Connection, stop: Stop) -> None:
        self._connection, self._stop = connection, stop
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        forms = [form for form in (_CHROMIUM, _FIREFOX, _SAFARI) if {form.pages, form.visits} <= names]
        if not forms:
            raise SourceError("the file is no browser's history: its tables are of no known browser")
        self.form = forms[0]
        self._columns = {table: self._columns_of(table) for table in (self.form.pages, self.form.visits)}
        needed = {self.form.pages: {"url", self.form.page_id}, self.form.visits: {self.form.visit_page, self.form.visit_at}}
        for table, columns in needed.items():
            if lacking := columns - self._columns[table]:
                raise SourceError(f"the history's table {table} has no column {', '.join(sorted(lacking))}")
        if self.form is _FIREFOX:
            newest = self._one("SELECT max(visit_date) FROM moz_historyvisits WHERE typeof(visit_date) = 'integer'")
            self.form = _MOBILE if newest and newest < _MICROSECONDS_FROM else _FIREFOX

    def _columns_of(self, table: str) -> set[str]:
        return {row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")}

    def _one(self, query: str) -> Any:
        return self._connection.execute(query).fetchone()[0]

    def _ticks(self, moment: dt.datetime) -> float:
        micros = (moment - _EPOCH) // dt.timedelta(microseconds=1) - self.form.epoch * 1_000_000
        return micros if self.form.unit == 1 else micros / self.form.unit

    def undated(self) -> int:
        """How many visits have no time."""
        form = self.form
        kinds = "('integer', 'real')"
        return int(
            self._one(
                f"SELECT count(*) FROM {form.visits} WHERE typeof({form.visit_at}) NOT IN {kinds} OR {form.visit_at} <= 0"
            )
        )

    def pages(self, numbers: Collection[int]) -> Iterator[tuple[int, Page | None]]:
        """The pages of these ids; None for one that the browser hides. An id that is no page's is passed over."""
        form, columns = self.form, self._columns[self.form.pages]
        title = "title" if "title" in columns else "NULL"
        shown = "coalesce(hidden, 0) = 0" if "hidden" in columns else "1"
        waiting = iter(numbers)
        while some := list(islice(waiting, _AT_ONCE)):
            self._stop.check()
            marks = ", ".join("?" * len(some))
            for key, url, said, visible in self._connection.execute(
                f"SELECT {form.page_id}, url, {title}, {shown} FROM {form.pages} WHERE {form.page_id} IN ({marks})", some
            ):
                page = Page(url if isinstance(url, str) else "", said if isinstance(said, str) else "")
                yield key, page if visible else None

    def visits(self, start: dt.datetime, end: dt.datetime, limit: int) -> Iterator[Visit]:
        """What a person visited in `[start, end)`, the newest first: no redirections on the way, no frames, no failed loads."""
        form, columns = self.form, self._columns[self.form.visits]
        lasted = "visit_duration" if "visit_duration" in columns else "0"
        title = "title" if form is _SAFARI and "title" in columns else "NULL"
        rows = self._connection.execute(
            f"SELECT {form.visit_page}, {form.visit_at}, {lasted}, {title} FROM {form.visits} AS v "
            f"WHERE {form.visit_at} >= ? AND {form.visit_at} < ? AND {self._own(columns)} ORDER BY {form.visit_at} DESC LIMIT ?",
            (self._ticks(start), self._ticks(end), limit),
        )
        for number, (page, at, took, said) in enumerate(rows):
            if number % 1024 == 1023:
                self._stop.check()
            lasts = min(max(took, 0), _LONGEST) if isinstance(took, int) else 0
            moment = (at if form.unit == 1 else round(at * form.unit)) + form.epoch * 1_000_000
            yield Visit(page, round(moment), lasts, said if isinstance(said, str) else None)

    def _own(self, columns: set[str]) -> str:
        """The condition that a visit is one that the person made, and the last of its chain."""
        kept = []
        if self.form is _CHROMIUM and "transition" in columns:
            kept.append(f"(coalesce(transition, 0) & 255) NOT IN {_SUBFRAMES}")
            kept.append(
                f"((coalesce(transition, 0) & {_CHAIN_END}) != 0 OR (coalesce(transition, 0) & {_CHAIN_START | _REDIRECT}) = 0)"
            )
        if self.form in (_FIREFOX, _MOBILE) and "visit_type" in columns:
            kept.append(f"coalesce(visit_type, 0) != {_FRAMED}")
            if "from_visit" in columns and "id" in columns:
                gone = f"SELECT from_visit FROM moz_historyvisits WHERE visit_type IN {_REDIRECTED} AND from_visit IS NOT NULL"
                kept.append(f"id NOT IN ({gone})")
        if self.form is _SAFARI and "redirect_destination" in columns:
            kept.append("redirect_destination IS NULL")
        if self.form is _SAFARI and "load_successful" in columns:
            kept.append("coalesce(load_successful, 1) != 0")
        return " AND ".join(kept) or "1"

    def count(self) -> int:
        return int(self._one(f"SELECT count(*) FROM {self.form.visits}"))


@contextmanager
def opened(path: Path, stop: Stop) -> Iterator[History]:
    """The history of a file, which may be in use. Raises SourceUnavailable and SourceError."""
    with tempfile.TemporaryDirectory(prefix="temporal-recall-") as folder:
        copy = _copied(path, Path(folder), stop)
        connection = sqlite3.connect(f"{copy.as_uri()}?mode=rw", uri=True, timeout=1, check_same_thread=False)
        try:
            stop.breaks(connection.interrupt)
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            connection.execute("PRAGMA trusted_schema = OFF")
            yield History(connection, stop)
        except sqlite3.Error as error:
            stop.check()
            raise SourceError(f"the history cannot be read ({type(error).__name__})") from error
        finally:
            connection.close()


def _copied(path: Path, folder: Path, stop: Stop) -> Path:
    """A copy of the file with its log and journal, all of one moment."""
    try:
        if not path.is_file():
            raise SourceUnavailable("there is no such history file")
        for _ in range(_TRIES):
            before = _state(path)
            for end in _BESIDE:
                _copy(path.with_name(path.name + end), folder / (path.name + end), stop)
            if _state(path) == before:
                break  # else the browser wrote meanwhile; what the last try gives is read, and says so if it does not hold together
    except OSError as error:
        raise SourceUnavailable(f"the history file cannot be read ({type(error).__name__})") from error
    return folder / path.name


def _state(path: Path) -> list[tuple[int, int] | None]:
    states: list[tuple[int, int] | None] = []
    for end in _BESIDE:
        try:
            found = os.stat(f"{path}{end}")
            states.append((found.st_mtime_ns, found.st_size))
        except FileNotFoundError:
            states.append(None)
    return states


def _copy(source: Path, target: Path, stop: Stop) -> None:
    try:
        read = source.open("rb")
    except FileNotFoundError:
        target.unlink(missing_ok=True)
        return
    with read, target.open("wb") as write:
        while piece := read.read(_PIECE):
            stop.check()
            write.write(piece)
