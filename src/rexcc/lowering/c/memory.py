"""Volatile structures, and arithmetic on ``void *``: C has both, C++ neither.

In: conversions, operators and members. Out: calls of ``rex_from_volatile``, ``rex_to_volatile``, ``rex_advance`` and
``rex_retreat``, and casts to pointers to characters. A structure with a member that is a volatile structure cannot be
copied in C++, so the member loses the qualifier, and each expression that names it has it (``rex_volatile``).
"""

from __future__ import annotations

import re

from rexcc.clang import spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.c.editing import CEdits
from rexcc.source.diagnostics import error
from rexcc.source.patterns import regex

_VOLATILE = regex(r"\b(?:volatile|__volatile(?:__)?)\b")
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
    return types.is_volatile(node.type)


def is_volatile_part(field: Node) -> bool:
    """Whether a member is a volatile structure, or an array of such."""
    kind = types.canonical(field.type)
    found = types.is_volatile(kind)
    while types.is_array(kind):
        kind = types.canonical(kind.get_array_element_type())
        found |= types.is_volatile(kind)
    return found and types.is_record(kind)


def drop_qualifier(edits: CEdits, field: Node) -> None:
    """Declare a volatile structure in another one without its qualifier; raises CompileError where it stands in a
    name of the type, or is other members' as well."""
    body = edits.body
    start = body.start(field)
    first = max(body.text.rfind(mark, 0, start) for mark in ";{}") + 1
    text = body.text[start : body.end(field)]
    opened, closed = text.find("{"), text.rfind("}")
    words = [w for w in _VOLATILE.finditer(text) if not opened < w.start() < closed]
    alone = "," not in body.text[min(first, start) : start] + text[: max(opened, 0)] + text[closed + 1 :]
    if not words or not alone or not edits.is_reachable(field, inside=True):
        message = f"'{field.spelling}', a volatile structure in another one, needs a declaration of its own in which"
        raise error("unsupported-type", f"{message} 'volatile' stands: C++ cannot copy it", body.span(field))
    for word in words:
        body.edits.replace(start + word.start(), start + word.end(), "")


def name_volatile(edits: CEdits, node: Node) -> None:
    """Make an expression that names such a member volatile again."""
    target = node.referenced
    if target is not None and kind_of(target) == "FIELD_DECL" and is_volatile_part(node.tree.node(target)):
        edits.wrap(node, "rex_volatile(", ")")


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
            edits.wrap(node, f"(({spelling.spell(node.type)})(", "))")
        for pointer in pointers:
            edits.wrap(pointer, _BYTES, ")")
    elif node.kind == "UNARY_OPERATOR" and node.operator in ("++", "--", "p++", "p--"):
        if not edits.is_reachable(node, inside=True):
            return
        after = "_after" if node.operator.startswith("p") else ""
        step = "-1" if node.operator.endswith("--") else "1"
        edits.replace(node, (f"rex_advance{after}(", edits.body.quoted(node.children[0]), f", {step})"))


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
