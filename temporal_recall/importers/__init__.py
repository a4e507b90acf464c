"""Exports of chat programs into the embedded store: one file a format, each telling what it reads first.

export.py   the file, folder or archive      messages.py   what a format gives      streaming.py   JSON larger than the memory
run.py   into the store, once                printing.py   how far it is, and what became of it
"""

from typing import TYPE_CHECKING, Any

from temporal_recall.importers.formats import FORMATS
from temporal_recall.importers.messages import ExportError, Left, Options, Said

if TYPE_CHECKING:
    from temporal_recall.importers.printing import bar, shown
    from temporal_recall.importers.run import Report, bring_in

__all__ = ["FORMATS", "ExportError", "Left", "Options", "Report", "Said", "bar", "bring_in", "shown"]

# The formats are named in the command line's help; the store is wanted when something is brought in.
_LATER = {
    "Report": "temporal_recall.importers.run", "bring_in": "temporal_recall.importers.run",
    "bar": "temporal_recall.importers.printing", "shown": "temporal_recall.importers.printing",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
