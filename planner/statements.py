"""What a source text says of its event: when it is, whether it happened, is planned, due or off, and who owes what.

Rules only: cue words of the language files and the times `read_times` finds at the anchor, the moment the text was observed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from planner import expressions as ex
from planner import words
from planner._corrections import standing
from planner._grammar import Language
from planner._later import source_of
from planner._literals import Prefilter, filter_of
from planner.ranges import Grain, TimeRange
from planner.reading import Mention, Times, tense_of, zoned_range
from planner.resolution import DEFAULT, At, Conventions, Tense

# Long texts tell of many things; their first part is what they are about, and reading stays cheap.
READ_AT_MOST = 4000


@dataclass(frozen=True, slots=True)
class Statement:
    """The reading of one text.

    `type` is commitment, todo or "" (the source's own default); `status` one of mentioned, planned, due, occurred, done,
    cancelled. `event` is the range of the event in the anchor's zone, half-open, None when the text gives no time; `importance`
    and `confidence` lie in [0, 1]. `moved` says that it gives an earlier plan a new time; `aside` that the event
    is dated in a later sentence than the first, so that the text tells of more than it; `time_spans` are the characters
    `[start, end)` of its time expressions; `told` are those that tell of this event, where the text tells of several
    (`planner.parts`).
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
    aside: bool = False
    time_spans: tuple[tuple[int, int], ...] = ()
    told: tuple[int, int] | None = None


def read_statement(
    text: str,
    observed: dt.datetime | None,
    conventions: Conventions = DEFAULT,
    *,
    by_user: bool = True,
    zone: dt.tzinfo = dt.UTC,
) -> Statement:
    """What `text` says, told at `observed` (aware, its tzinfo the person's zone).

    With `observed` None a relative time has no anchor: only a stated full date gives an event, in `zone`, and confidence is lower.
    `by_user` is False for an assistant's words: what it says it will do is no commitment of the person.
    """
    return statement_of(Times(text[:READ_AT_MOST]), observed, conventions, by_user=by_user, zone=zone)[0]


def statement_of(
    times: Times, observed: dt.datetime | None, conventions: Conventions, *, by_user: bool, zone: dt.tzinfo
) -> tuple[Statement, Mention | None]:
    """As `read_statement`, of a text whose times are read, and the mention that dates its event."""
    head, folded = times.text, times.folded
    cues = _Cues(folded, times.reader.written_in(folded))
    own, languages, says = cues.own, cues.languages, cues.says
    question = says("asks") and (not says("asks_not") or own.rstrip().endswith(("?", "？")))
    unreal = not question and says("unreal")
    claims = not question and not unreal
    others = says("others")
    commitment = by_user and claims and says("commitment") and not says("commitment_not")
    todo = claims and says("todo") and not others and not says("habit")
    due = says("due")
    overdue = due and says("was_due")
    moves = says("moved")
    moved = claims and moves
    cancelled = (
        claims and says("cancelled") and (not commitment or _called_off(own, languages)) and not (todo and says("reminded"))
    )
    cancelled = cancelled and not _elsewhere("cancelled", " so ", own, languages, times)
    cancelled = cancelled and not _elsewhere("cancelled", ", ", own, languages, times, with_it="rather")
    settled = claims and says("settled")
    todo, commitment = todo and not settled, commitment and not settled
    done = claims and not todo and says("done") and not says("done_not")
    done = settled or (done and not any(_elsewhere("done", joint, own, languages, times) for joint in (" so ", " but ")))
    owes = todo or commitment or due or moved or (says("planned") and not done)
    past = overdue or (not owes and not unreal and not says("forbids") and (done or says("report") or cues.tense == "past"))
    missed = cancelled and says("missed")
    bygone = missed or (past and not cancelled and not (done and says("done_for")))
    bygone = bygone or (unreal and says("unreal_past"))
    tense: Tense = "past" if bygone else cues.tense if question else "future"

    anchor = observed or dt.datetime(1970, 1, 1, tzinfo=zone)
    mentions = times.at(anchor, conventions, tense=tense)
    if tense == "future" and not owes and len(mentions) == 1 and not _more_than(mentions[0], head):
        mentions = times.at(anchor, conventions, tense=None)  # nothing but a date: no verb tells its side of now
    elif tense == "future" and not owes and not question and cues.tense is None:
        mentions = [_just_over(mention, anchor) for mention in mentions]
    if mentions and claims:
        named = [m for m in mentions if not _of_period(m, own, languages)]
        mentions = named if named or (owes and not due) else mentions
    if len(own) == len(head):  # folding keeps places: a time that is quoted is not the teller's
        mentions = [m for m in mentions if own[m.start : m.end].strip()]
        mentions = [m for m in mentions if cues.main(m)] or mentions
    if len(mentions) > 1:
        mentions = standing(mentions, own, languages)
        told = _told_at(mentions, own, languages)
        if told is not None:  # "she said yesterday that she moves out on Friday"
            off = cancelled and not missed
            tense = "past" if not off and tense_of(own[told.end :], languages) == "past" else "future"
            mentions = [m for m in times.at(anchor, conventions, tense=tense) if m.start >= told.end]
            if tense == "future":
                mentions = [_from_then(told, m) for m in mentions]
    mention = None if says("habit") else _event(mentions, moves, owes, observed is not None, own, languages, due=due)
    if bygone and not missed and mention is not None and tense_of(clause_of(own, mention), languages) == "future":
        # Its own clause looks ahead: "just ordered a lamp, should turn up on Sunday".
        mentions = standing(times.at(anchor, conventions, tense="future"), own, languages)
        mention = _event(mentions, moved, owes, observed is not None, own, languages)
    if bygone and settled and mention is not None and _owed_at(mention, own, languages):
        mentions = times.at(anchor, conventions, tense="future")
        mention = _event(mentions, moved, owes, observed is not None, own, languages)
    if bygone and mention is not None and _took(mention, own, languages):
        mentions = [m for m in mentions if not _took(m, own, languages)]
        mention = _event(mentions, moved, owes, observed is not None, own, languages)
    if moved and not cancelled and says("put_off") and not _retimed(mention, own, languages):
        cancelled, moved = True, False  # put off, and no new time is told: the old one is off
    if cancelled and moved and mention is not None and _moved_on(mention, own, languages):
        cancelled = False
    limited = mention is not None and not moved and _limits(mention, own, languages, owed=says("owed"))
    # A limit that is only named so ("before Friday") is the day it names.
    event = _closed(mention, anchor, conventions, limit=due or limited, moved=moved) if mention is not None else None
    ahead = event is not None and event.end is not None and observed is not None and event.end >= observed
    begun = event is not None and event.start is not None and observed is not None and event.start <= observed
    begun = begun and mention is not None and not _comes(mention.expression)
    moved = moved and (ahead or event is None)

    limit = due or limited or ((todo or says("owed")) and claims and not moved and says("hands_in"))
    if cancelled:
        status = "cancelled"
    elif not claims or says("habit"):
        status = "mentioned"
    elif limit and not done and (ahead or overdue):
        status = "due"
    elif done and (begun or not ahead or due or settled or (says("hands_in") and _does(clause_of(own, mention), languages))):
        status = "done"
    elif event is None:
        status = "planned" if todo or commitment else "occurred" if says("report") else "mentioned"
    else:
        status = "occurred" if not ahead or (begun and not owes) else "planned"
    todo = todo or (status == "due" and (says("owed") or (limited and says("order"))) and not others)
    active = status in ("planned", "due")
    type_ = "" if moved or not active else "commitment" if commitment else "todo" if todo else ""
    clause = own if type_ == "commitment" else clause_of(own, mention)
    negated = cancelled or (
        claims and not moved and _negated(clause, languages) and not done and status != "due" and type_ != "todo"
    )
    statement = Statement(
        type=type_,
        status=status,
        event=event,
        grain=mention.grain if mention is not None else None,
        negated=negated,
        moved=moved,
        question=question,
        importance=_importance(head, type_, status, event, question, says("weighty"), says("trivial")),
        confidence=_confidence(mention, observed, by_user),
        aside=mention is not None and not moved and _aside(own, mention),
        time_spans=tuple(m.span for m in mentions if m.range is not None),
    )
    return statement, mention


_LEADS = 12  # characters at most of what stands beside a time that leads a clause
_STOPS = re.compile(r"[,，。;；!！?？\n]|(?<![ap]\.m)\.(?=\s)| but |(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff\d])")


class _Cues:
    """The cues that a text holds but for what tells why, in the languages it is written in.

    `own` is the text with what it quotes blanked out, in place.
    """

    def __init__(self, folded: str, languages: list[Language]) -> None:
        own = folded
        for language in languages:
            own = language.cue("quoted").sub(lambda m: " " * len(m.group()), own)
        self.own = own if own.strip() else folded
        self.languages = languages
        self._main = self.own
        self._may = [_filter(language).possible(self.own) for language in languages]
        if any("cause" in may for may in self._may):
            for language in languages:
                self._main = language.cue("cause").sub(lambda m: " " * len(m.group()), self._main)
            self._may = [_filter(language).possible(self._main) for language in languages]
        self._told: dict[str, bool] = {}

    def says(self, cue: str) -> bool:
        """Whether the text holds the cue, one of _ASKED, or speaks of the past or the future."""
        found = self._told.get(cue)
        if found is None:
            found = self._told[cue] = self._holds(cue)
        return found

    def _holds(self, cue: str) -> bool:
        main = self._main
        for may in self._may:
            for part in may.get(cue, ()):
                if part.search(main):
                    return True
        return False

    def main(self, mention: Mention) -> bool:
        """Whether a time stands where it is told what is so, and not why."""
        return self._main[mention.start : mention.end].strip() != ""

    @cached_property
    def tense(self) -> Tense:
        """As `tense_of`."""
        past, future = self.says("past"), self.says("future")
        return None if past == future else "past" if past else "future"


def _elsewhere(cue: str, joint: str, own: str, languages: list[Language], times: Times, *, with_it: str = "") -> bool:
    """Whether the first time stands behind the joint, and with it (and another cue) another thing than the cue speaks of: "paid the
    gas, but the water is due on Friday".
    """
    first = times.first
    at = -1 if first is None else own.rfind(joint, 0, first)
    if at < 0 or any(x.cue(cue).search(own, at) for x in languages):
        return False
    return not with_it or any(x.cue(with_it).search(own, at) for x in languages)


_ASKED = (
    "cause", "asks", "asks_not", "unreal", "unreal_past", "others", "commitment", "commitment_not", "todo", "habit", "due", "was_due",
    "moved", "cancelled", "reminded", "done", "done_not", "settled", "planned", "report", "missed", "done_for", "put_off",
    "forbids", "hands_in", "owed", "order", "weighty", "trivial",
)  # fmt: skip


def _filter(language: Language) -> Prefilter:
    """What tells which of a language's cues and tenses a text may hold."""

    def patterns() -> Iterable[tuple[str, str]]:
        told = {name: language.cues[name] for name in _ASKED if name in language.cues}
        told |= {"past": language.past, "future": language.future}
        return [(name, source_of(pattern)) for name, pattern in told.items()]

    return filter_of(language, "statements", patterns)


def _event(
    mentions: list[Mention],
    moved: bool,
    owes: bool,
    anchored: bool,
    own: str,
    languages: list[Language],
    *,
    due: bool = False,
) -> Mention | None:
    """The mention that dates the event: a stated one before a vague one, after a correction the one that is not taken back."""
    # "Recently" dates an event no better than the moment it is told at does; "in a few days" does.
    placed = [m for m in mentions if m.range is not None and not isinstance(m.expression, ex.Now) and not _loose(m, owes)]
    if not anchored:
        placed = [m for m in placed if says_its_year(m.expression)]
    firm = [m for m in placed if m.grain < Grain.DECADE] or placed
    if not firm:
        return None
    while len(firm) > 1 and attributive(own[firm[0].end : firm[1].start], languages):
        firm = firm[1:]
    while len(firm) > 1 and _told_again(firm[0], firm[1], own):
        firm = firm[1:]
    if len(firm) > 1 and _feast_of(firm[0], firm[1], own):
        firm = firm[1:]
    if len(firm) > 1 and _dateline(firm[0], firm[1], own):
        firm = firm[1:]
    if moved:
        kept = [m for m in firm if not any(x.cue("not_this").search(own[: m.start].rstrip()) for x in languages)]
        kept = kept or firm
        to = [m.end() for x in languages for m in x.cue("moved").finditer(own)]
        # What is told behind the new time is another matter: 改签成周六的了，晚上七点到家.
        new = [m for m in kept[:-1] if any(0 <= m.start - end <= 1 for end in to) and _STOPS.search(own, m.end, kept[-1].start)]
        return new[-1] if new and kept[-1].expression.frame == "day" else kept[-1]
    if due and len(firm) > 1:
        at = [m.span() for x in languages for m in x.cue("due").finditer(own)]
        beside = [m for m in firm if any(0 <= m.start - end <= _BESIDE or 0 <= start - m.end <= 1 for start, end in at)]
        firm = beside or firm  # 9月账单到期还款日9月25日
    chosen = min(firm, key=lambda m: m.grain > Grain.MONTH)
    if len(firm) == 1:
        return chosen
    # "Wednesday: dentist, 3pm" is at that hour of the day it names.
    return next((m for m in firm if m.start > chosen.end and _hour_of(m.expression, chosen.expression)), chosen)


def _hour_of(e: ex.Expression, day: ex.Expression) -> bool:
    """Whether it is a time of the day."""
    return isinstance(e, ex.Within) and e.outer == day and day.grain is Grain.DAY and e.grain < Grain.DAY


def _owed_at(mention: Mention, own: str, languages: list[Language]) -> bool:
    """Whether it is the time at which a thing was to be done, and not that at which it was."""
    found = [m for x in languages if (m := x.cue("settled").search(own)) is not None]
    return any(mention.end <= m.start() + 1 for m in found)


_AGAIN = re.compile(r"\s*[(（,，、:：]?\s*(?:也?就是说?|也?即|that is|i\.e\.)?\s*")


def _told_again(first: Mention, then: Mention, own: str) -> bool:
    """Whether the same time is told again, and more of it: 下周一（9月7日）上午十点."""
    if first.range is None or then.range is None or then.range.start is None or first.grain <= then.grain:
        return False
    return first.range.holds(then.range.start) and _AGAIN.fullmatch(own, first.end, then.start) is not None


def _feast_of(first: Mention, then: Mention, own: str) -> bool:
    """Whether a holiday is only named, and its days are told behind it: 暑假从7月10号放到8月31号."""
    named = isinstance(first.expression, ex.Festival | ex.FromTo) and first.expression.frame == "year"
    return named and not any(map(str.isdigit, first.text)) and _DAYS_ARE.fullmatch(own, first.end, then.start) is not None


def _dateline(first: Mention, then: Mention, own: str) -> bool:
    """Whether a time only says what day it is: 今天周四，后天去看电影."""
    if first.grain is not Grain.DAY or len(first.rules) < 2 or first.range is None or not first.range.holds(first.at.moment):
        return False
    if then.range is None or then.range.start is None or first.range.holds(then.range.start):
        return False
    return own[first.end : then.start].strip() in (",", "，", "。")


def _took(mention: Mention, own: str, languages: list[Language]) -> bool:
    """Whether a time is how long a thing took, which is told as done: "ran it in 52 minutes", but not "dinner's in an hour"."""
    if not isinstance(mention.expression, ex.Ago) or mention.expression.sign < 0:
        return False
    if any(x.cue("stands").search(own[: mention.start].rstrip()) for x in languages):
        return False
    return tense_of(clause_of(own, mention), languages) == "past"


def _told_at(mentions: list[Mention], own: str, languages: list[Language]) -> Mention | None:
    """The mention that only tells when the rest was told, where another time stands in the same sentence behind it."""
    first, *others = mentions
    if first.range is None or not any(m.range is not None and m.start >= first.end for m in others):
        return None
    between = own[first.end : next(m.start for m in others if m.range is not None and m.start >= first.end)]
    if _SENTENCE.search(between) is not None:
        return None
    behind = any(x.cue("telling").match(between) for x in languages)
    return first if behind or any(x.cue("told_at").search(own[: first.start]) for x in languages) else None


def _from_then(told: Mention, mention: Mention) -> Mention:
    """A bare time, counted from the day on which it was told: of what was said on Wednesday, Friday is the one behind it."""
    if mention.expression.frame is None or told.grain > Grain.DAY or told.range is None or told.range.start is None:
        return mention
    then = zoned_range(mention.expression, replace(mention.at, moment=told.range.end or told.range.start, tense="future"))
    return mention if then is None else replace(mention, range=then)


def attributive(between: str, languages: Sequence[Language]) -> bool:
    """Whether what stands between two times tells with the first which thing is meant, and the second is that of what happens."""
    return any(x.cue("attributive").fullmatch(between) for x in languages)


_DAYS_ARE = re.compile(r"\s*(?:放假|假期)?(?:就?是)?(?:从|自)?|\s*(?:holidays? )?(?:is|are|runs?|goes)? ?from ")
# So much may stand between the word that says what is due and its time.
_BESIDE = 6
_SENTENCE = re.compile(r"[。！？!?；;\n]+|\.(?=\s)")
_SAYS_LITTLE = 6


def _aside(text: str, mention: Mention) -> bool:
    """Whether a sentence that says something stands before the one that bears the time."""
    begun = 0
    for end in _SENTENCE.finditer(text, 0, mention.start):
        if end.start() - begun >= _SAYS_LITTLE:
            return True
        begun = end.end()
    return False


def _more_than(mention: Mention, text: str) -> bool:
    return any(c.isalnum() for c in text[: mention.start]) or any(c.isalnum() for c in text[mention.end :])


# A bare date that was so lately is told of and not planned a year ahead.
_LATELY = dt.timedelta(days=31)


def _just_over(mention: Mention, anchor: dt.datetime) -> Mention:
    """The mention, read as past where no verb tells and its time is just over: 早上头疼 said at noon, 八月的绩效 in September."""
    e = mention.expression
    if not isinstance(e, ex.DayPart) and e.frame != "year":
        return mention
    last = zoned_range(e, mention.at.told("past"))
    if last is None or last.start is None or last.end is None or last.start > anchor:
        return mention
    over = last.start >= anchor.replace(hour=0, minute=0) if isinstance(e, ex.DayPart) else anchor - last.end < _LATELY
    return replace(mention, range=last) if over else mention


def _of_period(mention: Mention, own: str, languages: list[Language]) -> bool:
    """Whether it names the time that something is made out for, which is not when it is due: "send the August invoices"."""
    return isinstance(mention.expression, ex.Month) and any(x.cue("of_period").match(own, mention.end) for x in languages)


def _comes(e: ex.Expression) -> bool:
    """Whether it is a stretch that begins with the present moment: 过两天, the next three days."""
    return isinstance(e, ex.Vague | ex.Rolling) and e.sign > 0


def _loose(mention: Mention, owes: bool) -> bool:
    """Whether it is a stretch so vague that it dates nothing: 前阵子, and "these days" where nothing is planned for them."""
    e = mention.expression
    return isinstance(e, ex.Vague) and (e.sign < 0 or (e.sign == 0 and not owes))


def _called_off(own: str, languages: list[Language]) -> bool:
    """Whether what is called off is told in a clause that promises nothing."""
    for language in languages:
        off = language.cue("cancelled").search(own)
        if off is not None:
            begun = max((stop.end() for stop in _STOPS.finditer(own, 0, off.start() + 1)), default=0)
            until = _STOPS.search(own, off.end())
            return language.cue("commitment").search(own[begun : until.start() if until else len(own)]) is None
    return False


def _retimed(mention: Mention | None, own: str, languages: list[Language]) -> bool:
    """Whether the time follows the word that moves the event: it is the new one."""
    if mention is None:
        return False
    return any(m is not None and m.start() < mention.start for x in languages if (m := x.cue("put_off").search(own)))


def _moved_on(mention: Mention, own: str, languages: list[Language]) -> bool:
    """Whether the new time is told behind what is off: 明天不去了，改后天."""
    for language in languages:
        off = language.cue("cancelled").search(own)
        to = None if off is None else language.cue("moved").search(own, off.end())
        if to is not None and to.start() < mention.end and mention.end > to.end():
            return True
    return False


def _limits(mention: Mention, own: str, languages: list[Language], *, owed: bool) -> bool:
    """Whether the mention is the last moment for something and not its time: 周五前, 周五下班前, within three days."""
    if isinstance(mention.expression, ex.Until):
        return owed or not any(x.cue("lasts").match(own, mention.start) for x in languages)
    if isinstance(mention.expression, ex.Rolling) and mention.expression.sign > 0:
        return True
    return any(x.cue("limit").search(own[mention.end : mention.end + 8]) for x in languages)


def clause_of(own: str, mention: Mention | None) -> str:
    """The clause that tells the event: the one with its time, else the first. An aside is not negated with it. A time alone leads the
    clause behind it: "On Friday, I got the news".
    """
    at = 0
    for stop in _STOPS.finditer(own):
        if mention is not None and mention.start <= stop.start() < mention.end:
            continue
        if mention is not None and at <= mention.start < stop.start() and stop.group() in ",，":
            beside = own[at : mention.start] + " " + own[mention.end : stop.start()]
            if len(beside) <= _LEADS and not words.content(beside):
                continue
        if mention is None or mention.start < stop.start():
            return own[at : stop.start()]
        at = stop.end()
    return own[at:]


def _does(clause: str, languages: list[Language]) -> bool:
    return any(x.cue("done").search(clause) for x in languages)


def _negated(clause: str, languages: list[Language]) -> bool:
    return any(x.cue("negated").search(clause) and not x.cue("plea").search(clause) for x in languages)


def says_its_year(e: ex.Expression) -> bool:
    """Whether it says its year: it needs no anchor."""
    if isinstance(e, ex.Within):
        return says_its_year(e.outer)
    return isinstance(e, ex.Year | ex.Fixed) or (isinstance(e, ex.Numeric) and e.year is not None)


def _closed(mention: Mention, anchor: dt.datetime, conventions: Conventions, *, limit: bool, moved: bool) -> TimeRange | None:
    """The time that the mention names: of a deadline the limit itself ("before Friday" is Friday)."""
    range_ = mention.range
    assert range_ is not None
    e = mention.expression
    if isinstance(e, ex.FromTo) and moved:
        return zoned_range(e.last, At(anchor, "future", conventions)) or range_
    if isinstance(e, ex.Until) or (isinstance(e, ex.Since) and limit):
        named = zoned_range(e.base, At(anchor, "future", conventions))
        if named is not None:
            return named
    if limit and isinstance(e, ex.Rolling) and e.sign > 0 and mention.grain >= Grain.DAY and range_.end is not None:
        return TimeRange(range_.end, range_.end + dt.timedelta(days=1))
    if range_.start is None and range_.end is not None:
        day = dt.timedelta(days=1)
        return TimeRange(range_.end - day if range_.end > anchor else range_.end, range_.end)
    if range_.end is None and range_.start is not None:
        if range_.start > anchor and mention.grain >= Grain.DAY:  # what begins tomorrow is dated by its first day
            return TimeRange(range_.start, range_.start + dt.timedelta(days=1))
        return TimeRange(range_.start, max(range_.start, anchor))
    return range_


def _importance(
    text: str, type_: str, status: str, event: TimeRange | None, question: bool, weighty: bool, trivial: bool
) -> float:
    """A prior from what is said: 0.8, more for duties, stated times and weighty matters, less for small talk."""
    if trivial:
        return 0.05
    value = 0.8
    value += 0.06 if event is not None else 0.0
    value += 0.1 if type_ else 0.0
    value += 0.1 if weighty else 0.0
    value += 0.05 if status in ("due", "done", "cancelled") else 0.0
    value -= 0.05 if question else 0.0
    if event is None and not type_ and words.says_little(text[:200], 3):
        value -= 0.05
    return round(min(max(value, 0.05), 0.95), 2)


def _confidence(mention: Mention | None, observed: dt.datetime | None, by_user: bool) -> float:
    """How sure the reading is: less for an assistant's words, a vague time, several readings, no anchor; no time is not misread."""
    value = 0.95 if by_user else 0.9
    if observed is None:
        return round(value - 0.3, 2)
    if mention is None:
        value += 0.03
    elif mention.grain >= Grain.DECADE:
        value -= 0.1
    elif mention.ambiguous:
        value -= 0.03
    return round(value, 2)
