"""email: a person's mails, on an IMAP server, in an mbox file or in a Maildir.

    TEMPORAL_RECALL_EMAIL_ACCOUNTS='[{"url": "imaps://imap.example.org", "username": "ada@example.org", "password_env": "MAIL"}]'
    TEMPORAL_RECALL_EMAIL_ACCOUNTS='~/Mail/archive.mbox, ~/Maildir'

A message is RFC 5322 with MIME as far as it keeps to them. Its Date header, with an offset, is observed_time; a date that is missing,
impossible or without a zone is made good from when servers took the mail in (`adapters._mail_dates`). Event time and status are read
from the subject and the beginning of what the sender wrote, quotations and signature cut; a text/calendar part is an invitation: an
event with its own times, `cancelled` when it is called off, superseded by a later one of the same UID. Newsletters and what machines
send (List-Unsubscribe, Precedence: bulk, Auto-Submitted) weigh little.

source_ref is `email:message:{Message-ID}` or `email:invitation:{Message-ID}`, so that one mail in two folders is one; without a
Message-ID a digest of date, sender, recipients and subject stands there.

A mailbox cannot be asked by event time: what was sent in the asked range is read first, then back in time, newest first, until the
limit, `SCAN_LIMIT` or shortly before the deadline; what was not reached is told as truncated. What has been read is kept in memory,
so that the next question reaches further.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode, SettingsConfigDict

from adapters._accounts import Account, Accounts, check_all, of_user, read_all
from adapters._base import (
    Items,
    SearchContext,
    Shared,
    SourceSettings,
    SourceUnavailable,
    TemporalSourceAdapter,
    TimelineItem,
    item_of,
    source,
    title_of,
)
from adapters._blocking import Stop, in_thread
from adapters._mail_bodies import Bodies
from adapters._mail_files import SENT, Heads, Mailbox, Maildir, Mbox, Opening
from adapters._mail_imap import Imap
from adapters._mail_message import Body, Head, Invitation
from planner import words
from planner.ranges import UTC, Grain, TimeRange
from planner.statements import Statement, read_statement

DEFAULT_FOLDERS = ("INBOX", "Sent")


def _parted(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parted)]


class MailAccount(Account):
    """A mailbox. `folders` overrules the setting; `addresses` are further addresses of the person's own, beside `username`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folders: Names = ()
    addresses: Names = ()
    oauth: bool = False
    plain: bool = False

    @property
    def own(self) -> frozenset[str]:
        return frozenset(a.lower() for a in (*self.addresses, self.username or "") if "@" in a)


class EmailSettings(SourceSettings):
    """Which mailboxes are read, and how much of them for one question."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_EMAIL_")

    accounts: Accounts[MailAccount] = ()
    folders: Names = DEFAULT_FOLDERS
    scan_limit: Annotated[int, Field(ge=1)] = 3000
    body_bytes: Annotated[int, Field(ge=1024)] = 131_072


@source("email", EmailSettings, "EMAIL_ACCOUNTS: mailboxes, as mbox files, Maildirs or imaps:// addresses")
def build(settings: EmailSettings, shared: Shared) -> TemporalSourceAdapter | None:
    return Email(settings, shared) if settings.accounts else None


class Email:
    """Reads mailboxes."""

    source = "email"

    def __init__(self, settings: EmailSettings, shared: Shared) -> None:
        self.settings, self.single = settings, shared.single
        self.boxes = {account: self._box(account, shared.zone) for account in settings.accounts}
        self.bodies = Bodies()

    def _box(self, account: MailAccount, zone: dt.tzinfo) -> Opening:
        folders = account.folders or self.settings.folders
        named = folders != DEFAULT_FOLDERS
        if account.url is not None:
            return Imap(
                account.url, account.username or "", account.secret, folders, zone, oauth=account.oauth, plain=account.plain, named=named
            )  # fmt: skip
        if account.place.is_dir():
            return Maildir(account.place, folders, zone, named=named)
        return Mbox(account.place, zone, own=SENT.search(account.place.name) is not None)

    async def search(self, ctx: SearchContext) -> Sequence[TimelineItem]:
        async def read(account: MailAccount) -> Items:
            return await in_thread(lambda stop: _Reading(self, account, ctx, stop).items(), ctx.deadline)

        return await read_all(of_user(self.settings.accounts, ctx.user_id, self.single), ctx, read)

    async def check(self) -> str:
        async def one(account: MailAccount) -> str:
            def summary(stop: Stop) -> str:
                with self.boxes[account].opened(stop) as box:
                    return box.summary(stop)

            return await in_thread(summary)

        return await check_all(self.settings.accounts, one)

    async def close(self) -> None:
        return None


# So many are fetched and read between two looks at the clock.
_AT_ONCE = 25
# These shares of the time are left when heads are no longer looked at for the topic, and when bodies are no longer fetched: the rest
# is for reading what the chosen ones say.
_SHARE_OF_BODIES, _SHARE = 0.45, 0.2
_READ_AT_MOST, _SHOWN_AT_MOST = 500, 2000
_NEVER = dt.datetime(1, 1, 2, tzinfo=UTC)
_AGAIN = re.compile(
    r"^(?:\s*(?:re|aw|sv|fwd?|fw|wg|tr|回复|回覆|答复|答覆|转发|轉寄|轉發)\s*(?:\[\d+\])?\s*[:：])+\s*", re.IGNORECASE
)
_BULK, _LISTED, _URGENT = 0.2, 0.85, 0.1


@dataclass(slots=True)
class _Record:
    """A mail, or one of the invitations in it. `current` is False for an invitation that a later one replaces;
    `belongs` says that it was sent, or happens, in the asked time.
    """

    head: Head
    body: Body
    invitation: Invitation | None = None
    number: int = 0
    current: bool = True
    belongs: bool = False


class _Reading:
    """One question to one mailbox, in a thread."""

    def __init__(self, adapter: Email, account: MailAccount, ctx: SearchContext, stop: Stop) -> None:
        self.adapter, self.account, self.ctx, self.stop = adapter, account, ctx, stop
        self.topic = list(dict.fromkeys(term for query in ctx.expanded_queries for term in words.content(query)))
        left = stop.left if stop.left != float("inf") else 0.0
        self.reserve, self.for_bodies = left * _SHARE, left * _SHARE_OF_BODIES

    def items(self) -> Items:
        with self.adapter.boxes[self.account].opened(self.stop) as box:
            found = box.heads(self.ctx.retrieval.observed.range, self.stop)
            heads = self._ordered(found)
            records: list[_Record] = []
            seen = skipped = belonging = 0
            try:
                for head, body in self._bodies(box, heads):
                    seen, skipped = seen + 1, skipped + body.skipped
                    made = _records(head, body)
                    for record in made:
                        record.belongs = self._belongs(record)
                    records += made
                    belonging += made[0].belongs
                    if belonging >= self.ctx.retrieval.limit and not self.topic:
                        break
            except SourceUnavailable:
                if not records:
                    raise
        _supersede(records)
        items: list[TimelineItem] = []
        for record in sorted(records, key=self._order)[: self.ctx.retrieval.limit]:
            if self.stop.late:
                break
            self.stop.check()
            items.append(self._item(record))
        truncated = not found.complete or seen < len(heads) or len(items) < len(records)
        return Items(
            items, truncated=truncated, undated=found.undated, skipped=found.skipped + skipped, problems=found.problems
        )

    def _ordered(self, found: Heads) -> list[Head]:
        """Each mail once: what was sent in the asked time first, then what names the topic, then what a person wrote, then the newest."""
        unique: dict[str, Head] = {}
        for head in found.heads:
            other = unique.setdefault(head.ref, head)
            if other is not head and other.sent != head.sent and other.raw != head.raw:
                # Two mails under one Message-ID.
                mark = hashlib.sha256(f"{head.sent}{head.raw}".encode()).hexdigest()[:8]
                head = replace(head, ref=f"{head.ref}+{mark}")
                other = unique.setdefault(head.ref, head)
            other.own = other.own or head.own
        asked = self.ctx.time.range
        named: set[str] = set()
        newest = sorted(unique.values(), key=lambda head: head.sent or _NEVER, reverse=True)
        if self.topic:
            for number, head in enumerate(newest):
                if number % 256 == 255:
                    self.stop.check()
                    if self.stop.left <= self.for_bodies:
                        break
                if self._named(head.words):
                    named.add(head.ref)
        return sorted(newest, key=lambda h: (h.sent is None or not asked.holds(h.sent), h.ref not in named, h.bulk))

    def _named(self, folded: str) -> int:
        """How many of the topic's words are in it."""
        return sum(term in folded for term in self.topic)

    def _belongs(self, record: _Record) -> bool:
        """Whether it was sent, or happens, in the asked time. What a mail says is read only where that decides."""
        head, asked = record.head, self.ctx.time.range
        assert head.sent is not None
        if asked.holds(head.sent):
            return True
        if record.invitation is not None:
            event: TimeRange | None = record.invitation.at(asked, self.ctx.now)
        else:
            event = self._statement(head, record.body).event
        return event is not None and asked.overlaps(event.start or self.ctx.now, event.end)

    def _order(self, record: _Record) -> tuple[bool, int, bool, float, str]:
        head = record.head
        assert head.sent is not None
        named = self._named(f"{head.words} {record.body.sought}") if self.topic else 0
        return not record.belongs, -named, head.bulk, -head.sent.timestamp(), head.ref

    def _bodies(self, box: Mailbox, heads: Sequence[Head]) -> Iterator[tuple[Head, Body]]:
        """The heads with their bodies, in order, as far as the limit and the time go."""
        bodies, fresh = self.adapter.bodies, 0
        waiting = iter(heads)
        while some := list(islice(waiting, _AT_ONCE)):
            unread = [head for head in some if not bodies.has(self.account, head.ref)]
            fresh += len(unread)
            if fresh > self.adapter.settings.scan_limit:
                return
            for head, data in box.raw(unread, self.adapter.settings.body_bytes, self.stop):
                bodies.read(self.account, head.ref, data)
                if self.stop.left <= self.reserve:
                    break
            for head in some:
                self.stop.check()
                body = bodies.get(self.account, head.ref)
                if body is None:
                    return
                yield head, body
                if self.stop.left <= self.reserve:
                    return

    # --- items ------------------------------------------------------------------------------------------------------------

    def _item(self, record: _Record) -> TimelineItem:
        if record.invitation is None:
            return self._mail(record.head, record.body)
        return self._event(record, record.invitation)

    def _mail(self, head: Head, body: Body) -> TimelineItem:
        own, headed = body.words.own, head.subject
        before = _before(headed, own)
        statement = self._statement(head, body)
        shown = own[:_SHOWN_AT_MOST] or body.words.quoted[:_SHOWN_AT_MOST] or headed
        spans = [(start - len(before), end - len(before)) for start, end in statement.time_spans]
        importance = statement.importance * (_LISTED if head.listed else 1) + (_URGENT if head.urgent else 0)
        more: dict[str, Any] = {"type": "email"} if head.bulk else {}
        assert head.sent is not None
        return item_of(
            statement,
            source="email",
            source_ref=f"email:message:{head.ref}",
            default_type="email",
            content=shown + self._signed(head, body),
            observed=head.sent.astimezone(self.ctx.zone),
            title=headed or title_of(shown) or head.sender[1] or "(no subject)",
            time_spans=tuple(span for span in spans if span[0] >= 0 and span[1] <= len(shown)) if own else (),
            importance=min(importance, _BULK) if head.bulk else round(min(max(importance, 0.05), 1.0), 2),
            **more,
        )

    def _statement(self, head: Head, body: Body) -> Statement:
        """What the mail says. The subject tells what it is about; a finer time within the subject's stands in the body."""
        ctx = self.ctx
        assert head.sent is not None
        mine = self._mine(head)
        key = (str(ctx.zone), ctx.conventions, mine, head.sent)
        known: Statement | None = body.read.get(key)
        if known is None:
            own = body.words.own[:_READ_AT_MOST]
            before = _before(head.subject, own)
            sent = head.sent.astimezone(ctx.zone)
            known = read_statement(before + own, sent, ctx.conventions, by_user=mine)
            day = known.event if known.grain is not None and known.grain >= Grain.DAY else None
            if day is not None and own and any(start < len(before) for start, _ in known.time_spans):
                inner = read_statement(own, sent, ctx.conventions, by_user=mine)
                time, grain = inner.event, inner.grain
                if (
                    time is not None
                    and time.start is not None
                    and day.holds(time.start)
                    and grain
                    and grain < (known.grain or grain)
                ):
                    known = replace(known, event=time, grain=grain)
            body.read[key] = known
        return known

    def _signed(self, head: Head, body: Body) -> str:
        """Who wrote to whom, and what came with it: a question may name any of them."""
        name, address = head.sender
        mine = self._mine(head)
        other = head.to if mine else name or address
        lines = [f"{'To' if mine else 'From'}: {other}"] if other else []
        names = tuple(dict.fromkeys((*body.attachments, *head.attachments)))[:10]
        if names:
            lines.append(f"Attached: {', '.join(names)}")
        return "".join(f"\n{line}" for line in lines)

    def _mine(self, head: Head) -> bool:
        return head.own or head.sender[1] in self.account.own

    def _event(self, record: _Record, invitation: Invitation) -> TimelineItem:
        ctx, head, body = self.ctx, record.head, record.body
        when = invitation.at(ctx.time.range, ctx.now) if record.current else None
        title = invitation.title or head.subject or "(no subject)"
        text = "\n".join(filter(None, (title, invitation.place, invitation.text or body.words.own)))
        assert head.sent is not None
        item = TimelineItem(
            source="email",
            source_ref=f"email:invitation:{head.ref}{f':{record.number}' if record.number else ''}",
            type="email",
            title=title,
            content=text[:_SHOWN_AT_MOST] + self._signed(head, body),
            observed_time=head.sent.astimezone(ctx.zone),
            importance=0.8,
            confidence=0.95,
        )
        if when is not None and when.start is not None:
            item.type = "event"
            item.event_time, item.event_end = when.start, when.end if when.end != when.start else None
            item.event_grain = Grain.DAY if invitation.all_day else Grain.MINUTE
            item.status = "cancelled" if invitation.cancelled else "occurred" if when.start <= ctx.now else "planned"
            item.negated, item.moved = invitation.cancelled, invitation.sequence > 0 and not invitation.cancelled
        return item


def _before(subject: str, own: str) -> str:
    """What of the subject is read before the sender's own words: what a reply is headed with was said by another, on another day."""
    again = _AGAIN.match(subject)
    bare = subject[again.end() if again else 0 :].strip()
    return f"{bare}\n" if bare and not (again and own) else ""


def _records(head: Head, body: Body) -> list[_Record]:
    if not body.invitations:
        return [_Record(head, body)]
    return [_Record(head, body, invitation, number) for number, invitation in enumerate(body.invitations)]


def _supersede(records: Sequence[_Record]) -> None:
    """An event that was invited to again, moved or called off has only its latest time: earlier invitations are mails about it."""
    latest: dict[tuple[str, str], tuple[int, dt.datetime]] = {}

    def dated(record: _Record) -> tuple[tuple[str, str], tuple[int, dt.datetime]] | None:
        invitation, sent = record.invitation, record.head.sent
        if invitation is None or not invitation.uid or sent is None:
            return None
        return (invitation.uid, invitation.instance), (invitation.sequence, sent)

    for key, age in filter(None, map(dated, records)):
        latest[key] = max(age, latest.get(key, age))
    for record in records:
        found = dated(record)
        record.current = found is None or latest[found[0]] == found[1]
