"""Other languages: what no language file reads, dateparser may. For questions only, and only where no time was read.

dateparser gives instants; a question means days and calendar units ("la semana que viene" is next week, Monday to Monday, and
not this moment in seven days), so what it found is widened to the unit that the words name. The text is bounded, its failures are
contained: a language it stumbles over reads as no time.
"""

from __future__ import annotations

import datetime as dt
import logging
import re
from functools import lru_cache
from typing import Any

from planner import expressions as ex
from planner._almanac import floor, midnight, unit_end
from planner.lang import ALONE
from planner.reading import Mention, zoned_range
from planner.resolution import At, Conventions

log = logging.getLogger("planner")

LANGUAGES = tuple(code for code in ("es", "fr", "de", "it", "pt", "ja", "ko", "ru", "nl") if code not in ALONE)
_AT_MOST = 200
_OWN_SCRIPT = re.compile(r"[\u3040-\u30ff\uac00-\ud7af\u0400-\u04ffà-öø-ÿ¿¡]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
# Words that name a calendar unit: what is found is then that unit and no single day.
_UNITS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("week", re.compile(r"semanas?|semaines?|wochen?|settiman[ae]|週|주|недел\w+|weken|week", re.IGNORECASE)),
    (
        "month",
        re.compile(r"\bmes(?:es)?\b|\bmois\b|monate?n?|\bmes[ei]\b|\bmês\b|[先今来]月|달|месяц\w*|maand(?:en)?", re.IGNORECASE),
    ),
    (
        "year",
        re.compile(
            r"\baños?\b|\bann?(?:ée|o|i)s?\b|\bans?\b|\bjahre?s?\b|\banos?\b|[去今来]年|년|год\w*|\bjaar\b", re.IGNORECASE
        ),
    ),
)
# "Next" and "last" beside a unit, which dateparser leaves out or reads as an instant.
_NEXT = re.compile(r"que viene|próxim|proxim|prochain|nächste|kommende|prossim|que vem|来|다음|следующ|volgende", re.IGNORECASE)
_LAST = re.compile(r"pasad|dernière|dernier|letzte|vergangene|scors|passad|先|去|지난|прошл|vorige|afgelopen", re.IGNORECASE)
_THIS = re.compile(r"\best[ae]\b|\bcett?e\b|\bdiese|\bquest[ao]\b|今|이번|эт[оуа]|\bdeze\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _english() -> frozenset[str]:
    from planner.lang.en import STOPWORDS, WORDS

    return STOPWORDS | frozenset(WORDS)


def foreign(text: str) -> bool:
    """Whether the text seems to be in a language that has no file here: letters of its own, or hardly a word of English."""
    if _OWN_SCRIPT.search(text):
        return True
    said = _WORD.findall(text.lower())
    return text.isascii() and len(said) > 1 and sum(word in _english() for word in said) <= len(said) // 4


def read_foreign(text: str, now: dt.datetime, conventions: Conventions) -> list[Mention]:
    """The one time that dateparser finds in a question of another language, widened to a day or a calendar unit; or none."""
    if len(text) > _AT_MOST or not foreign(text):
        return []
    at = At(now, None, conventions)
    unit_said = next(((unit, match) for unit, pattern in _UNITS if (match := pattern.search(text)) is not None), None)
    if unit_said is not None:
        unit, match = unit_said
        step = 1 if _NEXT.search(text) else -1 if _LAST.search(text) else 0 if _THIS.search(text) else None
        if step is not None:
            return [_mention(text, match.span(), ex.This(unit, step), "fallback.unit", at)]
    found = _search(text, now)
    if found is None:
        return []
    said, moment = found
    start = text.find(said)
    if start < 0 or not any(c.isalnum() for c in said):
        return []
    wall = midnight(moment)
    unit = "day" if unit_said is None or re.search(r"\d", said) else unit_said[0]
    begin = floor(wall, unit, conventions.week_start)
    fixed = ex.Fixed(begin, unit_end(begin, unit), ex.GRAIN[unit])
    return [_mention(text, (start, start + len(said)), fixed, "fallback.dateparser", at)]


def _search(text: str, now: dt.datetime) -> tuple[str, dt.datetime] | None:
    from dateparser.search import search_dates

    settings: dict[str, Any] = {"RELATIVE_BASE": now.replace(tzinfo=None), "RETURN_AS_TIMEZONE_AWARE": False}
    try:
        found = search_dates(text, languages=list(LANGUAGES), settings=settings)
    except Exception as error:  # any error of a library that guesses is "no time", said once in the log and never in an answer
        log.warning("dateparser failed: %s", type(error).__name__)
        return None
    return None if not found else (found[0][0], found[0][1])


def _mention(text: str, span: tuple[int, int], expression: ex.Expression, rule: str, at: At) -> Mention:
    return Mention(text[slice(*span)], *span, zoned_range(expression, at), expression.grain, (rule,), expression, at)
