"""Which objects may be of a class or have one of it, and which calls may have made them.

In: types of records and calls. Out: answers for who follows an object to where it was made (:mod:`.presence`); a class
whose members are not known, as one of a template's, may have any.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of


def makers(node: Node, kind: Type) -> Iterator[Node]:
    """Yield the calls below a node of functions that return an object of a class, or a part of one."""
    for call in (n for n in node.walk() if n.kind == "CALL_EXPR"):
        is_constructor = call.referenced is not None and kind_of(call.referenced) == "CONSTRUCTOR"
        if not is_constructor and may_hold(kind, types.canonical(call.type)):
            yield call


def may_hold(kind: Type, part: Type) -> bool:
    """Whether an object of a class may be of another class, or have a member or base of it."""
    if kind == part:
        return True
    record = kind.get_declaration()
    if not types.is_record(part) or library.template_of(record) is not None:
        return types.is_record(part)
    return any(types.is_record(k) and may_hold(k, part) for k in map(element_type, _part_types(record)))


def _part_types(record: Cursor) -> Iterator[Type]:
    """Yield the types of members and bases, without references, which may lead to an object of the same class."""
    parts = (member for member in library.children(record) if kind_of(member) in ("FIELD_DECL", "CXX_BASE_SPECIFIER"))
    return (member.type for member in parts if not types.is_reference(member.type))


def element_type(kind: Type) -> Type:
    """Return the type of an array's elements, of all its dimensions, and any other type itself."""
    while (below := types.element_of(kind)) is not None:
        kind = below
    return types.canonical(kind)


def may_be_called(argument: Cursor, result: Type) -> bool:
    """Whether a function of the library may call what it gets, and return what that returns."""
    kind = types.canonical(types.without_reference(argument.type))
    return not types.is_scalar(kind) and kind != result
