"""Variables that a region may change.

In: an attribute. Out: whether the region may change the variable or a part of it.
"""

from __future__ import annotations

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.attributes import Attribute
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.tree import Node


def may_change(attribute: Attribute) -> bool:
    """Whether a region may change a variable, as a whole or in part."""
    variable = attribute.variable
    if variable.written or variable.exposed or attribute.reduction:
        return True
    kind = variable.cursor.type
    if types.is_scalar(kind) or types.is_pointer(kind):
        return False
    return any(_may_change(use) for use in variable.uses)


def _may_change(use: Node) -> bool:
    """Whether a use of an array or object may change a part of it: it is not just read."""
    part = use
    while part.parent is not None and _is_part(part, part.parent):
        part = part.parent
    if part.parent is not None and part.parent.kind == "UNEXPOSED_EXPR" and not types.is_array(part.type):
        return False  # a conversion to a value
    return is_written(part) or is_exposed(part) or types.is_array(part.type) or types.is_record(part.type)


def _is_part(node: Node, parent: Node) -> bool:
    """Whether an expression names a part of what a node below it names, or the same."""
    if parent.kind in ("PAREN_EXPR", "MEMBER_REF_EXPR"):
        return not types.is_pointer(node.type)
    if parent.kind == "UNEXPOSED_EXPR":
        return types.is_array(node.type) and _is_dereferenced(parent)
    if parent.kind == "ARRAY_SUBSCRIPT_EXPR":
        return parent.children[0] is node
    return parent.is_dereference


def _is_dereferenced(node: Node) -> bool:
    above = node.parent
    if above is None:
        return False
    if above.kind == "ARRAY_SUBSCRIPT_EXPR":
        return above.children[0] is node
    return above.is_dereference
