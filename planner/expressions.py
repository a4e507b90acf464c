"""The algebra of time: what time expressions there are, in any language.

A language file turns characters into these; `planner.resolution` turns these into wall-clock spans. An expression is either
*anchored* (it says when by itself, or from now) or *bare* (a weekday, a date without a year, a clock time): a bare one has a
`frame`, the unit that must be known around it. `Within(outer, inner)` puts a bare expression into a coarser one, and that one
rule builds "上个月15号下午三点" and "3pm on the last Friday of last month" from their words.

    Now  This  Ago  Rolling  Vague  Fixed                                  anchored
    Year  Month  Day  Numeric  Weekday  Weekend  DayPart  Clock
    Quarter  Half  Season  Festival  Lunar  SolarTerm  WeekNumber  Decade  bare
    Nth  Run  Slice                                                        bare, in whatever surrounds them
    Relative  Nearest  Current  Within  OnWeekday  Shift  FromTo  Since  Until  Both  Lasting  InZone  WeekOf  WeekendBy  Rest  Union
                                                                           built of others
    Length  Recurring                                                      no point on the time line at all
"""

from __future__ import annotations

import datetime as dt

from planner._form import Form, form
from planner.ranges import Grain

# Calendar units are moved on the wall clock; hours and finer are elapsed time. They never mix.
ELAPSED: frozenset[str] = frozenset({"second", "minute", "hour"})
GRAIN: dict[str, Grain] = {
    "second": Grain.SECOND, "minute": Grain.MINUTE, "hour": Grain.HOUR, "day_part": Grain.DAY_PART, "day": Grain.DAY,
    "workday": Grain.DAY, "weekend": Grain.WEEKEND, "week": Grain.WEEK, "month": Grain.MONTH, "quarter": Grain.QUARTER,
    "season": Grain.SEASON, "half": Grain.HALF, "year": Grain.YEAR, "decade": Grain.DECADE, "century": Grain.CENTURY,
}  # fmt: skip


@form
class Expression(Form):
    """Base of the algebra, for typing only."""

    @property
    def grain(self) -> Grain:
        """The precision of what it denotes."""
        raise NotImplementedError

    @property
    def frame(self) -> str | None:
        """The unit that must surround a bare expression; `"any"` where everything coarser does; None if anchored."""
        return None


# --- anchored -------------------------------------------------------------------------------------------------------------


@form
class Now(Expression):
    """The anchor itself, an instant."""

    grain = Grain.SECOND


@form
class This(Expression):
    """The unit that holds the anchor, moved by `offset` units: This("week", -1) is last week."""

    unit: str
    offset: int = 0

    @property
    def grain(self) -> Grain:
        return GRAIN[self.unit]


@form
class Amount(Form):
    """A length of time as said: `((1, "year"), (2, "month"))`, `((3.5, "hour"),)`. Not an expression by itself."""

    parts: tuple[tuple[float, str], ...]

    @property
    def finest(self) -> str:
        return min((unit for _, unit in self.parts), key=lambda unit: GRAIN[unit])

    @property
    def elapsed(self) -> bool:
        """Whether it counts seconds (hours, minutes) and not calendar days."""
        return all(unit in ELAPSED for _, unit in self.parts)


@form
class Ago(Expression):
    """`amount` before (sign -1) or after (+1) the anchor: an instant for elapsed units, else the unit it falls in.

    `to_the_day` says that the day is meant and not its week or month.
    """

    amount: Amount
    sign: int
    to_the_day: bool = False

    @property
    def grain(self) -> Grain:
        return GRAIN[self.amount.finest]


@form
class Rolling(Expression):
    """The window of `amount` that ends (sign -1) or starts (+1) at the anchor.

    Days and coarser cover whole local days, today included; hours and minutes are exact. With `whole`, whole calendar
    units beside the current one instead (前两个月: the two months before this one). With a `base`, the window lies beside
    that and not beside the anchor ("the two days before Christmas").
    """

    amount: Amount
    sign: int
    whole: bool = False
    base: Expression | None = None

    @property
    def grain(self) -> Grain:
        return GRAIN[self.amount.finest]


@form
class Vague(Expression):
    """A stretch of unsaid length up to (-1) or from (+1) the anchor: recently, soon; `days` None is the convention.

    With `either` it lies ahead where the sentence speaks of what is to come: 最近忙什么, 最近要交什么.
    """

    sign: int
    days: int | None = None
    either: bool = False

    grain = Grain.VAGUE


@form
class Fixed(Expression):
    """A stated wall-clock span, such as an ISO date-time; `zone` where the text gives one, an IANA name or minutes east of UTC."""

    start: dt.datetime
    end: dt.datetime
    precision: Grain
    zone: int | str | None = None

    @property
    def grain(self) -> Grain:
        return self.precision


# --- bare -----------------------------------------------------------------------------------------------------------------


@form
class Year(Expression):
    """A calendar year, 1 to 9999; anchored by its number."""

    year: int

    grain = Grain.YEAR


@form
class Month(Expression):
    month: int

    grain = Grain.MONTH
    frame = "year"


@form
class Day(Expression):
    """A day of a month, 1 to 31."""

    day: int

    grain = Grain.DAY
    frame = "month"


@form
class Numeric(Expression):
    """A date in digits, 08/09 or 08/09/2026, whose order of day and month the conventions decide."""

    first: int
    second: int
    year: int | None = None

    grain = Grain.DAY

    @property
    def frame(self) -> str | None:
        return "year" if self.year is None else None


@form
class Weekday(Expression):
    """Monday is 0."""

    weekday: int

    grain = Grain.DAY
    frame = "week"


@form
class Weekend(Expression):
    """Saturday and Sunday of a week."""

    grain = Grain.WEEKEND
    frame = "week"


@form
class DayPart(Expression):
    """A part of the day in wall-clock hours, `[first, last)`; past 24 it runs into the next day."""

    name: str
    first: float
    last: float

    grain = Grain.DAY_PART
    frame = "day"


@form
class Clock(Expression):
    """A time of day. `twelve` says that morning or afternoon is not said and the hour is 1 to 12."""

    hour: int
    minute: int = 0
    second: int = 0
    twelve: bool = False
    precision: Grain = Grain.MINUTE
    zone: int | str | None = None  # minutes east of UTC, or an IANA name

    frame = "day"

    @property
    def grain(self) -> Grain:
        return self.precision


@form
class Quarter(Expression):
    quarter: int

    grain = Grain.QUARTER
    frame = "year"


@form
class Half(Expression):
    half: int

    grain = Grain.HALF
    frame = "year"


@form
class Season(Expression):
    """Meteorological: 0 spring is March to May ... 3 winter is December to February, named by its December."""

    season: int

    grain = Grain.SEASON
    frame = "year"


@form
class Festival(Expression):
    """A festival by its key in `planner._almanac.FESTIVALS`; with `holiday`, the whole customary holiday about it."""

    key: str
    holiday: bool = False

    grain = Grain.DAY
    frame = "year"


@form
class Lunar(Expression):
    """A date of the Chinese lunar calendar; `day` None is the whole lunar month. Months 1 to 12."""

    month: int
    day: int | None
    leap: bool = False

    @property
    def grain(self) -> Grain:
        return Grain.MONTH if self.day is None else Grain.DAY

    frame = "year"


@form
class SolarTerm(Expression):
    name: str

    grain = Grain.DAY
    frame = "year"


@form
class WeekNumber(Expression):
    """The ISO 8601 week of a year, 1 to 53."""

    number: int

    grain = Grain.WEEK
    frame = "year"


@form
class Decade(Expression):
    """A decade of a century by its tens: 90 is the nineties. Frame: the century; without one, the nearest past or present."""

    tens: int

    grain = Grain.DECADE
    frame = "century"


@form
class Nth(Expression):
    """The `n`-th (from the end when negative) `what` of whatever surrounds it: a unit name or a bare expression."""

    n: int
    what: str | Expression
    default: str = "month"

    @property
    def grain(self) -> Grain:
        return GRAIN[self.what] if isinstance(self.what, str) else self.what.grain

    frame = "any"


@form
class Run(Expression):
    """The first (positive) or last (negative) `n` units of whatever surrounds it, taken together."""

    n: int
    unit: str

    @property
    def grain(self) -> Grain:
        return GRAIN[self.unit]

    frame = "any"


@form
class Slice(Expression):
    """A named part of what surrounds it: early, mid, late, first_half, second_half, or early_mid and mid_late.

    `of` names the unit it belongs to when nothing surrounds it (年底: the end of the year), "any" if it must be surrounded.
    """

    name: str
    of: str = "any"

    @property
    def grain(self) -> Grain:
        return {"year": Grain.QUARTER, "month": Grain.MONTH_PART, "week": Grain.DAY, "day": Grain.DAY_PART}.get(
            self.of, Grain.MONTH_PART
        )

    @property
    def frame(self) -> str | None:
        return self.of


# --- built of others ------------------------------------------------------------------------------------------------------


@form
class Relative(Expression):
    """The `n`-th occurrence of a bare expression before (negative) or after today, today's own left out: "last Friday"."""

    what: Expression
    n: int

    @property
    def grain(self) -> Grain:
        return self.what.grain


@form
class Nearest(Expression):
    """The `n`-th nearest occurrence of a bare expression to `base`, before it or after it: "the Monday closest to 5 October"."""

    what: Expression
    base: Expression
    n: int = 1

    @property
    def grain(self) -> Grain:
        return self.what.grain


@form
class Current(Expression):
    """A bare expression in the unit that holds now; once it is over and the tense is not past, the next: "this Saturday"."""

    what: Expression

    @property
    def grain(self) -> Grain:
        return self.what.grain


@form
class Within(Expression):
    """The bare `inner` inside the coarser `outer`."""

    outer: Expression
    inner: Expression

    @property
    def grain(self) -> Grain:
        return self.inner.grain

    @property
    def frame(self) -> str | None:
        return self.outer.frame


@form
class OnWeekday(Expression):
    """A day with its weekday said beside it ("Friday 5/12"): the weekday picks among the readings of the day."""

    weekday: int
    day: Expression

    grain = Grain.DAY

    @property
    def frame(self) -> str | None:
        return self.day.frame


@form
class Shift(Expression):
    """`base` moved by `amount`: "two days after Christmas", 去年今天. Keeps the base's grain."""

    base: Expression
    amount: Amount
    sign: int

    @property
    def grain(self) -> Grain:
        return self.base.grain


@form
class FromTo(Expression):
    """From `first` to `last`; a `last` given by a day or coarser is included, a clock time is not passed.

    What one side leaves unsaid it takes from the other.
    """

    first: Expression
    last: Expression

    @property
    def grain(self) -> Grain:
        return max(self.first.grain, self.last.grain)

    @property
    def frame(self) -> str | None:
        return self.first.frame if self.last.frame else None


@form
class Since(Expression):
    """Open to the future: from the start of `base`, or from its end with `after`; `back` takes a bare base that has begun."""

    base: Expression
    after: bool = False
    back: bool = False

    @property
    def grain(self) -> Grain:
        return self.base.grain


@form
class Until(Expression):
    """Open to the past: up to the start of `base`, or to its end with `through`."""

    base: Expression
    through: bool = False

    @property
    def grain(self) -> Grain:
        return self.base.grain


@form
class Both(Expression):
    """From where `since` begins to where `until` first ends after that: "after Monday and before Thursday"."""

    since: Since
    until: Until

    @property
    def grain(self) -> Grain:
        return max(self.since.grain, self.until.grain)


@form
class WeekOf(Expression):
    """The week that holds `day`: "the week of Aug 10"."""

    day: Expression

    grain = Grain.WEEK


@form
class WeekendBy(Expression):
    """The weekend of a day, with the day itself and what lies between: "Labor Day weekend" is Saturday to Monday."""

    base: Expression

    grain = Grain.WEEKEND


@form
class Lasting(Expression):
    """From the start of `base` for `amount`: "from 9am for 7 hours"."""

    base: Expression
    amount: Amount

    @property
    def grain(self) -> Grain:
        return GRAIN[self.amount.finest]


@form
class InZone(Expression):
    """`base` by the clocks of another zone, an IANA name or minutes east of UTC: "8pm tomorrow, London time"."""

    base: Expression
    zone: int | str

    @property
    def grain(self) -> Grain:
        return self.base.grain


@form
class Rest(Expression):
    """The part of `base` before (-1) or after (+1) now: "earlier this week", "the rest of the month"."""

    base: Expression
    side: int

    @property
    def grain(self) -> Grain:
        return self.base.grain


@form
class Union(Expression):
    """Several times said as one (周一三五): each is a mention of its own; as one range they are all from first to last."""

    parts: tuple[Expression, ...]

    @property
    def grain(self) -> Grain:
        return self.parts[0].grain

    @property
    def frame(self) -> str | None:
        return self.parts[0].frame


# --- no point on the time line --------------------------------------------------------------------------------------------


@form
class Length(Expression):
    """A duration ("three hours"): it has no place in time."""

    amount: Amount

    @property
    def grain(self) -> Grain:
        return GRAIN[self.amount.finest]


@form
class Recurring(Expression):
    """A recurrence ("every Friday"): it has no single place in time."""

    every: Expression | None = None

    @property
    def grain(self) -> Grain:
        return self.every.grain if self.every else Grain.VAGUE
