"""`make bench`: what the service costs, each figure beside an alternative in the same run. Not part of the tests.

make bench                                       planner, store and HTTP
make bench ARGS="--write"                        and writes docs/benchmarks.md
make bench ARGS="--time-suites FOLDER"           and how many cases of these suites are read exactly (see tests/bench_times.py)
make bench ARGS="--scale 100000 --http"          and the scale set and the HTTP set
make bench ARGS="--recall FOLDER"                and recall on question sets
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import bench_http
import bench_recall
import bench_store
import httpx
from bench_times import accuracy, peers, spent

NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
ROOT = Path(__file__).parent.parent
_TIMES = {
    "zh": ["昨天", "上周五", "这周", "下个月15号", "明天下午三点", "三天前", "过去七天", "去年夏天", "国庆节", "上个月最后一个周五", "9月3号到5号", "最近", "2025年7月25日", "周一早上", "这个季度", "前天和昨天", "半小时前", "农历八月初八", "月底"],
    "en": ["yesterday", "last Friday", "this week", "on the 15th of next month", "tomorrow at 3pm", "3 days ago", "in the last 7 days", "last summer", "on Christmas",
           "on the last Friday of last month", "between Aug 1 and Aug 5", "recently", "July 25th, 2025", "Monday morning", "this quarter", "half an hour ago", "since Monday", "", "2026-09-01"],
}  # fmt: skip
_FRAMES = {
    "zh": ["{}我做了什么？", "我{}和小李聊了什么电影", "{}有什么安排", "{}要交什么报告", "{}我新建了哪些笔记", "{}有什么重要的事", "帮我看看{}的会议", "关于租房合同，{}提到过什么"],
    "en": ["what did I do {}?", "what did we talk about with Anna {}", "what do I have planned {}", "what is due {}", "which notes did I create {}", "anything important {}?",
           "show me the meetings {}", "did I mention the lease {}"],
}  # fmt: skip


def questions() -> list[str]:
    """1,000 mixed questions: every time in every frame, both languages in turn, the plain frames once more at the end."""
    made = [[frame.format(when) for frame, when in itertools.product(_FRAMES[code], _TIMES[code])] for code in ("zh", "en")]
    mixed = [text for pair in zip(*made, strict=True) for text in pair]
    return (mixed * 4)[:1000]


def row(name: str, times: list[float], ours: float) -> str:
    median = statistics.median(times)
    return f"| {name} | {median:.3f} | {times[int(len(times) * 0.99)]:.3f} | {median / ours:.1f}x |"


def planner() -> list[str]:
    from planner import make_plan, read_times

    texts = questions()
    read, plan = spent(lambda t: read_times(t, NOW), texts), spent(lambda t: make_plan(t, "ada", NOW), texts)
    again = spent(lambda t: read_times(t, NOW), texts)
    ours = statistics.median(read)
    noise = abs(statistics.median(again) / ours - 1)
    rows = [row("`read_times`", read, ours), row("`make_plan`", plan, ours)]
    for name, reader in peers().items():
        times = spent(lambda t, r=reader: r(t, "zh" if any(c > "\u2e80" for c in t) else "en", NOW), texts[:300])
        rows.append(row(f"{name} (300 of them)", times, ours))
    long_text = "我上周五下午和小李开会，讨论了三个问题，大家都觉得预算太紧，于是把原来的计划改了一遍又一遍。" * 2200
    began = time.perf_counter()
    read_times(long_text[:100_000], NOW)
    long_ms = (time.perf_counter() - began) * 1000
    code = "import time,sys; t=time.perf_counter(); import planner; a=time.perf_counter(); import datetime as d; planner.read_times('明天', d.datetime(2026,9,3,tzinfo=d.UTC)); print(a-t, time.perf_counter()-a)"
    starts = sorted(
        tuple(
            map(
                float,
                subprocess.run(
                    [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
                ).stdout.split(),
            )
        )
        for _ in range(5)
    )
    return [
        "## Planner, 1,000 mixed questions, half Chinese and half English", "", "| | median ms | p99 ms | median against `read_times` |", "|---|---|---|---|", *rows, "",
        f"A text of 100,000 characters: {long_ms:.0f} ms. Import {starts[2][0] * 1000:.0f} ms, first call {starts[2][1] * 1000:.0f} ms (medians of five fresh processes). "
        f"Noise: a second run of `read_times` differed by {noise:.1%}.", "",
    ]  # fmt: skip


_TOLD = {
    "zh": (["我", "我们", "安娜", "老板", "小李"], ["和韩梅", "跟房东", "给客户", "向财务", "替妈妈"], ["讨论了", "确认了", "写完了", "取消了", "提交了"],
           ["租房合同", "季度报告", "旅行计划", "装修预算", "体检结果", "搬家日期", "招聘启事", "孩子的作业"], ["，有点晚", "，还差一点", "，下次再说", "，挺顺利", ""]),
    "en": (["I", "we", "Anna", "my boss", "Tom"], [" and Bea", " and the landlord", " and a client", " and Mum", ""],
           [" discussed", " confirmed", " finished", " cancelled", " sent"],
           [" the lease", " the quarterly report", " the Berlin trip", " the budget", " the test results", " the move", " the job advert"],
           [", rather late", ", nearly done", ", more next time", ", all fine", ""]),
}  # fmt: skip


def merging(count: int = 10_000) -> list[str]:
    """Merging of candidates told over a year, each tenth a copy, beside rapidfuzz comparing all those of a day."""
    from rapidfuzz import fuzz, process

    from adapters import TimelineItem
    from planner.restatement import Gist
    from temporal_recall.api import _warm
    from temporal_recall.dedupe import dedupe

    _warm()  # the collector is set as the service sets it
    dice = random.Random(3)

    def told(mark: str) -> list[tuple[str, dt.datetime]]:
        texts: list[str] = []
        for n in range(count):
            made = "".join(dice.choice(part) for part in _TOLD["zh" if n % 2 else "en"]) + f" ({mark}{dice.randrange(500)})"
            texts.append(made if n % 10 else dice.choice(texts or [made]))
        return [(text, NOW - dt.timedelta(minutes=dice.randrange(365 * 24 * 60))) for text in texts]

    def spent(rows: list[tuple[str, dt.datetime]], kept: Sequence[tuple[str, ...] | None]) -> float:
        given = [
            TimelineItem("chat", f"chat:{n}", "message", text, text, at, said=said)
            for n, ((text, at), said) in enumerate(zip(rows, kept, strict=True))
        ]
        began = time.perf_counter()
        dedupe(given, dt.UTC)
        return (time.perf_counter() - began) * 1000

    rows, others = told(""), told("0")
    nothing = [None] * count
    first = spent(rows, nothing)
    again = [spent(rows, nothing) for _ in range(3)]
    with_words = spent(others, [Gist(text).said for text, _ in others])
    began = time.perf_counter()
    days: dict[dt.date, list[str]] = {}
    for text, at in rows:
        days.setdefault(at.date(), []).append(text)
    for day in days.values():
        process.cdist(day, day, scorer=fuzz.token_set_ratio)
    baseline = (time.perf_counter() - began) * 1000
    return [
        f"## Merging {count:,} candidates of a year", "", "| | ms |", "|---|---|", f"| never seen before | {first:.0f} |",
        f"| never seen before, their words kept with them, as the store does | {with_words:.0f} |",
        f"| seen before, median of three | {statistics.median(again):.0f} |",
        f"| rapidfuzz: `token_set_ratio` of all those of a day, without merging | {baseline:.0f} |", "",
    ]  # fmt: skip


async def service() -> list[str]:
    from pydantic import SecretStr

    from temporal_recall.api import create_app
    from temporal_recall.settings import Settings

    topics = ["租房合同", "季度报告", "科幻电影", "牙医", "Berlin trip", "budget review", "回家的火车票", "weekly sync"]
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database_url=SecretStr(f"sqlite:///{folder}/b.sqlite3"), semantic="off"))
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://bench", timeout=60) as client,
        ):
            began, count = time.perf_counter(), 10_000
            for start in range(0, count, 20):
                rows = [
                    {
                        "role": "user",
                        "content": f"第{n}条：{topics[n % 8]}，{_TIMES['zh'][n % 19]}再说",
                        "timestamp": 1788444000000 - n * 600_000,
                    }
                    for n in range(start, start + 20)
                ]
                answer = await client.post(
                    "/add", json={"request_id": f"r{start}", "user_id": "ada", "session_id": "s", "messages": rows}
                )
                assert answer.status_code == 200
            added = count / (time.perf_counter() - began)

            async def spent(path: str, bodies: list[dict[str, Any]]) -> list[float]:
                times = []
                for body in bodies:
                    at = time.perf_counter()
                    answer = await client.post(path, json=body)
                    times.append((time.perf_counter() - at) * 1000)
                    assert answer.status_code == 200, answer.text
                return sorted(times[5:])

            window = [{"query": f"上周聊了什么{topics[n % 8]}", "user_id": "ada", "now": NOW.isoformat()} for n in range(65)]
            whole = [{"query": f"关于{topics[n % 8]}提到过什么", "user_id": "ada", "now": NOW.isoformat()} for n in range(65)]
            found = [{"query": topics[n % 8], "user_id": "ada", "top_k": 10} for n in range(65)]
            health = []
            for _ in range(65):
                at = time.perf_counter()
                await client.get("/health")
                health.append((time.perf_counter() - at) * 1000)
            bare = statistics.median(health)
            lines = [
                "## One user with 10,000 messages, SQLite, in one process over ASGI",
                "",
                "| | median ms | p99 ms | against `/health` |",
                "|---|---|---|---|",
            ]
            for name, path, bodies in (
                ("`/query`, a week and a topic", "/v1/temporal-recall/query", window),
                ("`/query`, a topic over everything", "/v1/temporal-recall/query", whole),
                ("`/search`", "/search", found),
            ):
                times = await spent(path, bodies)
                lines.append(
                    f"| {name} | {statistics.median(times):.1f} | {times[int(len(times) * 0.99)]:.1f} | {statistics.median(times) / bare:.0f}x |"
                )
            return [*lines, "", f"`/add` in batches of 20, durable: {added:.0f} messages a second.", ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--time-suites", type=Path, metavar="FOLDER", help="a folder of suites of time expressions, as .jsonl")
    parser.add_argument(
        "--scale", type=int, metavar="MESSAGES", help="the scale set: one person with so many messages, and ten with 10,000"
    )
    parser.add_argument("--http", action="store_true", help="the HTTP set, on real sockets")
    parser.add_argument("--recall", type=Path, metavar="FOLDER", help="a folder of recall sets (see tests/bench_recall.py)")
    args = parser.parse_args()
    lines = [
        "# Benchmarks",
        "",
        f'Made by `make bench ARGS="{" ".join(arg for arg in sys.argv[1:] if "/" not in arg)}"` on {platform.machine()}, Python {platform.python_version()}. Figures of one run; ratios hold better than milliseconds.',
        "",
    ]
    lines += planner()
    if args.time_suites is not None:
        lines += accuracy(args.time_suites)
    lines += merging()
    lines += anyio.run(service)
    if args.scale is not None:
        lines += ["## The scale set", "", *anyio.run(bench_store.run, args.scale, 10, 10_000, 60)]
    if args.http:
        lines += ["## HTTP", "", *anyio.run(bench_http.run, 5.0)]
    if args.recall is not None:
        names = sorted(path.name.removesuffix(".items.jsonl") for path in args.recall.glob("*.items.jsonl"))
        lines += ["## Recall", "", *anyio.run(bench_recall.run, args.recall, names, 10**9)[0]]
    text = "\n".join(lines)
    print(text)
    if args.write:
        (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
