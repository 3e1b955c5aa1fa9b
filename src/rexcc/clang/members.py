"""Members that lie elsewhere than their type alone would: bit-fields, and parts of packed structures.

In: an expression that names a member. Out: the :class:`Bits` of a bit-field, on machines whose first byte is the
lowest, as all targets are; whether an object may be aligned to less than its type. A compiler knows that of an access
that names the member; of an address it assumes the alignment of the type, and a GPU stops there.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node, kind_of
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Bits:
    """``count`` bits from bit ``first`` of the byte ``byte`` of an object on."""

    byte: int
    first: int
    count: int


def is_bit_field(node: Node) -> bool:
    """Whether an expression is a bit-field."""
    field = node.referenced if node.kind == "MEMBER_REF_EXPR" else None
    return field is not None and kind_of(field) == "FIELD_DECL" and bool(field.is_bitfield())


def bits_of(node: Node) -> Bits | None:
    """Return the bits of a bit-field, None for another expression."""
    if not is_bit_field(node):
        return None
    field = node.referenced
    assert field is not None
    byte, first = divmod(int(field.get_field_offsetof()), 8)
    return Bits(byte, first, int(field.get_bitfield_width()))


def is_unaligned(node: Node) -> bool:
    """Whether an expression may be aligned to less than its type without qualifiers and other names."""
    return int(node.type.get_align()) < int(types.canonical(node.type).get_align()) or is_packed(node)


def is_packed(node: Node) -> bool:
    """Whether an expression is a member of a packed structure, or a part of one."""
    wanted = int(types.canonical(node.type).get_align())
    part: Node | None = node.bare()
    while part is not None and part.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
        field = part.referenced if part.kind == "MEMBER_REF_EXPR" else None
        if field is not None and kind_of(field) == "FIELD_DECL":
            if 0 < int(field.semantic_parent.type.get_align()) < wanted:
                return True
        elif part.kind == "ARRAY_SUBSCRIPT_EXPR" and not types.is_array(part.children[0].bare().type):
            return False
        inner = part.children[0].bare() if part.children else None
        if inner is None or types.is_pointer(inner.type):
            return False
        part = inner
    return False
