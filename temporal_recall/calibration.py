"""The numbers of the recall score, all of them, in one place. docs/ranking.md shows what they do.

    recall_score = source_quality x temporal_match x semantic_match x importance x confidence

Each factor lies in [0, 1]. At least PRIMARY is a main answer, at least SECONDARY a minor one, less is dropped.
"""

from __future__ import annotations

PRIMARY = 0.75
SECONDARY = 0.50

SOURCE_QUALITY = {
    "calendar": 1.00,
    "tasks": 1.00,
    "meinput": 0.96,
    "chat": 0.95,
    "email": 0.95,
    "notes": 0.95,
    "memory_v2": 0.92,
    "browser": 0.88,
}
UNKNOWN_SOURCE = 0.85

# temporal_match
FITS = 1.0  # the item's own time lies in the range
OBSERVED_ONLY = 0.9  # only the time of telling speaks for it
TOLD_THEN = 0.8  # told in the range: as something still open, or beside an event of another time; for a topic only
PLANNED_THEN, DUE_THEN = 0.95, 0.85  # asked what happened: it was planned for then, or due; nothing tells that it came to be
LONGER_AGO = 0.7  # told before a range as vague as "recently": for a topic only
TOLD_LATER = 0.7  # no time of its own, told in the days after: for a topic only
TOLD_SAME_DAY = 0.85  # the same on the very day that the range is a part of
TOLD_LATER_DAYS = 7
OTHER_KIND = 0.7  # a record of another kind than the one asked for, where there are some of that kind
CALLED_OFF = 0.85  # asked for plans, and it was one: worth knowing, not the answer
LASTING = 0.9  # it lasts longer than the range, from one stated time to another ("September 10 to 12"), and so is then as well
OUTSIDE = 0.0
BESIDE = 0.8  # outside of a time that is inferred from an event, were that certain: the less it is, the more
FAR_FROM, FAR_DAYS = 0.85, 90  # so many days before or after an event ("before the wedding"), where what lies near is meant

# semantic_match, for items whose source has no index of its own: the idf-weighted share of the topic that they cover
NO_MATCH = 0.3
FITS_TOPIC = 0.75  # from this on an item tells, when nothing lies in the range, where its topic does
ONE_CHARACTER = 0.5  # what a Chinese word of one character weighs: 打 beside 羽毛球
IN_ORDER = 0.8  # where an order by time is asked for, what fits so well comes in it, and what fits less behind it
FULL_COVERAGE = 0.6  # from this share on the match is full: a topic's wording is never met whole

# importance as a factor: half of it is given, so that an unweighty item that fits stays in the answer
IMPORTANCE_FLOOR = 0.5

# dedupe
SAME_MOMENT_MINUTES = 15
SAME_WORDS = 0.7
CROWD = 8  # from more items of a day with the same rarest word on, their figures are read to tell them apart
COMPARED = 48  # at most so many items of a day are looked at for one word of an item, those nearest in time
CORRECTS = 0.5  # the share of an earlier plan's words that a correction must repeat to supersede it
CORRECTS_OTHERWISE = 2 / 3  # the same where each says something that the other does not
CORRECTS_ALIKE = 0.4  # and how much of both is then the same (Dice)
CORRECTS_LATELY = 120  # minutes after a plan in which a correction that names nothing speaks of it
