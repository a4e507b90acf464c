"""What `make bench` counts as read exactly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench_times import accuracy

NOW = "2026-09-03T22:00:00"


@pytest.mark.parametrize(
    ("text", "expect", "right"),
    [
        ("yesterday", [{"kind": "range", "start": "2026-09-02T00:00:00", "end": "2026-09-03T00:00:00"}], True),
        ("yesterday", [{"kind": "range", "start": "2026-09-01T16:00:00Z", "end": "2026-09-02T16:00:00Z"}], True),
        ("yesterday", [{"kind": "range", "start": "2026-09-02T00:00:00", "end": "2026-09-04T00:00:00"}], False),
        ("yesterday", [{"kind": "range", "start": "2020-01-01T00:00:00", "end": "2020-01-02T00:00:00",
                        "any_of": [{"start": "2026-09-02T00:00:00", "end": "2026-09-03T00:00:00"}]}], True),
        ("yesterday", [], False),
        ("in 2 hours", [{"kind": "point", "start": "2026-09-04T00:00:00", "end": "2026-09-04T00:00:00"}], True),
        ("since Monday", [{"kind": "open", "start": "2026-08-31T00:00:00", "end": None}], True),
        ("this week", [{"kind": "startday", "start": "2026-08-31T08:00:00", "end": None}], True),
        ("every Friday", [{"kind": "recurring", "start": None, "end": None}], True),
        ("three hundred pages", [], True),
        ("in 345 BC", [{"kind": "range", "start": "-345-01-01T00:00:00", "end": "-344-01-01T00:00:00"}], False),
    ],
)  # fmt: skip
def test_a_case_is_right_only_when_just_its_ranges_are_read(
    tmp_path: Path, text: str, expect: list[dict[str, object]], right: bool
) -> None:
    """Bounds are wall time in the case's zone unless they carry an offset; lengths and recurrences want no range."""
    case = {"suite": "s", "lang": "en", "text": text, "now": NOW, "tz": "Asia/Shanghai", "expect": expect, "endorsed_by": 3}
    (tmp_path / "s.jsonl").write_text(json.dumps(case), encoding="utf-8")
    table = {row.split(" | ")[0]: row.split(" | ")[2].split()[0] for row in accuracy(tmp_path) if row.startswith("| ")}
    assert table["| suite s"] == table["| en, core"] == ("100.0" if right else "0.0")
