"""Which variable a list item belongs to.

In: the expression of a list item. Out: the variable that its attributes are attributes of: ``s`` of ``s.p[i]``.
"""

from __future__ import annotations

from rexcc.analysis.references import variable_key
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.openmp.model import ListItem
from rexcc.program.components import Part, components
from rexcc.program.constructs import Construct


def root_variable(node: Node) -> Node | None:
    """Return the variable reference at the root of a list item: ``s`` of ``s.p[i]``, ``p`` of ``*p`` or ``p->x``."""
    found = components(node)
    return found[0].node if found and found[0].part is Part.VARIABLE else None


def this_root(node: Node) -> Node | None:
    """Return ``this``, or the member named without it, that a list item starts from; None for other items."""
    found = components(node)
    return found[0].node if found and found[0].part is Part.THIS else None


def root_key(construct: Construct, item: ListItem) -> int | None:
    """Return the identity of a list item's variable."""
    node = construct.expressions.get(item.base)
    root = root_variable(node) if node is not None else None
    return variable_key(root.referenced) if root is not None and root.referenced is not None else None


def member_pointer(construct: Construct, item: ListItem) -> int | None:
    """Return the identity of a member of ``*this`` that is a pointer; other members travel with their object."""
    node = construct.expressions.get(item.base)
    bare = node.bare() if node is not None else None
    if bare is None or bare.kind != "MEMBER_REF_EXPR" or bare.referenced is None or not types.is_pointer(bare.type):
        return None
    return variable_key(bare.referenced)


def own_member(node: Node) -> Node | None:
    """Return the member of ``*this`` that a list item's base names, None for anything else."""
    found = node.bare()
    if found.kind != "MEMBER_REF_EXPR":
        return None
    objects = [c for c in found.children if c.kind not in ("TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF")]
    return found if not objects or objects[0].bare().kind == "CXX_THIS_EXPR" else None
