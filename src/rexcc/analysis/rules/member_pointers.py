"""Pointers in structures that are on the device, to storage that is not.

In: how a function uses its variables. Out: warnings, where the function itself shows that nothing maps what a member
points to: the structure is a local variable that goes nowhere else, and its member only ever gets memory of the host.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.references import is_written
from rexcc.analysis.rules.device_memory import allocation, has_one_memory, initial_value, is_harmless, variables_around
from rexcc.analysis.rules.results import is_in_region, regions
from rexcc.analysis.rules.uses import FunctionUses, element
from rexcc.clang import types
from rexcc.clang.library import key_of
from rexcc.clang.tree import Node
from rexcc.program.components import Part
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note


def check_unmapped_members(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of a member that points to memory of the host and that a region follows, which nothing maps (5.8.3)."""
    if facts.unit.mappers or has_one_memory(facts):
        return
    warned: set[tuple[Variable, int]] = set()
    for region in regions(facts):
        for variable in variables_around(facts, region.body):
            if region.body is None or not _is_own_structure(variable):
                continue
            for use in facts.inside(variable, region.body):
                member = _followed_member(use)
                field = member.referenced if member is not None else None
                if member is None or field is None or (variable, key_of(field)) in warned:
                    continue
                origin = unmapped_memory(facts, variable, field)
                if origin is None:
                    continue
                warned.add((variable, key_of(field)))
                name = f"{variable.name}.{field.spelling}"
                message = f"'{name}' points to memory of the host, and nothing maps that; map({name}[0 : n]) does"
                note = Note("it gets its value here", facts.unit.span(origin))
                sink.warning("omp-unmapped-pointer", message, facts.unit.span(member), note)


def unmapped_memory(facts: FunctionUses, variable: Variable, field: Cursor) -> Node | None:
    """Return where a member of a structure gets memory of the host that nothing maps, None where that is not known."""
    if not _is_own_structure(variable) or _is_listed(facts, variable, field):
        return None
    return _host_memory(facts, variable, field)


def _is_own_structure(variable: Variable) -> bool:
    """Whether a variable is a structure of the function's own, and not one of somebody else's."""
    kind = variable.type
    return types.is_record(kind) and variable.cursor.kind.name == "VAR_DECL" and not variable.is_global


def _member(use: Node) -> Node | None:
    """Return the member of a structure that one of its uses is for."""
    parent = use.in_parentheses().parent
    is_member = parent is not None and parent.kind == "MEMBER_REF_EXPR" and parent.children[0] is use.in_parentheses()
    return parent if is_member else None


def _followed_member(use: Node) -> Node | None:
    """Return the member that is a pointer which this use of a structure follows."""
    member = _member(use)
    if member is None or not types.is_pointer(member.type):
        return None
    return member if element(use) is not member.in_parentheses() else None


def _is_listed(facts: FunctionUses, variable: Variable, field: Cursor) -> bool:
    """Whether a clause of the function names a member, or something that it leads to."""
    for entry in facts.listed.get(variable, ()):
        parts = entry.construct.resolve(entry.clause, entry.item).components
        members = [p.declaration for p in parts if p.part is Part.MEMBER]
        if not parts or any(m is not None and m == field for m in members):
            return True
        if entry.clause.name in ("private", "is_device_ptr", "has_device_addr"):
            return True
    return False


def _host_memory(facts: FunctionUses, variable: Variable, field: Cursor) -> Node | None:
    """Return where a member gets memory of the host, None unless it can have no other and its structure stays here."""
    found = _initial_memory(facts, variable, field)
    for use in facts.of(variable):
        member = _member(use)
        if member is None:
            return None  # the structure is copied, passed on, or its address taken
        if member.referenced != field:
            continue
        if is_written(member):
            parent = member.in_parentheses().parent
            plain = parent is not None and parent.kind == "BINARY_OPERATOR" and parent.operator == "="
            origin = allocation(parent.children[1]) if plain and parent is not None else None
            if origin is None or is_in_region(facts, use):
                return None
            found = found or origin
        elif element(use) is member.in_parentheses() and not is_harmless(member):
            return None
    return found


def _initial_memory(facts: FunctionUses, variable: Variable, field: Cursor) -> Node | None:
    """Return the memory that an initialiser in the order of the members gives to one of them."""
    given = initial_value(facts, variable)
    values = given.children if given is not None and given.kind == "INIT_LIST_EXPR" else []
    if any(value.kind in ("MEMBER_REF", "INIT_LIST_EXPR") for value in values):
        return None
    members = list(types.canonical(variable.type).get_fields())
    place = next((n for n, m in enumerate(members) if m == field), len(members))
    return allocation(values[place]) if place < len(values) else None
