"""What the evaluation of an expression reads besides variables by their names, and what it calls.

In: an expression. Out: its members, elements and what pointers in it point to, each with the conditions on which it is
evaluated; which of them named pointers lead to; the calls whose results more than the values of arguments decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.references import collect
from rexcc.analysis.vector_elements import is_reference, vector_element
from rexcc.clang import library, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import TRANSPARENT, Node, kind_of
from rexcc.clang.unevaluated import leaves_unevaluated
from rexcc.program.components import Part, components
from rexcc.program.unit import ParsedUnit

LVALUES = frozenset({"MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"})
_CALLS = frozenset({"CALL_EXPR", "CXX_MEMBER_CALL_EXPR"})
_OF_VALUES = frozenset({"min", "max", "clamp", "abs", "labs", "llabs"})
"""Functions of the library that host and device have."""
_AROUND = TRANSPARENT | {
    "BINARY_OPERATOR", "UNARY_OPERATOR", "CONDITIONAL_OPERATOR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
    "CXX_FUNCTIONAL_CAST_EXPR", "CALL_EXPR",
}  # fmt: skip
"""What an object's value may be used in, for it to be known when it is evaluated."""


def other_calls(node: Node) -> Iterator[Node]:
    """Yield the calls in an expression whose results more than the values of their arguments decide, or may decide."""
    calls = (n for n in node.walk() if n.kind in _CALLS)
    return (call for call in calls if not _is_of_values(call))


def _is_of_values(call: Node) -> bool:
    """Whether a function computes its result from numbers alone: ``std::min`` and the like, or one of the user's."""
    callee = call.referenced
    if callee is None or kind_of(callee) != "FUNCTION_DECL":
        return False
    if not all(a is not None and types.is_scalar(types.without_reference(a.type)) for a in callee.get_arguments()):
        return False
    definition = callee.get_definition()
    if library.in_system_header(definition or callee):
        return str(callee.spelling) in _OF_VALUES
    if definition is None:
        return False
    body = call.tree.node(definition)
    has_body = any(child.kind == "COMPOUND_STMT" for child in body.children)
    others = any(n.kind in _CALLS or n.is_called_code or _is_kept(n) for n in body.walk())
    return has_body and not others and not collect([body]).variables and not _changes_arguments(callee)


def _is_kept(node: Node) -> bool:
    """Whether a declaration is of a variable that is there from call to call."""
    return node.kind == "VAR_DECL" and library.has_global_storage(node.cursor)


def _changes_arguments(callee: Cursor) -> bool:
    kinds = (a.type for a in callee.get_arguments() if a is not None)
    return any(types.is_reference(k) and not types.is_constant(types.without_reference(k)) for k in kinds)


def reads_behind_pointers(unit: ParsedUnit, node: Node) -> tuple[Node, ...] | None:
    """Return what an expression of a header reads behind named pointers, which the host may have to wait for first;
    None for an expression that reads anything else, or calls functions of more than numbers.

    A kernel may write what a pointer of the host points to, unless the device has a copy of it (``rex_batches.h``). The
    elements of a vector are such memory, and the vector is where a reference to it leads.
    """
    elements = {n: element for n in node.walk() if (element := vector_element(n)) is not None}
    if any(n not in elements for n in other_calls(node)) or any(types.is_volatile(n.type) for n in node.walk()):
        return None
    reads = tuple(parts_of(node))
    vectors = dict.fromkeys(vector for vector, _ in elements.values())
    roots = {found[0].node for read in reads if (found := components(read))}.union(vectors)
    names = (n for n in node.walk() if n.kind == "DECL_REF_EXPR" and n not in roots)
    if any(n.referenced is not None and types.is_reference(n.referenced.type) for n in names):
        return None  # the name of an object that may be anywhere
    asked = (*filter(is_reference, vectors), *elements)
    if any(True for element in elements for _ in _reads_within(element)) or not all(map(unit.is_whole, asked)):
        return None
    if any(conditions_of(unit, element, node) != [] for element in elements):
        return None
    known = all(_is_behind_name(unit, read) and conditions_of(unit, read, node) == [] for read in reads)
    return (*asked, *reads) if known else None


def _reads_within(element: Node) -> Iterator[Node]:
    """Yield what the subscript of a vector's element reads behind pointers, or in vectors."""
    of_vector = vector_element(element)
    if of_vector is not None:
        yield from (n for n in of_vector[1].walk() if is_part(n) or vector_element(n) is not None)


def is_behind_pointer(read: Node) -> bool:
    """Whether a part may be anywhere: it is not of a variable that the expression names."""
    if vector_element(read) is not None:
        return True
    root = components(read)[:1]
    declared = root[0].declaration if root and root[0].part is Part.VARIABLE else None
    return declared is None or types.is_pointer(root[0].node.type) or types.is_reference(declared.type)


def _is_behind_name(unit: ParsedUnit, read: Node) -> bool:
    """Whether a part of a number's type is read by one pointer or array that has a name, ``this`` too."""
    found = components(read)
    if len(found) < 2 or not unit.is_whole(read) or is_bit_field(read) or not types.is_scalar(read.type):
        return False
    if types.is_volatile(read.type) or any(map(is_part, subscripts(read))):
        return False
    return not any(types.is_pointer(part.node.type) for part in found[1:])


def is_part(node: Node) -> bool:
    """Whether an expression is a member, an element or what a pointer points to."""
    return node.kind in LVALUES or node.is_dereference


def parts_of(node: Node) -> Iterator[Node]:
    """Yield the outermost members, elements and pointees that an expression evaluates, in source order."""
    if is_part(node):
        yield node
        return
    for child in node.children:
        if not leaves_unevaluated(node, child):
            yield from parts_of(child)


def subscripts(read: Node) -> Iterator[Node]:
    """Yield what the subscripts of an element are computed with."""
    for node in read.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) > 1:
            yield from node.children[1].walk()


def conditions_of(unit: ParsedUnit, read: Node, node: Node) -> list[str] | None:
    """Return on which conditions of the host's a part of an expression is read; None where it cannot say."""
    found: list[str] = []
    below, above = read, read.parent
    while below is not node:
        if above is None or above.kind not in _AROUND or (above.kind in TRANSPARENT and len(above.children) > 1):
            return None
        first = above.children[0]
        if below is not first and (above.kind == "CONDITIONAL_OPERATOR" or above.operator in ("&&", "||")):
            if any(map(is_part, first.walk())) or not unit.is_whole(first):
                return None
            is_else = above.operator == "||" if above.kind == "BINARY_OPERATOR" else below is above.children[-1]
            found.append(f"{'!' if is_else else ''}({unit.user_text(first)})")
        below, above = above, above.parent
    return found
