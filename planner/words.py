"""Words: how texts are cut into the terms that topics, search, ranking and merging compare.

Folding is NFKC, lower case, traditional to simplified. Chinese is cut by rjieba (search mode, so that a long word is also found
by its parts), English and other alphabets by letters and stemmed (Snowball "english"). Both in one text are fine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from planner._remembering import remembered

# Chinese characters are letters to `re`: a run of other letters or figures must not swallow those behind it ("ct检查", "3点").
_LETTERS = r"[^\W_\u3400-\u9fff]+"
_HAN = re.compile("[\u3400-\u9fff]+")
_RUN = re.compile(rf"[\u3400-\u9fff]+|\d+\.\d+|{_LETTERS}(?:['’]{_LETTERS})*")


@lru_cache(maxsize=1)
def _traditional() -> tuple[re.Pattern[str], dict[int, str]]:
    """What finds a traditional character, and the simplified one of each."""
    from opencc import OpenCC

    chars = "".join(map(chr, range(0x4E00, 0x9FFF + 1)))
    plain = OpenCC("t2s").convert(chars)
    table = {ord(a): b for a, b in zip(chars, plain, strict=True) if a != b}
    return re.compile(f"[{''.join(map(chr, table))}]"), table


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    from Stemmer import Stemmer

    return Stemmer("english")


@lru_cache(maxsize=1)
def _stopwords() -> frozenset[str]:
    from planner.reading import grammar

    return frozenset().union(*(language.stopwords for language in grammar().languages))


@lru_cache(maxsize=1)
def _bland() -> frozenset[str]:
    from planner.reading import grammar

    return frozenset().union(*(language.bland for language in grammar().languages))


@lru_cache(maxsize=1)
def _lemmas() -> dict[str, str]:
    from planner.reading import grammar

    return {form: lemma for language in grammar().languages for form, lemma in language.lemmas.items()}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem that stands for a word of ASCII letters, irregular forms among its own."""
    stemmed: str = _stemmer().stemWord(_lemmas().get(word, word))
    return stemmed


# What NFKC makes of the marks of Chinese texts. They are all that most of these have to be changed for, and NFKC is slow.
_HALVES = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {"\u3000": " ", "…": "..."}
_WIDE = re.compile(f"[{''.join(map(re.escape, _HALVES))}]")


@remembered(512)
def fold(text: str) -> str:
    """NFKC, lower case, simplified characters. May change the length of the text."""
    if text.isascii():
        return text.lower()
    text = _WIDE.sub(lambda match: _HALVES[match[0]], text)
    text = (text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)).lower()
    found, table = _traditional()
    return text.translate(table) if found.search(text) else text


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with blanks in the place of its characters `[start, end)`."""
    if not spans:
        return text
    kept = list(text)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    return "".join(kept)


@remembered(512)
def _cut(text: str) -> tuple[list[str], list[str]]:
    """The words of a text in order, as they are said, and the term that stands for each. A text is often asked for twice."""
    folded = fold(text)
    said: list[str] = []
    stand: list[str] = []
    for run in _split(folded, _BLANK) if folded.isascii() else _RUN.findall(folded):
        if "\u3400" <= run[0] <= "\u9fff":
            found = _chinese().cut_for_search(run)
            said += found
            stand += found
        else:
            word, term = _word(run)
            said.append(word)
            stand.append(term)
    return said, stand


@lru_cache(maxsize=65536)
def _word(run: str) -> tuple[str, str]:
    run = run.replace("’", "'").removesuffix("'s")
    return run, stem(run) if run.isascii() and run.isalpha() else run


@lru_cache(maxsize=1)
def _chinese() -> Any:
    """What cuts Chinese, with its dictionary."""
    import rjieba

    return rjieba


_LISTED = re.compile(rf"{_RUN.pattern}|[,，、;；&+/]")
_MARKS = frozenset(",，、;；&+/")
LISTED = ","  # stands for every mark of a list


def cut(text: str) -> list[str]:
    """The words of a folded text in order, none of them overlapping, as they are said; `LISTED` for the marks between."""
    if text.isascii():
        return [run.removesuffix("'s") for run in _split(text, _BLANK_BUT_MARKS)]
    found: list[str] = []
    for run in _LISTED.findall(text):
        if "\u3400" <= run[0] <= "\u9fff":
            found += _chinese().cut(run)
        elif run in _MARKS:
            found.append(LISTED)
        else:
            found.append(run.replace("’", "'").removesuffix("'s"))
    return found


# Splitting at blanks takes a fifth of the time that a pattern takes to find the words.
_BLANK = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum() and chr(code) != "'"})
_BLANK_BUT_MARKS = _BLANK | {ord(mark): LISTED for mark in _MARKS if mark.isascii()}
_LOOSE = re.compile(r"'(?![a-z0-9])|(?<![a-z0-9])'")
_POINT = re.compile(r"\d\.\d")


def _split(text: str, blanks: dict[int, Any]) -> list[str]:
    """What `_RUN` finds in a folded text of ASCII, and LISTED where the blanks have it."""
    if "." in text and _POINT.search(text) is not None:
        return [LISTED if run in _MARKS else run for run in (_RUN if blanks is _BLANK else _LISTED).findall(text)]
    plain = text.translate(blanks)
    if "'" in plain:
        plain = _LOOSE.sub(" ", plain)
    return plain.replace(LISTED, f" {LISTED} ").split()


@remembered(64)
def edges(text: str) -> frozenset[int]:
    """The places of a folded text at which a word begins or ends, and all that are not between two Chinese characters."""
    found = set(range(len(text) + 1))
    for run in _HAN.finditer(text):
        found.difference_update(range(run.start(), run.end()))
        at = run.start()
        for word in _chinese().cut(run.group()):
            found.add(at)
            at += len(word)
    return frozenset(found)


def terms(text: str) -> list[str]:
    """All terms of a text in order, stopwords among them."""
    return list(_cut(text)[1])


def content(text: str) -> list[str]:
    """The terms that tell a text from another: without stopwords, each once, in order."""
    return _without(text, _stopwords())


def says_little(text: str, least: int) -> bool:
    """Whether the text has fewer than so many terms of `content`."""
    return len(content(text)) < least


def sought(text: str) -> list[str]:
    """The terms to look for: as `content`, but with the bland words that still help to find, and pairs of characters."""
    stop = _stopwords() - _bland()
    return _without(text, stop) + [
        pair for pair in dict.fromkeys(pairs(text)) if pair[1:] not in stop and not (pair[1] in stop and pair[2] in stop)
    ]


def _without(text: str, stop: frozenset[str]) -> list[str]:
    return list(dict.fromkeys([term for word, term in zip(*_cut(text), strict=True) if word not in stop]))


def numbers(text: str) -> tuple[float, ...]:
    """The numbers a text says, in digits or in any language's words, smallest first: 5号楼, 五号楼 and "building five" say 5."""
    return tuple(sorted(number for clause in _CLAUSE.split(text) for number in _numbers(clause)))


_CLAUSE = re.compile(r"[，。！？；：\n]+|[,.!?;:]\s")


@remembered(16384)
def _numbers(clause: str) -> tuple[float, ...]:
    from planner._grammar import NUMBERS
    from planner.reading import grammar

    reader = grammar()
    said = (token for run in reader.runs(reader.fold(clause), every=True) for token in run if token.cat in NUMBERS)
    return tuple(float(token.value) for token in said)


PAIR = "_"  # begins a pair of characters, so that it is no word


def pairs(text: str) -> list[str]:
    """Every two neighbouring Chinese characters, in order: what a cut in the wrong place hides from `terms` is found by them."""
    found: list[str] = []
    for run in () if text.isascii() else _HAN.findall(fold(text)):
        found += [f"{PAIR}{first}{second}" for first, second in pairwise(run)]
    return found
