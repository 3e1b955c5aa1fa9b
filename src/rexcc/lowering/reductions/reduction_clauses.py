"""Reductions: a private copy per thread, joined into the original on the device (OpenMP 5.2, 5.5).

In: a reduction variable, its operator, and how its threads combine. Out: :class:`ReductionCopy`, the code that opens
and closes its private copy. ``reduction_copy`` serves a whole variable; ``inner_reductions`` all reduction clauses of a
construct inside a kernel at once, array sections too. The result is complete once the construct's barrier is passed, or
the kernel has ended; the host adds nothing (REX sums block results on the host).
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Bind, Code, Declare, Do
from rexcc.kernel.reductions import Among, Operand, Reduce
from rexcc.lowering.model.host_values import address_text
from rexcc.lowering.reductions.array_reductions import (
    Amount,
    Quote,
    array_code,
    filled,
    first_element,
    is_row,
    runtime_elements,
    section_code,
    section_range,
)
from rexcc.lowering.reductions.reduction_operators import (
    OPERATORS,
    Operation,
    has_operator,
    is_arithmetic,
    is_combined,
    predeclared,
)
from rexcc.lowering.reductions.user_reductions import declared_operation
from rexcc.lowering.text.extents import element_of
from rexcc.lowering.text.runtime_arrays import check_alignment, named_array
from rexcc.lowering.text.team import Combine
from rexcc.lowering.text.variables import pointer
from rexcc.lowering.text.variables import variable as declare
from rexcc.openmp.model import Expression, ListItem, ReductionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.own_names import own_name, related
from rexcc.source.records import dataclass, replace
from rexcc.source.text import Span

_AMONG = {
    Combine.ALONE: Among.ALONE,
    Combine.EACH: Among.TEAM,
    Combine.FOR_ALL: Among.FOR_ALL,
    Combine.KEPT: Among.ALONE,
}

BY_POINTER = "reduce a section of a pointer to its first element"
WITHOUT_ORIGINAL = "let its initializer give a value that does not depend on the original's"
_OF_NUMBERS = "reduce numbers, or a structure by a declared reduction"
"""Ways out of reductions that cannot be lowered."""


@dataclass(frozen=True)
class ReductionCopy:
    """The code that declares private copies with their identity, and what joins them into the originals.

    ``opening`` stands in a block of its own, where the names still mean the originals; the ``operands`` are joined at
    its end, where all threads that combine arrive, and ``closing`` follows. ``meets``: a barrier of the team belongs
    between the two, because the opening code reads originals that another thread's closing code writes.
    """

    opening: Code = ()
    closing: Code = ()
    meets: bool = False
    operands: tuple[Operand, ...] = ()

    def __add__(self, other: ReductionCopy) -> ReductionCopy:
        meets, operands = self.meets or other.meets, self.operands + other.operands
        return ReductionCopy(self.opening + other.opening, self.closing + other.closing, meets, operands)

    def closed(self, combine: Combine, size: str) -> ReductionCopy:
        """Return the copy with closing code for all that is joined; ``size`` is the team's."""
        if not self.operands:
            return self
        among = _AMONG.get(combine, Among.BLOCK)
        joined = Reduce(self.operands, among, size if among is Among.TEAM else "")
        return replace(self, closing=(joined, *self.closing), operands=())


def reduction_copy(
    unit: ParsedUnit,
    kind: Type,
    name: str,
    operator: str,
    target: str,
    place: Span,
    source: str = "",
) -> ReductionCopy:
    """Return the private copy ``name`` of a variable of a type, to be joined into ``*target``.

    ``place`` is the list item, for messages and for the scope in which a declared reduction is looked up. ``*source``
    is what an initializer reads as ``omp_orig``, ``*target`` where it is empty. Raises CompileError for types that an
    operator does not reduce.
    """
    kind = types.without_reference(kind)
    if types.is_variable_length(kind):
        raise unsupported(f"a reduction of '{name}', an array of run-time size,", place, BY_POINTER)
    if types.is_array(kind):
        operation = reduction_operation(unit, types.shape_of(kind).element, name, operator, place)
        opening, operand = array_code(name, kind, operation, target, source)
        return ReductionCopy(opening, (), operation.reads_original, (operand,))
    operation = reduction_operation(unit, kind, name, operator, place)
    initial = operation.initial(f"*{source or target}")
    own = declare(kind, name, "{}" if initial is None else initial)
    return ReductionCopy((own,), (), operation.reads_original, (Operand(target, name, operation.operator),))


def inner_reductions(
    unit: ParsedUnit,
    construct: Construct,
    clauses: tuple[ReductionClause, ...],
    combine: Combine,
    size: str,
    quote: Quote | None,
) -> ReductionCopy:
    """Return the private copies of all list items of a construct's reduction clauses, the originals found by name.

    The opening code keeps each original's address as ``__rex_<name>`` before the copy takes its name; so both parts go
    into one new block around the construct's statement. ``size`` is the team's, and ``quote`` gives the device text of
    the clauses' expressions.
    """
    found = ReductionCopy()
    for clause in clauses:
        for listed in construct.items_of(clause):
            item, node = listed.item, reduced_variable(listed)
            name = item.base.text.strip().rpartition("::")[2].strip()
            kind = types.without_reference(node.type)
            if item.sections:
                decays = listed.variable is not None and listed.variable.decays
                found += _inner_section(unit, construct, clause, item, kind, name, decays, quote or written)
                continue
            if types.is_variable_length(kind) and _is_in_part(construct, listed):
                what = f"this reduction of all of {name!r}, of which a construct around reduces a section,"
                raise unsupported(what, item.whole.span, "reduce that section here, too")
            if types.is_variable_length(kind) and node.referenced is not None and not _is_parameter(node.referenced):
                found += _inner_array(unit, item, kind, name, clause.operator)
                continue
            text = item.base.text.strip()
            original = quote(item.base) if quote is not None and "::" in text else text
            kept = pointer(kind, own_name(name), address_text(original, kind))
            copy = reduction_copy(unit, kind, name, clause.operator, own_name(name), item.whole.span)
            found += ReductionCopy((kept,)) + copy
    return found.closed(combine, size)


def _is_in_part(construct: Construct, listed: ResolvedItem) -> bool:
    """Whether a construct around reduces a section of an array: inside, its name is that of the section's copy."""
    for around in construct.around():
        clauses = around.directive.of_type(ReductionClause)
        items = (item for clause in clauses for item in around.items_of(clause) if item.item.sections)
        if any(item.variable == listed.variable for item in items):
            return True
    return False


def reduction_operation(unit: ParsedUnit, kind: Type, name: str, operator: str, place: Span) -> Operation:
    """Return what an operator does to values of a type; raises CompileError where it has no meaning for them."""
    if not is_combined(kind):
        raise unsupported(f"a reduction of '{name}' with type '{spelling.spell(kind)}'", place, _OF_NUMBERS)
    if operator not in OPERATORS or not is_arithmetic(kind, unit.is_cplusplus):
        return declared_operation(unit, operator, kind, name, place)
    if not has_operator(operator, kind):
        message = f"'{operator}' reduces integers, but '{name}' has type '{spelling.spell(kind)}'"
        raise error("omp-reduction-type", message, place)
    return predeclared(operator, kind)


def reduced_variable(listed: ResolvedItem) -> Node:
    """Return the reference to the variable that a list item names; raises CompileError for other items."""
    found, item = listed.named, listed.item
    if found is not None and found.kind == "DECL_REF_EXPR":
        return found
    text = item.whole.text.strip()
    if found is not None and found.kind == "MEMBER_REF_EXPR" and listed.own_member is None:
        message = f"'{text}' is a part of a variable; 'reduction' is for variables, array elements and sections"
        raise error("omp-list-item-type", message, item.whole.span)
    raise unsupported(f"the reduction of '{text}'", item.whole.span, "reduce a local variable, and assign it behind")


def unsupported(what: str, place: Span, hint: str) -> CompileError:
    """Return the error for a reduction that no rule forbids, with a way out."""
    return error("unsupported-reduction", f"{what} cannot be lowered yet; {hint}", place)


def written(expression: Expression) -> str:
    """Return a clause's expression as the user wrote it."""
    return expression.text.strip()


def _inner_section(
    unit: ParsedUnit,
    construct: Construct,
    clause: ReductionClause,
    item: ListItem,
    kind: Type,
    name: str,
    decays: bool,
    quote: Quote,
) -> ReductionCopy:
    """Return the copy of a section; elements of which only the run knows the number come from the device's heap. An
    item that ``decays``, or whose extent only the run knows, is a pointer, or the copy of the section that a construct
    around has made."""
    element = types.shape_of(kind).element
    operation = reduction_operation(unit, element, name, clause.operator, item.whole.span)
    bounds: dict[str, str] = {}
    found = section_range(construct, item, kind, lambda e: _bound(construct, e, name, quote, bounds))
    original, text = own_name(name), item.base.text.strip()
    if is_row(kind):
        kept = Declare(f"{spelling.spell_bare(element)} *const {original}", original, text)
    elif decays or types.is_variable_length(kind):
        kept = Declare(
            f"{spelling.spell_bare(element)} *{original}", original, f"({spelling.spell_bare(element)} *){text}"
        )
    else:
        kept = declare(kind, original, text) if types.is_pointer(kind) else pointer(kind, original, f"&{text}")
    storage = (
        ""
        if found.constant is not None
        else f"rex_private_elements<{spelling.spell_bare(element)}>({found.count.text})"
    )
    opening, operand = section_code(name, kind, found, operation, first_element(kind, original, decays=decays), storage)
    freed = (Do(f"free({related('own', name)});"),) if storage else ()
    values = (Declare(f"const long long {local}", local, value) for value, local in bounds.items())
    return ReductionCopy((*values, kept, *opening), freed, operation.reads_original, (operand,))


def _is_parameter(variable: Cursor) -> bool:
    return str(variable.kind.name) == "PARM_DECL"


def _inner_array(unit: ParsedUnit, item: ListItem, kind: Type, name: str, operator: str) -> ReductionCopy:
    """Return the copy of a whole array whose extents only the run knows."""
    element, dimensions = element_of(kind)
    check_alignment(element, name, item.whole.span)
    operation = reduction_operation(unit, types.shape_of(kind).element, name, operator, item.whole.span)
    if types.is_array(element):
        raise unsupported(f"this reduction of '{name}', an array of run-time size,", item.whole.span, BY_POINTER)
    if operation.reads_original:
        what = f"an array of run-time size reduced with '{operator}', whose initializer reads omp_orig,"
        raise unsupported(what, item.whole.span, WITHOUT_ORIGINAL)
    spelled, own = spelling.spell(element), related("array", name)
    arguments = f"{spelled}, {dimensions}" if dimensions > 1 else spelled
    operand = runtime_elements(name, spelled, operation, f"{own_name(name)}.data")
    opening = (
        Bind(f"const rex_array<{arguments}> &{own_name(name)}", own_name(name), own),
        Declare(f"rex_thread_array<{arguments}> {own}", own, arguments=(own_name(name),)),
        *filled(operand, spelled, operation, False),
        named_array(name, element, dimensions),
    )
    return ReductionCopy(opening, operands=(operand,))


def _bound(construct: Construct, expression: Expression, name: str, quote: Quote, bounds: dict[str, str]) -> Amount:
    """Return a constant bound as a number, any other as a variable that has its value at the construct's start."""
    value = construct.value_of(expression)
    if value is not None:
        return Amount.of(value)
    local = bounds.setdefault(quote(expression), related("section", f"{len(bounds)}_{name}"))
    return Amount(local, is_operand=True)
