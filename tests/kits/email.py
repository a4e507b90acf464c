"""The email's kits: an mbox file, a Maildir, and an IMAP server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from conformance import Kit, Record
from mailing import SECRET, SHANGHAI, imap_server, mail, mbox_entry, write_maildir, write_mbox
from pydantic import SecretStr

from adapters._base import Shared
from adapters.email import Email, EmailSettings, MailAccount


@asynccontextmanager
async def reading(*accounts: MailAccount, single: bool = False, **settings: Any) -> AsyncIterator[Email]:
    adapter = Email(EmailSettings(accounts=accounts, **settings), Shared(None, SHANGHAI, single=single))
    try:
        yield adapter
    finally:
        await adapter.close()


def raw(record: Record) -> bytes:
    return mail(record.text, record.start, key=record.key)


def _by_user(records: Sequence[Record]) -> dict[str, list[bytes]]:
    users: dict[str, list[bytes]] = {"ada": []}
    for record in records:
        users.setdefault(record.user, []).append(raw(record))
    return users


def _mbox(folder: Path, records: Sequence[Record], more: Mapping[str, bytes] | None = None) -> Any:
    accounts = []
    for user, mails in _by_user(records).items():
        path = write_mbox(folder / f"{user}.mbox", mails)
        with path.open("ab") as file:
            for line, extra in (more or {}).items():
                file.write(mbox_entry(extra, line))
        accounts.append(MailAccount(path=path, user=user))
    return reading(*accounts)


def _maildir(folder: Path, records: Sequence[Record], more: Sequence[bytes] = ()) -> Any:
    accounts = []
    for user, mails in _by_user(records).items():
        path = write_maildir(folder / user, mails)
        for number, extra in enumerate(more):
            (path / "cur" / f"no-time-{number}:2,S").write_bytes(extra)
        accounts.append(MailAccount(path=path, user=user))
    return reading(*accounts)


def _imap(folder: Path, records: Sequence[Record], more: Sequence[bytes] = ()) -> Any:
    server = imap_server()
    accounts = []
    for user, mails in _by_user(records).items():
        name = server.user([*mails, *more], taken=max((r.start for r in records), default=None))
        accounts.append(account(server.url, name, user))
    return reading(*accounts)


def account(url: str, name: str, user: str = "ada", secret: str = SECRET) -> MailAccount:
    return MailAccount(url=url, username=name, password=SecretStr(secret), user=user)


def _file(content: bytes, folder: Path) -> Any:
    path = folder / "bad.mbox"
    path.write_bytes(content)
    return reading(MailAccount(path=path, user="ada"))


def _place(folder: Path, name: str, made: bool) -> Any:
    if made:
        (folder / name).mkdir()
    return reading(MailAccount(path=folder / name, user="ada"))


def _answering(talk: bytes, *, keeps: bool = False) -> Callable[[Path], Any]:
    """A server that says `talk` to whoever comes, and then hangs up, or says nothing more."""

    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Email]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(talk)
            if keeps:
                await reader.read()  # until the other end is gone
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            async with reading(account(f"imap://127.0.0.1:{port}", "ada")) as adapter:
                yield adapter
        finally:
            server.close()

    return opened


def _endless(folder: Path) -> Any:
    """An mbox of which the greater part is a hole of two hundred gigabytes: no disk, but much to look through."""
    path = write_mbox(folder / "endless.mbox", [mail("first", "Tue, 1 Sep 2026 10:00:00 +0800")])
    os.truncate(path, 200 * 1024**3)
    return reading(MailAccount(path=path, user="ada"))


def _heavy(folder: Path) -> Any:
    """A Maildir of many mails with very long headers."""
    hops = "".join(f"Received: from a{n}.example.org by b.example.org; nobody knows when\r\n" for n in range(1500))
    path = write_maildir(folder / "heavy", [hops.encode() + mail("first", "Tue, 1 Sep 2026 10:00:00 +0800")])
    first = next((path / "cur").iterdir())
    for number in range(8000):
        os.link(first, path / "cur" / f"1788000000.L{number}.host:2,S")
    return reading(MailAccount(path=path, user="ada"))


_UNDATED = mail("no date at all", None, key="u1")
_BAD_DATE = mail("a date that is none", "Tue, 31 Feb 2026 99:00:00 +9900", key="u2")
_NO_MAIL = b"X-Nothing: here\n\nneither sender nor subject\n"
_CUT = b"Message-ID: <cut@example.org>\nFrom: x@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=x-none\nContent-Transfer-Encoding: base64\n\n/////w\xff\xff"
_HOSTILE = b"Message-ID: <h@example.org>\nFrom: \xff\xfe\x00 <\xff>\nDate: Tue, 1 Sep 99999999999 10:00:00\nSubject: =?x?Q?=FF?= =?utf-8?B?====?=\nContent-Type: text/plain; charset*=x'y'%%\n\n\x00\xff"
_CALENDAR = mail("see the invitation", "Tue, 1 Sep 2026 12:00:00 +0800", key="c1").replace(
    b"Content-Type: text/plain", b"Content-Type: text/calendar"
)
_NOWHEN = "From nobody@example.org at no time"

MBOX = Kit(
    "email-mbox",
    _mbox,
    damaged={
        "no date": partial(_mbox, more={_NOWHEN: _UNDATED}),
        "a date that is none": partial(_mbox, more={_NOWHEN: _BAD_DATE}),
        "no mail": partial(_mbox, more={_NOWHEN: _NO_MAIL}),
        "cut short": partial(_mbox, more={_NOWHEN: _CUT}),
        "hostile": partial(_mbox, more={_NOWHEN: _HOSTILE}),
        "a calendar that is none": partial(_mbox, more={_NOWHEN: _CALENDAR}),
    },
    broken={
        "garbage": partial(_file, b"\x00\xffnot a mailbox" * 1000),
        "a mail and no mbox": partial(_file, _UNDATED),
        "empty": partial(_file, b""),
        "missing": partial(_place, name="none.mbox", made=False),
    },
    slow=_endless,
)
MAILDIR = Kit(
    "email-maildir",
    _maildir,
    damaged={
        "no date": partial(_maildir, more=[_UNDATED]),
        "no mail": partial(_maildir, more=[_NO_MAIL]),
        "empty file": partial(_maildir, more=[b""]),
        "hostile": partial(_maildir, more=[_HOSTILE]),
        "a calendar that is none": partial(_maildir, more=[_CALENDAR]),
    },
    broken={"no Maildir": partial(_place, name="plain", made=True)},
    slow=_heavy,
)
IMAP = Kit(
    "email-imap",
    _imap,
    damaged={"no mail": partial(_imap, more=[_NO_MAIL]), "a calendar that is none": partial(_imap, more=[_CALENDAR])},
    broken={
        "wrong password": lambda folder: reading(account(imap_server().url, imap_server().user([]), secret="wrong")),
        "nobody there": lambda folder: reading(account("imap://127.0.0.1:1", "ada")),
        "another protocol": _answering(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        "garbage": _answering(b"\xff\xfe\x00" * 100),
        "hangs up": _answering(b""),
        "hangs up after the greeting": _answering(b"* OK hello\r\n"),
    },
    slow=_answering(b"", keeps=True),
)
KITS = [MBOX, MAILDIR, IMAP]
