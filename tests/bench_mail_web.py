"""What a year of mails and visits costs: `python tests/bench_mail_web.py [mail|web]`. Not part of the tests.

Milliseconds of the first question and of later ones, and what was told of it, with the five seconds that a question has.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
from kits.email import reading
from mailing import SHANGHAI, mail, mbox_entry

from adapters import Items, SearchContext
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


def mails(count: int) -> Any:
    random.seed(7)
    for number in range(count):
        sent = NOW - dt.timedelta(days=365) * (1 - number / count)
        day = random.choice(_DAYS)
        text = random.choice(_TEXTS).format(day=day[0], 日=day[1])
        more = {"List-Unsubscribe": "<https://x.example/out>"} if number % 3 == 0 else {}
        hops = {"Received": f"from a.example.org by b.example.org with ESMTPS id {number}; {sent:%a, %d %b %Y %H:%M:%S %z}"}
        body = f"{text}\n\n{_FILL if number % 2 else ''}\n\nOn {sent:%d %b %Y}, Ada wrote:\n> {_FILL}\n"
        yield mail(body, sent, key=f"m{number}", subject=f"{text[:30]}", more={**hops, **more})


def asking(query: str, source: str) -> SearchContext:
    plan = make_plan(query, "ada", NOW, PlanSettings(sources=(source,)))
    return SearchContext(
        "ada", plan.retrievals[0], plan.time, plan.temporal_mode, plan.expanded_queries, NOW, deadline=anyio.current_time() + SECONDS,
        query=query, time_spans=plan.time_spans,
    )  # fmt: skip


async def ask(adapter: Any, source: str, queries: Sequence[str]) -> None:
    for query in queries:
        for turn in ("first", "again", "third"):
            began = time.perf_counter()
            items = await adapter.search(asking(query, source))
            spent = (time.perf_counter() - began) * 1000
            assert isinstance(items, Items)
            print(f"| {query} | {turn} | {spent:.0f} ms | {len(items)} items | {'truncated' if items.truncated else 'whole'} |")


async def mail_bench(folder: Path, count: int = 50_000) -> None:
    path = folder / "year.mbox"
    with path.open("wb") as file:
        for raw in mails(count):
            file.write(mbox_entry(raw))
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
            file.write(mbox_entry(mail("One more, tomorrow at 9am.", NOW, key="one-more")))
        print("one mail was appended")
        await ask(adapter, "email", queries[:1])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        if "web" not in sys.argv[1:]:
            asyncio.run(mail_bench(Path(place)))
