"""The adapter contract, held against every source in every form: one suite, the same for all."""

from __future__ import annotations

import datetime as dt
import gc
import os
import threading
import time
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from conformance import Kit, Record, asking, kits
from support import NOW, SHANGHAI

from adapters import Items, SourceError, TimelineItem
from planner.ranges import TimeRange

pytestmark = pytest.mark.anyio

KITS = [
    pytest.param(kit, id=kit.name, marks=[pytest.mark.skipif(bool(kit.why_not), reason=kit.why_not or "-")]) for kit in kits()
]
each_kit = pytest.mark.parametrize("kit", KITS)
DAY = dt.datetime(2026, 9, 1, tzinfo=SHANGHAI)


def at(hours: float) -> dt.datetime:
    """So many hours after the asked day, 2026-09-01 in Shanghai, begins."""
    return DAY + dt.timedelta(hours=hours)


def in_day(items: list[TimelineItem], kit: Kit) -> set[str]:
    """The texts of the items that belong to the asked day by the time that the kit's records have."""
    end = DAY + dt.timedelta(days=1)
    kept = set()
    for item in items:
        if kit.by_event:
            event = item.event
            if event is not None and event.start is not None and TimeRange(DAY, end).overlaps(event.start, event.end):
                kept.add(item.content.strip())
        elif item.observed_time is not None and DAY <= item.observed_time < end:
            kept.add(item.content.strip())
    return kept


def holds(texts: set[str], word: str) -> bool:
    return any(word in text for text in texts)


@each_kit
async def test_the_end_is_out(kit: Kit, tmp_path: Path) -> None:
    """What lies on the range's start is in, what lies on its end is not."""
    records = [
        Record("r1", "alpha", at(0)),
        Record("r2", "bravo", at(23.5)),
        Record("r3", "charlie", at(24)),
        Record("r4", "delta", at(-0.5)),
    ]
    async with kit.opened(tmp_path, records) as adapter:
        texts = in_day(list(await adapter.search(asking(kit))), kit)
    assert holds(texts, "alpha")
    assert holds(texts, "bravo")
    assert not holds(texts, "charlie")
    assert not holds(texts, "delta")


@each_kit
async def test_overlap_counts(kit: Kit, tmp_path: Path) -> None:
    """What began before the range and ends in it belongs to it; what ends where it starts does not."""
    if not kit.extent:
        pytest.skip("records of this source have no extent")
    records = [
        Record("r1", "alpha", at(-2), at(2)),
        Record("r2", "bravo", at(-3), at(0)),
        Record("r3", "charlie", at(-30), at(60)),
    ]
    async with kit.opened(tmp_path, records) as adapter:
        texts = in_day(list(await adapter.search(asking(kit))), kit)
    assert holds(texts, "alpha")
    assert holds(texts, "charlie")
    assert not holds(texts, "bravo")


@each_kit
async def test_times_are_aware_and_refs_are_stable(kit: Kit, tmp_path: Path) -> None:
    """Every time has a zone; asked again, and opened again, the same record has the same reference, and no two share one."""
    records = [Record(f"r{n}", f"thing number {n}", at(n)) for n in range(8)]
    refs = []
    for _ in range(2):
        async with kit.opened(tmp_path, records) as adapter:
            for _ in range(2):
                items = list(await adapter.search(asking(kit)))
                refs.append([item.source_ref for item in items])
                for item in items:
                    for moment in (item.observed_time, item.event_time, item.event_end):
                        assert moment is None or moment.tzinfo is not None
                    assert 0 <= item.importance <= 1 and 0 <= item.confidence <= 1
                    assert item.title.strip() and item.source == adapter.source
                    assert item.source_ref.startswith(adapter.source + ":")
    assert len(refs[0]) == len(set(refs[0])) == 8
    assert refs[0] == refs[1] == refs[2] == refs[3]


@each_kit
async def test_the_limit_keeps_what_belongs(kit: Kit, tmp_path: Path) -> None:
    """At most `limit` items; those of the asked day stay, and that more was there is told."""
    records = [Record(f"n{n}", f"near {n}", at(n)) for n in range(6)]
    records += [Record(f"f{n}", f"far {n}", at(-24 * (n + 3))) for n in range(12)]
    async with kit.opened(tmp_path, records) as adapter:
        items = await adapter.search(asking(kit, limit=4))
        assert len(items) == 4
        assert len(in_day(list(items), kit)) == 4
        assert isinstance(items, Items) and items.truncated


@each_kit
async def test_nobody_elses(kit: Kit, tmp_path: Path) -> None:
    """One person's question never shows another's data; a stranger gets nothing."""
    if not kit.people:
        pytest.skip("this form holds one person's data")
    records = [Record("r1", "alpha", at(1)), Record("r2", "bravo", at(2), user="eve")]
    async with kit.opened(tmp_path, records) as adapter:
        for user, own, other in (("ada", "alpha", "bravo"), ("eve", "bravo", "alpha")):
            texts = {item.content for item in await adapter.search(asking(kit, user=user))}
            assert holds(texts, own) and not holds(texts, other)
        for stranger in ("mallory", "ad", "ada ", "%", "a_a", "' or '1'='1"):
            assert list(await adapter.search(asking(kit, user=stranger))) == []


@each_kit
async def test_nothing_there(kit: Kit, tmp_path: Path) -> None:
    async with kit.opened(tmp_path, []) as adapter:
        assert list(await adapter.search(asking(kit))) == []
        assert (await adapter.check()).strip()


@pytest.mark.parametrize(
    ("kit", "damage"),
    [pytest.param(kit.values[0], d, id=f"{kit.id}-{d}", marks=kit.marks) for kit in KITS for d in kit.values[0].damaged],
)
async def test_damage_costs_only_itself(kit: Kit, damage: str, tmp_path: Path) -> None:
    """Beside malformed, truncated and hostile rows the sound ones are found, and what was left out is counted."""
    records = [Record("r1", "alpha", at(1)), Record("r2", "bravo 😀\u200b\u202e", at(2)), Record("r3", "周会 charlie", at(3))]
    async with kit.damaged[damage](tmp_path, records) as adapter:
        items = await adapter.search(asking(kit))
        texts = in_day(list(items), kit)
    assert holds(texts, "alpha") and holds(texts, "bravo") and holds(texts, "charlie")
    assert isinstance(items, Items)
    assert items.skipped or items.undated or items.problems or items.truncated


@pytest.mark.parametrize(
    ("kit", "damage"),
    [pytest.param(kit.values[0], d, id=f"{kit.id}-{d}", marks=kit.marks) for kit in KITS for d in kit.values[0].broken],
)
async def test_nothing_but_damage(kit: Kit, damage: str, tmp_path: Path) -> None:
    """A place that cannot be read is an error that says so, or empty: never another exception, never an invented item."""
    async with kit.broken[damage](tmp_path) as adapter:
        try:
            found = list(await adapter.search(asking(kit)))
        except SourceError:
            return
    assert found == []


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@each_kit
async def test_given_up_leaves_nothing(kit: Kit, tmp_path: Path) -> None:
    """Given up in the middle, a search ends at once, and no thread, file or connection of it is left."""
    if kit.slow is None:
        pytest.skip("this form has no slow place")
    async with kit.slow(tmp_path) as adapter:
        with anyio.move_on_after(0.05):  # what is opened once, and kept, is opened now
            await adapter.search(asking(kit))
        await anyio.sleep(0.1)
        files, threads = _open_files(), _working()
        for _ in range(3):
            before = time.monotonic()
            with anyio.move_on_after(0.2) as scope:
                await adapter.search(asking(kit))
            late = time.monotonic() - before - 0.2
            assert scope.cancelled_caught, "the kit's slow place is not slow"
            assert late < 0.5  # promised within 0.1 s; the rest is for a machine that is busy with other tests
        await anyio.sleep(0.1)
        assert _working() <= threads
        assert _open_files() <= files + 1


def _working() -> int:
    """Threads other than the idle workers that the event loop keeps."""
    return sum(1 for thread in threading.enumerate() if "AnyIO worker" not in thread.name and "asyncio_" not in thread.name)


@each_kit
async def test_the_loop_goes_on(kit: Kit, tmp_path: Path) -> None:
    """While a source is read, the event loop serves others: no step of it takes a tenth of a second of the processor."""
    records = [Record(f"r{n}", f"meeting number {n} about the plan", at(n / 100)) for n in range(400)]
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        before = time.thread_time()
        while True:
            await anyio.lowlevel.checkpoint()
            now = time.thread_time()
            longest, before = max(longest, now - before), now

    async with kit.opened(tmp_path, records) as adapter:
        await adapter.search(asking(kit))  # what is imported and opened once
        gc.collect()
        gc.freeze()  # as the service does: what all the tests before have left is not looked through here
        async with anyio.create_task_group() as group:
            group.start_soon(tick)
            items = await adapter.search(asking(kit, limit=400))
            group.cancel_scope.cancel()
        gc.unfreeze()
    assert len(items) >= 100  # as many as any source may give at once
    assert longest < 0.1


@each_kit
@pytest.mark.parametrize(
    "now", [NOW, NOW.astimezone(dt.UTC), dt.datetime(1970, 1, 1, tzinfo=dt.UTC)], ids=["shanghai", "utc", "1970"]
)
async def test_any_now(kit: Kit, now: dt.datetime, tmp_path: Path) -> None:
    """Whatever the moment and the zone of the question, it is answered with what belongs."""
    async with kit.opened(tmp_path, [Record("r1", "alpha", at(12))]) as adapter:
        items = await adapter.search(asking(kit, "2026-09-01", now=now))
        if now == NOW:
            assert holds({item.content for item in items}, "alpha")
