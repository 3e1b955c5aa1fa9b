"""Literal parameters: which explicitly mapped scalars may travel by value, and which structures as copies.

In: a variable of a region. Out: whether no mapping of it can exist when the region starts. Only then is a copy by value
the same as ``map(to:)``, which would otherwise use the device's copy. REX passes every ``map(to:)`` scalar by value.
"""

from __future__ import annotations

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.references import Variable, variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.probe import list_items

_SMALL = 1024
"""Bytes that libomptarget sends along with a launch, in one piece."""
_BY_VALUE = 64
"""Bytes of a structure that travels in parameters: it needs no room on the device, and no copy before the kernel."""


def is_provably_unmapped(region: TargetRegion, variable: Variable) -> bool:
    """Whether a scalar is a local that no other construct lists and whose address nobody takes."""
    kind = variable.cursor.type
    if types.is_reference(kind) or variable.is_global or not types.is_scalar(kind):
        return False
    if not 0 < types.canonical(kind).get_size() <= 8 or variable.exposed or variable.written:
        return False
    return not _listed_elsewhere(region, variable) and not _exposed_in_function(region, variable)


def is_provably_read(region: TargetRegion, variable: Variable) -> bool:
    """Whether a region does no more with a small structure than to read numbers and pointers in it, and no mapping of
    it can exist: a copy for the kernel will do, and nothing has to come back."""
    kind = variable.cursor.type
    if types.is_reference(kind) or not types.is_record(kind) or not types.is_copied_as_bytes(kind):
        return False
    if variable.is_global or variable.cursor.storage_class.name == "STATIC" or kind.is_volatile_qualified():
        return False
    if not 0 < types.canonical(kind).get_size() <= _SMALL or not all(_is_read(_part(use)) for use in variable.uses):
        return False
    named = (n for n in region.owner.node.walk() if n.kind == "DECL_REF_EXPR" and n.spelling == variable.name)
    mine = (n for n in named if n.referenced is not None and variable_key(n.referenced) == variable.key)
    return not _listed_elsewhere(region, variable) and not any(_leads_to_address(_part(n)) for n in mine)


def count_words(region: TargetRegion, variable: Variable) -> int:
    """Return how many parameters of eight bytes carry a structure, 0 if it is large, cannot be copied, or the
    instantiations of a template, whose text on the host is one, might differ in it."""
    if types.is_only_moved(variable.cursor.type):
        return 0
    size = int(types.canonical(variable.cursor.type).get_size())
    return -(-size // 8) if size <= _BY_VALUE and region.owner.template is None else 0


def _part(use: Node) -> Node:
    """Return the innermost member that an expression means."""
    part = use
    while part.parent is not None and part.parent.kind == "MEMBER_REF_EXPR":
        part = part.parent
    return part


def _is_read(part: Node) -> bool:
    if not (types.is_scalar(part.type) or types.is_pointer(part.type)):
        return False
    return part.parent is not None and part.parent.kind == "UNEXPOSED_EXPR" and not is_exposed(part)


def _leads_to_address(part: Node) -> bool:
    """Whether somebody may keep the address of a structure, or of something in it."""
    return is_exposed(part) or not (
        types.is_scalar(part.type) or types.is_pointer(part.type) or types.is_record(part.type)
    )


def _listed_elsewhere(region: TargetRegion, variable: Variable) -> bool:
    mine = set(region.constructs)
    for top in region.owner.constructs:
        for construct in (top, *top.descendants()):
            if construct in mine:
                continue
            names = {
                i.base.text.strip()
                for c in construct.directive.named("map", "to", "from", "use_device_addr")
                for i in list_items(c)
            }
            if variable.name in names:
                return True
    return False


def _exposed_in_function(region: TargetRegion, variable: Variable) -> bool:
    for node in region.owner.node.walk():
        if node.kind != "DECL_REF_EXPR" or node.spelling != variable.name or node.referenced is None:
            continue
        if variable_key(node.referenced) == variable.key and is_exposed(node):
            return True
    return False
