"""Every rule of every language file is defined by its examples, read at Thursday 2026-09-03 22:00 in Shanghai."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from planner.lang import ALONE, TOGETHER, language
from planner.reading import Mention, read_times

CODES = (*TOGETHER, *ALONE)
NOW = dt.datetime(2026, 9, 3, 22, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
EXAMPLES = [
    (rule.name, text, expected)
    for code in CODES
    for rule in (*language(code).pieces, *language(code).phrases)
    for text, expected in rule.examples.items()
]


def shown(mentions: list[Mention]) -> str:
    """The one range as "start/end", "-" for a mention without one, "" for none."""
    if not mentions:
        return ""
    if len(mentions) > 1:
        return "; ".join(f"{m.text}={m.range}" for m in mentions)
    found = mentions[0].range
    if found is None:
        return "-"

    def side(moment: dt.datetime | None) -> str:
        if moment is None:
            return ""
        return moment.strftime("%Y-%m-%d" if (moment.hour, moment.minute) == (0, 0) else "%Y-%m-%dT%H:%M")

    return f"{side(found.start)}/{side(found.end)}"


@pytest.mark.parametrize(("rule", "text", "expected"), EXAMPLES, ids=[f"{r}:{t}" for r, t, _ in EXAMPLES])
def test_a_rule_reads_its_examples(rule: str, text: str, expected: str) -> None:
    """An example gives its range, and no second mention beside it."""
    mentions = read_times(text, NOW)
    assert shown(mentions) == expected, [(m.rules, m.expression) for m in mentions]


def test_every_rule_has_an_example() -> None:
    """A rule without an example is not defined."""
    missing = [r.name for code in CODES for r in (*language(code).pieces, *language(code).phrases) if not r.examples]
    assert missing == []
