"""email: what is read of a mail, whatever its charset, headers, dates and parts, from each of the places that hold mails."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from kits.email import account, reading
from mailing import SHANGHAI, imap_server, mail, mbox_entry, write_maildir, write_mbox
from support import NOW

from adapters import Items, SearchContext, SourceError, TimelineItem
from adapters.email import MailAccount
from planner import make_plan
from planner.modes import TemporalMode
from planner.plan import PlanSettings, Window

pytestmark = pytest.mark.anyio
FIXTURES = Path(__file__).parent.parent / "fixtures" / "email"
CASES = sorted(path.name for path in FIXTURES.iterdir())


def asking(
    query: str = "9月1日", mode: TemporalMode = TemporalMode.MENTIONED_IN, *, limit: int = 200, days: tuple[str, str] | None = None, user: str = "ada",
    now: dt.datetime = NOW, seconds: float = 60.0,
) -> SearchContext:  # fmt: skip
    """A question to the mailboxes; `days` are where to look by observed time instead of where the plan says."""
    plan = make_plan(query, user, now, PlanSettings(sources=("email",), limit=limit), mode)
    retrieval = plan.retrievals[0]
    if days is not None:
        start, end = (dt.datetime.fromisoformat(day).replace(tzinfo=SHANGHAI) for day in days)
        retrieval = retrieval.model_copy(update={"observed": Window(start=start, end=end)})
    return SearchContext(
        user, retrieval, plan.time, plan.temporal_mode, plan.expanded_queries, now, deadline=anyio.current_time() + seconds,
        query=query, time_spans=plan.time_spans,
    )  # fmt: skip


def shown(item: TimelineItem) -> dict[str, Any]:
    """What a fixture tells of an item."""
    event = [moment.isoformat() for moment in (item.event_time, item.event_end) if moment is not None]
    assert item.observed_time is not None
    return {
        "ref": item.source_ref, "type": item.type, "status": item.status, "title": item.title, "content": item.content,
        "observed": item.observed_time.isoformat(), "event": event, "importance": item.importance,
    }  # fmt: skip


def raws(case: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((FIXTURES / case).glob("*.eml"))]


def expected(case: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((FIXTURES / case / "expected.json").read_text(encoding="utf-8"))
    return read


def told(items: Sequence[TimelineItem]) -> dict[str, Any]:
    assert isinstance(items, Items)
    rows = sorted(map(shown, items), key=lambda row: row["ref"])
    return {"undated": items.undated, "skipped": items.skipped, "items": rows}


WHOLE = ("2026-08-01", "2026-10-01")


async def _read(*accounts: MailAccount) -> dict[str, Any]:
    async with reading(*accounts) as adapter:
        return told(await adapter.search(asking(days=WHOLE)))


@pytest.mark.parametrize("case", CASES)
async def test_fixtures(case: str, tmp_path: Path) -> None:
    """Each recorded mail gives the item that stands beside it, from an mbox as from a Maildir."""
    path = write_mbox(tmp_path / "mails", raws(case), line="From nobody")
    folder = write_maildir(tmp_path / "Maildir", [])
    for number, raw in enumerate(raws(case)):
        (folder / "cur" / f"mail{number}:2,S").write_bytes(raw)
    for place in (path, folder):
        assert await _read(MailAccount(path=place, user="ada", addresses=("ada@example.org",))) == expected(case)


def sent(day: int, hour: int = 10, month: int = 9) -> dt.datetime:
    return dt.datetime(2026, month, day, hour, tzinfo=SHANGHAI)


# --- IMAP -----------------------------------------------------------------------------------------------------------------


async def test_a_server_gives_the_same(tmp_path: Path) -> None:
    """What an IMAP server holds is read as from a file, and one mail in two folders is one, known as the person's own."""
    server = imap_server()
    plan = mail(
        "I will bring the cake tomorrow.", sent(1), key="cake", sender="Ada <ada@example.org>", to="Bo <bo@example.org>"
    )
    name = server.user([*raws("charsets"), *raws("bodies"), plan], sent(3, 12), Sent=[plan])
    async with reading(account(server.url, name)) as adapter:
        items = await adapter.search(asking(days=WHOLE))
        assert "INBOX 33 mails" in await adapter.check()
    rows = [row for row in told(items)["items"] if "cake" not in row["ref"]]
    assert rows == sorted(expected("charsets")["items"] + expected("bodies")["items"], key=lambda row: row["ref"])
    (own,) = [item for item in items if "cake" in item.source_ref]
    assert (own.type, own.status) == ("commitment", "planned")


async def test_the_server_knows_when_it_came() -> None:
    """A mail without a date is dated by the moment the server took it in, and found by it."""
    server = imap_server()
    name = server.user([mail("no date", None), mail("no such date", "Tue, 99 Foo 2026", key="m2")], sent(1, 15))
    async with reading(account(server.url, name)) as adapter:
        items = await adapter.search(asking())
    assert [item.observed_time for item in items] == [sent(1, 15)] * 2


async def test_taken_in_long_after() -> None:
    """A mail that was moved to this server long after is found on the day it was sent."""
    server = imap_server()
    name = server.user([mail("moved here", sent(1)), mail("another day", sent(2), key="m2")], sent(20, month=11))
    async with reading(account(server.url, name)) as adapter:
        assert [item.content.split("\n")[0] for item in await adapter.search(asking())] == ["moved here"]


async def test_the_edge_of_the_day() -> None:
    """A server compares days in a zone of its own: what lies within hours of midnight here is still found."""
    server = imap_server()
    moments = [dt.datetime(2026, 9, 1, 0, 5, tzinfo=SHANGHAI), dt.datetime(2026, 9, 1, 23, 55, tzinfo=SHANGHAI)]
    mails = [
        mail(f"at {m:%H:%M}", m.astimezone(dt.timezone(dt.timedelta(hours=h))), key=f"{m:%H}{h}")
        for m in moments
        for h in (-11, 0, 14)
    ]
    name = server.user(mails)
    async with reading(account(server.url, name)) as adapter:
        assert len(await adapter.search(asking())) == 6


async def test_folders() -> None:
    """Folders are told by name in any case; a Sent folder of another name is found; what is not there is said, the rest is read."""
    server = imap_server()
    name = server.user(
        [mail("in", sent(1))], **{"Sent Items": [mail("out", sent(1), key="m2")], "旅行": [mail("trip", sent(1), key="m3")]}
    )
    async with reading(account(server.url, name)) as adapter:
        assert {item.content.split("\n")[0] for item in await adapter.search(asking())} == {"in", "out"}
    async with reading(account(server.url, name), folders=("inbox", "旅行", "Nowhere")) as adapter:
        items = await adapter.search(asking())
        assert {item.content.split("\n")[0] for item in items} == {"in", "trip"}
        assert isinstance(items, Items) and "Nowhere" in items.problems[0]
    async with reading(account(server.url, name), folders=("Nowhere",)) as adapter:
        with pytest.raises(SourceError, match="Nowhere"):
            await adapter.search(asking())


async def test_a_refused_login_says_so() -> None:
    """A wrong password is told as such, without the password."""
    server = imap_server()
    async with reading(account(server.url, server.user([]), secret="hunter2")) as adapter:
        with pytest.raises(SourceError, match="refuses the login") as failure:
            await adapter.search(asking())
    assert "hunter2" not in str(failure.value)


async def test_no_password_in_the_clear() -> None:
    """Away from this machine nothing is sent without encryption, unless the account says so."""
    assert not MailAccount(url="imap://mail.example.org", username="ada").plain
    server = imap_server()
    async with reading(MailAccount(url=f"imap://127.0.0.2:{server.port}", username=server.user([]), user="ada")) as adapter:
        with pytest.raises(SourceError):
            await adapter.search(asking())


async def test_a_large_mail_is_read_in_part() -> None:
    """Of a mail beyond the size only the beginning is fetched; its attachments are named all the same."""
    server = imap_server()
    parts = b"".join(
        b"--b\nContent-Type: application/pdf; name=%b\nContent-Transfer-Encoding: base64\n\n%b\n" % (name, b"QUJD" * 20000)
        for name in (b"first.pdf", b"second.pdf")
    )
    raw = (
        mail("x", sent(1))
        .partition(b"\r\n\r\n")[0]
        .replace(b'Content-Type: text/plain; charset="utf-8"', b"Content-Type: multipart/mixed; boundary=b")
    )
    raw = (
        raw.replace(b"Content-Transfer-Encoding: 7bit\r\n", b"").replace(b"\r\n", b"\n")
        + b"\n\n--b\nContent-Type: text/plain\n\nThe papers.\n"
        + parts
        + b"--b--\n"
    )
    name = server.user([raw.replace(b"\n", b"\r\n")])
    async with reading(account(server.url, name), body_bytes=4096) as adapter:
        (item,) = await adapter.search(asking())
    assert item.content.startswith("The papers.")
    assert "first.pdf" in item.content and "second.pdf" in item.content


# --- files ----------------------------------------------------------------------------------------------------------------


def box(path: Path, **more: Any) -> Any:
    return reading(MailAccount(path=path, user="ada", **more))


def firsts(items: Sequence[TimelineItem]) -> set[str]:
    return {item.content.split("\n")[0] for item in items}


async def test_a_growing_mbox(tmp_path: Path) -> None:
    """What is appended, also to the last mail, what is rewritten and what is cut off is seen at the next question."""
    path = write_mbox(tmp_path / "mails", [mail(f"mail {n}", sent(1), key=f"m{n}") for n in range(3)])
    async with box(path) as adapter:
        assert firsts(await adapter.search(asking())) == {"mail 0", "mail 1", "mail 2"}
        with path.open("ab") as file:
            file.write(mbox_entry(mail("mail 3", sent(1), key="m3")))
        assert firsts(await adapter.search(asking())) == {f"mail {n}" for n in range(4)}
        whole = path.read_bytes()
        path.write_bytes(whole[: whole.index(b"From -", 10)])
        assert firsts(await adapter.search(asking())) == {"mail 0"}
        write_mbox(path, [mail("another", sent(1), key="a")])
        assert firsts(await adapter.search(asking())) == {"another"}
        path.write_bytes(b"")
        assert firsts(await adapter.search(asking())) == set()


async def test_lines_that_look_like_a_start(tmp_path: Path) -> None:
    """A line of text that begins with From parts no mail, quoted or not, also with line ends of two characters."""
    text = "Hi,\n\nFrom here on it is easy.\nFrom: nobody\n\n>From the past.\nbye\n"
    raw = mail("x", sent(1), key="one").replace(b"x\r\n", text.encode().replace(b"\n", b"\r\n"))
    start = b"From - Tue Sep  1 00:00:00 2026"
    for end in (b"\n", b"\r\n"):
        path = tmp_path / f"mails{len(end)}"
        mails = [raw.replace(b"\r\n", end), mail("two", sent(1), key="two").replace(b"\r\n", end)]
        path.write_bytes(b"".join(start + end + m + end + end for m in mails))
        async with box(path) as adapter:
            items = await adapter.search(asking())
        assert firsts(items) == {"Hi,", "two"}
        assert any("From here on" in item.content and "bye" in item.content for item in items)


async def test_a_mail_larger_than_a_block(tmp_path: Path) -> None:
    """Mails of many megabytes, between small ones and across the blocks in which the file is read, are each found once."""
    mails = [mail(f"mail {n}\n" + "word " * (1_300_000 if n % 2 else 5), sent(1), key=f"m{n}") for n in range(5)]
    async with box(write_mbox(tmp_path / "mails", mails)) as adapter:
        assert {item.content[:6] for item in await adapter.search(asking())} == {f"mail {n}" for n in range(5)}


async def test_a_changing_maildir(tmp_path: Path) -> None:
    """Flags that change are seen; drafts, deleted mails and removed files are not there; a folder marked as sent holds own mails."""
    path = write_maildir(tmp_path, [mail("one", sent(1), key="m1"), mail("two", sent(1), key="m2")])
    write_maildir(tmp_path, [mail("I will come tomorrow.", sent(1), key="m3")], folder="Sent Items")
    write_maildir(tmp_path, [mail("never", sent(1), key="m4")], folder="Archive")
    async with box(path) as adapter:
        items = await adapter.search(asking())
        assert firsts(items) == {"one", "two", "I will come tomorrow."}
        assert {item.type for item in items if "come" in item.content} == {"commitment"}
        first, second = sorted((path / "cur").iterdir())
        first.rename(first.with_name(first.name.replace(":2,S", ":2,ST")))
        assert firsts(await adapter.search(asking())) == {"two", "I will come tomorrow."}
        second.unlink()
        assert firsts(await adapter.search(asking())) == {"I will come tomorrow."}


async def test_two_mails_under_one_number(tmp_path: Path) -> None:
    """A mailer that gives every mail the same Message-ID loses none; the same mail twice is one."""
    mails = [mail("one", sent(1, 8), subject="a"), mail("two", sent(1, 9), subject="b"), mail("one", sent(1, 8), subject="a")]
    async with box(write_mbox(tmp_path / "mails", mails)) as adapter:
        items = await adapter.search(asking())
    assert firsts(items) == {"one", "two"}
    assert len({item.source_ref for item in items}) == 2


# --- what is asked --------------------------------------------------------------------------------------------------------


async def test_planned_long_before(tmp_path: Path) -> None:
    """A plan for the asked day is found in the mail that made it, weeks before; a cancelled invitation is told as off."""
    mails = [mail("我们9月10号下午三点在公司开会。", sent(20, month=7), key="zh")]
    mails += [mail(f"nothing of note {n}", sent(1 + n % 28, month=8), key=f"n{n}") for n in range(60)]
    mails += raws("invitations")
    async with box(write_mbox(tmp_path / "mails", mails)) as adapter:
        items = await adapter.search(asking("9月10号有什么安排", TemporalMode.PLANNED_IN, limit=20))
        picnic = await adapter.search(asking("what is planned for September 5", TemporalMode.PLANNED_IN))
        weekly = await adapter.search(asking("9月14日有什么会议", TemporalMode.PLANNED_IN))
    assert [i.event_time for i in items if i.source_ref == "email:message:zh@example.org"] == [sent(10, 15)]
    assert [i.title for i in items if i.type == "event" and i.event_time == sent(10, 0)] == ["Offsite"]
    assert [(i.status, i.negated) for i in picnic if i.title == "Picnic"] == [("cancelled", True)]
    assert [i.event_time for i in weekly if i.title == "团队周会"] == [sent(14, 9)]


async def test_the_limit_prefers_people_and_the_topic(tmp_path: Path) -> None:
    """Where not all fits, people's mails come before newsletters, and those that name the topic before the newest."""
    bulk = [mail(f"offer {n}", sent(1, 12), key=f"b{n}", more={"List-Unsubscribe": "<x>"}) for n in range(20)]
    people = [mail(f"hello {n}", sent(1, 1 + n), key=f"p{n}") for n in range(5)]
    lease = [mail("It is about the lease of the flat.", sent(1, 0), key="lease")]
    path = write_mbox(tmp_path / "mails", [*bulk, *people, *lease])
    async with box(path) as adapter:
        assert firsts(await adapter.search(asking(limit=6))) == {f"hello {n}" for n in range(5)} | {
            "It is about the lease of the flat."
        }
        found = await adapter.search(asking("what did I read about the lease on September 1", limit=2))
        assert "It is about the lease of the flat." in firsts(found)
        assert isinstance(found, Items) and found.truncated


async def test_a_mailbox_of_anybodys_is_nobodys(tmp_path: Path) -> None:
    """A mailbox without a user is read while the service serves one person, and for nobody once callers are told apart."""
    path = write_mbox(tmp_path / "mails", [mail("hello", sent(1))])
    async with reading(MailAccount(path=path), single=True) as adapter:
        assert len(await adapter.search(asking(user="whoever"))) == 1
    async with reading(MailAccount(path=path)) as adapter:
        assert list(await adapter.search(asking(user="whoever"))) == []


async def test_a_deadline_that_is_near(tmp_path: Path) -> None:
    """What was read when the time runs out is handed in as truncated, and the next question goes on from there."""
    mails = [mail(f"mail {n} on Friday at {n % 12 + 1}pm", sent(1), key=f"m{n}") for n in range(3000)]
    async with box(write_mbox(tmp_path / "mails", mails)) as adapter:
        first = await adapter.search(asking(limit=3000, seconds=0.6))
        assert isinstance(first, Items) and first.truncated
        again = await adapter.search(asking(limit=3000, seconds=60))
    assert len(first) < len(again) == 3000
