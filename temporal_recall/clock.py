"""The one place that reads the clock. Everywhere else, now is an argument."""

from __future__ import annotations

import datetime as dt


def now(zone: dt.tzinfo) -> dt.datetime:
    """The present moment, aware, in `zone`, to the second."""
    return dt.datetime.now(zone).replace(microsecond=0)
