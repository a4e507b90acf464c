"""The embedded store: what is written is whole, once, found by its owner, whoever writes beside it."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import anyio
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import NOW, both_databases, in_time, ms

from adapters._candidates import NONE
from adapters._store import NewMessage, Snapshot, Store, matching, search, timeline
from adapters._store.asking import asked
from adapters._store.kept import Kept
from adapters._store.writing import add, spans_of
from adapters._times import from_ms, to_ms
from planner import words
from planner.restatement import Gist

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = Store(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def said(text: str, when: str | None = "2026-09-02T10:00") -> NewMessage:
    return NewMessage("user", text, None if when is None else ms(when))


async def find(store: Store, query: str, user: str = "ada") -> list[str]:
    found = await store.read(lambda seen: search.search(seen, user, search.Asked(words.sought(query), query), 50))
    return [hit.row.content for hit in found.hits]


@both_databases
async def test_two_processes_write_for_one_person(database: str) -> None:
    """Two stores on one file, both adding at once: every batch is kept once, and both read what the other wrote."""
    async with opened(database) as one, opened(database) as two:

        async def write(store: Store, name: str) -> None:
            for n in range(15):
                assert await add(
                    store, "ada", f"{name}-{n}", "s", [said(f"{name} 的第 {n} 次评审"), said("好的")], NOW.tzinfo or dt.UTC
                )

        async with anyio.create_task_group() as group:
            group.start_soon(write, one, "甲")
            group.start_soon(write, two, "乙")
        for store in (one, two):
            assert len(await find(store, "评审")) >= 30


@both_databases
async def test_the_same_request_twice_at_once_is_kept_once(database: str) -> None:
    """A retry that overtakes its first attempt, in another process, does not double the messages."""
    async with opened(database) as one, opened(database) as two:
        kept: list[bool] = []

        async def write(store: Store) -> None:
            kept.append(await add(store, "ada", "r", "s", [said("只有一次的评审")], NOW.tzinfo or dt.UTC))

        async with anyio.create_task_group() as group:
            for store in (one, two) * 4:
                group.start_soon(write, store)
        assert sorted(kept) == [False] * 7 + [True]
        assert await find(one, "评审") == ["只有一次的评审"]


@both_databases
async def test_a_conversation_carries_its_turns(database: str) -> None:
    """The answer to a question is found by the question's words, though it shares none of them."""
    async with opened(database) as store:
        batch = [
            said("今天天气不错", "2026-09-01T08:00"),
            said("周末去哪里爬山好？", "2026-09-02T10:00"),
            NewMessage("assistant", "香山吧，人少。", ms("2026-09-02T10:01")),
            said("晚饭吃面", "2026-09-02T19:00"),
        ]
        await add(store, "ada", "r", "s", batch, NOW.tzinfo or dt.UTC)
        assert (await find(store, "爬山"))[:2] == ["周末去哪里爬山好？", "香山吧，人少。"]


@both_databases
async def test_an_asked_time_is_soft_in_search(database: str) -> None:
    """A message of the asked day is found without a word in common, and what was told a day later still is; another month is not."""
    async with opened(database) as store:
        for n, (text, when) in enumerate(
            (("搬了新家", "2026-08-10T10:00"), ("还在收拾箱子", "2026-08-11T09:00"), ("修好了自行车", "2026-06-01T10:00"))
        ):
            await add(store, "ada", f"r{n}", "s", [said(text, when)], NOW.tzinfo or dt.UTC)
        day = (ms("2026-08-10T00:00"), ms("2026-08-11T00:00"))
        found = await store.read(lambda seen: search.search(seen, "ada", search.Asked([], "那天做了什么", day), 50))
        assert [hit.row.content for hit in found.hits] == ["搬了新家", "还在收拾箱子"]


@pytest.mark.parametrize(
    ("query", "told", "first"),
    [
        (
            "What did we eat on the day of the jazz concert?",
            [
                ("Two tickets for the jazz concert, the jazz concert in the park", "2026-08-01T10:00"),
                ("We eat soup", "2026-08-03T19:00"),
                ("The jazz concert was loud", "2026-08-07T15:00"),
                ("We eat noodles", "2026-08-07T19:00"),
                ("New shoes", "2026-08-07T21:00"),
            ],
            "We eat noodles",
        ),
        (
            "马拉松比赛当天晚饭吃了什么？",
            [
                ("报名马拉松比赛，马拉松比赛要体检", "2026-08-01T10:00"),
                ("晚饭吃了馄饨", "2026-08-03T19:00"),
                ("马拉松比赛下雨了", "2026-08-07T09:00"),
                ("晚饭吃了火锅", "2026-08-07T19:00"),
                ("买了新鞋", "2026-08-07T21:00"),
            ],
            "晚饭吃了火锅",
        ),
    ],
)
async def test_a_day_that_an_event_tells_is_found_by_what_is_asked_of_it_too(
    tmp_path: Path, query: str, told: list[tuple[str, str]], first: str
) -> None:
    """Of the days on which the event was spoken of, the one that also tells what is asked is meant; all of that day comes before what
    only repeats the event's name.
    """
    async with opened(f"sqlite:///{tmp_path}/t.sqlite3") as store:
        for n, (text, when) in enumerate(told):
            await add(store, "ada", f"r{n}", "s", [said(text, when)], NOW.tzinfo or dt.UTC)
        found = await store.read(lambda seen: search.search(seen, "ada", asked(query, zone=NOW.tzinfo or dt.UTC), 50))
        texts = [hit.row.content for hit in found.hits]
        assert texts[0] == first
        assert texts.index(told[-1][0]) < texts.index(told[0][0])


@both_databases
async def test_what_is_told_as_in_a_year_answers_for_a_day_of_it_last(database: str) -> None:
    """The year holds the day, but says little of it: what was told on the day goes before it, though it has fewer of the words."""
    async with opened(database) as store:
        for n, (text, when) in enumerate(
            (
                ("2025年工厂的产量公布了", "2026-02-03T10:00"),
                ("产量比上月高", "2025-10-28T10:00"),
                ("工厂的产量", "2024-05-01T10:00"),
            )
        ):
            await add(store, "ada", f"r{n}", "s", [said(text, when)], NOW.tzinfo or dt.UTC)
        day = (ms("2025-10-28T00:00"), ms("2025-10-29T00:00"))
        wanted = search.Asked(words.sought("工厂公布了什么产量"), "工厂公布了什么产量", day)
        found = await store.read(lambda seen: search.search(seen, "ada", wanted, 50))
        assert found.hits[0].row.content == "产量比上月高"


@pytest.mark.parametrize("moment", [0, -62135596800000, 253402300799999, 1788444000123, -1])
def test_milliseconds_round_trip(moment: int) -> None:
    """Every millisecond of the years 1 to 9999 survives."""
    assert to_ms(from_ms(moment, dt.UTC)) == moment


@both_databases
async def test_odd_texts_are_kept_whole(database: str) -> None:
    """Long, empty of words, of one character, right-to-left, emoji: kept as they are, and none breaks the batch."""
    odd = ["。" * 5, "a", "🙂🙃", "مرحبا بالعالم", "x" * 20000, "第" * 3000, "line\nbreak\ttab", "\u200b零宽\u200b"]
    async with opened(database) as store:
        assert await add(store, "ada", "r", "s", [said(text) for text in odd], NOW.tzinfo or dt.UTC)
        hits = await store.read(lambda seen: in_time(seen, (ms("2026-09-01T00:00"), ms("2026-09-05T00:00")), None))
        assert sorted(hit.row.content for hit in hits) == sorted(odd)


@both_databases
async def test_the_words_that_merging_compares_are_kept(database: str) -> None:
    """They are those that are read from the text, whatever it holds."""
    texts = [
        "和小李看电影",
        "周五",
        "周五下午三点开会，讨论3号楼的预算",
        "Dinner with Bea's boss at 7pm",
        "½ ① ﾃｽﾄ 👩‍👩‍👧",
        "wi-fi on Monday",
        "好的 收到",
        "7",
    ]
    async with opened(database) as store:
        await add(store, "ada", "r", "s", [said(text) for text in texts], NOW.tzinfo or dt.UTC)
        rows = await store.read(lambda seen: in_time(seen, (0, to_ms(NOW)), None))
    for row in (hit.row for hit in rows):
        assert row.said is not None
        assert tuple(row.said.split()) == Gist(row.content, spans_of(row.time_spans)).said


@both_databases
async def test_a_stated_date_is_a_day_of_the_persons_zone(database: str) -> None:
    """A message without a time that names a full date is dated by it, from midnight to midnight where the person lives."""
    async with opened(database) as store:
        await add(store, "ada", "r1", "s", [said("2026年9月2日签了合同", None)], NOW.tzinfo or dt.UTC)
        hits = await store.read(lambda seen: in_time(seen, None, (ms("2026-09-02T00:00"), ms("2026-09-03T00:00"))))
    assert [(hit.row.event_ms, hit.row.event_end_ms) for hit in hits] == [(ms("2026-09-02T00:00"), ms("2026-09-03T00:00"))]


@both_databases
async def test_who_gives_up_takes_nothing_from_the_others(database: str) -> None:
    """Questions asked at once, many given up wherever they are, while messages come in one by one: afterwards every one is found."""
    async with opened(database) as store:

        async def write() -> None:
            for n in range(60):
                await add(store, "ada", f"r{n}", "s", [said(f"第{n}次评审")], NOW.tzinfo or dt.UTC)

        async def ask(patience: float) -> None:
            for _ in range(40):
                with anyio.move_on_after(patience):
                    found = await find(store, "评审")
                    assert len(found) == len(set(found))

        async with anyio.create_task_group() as group:
            group.start_soon(write)
            for patience in (0.0005, 0.001, 0.002, 0.004, 10):
                group.start_soon(ask, patience)
        assert len(set(await store.read(lambda seen: [hit.row.content for hit in _all(seen)]))) == 60


@given(size=st.integers(1, 300), share=st.sampled_from([0.02, 0.3, 1.0]), seed=st.integers(0, 2**32 - 1))
def test_no_message_matches_better_than_its_stretch_may(size: int, share: float, seed: int) -> None:
    """Of any conversation, with pauses, questions, records of one moment and some without a time, in any order of writing."""
    dice = np.random.default_rng(seed)
    columns = np.zeros(size, timeline._COLUMNS)
    columns["observed"] = np.cumsum(dice.choice([0, 60_000, 3_600_001], size, p=[0.2, 0.7, 0.1]))
    columns["observed"][dice.random(size) < dice.choice([0.0, 0.1])] = NONE
    if dice.random() < 0.5:
        dice.shuffle(columns)
    columns["event"] = columns["event_end"] = NONE
    columns["question"], columns["length"] = dice.random(size) < 0.3, dice.integers(1, 30, size)
    names = timeline.Names(["user"], [("mentioned", "message")])
    known = timeline.Timeline(SimpleNamespace(revision=0, blocks=0)).with_more([(names, columns)])  # type: ignore[arg-type]
    numbers = np.flatnonzero(dice.random(size) < share)
    match = matching.Match(timeline.Scope(known), 12.0, {})
    often = dice.integers(1, 4, len(numbers))
    places, value = match.one(matching.Postings(numbers, often, len(numbers), 1.0))
    most = known.at_most(numbers, match._own_match(numbers, often))
    assert (value <= most[known.positions(places) // timeline.STRETCH] + 1e-9).all()
    assert sorted(known.of_stretches(np.arange(known.stretches)).tolist()) == list(range(size))


def test_what_was_longest_not_asked_for_is_forgotten() -> None:
    """Many light people or a few heavy ones are remembered together, and the last one however heavy; asking again keeps."""
    kept: Kept[str] = Kept(1000)
    for person in range(20):
        kept.keep(person, f"p{person}", 0)
        kept.keep(0, "p0", 0)
    assert [kept.get(person) for person in (0, 10, 11, 19)] == ["p0", None, "p11", "p19"]
    kept.keep(11, "grown", 850)
    assert (kept.get(0), kept.get(11), kept.get(19)) == (None, "grown", None)
    kept.keep(30, "heavy", 5000)
    kept.keep(31, "light", 1)
    assert (kept.get(30), kept.get(31)) == (None, "light")


async def test_those_who_may_be_the_best_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long life only messages that may be among the best are scored to the end: that changes no answer."""
    dice = random.Random(5)
    names = ["合同", "评审", "牙医", "火车票", "budget", "Berlin", "好的", "明天", "会议", "周报"]
    async with opened(f"sqlite:///{tmp_path}/s.sqlite3") as store:
        for n in range(30):
            batch = [
                NewMessage(
                    dice.choice(["user", "assistant", "小林"]),
                    " ".join(dice.choices(names, range(10, 0, -1), k=dice.randint(1, 6))),
                    dice.choice([None, *[ms("2026-09-02T10:00") - dice.randrange(90 * 24 * 60) * 60_000] * 9]),
                )
                for _ in range(100)
            ]
            await add(store, "ada", f"r{n}", "s", batch, dt.UTC)
        for _ in range(60):
            query = " ".join([*dice.sample(names, dice.randint(1, 4)), *dice.choices(["", "小林"], [4, 1])])
            start = ms("2026-09-02T10:00") - dice.randrange(90) * 86_400_000
            times = [(start, start + dice.choice([1, 30]) * 86_400_000)] * dice.randint(0, 1)
            observed = dice.choice([None, None, (start - 60 * 86_400_000, start + 90 * 86_400_000)])
            found = []
            for many in (10**9, 16):
                monkeypatch.setattr(matching, "_MANY", many)
                monkeypatch.setattr(matching, "_LOOKED", 8)
                wanted = asked(query, (), times, observed_ms=observed)
                found.append((await store.read(partial(search.search, user_id="ada", asked=wanted, limit=20))).hits)
            assert [(hit.row.no, round(hit.score, 9), round(hit.relevance or 0, 9)) for hit in found[0]] == [
                (hit.row.no, round(hit.score, 9), round(hit.relevance or 0, 9)) for hit in found[1]
            ]


def _all(seen: Snapshot) -> Sequence[search.Hit]:
    return search.search(seen, "ada", search.Asked(words.sought("评审"), "评审"), 100).hits
