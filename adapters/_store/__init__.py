"""The embedded store: messages with the event times, terms and weights read when they were written.

schema.py   tables       database.py   the engine and its threads       writing.py   add messages       search.py   find them again
"""

from adapters._store.search import Hit
from adapters._store.store import Snapshot, Store
from adapters._store.writing import NewMessage

__all__ = ["Hit", "NewMessage", "Snapshot", "Store"]
