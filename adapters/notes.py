"""notes: daily notes, a folder of Markdown files.

    2026-09-02.md, 2026-09-02 Wednesday.md      all that stands in it belongs to that day
    journal.md                                   what stands under a heading that begins with a date: ## 2026-09-02
    - 14:30 called the landlord                  an entry is a list item with what is indented under it, or a paragraph
    ## 9:15 Dentist                              a clock at the beginning of an entry or of its heading is its time
    - [ ] send the form by Friday                a task; - [x] a done one

Other files are not read, nor is front matter between two lines of `---`, nor what stands between code fences. Days and clocks are
wall time in the asker's zone; an entry without a clock is taken to be written at noon, or now, if noon is still to come. What stands
under a day that is yet to come is planned for it, and nobody knows when it was written.

observed_time is the day with the clock; event time and status are read from the text at that moment; type is note, or todo;
source_ref is `notes:{account's name, or its folder's}:{file}:{fingerprint of the entry}`. With a topic, entries that hold a word of
it are read before the others, else the newest first, until five times the limit or shortly before the deadline; the rest is told as
truncated.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import stat
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import field_validator
from pydantic_settings import SettingsConfigDict

from adapters._accounts import Account, Accounts, check_all, of_user, read_all
from adapters._base import (
    Items,
    SearchContext,
    Shared,
    SourceError,
    SourceSettings,
    TemporalSourceAdapter,
    TimelineItem,
    chosen,
    item_of,
    items_of,
    source,
    title_of,
)
from adapters._blocking import Stop, in_thread
from planner import words
from planner._remembering import remembered
from planner.parts import read_statements
from planner.ranges import FIRST_YEAR, LAST_YEAR, Grain
from planner.statements import Statement


class NotesSettings(SourceSettings):
    """Which folders hold notes."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_NOTES_")

    accounts: Accounts[Account] = ()

    @field_validator("accounts")
    @classmethod
    def _told_apart(cls, accounts: tuple[Account, ...]) -> tuple[Account, ...]:
        if any(account.path is None for account in accounts):
            raise ValueError("notes are in folders: an account has a path")
        if len({account.label for account in accounts}) < len(accounts):
            raise ValueError("several folders are called alike: give their accounts names")
        return accounts


@source("notes", NotesSettings, "NOTES_ACCOUNTS: folders of daily notes, 2026-09-02.md")
def build(settings: NotesSettings, shared: Shared) -> TemporalSourceAdapter | None:
    return Notes(settings, shared.single) if settings.accounts else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A piece of a note. `clock` is wall time, `task` whether it is a task and done; `day` None where none is told."""

    ref: str
    day: dt.date | None
    clock: dt.time | None
    heading: str
    text: str
    task: bool | None


_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
_CLOCK = re.compile(r"(\d{1,2})[:：](\d\d)(?![\d:])\s*[-–:：]?\s*")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+(?:\[([ xX])\]\s+)?")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LARGEST = 4 * 2**20
_CACHED_CHARACTERS = 32 * 2**20


class Notes:
    """Reads folders of Markdown files."""

    source = "notes"

    def __init__(self, settings: NotesSettings, single: bool = False) -> None:
        self.settings, self.single = settings, single
        self._lock = threading.Lock()
        self._cached = 0
        self._cache: OrderedDict[Path, tuple[tuple[int, int], list[Entry]]] = OrderedDict()

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        accounts = of_user(self.settings.accounts, ctx.user_id, self.single)
        return await read_all(
            accounts, ctx, lambda account: in_thread(lambda stop: self._search(account, ctx, stop), ctx.deadline)
        )

    def _search(self, account: Account, ctx: SearchContext, stop: Stop) -> Items:
        found: list[tuple[dt.datetime, Entry]] = []
        undated, problems = 0, []
        truncated = False
        window = ctx.retrieval.observed.range
        half = stop.left / 2  # the other half is for reading what the entries say
        for file in self._files(account):
            stop.check()
            if stop.left < half:
                truncated = True
                break
            if _outside(file.name, ctx):
                continue
            try:
                entries = self._entries(account, file, stop)
            except (OSError, UnicodeError, ValueError) as error:
                problems.append(f"{account.label}: {file.name} cannot be read ({type(error).__name__})")
                continue
            for n, entry in enumerate(entries):
                if n % 256 == 0:
                    stop.check()
                moment = _moment(entry, ctx)
                undated += moment is None
                if moment is not None and (window.holds(moment) or _ahead(moment, ctx)):
                    found.append((moment, entry))
        topic = {words.fold(word) for query in ctx.expanded_queries for word in words.content(query)}
        found.sort(key=lambda pair: (_holds(pair[1], topic), pair[0], pair[1].ref), reverse=True)
        items: list[TimelineItem] = []
        for moment, entry in found:
            stop.check()
            if stop.late or len(items) >= 5 * ctx.retrieval.limit:
                truncated = True
                break
            items += _items(entry, moment, ctx)
        kept = chosen(items, ctx)
        return Items(kept, truncated=truncated or len(kept) < len(items), undated=undated, problems=problems)

    def _files(self, account: Account) -> list[Path]:
        """The Markdown files below the folder, the last named first. Raises SourceError if there is no folder."""
        try:
            if not account.place.is_dir():
                raise SourceError("there is no such folder")
            files = [
                path for path in account.place.rglob("*.md") if not path.relative_to(account.place).parts[0].startswith(".")
            ]
        except OSError as error:
            raise SourceError(f"the folder cannot be read ({type(error).__name__})") from error
        return sorted(files, key=lambda path: path.name, reverse=True)

    def _entries(self, account: Account, file: Path, stop: Stop) -> list[Entry]:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise ValueError("no file, or too large for a note")
        version = (status.st_mtime_ns, status.st_size)
        known = self._cache.get(file)
        if known is not None and known[0] == version:
            return known[1]
        text = file.read_text(encoding="utf-8-sig")
        if "\x00" in text:
            raise ValueError("no text")
        place = f"{account.label}:{file.relative_to(account.place).as_posix()}"
        entries = list(_read(text, file.stem, f"{self.source}:{place}", stop))
        with self._lock:
            self._keep(file, version, entries)
        return entries

    def _keep(self, file: Path, version: tuple[int, int], entries: list[Entry]) -> None:
        self._cached += version[1] - self._cache.pop(file, ((0, 0), []))[0][1]
        self._cache[file] = (version, entries)
        while len(self._cache) > 1 and self._cached > _CACHED_CHARACTERS:
            self._cached -= self._cache.popitem(last=False)[1][0][1]

    async def check(self) -> str:
        async def look(account: Account) -> str:
            return f"{len(await in_thread(lambda stop: self._files(account)))} files"

        return await check_all(self.settings.accounts, look)

    async def close(self) -> None:
        self._cache.clear()
        self._cached = 0


def _read(text: str, name: str, place: str, stop: Stop) -> Iterator[Entry]:
    """The entries of a file, in order; none of a file that tells no day at all."""
    told = _DATE.match(name)
    if told is None and not any((h := _HEADING.match(line)) and _DATE.match(h[1]) for line in text.splitlines()):
        return
    day = _day(told) if told is not None else None
    heading, clock = "", None
    same: Counter[str] = Counter()
    for kind, lines in _blocks(text, stop):
        if kind == "heading":
            date = _DATE.match(lines[0])
            if date is not None:
                day, heading, clock = _day(date), lines[0][date.end() :].strip(), None
            else:
                clock, heading = _clocked(lines[0])
            continue
        mark = _ITEM.match(lines[0])
        first = lines[0][mark.end() :] if mark is not None else lines[0]
        own, first = _clocked(first)
        body = "\n".join([first, *lines[1:]]).strip()
        if body:
            task = None if mark is None or mark[1] is None else mark[1] != " "
            key = hashlib.sha256(f"{day}\x1f{own or clock}\x1f{heading}\x1f{body}".encode()).hexdigest()[:16]
            same[key] += 1
            ref = f"{place}:{key}" if same[key] == 1 else f"{place}:{key}-{same[key]}"
            yield Entry(ref, day, own or clock, heading, body, task)


def _blocks(text: str, stop: Stop) -> Iterator[tuple[str, list[str]]]:
    """Headings, list items with what is indented under them, paragraphs."""
    lines = text.splitlines()
    if lines and lines[0].strip() == "---" and "---" in (line.strip() for line in lines[1:]):
        lines = lines[1 + [line.strip() for line in lines[1:]].index("---") + 1 :]
    block: list[str] = []
    fenced = False
    for n, line in enumerate(lines):
        if n % 256 == 0:
            stop.check()
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced:
            continue
        heading = _HEADING.match(line)
        begins = heading is not None or _ITEM.match(line) is not None
        if block and (begins or not line.strip()):
            yield "entry", block
            block = []
        if heading is not None:
            yield "heading", [heading[1]]
        elif line.strip():
            block.append(line.strip() if block else line)
    if block:
        yield "entry", block


def _day(found: re.Match[str]) -> dt.date | None:
    try:
        day = dt.date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


def _clocked(text: str) -> tuple[dt.time | None, str]:
    """The clock that a text begins with, and the rest."""
    found = _CLOCK.match(text)
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:
        return None, text.strip()
    return dt.time(int(found[1]), int(found[2])), text[found.end() :].strip()


def _moment(entry: Entry, ctx: SearchContext) -> dt.datetime | None:
    if entry.day is None:
        return None
    moment = dt.datetime.combine(entry.day, entry.clock or dt.time(12), ctx.zone)
    return ctx.now if entry.clock is None and entry.day == ctx.now.date() and moment > ctx.now else moment


def _ahead(moment: dt.datetime, ctx: SearchContext) -> bool:
    """Whether it stands under a day to come, and that day is asked about."""
    day = moment.replace(hour=0, minute=0)
    return moment.date() > ctx.now.date() and ctx.time.range.overlaps(day, day + dt.timedelta(days=1))


def _holds(entry: Entry, topic: set[str]) -> bool:
    """Whether a word of the topic, as its stem, is in the entry: a quick look that only settles what is read first."""
    text = (entry.heading + "\n" + entry.text).casefold()
    return any(word in text for word in topic)


def _outside(name: str, ctx: SearchContext) -> bool:
    """Whether a file's name tells a day that cannot be asked about."""
    found = _DATE.match(name)
    day = _day(found) if found is not None else None
    if day is None:
        return False
    start = dt.datetime.combine(day, dt.time(), ctx.zone)
    end = start + dt.timedelta(days=1)
    return not (ctx.retrieval.observed.range.overlaps(start, end) or ctx.time.range.overlaps(start, end))


_statements = remembered(8192)(read_statements)


def _items(entry: Entry, moment: dt.datetime, ctx: SearchContext) -> list[TimelineItem]:
    return items_of(_statements(entry.text, moment, ctx.conventions), ctx, partial(_item, entry, moment, ctx))


def _item(entry: Entry, moment: dt.datetime, ctx: SearchContext, statement: Statement) -> TimelineItem:
    title = title_of(entry.text if statement.told is None else entry.text[slice(*statement.told)])
    more: dict[str, Any] = {"title": f"{entry.heading}: {title}" if entry.heading else title}
    observed: dt.datetime | None = moment
    if moment.date() > ctx.now.date():
        observed = None
        more["status"] = "planned" if statement.status in ("mentioned", "occurred", "done") else statement.status
        if statement.event is None:
            day = moment.replace(hour=0, minute=0)
            end, grain = (None, Grain.MINUTE) if entry.clock else (day + dt.timedelta(days=1), Grain.DAY)
            more |= {"event_time": moment if entry.clock else day, "event_end": end, "event_grain": grain}
    if entry.task is not None:
        status = "done" if entry.task else statement.status if statement.status in ("due", "cancelled") else "planned"
        more |= {"type": "todo", "status": status}
    return item_of(
        statement, source=Notes.source, source_ref=entry.ref, default_type="note", content=entry.text, observed=observed, **more
    )
