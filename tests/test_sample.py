"""The sample life fills both groups of its question on any day, at any hour."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from pydantic import SecretStr
from support import SHANGHAI

import adapters
from temporal_recall import folder, sample
from temporal_recall.recall import Recall
from temporal_recall.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("day", range(7))
async def test_both_groups_are_filled(tmp_path: Path, day: int) -> None:
    """From the first minute of a day to its last one, Monday to Sunday."""
    for hour, minute in ((0, 0), (5, 30), (12, 0), (23, 59)):
        now = dt.datetime(2026, 11, 30 - 7 + day, hour, minute, tzinfo=SHANGHAI)
        place = tmp_path / f"{hour}"
        sample.lay_out(place, now)
        settings = Settings(database_url=SecretStr(f"sqlite:///{place}/store.sqlite3"))
        async with folder.opened(place, settings, sample.USER, place) as sources:
            assert set(sources) == set(adapters.registry())
            recall = Recall(settings, sources)
            answer = await recall.answer(recall.plan(sample.QUESTION, sample.USER, now))
        assert answer["stats"]["partial"] is False, answer["stats"]["sources"]
        assert [len(group["items"]) > 0 for group in answer["groups"]] == [True, True], now
