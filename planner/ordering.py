"""In which order a question wants its answer: the best first, or by time, and how many of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner import words
from planner.reading import reader_of

Order = Literal["relevance", "oldest", "newest"]
# The cues, and the order that each asks for: of what is still to come the soonest is the oldest.
_BY_TIME: dict[str, Order] = {"newest": "newest", "oldest": "oldest", "soonest": "oldest"}


@dataclass(frozen=True, slots=True)
class OrderReading:
    """The order that characters `span` of the question ask for; `count` is how many they ask for, None when they do not say.

    With `ahead` they do so only of what is still to come.
    """

    order: Order
    span: tuple[int, int]
    count: int | None
    rule: str
    ahead: bool = False


def order_by_words(query: str) -> OrderReading | None:
    """The order by time that the question's words ask for ("先后", "in what order", "the latest five"); None where they do not."""
    reader = reader_of(query)
    text = reader.fold(query)
    for cue, order in _BY_TIME.items():
        for language in reader.languages:
            match = language.cue(f"ask_{cue}").search(text)
            if match is not None:
                said = words.numbers(next(filter(None, match.groups()), ""))
                # Who asks for the last one still wants to see what else it may have been.
                count = int(said[0]) if said and 2 <= said[0] <= 200 else None
                return OrderReading(order, match.span(), count, f"{language.code}.order.{cue}", cue == "soonest")
    return None
