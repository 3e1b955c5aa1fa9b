"""The parts of a list item's expression, from the object it starts from to the one it names.

In: clang's view of an expression such as ``p->q[i].r``. Out: its components: the variable ``p`` (or ``this``), then
each member, subscript and dereference. Attributes ask which variable an item belongs to, lowering where its storage is.
"""

from __future__ import annotations

from enum import Enum

from clang.cindex import Cursor

from rexcc.clang import types
from rexcc.clang.tree import NAME_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.source.records import dataclass

_NO_PARTS = NAME_KINDS | {"OVERLOADED_DECL_REF"}


class Part(Enum):
    """What a component adds to those before it."""

    VARIABLE = "a variable, the first component"
    THIS = "the pointer this, the first component"
    MEMBER = "a member of the object so far"
    ELEMENT = "an element of the array or pointer so far"
    TARGET = "what the pointer so far points to"
    VALUE = "a pointer computed from the one so far: a cast or a sum"


@dataclass(frozen=True, eq=False)
class Component:
    """A component with its expression; ``declaration`` is the variable or field that it names."""

    part: Part
    node: Node
    declaration: Cursor | None = None


def components(node: Node) -> tuple[Component, ...]:
    """Return the components of an expression, the first one first; none for an expression of another form."""
    found: list[Component] = []
    current: Node | None = node.bare()
    while current is not None:
        part = _part(current)
        if part is None:
            return ()
        found.append(Component(part, current, current.referenced if part is not Part.THIS else None))
        if part in (Part.VARIABLE, Part.THIS):
            return tuple(reversed(found))
        inner = _inner(current)
        if inner is None and part is Part.MEMBER:
            found.append(Component(Part.THIS, current))
            return tuple(reversed(found))
        current = inner
    return ()


def own_member(node: Node) -> Node | None:
    """Return the member of ``*this`` that an expression names, None for anything else."""
    found = components(node) if node.bare().kind == "MEMBER_REF_EXPR" else ()
    is_own = [component.part for component in found] == [Part.THIS, Part.MEMBER]
    return found[1].node if is_own and found[1].declaration is not None else None


def _part(node: Node) -> Part | None:
    match node.kind:
        case "DECL_REF_EXPR":
            return Part.VARIABLE
        case "CXX_THIS_EXPR":
            return Part.THIS
        case "MEMBER_REF_EXPR":
            target = node.referenced
            is_static = target is not None and kind_of(target) in VARIABLE_KINDS
            return Part.VARIABLE if is_static else Part.MEMBER
        case "ARRAY_SUBSCRIPT_EXPR":
            return Part.ELEMENT
        case "UNARY_OPERATOR":
            return Part.TARGET if node.operator == "*" else None
        case "CSTYLE_CAST_EXPR" | "BINARY_OPERATOR":
            return Part.VALUE if types.is_pointer(node.type) else None
    return None


def _inner(node: Node) -> Node | None:
    """Return the expression that a component starts from; of a sum, its pointer."""
    inner = [c for c in node.children if c.kind not in _NO_PARTS]
    if node.kind == "BINARY_OPERATOR":
        inner = [c for c in inner if not types.is_scalar(c.bare().type)]
    if node.kind == "CSTYLE_CAST_EXPR":
        inner = inner[-1:]
    return inner[0].bare() if inner else None
