"""What a dialect is: the requests a question becomes, and the records an answer holds."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from adapters import _times
from adapters._base import SourceError
from planner.ranges import UTC, TimeRange

Auth = Literal["bearer", "token", "x-api-key", "none"]
_CODE = re.compile(r"[A-Za-z][\w.-]{0,60}")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a memory system.

    `texts` are what to search for, best first, none blank. `observed` is when the record was made or said, `time` when it happens,
    both half-open and closed on both sides. `created` tells that the record's own making is asked for; `topical` that the
    texts say what it is about and not only when. `top_k` lies within what the dialect allows.
    """

    texts: Sequence[str]
    user_id: str
    observed: TimeRange
    time: TimeRange
    now: dt.datetime
    top_k: int
    created: bool = False
    topical: bool = False
    entry: str | None = None
    partitions: Sequence[str] = ()
    tags: Sequence[str] = ()
    output_mode: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    json: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One memory. `said` is when its matter was told, `created` when the record was made, aware, None where the system does not
    say. `importance`, `belief` and `similarity` (to the text that was searched for) lie in [0, 1], None where it does not say.
    """

    id: str
    text: str
    said: dt.datetime | None = None
    created: dt.datetime | None = None
    importance: float | None = None
    belief: float | None = None
    similarity: float | None = None


def _as_they_are(rows: list[Any]) -> list[Any]:
    return rows


def _nothing(row: Mapping[str, Any], zone: dt.tzinfo) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Dialect:
    """One contract.

    `many` tells that it holds many people, told apart by the user id that each question carries. `most` is the most that may be
    asked for in one question. `names` are dotted names in a row, which an account may overrule; the rows stand at `rows_at` in the
    answer, `sound` sets right what the rows of one answer mean together, `said` finds when a row's matter was told where no single
    name does. `importance_of` is the top of its scale. After a status of `retried` a search may be tried again. `check` tells whether the
    system answers, which it says with 2xx or a status of `answers`.
    """

    name: str
    auth: Auth
    many: bool
    most: int
    path: str
    requests: Callable[[Asked], list[dict[str, Any]]]
    rows_at: str
    names: Mapping[str, str]
    retried: frozenset[int]
    check: Request
    answers: frozenset[int] = frozenset()
    importance_of: float = 1.0
    sound: Callable[[list[Any]], list[Any]] = _as_they_are
    said: Callable[[Mapping[str, Any], dt.tzinfo], dt.datetime | None] = _nothing

    def rows(self, body: Any) -> list[Any]:
        """The rows of an answer. Raises SourceError when it has not the contract's shape."""
        found = told(body, self.rows_at) if isinstance(body, dict) else None
        if not isinstance(found, list):
            raise SourceError(f"its answer has no list {self.rows_at!r}")
        return self.sound(found)

    def record(self, row: Any, names: Mapping[str, str], zone: dt.tzinfo, user_id: str) -> Record | None:
        """The record of a row, naive times in `zone`; None for what is no row, has no id or text, or is another person's."""
        if not isinstance(row, dict):
            return None
        value = {field: told(row, name) for field, name in names.items()}
        key, text = _identity(value.get("id")), value.get("text")
        if key is None or not isinstance(text, str) or not text.strip():
            return None
        if value.get("owner") not in (None, user_id):
            return None
        said = value.get("said")
        return Record(
            key,
            text,
            said=self.said(row, zone) if said in (None, -1, "-1") else _times.moment(said, zone),
            created=_times.moment(value.get("created"), zone),
            importance=_share(value.get("importance"), self.importance_of),
            belief=_share(value.get("belief")),
            similarity=_share(value.get("score")),
        )


def told(row: Mapping[str, Any], name: str) -> Any:
    """The value at a dotted name; None where a part of the way is missing."""
    value: Any = row
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _identity(value: Any) -> str | None:
    """An id as text: a text that is not blank, or a whole number."""
    if isinstance(value, str):
        return value if value.strip() else None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _share(value: Any, of: float = 1.0) -> float | None:
    """`value` / `of`, where that lies in [0, 1]; None for any other value."""
    return float(value) / of if number(value) and 0 <= value <= of else None


def iso(value: dt.datetime | None) -> str:
    """UTC, with a Z, to the microsecond where it has any."""
    assert value is not None
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def code_of(body: Any) -> str:
    """The machine-readable code in an error's body, never its free text, which may quote the question; "" when there is none."""
    for name in ("error.code", "error.reason", "detail.reason", "code"):
        found = told(body, name) if isinstance(body, dict) else None
        if isinstance(found, str) and _CODE.fullmatch(found):
            return found
    return ""
