"""Literal parameters: which explicitly mapped scalars may travel by value.

In: a variable of a region. Out: whether no mapping of it can exist when the region starts. Only then is a copy by value
the same as ``map(to:)``, which would otherwise use the device's copy. REX passes every ``map(to:)`` scalar by value.
"""

from __future__ import annotations

from rexcc.analysis.references import Variable, is_exposed, variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.frontend.probe import list_items


def is_provably_unmapped(region: TargetRegion, variable: Variable) -> bool:
    """Whether a scalar is a local that no other construct lists and whose address nobody takes."""
    kind = variable.cursor.type
    if types.is_reference(kind) or variable.is_global or not types.is_scalar(kind):
        return False
    if not 0 < types.canonical(kind).get_size() <= 8 or variable.exposed or variable.written:
        return False
    return not _listed_elsewhere(region, variable) and not _exposed_in_function(region, variable)


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
