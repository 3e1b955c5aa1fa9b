"""What a reduction does to one value: the operators that OpenMP predeclares, as an :class:`Operation`.

In: an operator and an element type. Out: the text of the identity and of the statement that joins two values. The
user's own operators are in :mod:`rexcc.lowering.reductions.user_reductions`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from clang.cindex import Type

from rexcc.clang import types
from rexcc.kernel.ir import Code, Do
from rexcc.lowering.text.team import Combine
from rexcc.source.records import dataclass

OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "&&": "land",
    "||": "lor",
    "min": "min",
    "max": "max",
}
"""Names of the predeclared identifiers in the runtime's functions."""

_WIDTH = 116
_INTEGRAL = frozenset("&|^")
_FLOATING = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128"})
_NOT_COMBINED = frozenset({"LONGDOUBLE", "COMPLEX", "FLOAT128", "IBM128", "INT128", "UINT128", "NULLPTR"})


OF_BLOCK = frozenset({Combine.GRID, Combine.ORDERED, Combine.BLOCK})
"""Where all threads of a block arrive."""

SEPARATELY = frozenset({Combine.EACH, Combine.LEAGUE})
"""Where a value is added while others add theirs: a thread its own, or a team its elements."""


@dataclass(frozen=True)
class Join:
    """What joins one variable: a statement of its own, and the operand for a statement that joins several.

    ``symbol`` is the operator where it is one of the language and joins one value.
    """

    alone: Do
    operand: str
    is_row: bool = False
    symbol: str = ""


def joined_by_block(joins: Sequence[Join]) -> Code:
    """Return the statement by which a block joins variables."""
    if len(joins) < 2:
        return tuple(join.alone for join in joins)
    return (call("rex_reduce_block", [join.operand for join in joins]),)


def call(function: str, operands: Sequence[str]) -> Do:
    """Return the call of a function, an operand a line where one line is too short."""
    line = f"{function}({', '.join(operands)});"
    if len(line) <= _WIDTH or len(operands) < 2:
        return Do(line)
    separator = ",\n" + " " * (len(function) + 1)
    return Do(f"{function}({separator.join(operands)});")


class Operation(Protocol):
    """How private copies of one type start and are joined."""

    def initial(self, original: str) -> str:
        """Return the initialiser of a private copy, an expression or ``{}``; ``original`` is its original's text."""

    def joined(self, target: str, value: str, combine: Combine) -> str:
        """Return the statement that joins the variable ``value`` into ``*target``."""

    def operand(self, target: str, value: str, count: str = "") -> str:
        """Return what ``rex_reduce`` takes to join the variable ``value`` of all threads into ``*target``.

        With a ``count`` they are the first of so many elements.
        """

    def scanned(self, value: str, carry: str, exclusive: bool, threads: str = "") -> str:
        """Return the statement by which a team makes prefix sums of its threads' values.

        ``threads`` is the team's size, empty for the whole block and ``0`` where the runtime knows it.
        """


def bare(kind: Type) -> str:
    """Return a type's spelling without qualifiers."""
    return re.sub(r"^(?:const |volatile )+", "", types.spell(kind))


@dataclass(frozen=True)
class Predeclared:
    """An operator of the language on an arithmetic type; ``minus`` adds, as OpenMP defines it."""

    operator: str
    kind: Type

    def initial(self, original: str) -> str:
        """Return the operator's identity."""
        return f"rex_identity_{OPERATORS[self.operator]}<{bare(self.kind)}>()"

    def joined(self, target: str, value: str, combine: Combine) -> str:
        """Return a call of the runtime, or for a thread alone what a person would write."""
        name = OPERATORS[self.operator]
        if combine in OF_BLOCK:
            return f"rex_reduce_{name}({target}, {value});"
        if combine in SEPARATELY:
            return f"rex_atomic_{'add' if self.operator == '-' else name}({target}, {value});"
        original = f"*{target}" if re.fullmatch(r"\w+", target) else f"*({target})"
        if self.operator in ("min", "max"):
            return f"{original} = rex_combine_{name}({original}, {value});"
        symbol = "+" if self.operator == "-" else self.operator
        if symbol in ("&&", "||") or types.kind_name(types.canonical(self.kind)) == "ENUM":
            return f"{original} = ({bare(self.kind)})({original} {symbol} {value});"
        return f"{original} {symbol}= {value};"

    def operand(self, target: str, value: str, count: str = "") -> str:
        """Return a call of the runtime."""
        name, elements = OPERATORS["+" if self.operator == "-" else self.operator], f", {count}" if count else ""
        return f"rex_into_{name}({target}, {value}{elements})"

    def scanned(self, value: str, carry: str, exclusive: bool, threads: str = "") -> str:
        """Return a call of the runtime."""
        name = OPERATORS["+" if self.operator == "-" else self.operator]
        size = f", {threads}" if threads else ""
        return f"rex_scan_{'exclusive' if exclusive else 'inclusive'}_{name}({value}, {carry}{size});"


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
