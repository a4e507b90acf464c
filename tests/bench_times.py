"""The readers of times that `make bench` compares: this planner, dateparser and Recognizers-Text, each behind one signature.

Accuracy is measured on suites given by their folder: `.jsonl` files, one case a line,

    {"suite", "lang", "text", "now", "tz", "expect": [{"kind", "start", "end", "any_of": [{"start", "end"} ...]} ...], "endorsed_by"}

Times without an offset are wall times in `tz`, ranges half-open. Kinds: range and point (start == end) want both sides, startday only
the day of the start, open has one side null (for which now will do), duration and recurring want no range. Without `expect`
the text holds no time. A case is read exactly when each wanted range, and no other, is given, in order of the text.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from planner import read_times

Side = dt.datetime | None
# The ranges that a text tells, in its order, each as the readings that a reader leaves open, as wall times in the zone of now.
Told = list[list[tuple[Side, Side]]]
Reader = Callable[[str, str, dt.datetime], Told]
# At so many endorsements by independent parsers a case belongs to the core.
CORE = 3


def ours(text: str, lang: str, now: dt.datetime) -> Told:
    return [[(_wall(m.range.start), _wall(m.range.end))] for m in read_times(text, now) if m.range is not None]


def _wall(moment: Side) -> Side:
    return None if moment is None else moment.replace(tzinfo=None)


def with_dateparser(text: str, lang: str, now: dt.datetime) -> Told:
    """Its instants; one at midnight or at the time of now is taken for its whole day."""
    from dateparser.search import search_dates

    wall = now.replace(tzinfo=None)
    found = search_dates(text, languages=[lang], settings={"RELATIVE_BASE": wall, "RETURN_AS_TIMEZONE_AWARE": False}) or []
    whole = (dt.time(), wall.time())
    return [[_day(moment) if moment.time() in whole else (moment, moment)] for _, moment in found]


def _day(moment: dt.datetime) -> tuple[Side, Side]:
    start = dt.datetime(moment.year, moment.month, moment.day)
    return start, start + dt.timedelta(days=1)


def with_recognizers(text: str, lang: str, now: dt.datetime) -> Told:
    """Each of the values it leaves open counts as a reading; lengths and recurrences are no ranges."""
    from recognizers_date_time import Culture, recognize_datetime

    wall = now.replace(tzinfo=None)
    found = recognize_datetime(text, Culture.Chinese if lang == "zh" else Culture.English, reference=wall)
    told = [[s for value in (f.resolution or {}).get("values", ()) if (s := _sides(value, wall)) is not None] for f in found]
    return [readings for readings in told if readings]


def _sides(value: dict[str, Any], wall: dt.datetime) -> tuple[Side, Side] | None:
    kind = value["type"]
    if kind in ("duration", "set"):
        return None

    def moment(said: str | None) -> Side:
        if said is None or "not resolved" in said:
            return None
        return dt.datetime.fromisoformat(f"{wall:%Y-%m-%d} {said}" if kind.startswith("time") else said)

    if kind.endswith("range"):
        start, end = moment(value.get("start")), moment(value.get("end"))
        return None if start is None and end is None else (start, end)
    at = moment(value.get("value"))
    return None if at is None else _day(at) if kind == "date" else (at, at)


def peers() -> dict[str, Reader]:
    """The readers beside ours that are installed here."""
    found: dict[str, Reader] = {}
    for name, module, reader in (
        ("dateparser", "dateparser", with_dateparser),
        ("Recognizers-Text", "recognizers_date_time", with_recognizers),
    ):
        with contextlib.suppress(ImportError):
            __import__(module)
            found[name] = reader
    return found


def accuracy(folder: Path) -> list[str]:
    """A table of the share of cases that each reader reads exactly: by language, in the core, in silence, and by suite."""
    readers = {"ours": ours, **peers()}
    exact: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for case in _cases(folder):
        lang, wanted = case["lang"], case["expect"]
        rows = [f"{lang}, all", *([f"{lang}, core"] if case.get("endorsed_by", 0) >= CORE else []),
                *([f"{lang}, no time"] if not wanted else []), f"suite {case['suite']}"]  # fmt: skip
        now = _moment(case["now"], ZoneInfo(case["tz"]))
        for name, reader in readers.items():
            try:
                right = _agrees(reader(case["text"], lang, now), wanted, now)
            except Exception:  # a peer that raises has not read it
                if name == "ours":
                    raise
                right = False
            for row in rows:
                exact[row][name].append(right)
    lines = [
        "## Accuracy, % of cases read exactly",
        "",
        f"| | cases | {' | '.join(readers)} |",
        "|---|---|" + "---|" * len(readers),
    ]
    for row in sorted(exact, key=lambda row: (row.startswith("suite"), row)):
        shares = " | ".join(f"{100 * statistics.mean(exact[row][name]):.1f}" for name in readers)
        lines.append(f"| {row} | {len(exact[row]['ours'])} | {shares} |")
    return [*lines, ""]


def _cases(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def _moment(text: str, zone: ZoneInfo) -> dt.datetime:
    moment = dt.datetime.fromisoformat(text)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)


def _agrees(told: Told, wanted: Iterable[dict[str, Any]], now: dt.datetime) -> bool:
    placed = [item for item in wanted if item["kind"] not in ("duration", "recurring")]
    return len(told) == len(placed) and all(
        any(_is(reading, item["kind"], option, now) for reading in readings for option in (item, *item.get("any_of", ())))
        for readings, item in zip(told, placed, strict=True)
    )


def _is(reading: tuple[Side, Side], kind: str, option: dict[str, Any], now: dt.datetime) -> bool:
    zone, wall = now.tzinfo, now.replace(tzinfo=None)
    assert isinstance(zone, ZoneInfo)
    try:
        start, end = (None if option.get(side) is None else _wall(_moment(option[side], zone)) for side in ("start", "end"))
    except ValueError:  # a year before the first
        return False
    if kind == "startday":
        return reading[0] is not None and start is not None and reading[0].date() == start.date()
    if kind == "open":
        return all(said == want or (want is None and said == wall) for said, want in zip(reading, (start, end), strict=True))
    return reading == (start, end)


def spent(work: Callable[[str], Any], texts: list[str]) -> list[float]:
    """Milliseconds a text, sorted, after a warm-up over the first hundred."""
    for text in texts[:100]:
        work(text)
    times = []
    for text in texts:
        began = time.perf_counter()
        work(text)
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)
