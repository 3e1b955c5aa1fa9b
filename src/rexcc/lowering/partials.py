"""Reductions by all teams: what the launch brings along, and the kernel's last statement.

In: the variables that a region reduces and how (:data:`STRATEGIES`). Out: the argument with the memory for the partial
results of the blocks, whose epilogue joins all variables at once; and the rows of the variables that the kernel reads
and writes once, so that the runtime need not map them (``rex_partials.h``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clang.cindex import Type

from rexcc.clang import types
from rexcc.lowering.map_types import IMPLICIT, PARAM
from rexcc.lowering.model import Argument, MapRow, Parameter

STRATEGIES = ("device", "atomic")
"""How the results of teams come together: the last block combines them in order, or each adds its own."""

_TOFROM = {"REX_MAP_TO", "REX_MAP_FROM"}
_WIDTH = 116


@dataclass(frozen=True)
class Joined:
    """A variable that all teams reduce: the operand of ``rex_reduce``, and the size of a value on the host.

    ``name`` is its parameter's, of which the kernel uses nothing but the value at its end; empty where it is more.
    """

    operand: str
    size: str
    name: str = ""


def joined_variable(kind: Type, operand: str, host: str, name: str) -> Joined:
    """Return a variable of a type; values with constructors of their own stay where the runtime maps them."""
    return Joined(operand, f"sizeof {host}", name if types.canonical(kind).is_pod() else "")


def partials_argument(joined: Sequence[Joined]) -> Argument:
    """Return the argument for the partial results of all variables."""
    size = " + ".join(f"rex_partial_bytes(_num_blocks_, {one.size})" for one in joined)
    row = MapRow("(void *)(uintptr_t)0", "", size, ("REX_MAP_IMPLICIT_LITERAL", "REX_MAP_PARTIALS"), "partial results",
                 reason="teams reduce")  # fmt: skip
    name = "__rex_partials"
    return Argument(row, Parameter(f"rex_partials *{name}", name, (), _call(["__rex_partials", *_operands(joined)])))


def reduced_row(argument: Argument, joined: Sequence[Joined]) -> Argument:
    """Return an argument whose row tells that its variable is reduced, where that is all the kernel does with it."""
    row, parameter = argument.row, argument.parameter
    plain = set(row.bits) <= _TOFROM | {PARAM, IMPLICIT} and set(row.bits) >= _TOFROM and not row.mapper
    if parameter is None or not plain or parameter.name not in {one.name for one in joined if one.name}:
        return argument
    return replace(argument, row=replace(row, bits=(*row.bits, "REX_MAP_REDUCED")))


def _operands(joined: Sequence[Joined]) -> list[str]:
    return [one.operand for one in joined]


def _call(operands: Sequence[str]) -> tuple[str, ...]:
    line = f"rex_reduce({', '.join(operands)});"
    if len(line) <= _WIDTH:
        return (line,)
    indent = " " * len("rex_reduce(")
    first, *others = operands
    return (f"rex_reduce({first},", *(f"{indent}{one}," for one in others[:-1]), f"{indent}{others[-1]});")
