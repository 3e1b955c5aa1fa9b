"""Constant objects of a function in the places of its regions where the language asks for constants.

In: the code of a region. Out: edits that write the values of expressions there which name an object of which a kernel
can declare no constant, since a constructor or a function makes it: ``constexpr auto sizes = make(3);`` in front of
``double a[sizes.rows]``. The object itself is an argument of the kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.needed_constants import scalar_text
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.patterns import regex

_BEFORE = regex(r"(?:[<\[]|\bcase\b|\b(?:constexpr|static_assert|alignas)\s*\()\s*\Z")
"""What stands in front of an expression that has to be a constant."""
_NAMES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR"})
"""What has arguments of a template behind it."""


def write_constant_values(body: DeviceBody, region: TargetRegion, attributes: Iterable[Attribute]) -> None:
    """Write the values of such expressions; ask for the expansion of macros that hide them."""
    objects = {int(a.variable.cursor.canonical.hash): a.variable.name for a in attributes if _is_unlisted(a)}
    waiting = list(region.device_parts) if objects else []
    while waiting:
        node = waiting.pop()
        name = next((objects[k] for inner in node.walk() if (k := _key(inner)) in objects), None)
        if name is None:
            continue
        value = _value(node) if _has_to_be_constant(body, node) else None
        if value is None:
            waiting += node.children
        elif re.search(rf"\b{name}\b", body.original(node)):
            body.edits.rewrite(body.start(node), body.end(node), value)
        else:
            body.expand(body.start(node))


def _is_unlisted(attribute: Attribute) -> bool:
    """Whether a variable is a constant object of a function whose values the kernel's text does not list."""
    cursor = attribute.variable.cursor
    is_object = types.is_record(types.canonical(cursor.type)) and library.is_constexpr(cursor)
    return is_object and attribute.kind is not Kind.NEEDED_CONSTANT and not library.has_global_storage(cursor)


def _key(node: Node) -> int:
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    return int(target.canonical.hash) if target is not None else 0


def _has_to_be_constant(body: DeviceBody, node: Node) -> bool:
    """Whether an expression stands where the language asks for a constant."""
    parent = node.parent
    if not node.cursor.kind.is_expression() or parent is None or not types.is_scalar(node.type):
        return False
    if (parent.start, parent.end) == (node.start, node.end):
        return False  # one of them is a conversion
    if parent.kind == "VAR_DECL" and library.is_constexpr(parent.cursor):
        return True
    start = body.start(node)
    before = body.text[max(0, start - 80) : start]
    if parent.kind != "BINARY_OPERATOR" and _BEFORE.search(before) is not None:
        return True
    return before.rstrip().endswith(",") and any(_names_template(c, node) for c in (parent, *parent.children))


def _names_template(node: Node, argument: Node) -> bool:
    """Whether a node may name the template that an expression is an argument of."""
    is_parent = argument.parent is node and node.kind in _NAMES
    return is_parent or (node.kind == "TEMPLATE_REF" and node.start < argument.start)


def _value(node: Node) -> str | None:
    kind = types.canonical(node.type)
    text = scalar_text(node.cursor, kind)
    is_plain = text is None or types.kind_name(kind) in ("INT", "BOOL", "ENUM")
    return text if is_plain else f"({spelling.spell_value(kind)}){text}"
