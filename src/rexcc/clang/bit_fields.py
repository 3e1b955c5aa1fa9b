"""Where the bits of a bit-field are.

In: an expression that names a member. Out: :class:`Bits`, on machines whose first byte is the lowest, as all targets
are.
"""

from __future__ import annotations

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
