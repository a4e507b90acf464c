"""What a source text says of its event: when it is, whether it happened, is planned, due or off, and who owes what.

Rules only: cue words of the language files and the times `read_times` finds at the anchor, the moment the text was observed.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from planner import expressions as ex
from planner import words
from planner.ranges import Grain, TimeRange
from planner.reading import Mention, grammar, read_times, tense_of
from planner.resolution import DEFAULT, Conventions

# Long texts tell of many things; their first part is what they are about, and reading stays cheap.
_READ_AT_MOST = 4000


@dataclass(frozen=True, slots=True)
class Statement:
    """The reading of one text.

    `type` is commitment, todo or "" (the source's own default); `status` one of mentioned, planned, due, occurred, done,
    cancelled. `event` is the range of the event in the anchor's zone, half-open, None when the text gives no time; `importance`
    and `confidence` lie in [0, 1]. `moved` says that it gives an earlier plan a new time.
    """

    type: str
    status: str
    event: TimeRange | None
    grain: Grain | None
    negated: bool
    moved: bool
    question: bool
    importance: float
    confidence: float


def read_statement(
    text: str, observed: dt.datetime | None, conventions: Conventions = DEFAULT, *, by_user: bool = True
) -> Statement:
    """What `text` says, told at `observed` (aware, its tzinfo the person's zone).

    With `observed` None a relative time has no anchor: only a stated full date gives an event, and confidence is lower.
    `by_user` is False for an assistant's words: what it says it will do is no commitment of the person.
    """
    reader = grammar()
    head = text[:_READ_AT_MOST]
    folded = reader.fold(head)

    def says(cue: str) -> bool:
        return any(language.cues[cue].search(folded) for language in reader.languages)

    question = says("question")
    cancelled, moved, negated = says("cancelled") and not question, says("moved"), says("negated")
    todo, due = says("todo"), says("due")
    commitment = by_user and says("commitment") and not question
    tense = tense_of(folded, reader.languages)
    if cancelled or moved:
        tense = "future"  # what is called off or moved was still to come when it was said
    elif tense is None and (todo or due or commitment or says("planned")):
        tense = "future"
    anchor = observed or dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    mention = _event(read_times(head, anchor, conventions, tense=tense), moved, observed is not None)
    event = _closed(mention, anchor) if mention is not None else None
    ahead = event is not None and event.end is not None and observed is not None and event.end > observed
    begun = event is not None and event.start is not None and observed is not None and event.start <= observed
    done = says("done") and not question and not (tense == "future" and ahead)

    if cancelled:
        status = "cancelled"
    elif question and not (todo or due):
        status = "planned" if ahead and not begun else "mentioned"
    elif done and not negated:
        status = "done" if todo or due or not event else "occurred"
    elif due and (event is None or ahead):
        status = "due"
    elif event is not None and (ahead and (not begun or tense == "future")):
        status = "planned"
    elif (commitment or todo) and not done:
        status = "planned"
    elif event is not None and (tense == "past" or not ahead) and not negated:
        status = "occurred"
    elif tense == "past" and not negated and event is None and says("occurred"):
        status = "occurred"
    else:
        status = "mentioned"
    type_ = "commitment" if commitment and not todo else "todo" if (todo or status == "due") and not question else ""
    return Statement(
        type=type_,
        status=status,
        event=event,
        grain=mention.grain if mention is not None else None,
        negated=negated or cancelled,
        moved=moved,
        question=question,
        importance=_importance(folded, type_, status, event, question, says("weighty"), says("trivial")),
        confidence=_confidence(mention, observed, by_user),
    )


def _event(mentions: list[Mention], moved: bool, anchored: bool) -> Mention | None:
    """The mention that dates the event: a stated one before a vague one, after a correction the last one."""
    # "Recently" dates an event no better than the moment it is told at does.
    placed = [m for m in mentions if m.range is not None and not isinstance(m.expression, ex.Now | ex.Vague)]
    if not anchored:
        placed = [m for m in placed if _absolute(m.expression)]
    firm = [m for m in placed if m.grain < Grain.DECADE] or placed
    if not firm:
        return None
    return firm[-1] if moved else min(firm, key=lambda m: m.grain > Grain.MONTH)


def _absolute(e: ex.Expression) -> bool:
    """Whether it says its year: it needs no anchor."""
    if isinstance(e, ex.Within):
        return _absolute(e.outer)
    return isinstance(e, ex.Year | ex.Fixed) or (isinstance(e, ex.Numeric) and e.year is not None)


def _closed(mention: Mention, anchor: dt.datetime) -> TimeRange | None:
    """An open side is closed by the anchor or, for a deadline, by its own end ("by Friday" is due on Friday)."""
    range_ = mention.range
    assert range_ is not None
    if range_.start is None and range_.end is not None:
        day = dt.timedelta(days=1)
        return TimeRange(range_.end - day if range_.end > anchor else range_.end, range_.end)
    if range_.end is None and range_.start is not None:
        return TimeRange(range_.start, max(range_.start, anchor))
    return range_


def _importance(
    folded: str, type_: str, status: str, event: TimeRange | None, question: bool, weighty: bool, trivial: bool
) -> float:
    """A prior from what is said: 0.7, more for duties, stated times and weighty matters, less for small talk."""
    if trivial:
        return 0.05
    value = 0.7
    value += 0.06 if event is not None else 0.0
    value += 0.1 if type_ else 0.0
    value += 0.1 if weighty else 0.0
    value += 0.05 if status in ("due", "done", "cancelled") else 0.0
    value -= 0.05 if question else 0.0
    if len(words.content(folded[:200])) < 3 and event is None and not type_:
        value -= 0.05
    return round(min(max(value, 0.05), 0.95), 2)


def _confidence(mention: Mention | None, observed: dt.datetime | None, by_user: bool) -> float:
    """How sure the reading is: less for an assistant's words, a vague time, several readings, no anchor."""
    value = 0.95 if by_user else 0.9
    if observed is None:
        return round(value - 0.3, 2)
    if mention is not None and mention.grain >= Grain.DECADE:
        value -= 0.1
    elif mention is not None and mention.alternatives:
        value -= 0.03
    return round(value, 2)
