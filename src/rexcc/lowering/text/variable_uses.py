"""How a use of a variable treats it: whether it may change, whether its address gets about.

In: a reference to a variable. Out: answers that err on the safe side.
"""

from __future__ import annotations

from rexcc.analysis.addresses import address_leaves, may_be_changed
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.clang.unevaluated import is_unevaluated


def part_named(use: Node) -> Node:
    """Return the largest expression that names a part of the variable itself: ``a[i].x`` of ``a``."""
    node = use
    while node.parent is not None:
        above = node.parent
        inside = above.kind == "MEMBER_REF_EXPR" and not types.is_pointer(node.type)
        element = above.kind == "ARRAY_SUBSCRIPT_EXPR" and above.children[0] is node
        decay = above.kind == "UNEXPOSED_EXPR" and types.is_array(node.type) and above.parent is not None
        if not (inside or above.kind == "PAREN_EXPR" or (element and _is_own_element(node)) or decay):
            return node
        node = above
    return node


def _is_own_element(base: Node) -> bool:
    """Whether a subscripted expression is an array, not a pointer's value."""
    bare = base.bare()
    return types.is_array(bare.type) or types.is_array(base.type)


def may_change(use: Node) -> bool:
    """Whether a use may change the variable or a part of it."""
    part = part_named(use)
    if may_be_changed(use) or is_written(part):
        return True
    if types.is_array(part.bare().type) and not types.is_constant(part.bare().type):
        return not is_unevaluated(part)
    return False


def is_address_taken(use: Node) -> bool:
    """Whether the address of the variable or of a part of it gets elsewhere."""
    return address_leaves(use)


def is_looked_up(use: Node) -> bool:
    """Whether an array is used that each thread would need a copy of."""
    variable = use.referenced
    return variable is not None and types.is_array(variable.type) and not is_unevaluated(use)
