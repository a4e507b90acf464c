"""Mail in files: an mbox, read through an index of its messages, and a Maildir.

    mbox       messages one behind the other, each after a line "From address date"; appended to, now and then rewritten
    Maildir    a file a message in `cur` and `new`, its flags behind ":2,"; folders are directories `.Name` beside them

What is known of a file is kept. An mbox is indexed from its end, where the newest mails are, as far as the time goes; the next
question goes on. A file that only grew is read from its old end on.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from imap_tools.imap_utf7 import utf7_decode

from adapters._base import SourceUnavailable
from adapters._blocking import Stop
from adapters._mail_message import Head, head_of, header_of
from planner.ranges import UTC, TimeRange

_BLOCK = 4 * 1024 * 1024
_HEADER = 128 * 1024
_SIGN = 4096
# This share of the time goes to finding out which mails there are, the rest to reading them.
_SHARE = 0.5


@dataclass(slots=True)
class Heads:
    """The mails of a window. `complete` is False when others may be there that there was no time to look at."""

    heads: list[Head] = field(default_factory=list)
    undated: int = 0
    skipped: int = 0
    complete: bool = True
    problems: list[str] = field(default_factory=list)


class Mailbox(Protocol):
    """A place with mails. All is called in a thread; `raw` gives the mails' bytes in the order of `heads`, at most `at_most` of each."""

    def heads(self, window: TimeRange, stop: Stop) -> Heads: ...

    def raw(self, heads: Iterable[Head], at_most: int, stop: Stop) -> Iterator[tuple[Head, bytes]]: ...

    def summary(self, stop: Stop) -> str:
        """What is found there, in a few words."""
        ...


class Opening(Protocol):
    """A mailbox that is opened for one question."""

    def opened(self, stop: Stop) -> AbstractContextManager[Mailbox]: ...


@contextmanager
def waiting(lock: threading.Lock, stop: Stop) -> Iterator[bool]:
    """Holds the lock; without it, gives False, when there is no time left. Raises Stopped."""
    held = False
    while not held and not stop.late:
        stop.check()
        held = lock.acquire(timeout=0.05)
    try:
        yield held
    finally:
        if held:
            lock.release()


SENT = re.compile(
    r"(?:^|[/.])(?:Sent(?: Items| Messages| Mail)?|已发送(?:邮件)?|已傳送|已发邮件|寄件備份|寄件备份)(?:\.mbox)?$",
    re.IGNORECASE,
)


def folders_among(wanted: Sequence[str], there: Mapping[str, bool]) -> tuple[list[tuple[str, bool]], list[str]]:
    """The wanted folders by the names they have, each with whether it holds what the person sent; and those that are not there.

    `there` tells of each folder whether it is marked so. Case does not count, and "Sent" is whatever folder is marked or named so.
    """
    found: dict[str, bool] = {}
    missing = []
    for name in wanted:
        same = [n for n in there if n == name] or [n for n in there if n.casefold() == name.casefold()]
        if not same and name.casefold() == "sent":
            same = [n for n, marked in there.items() if marked] or [n for n in there if SENT.search(n)]
        if not same:
            missing.append(name)
        for n in same[:1]:
            found[n] = there[n] or SENT.search(n) is not None
    return list(found.items()), missing


class Enough:
    """Asked between two pieces of work: whether this stage has had its share of the time."""

    def __init__(self, stop: Stop) -> None:
        self.stop, self.floor = stop, stop.left * (1 - _SHARE) if stop.left != float("inf") else 0.0

    def __call__(self) -> bool:
        self.stop.check()
        return self.stop.left <= self.floor


# "From ", an address and a date, and then a line that looks like a header's first. Without a date it must follow an empty line and
# hold no more than the address: the sentence of a mail may begin so.
_START = re.compile(rb"From [^\n]{1,300}\n(?=[!-9;-~]{1,80}:|>From )")
_LINE = re.compile(rb"\nFrom ")
_DATED = re.compile(rb"\d:\d\d.*\d{4}")
_ADDRESS = re.compile(rb"From (?:\S+@\S+\b.*|-.*|\S+\s*)\s")


class Mbox:
    """One mbox file. `own` tells that its mails are the person's own, as in a file of sent ones."""

    def __init__(self, path: Path, zone: dt.tzinfo, own: bool) -> None:
        self.path, self.zone, self.own = path, zone, own
        self._lock = threading.Lock()
        self._forget()

    @contextmanager
    def opened(self, stop: Stop) -> Iterator[Mailbox]:
        yield self

    def _forget(self) -> None:
        self._known: list[Head] = []  # newest place first
        self._undated = self._skipped = 0
        self._low = self._high = 0  # what lies between has been indexed
        self._edge = 0  # where the lowest indexed message starts
        self._key: tuple[int, int] | None = None
        self._signs: tuple[bytes, bytes] = (b"", b"")

    def heads(self, window: TimeRange, stop: Stop) -> Heads:
        with waiting(self._lock, stop) as held:
            if not held:
                return Heads(complete=False)
            with self._opened() as file:
                self._index(file, stop)
            found = [h for h in self._known if h.sent is not None and window.holds(h.sent)]
            return Heads(found, self._undated, self._skipped, complete=self._low == 0)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        try:
            file = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise SourceUnavailable(f"the mbox cannot be opened ({type(error).__name__})") from error
        try:
            yield file
        except OSError as error:
            raise SourceUnavailable(f"the mbox cannot be read ({type(error).__name__})") from error
        finally:
            os.close(file)

    def _index(self, file: int, stop: Stop) -> None:
        state = os.fstat(file)
        key = (state.st_mtime_ns, state.st_size)
        if key != self._key:
            known, last = self._known, self._high
            grown = last > 0 and state.st_size > last and self._low == 0 and self._signs == self._signed(file, last)
            if grown and known:
                at = known[0].place[0]  # its message may go on in what was added
                self._scan(file, at, state.st_size, stop, above=True)
            elif not grown:
                self._forget()
                if state.st_size and not _START.match(_read(file, 0, 1024).lstrip()):
                    raise SourceUnavailable("the file is no mbox: it does not begin with a From line")
                self._low = self._edge = self._high = state.st_size
            self._key, self._signs = key, self._signed(file, self._high)
        if self._low > 0:
            self._scan(file, 0, self._low, stop, above=False)

    def _signed(self, file: int, end: int) -> tuple[bytes, bytes]:
        """What must not have changed in a file that only grew."""
        return _read(file, 0, min(_SIGN, end)), _read(file, max(0, end - _SIGN), min(_SIGN, end))

    def _scan(self, file: int, low: int, high: int, stop: Stop, *, above: bool) -> None:
        """Indexes `[low, high)` from its end, block by block; what was added above the known part is indexed whole."""
        enough = Enough(stop)
        edge = high if above else self._edge
        fresh: list[Head] = []
        undated = skipped = 0
        while high > low:
            begin = max(low, high - _BLOCK)
            data = _read(file, max(0, begin - 3), high + 1024 - max(0, begin - 3))
            shift = max(0, begin - 3)
            for at in reversed([at for at in _starts(data, shift) if begin <= at < high]):
                if len(fresh) % 256 == 255:
                    stop.check()
                head = self._head(file, data, shift, at, edge)
                if head is None:
                    skipped += 1
                elif head.sent is None:
                    undated += 1
                elif not head.gone:
                    fresh.append(head)
                edge = at
            high = begin
            if not above:
                self._known += fresh
                self._undated, self._skipped = self._undated + undated, self._skipped + skipped
                self._low, self._edge, fresh, undated, skipped = begin, edge, [], 0, 0
                if enough():
                    return
        if above:
            self._known = fresh + [head for head in self._known if head.place[0] < low]
            self._undated, self._skipped = self._undated + undated, self._skipped + skipped
            self._high = os.fstat(file).st_size

    def _head(self, file: int, data: bytes, shift: int, at: int, end: int) -> Head | None:
        size = min(end - at, _HEADER)
        message = data[at - shift : at - shift + size]
        header = header_of(message)
        if len(header) == len(message) < size:  # it goes on beyond the block
            header = header_of(_read(file, at, size))
        line = header.partition(b"\n")[0].decode("latin-1")
        head = head_of(header, self.zone, line_of_mbox=line)
        if head is not None:
            head.place, head.own = (at, end - at), self.own
        return head

    def raw(self, heads: Iterable[Head], at_most: int, stop: Stop) -> Iterator[tuple[Head, bytes]]:
        with self._opened() as file:
            for head in heads:
                stop.check()
                at, size = head.place
                data = _read(file, at, min(size, at_most))
                yield head, re.sub(rb"(?m)^>(>*From )", rb"\1", data.partition(b"\n")[2])

    def summary(self, stop: Stop) -> str:
        found = self.heads(TimeRange(None, None), stop)
        return f"mbox, {len(found.heads)} mails{'' if found.complete else ' in its newest part'}"


def _starts(data: bytes, shift: int) -> Iterator[int]:
    """Where in the file mails start in `data`, which begins at `shift`."""
    places = [match.start() + 1 for match in _LINE.finditer(data)]
    if shift == 0 and data.startswith(b"From "):
        places.insert(0, 0)
    for at in places:
        match = _START.match(data, at)
        if match is not None:
            begins = at + shift == 0 or data[max(0, at - 3) : at].endswith((b"\n\n", b"\n\r\n"))
            if _DATED.search(match.group()) or (begins and _ADDRESS.fullmatch(match.group())):
                yield at + shift


def _read(file: int, at: int, size: int) -> bytes:
    """`size` bytes from `at` on, fewer at the file's end."""
    os.lseek(file, at, os.SEEK_SET)
    parts = []
    while size > 0 and (part := os.read(file, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class Maildir:
    """A Maildir and those of its folders that are asked for; INBOX is the directory itself."""

    def __init__(self, path: Path, folders: Sequence[str], zone: dt.tzinfo, *, named: bool = False) -> None:
        self.path, self.folders, self.zone, self.named = path, tuple(folders), zone, named
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Head | None] = {}

    @contextmanager
    def opened(self, stop: Stop) -> Iterator[Mailbox]:
        yield self

    def heads(self, window: TimeRange, stop: Stop) -> Heads:
        enough = Enough(stop)
        found = Heads()
        with waiting(self._lock, stop) as held:
            if not held:
                return Heads(complete=False)
            files = self._files(stop)
            if self.named:
                found.problems += [f"no folder {name!r}" for name in self._directories()[1]]
            self._known = {key: head for key, head in self._known.items() if key in files}
            for key, (path, own) in files.items():
                head = self._known.get(key)
                if key not in self._known:
                    if not found.complete or enough():
                        found.complete = False
                        continue
                    head = self._known[key] = self._head(path, own)
                flags = path.rpartition(":2,")[2] if ":2," in path else ""
                if head is None:
                    found.skipped += 1
                elif head.sent is None:
                    found.undated += 1
                elif not head.gone and not set(flags) & {"T", "D"} and window.holds(head.sent):
                    head.place = path
                    head.urgent = head.urgent or "F" in flags
                    found.heads.append(head)
        return found

    def _directories(self) -> tuple[list[tuple[str, Path, bool]], list[str]]:
        """Name, place, and whether the person's own mails are in it, of the asked folders; and the names that are not there."""
        there = {"INBOX": self.path} if _is_maildir(self.path) else {}
        for entry in sorted(self.path.iterdir()):
            if entry.name.startswith(".") and _is_maildir(entry):
                there[utf7_decode(entry.name[1:].encode("ascii", "replace"))] = entry
        chosen, missing = folders_among(self.folders, dict.fromkeys(there, False))
        if not chosen:
            raise SourceUnavailable("the directory is no Maildir: it has no cur, nor a folder that is asked for")
        return [("" if name == "INBOX" else name, there[name], own) for name, own in chosen], missing

    def _files(self, stop: Stop) -> dict[tuple[str, str], tuple[str, bool]]:
        """Every message file, those delivered last first."""
        found: list[tuple[int, tuple[str, str], str, bool]] = []
        try:
            for name, folder, own in self._directories()[0]:
                for part in ("new", "cur"):
                    if (folder / part).is_dir():
                        with os.scandir(folder / part) as entries:
                            for entry in entries:
                                if entry.name[0] != ".":
                                    unique = re.split(r":2,|!2,", entry.name)[0]
                                    found.append((_delivered(unique), (name, unique), entry.path, own))
                    stop.check()
        except OSError as error:
            raise SourceUnavailable(f"the Maildir cannot be read ({type(error).__name__})") from error
        found.sort(reverse=True)
        return {key: (path, own) for _, key, path, own in found}

    def _head(self, path: str, own: bool) -> Head | None:
        try:
            with open(path, "rb") as file:
                data = file.read(8192)
                header = header_of(data)
                if len(header) == len(data) == 8192:
                    header = header_of(data + file.read(_HEADER))
        except OSError:  # moved or deleted since the directory was read: found anew next time, if it is there
            return None
        delivered = _delivered(os.path.basename(path))
        head = head_of(header, self.zone, otherwise=dt.datetime.fromtimestamp(delivered, UTC) if delivered else None)
        if head is not None:
            head.own = own
        return head

    def raw(self, heads: Iterable[Head], at_most: int, stop: Stop) -> Iterator[tuple[Head, bytes]]:
        for head in heads:
            stop.check()
            try:
                with open(head.place, "rb") as file:
                    yield head, file.read(at_most)
            except FileNotFoundError:
                yield head, b""
            except OSError as error:
                raise SourceUnavailable(f"the Maildir cannot be read ({type(error).__name__})") from error

    def summary(self, stop: Stop) -> str:
        return f"Maildir, {len(self._files(stop))} mails"


def _is_maildir(path: Path) -> bool:
    return (path / "cur").is_dir() or (path / "new").is_dir()


def _delivered(unique: str) -> int:
    number = unique.partition(".")[0]
    return int(number) if number.isdecimal() and len(number) <= 12 else 0
