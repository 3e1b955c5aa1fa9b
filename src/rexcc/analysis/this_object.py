"""The attribute of ``*this`` in a target region (OpenMP 5.2, 5.8.1 and 5.8.3).

In: the uses of ``this``, written or not, and the map items that start from it. Out: :class:`ThisObject`. Members that
clauses name travel as these say; where the region uses any other one, the whole object is mapped ``tofrom`` besides.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rexcc.analysis.attributes import MapItem, Origin, Reason, ThisObject
from rexcc.analysis.references import References
from rexcc.clang import types
from rexcc.clang.library import key_of, member_name
from rexcc.clang.tree import NAME_KINDS, Node

_IMPLICIT = Reason(Origin.IMPLICIT, "in a member function, the object of 'this' is mapped tofrom", "5.8.1")


def this_object(references: References, maps: Sequence[MapItem], on_device: Collection[int]) -> ThisObject | None:
    """Return the attribute of ``*this``, None where neither the region nor its clauses use it.

    ``on_device`` are the members, by field, of which clauses say that they are on the device already.
    """
    uses = [use for use in references.this_uses if _member_used(use) not in on_device]
    if not maps:
        return ThisObject(_IMPLICIT, (), True) if uses else None
    nodes = (construct.node_of(item.base) for _, item, construct in maps)
    mapped = {outer_member(node) for node in nodes if node is not None}
    if None not in mapped and any(_member_used(use) not in mapped for use in uses):
        besides = {_field_used(use): None for use in uses if _member_used(use) not in mapped}
        return ThisObject(_IMPLICIT, tuple(maps), True, tuple(name for name in besides if name))
    return ThisObject(Reason(Origin.EXPLICIT, "named in 'map'", "5.8.3", maps[0][0]), tuple(maps), False)


def outer_member(node: Node) -> int | None:
    """Return the identity of the field of the root object that an expression goes through, None for none."""
    found: int | None = None
    current = node.bare()
    while current.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR"):
        if current.kind == "MEMBER_REF_EXPR" and current.referenced is not None:
            found = key_of(current.referenced)
        inner = [c for c in current.children if c.kind not in NAME_KINDS]
        if not inner:
            break
        current = inner[0].bare()
    return found


def _member_used(use: Node) -> int | None:
    """Return the member, by its identity, that a use of ``this`` is for, None for the object itself."""
    current = use
    while current.kind != "MEMBER_REF_EXPR" and current.parent is not None and current.parent.bare() is use:
        current = current.parent
    member = current if current.kind == "MEMBER_REF_EXPR" else current.parent
    return outer_member(member) if member is not None and member.kind == "MEMBER_REF_EXPR" else None


def _field_used(use: Node) -> str:
    """Return the name of the field that a use of ``this`` is for; empty for methods and for what has no address."""
    current: Node | None = use
    while current is not None and (current.kind != "MEMBER_REF_EXPR" or _is_anonymous(current)):
        current = current.parent
    field = current.referenced if current is not None else None
    if field is None or field.kind.name != "FIELD_DECL" or field.is_bitfield() or types.is_reference(field.type):
        return ""
    return str(field.spelling)


def _is_anonymous(member: Node) -> bool:
    """Whether a node names an anonymous union or structure, which the members of it stand above."""
    return member.referenced is not None and not member_name(member.referenced)
