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
from planner.reading import reader_of, tense_of
from planner.resolution import Tense


class TemporalMode(StrEnum):
    OCCURRED_IN = "OCCURRED_IN"
    MENTIONED_IN = "MENTIONED_IN"
    PLANNED_IN = "PLANNED_IN"
    CREATED_IN = "CREATED_IN"
    DUE_IN = "DUE_IN"
    AMBIGUOUS = "AMBIGUOUS"


# The rules by which what was is asked for, where no verb tells so.
_PAST_TENSE, _PAST_RANGE = "mode.past_tense", "mode.range_is_past"
UNSAID = (_PAST_TENSE, _PAST_RANGE)
FRAMING = (TemporalMode.MENTIONED_IN, TemporalMode.DUE_IN, TemporalMode.CREATED_IN)


@dataclass(frozen=True, slots=True)
class ModeReading:
    """A mode, the characters that told it (`[start, end)`, None if the range or nothing did), and the rule's name.

    `firm` is False where the words only lean to it, so that the place of the range may overrule them.
    """

    mode: TemporalMode
    span: tuple[int, int] | None
    rule: str
    firm: bool = True

    @property
    def tells_tense(self) -> bool:
        """Whether a bare date of the question lies on this mode's side of now."""
        return self.firm or self.mode is TemporalMode.OCCURRED_IN

    @property
    def framing(self) -> bool:
        """Whether the cue only frames the question (was said, is due, was made) and is no part of its topic."""
        return self.mode in FRAMING


# The first kind of evidence that is present wins. A record, a deadline or talk is what the question is about, whatever the
# tense of its verb ("what did I add", "which bills were due"); an intention stays one when its time is over ("what did I mean
# to do yesterday"); then tense and aspect; names of what a calendar holds say only that the range decides, and how.
_CREATED, _DUE, _MENTIONED = TemporalMode.CREATED_IN, TemporalMode.DUE_IN, TemporalMode.MENTIONED_IN
_PLANNED, _OCCURRED = TemporalMode.PLANNED_IN, TemporalMode.OCCURRED_IN
_ORDER = (
    ("created", _CREATED, True),
    ("due", _DUE, True),
    ("to_talk", _PLANNED, True),
    ("measured", _OCCURRED, True),
    ("mentioned", _MENTIONED, True),
    ("planned", _PLANNED, True),
    ("occurred", _OCCURRED, False),
    ("schedule", _PLANNED, False),
    ("ahead", _PLANNED, False),
)


def mode_by_words(query: str) -> ModeReading | None:
    """The mode the question's own words tell, whatever its range; None where they do not."""
    reader = reader_of(query)
    text = reader.fold(query)
    for cue, mode, firm in _ORDER:
        for language in reader.languages:
            match = language.cue(f"ask_{cue}").search(text)
            if match is not None:
                return ModeReading(mode, match.span(), f"{language.code}.mode.{cue}", firm)
    tense = tense_of(text, reader.languages)
    if tense == "past":
        return ModeReading(_OCCURRED, None, _PAST_TENSE, firm=False)
    if tense == "future":
        return ModeReading(_PLANNED, None, "mode.future_tense", firm=False)
    return None


def settle_mode(told: ModeReading | None, range_: TimeRange | None, now: dt.datetime) -> ModeReading:
    """What the words told, where they are firm or the range agrees, else what the range's place tells."""
    placed = mode_by_range(range_, now)
    if told is None or (not told.firm and placed.mode is not TemporalMode.AMBIGUOUS):
        return placed if told is None or placed.mode is not told.mode else told
    return told


def mode_by_range(range_: TimeRange | None, now: dt.datetime) -> ModeReading:
    """The mode that only the range's place tells: past happened, future is planned, one that holds now may be anything."""
    if range_ is not None and range_.end is not None and range_.end <= now:
        return ModeReading(_OCCURRED, None, _PAST_RANGE)
    if range_ is not None and range_.start is not None and range_.start > now:
        return ModeReading(_PLANNED, None, "mode.range_is_future")
    return ModeReading(TemporalMode.AMBIGUOUS, None, "mode.range_holds_now" if range_ else "mode.nothing_tells")


def tense_for(mode: TemporalMode) -> Tense:
    """The side of now that a bare date lies on when the mode is known."""
    if mode in (TemporalMode.PLANNED_IN, TemporalMode.DUE_IN):
        return "future"
    if mode is TemporalMode.AMBIGUOUS:
        return None
    return "past"
