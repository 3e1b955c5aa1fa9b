"""Objects that a function is given by their address, or by reference: ``p->n`` and ``r.n``.

In: an expression. Out: the member of such an object that it is, or whether it is the name of such a parameter. One that
is a pointer is never changed, a reference cannot be.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.plain_objects import is_inside_object, is_plain
from rexcc.analysis.references import collect
from rexcc.clang import types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node, kind_of
from rexcc.program.variables import Variable


def given_member(node: Node) -> tuple[str, Node] | None:
    """Return the expression of a member of an object whose address is a parameter's value, and the parameter's name;
    None for anything else."""
    if node.kind != "MEMBER_REF_EXPR" or len(node.children) != 1 or not is_plain(node.type) or is_bit_field(node):
        return None
    if not node.spelling or not is_inside_object(node.referenced):
        return None
    whole = node.children[0].bare()
    if whole.kind == "MEMBER_REF_EXPR":
        above = given_member(whole) if types.is_record(whole.type) else None
        return None if above is None else (f"{above[0]}.{node.spelling}", above[1])
    return (f"{whole.spelling}->{node.spelling}", whole) if is_given_address(whole) else None


def referred_member(node: Node) -> str | None:
    """Return the expression of a plain member of an object that a parameter refers to, None for anything else."""
    root, path = whole_of(node)
    return path if root is not node and is_plain(node.type) and is_given_reference(root) else None


def whole_of(node: Node) -> tuple[Node, str]:
    """Return the object of which an expression is a part by its members alone, and the expression's text: itself if it
    is none, or a member has no name or address."""
    if node.kind != "MEMBER_REF_EXPR" or len(node.children) != 1 or not node.spelling or is_bit_field(node):
        return node, str(node.spelling)
    above = node.children[0].bare()
    if not is_inside_object(node.referenced) or not types.is_record(above.type) or types.is_volatile(above.type):
        return node, str(node.spelling)
    root, path = whole_of(above)
    return root, f"{path}.{node.spelling}"


def is_given_reference(node: Node) -> bool:
    """Whether an expression is the name of a parameter that refers to an object of a class."""
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) != "PARM_DECL" or not types.is_reference(target.type):
        return False
    referred = types.without_reference(target.type)
    return types.is_record(referred) and not types.is_volatile(referred)


def is_given_address(node: Node) -> bool:
    """Whether an expression is the name of a parameter that has the address of an object which it is given."""
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) != "PARM_DECL" or not _leads_to_object(target):
        return False
    return _is_kept(node, target)


def place_of(parameter: Node) -> int:
    """Return which of its function's parameters an expression names."""
    target = parameter.referenced
    assert target is not None
    return [p.hash for p in target.semantic_parent.get_arguments()].index(target.hash)


def _leads_to_object(parameter: Cursor) -> bool:
    kind = parameter.type
    if not types.is_pointer(kind) or types.is_volatile(kind):
        return False
    target = types.pointee_of(kind)
    return types.is_record(target) and not types.is_volatile(target)


def _is_kept(node: Node, parameter: Cursor) -> bool:
    """Whether nothing in its function changes a parameter, or has its address."""
    function = node.tree.node(parameter.semantic_parent)
    used = collect([c for c in function.children if c.kind == "COMPOUND_STMT"]).variables.get(Variable(parameter))
    return used is not None and not used.written and not used.exposed
