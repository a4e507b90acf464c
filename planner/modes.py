"""Which sense of time a question means.

| mode | asked for |
|---|---|
| OCCURRED_IN | what happened in the range |
| MENTIONED_IN | what was said or written in it |
| PLANNED_IN | what is planned for it |
| CREATED_IN | which records were made in it |
| DUE_IN | what is due in it |
| AMBIGUOUS | any of these: nothing tells |
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from planner.ranges import TimeRange
from planner.reading import grammar, tense_of
from planner.resolution import Tense


class TemporalMode(StrEnum):
    OCCURRED_IN = "OCCURRED_IN"
    MENTIONED_IN = "MENTIONED_IN"
    PLANNED_IN = "PLANNED_IN"
    CREATED_IN = "CREATED_IN"
    DUE_IN = "DUE_IN"
    AMBIGUOUS = "AMBIGUOUS"


@dataclass(frozen=True, slots=True)
class ModeReading:
    """A mode, the characters that told it (`[start, end)`, None if the range or nothing did), and the rule's name."""

    mode: TemporalMode
    span: tuple[int, int] | None
    rule: str

    @property
    def framing(self) -> bool:
        """Whether the cue only frames the question (was said, is due, was made) and is no part of its topic."""
        return self.mode in (TemporalMode.MENTIONED_IN, TemporalMode.DUE_IN, TemporalMode.CREATED_IN)


# The first cue that is present wins: what is made or due is said with the same verbs as what is planned or happened.
_ORDER = (
    ("created", TemporalMode.CREATED_IN),
    ("due", TemporalMode.DUE_IN),
    ("mentioned", TemporalMode.MENTIONED_IN),
)


def mode_by_words(query: str) -> ModeReading | None:
    """The mode the question's own words tell, whatever its range; None where they do not."""
    reader = grammar()
    text = reader.fold(query)
    for cue, mode in _ORDER:
        for language in reader.languages:
            match = language.cues[cue].search(text)
            if match is not None:
                return ModeReading(mode, match.span(), f"{language.code}.mode.{cue}")
    planned = occurred = None
    for language in reader.languages:
        planned = planned or language.cues["planned"].search(text)
        occurred = occurred or language.cues["occurred"].search(text)
    tense = tense_of(text, reader.languages)
    if planned and tense != "past":
        return ModeReading(TemporalMode.PLANNED_IN, planned.span(), "mode.planned")
    if occurred and tense != "future":
        return ModeReading(TemporalMode.OCCURRED_IN, occurred.span(), "mode.occurred")
    if tense == "past":
        return ModeReading(TemporalMode.OCCURRED_IN, None, "mode.past_tense")
    if tense == "future":
        return ModeReading(TemporalMode.PLANNED_IN, None, "mode.future_tense")
    return None


def mode_by_range(range_: TimeRange | None, now: dt.datetime) -> ModeReading:
    """The mode that only the range's place tells: past happened, future is planned, one that holds now may be anything."""
    if range_ is not None and range_.end is not None and range_.end <= now:
        return ModeReading(TemporalMode.OCCURRED_IN, None, "mode.range_is_past")
    if range_ is not None and range_.start is not None and range_.start > now:
        return ModeReading(TemporalMode.PLANNED_IN, None, "mode.range_is_future")
    return ModeReading(TemporalMode.AMBIGUOUS, None, "mode.range_holds_now" if range_ else "mode.nothing_tells")


def tense_for(mode: TemporalMode) -> Tense:
    """The side of now that a bare date lies on when the mode is known."""
    if mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN):
        return "future"
    if mode is TemporalMode.AMBIGUOUS:
        return None
    return "past"
