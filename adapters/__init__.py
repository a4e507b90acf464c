"""Sources to TimelineItems. One file a source; a name that begins with an underscore is machinery.

`registry()` knows every source that has a file here.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from adapters._base import (
    REGISTRY,
    DatesEvents,
    Items,
    KnowsWhen,
    Registered,
    SearchContext,
    Shared,
    SourceError,
    SourceSettings,
    SourceTimeout,
    SourceUnavailable,
    TemporalSourceAdapter,
    TimelineItem,
)

__all__ = [
    "DatesEvents",
    "Items",
    "KnowsWhen",
    "Registered",
    "SearchContext",
    "Shared",
    "SourceError",
    "SourceSettings",
    "SourceTimeout",
    "SourceUnavailable",
    "TemporalSourceAdapter",
    "TimelineItem",
    "registry",
]


@cache
def registry() -> dict[str, Registered]:
    """Every source by name, each module imported once."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            import_module(f"{__name__}.{module.name}")
    return dict(sorted(REGISTRY.items()))
