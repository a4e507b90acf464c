"""Which of many tellings may say the same: those of one day that share a rare word. Pure; numpy does the counting.

Of two restatements the one holds the words of the other, so each telling is entered under the rarest of its words and looked up
under all: what never meets is never compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import chain, count

import numpy as np
import numpy.typing as npt

from temporal_recall import calibration as cal

Numbers = npt.NDArray[np.int64]


class Entered:
    """Tellings by place, in the order of time: the day of each, the day beside it that counts too (-1, 1, or 0 for none), its words.

    Each has words, and has them in an order that is its own. `crowded` are the days of which many tellings have the same rarest word.
    """

    def __init__(self, days: Sequence[int], beside: Sequence[int], said: Sequence[Collection[str]]) -> None:
        self.size = len(said)
        sizes = np.array(list(map(len, said)), np.int64)
        number = defaultdict[str, int](count().__next__)  # of each word, as they come
        self._word = np.fromiter(map(number.__getitem__, chain.from_iterable(said)), np.int64, int(sizes.sum()))
        self._words = max(1, len(number))
        self._place = np.repeat(np.arange(self.size), sizes)
        given = np.array(days, np.int64)
        first_day = int(given.min()) - 1 if self.size else 0
        self._day = given - first_day  # from 1 on, so that the day before the first is 0
        self._beside = np.array(beside, np.int64)
        often = np.bincount(self._word, minlength=self._words)
        # The words of each telling, the rarest first.
        order = np.lexsort((self._word, often[self._word], self._place))
        begins = np.cumsum(sizes) - sizes
        rarest = self._word[order[begins]]
        alone = (often[rarest] == 1) & (sizes > 1)  # the only one to say it: it may be misspelt, so the next is tried too
        places = np.concatenate((np.arange(self.size), np.flatnonzero(alone)))
        words = np.concatenate((rarest, self._word[order[begins[alone] + 1]]))
        entries = np.sort((self._day[places] * self._words + words) * max(1, self.size) + places)
        self._entries, self._keys = entries, entries // max(1, self.size)
        crowds, how_many = np.unique(self._day * self._words + rarest, return_counts=True)
        self.crowded = {int(day) + first_day for day in crowds[how_many > cal.CROWD] // self._words}

    def pairs(self) -> list[tuple[int, int]]:
        """Places `(n, other)` of which `n` says the word that `other` is entered under, on its day or the one beside; each pair once.

        Of more than `COMPARED` others of one word those nearest in time are given.
        """
        near = self._beside[self._place] != 0
        place = np.concatenate((self._place, self._place[near]))
        day = self._day[place]
        day[len(self._place) :] += self._beside[place[len(self._place) :]]
        key = day * self._words + np.concatenate((self._word, self._word[near]))
        low, high = np.searchsorted(self._keys, key), np.searchsorted(self._keys, key, side="right")
        at = np.searchsorted(self._entries, key * self.size + place)
        low = np.where(high - low > cal.COMPARED, np.maximum(low, at - cal.COMPARED // 2), low)
        counts = np.minimum(high, low + cal.COMPARED) - low
        n = np.repeat(place, counts)
        entry = np.arange(len(n)) + np.repeat(low - (np.cumsum(counts) - counts), counts)
        other = self._entries[entry] % self.size
        both = np.unique((n * self.size + other)[n != other])
        return list(zip((both // self.size).tolist(), (both % self.size).tolist(), strict=True)) if len(both) else []
