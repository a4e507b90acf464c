"""Where calendars and to-do lists lie: a file, a folder of files, a subscribed address, an account on a CalDAV server.

What is read stays parsed for as long as it is the same: a file by its time and size, an address by its ETag or Last-Modified, a
server's calendar by its tag. All of it is bounded in bytes.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Generic, Literal, TypeVar
from urllib.parse import urlsplit

from adapters._accounts import Account
from adapters._base import SourceError
from adapters._blocking import Stop, in_thread
from adapters._dav import Collection, Dav, auth_of
from adapters._ical import Malformed
from adapters._web import Web, raise_for

T = TypeVar("T")
# A folder's files, so that a wrong path (a whole disk) ends.
_FILES = 20_000
_NAMED = 3
Window = tuple[dt.datetime, dt.datetime]
# Parses a text; raises Malformed when it is something else. The second argument is called as it goes on, and may end it.
Reader = Callable[[bytes, Callable[[], None]], T]


class PlaceAccount(Account):
    """`kind` tells what an address is: `ics` a file to subscribe to, `caldav` a server. By itself an address is a server when it
    comes with a name or a password and does not end in `.ics`. `email` is how invitations know the person.
    """

    kind: Literal["ics", "caldav"] | None = None
    email: str | None = None

    @property
    def served(self) -> bool:
        if self.url is None or self.kind is not None:
            return self.kind == "caldav" and self.url is not None
        if self.url.startswith(("caldav://", "caldavs://")):
            return True
        secret = self.username is not None or self.password is not None or bool(self.password_env or self.password_file)
        return secret and not urlsplit(self.url).path.endswith(".ics") and not self.url.startswith("webcal")

    @property
    def called(self) -> str:
        """What keeps its records apart from those of another place: its name, or where it is."""
        return self.name or (str(self.path) if self.path is not None else self.url or "")


def digest(*parts: str) -> str:
    """Eight hex digits that tell one place from another."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]


@dataclass(slots=True)
class Read(Generic[T]):
    """What an account holds, each part with what tells it from the others.

    `truncated` where a server held some back; `damaged` counts what it sent that is no calendar.
    """

    parts: list[tuple[str, T]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    truncated: bool = False
    damaged: int = 0


class Shelf(Generic[T]):
    """Files, parsed once: `forms` gives for the end of a file's name how it is read. A reader raises Malformed for what is none."""

    def __init__(self, forms: Mapping[str, Reader[T]], max_bytes: int) -> None:
        self.forms, self.max_bytes = forms, max_bytes
        self._kept: dict[Path, tuple[tuple[int, int], T]] = {}
        self._lock = threading.Lock()

    def read(self, place: Path, stop: Stop) -> Read[T]:
        """The file's content, or that of all files of the folder and what lies in it. Raises SourceError when there is none."""
        found: Read[T] = Read()
        files = self._files(place)
        room, failed = self.max_bytes, []
        for path in files[:_FILES]:
            stop.check()
            if stop.late:
                found.truncated = True
                break
            name = path.name if path == place else str(path.relative_to(place))
            try:
                size, content = self._file(path, room, stop)
            except (OSError, Malformed) as error:
                failed.append(f"{name}: {error if isinstance(error, Malformed) else type(error).__name__}")
                continue
            room -= size
            found.parts.append((name, content))
        if failed and not found.parts:
            raise SourceError("; ".join(failed[:_NAMED]))
        found.problems = failed[:_NAMED] + ([f"{len(failed) - _NAMED} more files"] if len(failed) > _NAMED else [])
        found.truncated = found.truncated or len(files) > _FILES
        return found

    def _files(self, place: Path) -> list[Path]:
        try:
            if place.is_dir():
                return sorted(
                    path
                    for path in place.rglob("*")
                    if self._form(path)
                    and not any(part.startswith(".") for part in path.relative_to(place).parts)
                    and path.is_file()
                )
            if place.exists():
                return [place]
        except OSError as error:
            raise SourceError(f"it cannot be read ({type(error).__name__})") from error
        raise SourceError("there is no such file or folder")

    def _form(self, path: Path) -> Reader[T] | None:
        name = path.name.lower()
        return next((read for end, read in self.forms.items() if name.endswith(end)), None)

    def _file(self, path: Path, room: int, stop: Stop) -> tuple[int, T]:
        if not path.is_file():  # a pipe would be waited for
            raise Malformed("it is no file")
        state = path.stat()
        stamp = (state.st_mtime_ns, state.st_size)
        with self._lock:
            kept = self._kept.get(path)
        if kept is not None and kept[0] == stamp:
            return state.st_size, kept[1]
        if state.st_size > room:
            raise Malformed(f"it is more than the {self.max_bytes} bytes that are read")
        with path.open("rb") as file:
            data = file.read(room + 1)
        read = self._form(path) or next(iter(self.forms.values()))
        content = read(data, stop.check)
        with self._lock:
            self._kept[path] = (stamp, content)
            for gone in [other for other in self._kept if other.parent == path.parent and not os.path.exists(other)]:
                del self._kept[gone]
        return state.st_size, content


@dataclass(slots=True)
class _Kept(Generic[T]):
    at: float
    etag: str
    modified: str
    content: T


class Feeds(Generic[T]):
    """Subscribed addresses, each asked for again after `refresh` seconds, and sent again by its server only when it changed."""

    def __init__(self, web: Web, read: Reader[T], refresh: float) -> None:
        self.web, self.parse, self.refresh = web, read, refresh
        self._kept: dict[PlaceAccount, _Kept[T]] = {}

    async def read(self, account: PlaceAccount, deadline: float) -> Read[T]:
        """The address' content. When it does not answer, what it last held, and a problem that says so."""
        kept = self._kept.get(account)
        if kept is not None and time.monotonic() - kept.at < self.refresh:
            return Read([("", kept.content)])
        try:
            content = await self._asked(account, kept, deadline)
        except SourceError as error:
            if kept is None:
                raise
            return Read([("", kept.content)], [f"{account.label}: {error}; this is what it held before"])
        return Read([("", content)])

    async def _asked(self, account: PlaceAccount, kept: _Kept[T] | None, deadline: float) -> T:
        headers = {"Accept": "text/calendar, */*;q=0.5"}
        if kept is not None and kept.etag:
            headers["If-None-Match"] = kept.etag
        elif kept is not None and kept.modified:
            headers["If-Modified-Since"] = kept.modified
        url = account.url or ""
        for scheme in ("webcals://", "webcal://"):
            url = url.replace(scheme, "https://", 1) if url.startswith(scheme) else url
        answer = await self.web.ask(url, auth=auth_of(account), headers=headers)
        if answer.status == 304 and kept is not None:
            kept.at = time.monotonic()
            return kept.content
        raise_for(answer.status)

        def parsed(stop: Stop) -> T:
            try:
                return self.parse(answer.body, stop.check)
            except Malformed as error:
                raise SourceError(f"the address gives something else: {error}") from error

        content = await in_thread(parsed, deadline)
        told = answer.headers
        self._kept[account] = _Kept(time.monotonic(), told.get("etag", ""), told.get("last-modified", ""), content)
        return content


class Servers(Generic[T]):
    """Accounts on CalDAV servers. A calendar that has been read whole is kept until its tag changes."""

    def __init__(self, web: Web, read: Reader[T], kind: str) -> None:
        self.web, self.parse, self.kind = web, read, kind
        self._davs: dict[PlaceAccount, Dav] = {}
        self._kept: dict[tuple[PlaceAccount, str], tuple[str, list[T]]] = {}

    async def read(self, account: PlaceAccount, window: Window | None, deadline: float) -> Read[T]:
        """What the account's calendars hold in the window, half-open; all of it when it is None."""
        dav = self._davs.setdefault(account, Dav(self.web, account))
        found: Read[T] = Read()
        failed: list[SourceError] = []
        collections = await dav.collections(self.kind, deadline)
        for collection in collections:
            try:
                parts, truncated, damaged = await self._collection(account, dav, collection, window, deadline)
            except SourceError as error:
                failed.append(error)
                continue
            found.truncated = found.truncated or truncated
            found.damaged += damaged
            found.parts += [(collection.url.path, part) for part in parts]
        if failed and len(failed) == len(collections):
            raise failed[0]
        found.problems = [f"{account.label}: {error}" for error in failed]
        return found

    async def _collection(
        self, account: PlaceAccount, dav: Dav, collection: Collection, window: Window | None, deadline: float
    ) -> tuple[list[T], bool, int]:
        key = (account, str(collection.url))
        kept = self._kept.get(key)
        if kept is not None and collection.tag and kept[0] == collection.tag:
            return kept[1], False, 0
        objects = await dav.objects(collection, self.kind, window, deadline)
        parts, damaged = await in_thread(partial(self._parsed, objects.texts), deadline)
        if window is None and collection.tag and not objects.truncated and not damaged:
            self._kept[key] = (collection.tag, parts)
        return parts, objects.truncated, damaged

    def _parsed(self, texts: list[bytes], stop: Stop) -> tuple[list[T], int]:
        parts, damaged = [], 0
        for text in texts:
            stop.check()
            try:
                parts.append(self.parse(text, stop.check))
            except Malformed:
                damaged += 1
        return parts, damaged
