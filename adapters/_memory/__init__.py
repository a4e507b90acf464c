"""How four memory systems are asked and how they answer: words and numbers only, no connection.

dialect.py   what a dialect is      addsearch.py, memorax.py, iris.py, hybrid.py   one contract each
"""

from __future__ import annotations

from adapters._memory import addsearch, hybrid, iris, memorax
from adapters._memory.dialect import Asked, Dialect, Record, Request

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (addsearch.DIALECT, memorax.DIALECT, iris.DIALECT, hybrid.DIALECT)
}

__all__ = ["DIALECTS", "Asked", "Dialect", "Record", "Request"]
