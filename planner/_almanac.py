"""Calendar facts: units of the Gregorian calendar on the wall clock, the lunar calendar, solar terms, festivals.

All datetimes here are naive wall-clock ones. Lunar dates and solar terms come from lunar-python, Easter from dateutil; both
are asked once a year and remembered.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import lru_cache
from math import radians, sin

from planner.ranges import Grain as G
from planner.ranges import Span

DAY = dt.timedelta(days=1)
WEEK = dt.timedelta(days=7)
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}


def midnight(wall: dt.datetime) -> dt.datetime:
    return dt.datetime(wall.year, wall.month, wall.day)


def floor(wall: dt.datetime, unit: str, week_start: int = 0) -> dt.datetime:
    """The start of the `unit` that holds `wall`. Weeks start on `week_start` (Monday 0); a season in Mar, Jun, Sep, Dec.

    A workday is any from Monday to Friday; of a day that is none, the start of that day.
    """
    if unit in ("hour", "minute", "second"):
        return wall.replace(
            microsecond=0, second=0 if unit != "second" else wall.second, minute=0 if unit == "hour" else wall.minute
        )
    day = midnight(wall)
    if unit in ("day", "workday"):
        return day
    if unit == "week":
        return day - DAY * ((day.weekday() - week_start) % 7)
    if unit == "weekend":
        return floor(wall, "week", week_start) + DAY * ((5 - week_start) % 7)
    if unit == "month":
        return dt.datetime(wall.year, wall.month, 1)
    if unit == "year":
        return dt.datetime(wall.year, 1, 1)
    if unit == "season":
        return add(dt.datetime(wall.year, wall.month, 1), -(wall.month % 3), "month")
    if unit in ("quarter", "half"):
        size = _MONTHS[unit]
        return dt.datetime(wall.year, (wall.month - 1) // size * size + 1, 1)
    size = {"decade": 10, "century": 100}[unit]
    return dt.datetime(max(wall.year // size * size, 1), 1, 1)


def add(wall: dt.datetime, n: int, unit: str) -> dt.datetime:
    """`n` units later on the wall clock; a day that the target month lacks becomes its last. Raises OverflowError.

    A workday is Monday to Friday: holidays off differ by country and are made up for on weekends.
    """
    if unit == "day":
        return wall + DAY * n
    if unit in ("week", "weekend"):
        return wall + WEEK * n
    if unit in ("hour", "minute", "second"):
        return wall + dt.timedelta(**{unit + "s": n})
    if unit == "workday":
        return _add_workdays(wall, n)
    months = wall.year * 12 + wall.month - 1 + n * (3 if unit == "season" else _MONTHS[unit])
    year, month = divmod(months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError("year out of range")
    number = wall.day if wall.day <= 28 else min(wall.day, _length(year, month + 1))
    return dt.datetime(year, month + 1, number, wall.hour, wall.minute, wall.second, wall.microsecond)


def _length(year: int, month: int) -> int:
    """The days of a month."""
    return 31 if month == 12 else (dt.date(year, month + 1, 1) - dt.date(year, month, 1)).days


def _add_workdays(wall: dt.datetime, n: int) -> dt.datetime:
    weekday = wall.weekday()
    if weekday > 4:  # the first workday after a weekend is its Monday, the last before it its Friday
        wall += DAY * (4 - weekday if n > 0 else 7 - weekday) if n else DAY * 0
        weekday = wall.weekday()
    weeks, rest = divmod(weekday + n, 5)
    return wall + DAY * (weeks * 7 + rest - weekday) if n else wall


def unit_end(start: dt.datetime, unit: str) -> dt.datetime:
    """The end of the unit that starts at `start`; a weekend has two days, a workday is one."""
    return start + DAY * 2 if unit == "weekend" else add(start, 1, "day" if unit == "workday" else unit)


def day(year: int, month: int, number: int) -> dt.datetime | None:
    """That date at midnight, or None where the calendar has no such day."""
    try:
        return dt.datetime(year, month, number)
    except ValueError:
        return None


def nth_weekday(year: int, month: int, weekday: int, n: int) -> dt.datetime:
    """The n-th (from the end when negative) `weekday` of a month."""
    first, length = dt.datetime(year, month, 1), _length(year, month)
    if n > 0:
        return first + DAY * ((weekday - first.weekday()) % 7 + 7 * (n - 1))
    last = dt.datetime(year, month, length)
    return last - DAY * ((last.weekday() - weekday) % 7 + 7 * (-n - 1))


# --- lunar ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _lunar_months(year: int) -> dict[int, tuple[dt.datetime, int]]:
    """Start and length of each month of a lunar year; leap months under a negative number."""
    from lunar_python import LunarYear, Solar

    months = {}
    for month in LunarYear.fromYear(year).getMonthsInYear():
        if month.getYear() == year:
            first = Solar.fromJulianDay(month.getFirstJulianDay())
            months[month.getMonth()] = (
                dt.datetime(first.getYear(), first.getMonth(), first.getDay()),
                month.getDayCount(),
            )
    return months


def lunar_span(year: int, month: int, number: int | None, leap: bool = False) -> Span | None:
    """A day, or a whole month, of the lunar year that begins in the Gregorian `year`; None if that year lacks it."""
    if not 1600 <= year <= 2300:
        return None
    found = _lunar_months(year).get(-month if leap else month)
    if found is None:
        return None
    start, length = found
    if number is None:
        return Span(start, start + DAY * length, G.MONTH)
    if number == -1 or (number == 30 and month == 12 and length == 29):  # 除夕 and 大年三十 are the last day, the 29th or not
        number = length
    if not 1 <= number <= length:
        return None
    return Span(start + DAY * (number - 1), start + DAY * number, G.DAY)


SOLAR_TERMS = (
    "小寒", "大寒", "立春", "雨水", "惊蛰", "春分", "清明", "谷雨", "立夏", "小满", "芒种", "夏至",
    "小暑", "大暑", "立秋", "处暑", "白露", "秋分", "寒露", "霜降", "立冬", "小雪", "大雪", "冬至",
)  # fmt: skip


@lru_cache(maxsize=256)
def _solar_terms(year: int) -> dict[str, dt.datetime]:
    from lunar_python import Lunar

    table = Lunar.fromYmd(year, 1, 1).getJieQiTable()
    found = {}
    for name, moment in table.items():
        # The table spans from the December before to the March after; repeated names at its ends are spelt in Latin letters,
        # and the solstice of the year itself is the second of its two.
        name = "冬至" if name == "DONG_ZHI" else name
        if name in SOLAR_TERMS and moment.getYear() == year:
            found[name] = dt.datetime(moment.getYear(), moment.getMonth(), moment.getDay())
    return found


def solar_term(year: int, name: str) -> dt.datetime | None:
    """The day of a solar term in a Gregorian year, China time."""
    return _solar_terms(year).get(name) if 1600 <= year <= 2300 else None


def _geng(first: dt.datetime, n: int) -> dt.datetime:
    """The `n`-th day from `first` on whose stem in the cycle of sixty days is 庚."""
    return first + DAY * ((2 - first.toordinal()) % 10 + 10 * (n - 1))


def _dog_days(part: int) -> Callable[[int], dt.datetime | None]:
    """The first day of one of the three parts of the dog days: the third or fourth 庚 day of summer, the first of autumn."""

    def find(year: int) -> dt.datetime | None:
        first = solar_term(year, "立秋" if part == 3 else "夏至")
        return None if first is None else _geng(first, 1 if part == 3 else part + 2)

    return find


def _middle_dog_days(year: int) -> int:
    """How long the second part is: ten days or twenty."""
    first, last = _dog_days(2)(year), _dog_days(3)(year)
    return (last - first).days if first is not None and last is not None else 10


# --- festivals ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _easter(year: int, method: int) -> dt.datetime:
    from dateutil.easter import easter

    found = easter(year, method)
    return dt.datetime(found.year, found.month, found.day)


def _fixed(month: int, number: int) -> Callable[[int], dt.datetime | None]:
    return lambda year: day(year, month, number)


def _lunar(month: int, number: int, shift: int = 0) -> Callable[[int], dt.datetime | None]:
    def find(year: int) -> dt.datetime | None:
        span = lunar_span(year, month, number)
        return span.start + DAY * shift if span and span.start else None

    return find


def _weekday(month: int, weekday: int, n: int, shift: int = 0) -> Callable[[int], dt.datetime | None]:
    return lambda year: nth_weekday(year, month, weekday, n) + DAY * shift


def _from_easter(shift: int, method: int = 3) -> Callable[[int], dt.datetime | None]:
    return lambda year: _easter(year, method) + DAY * shift if 1583 <= year <= 4099 else None


def _memorial_saturday(year: int) -> dt.datetime | None:
    return nth_weekday(year, 5, 0, -1)


# --- other calendars: arithmetic after Reingold and Dershowitz, phases of the moon after Meeus ---------------------------------


@lru_cache(maxsize=256)
def _jewish_year(year: int) -> tuple[int, int]:
    """Ordinal of the first day of a Jewish year, and the days of that year."""

    def elapsed(number: int) -> int:
        months = (235 * number - 234) // 19
        days = 29 * months + (12084 + 13753 * months) // 25920
        return days + 1 if 3 * (days + 1) % 7 < 3 else days

    def first(number: int) -> int:
        before, here, after = elapsed(number - 1), elapsed(number), elapsed(number + 1)
        return -1373427 + here + (2 if after - here == 356 else 1 if here - before == 382 else 0)

    return first(year), first(year + 1) - first(year)


def _jewish(shift: int, since: str = "new_year") -> Callable[[int], dt.datetime | None]:
    """Days from the Jewish new year that begins in the autumn of a year, from Passover in its spring, or from 1 Tevet after it.

    A Jewish day begins with the evening before, and the day it begins on is given.
    """

    def find(year: int) -> dt.datetime | None:
        first, length = _jewish_year(year + 3761)
        if since == "passover":
            first -= 163
        elif since == "kislev":  # the month before it has 30 days in a full year
            first += 60 if length in (355, 385) else 59
        elif since == "shevat":
            first, length = _jewish_year(year + 3760)
            first += 117 + {3: 0, 4: 1, 5: 2}[length % 10]
        return dt.datetime.fromordinal(first + shift - 1) if 100 <= year <= 9000 else None

    return find


def _islamic(month: int, number: int) -> Callable[[int], dt.datetime | None]:
    """The first day so named in a Gregorian year. A month begins on the day after the evening that follows a new moon by some
    hours, which is what the Saudi calendar says in four years of five; where the moon is sighted it may be a day later.
    """

    def find(year: int) -> dt.datetime | None:
        if not 1600 <= year <= 2300:
            return None
        first = dt.datetime(year, 1, 1)
        lunar = (first.toordinal() - 227015) * 30 // 10631 - 1
        while True:
            tabular = 227013 + (lunar - 1) * 354 + (14 + 11 * lunar) // 30 + 29 * (month - 1) + month // 2 + 1
            k = round((tabular - _NEW_MOON) / 29.530588861)
            found = midnight(_phase(k) + dt.timedelta(hours=9)) + DAY * number
            if found >= first:
                return found
            lunar += 1

    return find


_NEW_MOON = dt.datetime(2000, 1, 6).toordinal() + 0.75


def _moon(month: int, number: int, phase: float, shift: int = 0, until: int = 12) -> Callable[[int], dt.datetime | None]:
    """So many days from the day at whose sunset in India the moon nears its phase (0 new, 0.5 full), the first from a date on.

    `until` is the hour of a day, UTC, up to which a phase is still that of the day before. Hindu feasts follow the tithi, which
    the mean length of a lunation only approaches: of thirty-five years three or four are a day off.
    """

    def find(year: int) -> dt.datetime | None:
        if not 1600 <= year <= 2300:
            return None
        start = dt.datetime(year, month, number)
        k = round((start - dt.datetime(2000, 1, 6)).days / 29.530588861) - 1 + phase
        while (moment := _phase(k)) < start:
            k += 1
        return midnight(moment - dt.timedelta(hours=until)) + DAY * shift

    return find


def _phase(k: float) -> dt.datetime:
    """The instant of a new (k whole) or full (k half) moon, UTC, within half an hour."""
    sun, moon, node = (
        radians(angle) for angle in (2.5534 + 29.1053567 * k, 201.5643 + 385.81693528 * k, 160.7108 + 390.67050284 * k)
    )
    full = k % 1 != 0
    days = 2451550.09766 + 29.530588861 * k + (-0.40614 if full else -0.4072) * sin(moon) + 0.1727 * sin(sun)
    days += 0.0161 * sin(2 * moon) + 0.0104 * sin(2 * node) + 0.0073 * sin(moon - sun) - 0.0051 * sin(moon + sun)
    return dt.datetime(2000, 1, 1, 12) + DAY * (days - 2451545.0) - dt.timedelta(seconds=69)


def _advent(year: int) -> dt.datetime | None:
    christmas = dt.datetime(year, 12, 25)
    return christmas - DAY * (christmas.weekday() + 1) - WEEK * 3


def _before(key: str, days: int) -> Callable[[int], dt.datetime | None]:
    """So many days before another festival, or after it when negative."""

    def find(year: int) -> dt.datetime | None:
        found = FESTIVALS[key][0](year)
        return None if found is None else found - DAY * days

    return find


def _jumuatul_wida(year: int) -> dt.datetime | None:
    """The last Friday of Ramadan."""
    last = _before("eid_al_fitr", 1)(year)
    return None if last is None else last - DAY * ((last.weekday() - 4) % 7)


def _emancipation(year: int) -> dt.datetime:
    found = dt.datetime(year, 4, 16)
    return found + DAY * {5: -1, 6: 1}.get(found.weekday(), 0)


def _tax(year: int) -> dt.datetime | None:
    """The American one: 15 April, or the next day that is neither a weekend's nor Emancipation Day."""
    found = dt.datetime(year, 4, 15)
    while found.weekday() > 4 or found == _emancipation(year):
        found += DAY
    return found


def _super_tuesday(year: int) -> dt.datetime | None:
    if year % 4:
        return None
    return nth_weekday(year, 2 if year == 2008 else 3, 1, 1)


def _yom_haatzmaut(year: int) -> dt.datetime | None:
    """5 Iyar, moved so that neither it nor the day before touches a Sabbath."""
    found = _jewish(20, "passover")(year)
    if found is None:
        return None
    return found + DAY * {3: -1, 4: -2, 6: 1}.get(found.weekday(), 0)  # the weekday its evening falls on


def _tisha_bav(year: int) -> dt.datetime | None:
    found = _jewish(112, "passover")(year)
    return found + DAY if found is not None and found.weekday() == 4 else found  # never on a Sabbath


# Key -> (day of a year, days of the customary holiday, days of it before the day itself). A New Year's Eve belongs to the
# year that it ends, a lunar one to the Gregorian year its feast falls in.
FESTIVALS: dict[str, tuple[Callable[[int], dt.datetime | None], int | Callable[[int], int], int]] = {
    "new_year": (_fixed(1, 1), 1, 0),
    "new_year_eve": (_fixed(12, 31), 1, 0),
    "laba": (lambda year: _lunar(12, 8)(year - 1), 1, 0),
    "little_new_year": (lambda year: _lunar(12, 23)(year - 1), 1, 0),
    "spring_festival_eve": (_lunar(1, 1, -1), 1, 0),
    "spring_festival": (_lunar(1, 1), 7, 1),
    "lantern": (_lunar(1, 15), 1, 0),
    "dragon_head": (_lunar(2, 2), 1, 0),
    "shangsi": (_lunar(3, 3), 1, 0),
    "tomb_sweeping": (lambda year: solar_term(year, "清明"), 1, 0),
    "dragon_boat": (_lunar(5, 5), 1, 0),
    "qixi": (_lunar(7, 7), 1, 0),
    "ghost": (_lunar(7, 15), 1, 0),
    "mid_autumn": (_lunar(8, 15), 1, 0),
    "double_ninth": (_lunar(9, 9), 1, 0),
    "dog_days": (_dog_days(1), lambda year: 20 + _middle_dog_days(year), 0),
    "dog_days_first": (_dog_days(1), 10, 0),
    "dog_days_middle": (_dog_days(2), _middle_dog_days, 0),
    "dog_days_last": (_dog_days(3), 10, 0),
    "winter_solstice": (lambda year: solar_term(year, "冬至"), 1, 0),
    "valentine": (_fixed(2, 14), 1, 0),
    "girls": (_fixed(3, 7), 1, 0),
    "women": (_fixed(3, 8), 1, 0),
    "arbor": (_fixed(3, 12), 1, 0),
    "consumer": (_fixed(3, 15), 1, 0),
    "april_fools": (_fixed(4, 1), 1, 0),
    "earth": (_fixed(4, 22), 1, 0),
    "labour": (_fixed(5, 1), 5, 0),
    "youth": (_fixed(5, 4), 1, 0),
    "nurses": (_fixed(5, 12), 1, 0),
    "shopping_520": (_fixed(5, 20), 1, 0),
    "children": (_fixed(6, 1), 1, 0),
    "shopping_618": (_fixed(6, 18), 1, 0),
    "party_founding": (_fixed(7, 1), 1, 0),
    "army": (_fixed(8, 1), 1, 0),
    "teachers": (_fixed(9, 10), 1, 0),
    "national": (_fixed(10, 1), 7, 0),
    "halloween": (_fixed(10, 31), 1, 0),
    "singles": (_fixed(11, 11), 1, 0),
    "shopping_1212": (_fixed(12, 12), 1, 0),
    "christmas_eve": (_fixed(12, 24), 1, 0),
    "christmas": (_fixed(12, 25), 1, 0),
    "boxing": (_fixed(12, 26), 1, 0),
    "epiphany": (_fixed(1, 6), 1, 0),
    "groundhog": (_fixed(2, 2), 1, 0),
    "pi": (_fixed(3, 14), 1, 0),
    "st_patrick": (_fixed(3, 17), 1, 0),
    "cinco_de_mayo": (_fixed(5, 5), 1, 0),
    "star_wars": (_fixed(5, 4), 1, 0),
    "juneteenth": (_fixed(6, 19), 1, 0),
    "canada": (_fixed(7, 1), 1, 0),
    "independence": (_fixed(7, 4), 1, 0),
    "bastille": (_fixed(7, 14), 1, 0),
    "all_saints": (_fixed(11, 1), 1, 0),
    "all_souls": (_fixed(11, 2), 1, 0),
    "guy_fawkes": (_fixed(11, 5), 1, 0),
    "veterans": (_fixed(11, 11), 1, 0),
    "anzac": (_fixed(4, 25), 1, 0),
    "mlk": (_weekday(1, 0, 3), 1, 0),
    "presidents": (_weekday(2, 0, 3), 1, 0),
    "mothers": (_weekday(5, 6, 2), 1, 0),
    "fathers": (_weekday(6, 6, 3), 1, 0),
    "memorial": (_memorial_saturday, 1, 0),
    "us_labor": (_weekday(9, 0, 1), 1, 0),
    "columbus": (_weekday(10, 0, 2), 1, 0),
    "thanksgiving": (_weekday(11, 3, 4), 1, 0),
    "canadian_thanksgiving": (_weekday(10, 0, 2), 1, 0),
    "black_friday": (_weekday(11, 3, 4, 1), 1, 0),
    "cyber_monday": (_weekday(11, 3, 4, 4), 1, 0),
    "giving_tuesday": (_weekday(11, 3, 4, 5), 1, 0),
    "shrove_tuesday": (_from_easter(-47), 1, 0),
    "ash_wednesday": (_from_easter(-46), 1, 0),
    "palm_sunday": (_from_easter(-7), 1, 0),
    "maundy_thursday": (_from_easter(-3), 1, 0),
    "good_friday": (_from_easter(-2), 1, 0),
    "holy_saturday": (_from_easter(-1), 1, 0),
    "easter": (_from_easter(0), 1, 0),
    "easter_monday": (_from_easter(1), 1, 0),
    "ascension": (_from_easter(39), 1, 0),
    "pentecost": (_from_easter(49), 1, 0),
    "whit_monday": (_from_easter(50), 1, 0),
    "trinity_sunday": (_from_easter(56), 1, 0),
    "corpus_christi": (_from_easter(60), 1, 0),
    "lazarus_saturday": (_from_easter(-8), 1, 0),
    "lent": (_from_easter(-46), 46, 0),
    "sacred_heart": (_from_easter(68), 1, 0),
    "divine_mercy": (_from_easter(7), 1, 0),
    "advent": (_advent, 1, 0),
    "assumption": (_fixed(8, 15), 1, 0),
    "immaculate": (_fixed(12, 8), 1, 0),
    "annunciation": (_fixed(3, 25), 1, 0),
    "candlemas": (_fixed(2, 2), 1, 0),
    "orthodox_easter": (_from_easter(0, 2), 1, 0),
    "clean_monday": (_from_easter(-48, 2), 1, 0),
    "boss": (_fixed(10, 16), 1, 0),
    "siblings": (_fixed(4, 10), 1, 0),
    "lincoln": (_fixed(2, 12), 1, 0),
    "grandparents": (_weekday(9, 0, 1, 6), 1, 0),
    "kings": (lambda year: dt.datetime(year, 4, 27 - (dt.datetime(year, 4, 27).weekday() == 6)), 1, 0),
    "administrative": (_weekday(4, 5, -1, -3), 1, 0),
    "us_dst_start": (_weekday(3, 6, 2), 1, 0),
    "us_dst_end": (_weekday(11, 6, 1), 1, 0),
    "orthodox_good_friday": (_from_easter(-2, 2), 1, 0),
    "orthodox_holy_saturday": (_from_easter(-1, 2), 1, 0),
    "orthodox_easter_monday": (_from_easter(1, 2), 1, 0),
    "orthodox_palm_sunday": (_from_easter(-7, 2), 1, 0),
    "orthodox_lazarus_saturday": (_from_easter(-8, 2), 1, 0),
    "orthodox_clean_monday": (_from_easter(-48, 2), 1, 0),
    "orthodox_lent": (_from_easter(-48, 2), 40, 0),
    "orthodox_ascension": (_from_easter(39, 2), 1, 0),
    "orthodox_pentecost": (_from_easter(49, 2), 1, 0),
    "orthodox_christmas": (_fixed(1, 7), 1, 0),
    "rosh_hashanah": (_jewish(0), 3, 0),
    "yom_kippur": (_jewish(9), 1, 0),
    "sukkot": (_jewish(14), 9, 0),
    "shemini_atzeret": (_jewish(21), 1, 0),
    "simchat_torah": (_jewish(22), 1, 0),
    "hanukkah": (_jewish(24, "kislev"), 8, 0),
    "tu_bishvat": (_jewish(14, "shevat"), 1, 0),
    "purim": (_jewish(-30, "passover"), 1, 0),
    "passover": (_jewish(0, "passover"), 9, 0),
    "yom_haatzmaut": (_yom_haatzmaut, 1, 0),
    "lag_baomer": (_jewish(33, "passover"), 1, 0),
    "shavuot": (_jewish(50, "passover"), 3, 0),
    "tisha_bav": (_tisha_bav, 1, 0),
    "islamic_new_year": (_islamic(1, 1), 1, 0),
    "ashura": (_islamic(1, 10), 1, 0),
    "mawlid": (_islamic(3, 12), 1, 0),
    "isra_miraj": (_islamic(7, 27), 1, 0),
    "ramadan": (_islamic(9, 1), 30, 0),
    "laylat_al_qadr": (_islamic(9, 27), 1, 0),
    "eid_al_fitr": (_islamic(10, 1), 1, 0),
    "eid_al_adha": (_islamic(12, 10), 1, 0),
    "pongal": (_fixed(1, 14), 1, 0),
    "vaisakhi": (_fixed(4, 14), 1, 0),
    "songkran": (_fixed(4, 13), 3, 0),
    "holi": (_moon(3, 29, 0.5, -29, 0), 1, 0),
    "holika_dahan": (_before("holi", 1), 1, 0),
    "vasant_panchami": (_moon(2, 13, 0, -25, 0), 1, 0),
    "maha_shivaratri": (_moon(2, 13, 0, -1), 1, 0),
    "ugadi": (_moon(4, 14, 0, -28, 18), 1, 0),
    "mahavir_jayanti": (_moon(3, 31, 0.5, -2, 0), 1, 0),
    "ravidas_jayanti": (_moon(1, 29, 0.5, 0, 0), 1, 0),
    "guru_purnima": (_moon(7, 2, 0.5, 0, 0), 1, 0),
    "rath_yatra": (_moon(7, 17, 0, -27), 1, 0),
    "janmashtami": (_moon(8, 31, 0.5, -21), 1, 0),
    "ganesh_chaturthi": (_moon(9, 17, 0, -26, 0), 1, 0),
    "valmiki_jayanti": (_moon(10, 3, 0.5, 0, 0), 1, 0),
    "karva_chauth": (_moon(11, 2, 0.5, -26, 6), 1, 0),
    "naraka_chaturdashi": (_before("diwali", 1), 1, 0),
    "govardhan_puja": (_before("diwali", -1), 1, 0),
    "guru_nanak_jayanti": (_moon(11, 2, 0.5, 0, 0), 1, 0),
    "rabindra_jayanti": (_fixed(5, 9), 1, 0),
    "lohri": (_fixed(1, 13), 1, 0),
    "mattu_pongal": (_fixed(1, 15), 1, 0),
    "kanum_pongal": (_fixed(1, 16), 1, 0),
    "india_independence": (_fixed(8, 15), 1, 0),
    "jumuatul_wida": (_jumuatul_wida, 1, 0),
    "arafah": (_before("eid_al_adha", 1), 1, 0),
    "nowruz": (lambda year: solar_term(year, "春分"), 1, 0),
    "spring_equinox": (lambda year: solar_term(year, "春分"), 1, 0),
    "summer_solstice": (lambda year: solar_term(year, "夏至"), 1, 0),
    "autumn_equinox": (lambda year: solar_term(year, "秋分"), 1, 0),
    "us_election": (_weekday(11, 0, 1, 1), 1, 0),
    "super_tuesday": (_super_tuesday, 1, 0),
    "tax": (_tax, 1, 0),
    "emancipation": (_emancipation, 1, 0),
    "flag": (_fixed(6, 14), 1, 0),
    "kwanzaa": (_fixed(12, 26), 7, 0),
    "burns": (_fixed(1, 25), 1, 0),
    "st_david": (_fixed(3, 1), 1, 0),
    "st_george": (_fixed(4, 23), 1, 0),
    "st_andrew": (_fixed(11, 30), 1, 0),
    "hogmanay": (_fixed(12, 31), 1, 0),
    "waitangi": (_fixed(2, 6), 1, 0),
    "mothering_sunday": (_from_easter(-21), 1, 0),
    "remembrance_sunday": (_weekday(11, 6, 2), 1, 0),
    "early_may_holiday": (_weekday(5, 0, 1), 1, 0),
    "spring_holiday": (_weekday(5, 0, -1), 1, 0),
    "august_holiday": (_weekday(8, 0, -1), 1, 0),
    "victoria": (
        lambda year: nth_weekday(year, 5, 0, 4) if nth_weekday(year, 5, 0, 4).day < 25 else nth_weekday(year, 5, 0, 3),
        1,
        0,
    ),
    "vesak": (_moon(4, 30, 0.5), 1, 0),
    "raksha_bandhan": (_moon(8, 2, 0.5), 1, 0),
    "navaratri": (_moon(10, 17, 0, -29), 10, 0),
    "dussehra": (_moon(10, 17, 0, -20), 1, 0),
    "dhanteras": (_moon(10, 17, 0, -2), 1, 0),
    "diwali": (_moon(10, 17, 0), 1, 0),
    "bhai_dooj": (_moon(10, 17, 0, 2), 1, 0),
    "chhath": (_moon(10, 17, 0, 6), 1, 0),
    "gandhi": (_fixed(10, 2), 1, 0),
    "india_republic": (_fixed(1, 26), 1, 0),
    "hong_kong": (_fixed(7, 1), 1, 0),
    "macau": (_fixed(12, 20), 1, 0),
    "taiwan_national": (_fixed(10, 10), 1, 0),
    "nanjing_memorial": (_fixed(12, 13), 1, 0),
    "victory": (_fixed(9, 3), 1, 0),
    "journalists": (_fixed(11, 8), 1, 0),
    "constitution": (_fixed(12, 4), 1, 0),
    "no_tobacco": (_fixed(5, 31), 1, 0),
    "environment": (_fixed(6, 5), 1, 0),
    "oceans": (_fixed(6, 8), 1, 0),
    "book": (_fixed(4, 23), 1, 0),
    "water": (_fixed(3, 22), 1, 0),
    "health": (_fixed(4, 7), 1, 0),
    "food": (_fixed(10, 16), 1, 0),
    "aids": (_fixed(12, 1), 1, 0),
    "white_valentine": (_fixed(3, 14), 1, 0),
    "australia": (_fixed(1, 26), 1, 0),
    "winter_clothes": (_lunar(10, 1), 1, 0),
    "xiayuan": (_lunar(10, 15), 1, 0),
    "buddha": (_lunar(4, 8), 1, 0),
    "mazu": (_lunar(3, 23), 1, 0),
}


# Three days off that are laid against a weekend, by the weekday of the feast: days before it, and days in all. One on a
# Wednesday stands alone.
_AGAINST_A_WEEKEND = frozenset({"new_year", "tomb_sweeping", "dragon_boat", "mid_autumn"})
_DAYS_OFF = ((2, 3), (2, 3), (0, 1), (0, 3), (0, 3), (0, 3), (1, 3))


def festival_span(year: int, key: str, holiday: bool) -> Span | None:
    """The day of a festival in a Gregorian year, or with `holiday` its customary holiday; None if the year has none."""
    find, length, before = FESTIVALS[key]
    found = find(year)
    if found is None:
        return None
    if not holiday:
        return Span(found, found + DAY, G.DAY)
    length = length if isinstance(length, int) else length(year)
    if key in _AGAINST_A_WEEKEND:
        before, length = _DAYS_OFF[found.weekday()]
    start = found - DAY * before
    return Span(start, start + DAY * length, G.DAY if length == 1 else G.WEEK)
