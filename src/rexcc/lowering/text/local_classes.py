"""Classes that device code declares inside of functions.

In: a piece of device code. Out: edits: their functions get the qualifiers of the target.
"""

from __future__ import annotations

from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.lowering.text.body import DeviceBody


def mark_methods(body: DeviceBody, top: Node) -> None:
    """Put the qualifiers on the functions of the classes that statements below a node declare."""
    done: set[int] = set()  # libclang shows the class of ``struct S {…} s;`` twice
    for node in top.walk() if body.unit.is_cplusplus else ():
        is_method = node.kind in FUNCTION_KINDS and node.is_called_code
        if is_method and node.start < node.end and node.start not in done:
            done.add(node.start)
            body.edits.before(body.start(node), body.end(node), f"{body.unit.target.words.both} ")
