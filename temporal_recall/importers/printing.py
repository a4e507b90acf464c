"""An import on the terminal: how far it is, and what became of the export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from temporal_recall.importers.export import Export
from temporal_recall.importers.run import Report

_SHOWN = 10  # bad rows; the report file has all


@contextmanager
def bar(console: Console) -> Iterator[Callable[[Export], None]]:
    """A bar that is moved by calling what the context gives; it is gone afterwards, and never there where nobody looks."""
    columns = (TextColumn("importing"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        yield lambda export: progress.update(task, completed=export.done, total=export.total or None)


def shown(report: Report, out: Console, err: Console, dry_run: bool) -> None:
    """What was left out for being bad, row by row, and the counts."""
    bad = [left for left in report.left if left.bad]
    for left in bad[:_SHOWN]:
        err.print(Text(f"{left.place}: {left.reason}", style="yellow"))
    if len(bad) > _SHOWN:
        err.print(Text(f"… and {len(bad) - _SHOWN} more: --report FILE writes them all", style="yellow"))
    would = "would add" if dry_run else "added"
    span = "" if report.first is None or report.last is None else f", {report.first.date()} to {report.last.date()}"
    out.print(
        f"read {report.read}, {would} {report.added}, known before {report.known}, skipped {report.skipped}, bad {report.bad}"
        f" ({len(report.conversations)} conversations{span})"
    )
    skipped = ", ".join(f"{reason} {count}" for reason, count in report.reasons.most_common())
    if skipped:
        out.print(Text(f"left out: {skipped}", style="dim"))
    if report.attachments:
        out.print(Text(f"attachments not kept: {len(report.attachments)}", style="dim"))
