"""Which pointers of the host program lead to memory of its own, of which the device has a copy.

In: a use of a pointer. Out: whether a ``target data`` construct around it maps an array section of the pointer, which
nothing in the construct's statement changes. A pointer that is mapped itself may lead to anything, and any function may
change one of file scope. Without unified shared memory kernels work on the copy, so what stands in the host's memory
does not tell whether they have ended.
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.analysis.references import collect
from rexcc.clang import library, types
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable

_RENAMING = ("use_device_ptr", "use_device_addr")


def leads_to_host(pointer: Node, constructs: Mapping[tuple[int, int], Construct]) -> bool:
    """Whether an expression is the name of such a pointer."""
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
        if _maps(construct, Variable(target)):
            return True
    return False


def _maps(construct: Construct, variable: Variable) -> bool:
    if construct.body is None:
        return False
    if not any(found.item.sections and found.whole_variable == variable for found in construct.items("map")):
        return False
    used = collect([construct.body]).variables.get(variable)
    return used is not None and not used.written and not used.exposed
