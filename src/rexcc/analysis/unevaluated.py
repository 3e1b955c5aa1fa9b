"""Unevaluated operands: those of ``sizeof`` and ``noexcept``, and expressions that types are written with.

In: a node. Out: whether such an expression contains it. What it calls needs a declaration and no code.
"""

from __future__ import annotations

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node

_UNEVALUATED = frozenset(
    {"CXX_UNARY_EXPR", "CXX_NOEXCEPT_EXPR", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "CONCEPT_DECL", "REQUIRES_EXPR"}
)


def is_unevaluated(node: Node) -> bool:
    """Whether a node is part of an unevaluated operand."""
    below, above = node, node.parent
    while above is not None:
        if above.kind in _UNEVALUATED or _is_in_type(above, below):
            return True
        below, above = above, above.parent
    return False


def _is_in_type(above: Node, below: Node) -> bool:
    """Whether an expression stands in what a declaration's type is written with, ``decltype`` for one."""
    if not below.kind.endswith(("_EXPR", "_OPERATOR")):
        return False
    if above.kind in VARIABLE_KINDS or above.kind == "FIELD_DECL":
        return below.start < library.file_location(above.cursor.location, above.tree.names)[1]
    return above.kind in FUNCTION_KINDS - {"CONSTRUCTOR"}
