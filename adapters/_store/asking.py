"""What a question looks for in the store: its words without the time's own, what it compares, what dates it, whose words."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from adapters._store.embedding import LONGEST_QUESTION
from adapters._store.search import Asked
from planner import words
from planner.ranges import UTC
from planner.reading import grammar
from planner.topics import without_times

_PARTS = re.compile(r"[，,、；;：:]|以及|和|与|及|还是|\b(?:and|or|before|after)\b")
_MEANT = 4  # compared things whose meanings are looked for one by one: each is a look at all messages
_SENTENCES = re.compile(r"[？?。！!；;]\s*\S|\.\s+\S")  # of which no subject is the whole's
_NAMED = 2  # words at most of a topic that names a thing
# What asks for the comparison itself, at the end of the question.
_ASIDE = re.compile(
    r"(?:(?:这些|以下|以上)?(?:事件|事情)?中?[，,]?\s*)?"
    r"(?:哪[个件]|哪一[个件]|哪些事件|是?在?同一|更[早晚]|最[早晚]|分别|which |what |who |did |do |was |were )[^，,、；;：:]*[?？]?\s*$",
    re.IGNORECASE,
)


def asked(
    query: str,
    time_spans: Iterable[tuple[int, int]] = (),
    times_ms: Sequence[tuple[int, int]] = (),
    *,
    more: str = "",
    zone: dt.tzinfo = UTC,
    observed_ms: tuple[int, int] | None = None,
    told: bool = False,
    over: bool = False,
    also_ms: Sequence[tuple[int, int]] = (),
    events: Sequence[str] = (),
    framed: bool = False,
) -> Asked:
    """`time_spans` are the characters of the query that tell its times `times_ms`; with `observed_ms` the first of them is hard.
    `told` tells that they are times of telling, `over` that what was then or was said then is asked for, and not what is
    to come. `also_ms` are times of things it names, never hard. `events` are the words of those that tell the first time, which is
    inferred then. With `framed` the words beside the topic `more` count for little: that a thing is due, it bears itself.
    """
    plain = without_times(query, time_spans)
    reader = grammar()
    folded = reader.fold(plain)

    def says(cue: str) -> re.Match[str] | None:
        return next((m for language in reader.languages if (m := language.cue(cue).search(folded))), None)

    parts: dict[str, list[str]] = {}
    if says("compared"):
        said = [part.strip() for part in _PARTS.split(_ASIDE.sub("", folded))]
        parts = {part: terms for part in said if len(part) >= 3 and (terms := words.sought(part))}
    compared = len(parts) > 1
    day = says("that_day")
    topic = words.sought(plain + "\n" + more)
    event = [term for term in words.sought("\n".join(events)) if term not in topic]
    named = set(words.sought(more))
    return Asked(
        [*topic, *event] or words.sought(query),
        query,
        times_ms[0] if times_ms else None,
        (*times_ms[1:], *also_ms),
        tuple(parts.values()) if compared else (),
        words.sought(day["anchor"]) if day is not None else (),
        zone,
        observed_ms,
        hard=observed_ms is not None,
        told=told,
        subject=_subject(more, says("asks_what")) if not compared and day is None and not _SENTENCES.search(query) else (),
        over=over,
        event=event,
        whole=bool(events) and not more,
        framing=[term for term in topic if term not in named] if framed and named and not compared and day is None else (),
        of_assistant=says("of_assistant") is not None,
        topics=tuple(parts) if compared and len(parts) <= _MEANT and len(plain) <= LONGEST_QUESTION else (plain,),
    )


def _subject(topic: str, done: re.Match[str] | None) -> Sequence[str]:
    """The terms of a topic that names a thing; none of a longer one, which describes what may be told in other words, and none of
    what is only done, where it is asked to what: what was read may be told as a book.
    """
    own = words.content(topic)
    if len(own) > _NAMED or (done is not None and set(own) <= set(words.content(done["verb"]))):
        return ()
    return [*own, *(term for term in words.sought(topic) if term[0] == words.PAIR)]
