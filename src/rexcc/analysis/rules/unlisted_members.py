"""Members of structures that a region uses, where its clauses map other members of the same structure.

In: how a function uses its variables. Out: warnings. A clause that maps a member, or what it points to, maps no other
member, and the structure is not mapped implicitly then (OpenMP 5.2, 5.8.3): on the device there is nothing behind the
others. Methods that the region itself calls use members too. Only a structure of the function's own that goes nowhere
else counts, for others may be mapped as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.kept_addresses import keeps_address
from rexcc.analysis.rules.device_memory import has_one_memory, variables_around
from rexcc.analysis.rules.member_pointers import unmapped_memory
from rexcc.analysis.rules.results import regions
from rexcc.analysis.rules.uses import FunctionUses
from rexcc.clang import types
from rexcc.clang.library import key_of
from rexcc.clang.tree import Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.program.components import Part
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink


def check_unlisted_members(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of a member that a region uses and no clause maps, where others of its structure are mapped."""
    if facts.unit.mappers or has_one_memory(facts):
        return
    for region in regions(facts):
        for variable in variables_around(facts, region.body):
            listed = _listed_members(facts, region, variable) if _is_own_structure(variable) else None
            if listed is None or not keeps_address(facts.unit, facts.function, variable):
                continue
            used = (*_members_used(facts, region, variable), *_members_of_methods(facts, region, variable))
            place, field = next(((node, field) for node, field in used if key_of(field) not in listed), (None, None))
            if place is None or field is None or unmapped_memory(facts, variable, field) is not None:
                continue  # what it points to has a warning of its own
            name = f"{variable.name}.{field.spelling}"
            by = "" if place.referenced == field else f", and '{place.spelling}' uses it"
            message = (
                f"'{name}' is on no device{by}: the clauses map other members of '{variable.name}' alone; "
                f"map(to : {name}) maps it too, or a variable gets its value in front of the construct"
            )
            sink.warning("omp-unmapped-member", message, facts.unit.span(place))


def _is_own_structure(variable: Variable) -> bool:
    kind = types.canonical(variable.type)
    is_own = not variable.is_global and not types.is_reference(variable.type)
    return is_own and types.is_record(kind) and kind.get_declaration().kind.name != "UNION_DECL"


def _listed_members(facts: FunctionUses, region: Construct, variable: Variable) -> set[int] | None:
    """Return the members that clauses of the function name, None where one names all of the structure, or no clause of
    the region names any."""
    found, is_here = set[int](), False
    for entry in facts.listed.get(variable, ()):
        parts = entry.construct.resolve(entry.clause, entry.item).components
        if parts and parts[0].declaration != variable.cursor:
            continue  # a bound of a section
        member = next((part.declaration for part in parts if part.part is Part.MEMBER), None)
        is_here_now = entry.construct is region and entry.clause.name == "map"
        if not is_here_now and entry.construct.directive.leaves[0] == "target" and entry.construct.body is not None:
            continue  # what another region maps is gone when that ends
        if member is None:
            return None
        found.add(key_of(member))
        is_here = is_here or is_here_now
    return found if is_here else None


def _members_used(facts: FunctionUses, region: Construct, variable: Variable) -> Iterator[tuple[Node, Cursor]]:
    """Yield where a region's own code uses data members, but for the heads of its loops, which the host may read."""
    for use in facts.inside(variable, region.body) if region.body is not None else ():
        inner = use.in_parentheses()
        member = inner.parent
        if member is None or member.kind != "MEMBER_REF_EXPR" or member.children[0] is not inner:
            continue
        field = member.referenced
        if field is None or not _is_plain_member(variable, field) or is_unevaluated(member):
            continue
        if not _is_in_head(region, member):
            yield member, field


def _members_of_methods(facts: FunctionUses, region: Construct, variable: Variable) -> Iterator[tuple[Node, Cursor]]:
    """Yield where a region's own code calls methods of a structure that use data members of it, with the members."""
    for use in facts.inside(variable, region.body) if region.body is not None else ():
        method = _called_method(use)
        definition = (
            method.referenced.get_definition() if method is not None and method.referenced is not None else None
        )
        if method is None or definition is None or is_unevaluated(use) or _is_in_head(region, use):
            continue
        for node in facts.unit.tree.node(definition).walk():
            field = node.referenced if node.kind == "MEMBER_REF_EXPR" else None
            is_own = not node.children or node.children[0].bare().kind == "CXX_THIS_EXPR"
            if field is not None and is_own and _is_plain_member(variable, field) and not is_unevaluated(node):
                yield method, field


def _called_method(use: Node) -> Node | None:
    """Return the name of the method that is called for an object, its operator too."""
    above = use.in_parentheses().parent
    while above is not None and above.kind == "UNEXPOSED_EXPR":  # the object as a constant
        above = above.parent
    if above is not None and above.kind == "CALL_EXPR" and above.children:
        name = next((n for n in above.walk() if n.kind == "DECL_REF_EXPR" and n.spelling.startswith("operator")), None)
        is_object = above.children[0].bare() is use.bare()
        return name if is_object and name is not None and kind_of(name.referenced) == "CXX_METHOD" else None
    is_method = above is not None and above.kind == "MEMBER_REF_EXPR" and kind_of(above.referenced) == "CXX_METHOD"
    return above if is_method else None


def _is_plain_member(variable: Variable, field: Cursor) -> bool:
    """Whether a member is a data member of the structure itself, not of a base or of an unnamed part."""
    record = types.canonical(variable.type).get_declaration()
    return field.kind.name == "FIELD_DECL" and bool(field.semantic_parent == record)


def _is_in_head(region: Construct, node: Node) -> bool:
    """Whether a node stands in the head of a loop that only loops and blocks are around in the region."""
    below, in_head = node, False
    for above in node.ancestors():
        if above.kind == "FOR_STMT":
            in_head = below is not above.children[-1]
        elif in_head and (above.kind != "COMPOUND_STMT" or len(above.children) > 1):
            in_head = False
        if above is region.body:
            break
        below = above
    return in_head
