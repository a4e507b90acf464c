"""The service on one screen: plan, retrieve, dedupe, rank, group.

query + now --planner--> ContextPlan --adapters, at once--> TimelineItems --dedupe, rank, group--> Answer
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import anyio

from adapters import TemporalSourceAdapter, TimelineItem
from planner.modes import TemporalMode
from planner.plan import ContextPlan, make_plan
from temporal_recall import calibration as cal
from temporal_recall.dating import Meant, meant
from temporal_recall.dedupe import dedupe
from temporal_recall.errors import RecallTimeout, SourcesFailed
from temporal_recall.group import group
from temporal_recall.rank import Ranked, Scoring, in_order, rank
from temporal_recall.retrieval import Outcome, around, retrieve, telling
from temporal_recall.settings import Settings

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
_SPARE = 8  # so many more items than are wanted, or half as many again, are read at least: some of them say the same
_DATING = 0.3  # of the time for an answer, to find out when an event was that a question names


@dataclass(slots=True)
class Recall:
    """What answering needs: the settings and the configured sources."""

    settings: Settings
    adapters: Mapping[str, TemporalSourceAdapter] = field(default_factory=dict)

    def plan(
        self, query: str, user_id: str, now: dt.datetime, sources: Sequence[str] | None = None, mode: TemporalMode | None = None
    ) -> ContextPlan:
        """The plan for a question; `now` is aware and its tzinfo the asker's zone. A given mode is obeyed."""
        asked = tuple(dict.fromkeys(sources or self.settings.sources or self.adapters))
        return make_plan(query, user_id, now, self.settings.plan_settings(asked), mode)

    async def answer(
        self, plan: ContextPlan, limit: int = DEFAULT_LIMIT, *, explain: bool = False, include_dropped: bool = False
    ) -> dict[str, Any]:
        """The answer to a plan as JSON values, within the settings' timeout and a little.

        Raises RecallTimeout or SourcesFailed when every source, or one that the plan requires, failed.
        """
        began = anyio.current_time()
        settings = self.settings
        told = await self._meant(plan, began)
        asked = plan if told is None else told.plan
        scoring = Scoring(asked, settings.source_quality, told)
        wanted = min(limit, plan.count or limit)

        async def ask(plan: ContextPlan, room: int | None) -> list[Outcome]:
            judge_of = partial(scoring.judge, room=None if include_dropped else room, every=include_dropped)
            left = settings.timeout_seconds - (anyio.current_time() - began)
            return await retrieve(plan, self.adapters, settings.users, left, settings.conventions, judge_of)

        outcomes = await ask(asked, wanted + max(_SPARE, wanted // 2))
        _raise_if_failed(outcomes)
        raw, items, ranked = self._settled(outcomes, scoring)
        behind = {outcome.source for outcome in outcomes if outcome.beyond}
        if behind and not include_dropped and sum(r.tier is not None for r in ranked) < wanted:
            # Too much of what was read says the same: what stands behind it is read as well.
            rest = tuple(retrieval for retrieval in asked.retrievals if retrieval.source in behind)
            again = await ask(asked.model_copy(update={"retrievals": rest}), None)
            whole = {outcome.source: outcome for outcome in again if not outcome.failed}
            outcomes = [whole.get(outcome.source, outcome) for outcome in outcomes]
            raw, items, ranked = self._settled(outcomes, scoring)
        kept = [r for r in ranked if r.tier is not None]
        returned = in_order(kept, plan, wanted)
        unread = sum(outcome.below + outcome.beyond for outcome in outcomes)
        groups, flat = group(returned, plan)
        nearest = None
        if not returned:
            deadline = began + settings.timeout_seconds
            known = await around(asked, self.adapters, settings.users, deadline, settings.conventions)
            nearest = _nearest(ranked, known, asked)
        answer: dict[str, Any] = {
            "query_type": plan.query_type,
            "temporal_mode": plan.temporal_mode.value,
            "time_range": {"start": _time(plan.time.start, plan.zone), "end": _time(plan.time.end, plan.zone)},
            "groups": [{"label": label, "items": [_wire(r, plan.zone, explain) for r in members]} for label, members in groups],
            "items": [_wire(r, plan.zone, explain) for r in flat],
            "stats": {
                "sources_queried": [outcome.source for outcome in outcomes if outcome.status != "not_configured"],
                "raw_count": len(raw) + unread,
                "deduped_count": len(items) + unread,
                "returned_count": len(returned),
                "dropped_count": len(ranked) - len(returned) + unread,
                "elapsed_ms": round((anyio.current_time() - began) * 1000),
                "partial": any(outcome.failed or outcome.incomplete for outcome in outcomes),
                "sources": [_row(outcome) for outcome in outcomes],
                "nearest": nearest,
            },
            "plan": plan.wire(),
        }
        if told is not None:
            answer["stats"]["meant"] = _meant(told)
        if include_dropped:
            given = set(map(id, returned))
            gone = [r for r in ranked if r.tier is None] + [r for r in kept if id(r) not in given]
            answer["dropped"] = [
                _wire(r, plan.zone, True) | {"dropped_by": r.score.weakest if r.tier is None else "limit"}
                for r in gone[:MAX_LIMIT]
            ]
        return answer

    def _settled(
        self, outcomes: Sequence[Outcome], scoring: Scoring
    ) -> tuple[list[TimelineItem], list[TimelineItem], list[Ranked]]:
        """What all sources gave, what is left of it where what says the same is one, and that in its order."""
        plan = scoring.plan
        raw = [item for outcome in outcomes for item in outcome.items]
        if any(outcome.beyond for outcome in outcomes):  # merging changes what it is given, and may have to begin anew
            raw = [replace(item, merged_from=[*item.merged_from]) for item in raw]
        still_open = plan.time.open_in(plan.temporal_mode, plan.now)
        items = dedupe(raw, plan.zone, self.settings.source_quality, still_open=still_open)
        return raw, items, rank(items, scoring)

    async def _meant(self, plan: ContextPlan, began: float) -> Meant | None:
        """The plan in the time that the events of a question mean, found in a part of the time that there is for an answer."""
        settings = self.settings
        deadline = began + _DATING * settings.timeout_seconds

        async def ask(about: ContextPlan) -> Sequence[TimelineItem]:
            return await telling(about, self.adapters, settings.users, deadline, settings.conventions)

        return await meant(plan, settings.plan_settings(tuple(r.source for r in plan.retrievals)), ask)


def _meant(told: Meant) -> dict[str, Any]:
    """What the time of a question that an event tells was taken for, and which records tell so."""
    time, zone = told.plan.time, told.plan.zone
    return {
        "start": _time(time.start, zone),
        "end": _time(time.end, zone),
        "expression": time.expression,
        "certainty": round(told.certainty, 2),
        "told_by": list(told.refs),
    }


def _raise_if_failed(outcomes: Sequence[Outcome]) -> None:
    failed = [outcome for outcome in outcomes if outcome.failed]
    required = [outcome for outcome in failed if outcome.required]
    if len(failed) < len(outcomes) and not required:
        return
    to_blame = required or failed
    causes = [(f"sources.{outcome.source}", outcome.message or outcome.status) for outcome in to_blame]
    if all(outcome.status == "timeout" for outcome in to_blame):
        raise RecallTimeout("the sources did not answer in time", causes)
    raise SourcesFailed("a required source failed" if required else "every source failed", causes)


def _row(outcome: Outcome) -> dict[str, Any]:
    return {
        "source": outcome.source,
        "status": outcome.status,
        "count": outcome.count,
        "ms": round(outcome.ms, 1),
        "truncated": outcome.truncated,
        "undated": outcome.undated,
        "skipped": outcome.skipped,
        "message": outcome.message,
    }


def item_id(item: TimelineItem) -> str:
    """Stable for a source record: the same one, and each event it tells of, gives the same id on every call."""
    name = f"{item.source_ref}#{item.part}" if item.part else item.source_ref
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def _time(moment: dt.datetime | None, zone: dt.tzinfo) -> str | None:
    return None if moment is None else moment.astimezone(zone).isoformat()


def _wire(ranked: Ranked, zone: dt.tzinfo, explain: bool) -> dict[str, Any]:
    item, score = ranked.item, ranked.score
    out: dict[str, Any] = {
        "timeline_item_id": item_id(item),
        "source": item.source,
        "type": item.type,
        "event_time": _time(item.event_time, zone),
        "event_end": _time(item.event_end, zone),
        "event_grain": None if item.event_grain is None else item.event_grain.word,
        "observed_time": _time(item.observed_time, zone),
        "title": item.title,
        "content": item.content,
        "importance": round(item.importance, 4),
        "confidence": round(item.confidence, 4),
        "recall_score": round(ranked.value, 4),
        "tier": ranked.tier,
        "source_ref": item.source_ref,
        "status": item.status,
        "merged_from": item.merged_from,
    }
    if explain:
        names = ("source_quality", "temporal_match", "semantic_match", "importance", "confidence")
        out["score"] = {name: round(getattr(score, name), 4) for name in names}
    return out


def _nearest(ranked: Sequence[Ranked], known: Sequence[dt.datetime], plan: ContextPlan) -> dict[str, str | None]:
    """The closest times outside of the range, of items that fit the topic, for an honest "nothing then"."""
    fitting = [r.item for r in ranked if r.score.semantic_match >= cal.FITS_TOPIC]
    times = [*known, *(when for item in fitting for when in (item.event_time, item.observed_time) if when is not None)]
    before = max((when for when in times if when < plan.time.start), default=None)
    after = min((when for when in times if when >= plan.time.end), default=None)
    return {"before": _time(before, plan.zone), "after": _time(after, plan.zone)}
