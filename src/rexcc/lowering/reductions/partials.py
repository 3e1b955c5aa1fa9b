"""Reductions by all teams: what the launch brings along, and the kernel's last statement.

In: the variables that a region reduces and how (:mod:`.strategies`). Out: the argument with the memory for the partial
results of the blocks, whose epilogue joins all variables at once; and the rows of the variables that the kernel reads
and writes once, so that the runtime need not map them (``rex_partials.h``).
"""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Type

from rexcc.clang import classes, types
from rexcc.clang.tree import FUNCTION_KINDS, kind_of
from rexcc.kernel.reductions import Among, Operand, Reduce
from rexcc.lowering.model.host_values import Size, number
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, MapFlag
from rexcc.lowering.reductions.reduction_operators import OF_BLOCK
from rexcc.lowering.text.team import Combine
from rexcc.source.records import dataclass, replace

_COMBINES = {
    "device": (Combine.GRID, Combine.LEAGUE),
    "reproducible": (Combine.ORDERED, Combine.TEAMS),
    "atomic": (Combine.BLOCK, Combine.EACH),
    "host": (Combine.GRID, Combine.LEAGUE),
}

_TOFROM = {MapFlag.TO, MapFlag.FROM}
_ALIGNMENT = 16
"""That of the memory for results."""


@dataclass(frozen=True)
class Joined:
    """A variable that all teams reduce, and the size of a value on the host.

    ``name`` is its parameter's, of which the kernel uses nothing but the value at its end; empty where it is more.
    ``host`` is what the host calls the variable where it is reduced as a whole.
    """

    operand: Operand
    size: str
    name: str = ""
    host: str = ""


def combine_of(strategy: str, around_parallels: bool) -> Combine:
    """Return how the threads of all teams combine; ``around_parallels``: the team has one copy."""
    return _COMBINES[strategy][around_parallels]


def is_moved_as_bytes(kind: Type) -> bool:
    """Whether values of a type have bytes and nothing else: no constructor that copies, no destructor and no virtual
    function of their own. Others stay where the runtime maps them."""
    if types.canonical(kind).is_pod():
        return True
    element = types.innermost(kind)
    if not types.is_record(element) or classes.is_only_moved(element) or _has_virtual_functions(element):
        return False
    return 0 < types.canonical(element).get_align() <= _ALIGNMENT and classes.is_made_of_bytes(element)


def _has_virtual_functions(kind: Type) -> bool:
    declared = classes.declared_in_parts(kind)
    methods = (member for member in declared.members if kind_of(member) in FUNCTION_KINDS)
    return not declared.is_known or any(method.is_virtual_method() for method in methods)


def partials_argument(joined: Sequence[Joined], combine: Combine) -> Argument:
    """Return the argument for the partial results of all variables."""
    among, name = Among.GRID if combine in OF_BLOCK else Among.TEAMS, "__rex_partials"
    code = (Reduce(tuple(one.operand for one in joined), among, name),)
    size = " + ".join(f"rex_partial_bytes(_num_blocks_, {one.size})" for one in joined)
    flags = (*IMPLICIT_LITERAL, MapFlag.PARTIALS)
    row = MapRow(number("0"), None, Size(size), flags, "partial results", reason="teams reduce")
    return Argument(row, Parameter("rex_partials *", name, (), code))


def is_plain_row(row: MapRow) -> bool:
    """Whether a row brings a variable to the device and back, and nothing else."""
    flags = set(row.flags)
    return flags <= _TOFROM | {MapFlag.PARAM, MapFlag.IMPLICIT} and flags >= _TOFROM and not row.mapper


def reduced_row(argument: Argument, joined: Sequence[Joined]) -> Argument:
    """Return an argument whose row tells that its variable is reduced, where that is all the kernel does with it."""
    row, parameter = argument.row, argument.parameter
    if parameter is None or not is_plain_row(row) or parameter.name not in {one.name for one in joined if one.name}:
        return argument
    return replace(argument, row=replace(row, flags=(*row.flags, MapFlag.REDUCED)))
