"""Pointers whose memory is mapped around a place of the host program.

In: an expression in a host statement. Out: whether it is the name of a pointer that a ``target data`` construct around
it maps: kernels have a copy of what it points to, and do not write the host's.
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.analysis.references import UsedVariable, collect
from rexcc.clang import library, types
from rexcc.clang.tree import VARIABLE_KINDS, Node, Tree, kind_of
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable

_RENAMING = ("use_device_ptr", "use_device_addr")
_ELSEWHERE = ("if", "device")


def leads_to_host(pointer: Node, constructs: Mapping[tuple[int, int], Construct]) -> bool:
    """Whether an expression is the name of a pointer whose memory is mapped around it, so that kernels have a copy."""
    named = pointer.bare()
    target = named.referenced if named.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) not in VARIABLE_KINDS or not types.is_pointer(target.type):
        return False
    if library.has_global_storage(target):
        return False
    for above in pointer.ancestors():
        construct = constructs.get((int(above.cursor.hash), above.start))
        if construct is None or construct.directive.name != "target data":
            continue
        if any(construct.directive.has(name) for name in _RENAMING):
            return False
        if any(construct.directive.has(name) for name in _ELSEWHERE):
            continue
        if _maps(construct, Variable(target)):
            return True
    return False


def _maps(construct: Construct, variable: Variable) -> bool:
    if construct.body is None:
        return False
    if not any(found.item.sections and found.whole_variable == variable for found in construct.items("map")):
        return False
    used = _variables_of(construct.body).get(variable)
    return used is not None and not used.written and not used.exposed


def _variables_of(body: Node) -> dict[Variable, UsedVariable]:
    """Return the variables that a statement uses, which is read once."""
    known = body.tree.once(_Bodies).variables
    if body not in known:
        known[body] = collect([body]).variables
    return known[body]


class _Bodies:
    """The statements of a tree whose variables have been asked for."""

    def __init__(self, _: Tree) -> None:
        self.variables: dict[Node, dict[Variable, UsedVariable]] = {}
