"""The HTTP set: requests a second of the service on a real socket, one worker, 16 connections, beside a bare FastAPI endpoint.

python tests/bench_http.py [--seconds 5]

The bare endpoint checks a small pydantic model and answers it. Each server is a process of its own, and so is the client, which sends
the same bytes again and again over connections that stay open.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

CONNECTIONS = 16
_BARE = """
import sys, uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
class Asked(BaseModel):
    query: str
    user_id: str
    now: str
app = FastAPI()
@app.post("/v1/temporal-recall/query")
async def ask(asked: Asked) -> Asked:
    return asked
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
"""
_OURS = """
import sys, datetime as dt, anyio, uvicorn
from pydantic import SecretStr
from temporal_recall.api import create_app
from temporal_recall.settings import Settings
from adapters._store import NewMessage
from adapters._store.writing import add
settings = Settings(database_url=SecretStr("sqlite:///" + sys.argv[2]), token=None, semantic="off")
app = create_app(settings)
async def fill():
    store = app.state.store
    await store.open()
    for n in range(0, 1000, 20):
        said = [NewMessage("user", f"第{m}次和{'安娜李雷韩梅'[m % 6]}讨论第{m % 40}号合同", 1788444000000 - m * 3_600_000) for m in range(n, n + 20)]
        await add(store, "ada", f"r{n}", "s", said, dt.UTC)
    await store.close()
anyio.run(fill)
uvicorn.run(create_app(settings), port=int(sys.argv[1]), log_level="error", access_log=False)
"""
BODY = json.dumps(
    {"query": "上周和安娜讨论了什么合同", "user_id": "ada", "now": "2026-09-03T22:00:00+08:00", "limit": 25}
).encode()


async def hammer(port: int, seconds: float) -> tuple[list[float], int]:
    """The milliseconds of every request, and the bytes of an answer."""
    head = f"POST /v1/temporal-recall/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
    request = head.encode() + BODY
    until = time.perf_counter() + seconds
    times: list[float] = []
    size = 0

    async def one() -> None:
        nonlocal size
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < until:
            began = time.perf_counter()
            writer.write(request)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in answer[:20], answer
            size = int(answer.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            await reader.readexactly(size)
            times.append((time.perf_counter() - began) * 1000)
        writer.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return times, size


async def _up(port: int) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError("the server did not start")


async def run(seconds: float) -> list[str]:
    rates, lines = (
        [],
        ["| 16 connections, one worker | requests/s | median ms | p99 ms | answer, bytes |", "|---|---|---|---|---|"],
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, code, port in (("bare FastAPI endpoint", _BARE, 18471), ("`/query`, a week, 25 items", _OURS, 18472)):
            place = str(Path(folder) / "h.sqlite3")
            server = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(port), place)
            try:
                await _up(port)
                await hammer(port, 1)
                times, size = await hammer(port, seconds)
            finally:
                server.terminate()
                await server.wait()
            times.sort()
            rates.append(len(times) / seconds)
            p99 = times[int(len(times) * 0.99)]
            lines.append(f"| {name} | {rates[-1]:.0f} | {statistics.median(times):.1f} | {p99:.1f} | {size} |")
    return [*lines, "", f"The bare endpoint answers {rates[0] / rates[1]:.0f} times as many.", ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5)
    print("\n".join(asyncio.run(run(parser.parse_args().seconds))))


if __name__ == "__main__":
    main()
