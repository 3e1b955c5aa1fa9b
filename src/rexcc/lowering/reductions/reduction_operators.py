"""What a reduction does to one value: the operators that OpenMP predeclares, as an :class:`Operation`.

In: an operator and an element type. Out: the operator as a value of the kernel's tree, and its identity. The user's own
operators are in :mod:`rexcc.lowering.reductions.user_reductions`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.kernel.reductions import Identity, Operator, Value
from rexcc.lowering.text.team import Combine
from rexcc.source.records import dataclass

OPERATORS = {
    "+": Operator("add", "+"),
    "-": Operator("add", "+"),
    "*": Operator("mul", "*"),
    "&": Operator("and", "&"),
    "|": Operator("or", "|"),
    "^": Operator("xor", "^"),
    "&&": Operator("land", "&&"),
    "||": Operator("lor", "||"),
    "min": Operator("min"),
    "max": Operator("max"),
}
"""The predeclared identifiers; minus adds, as OpenMP defines it."""

_INTEGRAL = frozenset("&|^")
_FLOATING = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128"})
_NOT_COMBINED = frozenset({"LONGDOUBLE", "COMPLEX", "FLOAT128", "IBM128", "INT128", "UINT128", "NULLPTR"})

OF_BLOCK = frozenset({Combine.GRID, Combine.ORDERED, Combine.BLOCK})
"""Where all threads of a block arrive."""


class Operation(Protocol):
    """How private copies of one type start and are joined."""

    @property
    def operator(self) -> Operator:
        """What joins two values."""

    @property
    def reads_original(self) -> bool:
        """Whether a private copy starts with a value made of its original's."""

    def initial(self, original: str) -> Value | None:
        """Return what a private copy starts with, None for zeros; ``original`` is its original's text."""


@dataclass(frozen=True)
class Predeclared:
    """An operator of the language on an arithmetic type."""

    identifier: str
    kind: Type

    @property
    def operator(self) -> Operator:
        """The operator, which C applies to other types than some."""
        found = OPERATORS[self.identifier]
        is_other = self.identifier in ("&&", "||") or types.kind_name(types.canonical(self.kind)) == "ENUM"
        return replace(found, cast=spelling.spell_bare(self.kind)) if is_other and found.symbol else found

    @property
    def reads_original(self) -> bool:
        """No operator of the language does."""
        return False

    def initial(self, original: str) -> Identity:
        """Return the operator's identity."""
        return Identity(self.operator, spelling.spell_bare(self.kind))


def is_arithmetic(kind: Type, is_cplusplus: bool) -> bool:
    """Whether operators are predeclared for a type: C++ enumerations and classes have the user's reductions only."""
    name = types.kind_name(types.canonical(kind))
    return types.is_scalar(kind) and not (name == "ENUM" and is_cplusplus)


def has_operator(operator: str, kind: Type) -> bool:
    """Whether a predeclared operator has a meaning for an arithmetic type."""
    return operator not in _INTEGRAL or types.kind_name(types.canonical(kind)) not in _FLOATING


def is_combined(kind: Type) -> bool:
    """Whether a GPU can combine values of a type, as far as it is arithmetic."""
    return types.kind_name(types.canonical(kind)) not in _NOT_COMBINED
