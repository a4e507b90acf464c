"""A mail as its bytes tell it: the head, by which it is chosen, and the body, which is read only once it is.

    head    Message-ID, Date, From, To, Cc, Subject, Received, List-*, Precedence, Auto-Submitted, Importance, X-Priority
    body    text/plain, else text/html; text/calendar parts are invitations; every other part is an attachment and only named

A body may be cut short: its parts are read as far as they go.
"""

from __future__ import annotations

import datetime as dt
import email
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import getaddresses
from itertools import islice
from typing import Any

from dateutil.rrule import rrulestr
from icalendar import Calendar

from adapters import _mail_dates
from adapters._mail_text import Words, decoded, from_base64, header_text, html_text, own_words, plain, unwrapped
from planner.ranges import TimeRange
from planner.words import fold

WANTED = (
    "Message-ID", "Date", "From", "Sender", "To", "Cc", "Subject", "Received", "Delivery-Date", "List-Id", "List-Post", "List-Unsubscribe",
    "Precedence", "Auto-Submitted", "Importance", "X-Priority", "X-Spam-Flag", "Status", "X-Status", "X-Mozilla-Status",
)  # fmt: skip
_FIELD = re.compile(rb"(?im)^(" + "|".join(WANTED).encode() + rb")[ \t]*:[ \t]*([^\n]*(?:\n[ \t][^\n]*)*)")
_HEADER_AT_MOST = 128 * 1024
_NAME_AT_MOST, _SUBJECT_AT_MOST = 120, 300
_MOZILLA_EXPUNGED = 0x0008
_USUAL = frozenset((b"message-id", b"date", b"from", b"to", b"cc", b"subject", b"received", b"delivery-date"))
_STATUS = re.compile(rb"[RODFATN]{1,6}")


@dataclass(slots=True)
class Head:
    """What a mail's header tells. `sent` is in UTC; `place` is where its body is, in the mailbox's own terms.

    `attachments` are names that the mailbox tells without the body; `own` that it lies among the mails the person sent; `gone` that
    it is deleted or a draft. Names and subject are kept as they are sent: most heads are never looked at.
    """

    ref: str
    sent: dt.datetime | None
    raw: tuple[bytes, bytes, bytes]
    bulk: bool = False
    listed: bool = False
    urgent: bool = False
    gone: bool = False
    place: Any = None
    own: bool = False
    attachments: tuple[str, ...] = ()
    sought: str | None = None

    @property
    def words(self) -> str:
        """Subject and sender as topics are looked for in them, made once."""
        if self.sought is None:
            self.sought = fold(header_text(self.raw[0] + b" ; " + self.raw[1]))
        return self.sought

    @property
    def subject(self) -> str:
        return header_text(self.raw[0])[:_SUBJECT_AT_MOST]

    @property
    def sender(self) -> tuple[str, str]:
        """Name and address, each "" where it is not told."""
        return _person(self.raw[1])

    @property
    def to(self) -> str:
        """The names of the first recipients."""
        return ", ".join(name or address for name, address in map(_person, _split(self.raw[2])[:5]))


def header_of(raw: bytes) -> bytes:
    """The header of a mail: all before the first empty line."""
    ends = [at for at in (raw.find(b"\n\n", 0, _HEADER_AT_MOST), raw.find(b"\n\r\n", 0, _HEADER_AT_MOST)) if at >= 0]
    return raw[: min(ends)] if ends else raw[:_HEADER_AT_MOST]


def head_of(
    header: bytes,
    zone: dt.tzinfo,
    *,
    arrived: dt.datetime | None = None,
    otherwise: dt.datetime | None = None,
    line_of_mbox: str = "",
) -> Head | None:
    """The head of a mail; None for what is none: it has neither sender, date nor subject.

    `arrived` is when the mailbox took it in, for a mail whose servers left no Received. One that nothing else dates is dated by
    `otherwise`, or by the "From " line that stands before it in an mbox.
    """
    found: dict[bytes, list[bytes]] = {}
    for name, value in _FIELD.findall(header):
        found.setdefault(name.lower(), []).append(value)

    def first(name: bytes) -> bytes:
        values = found.get(name)
        return values[0].strip() if values else b""

    date, subject, sender = first(b"date"), first(b"subject"), first(b"from") or first(b"sender")
    if not (sender or date or subject):
        return None
    for line in found.get(b"received", ())[:3]:
        moment = _mail_dates.received(line.decode("latin-1"), zone)
        if moment is not None:
            arrived = moment
            break
    sent = _mail_dates.sent(date.decode("latin-1"), arrived, zone)
    head = Head(_ref(found), sent or otherwise, (subject[:2000], sender[:500], first(b"to")[:600]))
    if sent is None and otherwise is None and line_of_mbox:
        head.sent = _mail_dates.from_line(line_of_mbox)
    if not found.keys() <= _USUAL:
        _weigh(head, first)
    return head


def _weigh(head: Head, first: Callable[[bytes], bytes]) -> None:
    precedence, automatic, post = first(b"precedence").lower(), first(b"auto-submitted").lower(), first(b"list-post")
    head.listed = bool(post and b"NO" not in post.upper()[:4]) or precedence == b"list"
    head.bulk = (
        precedence in (b"bulk", b"junk")
        or bool(first(b"list-unsubscribe") and not head.listed)
        or (bool(automatic) and not automatic.startswith(b"no"))
        or first(b"x-spam-flag").upper() == b"YES"
    )
    status = b"".join(s for s in (first(b"status"), first(b"x-status")) if _STATUS.fullmatch(s))
    head.urgent = first(b"importance").lower() == b"high" or first(b"x-priority")[:1] in (b"1", b"2") or b"F" in status
    head.gone = b"D" in status or b"T" in status or bool(_number(first(b"x-mozilla-status")) & _MOZILLA_EXPUNGED)


def _number(text: bytes) -> int:
    try:
        return int(text, 16)
    except ValueError:
        return 0


def _ref(found: dict[bytes, list[bytes]]) -> str:
    """The Message-ID, the same in every folder that holds the mail; lacking one, a digest of what no server changes."""
    number = found.get(b"message-id", [b""])[0]
    bare = number.strip(b"<> \r\n\t")
    if bare:
        if not bare.isascii() or b" " in bare or b"\n" in bare:
            bare = b"".join(bare.split())
        return decoded(bare[:300])
    parts = [b" ".join(found.get(name, [b""])[0].split()) for name in (b"date", b"from", b"to", b"cc", b"subject")]
    return "sha256-" + hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def _split(raw: bytes) -> list[bytes]:
    return re.split(rb",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", raw) if raw else []


def _person(raw: bytes) -> tuple[str, str]:
    """Name and address of the first person in a From or To header."""
    match = re.search(rb"<([^<>\s]+@[^<>\s]+)>", raw)
    if match is not None:
        return header_text(raw[: match.start()]).strip("\"' ")[:_NAME_AT_MOST], decoded(match[1]).lower()[:_NAME_AT_MOST]
    name, address = next(iter(getaddresses([header_text(raw)])), ("", ""))
    return name.strip("\"' ")[:_NAME_AT_MOST], (address if "@" in address else "").lower()[:_NAME_AT_MOST]


# --- body -----------------------------------------------------------------------------------------------------------------

_TEXT_AT_MOST = 8000
_PARTS_AT_MOST = 200
_STUB = 200


@dataclass(frozen=True, slots=True)
class Invitation:
    """An event that a mail invites to, moves or calls off. `start` and `end` are aware, or a local day's midnight naive."""

    uid: str
    instance: str
    sequence: int
    start: dt.datetime
    end: dt.datetime | None
    all_day: bool
    cancelled: bool
    title: str
    place: str
    text: str
    rule: str = ""

    def at(self, asked: TimeRange, now: dt.datetime) -> TimeRange:
        """When it is, in `now`'s zone: of a series the first date in `asked`, else the next, else the first."""
        zone = now.tzinfo
        start = self.start if self.start.tzinfo is not None else self.start.replace(tzinfo=zone)
        length = dt.timedelta(0)
        if self.end is not None:
            end = self.end if self.end.tzinfo is not None else self.end.replace(tzinfo=zone)
            length = max(end - start, length)
        if self.rule:
            try:
                series = rrulestr(self.rule, dtstart=start)
                low = max((asked.start or start) - length, start)
                hit = next((m for m in islice(series.xafter(low, inc=True), 3) if asked.overlaps(m, m + length)), None)
                start = hit or series.after(now, inc=True) or start
            except (ValueError, TypeError, OverflowError):
                pass  # a rule that cannot be read leaves the date that the invitation itself gives
        return TimeRange(start.astimezone(zone), (start + length).astimezone(zone))


@dataclass(slots=True)
class Body:
    """What a mail says. `skipped` counts the parts that could not be read; in `sought`, its beginning, topics are looked for."""

    words: Words
    attachments: tuple[str, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    skipped: int = 0
    sought: str = ""
    read: dict[Any, Any] = field(default_factory=dict)


def body_of(raw: bytes) -> Body:
    """The body of a mail's bytes, which may end anywhere."""
    message = email.message_from_bytes(raw)
    texts: list[tuple[str, str, bool]] = []
    named: list[str] = []
    invitations: list[Invitation] = []
    skipped = 0
    for part in islice(_parts(message), _PARTS_AT_MOST):
        kind, name = part.get_content_type(), _filename(part)
        if kind == "message/rfc822" or (kind.startswith("message/") and part.is_multipart()):
            named.append(name or _forwarded(part))
        elif kind == "text/calendar" or (name.lower().endswith(".ics") and kind.startswith(("text/", "application/"))):
            try:
                invitations += _invitations(_bytes(part), part.get_param("method"))
            except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError):
                skipped += 1
        elif kind in ("text/plain", "text/html") and not name and part.get_content_disposition() != "attachment":
            flowed = str(part.get_param("format") or "").lower() == "flowed"
            texts.append((kind, decoded(_bytes(part), _charset(part)), flowed))
        elif name and not (part.get("Content-ID") and part.get_content_disposition() != "attachment"):
            named.append(name)
    unique = {(i.uid, i.instance): i for i in invitations}
    return Body(_words(texts), tuple(dict.fromkeys(named)), tuple(unique.values()), skipped)


def _parts(message: Message) -> Iterator[Message]:
    """The leaves of a mail, in order; a mail within it is a leaf."""
    stack = [message]
    while stack:
        part = stack.pop()
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            children: Any = part.get_payload()
            stack += [child for child in reversed(children) if isinstance(child, Message)]
        else:
            yield part


def _bytes(part: Message) -> bytes:
    if str(part.get("Content-Transfer-Encoding") or "").strip().lower() == "base64":
        text = part.get_payload()
        return from_base64(text.encode("ascii", "ignore")) if isinstance(text, str) else b""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _charset(part: Message) -> str:
    value = part.get_param("charset")
    return str(value[2] if isinstance(value, tuple) else value or "")


def _filename(part: Message) -> str:
    for name, key in (("content-disposition", "filename"), ("content-type", "name")):
        value = part.get_param(key, header=name)
        if isinstance(value, tuple):
            return plain(decoded(value[2].encode("latin-1", "replace"), value[0])).strip()
        if value:
            raw = next((str(v) for k, v in part.raw_items() if k.lower() == name), "")
            eight = re.search(rf'{key}\s*=\s*"?([^";]+)', raw, re.IGNORECASE)
            text = eight[1] if eight is not None and not raw.isascii() else value
            return header_text(text.encode("utf-8", "surrogateescape"))[:_NAME_AT_MOST]
    return ""


def _forwarded(part: Message) -> str:
    inner = part.get_payload()
    first = inner[0] if isinstance(inner, list) and inner else None
    subject = next((str(v) for k, v in first.raw_items() if k.lower() == "subject"), "") if isinstance(first, Message) else ""
    return header_text(subject.encode("utf-8", "surrogateescape"))[:_NAME_AT_MOST]


def _words(texts: list[tuple[str, str, bool]]) -> Words:
    written = "\n\n".join(text[:_TEXT_AT_MOST] for kind, text, _ in texts if kind == "text/plain").strip()
    shown = [html_text(text) for kind, text, _ in texts if kind == "text/html"]
    marked = "\n\n".join(text for text, _ in shown).strip()
    # "Your program cannot show this mail": what is a stub beside the HTML is not what was written.
    if marked and (not written or (len(written) < _STUB and len(marked) > 4 * len(written))):
        return own_words(marked[:_TEXT_AT_MOST], "\n".join(q for _, q in shown if q)[:_TEXT_AT_MOST])
    if any(flowed for _, _, flowed in texts):
        written = re.sub(r"(?m)(?<!^--) \r?\n(?![>\s])", " ", written)
    words = own_words(written)
    return Words(unwrapped(words.own), unwrapped(words.quoted))


# --- invitations ----------------------------------------------------------------------------------------------------------

_RULE = re.compile(r"FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)\b", re.IGNORECASE)
_EVENTS_AT_MOST = 20


def _invitations(data: bytes, method: object) -> list[Invitation]:
    calendar = Calendar.from_ical(decoded(data, "utf-8"))
    word = str(calendar.get("METHOD") or method or "").upper()
    if word in ("REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER"):
        return []  # somebody's answer to an invitation
    return [_invitation(event, word == "CANCEL") for event in islice(calendar.walk("VEVENT"), _EVENTS_AT_MOST)]


def _invitation(event: Any, cancelled: bool) -> Invitation:
    first = event.decoded("DTSTART")
    all_day = not isinstance(first, dt.datetime)
    last = event.decoded("DTEND", None)
    if last is None:
        length = event.decoded("DURATION", None)
        last = first + length if isinstance(length, dt.timedelta) else first + dt.timedelta(days=1) if all_day else None
    rule = event.get("RRULE")
    text = rule.to_ical().decode() if rule is not None and not isinstance(rule, list) else ""
    instance = event.get("RECURRENCE-ID")
    return Invitation(
        uid=str(event.get("UID") or ""),
        instance=instance.to_ical().decode() if instance is not None else "",
        sequence=int(event.get("SEQUENCE") or 0),
        start=_datetime(first),
        end=None if last is None else _datetime(last),
        all_day=all_day,
        cancelled=cancelled or str(event.get("STATUS") or "").upper() == "CANCELLED",
        title=" ".join(plain(str(event.get("SUMMARY") or "")).split()),
        place=" ".join(plain(str(event.get("LOCATION") or "")).split()),
        text=plain(str(event.get("DESCRIPTION") or "")).strip(),
        rule=text if _RULE.search(text) else "",
    )


def _datetime(value: dt.date | dt.datetime) -> dt.datetime:
    return value if isinstance(value, dt.datetime) else dt.datetime.combine(value, dt.time())
