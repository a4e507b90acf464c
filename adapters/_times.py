"""Moments as sources write them: ISO text with or without a zone, Unix seconds or milliseconds, datetimes of a driver."""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from typing import Any, Literal

from planner.ranges import UTC

TimeForm = Literal["auto", "timestamp", "text", "epoch_s", "epoch_ms"]
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
# From this many on, a number of Unix time counts milliseconds: as seconds it would be the year 5138.
_MILLISECONDS_FROM = 1e11


def moment(value: Any, zone: dt.tzinfo, form: TimeForm = "auto") -> dt.datetime | None:
    """The aware datetime that `value` means, in UTC; naive ones are wall time in `zone`. None for what is no time."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, dt.datetime):
            return (value if value.tzinfo is not None else value.replace(tzinfo=zone)).astimezone(UTC)
        if isinstance(value, str):
            text = value.strip()
            if not _NUMBER.fullmatch(text):
                parsed = dt.datetime.fromisoformat(text.replace("Z", "+00:00") if text.endswith("Z") else text)
                return (parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=zone)).astimezone(UTC)
            if form in ("timestamp", "text"):
                return None
            value = float(text)
        if isinstance(value, int | float):
            milliseconds = form == "epoch_ms" or (form == "auto" and abs(value) >= _MILLISECONDS_FROM)
            return dt.datetime.fromtimestamp(value / 1000 if milliseconds else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def bound(value: dt.datetime, sample: Any, form: TimeForm, widen_days: int) -> Any:
    """`value` as a column that holds `sample` compares it.

    Text is compared by its date alone and a naive time is wall time somewhere: for these `value` is moved by `widen_days`, and the
    caller filters what it reads.
    """
    if form == "epoch_ms" or (form == "auto" and _is_number(sample) and abs(float(sample)) >= _MILLISECONDS_FROM):
        return round(value.timestamp() * 1000)
    if form == "epoch_s" or (form == "auto" and _is_number(sample)):
        return value.timestamp()
    as_text = form == "text" or isinstance(sample, str)
    if as_text or (isinstance(sample, dt.datetime) and sample.tzinfo is None):
        with suppress(OverflowError):  # nothing lies beyond the calendar's ends
            value += dt.timedelta(days=widen_days)
        wide = value.astimezone(UTC)
        return wide.date().isoformat() if as_text else wide.replace(tzinfo=None)
    return value


def _is_number(sample: Any) -> bool:
    return isinstance(sample, int | float) and not isinstance(sample, bool)


EPOCH = dt.datetime(1970, 1, 1, tzinfo=UTC)
_FAR = 1000 * 2**32  # in the year 2106; up to there a float of seconds tells every millisecond


def to_ms(moment: dt.datetime) -> int:
    """Unix milliseconds of an aware datetime, rounded down."""
    return (moment - EPOCH) // dt.timedelta(milliseconds=1)


def from_ms(milliseconds: int, zone: dt.tzinfo) -> dt.datetime:
    """The aware datetime of Unix milliseconds. Raises OverflowError outside of the years 1 to 9999."""
    if 0 <= milliseconds < _FAR:  # most are, and this takes half the time
        return dt.datetime.fromtimestamp(milliseconds / 1000, zone)
    return (EPOCH + dt.timedelta(milliseconds=milliseconds)).astimezone(zone)
