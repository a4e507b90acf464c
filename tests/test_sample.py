"""The sample life fills both groups of its question on any day, at any hour."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from pydantic import SecretStr
from support import SHANGHAI

from adapters._store import Store
from adapters.chat import StoreChat
from adapters.meinput import MeInput, MeInputSettings
from temporal_recall import sample
from temporal_recall.recall import Recall
from temporal_recall.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("day", range(7))
async def test_both_groups_are_filled(tmp_path: Path, day: int) -> None:
    """From the first minute of a day to its last one, Monday to Sunday."""
    for hour, minute in ((0, 0), (5, 30), (12, 0), (23, 59)):
        now = dt.datetime(2026, 11, 30 - 7 + day, hour, minute, tzinfo=SHANGHAI)
        store = Store(f"sqlite:///{tmp_path}/{hour}.sqlite3")
        await store.open()
        await sample.fill(store, now)
        async with sample.served(sample.export_app(sample.typed(now), "sample")) as url:
            typed = MeInput(MeInputSettings(url=url, token=SecretStr("sample")))
            recall = Recall(Settings(), {"chat": StoreChat(store), "meinput": typed})
            answer = await recall.answer(recall.plan(sample.QUESTION, sample.USER, now))
            await typed.close()
        await store.close()
        assert [len(group["items"]) > 0 for group in answer["groups"]] == [True, True], now
