"""browser: the pages a person visited, from the history files of Chromium and its kin, Firefox and Safari.

    TEMPORAL_RECALL_BROWSER_ACCOUNTS='~/.config/google-chrome/Default, ~/.mozilla/firefox/ab12.default'

Forms, units and epochs stand in `adapters._browser_files`. Visits to one page, its fragment aside, with no longer break than
`GAP_MINUTES` are one sitting and one item: event_time is its first visit, event_end its last visit and how long that lasted;
observed_time is the first visit. It has status `occurred`, for nothing else is known of a visit.

Private by default: an item tells the page's title and host. Addresses are told with `FULL_URLS`; nothing is told of the hosts in
`EXCLUDED_HOSTS`. Only http and https pages are read.

source_ref is `browser:visit:` and a digest of the address and the first visit, so that a visit synced to two profiles is one. What a
person plans or owes is in no history: such a question is answered with nothing.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, model_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from adapters._accounts import Account, Accounts, check_all, of_user, read_all
from adapters._base import (
    Items,
    SearchContext,
    Shared,
    SourceError,
    SourceSettings,
    SourceUnavailable,
    TemporalSourceAdapter,
    TimelineItem,
    source,
)
from adapters._blocking import Stop, in_thread
from adapters._browser_files import History, Page, files_at, opened
from planner import words
from planner.modes import TemporalMode
from planner.ranges import UTC, Grain, TimeRange


class BrowserAccount(Account):
    """A profile: its directory, its history file, or the directory that holds several profiles."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="after")
    def _a_path(self) -> BrowserAccount:
        if self.path is None:
            raise ValueError("a browser's history is a path, not a url")
        return self


def _hosts(value: Any) -> Any:
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(part.strip().lower().removeprefix("*.").strip(".") for part in parts if part.strip())


class BrowserSettings(SourceSettings):
    """Which histories are read, and what is told of them."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_BROWSER_")

    accounts: Accounts[BrowserAccount] = ()
    gap_minutes: Annotated[float, Field(ge=0, le=1440)] = 30
    full_urls: bool = False
    excluded_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_hosts)] = ()
    scan_limit: Annotated[int, Field(ge=1)] = 300_000


@source("browser", BrowserSettings, "BROWSER_ACCOUNTS: profile directories or history files")
def build(settings: BrowserSettings, shared: Shared) -> TemporalSourceAdapter | None:
    return Browser(settings, shared.single) if settings.accounts else None


class Browser:
    """Reads browsers' histories."""

    source = "browser"

    def __init__(self, settings: BrowserSettings, single: bool = False) -> None:
        self.settings, self.single = settings, single

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        if ctx.temporal_mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN):
            return Items()

        async def read(account: BrowserAccount) -> Items:
            return await in_thread(lambda stop: _Reading(self.settings, ctx, stop).items(account.place), ctx.deadline)

        return await read_all(of_user(self.settings.accounts, ctx.user_id, self.single), ctx, read)

    async def check(self) -> str:
        async def one(account: BrowserAccount) -> str:
            return await in_thread(lambda stop: _summary(account.place, stop))

        return await check_all(self.settings.accounts, one)

    async def close(self) -> None:
        return None


def _summary(place: Path, stop: Stop) -> str:
    parts = []
    for file in _files(place):
        with opened(file, stop) as history:
            parts.append(f"{history.form.kind}, {history.count()} visits")
    return "; ".join(parts)


def _files(place: Path) -> list[Path]:
    found = files_at(place)
    if not found:
        raise SourceUnavailable("the directory holds no browser's history")
    return found


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=UTC)
# A sitting that the window cuts is read whole, so that it is the same in every question.
_WIDER = dt.timedelta(days=1)
_TITLE_AT_MOST, _URL_AT_MOST = 300, 2000
_BETWEEN_LOOKS = 2048
# This share of the time is left, when visits are no longer read, for choosing among them.
_SHARE = 0.3
_ADDRESS = re.compile(r"https?://(?:[^/?#@]*@)*(\[[0-9a-f:.]+\]|[^/?#:@]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A page as it may be told. `named` is how many of the topic's words it holds."""

    url: str
    host: str
    title: str
    named: int


@dataclass(slots=True)
class _Sitting:
    """Visits to one page without a longer break; microseconds since 1970."""

    page: _Shown
    start: int
    end: int
    visits: int = 1

    @property
    def importance(self) -> float:
        """What one stayed at or came back to weighs more; a glance weighs little."""
        minutes = (self.end - self.start) / 60e6
        return round(
            0.3 + 0.1 * (self.visits >= 2) + 0.1 * (self.visits >= 4) + 0.1 * (minutes >= 2) + 0.1 * (minutes >= 10), 2
        )


class _Reading:
    """One question to the histories of one account, in a thread."""

    def __init__(self, settings: BrowserSettings, ctx: SearchContext, stop: Stop) -> None:
        self.settings, self.ctx, self.stop = settings, ctx, stop
        self.gap = round(settings.gap_minutes * 60e6)
        self.topic = list(dict.fromkeys(term for query in ctx.expanded_queries for term in words.content(query)))
        self.reserve = stop.left * _SHARE if stop.left != float("inf") else 0.0
        self.truncated = False
        self.undated = self.skipped = 0

    def items(self, place: Path) -> Items:
        sittings: list[_Sitting] = []
        problems: list[str] = []
        files = _files(place)
        for file in files:
            try:
                with opened(file, self.stop) as history:
                    sittings += self._sittings(history)
            except SourceError as error:
                if len(files) == 1:
                    raise
                problems.append(f"{file.parent.name}: {error}")
        if len(problems) == len(files):
            raise SourceUnavailable(problems[0])
        # To the millisecond: what is synced to a phone has no more.
        unique = {(sitting.start // 1000, sitting.page.url): sitting for sitting in sittings}
        kept = nsmallest(self.ctx.retrieval.limit, unique.values(), key=_order)
        return Items(
            map(self._item, kept),
            truncated=self.truncated or len(kept) < len(unique),
            undated=self.undated,
            skipped=self.skipped,
            problems=problems,
        )

    def _window(self) -> TimeRange:
        """Where to look: what was visited in the asked time. What came later tells nothing of it."""
        observed, asked = self.ctx.retrieval.observed, self.ctx.time
        start, end = max(observed.start, asked.start), min(observed.end, asked.end)
        return TimeRange(start, end) if start < end else observed.range

    def _sittings(self, history: History) -> list[_Sitting]:
        window = self._window()
        assert window.start is not None and window.end is not None
        low, high = _before(window.start), _after(window.end)
        self.undated += history.undated()
        pages: dict[int, _Shown | None] = {}
        same: dict[str, _Shown | None] = {}
        found: list[_Sitting] = []
        open_: dict[str, _Sitting] = {}
        count = 0
        visits = history.visits(low, high, self.settings.scan_limit)
        while some := list(islice(visits, _BETWEEN_LOOKS)):
            count += len(some)
            if self.stop.left <= self.reserve:
                self.truncated = True
                break
            for number, page in history.pages({visit.page for visit in some} - pages.keys()):
                pages[number] = self._shown(page, same) if page is not None else None
                self.skipped += page is not None and not page.url.strip()  # a row without an address
            for visit in some:
                shown = pages.get(visit.page)
                if shown is None:
                    self.skipped += visit.page not in pages
                    continue
                if visit.title and not shown.title:
                    shown = pages[visit.page] = self._shown(Page(shown.url, visit.title), {}) or shown
                last = visit.at + visit.lasted
                sitting = open_.get(shown.url)
                if sitting is not None and sitting.start - last <= self.gap:
                    sitting.page, sitting.start, sitting.end = shown, visit.at, max(sitting.end, last)
                    sitting.visits += 1
                else:
                    open_[shown.url] = sitting = _Sitting(shown, visit.at, last)
                    found.append(sitting)
        self.truncated = self.truncated or count >= self.settings.scan_limit
        first, end = _micros(window.start), _micros(window.end)
        return [s for s in found if s.start < end and (s.end > first or s.start >= first)]

    def _shown(self, page: Page, same: dict[str, _Shown | None]) -> _Shown | None:
        """The page without its fragment, as it may be told; None for what is not told."""
        url = page.url.partition("#")[0]
        if url not in same:
            same[url] = self._told(url, page.title)
        return same[url]

    def _told(self, url: str, title: str) -> _Shown | None:
        address = _ADDRESS.match(url)
        if address is None:
            return None
        host = address[1].rstrip(".").lower()
        if any(host == name or host.endswith(f".{name}") for name in self.settings.excluded_hosts):
            return None
        title = _clean(title)[:_TITLE_AT_MOST]
        if not self.settings.full_urls and _is_address(title, host):
            title = ""
        host = _readable(host)
        folded = words.fold(f"{title} {host}") if self.topic else ""
        return _Shown(url, host, title, sum(term in folded for term in self.topic))

    def _item(self, sitting: _Sitting) -> TimelineItem:
        page, zone = sitting.page, self.ctx.zone
        start = (_EPOCH + dt.timedelta(microseconds=sitting.start)).astimezone(zone)
        end = (_EPOCH + dt.timedelta(microseconds=sitting.end)).astimezone(zone)
        content = f"{page.title}\n{page.host}" if page.title else page.host
        if self.settings.full_urls:
            content += f"\n{page.url[:_URL_AT_MOST]}"
        return TimelineItem(
            source="browser",
            source_ref="browser:visit:"
            + hashlib.sha256(f"{sitting.start // 1000} {page.url}".encode("utf-8", "replace")).hexdigest()[:24],
            type="visit",
            title=page.title or page.host,
            content=content,
            observed_time=start,
            event_time=start,
            event_end=end if end > start else None,
            event_grain=Grain.SECOND,
            status="occurred",
            importance=sitting.importance,
            confidence=0.95,
        )


def _order(sitting: _Sitting) -> tuple[int, float, int, str]:
    return -sitting.page.named, -sitting.importance, -sitting.start, sitting.page.url


def _micros(moment: dt.datetime) -> int:
    return (moment - _EPOCH) // dt.timedelta(microseconds=1)


def _before(moment: dt.datetime) -> dt.datetime:
    floor = dt.datetime(1602, 1, 1, tzinfo=UTC)
    return moment.astimezone(UTC) - _WIDER if moment - _WIDER > floor else floor


def _after(moment: dt.datetime) -> dt.datetime:
    ceiling = dt.datetime(9000, 1, 1, tzinfo=UTC)
    return moment.astimezone(UTC) + _WIDER if moment < ceiling else ceiling


def _clean(text: str) -> str:
    if text.isprintable():
        return " ".join(text.split())
    shown: Iterable[str] = (c if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co") or c in "\t\n" else "" for c in text)
    return " ".join("".join(shown).split())


def _is_address(title: str, host: str) -> bool:
    """Whether the title is no more than the address: browsers put it there for pages without one."""
    bare = title.lower().partition("://")[2] or title.lower()
    return " " not in title and bare.removeprefix("www.").startswith(host.lower().removeprefix("www."))


def _readable(host: str) -> str:
    try:
        return host.encode("ascii").decode("idna") if "xn--" in host else host
    except (UnicodeError, ValueError):
        return host
