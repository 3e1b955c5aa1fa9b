"""Members with the names of types and enumerators: in C a structure's members have a name space of their own, in C++
they hide what stands around.

In: declarations with structures. Out: the scope in front of such types, ``struct { ::count count; ::count all; }``.
"""

from __future__ import annotations

from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.lowering.c.editing import CEdits


def name_hidden(edits: CEdits, top: Node) -> None:
    """Name the types and enumerators that members of the structures in a declaration hide.

    A structure is in the scope of those around it, too.
    """
    records = [node for node in top.walk() if node.kind in RECORD_KINDS and node.cursor.is_definition()]
    fields = [child for record in records for child in record.children if child.kind == "FIELD_DECL"]
    hidden = {field.spelling for field in fields}
    for field in fields:
        for name in field.walk():
            if name.kind in ("TYPE_REF", "DECL_REF_EXPR") and name.start < name.end and _is_hidden(name, hidden):
                edits.insert(name, "::")


def _is_hidden(name: Node, hidden: set[str]) -> bool:
    """Whether a name is that of a member, too, and means an alias or an enumerator of the file's scope."""
    meant = name.referenced
    if meant is None or str(meant.spelling) not in hidden:
        return False
    scope = meant.semantic_parent
    if meant.kind.name == "ENUM_CONSTANT_DECL":
        scope = scope.semantic_parent
    elif meant.kind.name != "TYPEDEF_DECL":
        return False
    return scope is not None and scope.kind.name == "TRANSLATION_UNIT"
