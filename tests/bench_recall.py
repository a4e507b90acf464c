"""Recall on question sets: both doors beside SQLite's FTS5 over the same words, and where the scores of right and other items lie.

python tests/bench_recall.py FOLDER [--sets a,b] [--questions 200] [--semantic on] [--plot docs/scores.svg]

FOLDER holds, for each set, `{set}.items.jsonl` (case, id, observed_time, role, text) and `{set}.questions.jsonl` (case, now, question, gold:
the ids of the items that answer it). R@10 is the share of a question's gold among the first ten, nDCG@10 as usual, each the mean over
questions. A set that is not there is left out. With `--semantic on` the
questions wait for the vectors.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import json
import math
import sqlite3
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr

from planner import words

BATCH = 20


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def quality(found: Sequence[str], gold: Sequence[str]) -> tuple[float, float]:
    """R@10 and nDCG@10 of one question."""
    first = list(dict.fromkeys(found))[:10]
    gain = sum(1 / math.log2(n + 2) for n, name in enumerate(first) if name in gold)
    return len(set(first) & set(gold)) / len(gold), gain / sum(1 / math.log2(n + 2) for n in range(min(len(gold), 10)))


def fts(items: list[dict[str, Any]], questions: list[dict[str, Any]]) -> list[tuple[float, float]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE f USING fts5(id UNINDEXED, owner UNINDEXED, body)")
    database.executemany(
        "INSERT INTO f VALUES (?, ?, ?)", [(i["id"], i["case"], " ".join(words.terms(i["text"]))) for i in items]
    )
    scores = []
    for question in questions:
        asked = " OR ".join(f'"{term}"' for term in words.terms(question["question"]) if term.isalnum())
        search = "SELECT id FROM f WHERE f MATCH ? AND owner = ? ORDER BY rank LIMIT 10"
        found = database.execute(search, (asked, question["case"])).fetchall() if asked else []
        scores.append(quality([name for (name,) in found], question["gold"]))
    return scores


async def ours(
    items: list[dict[str, Any]], questions: list[dict[str, Any]], semantic: str
) -> tuple[Any, Any, Counter[int], Counter[int]]:
    from temporal_recall.api import create_app
    from temporal_recall.settings import Settings

    cases: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item in items:
        cases[item["case"]].append(item)
    ids = {f"{case}-{n // BATCH}:{n % BATCH}": item["id"] for case, rows in cases.items() for n, item in enumerate(rows)}
    doors: dict[str, list[tuple[float, float]]] = {"search": [], "query": []}
    right, other = Counter[int](), Counter[int]()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database_url=SecretStr(f"sqlite:///{folder}/r.sqlite3"), semantic=semantic))
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://bench", timeout=120) as client,
        ):

            async def post(path: str, body: dict[str, Any]) -> Any:
                answer = await client.post(path, json=body)
                assert answer.status_code == 200, answer.text
                return answer.json()

            for case, rows in cases.items():
                for first in range(0, len(rows), BATCH):
                    messages = [
                        {
                            "role": row["role"] or "user",
                            "content": row["text"],
                            "timestamp": round(dt.datetime.fromisoformat(row["observed_time"]).timestamp() * 1000),
                        }
                        for row in rows[first : first + BATCH]
                    ]
                    request = {
                        "request_id": f"{case}-{first // BATCH}",
                        "user_id": case,
                        "session_id": case,
                        "messages": messages,
                    }
                    await post("/add", request)
            while (await client.get("/ready")).json().get("waiting_for_vectors"):  # noqa: ASYNC110 (it is asked as others would)
                await asyncio.sleep(1)
            for question in questions:
                asked = {"query": question["question"], "user_id": question["case"]}
                hits = await post("/search", asked | {"top_k": 10})
                doors["search"].append(
                    quality([ids[hit["id"].removeprefix("chat:message:")] for hit in hits["data"]], question["gold"])
                )
                more = {"now": question["now"], "limit": 50, "include_dropped": True}
                answer = await post("/v1/temporal-recall/query", asked | more)
                grouped = [item for group in answer["groups"] for item in group["items"]]
                kept = answer["items"] or sorted(grouped, key=lambda item: -item["recall_score"])
                refs = [ref for item in kept for ref in (item["source_ref"], *item["merged_from"])]
                doors["query"].append(quality([ids[ref.removeprefix("chat:message:")] for ref in refs], question["gold"]))
                for item in [*kept, *answer["dropped"]]:
                    known = {ids[ref.removeprefix("chat:message:")] for ref in (item["source_ref"], *item["merged_from"])}
                    (right if known & set(question["gold"]) else other)[min(int(item["recall_score"] * 20), 19)] += 1
    return doors["search"], doors["query"], right, other


def mean(scores: list[tuple[float, float]]) -> str:
    return " | ".join(f"{sum(score[n] for score in scores) / len(scores):.3f}" for n in (0, 1))


def plot(right: Counter[int], other: Counter[int]) -> str:
    """Both distributions as SVG: the share of each that lies in every twentieth of the score."""
    width, height, left, base = 720, 260, 40, 220
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<text x="{left}" y="16">recall_score of right items (dark) and of all others that were looked at (light)</text>',
    ]
    step = (width - left - 20) / 20
    most = max(max(c.values(), default=1) / max(c.total(), 1) for c in (right, other))
    for n in range(20):
        for counts, colour, shift in ((other, "#c9d3df", 0.0), (right, "#1f4e79", step * 0.42)):
            tall = (base - 40) * counts[n] / max(counts.total(), 1) / most
            x, y, wide = left + n * step + shift, base - tall, step * 0.42
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{colour}"/>')
    for score, name in ((0.5, "secondary"), (0.75, "primary")):
        x = left + score * 20 * step
        parts.append(
            f'<line x1="{x:.1f}" y1="30" x2="{x:.1f}" y2="{base}" stroke="#a33"/><text x="{x + 4:.1f}" y="40">{name}</text>'
        )
    parts += [f'<text x="{left + n * 4 * step - 8:.1f}" y="{base + 18}">{n / 5:.1f}</text>' for n in range(6)]
    return "\n".join([*parts, "</svg>", ""])


async def run(folder: Path, names: list[str], most: int, semantic: str = "off") -> tuple[list[str], Counter[int], Counter[int]]:
    lines = [
        "| set | questions | FTS5 R@10 | nDCG@10 | `/search` R@10 | nDCG@10 | `/query` R@10 | nDCG@10 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    right, other = Counter[int](), Counter[int]()
    for name in names:
        if not (folder / f"{name}.items.jsonl").exists():
            continue
        items = read(folder / f"{name}.items.jsonl")
        questions = [q for q in read(folder / f"{name}.questions.jsonl") if q["gold"] and q.get("category") != "adversarial"][
            :most
        ]
        search, query, good, bad = await ours(items, questions, semantic)
        right, other = right + good, other + bad
        lines.append(f"| {name} | {len(questions)} | {mean(fts(items, questions))} | {mean(search)} | {mean(query)} |")
    for what, counts in (("right", right), ("other", other)):
        if counts.total():
            shares = [sum(counts[n] for n in range(low, high)) / counts.total() for low, high in ((15, 20), (10, 15), (0, 10))]
            told = "{:.0%} were primary, {:.0%} secondary, {:.0%} dropped".format(*shares)
            lines += ["", f"Of the {what} items that were looked at, {told}."]
    return lines, right, other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default="")
    parser.add_argument("--questions", type=int, default=10**9)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--semantic", choices=("on", "off"), default="off")
    args = parser.parse_args()
    names = [name for name in args.sets.split(",") if name] or sorted(
        p.name.removesuffix(".items.jsonl") for p in args.folder.glob("*.items.jsonl")
    )
    lines, right, other = asyncio.run(run(args.folder, names, args.questions, args.semantic))
    print("\n".join(lines))
    if args.plot is not None:
        args.plot.write_text(plot(right, other), encoding="utf-8")


if __name__ == "__main__":
    main()
