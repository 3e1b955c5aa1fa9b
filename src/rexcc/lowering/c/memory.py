"""Volatile structures, and arithmetic on ``void *``: C has both, C++ neither.

In: conversions and operators. Out: calls of ``rex_from_volatile``, ``rex_to_volatile``, ``rex_advance`` and
``rex_retreat``, and casts to pointers to characters.
"""

from __future__ import annotations

import re

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.c.editing import CEdits

_BYTES = "(const volatile char *)("


def read_volatile(edits: CEdits, node: Node) -> None:
    """Read a volatile structure by its words where its value is wanted."""
    child = node.children[0]
    if types.is_record(node.type) and types.is_record(child.type) and _is_volatile(child):
        edits.wrap(child, "rex_from_volatile(", ")")


def write_volatile(edits: CEdits, node: Node) -> None:
    """Assign to a volatile structure by its words."""
    if node.operator == "=" and types.is_record(node.children[0].type) and _is_volatile(node.children[0]):
        _call(edits, node, "rex_to_volatile")


def _is_volatile(node: Node) -> bool:
    return bool(node.type.is_volatile_qualified() or types.canonical(node.type).is_volatile_qualified())


def is_void_pointer(node: Node) -> bool:
    """Whether an expression points to nothing in particular, or to a function: GNU C counts in bytes."""
    kind = types.canonical(node.type)
    return types.kind_name(kind) == "POINTER" and types.kind_name(kind.get_pointee().get_canonical()) == "VOID"


def count_bytes(edits: CEdits, node: Node) -> None:
    """Make arithmetic on ``void *`` one on characters."""
    pointers = [c for c in node.children if is_void_pointer(c)]
    if not pointers:
        return
    if node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and node.operator in ("+=", "-="):
        _call(edits, node, "rex_retreat" if node.operator == "-=" else "rex_advance")
    elif node.kind == "BINARY_OPERATOR" and node.operator in ("+", "-"):
        if len(pointers) == 1:
            edits.wrap(node, f"(({types.spell(node.type)})(", "))")
        for pointer in pointers:
            edits.wrap(pointer, _BYTES, ")")
    elif node.kind == "UNARY_OPERATOR" and node.operator in ("++", "--", "p++", "p--"):
        if not edits.is_reachable(node, inside=True):
            return
        after = "_after" if node.operator.startswith("p") else ""
        step = "-1" if node.operator.endswith("--") else "1"
        edits.replace(node, f"rex_advance{after}({edits.quoted(node.children[0])}, {step})")


def _call(edits: CEdits, node: Node, function: str) -> None:
    """Make an assignment a call; its operands stay where they are."""
    body = edits.body
    if not edits.is_reachable(node, inside=True):
        return
    target, value = node.children
    between = body.text[body.end(target) : body.start(value)]
    operator = re.search(r"[-+]?=", between)
    if operator is None or not edits.wrap(node, f"{function}(", ")"):
        edits.is_reachable(node)
        return
    at = body.end(target) + operator.start()
    body.edits.replace(at, at + len(operator[0]), ", ")
