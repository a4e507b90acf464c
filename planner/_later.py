"""Patterns that are compiled when they are first used: most sentences need few of a language's."""

from __future__ import annotations

import re
from typing import Any, cast


class _Later:
    def __init__(self, source: str) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source)
        for method in ("search", "match", "fullmatch", "finditer", "sub", "split"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def later(source: str) -> re.Pattern[str]:
    """`re.compile(source)`, put off until the pattern is used."""
    return cast("re.Pattern[str]", _Later(source))


def source_of(pattern: re.Pattern[str]) -> str:
    """What the pattern was made from; one that is put off is not compiled for that."""
    return pattern._source if isinstance(pattern, _Later) else pattern.pattern
