"""List items of data constructs whose storage an expression computes: any lvalue is a list item (OpenMP 5.0, 2.1).

In: an item that no variable, member or pointer leads to: ``c ? a : b``, ``f()`` of a function that returns a reference,
``f()->x``, ``*(c ? p : q)``. Out: its row. The address is evaluated once, where the construct begins::

    void *__args_base[] = {(void *)&(c ? a : b)};

On target regions, what a function returns is an item: code of the region has no other name for it that would be the
list item. Other items are refused there, for the region's own ``a`` is not ``c ? a : b``, but would seem to be mapped.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.library import canonical_type
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.host_values import address, size_of
from rexcc.lowering.model.launch import MapRow
from rexcc.lowering.model.map_types import Flags
from rexcc.openmp.iterators import clause_iterators
from rexcc.openmp.model import MapClause, MotionClause
from rexcc.program.constructs import ResolvedItem


def computed_row(listed: ResolvedItem, flags: Flags, facts: MapFacts) -> MapRow | None:
    """Return the row of an item whose storage is computed, None for any other one, and for what is no lvalue."""
    if listed.node is None or listed.components or _has_iterators(listed):
        return None
    kind = _kind(listed, listed.node.bare())
    if kind is None:
        return None
    item, text = listed.item, f"({listed.item.whole.text.strip()})"
    mapper = facts.mapper(listed.construct, item.whole)
    return MapRow(address(text, kind), None, size_of(text, kind), flags, text[1:-1], mapper,
                  reason="list item, an expression computes where it is", place=item.whole.span)  # fmt: skip


def _has_iterators(listed: ResolvedItem) -> bool:
    """Whether rows are added one by one, each with its address twice."""
    directive = listed.construct.directive
    clauses = (*directive.of_type(MapClause), *directive.of_type(MotionClause))
    return any(clause_iterators(clause) for clause in clauses)


def is_result(listed: ResolvedItem) -> bool:
    """Whether an item is the object that a function returns a reference to."""
    node = listed.node.bare() if listed.node is not None and not listed.components else None
    return node is not None and not listed.item.sections and node.kind == "CALL_EXPR" and _returns_object(node)


def _kind(listed: ResolvedItem, node: Node) -> Type | None:
    """Return the type of the object that an item is, None where it is none, or not known."""
    kind = types.without_reference(node.type)
    found: Type | None = kind if _is_lvalue(node) or (listed.item.sections and types.is_pointer(kind)) else None
    for section in listed.item.sections:
        if found is None or not section.is_index:
            return None
        found = types.pointee_of(found) if types.is_pointer(found) else types.element_of(found)
    return found if found is not None and types.canonical(found).get_size() > 0 else None


def _is_lvalue(node: Node) -> bool:
    """Whether an expression names an object."""
    inner = node.bare()
    match inner.kind:
        case "DECL_REF_EXPR":
            return inner.referenced is not None and kind_of(inner.referenced) in ("VAR_DECL", "PARM_DECL")
        case "ARRAY_SUBSCRIPT_EXPR":
            return True
        case "UNARY_OPERATOR":
            return inner.operator == "*"
        case "MEMBER_REF_EXPR":
            return not is_bit_field(inner) and _is_part_of_object(inner)
        case "CALL_EXPR":
            return _returns_object(inner)
        case "CONDITIONAL_OPERATOR":
            return _is_chosen_object(inner)
    return False


def _is_part_of_object(member: Node) -> bool:
    owners = [child for child in member.children if child.kind not in ("TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF")]
    return not owners or types.is_pointer(types.without_reference(owners[0].bare().type)) or _is_lvalue(owners[0])


def _returns_object(call: Node) -> bool:
    callee = call.referenced
    if callee is None or kind_of(callee) not in FUNCTION_KINDS:
        return False
    return types.kind_name(canonical_type(callee.result_type)) == "LVALUEREFERENCE"


def _is_chosen_object(choice: Node) -> bool:
    """Whether C++ chooses between two objects; between values, which C always does, it converts both branches."""
    return all(_without_parentheses(b).kind != "UNEXPOSED_EXPR" and _is_lvalue(b) for b in choice.children[1:])


def _without_parentheses(node: Node) -> Node:
    while node.kind == "PAREN_EXPR" and node.children:
        node = node.children[0]
    return node
