"""What a year of mails and visits costs: `python tests/bench_mail_web.py [mail|web]`. Not part of the tests.

Milliseconds of the first question and of later ones, and what was told of it, with the five seconds that a question has.
"""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
from kits import browser as web
from kits.browser import micros, schema
from kits.email import reading
from mailing import SHANGHAI

from adapters import Items, SearchContext
from adapters.browser import BrowserAccount
from adapters.email import MailAccount
from planner import make_plan
from planner.plan import PlanSettings

NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=SHANGHAI)
SECONDS = 5.0
_TEXTS = [
    "Could we meet {day} at 3pm to talk about the lease? I will bring the contract.",
    "我们{日}下午三点在公司开会，请准备好材料。谢谢！",
    "The report is attached. Please send your comments by {day}.",
    "昨天的演示很顺利，客户很满意。下周继续。",
    "Thanks, that was a lovely dinner. See you soon.",
]
_DAYS = [("Monday", "周一"), ("Wednesday", "周三"), ("Friday", "周五"), ("tomorrow", "明天")]
_FILL = "Some more words that say nothing of any moment, as most of a mail does. " * 20


def mails(count: int) -> Iterator[bytes]:
    random.seed(7)
    for number in range(count):
        sent = NOW - dt.timedelta(days=365) * (1 - number / count)
        date = sent.strftime("%a, %d %b %Y %H:%M:%S %z")
        day = random.choice(_DAYS)
        text = random.choice(_TEXTS).format(day=day[0], 日=day[1])
        bulk = "List-Unsubscribe: <https://x.example/out>\n" if number % 3 == 0 else ""
        subject = base64.b64encode(text[:30].encode()).decode()
        yield (
            f"From - {sent:%a %b %d %H:%M:%S %Y}\nReceived: from a.example.org by b.example.org with ESMTPS id {number}; {date}\n{bulk}"
            f"DKIM-Signature: v=1; a=rsa-sha256; d=example.org;\n\tb={'x' * 300}\nDate: {date}\nFrom: Bo Berg <bo@example.org>\n"
            f"To: Ada <ada@example.org>\nSubject: =?utf-8?B?{subject}?=\nMessage-ID: <m{number}@example.org>\nMIME-Version: 1.0\n"
            f"Content-Type: text/plain; charset=utf-8\n\n{text}\n\n{_FILL if number % 2 else ''}\n\n"
            f"On {sent:%d %b %Y}, Ada wrote:\n> {_FILL}\n\n"
        ).encode()


def visits(path: Path, count: int) -> None:
    random.seed(7)
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(schema("chromium_2025"))
        pages = [
            (n, f"https://host{n % 900}.example/page/{n}", f"Page {n} about {random.choice(_TEXTS)[:24]}", 0)
            for n in range(60_000)
        ]
        database.executemany("INSERT INTO urls(id, url, title, last_visit_time) VALUES (?, ?, ?, ?)", pages)
        newest = micros(NOW) + 11_644_473_600_000_000
        year = 365 * 86400 * 1_000_000
        rows = [
            (random.randrange(60_000), newest - year * n // count, 0x30000000, random.randrange(300) * 1_000_000)
            for n in range(count)
        ]
        database.executemany("INSERT INTO visits(url, visit_time, transition, visit_duration) VALUES (?, ?, ?, ?)", rows)


def asking(query: str, source: str) -> SearchContext:
    plan = make_plan(query, "ada", NOW, PlanSettings(sources=(source,)))
    return SearchContext(
        "ada", plan.retrievals[0], plan.time, plan.temporal_mode, plan.expanded_queries, NOW,
        deadline=anyio.current_time() + SECONDS,
        query=query, time_spans=plan.time_spans,
    )  # fmt: skip


async def ask(adapter: Any, source: str, queries: Sequence[str]) -> None:
    for query in queries:
        for turn in ("first", "again", "third"):
            asking(query, source)  # what the planner loads once
            context, began = asking(query, source), time.perf_counter()
            items = await adapter.search(context)
            spent = (time.perf_counter() - began) * 1000
            assert isinstance(items, Items)
            print(f"| {query} | {turn} | {spent:.0f} ms | {len(items)} items | {'truncated' if items.truncated else 'whole'} |")


async def mail_bench(folder: Path, count: int = 50_000) -> None:
    path = folder / "year.mbox"
    with path.open("wb") as file:
        file.writelines(mails(count))
    print(f"{count} mails, {path.stat().st_size / 1e6:.0f} MB in an mbox")
    queries = [
        "what did I get yesterday?",
        "明天有什么安排？",
        "what do I have planned on Friday?",
        "关于合同，上个月提到过什么",
        "anything about the lease?",
    ]
    async with reading(MailAccount(path=path, user="ada")) as adapter:
        await ask(adapter, "email", queries)
        with path.open("ab") as file:
            file.writelines(mails(1))
        print("one mail was appended")
        await ask(adapter, "email", queries[:1])


async def web_bench(folder: Path, count: int = 200_000) -> None:
    path = folder / "History"
    visits(path, count)
    print(f"{count} visits, {path.stat().st_size / 1e6:.0f} MB")
    async with web.reading(BrowserAccount(path=path, user="ada")) as adapter:
        await ask(adapter, "browser", ["what did I read yesterday?", "我上个月看过什么网页", "anything about the lease?"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        if "web" not in sys.argv[1:]:
            asyncio.run(mail_bench(Path(place)))
        if "mail" not in sys.argv[1:]:
            asyncio.run(web_bench(Path(place)))
