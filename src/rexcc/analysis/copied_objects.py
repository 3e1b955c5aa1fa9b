"""Functions that make, assign and end the copies of objects which clauses ask for (OpenMP 5.2, 5.3 and 5.4).

In: constructs of device code. Out: those that another unit defines, each with its construct, and those that this one
defines: no expression names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.declared_scopes import find_declared
from rexcc.analysis.implied_functions import (
    functions_of_assignment,
    functions_of_copy,
    functions_of_end,
    functions_of_object,
)
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.analysis.used_reductions import reduced_types
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.openmp.model import ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit

_SPECIAL = ("CONSTRUCTOR", "DESTRUCTOR")


def copying_functions(unit: ParsedUnit, constructs: Iterable[Construct]) -> Iterator[tuple[Cursor, Node]]:
    """Yield the functions elsewhere that the copies of constructs' list items need."""
    return (each for each in _copying(unit, constructs) if lacks_definition(each[0]))


def copying_definitions(unit: ParsedUnit, constructs: Iterable[Construct]) -> tuple[Cursor, ...]:
    """Return the functions of the program's own that the copies of constructs' list items call and this unit defines:
    what they call is code of the device, too."""
    called = (f for f, _ in _copying(unit, constructs) if kind_of(f) in _SPECIAL or f.spelling == "operator=")
    found = (function.get_definition() for function in called)
    own = (f for f in found if f is not None and not f.is_default_method() and not library.in_system_header(f))
    return tuple({int(function.hash): function for function in own}.values())


def _copying(unit: ParsedUnit, constructs: Iterable[Construct]) -> Iterator[tuple[Cursor, Node]]:
    for construct in constructs:
        yield from ((function, construct.node) for function in _functions(unit, construct))


def _functions(unit: ParsedUnit, construct: Construct) -> Iterator[Cursor]:
    """Yield what a construct's clauses need: copies that begin anew, those that begin with the value of the original,
    those that become its value, and those that an initializer begins or, where it names no constructor, nobody."""
    for record in _classes(construct, "private", "lastprivate"):
        yield from _functions_of_new(record)
    for record in _classes(construct, "firstprivate"):
        yield from functions_of_copy(record)
    for record in _classes(construct, "lastprivate"):
        yield from functions_of_assignment(record)
    for clause in construct.directive.of_type(ReductionClause):
        yield from _functions_of_reduction(unit, construct, clause)


def _functions_of_reduction(unit: ParsedUnit, construct: Construct, clause: ReductionClause) -> Iterator[Cursor]:
    """Yield the same of a reduction. Copies of elements begin without arguments, and are given their first values."""
    items = (listed for listed in construct.items_of(clause) if listed.named is not None)
    for listed, (kind, place) in zip(items, reduced_types(construct, clause), strict=True):
        if listed.named is None or not types.is_record(kind):
            continue
        declared = find_declared(unit, clause.operator, kind, place)
        is_made = declared is not None and declared.parts.declares_private
        is_element = bool(listed.item.sections) or types.is_array(types.without_reference(listed.named.type))
        yield from (functions_of_end if is_made and not is_element else _functions_of_new)(_class_of(kind))
        yield from functions_of_assignment(_class_of(kind)) if is_element else ()


def _classes(construct: Construct, *clauses: str) -> Iterator[Cursor]:
    """Yield the classes of clauses' list items, or of the elements of arrays."""
    for listed in construct.items(*clauses):
        kind = types.without_reference(listed.named.type) if listed.named is not None else None
        kind = types.shape_of(kind).element if kind is not None and types.is_array(kind) else kind
        if kind is not None and types.is_record(kind):
            yield _class_of(kind)


def _class_of(kind: Type) -> Cursor:
    return types.canonical(kind).get_declaration()


def _functions_of_new(record: Cursor) -> Iterator[Cursor]:
    yield from (member for member in record.get_children() if member.is_default_constructor())
    yield from functions_of_object(record)
