"""Remembering what functions make of texts, without keeping long ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# Longer texts are rare and asked for once; thousands of them would fill the memory.
_SHORT = 2000


def remembered(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As `lru_cache`, for a function whose first argument is a text: what it makes of a long one is made each time."""

    def around(function: Callable[P, T]) -> Callable[P, T]:
        short = lru_cache(maxsize)(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            text = args[0]
            assert isinstance(text, str)
            return short(*args, **kwargs) if len(text) <= _SHORT else function(*args, **kwargs)  # type: ignore[arg-type]

        return call

    return around
