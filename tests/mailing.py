"""Mails and the places they lie in: raw messages, mbox files, Maildirs, and a real IMAP server on loopback."""

from __future__ import annotations

import atexit
import datetime as dt
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from imap_tools import MailBoxUnencrypted

SHANGHAI = ZoneInfo("Asia/Shanghai")
SECRET = "open sesame"


def mail(
    body: str,
    sent: dt.datetime | str | None,
    *,
    key: str | None = "m1",
    subject: str = "note",
    sender: str = "Bo <bo@example.org>",
    to: str = "Ada <ada@example.org>",
    more: Mapping[str, str] | None = None,
) -> bytes:
    """A plain mail; `sent` is its date, or the Date header as it stands, None for none."""
    message = EmailMessage(SMTP)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    if key is not None:
        message["Message-ID"] = f"<{key}@example.org>"
    for name, value in (more or {}).items():
        message[name] = value
    message.set_content(body, cte="base64" if not body.isascii() else "7bit")
    raw = message.as_bytes()
    if sent is not None:
        date = sent if isinstance(sent, str) else format_datetime(sent)
        raw = f"Date: {date}\r\n".encode() + raw
    return raw


def write_mbox(path: Path, mails: Iterable[bytes], line: str = "From - Tue Sep  1 00:00:00 2026") -> Path:
    with path.open("wb") as file:
        for raw in mails:
            file.write(mbox_entry(raw, line))
    return path


def mbox_entry(raw: bytes, line: str = "From - Tue Sep  1 00:00:00 2026") -> bytes:
    body = raw.replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ")
    return line.encode() + b"\n" + body.rstrip(b"\n") + b"\n\n"


def write_maildir(path: Path, mails: Iterable[bytes], folder: str = "", first: int = 1_788_000_000, flags: str = "S") -> Path:
    home = path / f".{folder}" if folder else path
    for part in ("cur", "new", "tmp"):
        (home / part).mkdir(parents=True, exist_ok=True)
    for number, raw in enumerate(mails):
        (home / "cur" / f"{first + number}.M{number}P1.host:2,{flags}").write_bytes(raw)
    return path


class ImapServer:
    """pymap in a process of its own; an account is used by one test, the password of all is SECRET."""

    _ACCOUNTS = 300

    def __init__(self) -> None:
        self._used = 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        program = Path(__file__).parent / "imap_process.py"
        self._process = subprocess.Popen([sys.executable, str(program), str(self.port), SECRET, str(self._ACCOUNTS)])
        atexit.register(self._process.kill)
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError("the IMAP server does not come up")

    @property
    def url(self) -> str:
        return f"imap://127.0.0.1:{self.port}"

    def user(self, mails: Sequence[bytes], taken: dt.datetime | None = None, **folders: Sequence[bytes]) -> str:
        """An account with these mails in INBOX and in further folders; its name. `taken` is when the server took them in."""
        self._used += 1
        name = f"user{self._used}"
        with MailBoxUnencrypted("127.0.0.1", self.port).login(name, SECRET) as box:
            for folder, held in {"INBOX": mails, **folders}.items():
                if folder != "INBOX":
                    box.folder.create(folder)
                for raw in held:
                    box.append(raw, folder, dt=taken)
        return name


@lru_cache(maxsize=1)
def imap_server() -> ImapServer:
    return ImapServer()
