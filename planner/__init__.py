"""Text and time to ContextPlan: pure, no input or output, no clock.

read_times(text, now)                 every time a text speaks of
make_plan(query, user_id, now)        a question as a plan
read_statement(text, observed)        what a text says of its event
read_statements(text, observed)       what it says of each, where it tells of several
"""

from typing import TYPE_CHECKING, Any

from planner.ranges import Grain, TimeRange
from planner.reading import Mention, read_times
from planner.resolution import Conventions

if TYPE_CHECKING:
    from planner.modes import TemporalMode
    from planner.parts import read_statements
    from planner.plan import ContextPlan, PlanSettings, make_plan
    from planner.statements import Statement, read_statement

__all__ = [
    "ContextPlan", "Conventions", "Grain", "Mention", "PlanSettings", "Statement", "TemporalMode", "TimeRange", "make_plan",
    "read_statement", "read_statements", "read_times",
]  # fmt: skip

# Reading times is wanted in places where the plan's model and its validation library are not: they load on first use.
_LATER = {
    "ContextPlan": "planner.plan", "PlanSettings": "planner.plan", "make_plan": "planner.plan", "TemporalMode": "planner.modes",
    "Statement": "planner.statements", "read_statement": "planner.statements",
    "read_statements": "planner.parts",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
