"""Which expressions name plain objects of the host's: numbers, pointers, and arrays and structures of them.

In: an expression. Out: whether it is a member or an array of a variable that it names, or which member of ``*this`` it
is. What a pointer points to, or a reference refers to, has no name.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.clang import classes, library, types
from rexcc.clang.tree import Node, kind_of


def is_plain(given: Type) -> bool:
    """Whether a type is that of a number, a pointer, or an array or structure of them, and nobody else changes such a
    variable."""
    if types.is_reference(given) or types.is_volatile(given):
        return False
    if types.is_array(given):
        element = types.element_of(given)
        return element is not None and is_plain(element)
    return types.is_scalar(given) or types.is_pointer(given) or _is_plain_record(given)


def _is_plain_record(given: Type) -> bool:
    """Whether a class has only bytes that are copied: nothing of its own happens where an object is copied or ends, and
    nobody watches a part of it."""
    if not types.is_record(given) or types.is_reference(given) or classes.has_watched_part(given):
        return False
    if given.get_canonical().is_pod():
        return True
    return given.get_size() > 0 and classes.is_copied_as_bytes(given) and not classes.may_have_destructor(given)


def row_of_address(node: Node) -> Node | None:
    """Return the element of a pointer to arrays that an expression is the address of. The element is an array, which
    the expression converts to a pointer (C11 6.3.2.1), so nothing in it is read."""
    row = node.children[0] if len(node.children) == 1 and types.is_pointer(node.type) else None
    if row is None or row.kind != "ARRAY_SUBSCRIPT_EXPR":
        return None
    return row if types.is_array(row.type) and not types.is_record(row.children[0].type) else None


def is_member_of_named(node: Node) -> bool:
    """Whether a member belongs to a named object, not to one that something points or refers to."""
    if node.kind != "MEMBER_REF_EXPR" or not is_plain(node.type):
        return False
    return is_inside_object(node.referenced) and (_is_part_of_named(node) or _is_static_by_this(node))


def _is_static_by_this(node: Node) -> bool:
    target = node.referenced
    is_static = target is not None and kind_of(target) == "VAR_DECL"
    return is_static and [child.bare().kind for child in node.children] == ["CXX_THIS_EXPR"]


def is_inside_object(member: Cursor | None) -> bool:
    """Whether a member is a part of its object, or static, and no reference."""
    if member is None or kind_of(member) not in ("FIELD_DECL", "VAR_DECL"):
        return False
    return not types.is_reference(member.type) and not library.is_made_at_first_use(member)


def _is_part_of_named(node: Node) -> bool:
    if len(node.children) != 1:
        return False
    whole = node.children[0].bare()
    if not types.is_record(whole.type) or types.is_volatile(whole.type):
        return False
    if whole.kind == "MEMBER_REF_EXPR":
        return is_inside_object(whole.referenced) and _is_part_of_named(whole)
    target = whole.referenced if whole.kind == "DECL_REF_EXPR" else None
    if target is None or library.is_made_at_first_use(target):
        return False
    return types.is_record(target.type) and not types.is_reference(target.type)


def is_named_array(node: Node) -> bool:
    """Whether an expression names an array, not a parameter, which is a pointer."""
    array = node.bare()
    if not types.is_array(array.type):
        return False
    if array.kind == "MEMBER_REF_EXPR":
        return is_member_of_named(array)
    target = array.referenced if array.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) != "VAR_DECL" or library.is_made_at_first_use(target):
        return False
    return is_plain(target.type)
