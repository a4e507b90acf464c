"""Exports of chat programs into the embedded store: one file a format, each telling what it reads first.

export.py   the file, folder or archive      messages.py   what a format gives      streaming.py   JSON larger than the memory
run.py   into the store, once                printing.py   how far it is, and what became of it
"""

from __future__ import annotations

from temporal_recall.importers.formats import FORMATS
from temporal_recall.importers.messages import ExportError, Left, Options, Said
from temporal_recall.importers.printing import bar, shown
from temporal_recall.importers.run import Report, bring_in

__all__ = ["FORMATS", "ExportError", "Left", "Options", "Report", "Said", "bar", "bring_in", "shown"]
