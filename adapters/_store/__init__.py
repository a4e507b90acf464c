"""The embedded store: messages with the event times, terms and weights read when they were written.

schema.py   tables       database.py   the engine and its threads       writing.py   add messages       search.py   find them again
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adapters._store.search import Hit
    from adapters._store.store import Snapshot, Store
    from adapters._store.writing import NewMessage

__all__ = ["Hit", "NewMessage", "Snapshot", "Store"]

# A command that keeps and asks nothing need not wait for the database's libraries: they load on first use.
_LATER = {
    "Hit": "adapters._store.search", "NewMessage": "adapters._store.writing", "Snapshot": "adapters._store.store",
    "Store": "adapters._store.store",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
