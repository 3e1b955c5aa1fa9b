"""Types of generated data: what they are called, how many cells they have. A cell is one number or one pointer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Scalar:
    """An arithmetic type; its values stay in ``range(modulus)``, so that every type keeps them exactly."""

    name: str
    modulus: int

    @property
    def cells(self) -> int:
        """How many cells an object has."""
        return 1


@dataclass(frozen=True)
class Pointer:
    """A pointer to one or more objects of a type."""

    target: Type

    @property
    def cells(self) -> int:
        """How many cells an object has."""
        return 1


@dataclass(frozen=True)
class Array:
    """An array; ``extent`` is how its length is written."""

    element: Type
    count: int
    extent: str = ""

    @property
    def cells(self) -> int:
        """How many cells an object has."""
        return self.element.cells * self.count


@dataclass(frozen=True)
class Struct:
    """A structure with members in order."""

    name: str
    members: tuple[tuple[str, Type], ...]

    @cached_property
    def cells(self) -> int:
        """How many cells an object has."""
        return sum(kind.cells for _, kind in self.members)

    def member(self, name: str) -> tuple[int, Type]:
        """Return where a member begins, and its type."""
        at = 0
        for known, kind in self.members:
            if known == name:
                return at, kind
            at += kind.cells
        raise KeyError(name)


Type = Scalar | Pointer | Array | Struct

SCALARS = (
    Scalar("int", 30011),
    Scalar("int", 30011),
    Scalar("double", 30011),
    Scalar("long", 30011),
    Scalar("short", 30011),
    Scalar("float", 30011),
    Scalar("unsigned char", 251),
)
LONG = Scalar("long", 30011)


def declare(kind: Type, name: str) -> str:
    """Return the declarator of a name with its type, as in ``struct s (*p)[3]``."""
    if isinstance(kind, Array):
        return declare(kind.element, f"{name}[{kind.extent or kind.count}]")
    if isinstance(kind, Pointer):
        return declare(kind.target, f"(*{name})" if isinstance(kind.target, Array) else f"*{name}")
    word = f"struct {kind.name}" if isinstance(kind, Struct) else kind.name
    return f"{word} {name}".strip()


def leaves(kind: Type) -> Iterator[Type]:
    """Give the type of each cell."""
    if isinstance(kind, Array):
        for _ in range(kind.count):
            yield from leaves(kind.element)
    elif isinstance(kind, Struct):
        for _, member in kind.members:
            yield from leaves(member)
    else:
        yield kind


def definition(kind: Struct) -> str:
    """Return the definition of a structure."""
    members = "".join(f"  {declare(member, name)};\n" for name, member in kind.members)
    return f"struct {kind.name} {{\n{members}}};\n"
