"""The languages, one file each: its words, its rules with the examples that define them, its verbs' tenses."""

from __future__ import annotations

from importlib import import_module

from planner._grammar import Language

CODES = ("zh", "en")


def language(code: str) -> Language:
    """The language of an ISO 639-1 code. Raises ModuleNotFoundError for one that has no file here."""
    found: Language = import_module(f"planner.lang.{code}").LANGUAGE
    return found
