"""Parts of packed structures, which may lie where their type could not.

In: an expression. Out: whether the object that it names may be aligned to less than its type. A compiler knows that of
an access that names the member; of an address it assumes the alignment of the type, and a GPU stops there.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node, kind_of


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
