"""Rules about declared mappers and their use (OpenMP 5.2, 5.8.2 and 5.8.8).

In: a parsed unit. Out: errors for mappers of what is no class, for two of one name and class in a scope, for those that
would map objects of their own class again, and for names that are not theirs; for uses of mappers that are not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.composed_mappers import ComposedMapper, Mapper, any_mapper_of_item
from rexcc.analysis.declared_scopes import same_scope
from rexcc.analysis.mappers import (
    find_mapper,
    is_same_class,
    mapped_clauses,
    mapped_type,
    mapper_construct,
    mapper_modifier,
    mapper_name,
)
from rexcc.analysis.rules.facts import is_known, shown
from rexcc.analysis.rules.items import check_bit_fields
from rexcc.analysis.rules.iterators import check_iterators
from rexcc.analysis.rules.sections import check_bounds, check_gaps, check_section_values
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node
from rexcc.frontend.declared_mappers import DeclaredMapper
from rexcc.openmp.declared import DEFAULT_MAPPER
from rexcc.openmp.model import ListItem
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note

_LOCAL_KINDS = ("VAR_DECL", "PARM_DECL")
_OF_ITEMS: tuple[Callable[[ParsedUnit, Construct, DiagnosticSink], None], ...] = (
    check_bit_fields,
    check_iterators,
    check_section_values,
    check_bounds,
    check_gaps,
)
"""The rules for list items of ``map`` that those of a mapper obey too."""


def check_declared_mappers(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """A mapper is for one class, once in a scope, and maps its variable and what can be seen from there."""
    for position, mapper in enumerate(unit.mappers):
        if not _check_type(mapper, sink):
            continue
        _check_repeated(unit.mappers[:position], mapper, sink)
        _check_items(mapper, sink)
        if not unit.is_cplusplus:
            _check_block(mapper, sink)
        _check_recursion(unit, mapper, sink)
        construct = mapper_construct(mapper)
        check_used_mappers(unit, construct, sink)
        for check in _OF_ITEMS:
            check(unit, construct, sink)


def _check_type(mapper: DeclaredMapper, sink: DiagnosticSink) -> bool:
    kind = mapper.kinds[0]
    if not mapper.is_dependent and not (types.is_record(kind) and kind.get_size() >= 0):
        message = f"'{spelling.spell(kind)}' is no complete struct, union or class; only these have mappers"
        sink.error("omp-mapper-type", message, mapper.parts.kind.span)
        return False
    return True


def _check_repeated(before: tuple[DeclaredMapper, ...], mapper: DeclaredMapper, sink: DiagnosticSink) -> None:
    first = next((m for m in before if _are_alike(m, mapper)), None)
    if first is not None:
        name = mapper.parts.identifier
        which = "default mapper" if name == DEFAULT_MAPPER else f"mapper '{name}'"
        message = f"a second {which} of '{spelling.spell(mapper.kinds[0])}' in the same scope"
        sink.error("omp-mapper-repeated", message, mapper.span, Note("the first one is here", first.span))


def _are_alike(first: DeclaredMapper, second: DeclaredMapper) -> bool:
    same_name = first.parts.identifier == second.parts.identifier
    same_place = first.block == second.block and same_scope(first.scope, second.scope)
    return same_name and same_place and is_same_class(first.kinds[0], second.kinds[0])


def _check_items(mapper: DeclaredMapper, sink: DiagnosticSink) -> None:
    """Some item is of the variable, and none is of a variable that a function in that place could not use."""
    variable = mapper.variables[0].cursor
    for expression, node in mapper.expressions[0].items():
        for used in (n for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.referenced is not None):
            if _is_local(mapper, used.referenced):
                message = (
                    f"'{used.spelling}' is a local variable, which the function that the mapper becomes cannot use"
                )
                sink.error("omp-mapper-local", message, expression.span)
    own = [i for i, node in _items(mapper_construct(mapper)) if any(_names(n, variable) for n in node.walk())]
    if not own and not mapper.is_dependent:
        message = f"the mapper maps nothing of '{mapper.parts.variable.text.strip()}'"
        sink.error("omp-mapper-item", message, mapper.span)


def _names(node: Node, variable: Cursor) -> bool:
    return node.referenced is not None and bool(node.referenced == variable)


def _items(construct: Construct) -> Iterator[tuple[ListItem, Node]]:
    for found in construct.items_of(*mapped_clauses(construct)):
        if found.node is not None:
            yield found.item, found.node


def _is_local(mapper: DeclaredMapper, cursor: Cursor) -> bool:
    """Whether a variable is one of the function around the mapper, and no constant."""
    if cursor.kind.name not in _LOCAL_KINDS or library.has_global_storage(cursor):
        return False
    probe = mapper.nodes[0]
    inside = probe.start <= cursor.location.offset < probe.end
    return not inside and not (types.is_constant(cursor.type) and types.is_scalar(cursor.type))


def _check_block(mapper: DeclaredMapper, sink: DiagnosticSink) -> None:
    """In C the function that a mapper becomes stands outside of the block, where nothing of the block is known."""
    probe = mapper.nodes[0]
    function = next((n for n in probe.ancestors() if n.kind == "FUNCTION_DECL"), None)
    for node in probe.walk() if function is not None else ():
        used = node.referenced
        if used is None or node.kind not in ("TYPE_REF", "DECL_REF_EXPR") or _is_local(mapper, used):
            continue
        offset = used.location.offset
        if function is not None and function.start < offset < function.end and not probe.start <= offset < probe.end:
            message = f"'{used.spelling}' is declared in the function, and the mapper becomes a function before it; "
            sink.error("omp-mapper-local", f"{message}declare it and the mapper at file scope", mapper.span)
            return


def _check_recursion(unit: ParsedUnit, mapper: DeclaredMapper, sink: DiagnosticSink) -> None:
    """An object of the class is mapped by it only as its variable, also by the mappers that it uses (5.8.8)."""
    construct = mapper_construct(mapper)
    variable = mapper.variables[0].cursor
    for item, node in _items(construct):
        kind = mapped_type(item, node)
        is_variable = _names(node.bare(), variable) and not item.sections
        if kind is None or is_variable:
            continue
        if is_same_class(kind, mapper.kinds[0]) or _leads_to(unit, construct, item, node, mapper.kinds[0]):
            name = spelling.spell(mapper.kinds[0])
            message = f"{shown(item)} maps another '{name}' in a mapper of '{name}'; mappers cannot recur"
            sink.error("omp-mapper-recursive", message, item.whole.span)


def _leads_to(unit: ParsedUnit, construct: Construct, item: ListItem, node: Node, wanted: Type) -> bool:
    """Whether the mapper of an item maps an object of a class, by itself or by other mappers."""
    clause = next(c for c in mapped_clauses(construct) if item in c.items)
    found = any_mapper_of_item(unit, clause, item, node)
    return found is not None and _maps(unit, found, wanted)


def _maps(unit: ParsedUnit, found: Mapper, wanted: Type) -> bool:
    """Whether a mapper maps an object of a class behind its own variable."""
    if isinstance(found, ComposedMapper):
        parts = ((p.kind, p.mapper) for p in found.parts if p.mapper is not None)
        return any(is_same_class(kind, wanted) or _maps(unit, mapper, wanted) for kind, mapper in parts)
    inner = mapper_construct(found)
    for part, base in _items(inner):
        kind = mapped_type(part, base)
        is_variable = _names(base.bare(), found.variables[0].cursor) and not part.sections
        if kind is None or is_variable:
            continue
        if is_same_class(kind, wanted) or _leads_to(unit, inner, part, base, wanted):
            return True
    return False


def check_used_mappers(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A mapper that a clause names is visible there and is for the class of each of its items (5.8.2)."""
    for clause in mapped_clauses(construct):
        modifier, name = mapper_modifier(clause), mapper_name(clause)
        if modifier is None or name == DEFAULT_MAPPER:
            continue
        for item, node in ((found.item, found.node) for found in construct.items_of(clause)):
            if node is None or not is_known(node.type):
                continue
            kind = mapped_type(item, node)
            if kind is None:
                message = f"{shown(item)} is no object of a class; the mapper '{name}' cannot map it"
                sink.error("omp-mapper-unknown", message, item.whole.span)
            elif find_mapper(unit, name, kind, item.whole.span) is None:
                place = modifier.argument.span if modifier.argument is not None else modifier.span
                message = f"no mapper '{name}' is declared for '{spelling.spell(kind)}' here"
                sink.error("omp-mapper-unknown", message, place, *_notes(unit, name, item))


def _notes(unit: ParsedUnit, name: str, item: ListItem) -> tuple[Note, ...]:
    """Point at a mapper of this name that is for another class or not visible."""
    other = next((m for m in unit.mappers if m.parts.identifier == name), None)
    if other is None:
        return ()
    after = other.file.scan.source is item.whole.span.source and other.site.start > item.whole.span.start
    what = (
        "it is declared here, after its use"
        if after
        else f"one for '{spelling.spell(other.kinds[0])}' is declared here"
    )
    return (Note(what, other.span),)
