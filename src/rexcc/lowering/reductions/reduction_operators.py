"""What a reduction does to one value: the operators that OpenMP predeclares, as an :class:`Operation`.

In: an operator and an element type. Out: the operator as a value of the kernel's tree, and its identity. The user's own
operators are in :mod:`rexcc.lowering.reductions.user_reductions`.
"""

from __future__ import annotations

from typing import Protocol

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.kernel.reductions import Identity, Operator, Value
from rexcc.lowering.text.team import Combine
from rexcc.source.records import dataclass, replace

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
_NOT_COMBINED = frozenset({"FLOAT128", "IBM128", "NULLPTR"})
_WIDE = frozenset({"LONGDOUBLE", "COMPLEX", "INT128", "UINT128"})
_IDENTITIES = {"*": "1", "&": "~({0})0", "&&": "1"}
"""What is not 0."""
_EXTREMES = {
    "INT128": ("(__int128)(~(unsigned __int128)0 >> 1)", "(__int128)((unsigned __int128)1 << 127)"),
    "UINT128": ("~(unsigned __int128)0", "0"),
    "LONGDOUBLE": ("__builtin_infl()", "-__builtin_infl()"),
}
"""The greatest and the least value of a type."""

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


@dataclass(frozen=True)
class WidePredeclared:
    """An operator of the language on a type that is wider than what hardware exchanges: it is joined like a structure,
    by a function."""

    identifier: str
    kind: Type

    @property
    def operator(self) -> Operator:
        """The operator as a function of two values."""
        kind, found = spelling.spell_bare(self.kind), OPERATORS[self.identifier]
        value = f"omp_out {found.symbol} omp_in"
        if not found.symbol:
            value = f"omp_in {'<' if self.identifier == 'min' else '>'} omp_out ? omp_in : omp_out"
        return Operator(combiner=f"[]({kind} &omp_out, {kind} &omp_in) {{ omp_out = {value}; }}", is_object=True)

    @property
    def reads_original(self) -> bool:
        """No operator of the language does."""
        return False

    def initial(self, original: str) -> str:
        """Return the operator's identity."""
        if self.identifier in ("min", "max"):
            return _EXTREMES[types.kind_name(types.canonical(self.kind))][self.identifier == "max"]
        return _IDENTITIES.get(self.identifier, "0").format(spelling.spell_bare(self.kind))


def predeclared(operator: str, kind: Type) -> Predeclared | WidePredeclared:
    """Return what a predeclared operator does to values of an arithmetic type."""
    is_wide = types.kind_name(types.canonical(kind)) in _WIDE
    return WidePredeclared(operator, kind) if is_wide else Predeclared(operator, kind)


def is_arithmetic(kind: Type, is_cplusplus: bool) -> bool:
    """Whether operators are predeclared for a type: C++ enumerations and classes have the user's reductions only."""
    name = types.kind_name(types.canonical(kind))
    return types.is_scalar(kind) and not (name == "ENUM" and is_cplusplus)


def has_operator(operator: str, kind: Type) -> bool:
    """Whether a predeclared operator has a meaning for an arithmetic type."""
    name = types.kind_name(types.canonical(kind))
    if name == "COMPLEX":
        return operator not in ("min", "max", *_INTEGRAL)
    return operator not in _INTEGRAL or name not in _FLOATING


def is_combined(kind: Type) -> bool:
    """Whether a GPU can combine values of a type, as far as it is arithmetic."""
    return types.kind_name(types.canonical(kind)) not in _NOT_COMBINED
