"""Every rule of every language file is defined by its examples, read at Thursday 2026-09-03 22:00 in Shanghai."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from planner._grammar import Grammar, Page
from planner.explaining import drawn, explain
from planner.lang import ALONE, TOGETHER, language
from planner.reading import Mention, grammar, parse, read_times
from planner.resolution import At, Tense, resolve, settled

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


def check(text: str, expected: str) -> None:
    assert shown(read_times(text, NOW)) == expected, "\n" + drawn(explain(text, NOW))


@pytest.mark.parametrize(("rule", "text", "expected"), EXAMPLES, ids=[f"{r}:{t}" for r, t, _ in EXAMPLES])
def test_a_rule_reads_its_examples(rule: str, text: str, expected: str) -> None:
    """An example gives its range, and no second mention beside it."""
    check(text, expected)


@pytest.mark.parametrize("tense", [None, "past", "future"])
def test_what_is_settled_has_one_reading(tense: Tense) -> None:
    found = {mention.expression for _, text, _ in EXAMPLES for mention in read_times(text, NOW)}
    single = [expression for expression in found if settled(expression)]
    assert len(single) > 100
    for expression in single:
        assert len(resolve(expression, At(NOW, tense, every=True))) <= 1, expression


def test_a_wrong_example_shows_the_tree() -> None:
    """An example that fails prints what was read, by which rules, as which expression and of which words."""
    with pytest.raises(
        AssertionError,
        match=r"(?s)the last Friday of last month.*en\.nth.*Within.*Nth n=-1.*Weekday weekday=4.*words.*ELAST=-1",
    ):
        check("the last Friday of last month", "2026-09-03/2026-09-04")
    with pytest.raises(AssertionError, match=r"三百页.*\n.*words\n.*NUM=300"):
        check("三百页", "-")


def test_every_rule_has_an_example() -> None:
    """A rule without an example is not defined."""
    missing = [r.name for code in CODES for r in (*language(code).pieces, *language(code).phrases) if not r.examples]
    assert missing == []


@pytest.mark.parametrize("codes", [TOGETHER, *((code,) for code in ALONE)])
def test_what_is_passed_over_says_nothing(codes: tuple[str, ...]) -> None:
    """A long text is read where a telling word is: that finds all that reading it from end to end does."""
    reader = grammar(codes)

    def said(text: str, every: bool) -> list[tuple[int, int, str]]:
        page = Page(text)
        return [
            (token.start, token.end, repr(token.value))
            for run in reader.runs(text, every=every)
            for token in parse(reader, run, page)
        ]

    for name, text, _ in EXAMPLES:
        if name.split(".")[0] in codes:
            long = reader.fold(f"{text}；{'…' * 48}；嗯 {text} 呃；well, {text}")
            assert said(long, every=False) == said(long, every=True), text


def test_what_a_run_says_is_remembered_with_what_stands_beside_it() -> None:
    """The same characters in another place are read anew: 晚上 is a time and 晚上好 a greeting, in whatever order they come."""
    fresh = Grammar([language(code) for code in TOGETHER])

    def said(text: str) -> int:
        return sum(len(parse(fresh, run, Page(text))) for run in fresh.runs(text))

    assert [said(text) for text in ("晚上", "晚上好", "晚上", "晚上好", "晚上好冷")] == [1, 0, 1, 0, 1]
