"""Times of a question that an event of the asker's own life tells: "while I was in Lisbon", 搬家之前, "the night before the exam".

The planner cannot know when that was: it reads the event's words and how the asked time lies to it. The days come from the person's
sources (`planner.episodes`). A language says how by the cues of `_CUES`, each with a group `anchor`, and these groups where it has them:

| group | the asked time |
|---|---|
| `day`, `week`, `weekend`, `month` | this unit of the event, or beside it |
| `morning`, `noon`, `evening`, `night` | this part of the day |
| `next`, `back` | the unit after the event, or before it |
| `count` | so many of the units |
| `first` | the event's own first unit |
| `morrow`, `eve` | the day after the event, the night before it |
| `until` | another event that ends the time |
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from planner import words
from planner._grammar import Language
from planner._later import source_of
from planner._literals import filter_of
from planner.reading import Mention, reader_of

Relation = Literal["during", "since", "after", "before", "beside"]
Part = Literal["morning", "noon", "evening", "night"]
Unit = Literal["day", "weekend", "week", "month"]
_CUES: tuple[tuple[str, Relation], ...] = (
    ("event_beside", "beside"),
    ("event_between", "since"),
    ("event_since", "since"),
    ("event_after", "after"),
    ("event_before", "before"),
    ("event_during", "during"),
)
_UNITS: tuple[Unit, ...] = ("day", "weekend", "week", "month")
_PARTS: tuple[Part, ...] = ("morning", "noon", "evening", "night")
_AT_MOST = 2
_SOME = 4
_ASKS = 500  # characters of a question that are read for an event; what is longer tells a story
_MOST = 366  # of the units
_LONGEST = 80  # characters of an event's words
Words = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=_LONGEST)]
Place = Annotated[int, Field(strict=True, ge=0, le=4096)]


class Anchor(BaseModel):
    """An event that dates a question, in the asker's words, and how the asked time lies to it.

    `span` are the characters `[start, end)` of the query that tell the time, `text` those of the event, folded, `about` the words of it
    by which it is looked for. "since" runs on to now, "after" means what came soon. With "beside" the time is `count` units from the
    event, negative ones before it, 0 the one it lies in, or the `part` of that day; `first` means the event's beginning and not its end.
    `returns` tells that the event itself is the end of something ("came back from Tokyo"), `away` that one comes back from it.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    text: Words
    about: Words
    span: tuple[Place, Place]
    relation: Relation
    rule: str = ""
    unit: Unit | None = None
    count: Annotated[int, Field(strict=True, ge=-_MOST, le=_MOST)] = 0
    part: Part | None = None
    first: bool = False
    returns: bool = False
    away: bool = False

    def __str__(self) -> str:
        said = [self.relation, str(self.count or ""), "first" if self.first else "", self.unit or "", self.part or ""]
        return " ".join(filter(None, said)) + f": {self.text}"


def anchors_of(query: str, mentions: Sequence[Mention] = ()) -> list[Anchor]:
    """The events that tell the question's time, in text order, at most two, of which the one begins and the other ends it.

    None where it is somebody else's life, where the question compares or measures ("how long after the wedding ..."), or where a time
    of `mentions` stands in the event's own words: then that is its time.
    """
    if len(query) > _ASKS:
        return []
    reader = reader_of(query)
    folded = reader.fold(query)
    may = [(language, _possible(language, folded)) for language in reader.languages]
    if len(folded) != len(query) or not any(cues for _, cues in may) or any(x.cue("event_not").search(folded) for x, _ in may):
        return []
    taken = [False] * len(folded)
    found: list[Anchor] = []
    for cue, relation in _CUES:
        for language in [language for language, cues in may if cue in cues]:
            for match in language.cue(cue).finditer(folded):
                if any(taken[match.start() : match.end()]) or len(found) == _AT_MOST:
                    continue
                read = _read(match, relation, f"{language.code}.{cue.replace('_', '.')}", language, mentions)
                if read:
                    found += read
                    taken[match.start() : match.end()] = [True] * (match.end() - match.start())
    return sorted(found, key=lambda anchor: anchor.span)[:_AT_MOST]


def _possible(language: Language, folded: str) -> Collection[str]:
    """The language's cues that a question may hold: most hold none of their words."""
    return filter_of(language, "events", lambda: [(cue, source_of(language.cue(cue))) for cue, _ in _CUES]).possible(folded)


def _read(match: re.Match[str], relation: Relation, rule: str, language: Language, mentions: Sequence[Mention]) -> list[Anchor]:
    told = match.groupdict()
    events = [(name, *match.span(name)) for name in ("anchor", "until") if told.get(name)]
    if any(start < m.end and m.start < end and m.range is not None for _, start, end in events for m in mentions):
        return []
    unit = next((unit for unit in _UNITS if told.get(unit)), None)
    part = next((part for part in _PARTS if told.get(part)), None)
    count = 0
    if told.get("morrow"):
        unit, count = "day", 1
    elif told.get("eve"):
        part, count = "night", -1
    elif told.get("next") or told.get("back"):
        count = _count(told.get("count")) * (-1 if told.get("back") else 1)
    anchors = []
    for name, start, end in events:
        text = match.string[start:end]
        while (head := language.cue("event_head").match(text)) is not None and words.sought(text[head.end() :]):
            text = text[head.end() :]
        if len(text) > _LONGEST or not words.sought(text) or language.cue("event_of_others").search(text):
            return []
        returns = language.cue("event_returns").search(text) is not None
        about = text
        for cue_ in ("event_returns", "event_kind"):
            plainer = language.cue(cue_).sub(" ", about)
            about = plainer if words.content(plainer) else about
        if relation == "beside" and unit == "day" and not count and part is None and not told.get("first"):
            return []  # the day of something is looked for by all that the question says of it
        anchors.append(
            Anchor(
                text=text.strip(),
                about=about.strip(),
                span=match.span(),
                relation="before" if name == "until" else relation,
                rule=rule,
                unit=unit,
                count=count,
                part=part,
                first=bool(told.get("first")),
                returns=returns,
                away=returns or language.cue("event_away").search(match.group()) is not None,
            )
        )
    return anchors


def _count(said: str | None) -> int:
    """How many units are said; what names no number ("few", 几) is some."""
    if not said:
        return 1
    numbers = words.numbers(said)
    return max(1, min(int(numbers[0]), _MOST)) if numbers else _SOME
