"""The notes' kits: a folder for each person, a file for each day, or one file with a heading for each."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from conformance import Kit, Record

from adapters._accounts import Account
from adapters.notes import Notes, NotesSettings


@asynccontextmanager
async def _opened(
    folder: Path, records: Sequence[Record], *, one_file: bool, damage: Callable[[Path], object] = lambda folder: None
) -> AsyncIterator[Any]:
    accounts = []
    for user in ("ada", "eve"):
        place = folder / user
        place.mkdir(exist_ok=True)
        days: dict[str, list[str]] = {}
        for record in sorted((r for r in records if r.user == user), key=lambda r: r.start):
            days.setdefault(f"{record.start:%Y-%m-%d}", []).append(f"- {record.start:%H:%M} {record.text}\n")
        if one_file:
            text = "".join(f"## {day}\n{''.join(lines)}" for day, lines in days.items())
            (place / "journal.md").write_text(text, encoding="utf-8")
        else:
            for day, lines in days.items():
                (place / f"{day}.md").write_text("".join(lines), encoding="utf-8")
        accounts.append(Account(path=place, user=user))
    damage(folder / "ada")
    yield Notes(NotesSettings(accounts=tuple(accounts)))


@asynccontextmanager
async def _bare(folder: Path, make: Callable[[Path], object]) -> AsyncIterator[Any]:
    make(folder / "notes")
    yield Notes(NotesSettings(accounts=(Account(path=folder / "notes", user="ada"),)))


def _many(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    first = folder / "n0.md"
    first.write_text("## 2026-09-01\n" + "- x\n" * 90_000, encoding="utf-8")
    for n in range(1, 80):
        if not (folder / f"n{n}.md").exists():
            os.link(first, folder / f"n{n}.md")


DAMAGE: dict[str, Callable[[Path], object]] = {
    "not UTF-8": lambda folder: (folder / "2026-09-01 b.md").write_bytes("周会".encode("gb18030")),
    "no text": lambda folder: (folder / "2026-09-01 b.md").write_bytes(b"\x00" * 99),
    "too large": lambda folder: (folder / "2026-09-01 b.md").write_bytes(b"x" * (5 * 2**20)),
    "a folder": lambda folder: (folder / "2026-09-01 b.md").mkdir(),
    "a pipe": lambda folder: os.mkfifo(folder / "2026-09-01 b.md"),
    "a link to nowhere": lambda folder: (folder / "2026-09-01 b.md").symlink_to("nowhere"),
    "no such day": lambda folder: (folder / "2026-02-31.md").write_text("- something\n"),
}
BROKEN: dict[str, Callable[[Path], object]] = {
    "no folder": lambda place: None,
    "a file": lambda place: place.write_text("x"),
    "other files": lambda place: (place.mkdir(), (place / "ideas.md").write_text("# idea\n- 2026-09-01\n")),
}


def _kit(name: str, one_file: bool) -> Kit:
    opened = partial(_opened, one_file=one_file)
    return Kit(
        name,
        opened,
        damaged={kind: partial(opened, damage=damage) for kind, damage in DAMAGE.items()},
        broken={kind: partial(_bare, make=make) for kind, make in BROKEN.items()},
        slow=partial(_bare, make=_many),
    )


KITS = [_kit("notes-files", False), _kit("notes-headings", True)]
