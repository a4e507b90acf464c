"""The scale set: one person with many messages, many persons with some, on SQLite; whole questions over ASGI.

python tests/bench_store.py --messages 1000000 --people 100

Texts are made of words that are as unevenly common as a language's; what is derived from them is written directly, so that a million
messages are laid out in minutes. Beside it, in the same run: SQLite's FTS5 over the same words, in the window by its rowids.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import datetime as dt
import itertools
import random
import resource
import sqlite3
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
from pydantic import SecretStr
from sqlalchemy import Connection

from adapters._store import Store
from adapters._store.writing import Prepared, keep, locked_person

NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
NOW_MS = round(NOW.timestamp() * 1000)
DAY_MS = 86_400_000
_SYLLABLES = ["ba", "ko", "mi", "ru", "se", "ta", "lo", "ni", "po", "du", "ve", "ga", "hi", "zu", "fe"]


def vocabulary(size: int = 40_000) -> tuple[list[str], list[float]]:
    """Words that no stemmer changes, and the sums of how often each is said (Zipf)."""
    found: list[str] = []
    for n in range(size):
        word = ""
        while n or not word:
            word, n = word + _SYLLABLES[n % 15], n // 15
        found.append(word + "k")
    return found, list(itertools.accumulate(1 / (n + 5) for n in range(size)))


def message(rng: random.Random, words: list[str], sums: list[float], at: int) -> Prepared:
    said = rng.choices(words, cum_weights=sums, k=rng.randint(6, 24))
    event = at + rng.randrange(60) * DAY_MS if rng.random() < 0.3 else None
    row: dict[str, Any] = {
        "role": "user", "content": " ".join(said), "observed_ms": at, "event_ms": event,
        "event_end_ms": None if event is None else event + DAY_MS, "event_grain": None if event is None else 4,
        "status": "planned" if event else "mentioned", "type": "message", "importance": 0.5, "confidence": 0.9,
        "negated": False, "moved": False, "question": False, "length": len(said), "aside": False, "time_spans": "",
        "said": " ".join(sorted(set(said))), "marks": 0,
    }  # fmt: skip
    return Prepared(row, Counter(said))


def _keep(user: str, rows: Sequence[Any], connection: Connection) -> None:
    keep(connection, locked_person(connection, user, "chat"), rows)


async def fill(store: Store, user: str, count: int, rng: random.Random) -> list[tuple[int, str]]:
    """Ten years of messages, oldest first."""
    words, sums = vocabulary()
    step = 3650 * DAY_MS // count
    texts = []
    for first in range(0, count, 2000):
        batch = [message(rng, words, sums, NOW_MS - (count - n) * step) for n in range(first, min(first + 2000, count))]
        rows = [(f"r{first}", n, "s", row) for n, row in enumerate(batch)]
        await store.write(partial(_keep, user, rows))
        texts += [(read.row["observed_ms"], read.row["content"]) for read in batch]
    return texts


def questions(rng: random.Random, count: int, users: list[str], window: bool) -> list[dict[str, Any]]:
    words, sums = vocabulary()
    asked = []
    for n in range(count):
        about = " ".join(rng.choices(words[:4000], cum_weights=sums[:4000], k=3))
        day = NOW - dt.timedelta(days=rng.randrange(7, 3600))
        text = f"what did we say about {about} in the week of {day:%Y-%m-%d}" if window else f"did we ever talk about {about}"
        asked.append({"query": text, "user_id": users[n % len(users)], "now": NOW.isoformat()})
    return asked


async def spent(client: httpx.AsyncClient, bodies: list[dict[str, Any]]) -> list[float]:
    times = []
    for body in bodies:
        at = time.perf_counter()
        answer = await client.post("/v1/temporal-recall/query", json=body)
        times.append((time.perf_counter() - at) * 1000)
        assert answer.status_code == 200, answer.text
    return times


def row(name: str, times: list[float], cold: int = 0) -> str:
    times = sorted(times[cold:])
    return f"| {name} | {statistics.median(times):.1f} | {times[int(len(times) * 0.99)]:.1f} |"


def fts(folder: Path, texts: list[tuple[int, str]], bodies: list[dict[str, Any]]) -> list[float]:
    """FTS5 over the messages in their order: the three words, ranked, in the rowids of the week if one is asked for."""
    path = folder / "fts.sqlite3"
    known = path.exists()
    database = sqlite3.connect(path)
    if not known:
        database.execute("CREATE VIRTUAL TABLE f USING fts5(body, content='')")
        database.executemany("INSERT INTO f(rowid, body) VALUES (?, ?)", [(n, body) for n, (_, body) in enumerate(texts)])
        database.commit()
    observed = [at for at, _ in texts]
    search = "SELECT rowid FROM f WHERE f MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rank LIMIT 50"
    times = []
    for body in bodies:
        words, _, day = body["query"].rpartition("about ")[2].partition(" in the week of ")
        low, high = 0, len(texts)
        if day:
            start = round(dt.datetime.fromisoformat(day).replace(tzinfo=NOW.tzinfo).timestamp() * 1000)
            low, high = bisect.bisect_left(observed, start), bisect.bisect_left(observed, start + 7 * DAY_MS)
        at = time.perf_counter()
        database.execute(search, (" OR ".join(words.split()), low, high)).fetchall()
        times.append((time.perf_counter() - at) * 1000)
    return times


async def run(count: int, people: int, each: int, asked: int) -> list[str]:
    from temporal_recall.api import create_app
    from temporal_recall.settings import Settings

    rng = random.Random(7)
    lines = ["| whole `/query` | median ms | p99 ms |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = create_app(Settings(database_url=SecretStr(f"sqlite:///{folder}/b.sqlite3"), semantic="off"))
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://bench", timeout=60) as client,
        ):
            store = app.state.store
            began = time.perf_counter()
            texts = await fill(store, "big", count, rng)
            wrote = time.perf_counter() - began
            await fill(store, "small", 10_000, rng)
            users = [f"p{n}" for n in range(people)]
            for user in users:
                await fill(store, user, each, rng)
            growth = []
            for user, size in (("small", 10_000), ("big", count)):
                window = questions(rng, asked, [user], True)
                times = await spent(client, window)
                lines.append(row(f"one person, {size:,} messages: a week and three words", times, 1))
                lines.append(f"| the first question of that, cold | {times[0]:.1f} | |")
                growth.append(statistics.median(times[1:]))
                whole = questions(rng, asked, [user], False)
                lines.append(row(f"one person, {size:,} messages: three words over everything", await spent(client, whole), 1))
                agenda = [body | {"query": f"what happened in the week of {body['query'][-10:]}"} for body in window]
                lines.append(row(f"one person, {size:,} messages: all of a week", await spent(client, agenda), 1))
            if users:
                bodies = questions(rng, asked * 2, users, True)
                lines.append(
                    row(
                        f"{people} people with {each:,} each, in turn: a week and three words",
                        await spent(client, bodies),
                        people,
                    )
                )
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            lines.append(row(f"FTS5 alone, {count:,}: a week and three words", fts(folder, texts, window)))
            lines.append(row(f"FTS5 alone, {count:,}: three words over everything", fts(folder, texts, whole)))
            size = (folder / "b.sqlite3").stat().st_size / 1e6
    lines += [
        "", f"A week's question at {count:,} messages costs {growth[1] / growth[0]:.1f} times that at 10,000. Laid out in {wrote:.0f} s; "
        f"{size:.0f} MB on disk. The process, its test data of {count:,} texts included, took {memory:.0f} MB at most.", "",
    ]  # fmt: skip
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--each", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=100)
    args = parser.parse_args()
    print("\n".join(asyncio.run(run(args.messages, args.people, args.each, args.questions))))


if __name__ == "__main__":
    main()
