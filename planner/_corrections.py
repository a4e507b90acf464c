"""Times that the text itself takes back: "on Monday, I mean Tuesday", 不是这周五，是下周五.

A language says how by four cues: `instead`, all that stands between a time and the one said in its place; `but_not`, the same where
the later one is denied; `denied`, what ends ahead of a time that another one replaces, with `but` between the two; `neighbour`, what
follows a denied time and names the unit beside it ("not this Friday, the next one").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner import expressions as ex
from planner._composition import nest, outer_of
from planner._grammar import Language
from planner.reading import Mention, zoned_range

# So much may stand between a time and the one that replaces it, or ahead of one that is denied.
_NEAR = 40


def standing(mentions: Sequence[Mention], folded: str, languages: Sequence[Language]) -> list[Mention]:
    """The mentions without those that the text takes back. What replaces another takes from it what it leaves unsaid."""
    kept: list[Mention] = []
    barred = False  # whether the last one kept is denied, and waits for what replaces it
    for mention in mentions:
        last = kept[-1] if kept else None
        if last is not None and last.end <= mention.start <= last.end + _NEAR and last.range is not None:
            between = folded[last.end : mention.start]
            if _all(languages, "instead", between) or (barred and _all(languages, "but", between)):
                kept[-1], barred = _in_place_of(last, mention), False
                continue
            if _all(languages, "but_not", between):
                continue
        kept.append(mention)
        barred = any(x.cue("denied").search(folded[max(mention.start - _NEAR, 0) : mention.start]) for x in languages)
        if barred:
            kept[-1] = _beside(mention, folded, languages)
    return kept


def _all(languages: Sequence[Language], cue: str, between: str) -> bool:
    return any(language.cue(cue).fullmatch(between) for language in languages)


def _in_place_of(last: Mention, mention: Mention) -> Mention:
    """The mention, in the week or the month of the one it replaces where it names none: "next Tuesday, sorry, Wednesday"."""
    outer = outer_of(last.expression, mention.expression.frame)
    return mention if outer is None else _read_as(mention, nest(outer, mention.expression))


def _beside(mention: Mention, folded: str, languages: Sequence[Language]) -> Mention:
    """The unit beside a denied one, where that is what the text goes on to name."""
    inner: ex.Expression = mention.expression
    while isinstance(inner, ex.Within):
        inner = inner.inner
    inner = inner.what if isinstance(inner, ex.Current | ex.Relative) else inner
    unit = inner.unit if isinstance(inner, ex.This) else "week" if inner.frame == "week" else None
    if unit is None:
        return mention
    unit = "week" if unit == "weekend" else unit
    for language in languages:
        told = language.cue("neighbour").match(folded, mention.end)
        if told is not None:
            sign = -1 if told["back"] else 1
            return _read_as(mention, ex.Shift(mention.expression, ex.Amount(((1, unit),)), sign))
    return mention


def _read_as(mention: Mention, expression: ex.Expression | None) -> Mention:
    range_ = None if expression is None else zoned_range(expression, mention.at)
    return mention if expression is None or range_ is None else replace(mention, expression=expression, range=range_)
