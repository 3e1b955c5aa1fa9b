"""Reductions of a kernel's own constructs: what a kernel parameter needs at the kernel's start and end.

In: a reduction variable of a region. Out: :class:`KernelCopy`: code, and further arguments where the bounds of a
section, its private elements or the values that initializers read must travel to the kernel.
"""

from __future__ import annotations

import re
from functools import partial

from clang.cindex import Type

from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.kernel.ir import Code, Declare
from rexcc.kernel.reductions import Among, Operand, Reduce
from rexcc.lowering.model.launch import Argument
from rexcc.lowering.reductions.array_reductions import Amount, first_element, section_code, section_range
from rexcc.lowering.reductions.first_values import first_elements, first_value, may_be_on_device
from rexcc.lowering.reductions.partials import Joined, is_moved_as_bytes
from rexcc.lowering.reductions.reduction_clauses import (
    WITHOUT_ORIGINAL,
    reduced_variable,
    reduction_copy,
    reduction_operation,
    unsupported,
)
from rexcc.lowering.reductions.reduction_operators import OF_BLOCK, OPERATORS, Operation
from rexcc.lowering.reductions.section_bounds import Bounds, section_elements, section_size
from rexcc.lowering.reductions.shared_elements import element_count, room
from rexcc.lowering.reductions.team_copies import array_together, section_together
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.team import Combine
from rexcc.lowering.text.variables import reference
from rexcc.openmp.model import ReductionClause
from rexcc.program.constructs import ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.own_names import own_name
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_ELEMENTS_BY_BLOCK = frozenset({Combine.GRID, Combine.LEAGUE})
"""Where elements are joined by each block, values by all of them."""

_FEW_BYTES = 256
"""Arrays of so many bytes are joined by the last block: one that is not mapped needs no mapping then, which costs more
than the join (docs/decisions/029-team-reductions.md)."""
_FEW_BYTES_TOGETHER = 128
"""The same of arrays whose elements threads change together: blocks join those quickly, and the last block does not."""


@dataclass(frozen=True)
class KernelCopy:
    """A kernel's private copy of a variable: arguments that must stand before the variable's own, and code.

    ``is_for_team`` tells that the opening code has made the copy the team's already; ``joined`` is what all teams
    join at once.
    """

    arguments: tuple[Argument, ...]
    opening: Code
    closing: Code
    is_for_team: bool = False
    joined: tuple[Joined, ...] = ()


def region_reduction(
    region: TargetRegion,
    variable: UsedVariable,
    operator: str,
    combine: Combine,
    is_shared: bool,
    copies: int = 0,
) -> KernelCopy:
    """Return a kernel's own reduction of a variable; its parameter is ``__rex_<name>``.

    That is the pointer itself for a section of a pointer, else a pointer to the variable. ``is_shared``: the team has
    one copy in shared memory; ``copies``: its threads change elements of so many copies together (``team_elements``).
    Raises CompileError for types that cannot be combined.
    """
    found = reduction_item(region, variable)
    if found is not None and found.item.sections:
        return _section(region, variable, found, combine, is_shared, copies)
    return _whole(region, variable, operator, combine, copies)


def reduction_item(region: TargetRegion, variable: Variable) -> ResolvedItem | None:
    """Return the list item with which a region's own clauses reduce a variable, the innermost of several."""
    found = [item for item in region.items("reduction") if item.variable == variable]
    return found[-1] if found else None


def _whole(
    region: TargetRegion, variable: UsedVariable, operator: str, combine: Combine, copies: int = 0
) -> KernelCopy:
    place = _operator_place(region, operator) if operator not in OPERATORS else _item_place(region, variable)
    found = reduction_item(region, variable)
    kind = reduced_variable(found).type if found is not None else variable.cursor.type
    kind = types.without_reference(kind)
    arguments, source = _first_values(region, variable, kind, operator, place)
    target = own_name(variable.name)
    copy = reduction_copy(region.unit, kind, variable.name, operator, target, place, source)
    host = host_name(variable)
    size = f"sizeof {host}"
    alone = target if is_moved_as_bytes(kind) else ""
    opening = copy.opening
    (operand,) = copy.operands
    declared, own = (
        room(region, variable, kind, element_count(kind)) if combine in OF_BLOCK and not copies else ((), "")
    )
    if copies:
        opening, operand = array_together(region, kind, variable.name, operator, copies, operand)
    elif own and isinstance(opening[0], Declare) and opening[0].value is None:
        bound_to = f"*({spelling.declare_pointer_to(kind, '')})({own})"
        opening = (*declared, reference(kind, variable.name, bound_to), *opening[1:])
    most = _FEW_BYTES_TOGETHER if copies else _FEW_BYTES
    few = combine is Combine.GRID and bool(alone) and 0 < types.canonical(kind).get_size() <= most
    return kernel_copy(arguments, (opening, operand), combine, size, alone, few=few, host=host_name(variable))


def kernel_copy(
    arguments: tuple[Argument, ...],
    code: tuple[Code, Operand],
    combine: Combine,
    size: str,
    name: str = "",
    is_for_team: bool = False,
    few: bool = False,
    host: str = "",
) -> KernelCopy:
    """Return the copy with what each block or thread joins by itself, or what all teams join at once.

    ``size`` is that of all values on the host, ``name`` the parameter of which a value is all that is used. ``few``:
    all elements are joined as values are. ``host`` is what the host calls the variable, where all of it is reduced.
    """
    opening, operand = code
    if combine in (Combine.BLOCK, Combine.EACH) or (operand.count and not few and combine in _ELEMENTS_BY_BLOCK):
        among = Among.BLOCK if combine in OF_BLOCK else Among.EACH
        return KernelCopy(arguments, opening, (Reduce((operand,), among),), is_for_team)
    of_teams = Joined(operand, size, "" if operand.count and not few else name, host)
    return KernelCopy(arguments, opening, (), is_for_team, (of_teams,))


def _section(
    region: TargetRegion,
    variable: UsedVariable,
    found: ResolvedItem,
    combine: Combine,
    is_shared: bool,
    copies: int,
) -> KernelCopy:
    construct, clause, item = found.construct, found.clause, found.item
    assert isinstance(clause, ReductionClause)
    name, place = variable.name, item.whole.span
    kind = types.without_reference(reduced_variable(found).type)
    operation = reduction_operation(region.unit, types.shape_of(kind).element, name, clause.operator, place)
    size = section_size(construct, item, kind, host_name(variable))
    firsts, source = _first_elements(region, variable, found, kind, operation)
    bounds = Bounds(name, construct, region.unit.target.words)
    if copies:
        code = section_together(region, bounds, found, host_name(variable), operation, copies)
    else:
        elements, storage = section_elements(bounds, item, kind, host_name(variable), is_shared)
        declared: Code = ()
        if combine in OF_BLOCK and not storage and not is_shared:
            declared, storage = room(region, variable, kind, elements.constant)
        base = first_element(kind, own_name(name), decays=variable.decays)
        opening, operand = section_code(name, kind, elements, operation, base, storage, is_shared, source=source)
        code = ((*declared, *opening), operand)
    return kernel_copy((*bounds.arguments, *firsts), code, combine, size, is_for_team=is_shared)


def _first_elements(
    region: TargetRegion, variable: UsedVariable, found: ResolvedItem, kind: Type, operation: Operation
) -> tuple[tuple[Argument, ...], str]:
    """Return the argument with the first values of a section for an initializer that reads them, and the kernel's
    pointer to it."""
    if not operation.reads_original:
        return (), ""
    construct, item = found.construct, found.item
    if not types.is_array(kind) or variable.decays or may_be_on_device(region, variable):
        assert isinstance(found.clause, ReductionClause)
        what = (
            f"the initializer of '{found.clause.operator}' reads omp_orig, and '{item.whole.text.strip()}' may be on "
        )
        what += "the device before the region, where threads that start late no longer find its first values; such a "
        raise unsupported(f"{what}reduction", item.whole.span, WITHOUT_ORIGINAL)
    host = host_name(variable)
    offset = section_range(construct, item, kind, partial(Amount.written, construct)).offset.text
    argument, source = first_elements(variable.name, kind, host, offset, section_size(construct, item, kind, host))
    return (argument,), source


def element_operation(unit: ParsedUnit, element: Type, found: ResolvedItem) -> Operation:
    """Return the operation on the elements of an array whose extents only the run knows."""
    clause, item = found.clause, found.item
    assert isinstance(clause, ReductionClause)
    place = item.whole.span
    operation = reduction_operation(unit, element, item.base.text.strip(), clause.operator, place)
    if operation.reads_original:
        what = f"an array reduced with '{clause.operator}', whose initializer reads omp_orig,"
        raise unsupported(what, place, WITHOUT_ORIGINAL)
    return operation


def _first_values(
    region: TargetRegion, variable: UsedVariable, kind: Type, operator: str, place: Span
) -> tuple[tuple[Argument, ...], str]:
    """Return the argument with the original's value for an initializer that reads it, and the kernel's pointer to it.

    The original itself may have changed when a late team starts.
    """
    element = types.shape_of(kind).element if types.is_array(kind) else kind
    operation = reduction_operation(region.unit, element, variable.name, operator, place)
    if not operation.reads_original:
        return (), ""
    if may_be_on_device(region, variable):
        raise unsupported(
            f"the initializer of '{operator}' reads omp_orig, and '{variable.name}' may be on the device before the "
            "region; such a reduction",
            place,
            WITHOUT_ORIGINAL,
        )
    argument, source = first_value(variable, kind)
    return (argument,), source


def _operator_place(region: TargetRegion, operator: str) -> Span:
    """Return where a reduction's operator stands, the clause where a macro hides it."""
    clauses = [p.clause for p in region.clauses("reduction")]
    clause = next((c for c in clauses if isinstance(c, ReductionClause) and c.operator == operator), None)
    if clause is None:
        return region.construct.span
    found = re.search(rf"(?<![\w:]){re.escape(operator)}\s*:(?!:)", clause.span.text)
    if found is None:
        return clause.span
    start = clause.span.start + found.start()
    return Span(clause.span.source, start, start + len(operator))


def _item_place(region: TargetRegion, variable: Variable) -> Span:
    """Return where a reduction's list names a variable."""
    found = reduction_item(region, variable)
    return found.item.whole.span if found is not None else region.construct.span
