"""A source is one file: put beside the others it is found, configured, listed, checked and asked, and nothing else is touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

DIARY = '''
"""diary: lines of "ISO time, tab, text"."""

import datetime as dt
from pathlib import Path

from pydantic_settings import SettingsConfigDict

from adapters._base import Items, SourceError, SourceSettings, item_of, source
from planner.statements import read_statement


class DiarySettings(SourceSettings):
    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_DIARY_")
    file: Path | None = None


@source("diary", DiarySettings, "DIARY_FILE")
def build(settings, shared):
    return Diary(settings.file) if settings.file else None


class Diary:
    source = "diary"

    def __init__(self, file):
        self.file = file

    def lines(self):
        try:
            return self.file.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise SourceError(f"the diary cannot be read: {type(error).__name__}") from error

    async def search(self, ctx):
        items = []
        for n, line in enumerate(self.lines()):
            when, _, text = line.partition("\\t")
            at = dt.datetime.fromisoformat(when).astimezone(ctx.zone)
            read = read_statement(text, at, ctx.conventions)
            items.append(item_of(read, source="diary", source_ref=f"diary:line:{n}", default_type="note", content=text, observed=at))
        return Items(items)

    async def check(self):
        return f"{len(self.lines())} lines"

    async def close(self):
        pass
'''
MAIN = "import sys, adapters; adapters.__path__.append(sys.argv.pop(1)); from temporal_recall.cli import main; main()"


def run(folder: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TEMPORAL_RECALL_")}
    kept |= {"XDG_DATA_HOME": str(folder), "LOCALAPPDATA": str(folder), "HOME": str(folder), "COLUMNS": "140", "NO_COLOR": "1"}
    command = [sys.executable, "-c", MAIN, str(folder / "more"), *args]
    return subprocess.run(command, capture_output=True, text=True, env=kept | env, cwd=folder, timeout=60, check=False)


def test_a_source_is_one_file(tmp_path: Path) -> None:
    """One new file among the adapters is all there is to a new source."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "diary.py").write_text(DIARY, encoding="utf-8")
    (tmp_path / "life.tsv").write_text("2026-09-02T10:00:00+08:00\t明天下午三点评审预算\n", encoding="utf-8")
    assert "DIARY_FILE" in run(tmp_path, "sources").stdout
    given = {"TEMPORAL_RECALL_DIARY_FILE": str(tmp_path / "life.tsv")}
    assert "1 lines" in run(tmp_path, "sources", "check", **given).stdout
    asked = run(tmp_path, "ask", "这周有什么安排", "--now", "2026-09-02T22:00:00+08:00", "--json", **given)
    answer = json.loads(asked.stdout)
    assert [item["source_ref"] for item in answer["items"]] == ["diary:line:0"]
    missing = run(tmp_path, "sources", "check", TEMPORAL_RECALL_DIARY_FILE=str(tmp_path / "nowhere.tsv"))
    assert missing.returncode == 1
    assert "the diary cannot be read" in missing.stdout
