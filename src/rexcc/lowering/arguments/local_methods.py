"""Methods of classes that a region declares, and the variables from outside that they name.

In: a region's variables with the arguments that they became. Out: nothing, or an error: such a method cannot name what
is a local variable of the kernel, as every variable is that the kernel gets.
"""

from __future__ import annotations

from itertools import takewhile

from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.source.diagnostics import error

_WITHOUT_LOCAL = (Kind.CONSTANT, Kind.DEVICE_GLOBAL)


def require_no_method(region: TargetRegion, attribute: Attribute) -> None:
    """Raise CompileError where a method of a class of the region names a variable that is the kernel's own."""
    variable = attribute.variable
    if attribute.kind in _WITHOUT_LOCAL or not variable.is_global or types.is_constant(variable.cursor.type):
        return
    for use in variable.uses:
        if _is_in_method(region, use):
            message = f"a method of a class that this region declares cannot use '{variable.name}', "
            message += "a local variable of the kernel; hand it to the method, or put it between 'declare target' and "
            raise error("unsupported-capture", message + "'end declare target'", region.unit.span(use))


def _is_in_method(region: TargetRegion, use: Node) -> bool:
    body = region.construct.body
    own = takewhile(lambda above: body is not None and body.start <= above.start < body.end, use.ancestors())
    return any(above.kind in FUNCTION_KINDS and above.is_called_code for above in own)
