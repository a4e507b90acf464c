"""The sources that the settings name, built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import adapters
from adapters import Shared, TemporalSourceAdapter
from temporal_recall.settings import Settings

if TYPE_CHECKING:
    from adapters._store import Store

PLANNED_SOURCES = ("calendar", "memory_v2", "email", "browser", "tasks")


def build_sources(settings: Settings, store: Store) -> dict[str, TemporalSourceAdapter]:
    """The configured sources by name: those that SOURCES lists, or all. Raises ValueError for a name that no source has."""
    shared = Shared(store, settings.zone, settings.conventions, single=not settings.verifies)
    known = adapters.registry()
    unknown = [name for name in settings.sources if name not in known and name not in PLANNED_SOURCES]
    if unknown:
        raise ValueError(f"TEMPORAL_RECALL_SOURCES names no known source: {', '.join(unknown)}")
    built = {}
    for name, registered in known.items():
        if not settings.sources or name in settings.sources:
            adapter = registered.build(registered.settings(), shared)
            if adapter is not None:
                built[name] = adapter
    return built
