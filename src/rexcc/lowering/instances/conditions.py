"""What of a template's text an instantiation cannot have as it is.

In: the code of an instantiation. Out: edits. The statement that an ``if constexpr`` discards need not be valid for the
template's arguments (C++17 [stmt.if] 2); clang shows an empty block in its place, and so does the kernel. Where a
``requires`` expression is not met, that is an error outside of templates (C++20 [expr.prim.req] 5); its value stands in
its place.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_range
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.text.body import DeviceBody


def resolve_conditions(body: DeviceBody, code: Iterable[Node]) -> None:
    """Leave out the statements that an instantiation discards, and say which requirements it meets."""
    edits = CEdits(body)
    for top in code:
        for node in top.walk():
            if node.kind == "REQUIRES_EXPR":
                _give_value(edits, node)
            elif is_discarded(body, node) and edits.is_reachable(node):
                start, end = statement_range(body.file, node)
                lines = "\n" * body.text.count("\n", start, end)
                body.edits.rewrite(start, end, f"{{{lines}}}")


def is_discarded(body: DeviceBody, node: Node) -> bool:
    """Whether a statement of an instantiation is one that an ``if constexpr`` discards: a block without the statements
    that its text has."""
    if node.kind != "COMPOUND_STMT" or node.children or node.parent is None or node.parent.kind != "IF_STMT":
        return False
    return bool(body.original(node).strip("{} \t\n\r"))


def _give_value(edits: CEdits, node: Node) -> None:
    value = library.evaluate_integer(node.cursor)
    if value is not None:
        edits.replace(node, "true" if value else "false")
