"""Declarations of functions and variables of other places inside of code: ``extern int f(int);`` in a block.

In: a piece of device code. Out: edits that leave them out. Device code has those at file scope, as functions and
variables of the device; in a kernel, whose linkage is C's, a block would declare others.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody


def drop_declarations(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Leave out the declarations below nodes of what is defined elsewhere, unless a local variable has that name."""
    every = [node for top in tops for node in top.walk()]
    local = {n.spelling for n in every if n.kind in ("VAR_DECL", "PARM_DECL") and not _is_elsewhere(n)}
    for node in every:
        if node.kind != "DECL_STMT" or not all(_is_elsewhere(c) and c.spelling not in local for c in node.children):
            continue
        start, end = body.start(node), body.end(node)
        if node.children and body.text[end - 1 : end] == ";" and body.edits.is_free(start, end):
            body.edits.replace(start, end, ";" + "\n" * body.text.count("\n", start, end))


def _is_elsewhere(declared: Node) -> bool:
    if declared.kind == "VAR_DECL":
        return bool(declared.cursor.storage_class.name == "EXTERN")
    return declared.kind == "FUNCTION_DECL"
