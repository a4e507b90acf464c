"""Values: dataclasses that are made quickly and that nobody changes.

There are many classes of them and one is made at every step of reading. A dataclass that is frozen at run time, with
comparison and hash of its own, costs three times as much at import and twice as much a value; here mypy does the freezing and
the base class does the comparing.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def form(cls: type[T]) -> type[T]:
    """A dataclass with slots, for subclasses of `Form`."""
    return dataclasses.dataclass(slots=True, eq=False, repr=False)(cls)


class Form:
    """Equal when of one class with equal fields; hashable when its fields are."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()  # the names of the fields; dataclasses fill it in

    def _fields(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and type(self) is type(other) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={part!r}" for name, part in zip(self.__match_args__, self._fields(), strict=True))
        return f"{type(self).__name__}({said})"
