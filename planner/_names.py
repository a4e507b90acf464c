"""What names a thing and no time: titles, scores, shares, reference numbers and code that hold a time word.

Asked once for each time that was read, about the text around it. The words that tell are of the languages (`Language.cue`), and
so are names of persons, streets and shops (`Language.names`). Capitals matter, so the text comes both as it was written and folded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from planner import expressions as ex
from planner._grammar import REACH, Language, Token
from planner._later import later

_QUOTED = later(
    r"“[^”]{1,24}”|「[^」]{1,24}」|『[^』]{1,24}』|\"[^\"]{1,40}\"|(?<![A-Za-z0-9])'[^',.，。]{2,40}'(?![A-Za-z0-9])|‘[^’]{1,24}’"
)
_BOOK = later(r"[《〈][^》〉]*[》〉]")
_SPEECH = later(r"[：:,，]\s*$")
_MIXED_NUMBER = re.compile(r"\d $")
_BARE_FIGURES = later(r"[\d:/.,\-–—~]+(?:h\d|[ap])?")
_PARTED = later(r"[，。,;；!！?？]")
_CODE = later(r"\[[\"']|==|=>|!=|\{|\}|\b(?:const|enum|def|import|typedef|elif|lambda)\b|\w\(|\w = \S")
_MARKS = re.compile("[《“\"'’‘「={([]")


def holds_no_time(token: Token, text: str, folded: str, languages: Sequence[Language]) -> bool:
    """Whether what was read as a time is a part of a name, a title, a score or a reference number."""
    first, signs = folded[token.start], _signs(text)
    if "《" in signs:
        title = _around(_enclosed("book", text), token.start, token.start)
        if title is not None:
            return not _told("paper", languages, text[slice(*title)])
    if first.isdigit() and _figures(token, folded, languages):
        return True
    if not signs.isdisjoint("“\"'’‘「") and _quoted(token.start, token.end, text, folded, languages):
        return True
    if (
        first < "\u2e80"
        and not signs.isdisjoint("={([")
        and token.end - token.start <= 9
        and _CODE.search(text, max(token.start - REACH, 0), token.end + REACH) is not None
    ):
        return isinstance(token.value, (ex.Weekday, ex.Month)) and (
            text[token.start : token.end].isupper() or not signs.isdisjoint("=[")
        )
    return any(language.names is not None and language.names(token, text, folded) for language in languages)


def _told(cue: str, languages: Sequence[Language], text: str) -> bool:
    return any(language.cue(cue).search(text) is not None for language in languages)


@lru_cache(maxsize=8)
def _signs(text: str) -> frozenset[str]:
    """The marks of a text that matter here, looked for once a text."""
    return frozenset(_MARKS.findall(text))


@lru_cache(maxsize=8)
def _enclosed(marks: str, text: str) -> list[tuple[int, int]]:
    """The places `[start, end)` that quotation or book marks enclose, found once a text and not once a time in it."""
    return [match.span() for match in (_BOOK if marks == "book" else _QUOTED).finditer(text)]


def _around(enclosed: list[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    at = bisect_left(enclosed, (start, 0)) - 1
    return enclosed[at] if at >= 0 and end < enclosed[at][1] else None


def _quoted(start: int, end: int, text: str, folded: str, languages: Sequence[Language]) -> bool:
    """Whether it stands within quotation marks that hold a title, not what somebody said."""
    around = _around(_enclosed("quoted", text), start, end)
    if around is None:
        return False
    opens, closes = around
    before = folded[max(opens - REACH, 0) : opens]
    if _SPEECH.search(before) is not None or _told("says", languages, before):
        return False
    about = f"{before[-10:]}\n{folded[closes : closes + 16]}"
    return _told("medium", languages, about) or _told("titled", languages, before)


def _figures(token: Token, folded: str, languages: Sequence[Language]) -> bool:
    start, end, value = token.start, token.end, token.value
    said = folded[start:end]
    if ":" in said[:3] and _told("scores", languages, folded[max(start - 16, 0) : start]):
        return True
    if _BARE_FIGURES.fullmatch(said) is None:
        return False
    if isinstance(value, ex.Clock):
        ahead = _PARTED.split(folded[max(start - 20, 0) : start])[-1]
        behind = _PARTED.split(folded[end : end + 20], maxsplit=1)[0]
        if said[-1].isalpha():  # seat 12A, and 中星3A卫星: nobody says "3a" of a time right beside a letter
            return ahead[-1:].isalpha() or behind[:1].isalpha() or _told("label", languages, ahead)
        return _told("scored", languages, f"{ahead}\n{behind}") and not _told("timed", languages, ahead)
    if isinstance(value, ex.Numeric) and "/" in said:
        if any(language.cue("rates").match(folded, start) is not None for language in languages):
            return True
        if _MIXED_NUMBER.search(folded[max(start - 2, 0) : start]) is not None:  # 9 3/4
            return True
        parted = any(language.cue("parts").match(folded, end) is not None for language in languages)
        if parted or _told("share", languages, folded[max(start - 24, 0) : start]):
            return True
    return _told("label", languages, folded[max(start - 24, 0) : start])
