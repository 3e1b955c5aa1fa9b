"""Which declared mapper a list item has (OpenMP 5.2, 5.8.2 and 5.8.8).

In: a list item of ``map``, ``to`` or ``from`` with its clause, or the type of a variable that is mapped implicitly, and
its place. Out: the :class:`DeclaredMapper` that is visible there for its type: the one that the clause names, else the
default one. Only what is declared before the place counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.declared_scopes import nearest, qualified
from rexcc.clang import types
from rexcc.clang.library import template_of
from rexcc.clang.tree import Node
from rexcc.frontend.declared_mappers import DeclaredMapper
from rexcc.frontend.probe import Probe
from rexcc.openmp.declared import DEFAULT_MAPPER
from rexcc.openmp.model import ListItem, MapClause, Modifier, MotionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.text import Span


def mapper_modifier(clause: MapClause | MotionClause) -> Modifier | None:
    """Return the ``mapper`` modifier of a clause."""
    return next((m for m in clause.modifiers if m.name == "mapper" and m.argument is not None), None)


def mapper_name(clause: MapClause | MotionClause) -> str:
    """Return the identifier of the mapper that a clause asks for."""
    modifier = mapper_modifier(clause)
    return "".join(modifier.argument.text.split()) if modifier is not None and modifier.argument else DEFAULT_MAPPER


def mapper_construct(mapper: DeclaredMapper, index: int = 0) -> Construct:
    """Return the directive as a construct, so that its clauses are read like those of any other."""
    node = mapper.nodes[index]
    probe = Probe(mapper.site, mapper.directive, mapper.probe.offset, mapper.probe.places)
    return Construct(mapper.directive, probe, mapper.file, node, None, node, mapper.expressions[index])


def mapped_clauses(construct: Construct) -> Iterator[MapClause | MotionClause]:
    """Yield the clauses of a construct whose items may have mappers."""
    for clause in construct.directive.clauses:
        if isinstance(clause, MapClause | MotionClause):
            yield clause


def mapped_type(item: ListItem, base: Node) -> Type | None:
    """Return the class that a list item consists of, one object of it or many; None for anything else."""
    kind = types.canonical(base.type)
    for _ in item.sections:
        if not (types.is_pointer(kind) or types.is_array(kind)):
            return None
        kind = _below(kind)
    return record_of(kind)


def record_of(kind: Type) -> Type | None:
    """Return the class of an object or of the elements of an array; None for anything else."""
    found = types.canonical(kind)
    while types.is_array(found):
        found = _below(found)
    return found if types.is_record(found) or _class_of(found) is not None else None


def _below(kind: Type) -> Type:
    below = types.element_of(kind) if types.is_array(kind) else types.pointee_of(kind)
    return types.canonical(below if below is not None else kind)


def find_mapper(unit: ParsedUnit, identifier: str, kind: Type, place: Span) -> DeclaredMapper | None:
    """Return the mapper that an identifier means for a class at a place, None where none is visible."""
    scope, _, name = identifier.rpartition("::")
    named = [
        m
        for m in unit.mappers
        if m.parts.identifier == name and any(is_same_class(k, kind) for k in m.kinds) and _is_before(unit, m, place)
    ]
    if not named:
        return None
    return qualified(unit, named, scope, place) if "::" in identifier else nearest(unit, named, kind, place)


def mapper_of_item(
    unit: ParsedUnit, clause: MapClause | MotionClause, item: ListItem, base: Node
) -> DeclaredMapper | None:
    """Return the mapper of a list item, None for one that is mapped as it is: in a mapper, its own variable is."""
    if mapper_modifier(clause) is None and _is_own_variable(unit, item, base):
        return None
    kind = mapped_type(item, base) if unit.mappers else None
    return find_mapper(unit, mapper_name(clause), kind, item.whole.span) if kind is not None else None


def _is_own_variable(unit: ParsedUnit, item: ListItem, base: Node) -> bool:
    """Whether an item is the variable of the mapper that it stands in."""
    node = base.bare()
    if item.sections or node.kind != "DECL_REF_EXPR" or node.referenced is None:
        return False
    return any(v.cursor == node.referenced for m in unit.mappers for v in m.variables)


def is_same_class(first: Type, second: Type) -> bool:
    """Whether two types are the same class; in a class template its own member classes are those of all instances."""
    one, other = _class_of(first), _class_of(second)
    return one is not None and other is not None and (one == other or _pattern(one) == _pattern(other))


def _class_of(kind: Type) -> Cursor | None:
    declaration = types.canonical(kind).get_declaration()
    if declaration is None or declaration.kind.is_invalid() or not declaration.kind.is_declaration():
        return None
    return declaration.canonical


def _pattern(record: Cursor) -> Cursor:
    """Return the class in a template that a class was made from; a template's own instances stay apart."""
    made_from = template_of(record)
    is_template = made_from is None or made_from.kind.name == "CLASS_TEMPLATE"
    return record if is_template or made_from is None else made_from.canonical


def _is_before(unit: ParsedUnit, mapper: DeclaredMapper, place: Span) -> bool:
    """Whether a mapper is declared before a place."""
    if mapper.file.scan.source is place.source:
        return mapper.site.end <= place.start
    return order_in_unit(unit, mapper.span) <= order_in_unit(unit, place)


def order_in_unit(unit: ParsedUnit, place: Span) -> int:
    """Return the number of the last of the unit's declarations that starts before a place in its file."""
    path = place.source.path
    starts = (
        index
        for index, node in enumerate(unit.declarations)
        if node.file == path and unit.files[path].original(node.start) <= place.start
    )
    return max(starts, default=-1)
