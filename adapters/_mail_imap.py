"""Mail on an IMAP server: heads first, newest first, and bodies, cut to a size, only of what is wanted.

    SEARCH  UNDELETED UNDRAFT, taken in or dated within the window, which is widened by a day on both sides: a server compares
            days, in its own zone
    FETCH   UID, INTERNALDATE, RFC822.SIZE, FLAGS and the header's fields that `_mail_message` reads; then BODY.PEEK[]<0.size>

Nothing is changed on the server: folders are examined, bodies peeked at. A head is fetched once, by folder, UIDVALIDITY and UID.
"""

from __future__ import annotations

import datetime as dt
import errno
import imaplib
import re
import select
import socket
import ssl
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

import imap_tools
from imap_tools import AND, OR
from imap_tools.errors import ImapToolsError, MailboxLoginError

from adapters import _mail_dates
from adapters._base import SourceError, SourceTimeout, SourceUnavailable
from adapters._blocking import Stop
from adapters._mail_files import Enough, Heads, Mailbox, folders_among
from adapters._mail_message import WANTED, Head, head_of
from adapters._mail_text import header_text
from planner.ranges import TimeRange

_HEADS_AT_ONCE, _BODIES_AT_ONCE = 400, 25
_HEADS_KEPT = 100_000
_CONNECT_SECONDS, _ANSWER_SECONDS = 5.0, 30.0
_DAY = dt.timedelta(days=1)


class Imap:
    """One account. `url` is imaps://host[:port] (TLS) or imap://host[:port] (STARTTLS; on loopback, or with `plain`, none)."""

    def __init__(
        self, url: str, username: str, secret: Callable[[], str | None], folders: Sequence[str], zone: dt.tzinfo,
        *, oauth: bool = False, plain: bool = False, named: bool = False,
    ) -> None:  # fmt: skip
        parts = urlsplit(url)
        self.host, self.tls = parts.hostname or "", parts.scheme == "imaps"
        self.port = parts.port or (993 if self.tls else 143)
        self.username, self.secret = username or unquote(parts.username or ""), secret
        self.folders, self.zone = tuple(folders), zone
        self.oauth, self.named = oauth, named
        self.plain = plain or self.host in ("localhost", "127.0.0.1", "::1")
        self.known: OrderedDict[tuple[str, int, int], Head | None] = OrderedDict()

    @contextmanager
    def opened(self, stop: Stop) -> Iterator[Mailbox]:
        with _failing(stop):
            server = _Server(self, stop)
        try:
            with _failing(stop):
                if self.oauth:
                    server.xoauth2(self.username, self.secret() or "", None)
                elif (self.username + (password := self.secret() or "")).isascii():
                    server.login(self.username, password, None)
                else:
                    server.login_utf8(self.username, password, None)
            yield _Session(self, server)
        finally:
            server.end()


@contextmanager
def _failing(stop: Stop) -> Iterator[None]:
    """What goes wrong with a server, as a SourceError that says what."""
    try:
        yield
    except MailboxLoginError as error:
        raise SourceError("the mail server refuses the login: check the user name and the password") from error
    except TimeoutError as error:
        stop.check()
        raise SourceTimeout("the mail server did not answer in time") from error
    except ssl.SSLCertVerificationError as error:
        raise SourceUnavailable("the mail server's certificate is not valid for its name") from error
    except (OSError, EOFError, imaplib.IMAP4.abort) as error:
        stop.check()
        raise SourceUnavailable(f"the mail server cannot be reached: {type(error).__name__}") from error
    except (ImapToolsError, imaplib.IMAP4.error) as error:
        stop.check()
        raise SourceError(f"the mail server refuses: {type(error).__name__}") from error
    except (ValueError, IndexError, AttributeError, UnicodeError) as error:
        stop.check()
        raise SourceError("the mail server's answer is no IMAP") from error


class _Server(imap_tools.BaseMailBox):
    """A connection that can be broken from outside at any moment, even while it is made."""

    def __init__(self, account: Imap, stop: Stop) -> None:
        self._account, self._stop = account, stop
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        account, stop = self._account, self._stop
        context = ssl.create_default_context()

        class Client(imaplib.IMAP4):
            def _create_socket(self, timeout: float | None) -> socket.socket:
                plain = _connected(account.host, account.port, stop)
                try:
                    return _secured(plain, context, account.host, stop) if account.tls else plain
                except BaseException:
                    plain.close()
                    raise

        client = Client(account.host, account.port)
        if not account.tls and not account.plain:
            try:
                client.starttls(context)
            except BaseException:
                with suppress(OSError):
                    client.shutdown()
                raise
        return client

    def awaiting(self) -> None:
        """The next answer may take what is left of the time."""
        self._stop.check()
        self.client.sock.settimeout(max(0.05, min(self._stop.left, _ANSWER_SECONDS)))

    def end(self) -> None:
        with suppress(Exception):  # the question is answered, or the connection broken: nothing is lost with it
            self.client.sock.settimeout(0.3)
            self.client.logout()
        with suppress(OSError):
            self.client.shutdown()


def _connected(host: str, port: int, stop: Stop) -> socket.socket:
    failure: OSError = OSError(errno.EHOSTUNREACH, "no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.setblocking(False)
            code = sock.connect_ex(address)
            left = min(_CONNECT_SECONDS, stop.left)
            while code in (errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EALREADY) and left > 0:
                stop.check()
                if select.select([], [sock], [sock], 0.05)[1]:
                    code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                    break
                left -= 0.05
            if code == 0:
                sock.settimeout(max(0.05, min(stop.left, _ANSWER_SECONDS)))
                stop.breaks(partial(sock.shutdown, socket.SHUT_RDWR))
                return sock
            failure = TimeoutError() if left <= 0 else OSError(code, "not connected")
        except BaseException:
            sock.close()
            raise
        sock.close()
    raise failure


def _secured(plain: socket.socket, context: ssl.SSLContext, host: str, stop: Stop) -> socket.socket:
    secured = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
    try:
        stop.breaks(partial(secured.shutdown, socket.SHUT_RDWR))
        secured.do_handshake()
    except BaseException:
        secured.close()
        raise
    return secured


class _Session:
    """An account's mails over one connection."""

    def __init__(self, account: Imap, server: _Server) -> None:
        self.account, self.server = account, server
        self.validity = 0

    def heads(self, window: TimeRange, stop: Stop) -> Heads:
        enough, found = Enough(stop), Heads()
        try:
            with _failing(stop):
                folders, missing = self._folders()
                if self.account.named:
                    found.problems += [f"no folder {name!r}" for name in missing]
                for folder, own in folders:
                    self._folder(folder, own, window, enough, found)
        except SourceTimeout:
            if not found.heads:
                raise
            found.complete = False
        return found

    def _folders(self) -> tuple[list[tuple[str, bool]], list[str]]:
        """The asked folders by the names they have here, and whether the person's own mails are in them; and those not there."""
        self.server.awaiting()
        there = {f.name: any(flag.lower() == "\\sent" for flag in f.flags) for f in self.server.folder.list()}
        chosen, missing = folders_among(self.account.folders, there)
        if not chosen:
            raise SourceError(f"the mail server has none of the folders {', '.join(self.account.folders)}")
        return chosen, missing

    def _examine(self, folder: str) -> None:
        if self.server.folder.get() != folder:
            self.server.awaiting()
            self.server.folder.set(folder, readonly=True)
            said = self.server.client.untagged_responses.get("UIDVALIDITY", [b"0"])[-1]
            self.validity = int(said) if isinstance(said, bytes) and said.isdigit() else 0

    def _folder(self, folder: str, own: bool, window: TimeRange, enough: Enough, found: Heads) -> None:
        self._examine(folder)
        self.server.awaiting()
        uids = sorted(map(int, self.server.uids(_criteria(window))), reverse=True)
        known, validity = self.account.known, self.validity
        for at in range(0, len(uids), _HEADS_AT_ONCE):
            some = uids[at : at + _HEADS_AT_ONCE]
            new = [uid for uid in some if (folder, validity, uid) not in known]
            if new and enough():
                found.complete = False
                return
            for uid, told, header in self._fetch(new, _HEAD_ITEMS) if new else ():
                known[folder, validity, uid] = self._head(folder, uid, told, header, own)
            for uid in some:
                head = known.get((folder, validity, uid))
                if head is None:
                    found.skipped += (folder, validity, uid) in known
                elif head.sent is None:
                    found.undated += 1
                elif not head.gone and window.holds(head.sent):
                    found.heads.append(head)
        while len(known) > _HEADS_KEPT:
            known.popitem(last=False)

    def _head(self, folder: str, uid: int, told: bytes, header: bytes, own: bool) -> Head | None:
        taken = re.search(rb'INTERNALDATE "([^"]+)"', told)
        arrived = _mail_dates.internal(taken[1].decode("latin-1")) if taken is not None else None
        head = head_of(header, self.account.zone, arrived=arrived)
        if head is not None:
            size = re.search(rb"RFC822\.SIZE (\d+)", told)
            head.place, head.own = (folder, uid, int(size[1]) if size is not None else 0), own
            head.urgent = head.urgent or b"\\flagged" in told.lower()
        return head

    def _fetch(self, uids: Sequence[int], items: str) -> Iterator[tuple[int, bytes, bytes]]:
        """UID, what is told of the message, and its one literal of a body or header."""
        self.server.awaiting()
        kind, answer = self.server.client.uid("FETCH", ",".join(map(str, uids)), items)
        if kind != "OK":
            raise SourceError("the mail server refuses to give the mails")
        told, literal = b"", b""
        for part in [*answer, b"0 ("]:
            text, data = part if isinstance(part, tuple) else (part or b"", None)
            if re.match(rb"\d+ \(", text):
                number = re.search(rb"\bUID (\d+)", told)
                if number is not None:
                    yield int(number[1]), told, literal
                told, literal = b"", b""
            told += text
            if data is not None and re.search(rb"BODY\[[^\]]*\](?:<\d+>)? \{\d+\}$", text):
                literal = data
            elif data is not None:
                told = re.sub(rb"\{\d+\}$", b"", told) + b'"' + data.replace(b'"', b"'") + b'"'

    def raw(self, heads: Iterable[Head], at_most: int, stop: Stop) -> Iterator[tuple[Head, bytes]]:
        waiting = iter(heads)
        while some := list(islice(waiting, _BODIES_AT_ONCE)):
            bodies: dict[tuple[str, int], bytes] = {}
            with _failing(stop):
                for folder in dict.fromkeys(head.place[0] for head in some):
                    self._examine(folder)
                    here = {head.place[1]: head for head in some if head.place[0] == folder}
                    structure = "BODYSTRUCTURE " if any(head.place[2] > at_most for head in here.values()) else ""
                    for uid, told, data in self._fetch(list(here), f"(UID {structure}BODY.PEEK[]<0.{at_most}>)"):
                        bodies[folder, uid] = data
                        if uid in here and here[uid].place[2] > at_most:
                            here[uid].attachments = _attached(told)
            for head in some:
                yield head, bodies.get(head.place[:2], b"")

    def summary(self, stop: Stop) -> str:
        with _failing(stop):
            folders, _ = self._folders()
            self.server.awaiting()
            counts = [(name, self.server.folder.status(name, ["MESSAGES"]).get("MESSAGES", 0)) for name, _ in folders]
        return "IMAP, " + ", ".join(f"{name} {count} mails" for name, count in counts)


_HEAD_ITEMS = f"(UID INTERNALDATE RFC822.SIZE FLAGS BODY.PEEK[HEADER.FIELDS ({' '.join(WANTED)})])"
# In a BODYSTRUCTURE the name of a part stands behind "NAME" or "FILENAME".
_NAME = re.compile(rb'"(?:FILE)?NAME\*?" "((?:[^"\\]|\\.)*)"', re.IGNORECASE)


def _attached(told: bytes) -> tuple[str, ...]:
    return tuple(dict.fromkeys(header_text(name)[:120] for name in _NAME.findall(told)))


def _criteria(window: TimeRange) -> Any:
    assert window.start is not None and window.end is not None
    low, high = (window.start - _DAY).date(), (window.end + 2 * _DAY).date()
    taken, dated = AND(date_gte=low, date_lt=high), AND(sent_date_gte=low, sent_date_lt=high)
    return AND(OR(taken, dated), deleted=False, draft=False)
