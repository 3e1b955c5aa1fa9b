"""Types that GPUs have not: ``long double``, which device code takes for ``double``.

In: a region with its attributes. Out: nothing, or an error. A value that stays on the device only has less precision,
but the host's bytes in mapped storage would mean another number.
"""

from __future__ import annotations

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.references import variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.source.diagnostics import error

_OWN = (Kind.PRIVATE, Kind.CONSTANT, Kind.CLOSURE, Kind.ALLOCATOR)
"""Variables of which the kernel gets no bytes."""


def check_device_types(region: TargetRegion, data: RegionData) -> None:
    """Raise CompileError where a region uses a ``long double`` of the host's (``unsupported-type``)."""
    passed = {a.variable.key: a.variable.name for a in data.attributes if a.kind not in _OWN}
    for node in region.body.walk():
        if node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") or not _is_long_double(node):
            continue
        root = _root(node)
        if root.kind == "CXX_THIS_EXPR" or root.kind == "MEMBER_REF_EXPR" or _key(root) in passed:
            message = f"'{region.unit.user_text(node)}' holds 'long double', which a GPU has not; "
            raise error("unsupported-type", f"{message}copy it into a 'double' first", region.unit.span(node))


def _is_long_double(node: Node) -> bool:
    """Whether an expression is a ``long double``, an array of such, or a pointer to them."""
    kind = types.without_reference(node.type).get_canonical()
    for _ in range(20):
        below = types.element_of(kind)
        if below is None and types.is_pointer(kind):
            below = types.pointee_of(kind)
        if below is None:
            break
        kind = below.get_canonical()
    return types.kind_name(kind) == "LONGDOUBLE"


def _root(node: Node) -> Node:
    """Return the innermost object that an expression names: a variable, ``this``, or a member of it."""
    for inner in node.walk():
        if inner.kind in ("DECL_REF_EXPR", "CXX_THIS_EXPR"):
            return inner
    return node


def _key(node: Node) -> int:
    return variable_key(node.referenced) if node.referenced is not None else 0
