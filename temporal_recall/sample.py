"""A small sample life, laid around today in files for every source, and a real MeInput export server that tells part of it.

`make run` and the tests start the server on a loopback socket. It speaks the export contract of `adapters/meinput.py`, strictly: a
missing or wrong token is 401, a window without both ends is 400, pages follow a cursor.
"""

from __future__ import annotations

import datetime as dt
import json
import mailbox
import socket
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

USER = "demo"
QUESTION = "我这周有什么重要的事？"

# (days from today, hour, minute, text): what was typed on the phone, and what was said in the chat, with its role.
_TYPED = (
    (-9, 9, 20, "下个月初的体检已经预约好了"),
    (-3, 18, 40, "今天和房东签了新合同，押一付三"),
    (-1, 14, 30, "MeInput 验证上屏，输入法新版本发布了"),
    (-1, 21, 5, "昨天的评审会决定先做中文"),
    (0, 8, 15, "明天下午三点和王老师讨论论文，地点在三号楼"),
    (0, 9, 2, "今天面试了两个候选人，都不错"),
)
_SAID = (
    (-30, 10, 0, "user", "下个月15号之前要交季度报告，别忘了提醒我"),
    (-6, 11, 0, "user", "上周末去爬山了，拍了好多照片"),
    (-2, 9, 30, "user", "I'll send the signed contract to Anna by Friday"),
    (-2, 9, 31, "assistant", "Noted: the signed contract goes to Anna by Friday."),
    (-1, 10, 12, "user", "后天晚上七点和小李吃饭，庆祝项目上线"),
    (0, 10, 40, "user", "周日的机票已经买好了，上午九点飞上海"),
    (0, 10, 41, "assistant", "好的，已记下周日上午九点飞上海的航班。"),
    (0, 12, 30, "user", "We decided to move the launch to next Monday"),
)


# What another memory system knows; appointments, tasks, mails and pages, by days from today.
_REMEMBERED = ((-20, 20, 0, "user", "小李下周生日，喜欢科幻小说"), (-4, 9, 0, "user", "五天后是妈妈的生日，要订蛋糕"))
_APPOINTMENTS = (
    (0, 16, "产品周会", "二号会议室"),
    (1, 10, "Dentist", "Smile Clinic"),
    (1, 19, "和小李吃饭", "老四川"),
    (-1, 11, "预算评审", "线上"),
)
_TASKS = ((-5, 1, "交房租"), (-3, 3, "send the signed contract to Anna"), (-2, 6, "整理季度报告的数据"))
_MAILS = (
    (-2, 15, "Anna <anna@example.org>", "Contract draft", "Please send me the signed contract by Friday."),
    (-1, 17, "航空公司 <noreply@air.example>", "出票成功通知", "您购买的周日上午九点飞往上海的机票已出票。"),
)
_PAGES = (
    (-1, 20, "https://travel.example/shanghai", "上海三日游攻略"),
    (0, 9, "https://papers.example/review", "How to review a paper"),
)
_NOTES = ((-1, "09:40 预算评审过了，先做中文"), (0, "08:30 准备和王老师讨论论文的提纲"))


def lay_out(folder: Path, now: dt.datetime) -> None:
    """Writes the files that `temporal_recall.folder` reads, laid around `now` (aware); nothing was told after it."""
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    _write_lines(folder / "meinput.jsonl", typed(now))
    for name, said in (("chat", _SAID), ("memory", _REMEMBERED)):
        rows = [{"role": r, "content": t, "timestamp": _at(now, d, h, m).isoformat()} for d, h, m, r, t in said]
        _write_lines(folder / f"{name}.jsonl", rows)
    (folder / "calendar.ics").write_text(_calendar(now), encoding="utf-8", newline="")
    day = dt.timedelta(days=1)
    tasks = [f"{now + day * made:%Y-%m-%d} {text} due:{now + day * due:%Y-%m-%d}\n" for made, due, text in _TASKS]
    (folder / "todo.txt").write_text("".join(tasks), encoding="utf-8")
    _write_mails(folder / "mail.mbox", now)
    (folder / "history.sql").write_text(_history(now), encoding="utf-8")
    for days, text in _NOTES:
        (folder / "notes" / f"{now + day * days:%Y-%m-%d}.md").write_text(f"- {text}\n", encoding="utf-8")


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _calendar(now: dt.datetime) -> str:
    stamp = "%Y%m%dT%H%M%SZ"
    rows = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//temporal-recall//sample//EN"]
    for n, (days, hour, title, place) in enumerate(_APPOINTMENTS):
        start = (now + dt.timedelta(days=days)).replace(hour=hour, minute=0, second=0, microsecond=0).astimezone(dt.UTC)
        rows += [
            "BEGIN:VEVENT", f"UID:sample-{n}", f"DTSTAMP:{now - dt.timedelta(days=7):%Y%m%d}T000000Z",
            f"SUMMARY:{title}",
            f"DTSTART:{start.strftime(stamp)}", f"DTEND:{(start + dt.timedelta(hours=1)).strftime(stamp)}",
            f"LOCATION:{place}", "END:VEVENT",
        ]  # fmt: skip
    return "\r\n".join([*rows, "END:VCALENDAR", ""])


def _write_mails(path: Path, now: dt.datetime) -> None:
    path.unlink(missing_ok=True)
    box = mailbox.mbox(path)
    for n, (days, hour, sender, subject, body) in enumerate(_MAILS):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, f"{USER}@example.org", subject
        mail["Date"], mail["Message-ID"] = format_datetime(_at(now, days, hour, 0)), f"<sample-{n}@example.org>"
        mail.set_content(body)
        box.add(mail)
    box.close()


def _history(now: dt.datetime) -> str:
    since_1601 = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
    rows = [
        "CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, title TEXT, hidden INTEGER);",
        "CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER, transition INTEGER, visit_duration INTEGER);",
    ]
    for n, (days, hour, url, title) in enumerate(_PAGES, 1):
        at = (_at(now, days, hour, 0) - since_1601) // dt.timedelta(microseconds=1)
        rows += [
            f"INSERT INTO urls VALUES ({n}, '{url}', '{title}', 0);",
            f"INSERT INTO visits VALUES ({n}, {n}, {at}, 1, 60000000);",
        ]
    return "\n".join(rows) + "\n"


def typed(now: dt.datetime) -> list[dict[str, Any]]:
    """The export's rows, laid around `now` (aware), none after it."""
    rows = []
    for n, (days, hour, minute, text) in enumerate(_TYPED):
        moment = _at(now, days, hour, minute)
        rows.append(
            {
                "evidence_id": f"sample-{n}",
                "type": "expression_segment",
                "text": text,
                "occurred_at": moment.isoformat(),
                "user_id": USER,
            }
        )
    rows.append({"evidence_id": "sample-key", "type": "key_event", "text": "", "occurred_at": now.isoformat(), "user_id": USER})
    return rows


def _at(now: dt.datetime, days: int, hour: int, minute: int) -> dt.datetime:
    moment = (now + dt.timedelta(days=days)).replace(hour=hour, minute=minute, second=0, microsecond=0)
    # Nothing is said after now, and what was said today was said today, also in the first minute of the day.
    just_before = now - dt.timedelta(minutes=1)
    return min(moment, just_before if just_before.date() == now.date() else now)


def export_app(
    rows: Iterable[dict[str, Any]], token: str | None = None, *, ndjson: bool = False, delay: float = 0.0
) -> Starlette:
    """A MeInput cloud that knows `rows`. `delay` seconds pass before each answer."""
    known = sorted(rows, key=lambda row: str(row.get("occurred_at")))

    async def export(request: Request) -> Response:
        if token is not None and request.headers.get("authorization") != f"Bearer {token}":
            return JSONResponse({"error": "unauthorized"}, 401)
        if delay:
            await anyio.sleep(delay)
        query = request.query_params
        try:
            start, end = (dt.datetime.fromisoformat(query[name].replace("Z", "+00:00")) for name in ("from", "to"))
            size, offset = int(query.get("limit", 100)), int(query.get("cursor", 0))
        except (KeyError, ValueError):
            return JSONResponse({"error": "from, to, limit and cursor must be well formed"}, 400)
        mine = [
            row
            for row in known
            if row.get("user_id", query.get("user_id")) == query.get("user_id") and _within(row, start, end)
        ]
        page = mine[offset : offset + size]
        following = str(offset + size) if offset + size < len(mine) else None
        if ndjson:
            body = "\n".join(json.dumps(row, ensure_ascii=False) for row in page)
            headers = {"x-next-cursor": following} if following else {}
            return Response(body, media_type="application/x-ndjson", headers=headers)
        return JSONResponse({"items": page, "next_cursor": following})

    return Starlette(routes=[Route("/v1/evidence/export", export)])


def _within(row: dict[str, Any], start: dt.datetime, end: dt.datetime) -> bool:
    try:
        moment = dt.datetime.fromisoformat(str(row["occurred_at"]))
    except (KeyError, ValueError):
        return True
    return start <= (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)) < end


class _Server(uvicorn.Server):
    """A server beside another one: it leaves the process's signals alone."""

    def install_signal_handlers(self) -> None:
        return None


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    """Serves an ASGI app on a free loopback port for as long as the context lasts; gives its URL."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = uvicorn.Config(app, log_level="warning", lifespan="off", access_log=False, timeout_graceful_shutdown=1)
    server = _Server(config)
    caught: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_serve, server, [listener])
        while not server.started:  # noqa: ASYNC110 (uvicorn has no event to wait for)
            await anyio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        except Exception as error:  # raised again below: the task group would wrap it
            caught = error
        finally:
            server.should_exit = True
            server.force_exit = True
    if caught is not None:
        raise caught


async def _serve(server: uvicorn.Server, sockets: Sequence[socket.socket]) -> None:
    # serve() would take over the process's signals; the outer server, or the test, has them.
    await server._serve(list(sockets))
