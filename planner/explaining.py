"""How a text was read, as a tree: its words, then each time with the rules that read it and the expression they built."""

from __future__ import annotations

import datetime as dt
from typing import Literal, NamedTuple

from planner._form import Form
from planner.expressions import Amount, Expression
from planner.reading import Mention, read_times, reader_of
from planner.resolution import DEFAULT, Conventions


class Branch(NamedTuple):
    """A line of the tree and what hangs on it."""

    text: str
    kind: Literal["text", "expression", "aside"] = "text"
    branches: tuple[Branch, ...] = ()


def explain(text: str, now: dt.datetime, conventions: Conventions = DEFAULT) -> Branch:
    """The tree of what `read_times` makes of `text` at the aware `now`. Raises ValueError for a naive `now`."""
    mentions = read_times(text, now, conventions)
    reader = reader_of(text)
    words = [
        Branch(" ".join(f"{token.cat}={token.value!r}" if token.value is not None else token.cat for token in run), "aside")
        for run in reader.runs(reader.fold(text), every=True)
    ]
    return Branch(repr(text), branches=(*map(_mention, mentions), Branch("words", "aside", tuple(words))))


def drawn(branch: Branch, depth: int = 0) -> str:
    """The tree as lines of text, each level indented by two more spaces."""
    return "\n".join(["  " * depth + branch.text, *(drawn(below, depth + 1) for below in branch.branches)])


def _mention(mention: Mention) -> Branch:
    place = mention.range or "no single place in time"
    head = f"{mention.text!r} [{mention.start}, {mention.end})  {place}  grain {mention.grain.word}"
    rules = Branch(f"rules {', '.join(mention.rules)}")
    others = [Branch(f"or {other.range}: {other.reason}", "aside") for other in mention.alternatives]
    return Branch(head, branches=(rules, _expression(mention.expression), *others))


def _expression(expression: Form, name: str = "") -> Branch:
    """An expression with its plain fields on its line, and its parts below, each under the name of its field."""
    fields = {field: getattr(expression, field) for field in expression.__match_args__}
    parts = {field: value for field, value in fields.items() if isinstance(value, Expression)}
    plain = [f"{field}={_said(value)}" for field, value in fields.items() if field not in parts]
    return Branch(
        " ".join([*([f"{name}:"] if name else []), type(expression).__name__, *plain]),
        "expression",
        tuple(_expression(value, field) for field, value in parts.items()),
    )


def _said(value: object) -> str:
    return " ".join(f"{n:g} {unit}" for n, unit in value.parts) if isinstance(value, Amount) else str(value)
