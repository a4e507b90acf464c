"""Marks that number the lines of a list: "1.", "b)", 一、, ①. They are no figures of a time, and a new line begins where they stand."""

from __future__ import annotations

import re

_MARK = re.compile(
    r"(?P<begun>^|[\n：:;；。.,，\s])[ \t]*[(（]?"
    r"(?:(?P<figure>\d{1,2})[.．)）、]|(?P<han>[一二三四五六七八九十])[、)）]|(?P<letter>[a-hA-H])[)）]|(?P<ring>[①-⑳])、?)"
)
_FIRST = re.compile(r"1[.．)）、]|一[、)）]|①|[aA][)）]")
_HAN = "一二三四五六七八九十"


def unnumbered(text: str) -> str:
    """The text with a line's end in place of each such mark, character for character; they count from one on, in one style.

    A figure behind a dot or a comma in a line is no mark: 1.5, 3、4点.
    """
    if _FIRST.search(text) is None:
        return text
    marks = list(_MARK.finditer(text))
    for style in ("figure", "han", "letter", "ring"):
        kept: list[re.Match[str]] = []
        for mark in marks:
            if mark[style] is not None and _value(mark, style) == len(kept) + 1 and (_leads(mark, text) or style == "ring"):
                kept.append(mark)
        if len(kept) > 1:
            for mark in kept:
                begun = mark.end("begun")
                text = text[:begun] + "\n" + " " * (mark.end() - begun - 1) + text[mark.end() :]
    return text


def _value(mark: re.Match[str], style: str) -> int:
    said = mark[style]
    if style == "letter":
        return ord(said.lower()) - ord("a") + 1
    return int(said) if style == "figure" else _HAN.index(said) + 1 if style == "han" else ord(said) - ord("①") + 1


def _leads(mark: re.Match[str], text: str) -> bool:
    """Whether a line or an item seems to begin with it."""
    return mark["begun"] in ("", "\n") or not text[mark.end() : mark.end() + 1].isdigit()
