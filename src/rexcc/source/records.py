"""Dataclasses that are cheap to define.

In: a class with annotated fields. Out: the dataclass that the standard library would make of it. Every command defines
more than two hundred before it reads a file. The standard library compiles the text of six methods for each; here only
``__init__`` is compiled, in a fraction of the time; the others are functions (docs/decisions/037-short-commands.md).
Type checkers see the standard library's own: it is they who prove that nothing assigns to a frozen one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, *, frozen: bool = False, eq: bool = True) -> Any:
        """Make a class a dataclass, as ``dataclasses.dataclass`` does."""
        return _made(cls, frozen, eq) if cls else lambda decorated: _made(decorated, frozen, eq)


def _made(cls: type, frozen: bool, eq: bool) -> type:
    own = vars(cls)
    made: Any = dataclasses.dataclass(repr=False, eq=False)(cls)
    if "__repr__" not in own:
        made.__repr__ = _shown
    if eq:
        values = _values(cls)
        made.__eq__ = _equality(values)
        made.__hash__ = _hash(values) if frozen else None
    return cls


def _values(cls: type) -> Callable[[object], object]:
    """Return what gives the compared fields of an object, all at once."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else lambda record: ()


def _equality(values: Callable[[object], object]) -> Callable[[object, object], bool]:
    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(values: Callable[[object], object]) -> Callable[[object], int]:
    return lambda self: hash(values(self))


@recursive_repr()
def _shown(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({shown})"
