"""The languages, one file each: its words, its rules with the examples that define them, its verbs' tenses.

Chinese and English are read together, for people mix them. Any other file here is read instead of them, alone, and is loaded
when a text first seems to be in a language that is not theirs: see `planner.reading.reader_of`.
"""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module

from planner._grammar import Language

TOGETHER = ("zh", "en")
ALONE = tuple(module.name for module in pkgutil.iter_modules(__path__) if module.name not in TOGETHER)


@lru_cache
def language(code: str) -> Language:
    """The language of an ISO 639-1 code. Raises ModuleNotFoundError for one that has no file here."""
    found: Language = import_module(f"planner.lang.{code}").LANGUAGE
    return found
