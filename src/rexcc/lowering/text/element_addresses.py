"""Addresses of elements in the initialisers of variables on the device.

In: the declaration of a variable with a constant initialiser. Out: edits. nvcc 13 takes ``&a[1][2][3]``, the address of
an element of an array with three dimensions or more, for no constant, and refuses the variable; ``(a[1][2] + 3)`` is
the same address (C11, 6.5.3.2, p3) and a constant for it.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody

_LEAST = 3


def write_element_addresses(body: DeviceBody, declaration: Node) -> None:
    """Write addresses of elements as sums of an array and an index; those that macros make stay."""
    for node in declaration.walk():
        if node.kind != "UNARY_OPERATOR" or node.operator != "&":
            continue
        element = node.children[0].bare()
        if _dimensions(element) >= _LEAST and not types.is_array(element.type):
            _write(body, node, element)


def _dimensions(node: Node) -> int:
    """Return how many subscripts of arrays an expression has, one behind the other."""
    found = 0
    while node.kind == "ARRAY_SUBSCRIPT_EXPR":
        node, found = node.children[0].bare(), found + 1
    return found


def _write(body: DeviceBody, node: Node, element: Node) -> None:
    array, index = element.children
    start, end = body.start(node), body.end(node)
    opening, closing = body.text[body.end(array) : body.start(index)], body.text[body.end(index) : body.end(element)]
    plain = body.text[start : body.start(array)] == "&" and body.end(element) == end
    if node.file != body.file.scan.source.path or not plain or opening.strip() != "[" or closing.strip() != "]":
        return
    body.edits.replace(start, start + 1, "(")
    body.edits.replace(body.end(array), body.start(index), " + (")
    body.edits.replace(body.end(index), end, "))")
