"""Recorded questions, replayed: real sources on real sockets and files, a frozen now, the expected answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from temporal_recall import replay

pytestmark = pytest.mark.anyio
CASES = replay.find([Path(__file__).parent.parent / "fixtures" / "recall"])


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_a_recorded_question_gets_its_answer(case: Path) -> None:
    """The whole answer is as recorded, but for the milliseconds."""
    assert await replay.run(case) == []


def test_the_cases_cover_what_is_promised() -> None:
    """At least twelve questions, both languages, all six modes."""
    expected = [json.loads((case / "expected.json").read_text(encoding="utf-8")) for case in CASES]
    queries = [json.loads((case / "request.json").read_text(encoding="utf-8"))["query"] for case in CASES]
    assert len(CASES) >= 12
    assert len({answer["temporal_mode"] for answer in expected}) == 6
    assert any(query.isascii() for query in queries)
    assert any(not query.isascii() for query in queries)


async def test_a_difference_is_told(tmp_path: Path) -> None:
    """A replay that differs says where, and what it wanted and got."""
    for file in CASES[0].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    expected = json.loads((tmp_path / "expected.json").read_text(encoding="utf-8"))
    expected["temporal_mode"] = "NEVER"
    (tmp_path / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    assert [line.partition(":")[0] for line in await replay.run(tmp_path)] == ["answer.temporal_mode"]
