"""A pattern is found in a text exactly where one of the alternatives is of which the literals say that they may be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner._literals import Prefilter, literals
from planner.reading import grammar

TABLES = Path(__file__).parent.parent / "fixtures" / "tables"
PATTERNS = [
    r"cancel(?:l?ed)?|call(?:ed)? off",
    r"\b(?:i|we)'ll\b",
    r"(?<!不)去[了过]|没(?:有)?来",
    r"^(?:ok|好的?)[。!]*$",
    r"re\w+|un[a-z]{2,}",
    r"(?=.*会)明天|a{0,3}b+",
    r"(?<!不)(?:来|去(?:了|过)|好)(?<!去了)!",
    r"^(?:a|b+|i'll (?:a|b))\b",
    r"(a|b)(好)?\1|(来)(?(2)去|b)",
    r"(?i:Due) soon|x(?P<name>y)(?P=name)",
    r"(?i)never mind",
    r"[^a-z]+",
    r"\d+",
    r"",
    r"(?!)",
]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"cancel(?:l?ed)?", {"cancel"}),
        (r"\b(?:i|we)'ll\b", {"'ll"}),
        (r"去[了过]", {"去了", "去过"}),
        (r"(?:早上|晚上)?好", {"好"}),
        (r"买\w{0,3}东西", {"东西"}),
        (r"\d+", None),
        (r"a?", None),
        (r"(?:sent|\d+)", None),
        (r"(?i:sent)", None),
        (r"(?i)sent", None),
    ],
)
def test_what_a_pattern_needs(pattern: str, expected: set[str] | None) -> None:
    assert literals(pattern) == expected


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data())
def test_what_is_found_is_possible(pattern: str, data: st.DataObject) -> None:
    text = data.draw(st.text("ab不去了来好i'll0！ ", max_size=6))
    if pattern != "(?!)":
        text += data.draw(st.from_regex(pattern)) + data.draw(st.text(max_size=4))
    parts = Prefilter([("it", pattern), ("other", "nothing of the kind")]).possible(text).get("it", set())
    assert any(part.search(text) for part in parts) == bool(re.search(pattern, text))


def test_no_cue_is_missed() -> None:
    """Of all cues of the languages, on all labelled sentences."""
    paths = [path for name in ("statements", "modes", "negatives") for path in sorted(TABLES.glob(f"{name}_*.jsonl"))]
    rows = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [grammar().fold(row["text"]) for row in rows]
    assert len(texts) > 800
    for language in grammar().languages:
        cues = Prefilter((name, pattern.pattern) for name, pattern in language.cues.items())
        for text in texts:
            possible = cues.possible(text)
            for name, pattern in language.cues.items():
                told = any(part.search(text) for part in possible.get(name, ()))
                assert told == bool(pattern.search(text)), (name, text)
