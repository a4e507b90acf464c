"""Exports of chat programs: what is read of them, and that they come into the store once, however they are brought."""

from __future__ import annotations

import csv
import datetime as dt
import json
import zipfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from support import NOW

from adapters._store import Store, search
from adapters._store.asking import asked
from adapters._store.schema import messages
from planner.plan import zone_of
from temporal_recall.importers import FORMATS, ExportError, Left, Options, Report, Said, bring_in
from temporal_recall.importers.export import Export, opened
from temporal_recall.importers.whatsapp import date_of

pytestmark = pytest.mark.anyio
CASES = sorted(path.parent for path in (Path(__file__).parent.parent / "fixtures" / "imports").glob("*/*/export"))
each_case = pytest.mark.parametrize("case", CASES, ids=[f"{case.parent.name}-{case.name}" for case in CASES])


def options_of(case: Path) -> tuple[Options, str]:
    file = case / "options.json"
    given = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    zone = zone_of(given.get("timezone", "Asia/Shanghai"))
    return Options(zone, NOW, given.get("me"), given.get("date_order")), given.get("refused", "")


def read(form: str, path: Path, options: Options) -> list[Said | Left]:
    with opened(path) as export:
        return list(FORMATS[form](export, options))


def wire(found: list[Said | Left]) -> dict[str, Any]:
    messages, left = [], []
    for one in found:
        if isinstance(one, Left):
            left.append({"place": one.place, "reason": one.reason, "bad": one.bad, "attachments": list(one.attachments)})
            continue
        moment = None if one.moment is None else one.moment.astimezone(NOW.tzinfo).isoformat()
        messages.append({
            "conversation": one.conversation, "role": one.role, "text": one.text, "moment": moment, "place": one.place,
            "attachments": list(one.attachments),
        })  # fmt: skip
    return {"messages": messages, "left": left}


@each_case
def test_an_export_is_read_as_recorded(case: Path) -> None:
    """Its messages, and what is left out, where and why; or it is refused with what to do."""
    form = case.parent.name
    options, refused = options_of(case)
    if refused:
        with pytest.raises(ExportError, match=refused):
            read(form, case / "export", options)
        return
    found = read(form, case / "export", options)
    assert wire(found) == json.loads((case / "expected.json").read_text(encoding="utf-8"))
    keys = [one.id for one in found if isinstance(one, Said)]
    assert len(keys) == len(set(keys))


def test_there_are_cases_of_every_kind() -> None:
    """At least thirty exports, several of each format."""
    assert len(CASES) >= 30
    assert all(sum(case.parent.name == form for case in CASES) >= 5 for form in FORMATS)


@pytest.mark.parametrize("form", ["chatgpt", "claude", "slack", "telegram", "whatsapp"])
def test_the_archive_is_read_like_its_files(form: str, tmp_path: Path) -> None:
    """The archive as it is downloaded, also with a folder of its own around the files, gives the same messages."""
    for case in (case for case in CASES if case.parent.name == form):
        options, refused = options_of(case)
        if refused:
            continue
        plain = [one for one in read(form, case / "export", options) if isinstance(one, Said)]
        for around in ("", "export 2026/"):
            archive = tmp_path / f"{case.name}{len(around)}.zip"
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
                packed.writestr("__MACOSX/conversations.json", b"junk")
                for file in sorted((case / "export").rglob("*")):
                    if file.is_file():
                        packed.write(file, around + file.relative_to(case / "export").as_posix())
            packed_ones = [one for one in read(form, archive, options) if isinstance(one, Said)]
            assert [(one.id, one.role, one.text, one.moment) for one in packed_ones] == [
                (one.id, one.role, one.text, one.moment) for one in plain
            ]


@pytest.mark.parametrize("form", ["chatgpt", "claude", "telegram", "whatsapp", "wechat"])
def test_a_single_file_may_have_any_name(form: str, tmp_path: Path) -> None:
    """The file itself, renamed, is read as well."""
    for case in (case for case in CASES if case.parent.name == form):
        options, refused = options_of(case)
        files = [file for file in (case / "export").rglob("*") if file.is_file()]
        if refused or len(files) > 1:
            continue
        renamed = tmp_path / f"{case.name}.bin"
        renamed.write_bytes(files[0].read_bytes())
        found = [one.id for one in read(form, renamed, options) if isinstance(one, Said)]
        assert found == [one.id for one in read(form, case / "export", options) if isinstance(one, Said)]


# --- WhatsApp's dates -----------------------------------------------------------------------------------------------------

# (order, template of date, template of time, bracketed): as phones of several languages write them.
LOCALES = [
    ("dmy", "{d:02}/{m:02}/{y}", "{H:02}:{M:02}:{S:02}", True), ("dmy", "{d:02}.{m:02}.{y2:02}", "{H:02}:{M:02}", False),
    ("mdy", "{m}/{d}/{y2:02}", "{h}:{M:02}\u202f{P}", False), ("mdy", "{m}/{d}/{y}", "{h}:{M:02}:{S:02} {P}", True),
    ("dmy", "{d}-{m}-{y}", "{h}:{M:02} {p}", False), ("ymd", "{y}/{m}/{d}", "{c}{h}:{M:02}", False), ("ymd", "{y}-{m:02}-{d:02}", "{H:02}:{M:02}:{S:02}", True),
    ("dmy", "{d}/{m}/{y2:02}", "{h}:{M:02} {s}", False), ("ymd", "{y}. {m}. {d}.", "{k} {h}:{M:02}", False),
]  # fmt: skip
MOMENTS = st.lists(
    st.datetimes(dt.datetime(2012, 1, 1), dt.datetime(2026, 9, 3)).map(lambda m: m.replace(microsecond=0)),
    min_size=1,
    max_size=12,
).map(sorted)


def line(moment: dt.datetime, date: str, clock: str, bracketed: bool, text: str) -> str:
    late = moment.hour >= 12
    fields = {
        "d": moment.day, "m": moment.month, "y": moment.year, "y2": moment.year % 100, "H": moment.hour, "M": moment.minute,
        "S": moment.second, "h": (moment.hour - 1) % 12 + 1, "P": "PM" if late else "AM", "p": "pm" if late else "am",
        "s": "p.\u00a0m." if late else "a.\u00a0m.", "c": "下午" if late else "上午", "k": "오후" if late else "오전",
    }  # fmt: skip
    head = f"{date.format(**fields)}, {clock.format(**fields)}" if "年" not in date else ""
    return f"[{head}] Ada: {text}" if bracketed else f"{head} - Ada: {text}"


@given(MOMENTS, st.sampled_from(LOCALES))
def test_dates_are_read_in_the_order_they_are_written_in(
    moments: list[dt.datetime], locale: tuple[str, str, str, bool]
) -> None:
    """Whatever the phone's language: the right moments; a refusal only if another order would do as well; with the order given, never."""
    order, date, clock, bracketed = locale
    seconds = "{S" in clock
    wanted = [m if seconds else m.replace(second=0) for m in moments]
    text = "\n".join(line(m, date, clock, bracketed, f"n{n}") for n, m in enumerate(moments)) + "\n"

    def found(given: str | None) -> list[dt.datetime]:
        with TemporaryDirectory() as folder:
            path = Path(folder, "_chat.txt")
            path.write_text(text, encoding="utf-8")
            said = read("whatsapp", path, Options(dt.UTC, NOW, "Ada", given))
        assert all(isinstance(one, Said) for one in said)
        return [one.moment.replace(tzinfo=None) for one in said if isinstance(one, Said) and one.moment is not None]

    if order != "ymd":
        assert found(order) == wanted
    try:
        assert found(None) == wanted
    except ExportError:
        assert all(m.day <= 12 for m in moments) and any(m.day != m.month for m in moments) and order != "ymd"


@given(st.integers(1, 9999), st.integers(0, 99), st.integers(0, 9999), st.sampled_from(["dmy", "mdy", "ymd"]))
def test_a_date_is_real_or_none(a: int, b: int, c: int, order: str) -> None:
    """Three numbers are a date from 2009 to today, or none."""
    date = date_of(str(a), str(b), str(c), order, NOW.date())
    assert date is None or dt.date(2009, 1, 1) <= date <= NOW.date()


# --- into the store -------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def opened_store(path: Path) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{path}")
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def brought(store: Store, form: str, path: Path, options: Options, **how: Any) -> Report:
    return await bring_in(store, "ada", form, path, options, options.zone, **how)


async def kept(store: Store) -> list[tuple[Any, ...]]:
    columns = (messages.c.request_id, messages.c.role, messages.c.content, messages.c.observed_ms, messages.c.event_ms)
    rows = await store.read(lambda seen: seen.connection.execute(select(*columns)).all())
    return sorted(tuple(row) for row in rows)


@each_case
async def test_twice_is_once(case: Path, tmp_path: Path) -> None:
    """A second time nothing is added, whatever the export; the counts add up, and a dry run told them and wrote nothing."""
    options, refused = options_of(case)
    if refused:
        return
    async with opened_store(tmp_path / "s.sqlite3") as store:
        dry = await brought(store, case.parent.name, case / "export", options, dry_run=True)
        assert await kept(store) == []
        first = await brought(store, case.parent.name, case / "export", options)
        rows = await kept(store)
        second = await brought(store, case.parent.name, case / "export", options)
        assert await kept(store) == rows
    assert dry.wire() == first.wire()
    assert (second.added, second.known) == (0, first.added) == (0, len(rows))
    assert first.read == first.added + first.known + first.skipped + first.bad
    assert first.wire()["reasons"] == Counter(row["reason"] for row in first.wire()["left"])


SPOKEN = st.lists(
    st.tuples(st.sampled_from(["Ada", "Bob", "小林"]), st.sampled_from(["ok", "好", "明天下午三点开会", "see you\non Friday", "a, \"b\" <c>"])),
    min_size=1, max_size=9,
)  # fmt: skip


def lay_out(form: str, spoken: list[tuple[str, str]], folder: Path) -> Path:
    """An export of these messages, a minute after one another, where the format can: two in the same minute."""
    start = dt.datetime(2026, 9, 2, 1, 0, tzinfo=dt.UTC)
    rows = [(n, name, text, start + dt.timedelta(minutes=n // 2)) for n, (name, text) in enumerate(spoken)]
    path = folder / {"whatsapp": "_chat.txt", "wechat": "chat.csv"}.get(form, "export.json")
    if form == "chatgpt":
        nodes = {
            f"n{n}": {
                "id": f"n{n}", "parent": f"n{n - 1}" if n else None, "children": [f"n{n + 1}"] if n + 1 < len(rows) else [],
                "message": {"id": f"m{n}", "author": {"role": "user" if name == "Ada" else "assistant"}, "create_time": at.timestamp(), "content": {"content_type": "text", "parts": [text]}},
            }
            for n, name, text, at in rows
        }  # fmt: skip
        path.write_text(json.dumps([{"id": "c", "current_node": f"n{len(rows) - 1}", "mapping": nodes}]))
    elif form == "claude":
        said = [
            {"uuid": f"m{n}", "sender": "human" if name == "Ada" else "assistant", "text": text, "created_at": at.isoformat()}
            for n, name, text, at in rows
        ]
        path.write_text(json.dumps([{"uuid": "c", "chat_messages": said}]))
    elif form == "telegram":
        said = [
            {"id": n, "type": "message", "date_unixtime": str(int(at.timestamp())), "from": name, "from_id": name, "text": text}
            for n, name, text, at in rows
        ]
        people = {"personal_information": {"user_id": 1}}
        path.write_text(json.dumps(people | {"chats": {"list": [{"id": 5, "name": "x", "messages": said}]}}))
    elif form == "slack":
        path = folder / "slack"
        (path / "general").mkdir(parents=True, exist_ok=True)
        users = [{"id": f"U{n}", "name": name} for n, name in enumerate(("Ada", "Bob", "小林"))]
        (path / "users.json").write_text(json.dumps(users))
        said = [{"type": "message", "user": "U0", "ts": f"{at.timestamp():.1f}{n:05}", "text": text} for n, _, text, at in rows]
        (path / "general" / "2026-09-02.json").write_text(json.dumps(said))
    elif form == "wechat":
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["消息ID", "类型", "发送人", "时间", "内容"])
            writer.writerows([7, "文本", name, f"{at:%Y-%m-%d %H:%M:%S}", text] for _, name, text, at in rows)
    else:
        path.write_text("".join(f"[{at:%Y/%m/%d, %H:%M:%S}] {name}: {text}\n" for _, name, text, at in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", sorted(FORMATS))
@settings(max_examples=12, deadline=None)
@given(spoken=SPOKEN, data=st.data())
def test_a_part_and_then_the_whole_is_the_whole(form: str, spoken: list[tuple[str, str]], data: st.DataObject) -> None:
    """An export that has grown since, or one that was broken off, adds what is new, and the store is as if it had come at once."""
    cut = data.draw(st.integers(1, len(spoken)))
    options = Options(dt.UTC, NOW, spoken[0][0] if form != "slack" else "Ada")

    async def run(folder: Path) -> None:
        async with opened_store(folder / "a.sqlite3") as grown, opened_store(folder / "b.sqlite3") as whole:
            part = await brought(grown, form, lay_out(form, spoken[:cut], folder), options)
            assert (part.added, part.bad) == (cut, 0)
            path = lay_out(form, spoken, folder)
            assert (await brought(grown, form, path, options)).added == len(spoken) - cut
            await brought(whole, form, path, options)
            assert await kept(grown) == await kept(whole)

    with TemporaryDirectory() as folder:
        anyio.run(run, Path(folder))


async def test_broken_off_and_gone_on(tmp_path: Path) -> None:
    """What was kept before an interruption stays, and the next run adds exactly the rest."""
    spoken = [("Ada" if n % 2 else "Bob", f"message number {n}") for n in range(1000)]
    path, options = lay_out("telegram", spoken, tmp_path), Options(dt.UTC, NOW)
    async with opened_store(tmp_path / "s.sqlite3") as store:

        def stop(export: Export) -> None:
            if export.done and calls.append(1) is None and len(calls) > 12:
                raise KeyboardInterrupt

        calls: list[int] = []
        with pytest.raises(KeyboardInterrupt):
            await brought(store, "telegram", path, options, progress=stop)
        before = len(await kept(store))
        assert 0 < before < 1000
        assert (await brought(store, "telegram", path, options)).added == 1000 - before
        assert len(await kept(store)) == 1000


async def test_a_speaker_is_found(tmp_path: Path) -> None:
    """Whose words they are is asked by name: of two alike, those of the one who is named come first."""
    path = lay_out("telegram", [("Bob", "the budget is fine"), ("小林", "the budget is fine"), ("Ada", "ok")], tmp_path)
    async with opened_store(tmp_path / "s.sqlite3") as store:
        await brought(store, "telegram", path, Options(dt.UTC, NOW))
        for question, role in (("what did Bob say about the budget", "Bob"), ("小林 说 budget 怎么样", "小林")):
            found = await store.read(partial(search.search, user_id="ada", asked=asked(question), limit=5))
            assert found.hits[0].row.role == role


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 no archive", b"\x00" * 100, b"[" * 100_000, b"{}", b"[]", b"null", b'"x"', b"[1, 2"]
)
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_what_is_no_export(form: str, content: bytes, tmp_path: Path) -> None:
    """Anything else gives no message: it is refused, or its rows are bad."""
    path = tmp_path / "export"
    path.write_bytes(content)
    try:
        found = read(form, path, Options(dt.UTC, NOW, "Ada"))
    except ExportError:
        return
    assert all(isinstance(one, Left) and one.bad for one in found)
