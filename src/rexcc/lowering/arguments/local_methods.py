"""Classes of functions, and a region's variables.

In: a region's variables with the arguments that they became. Out: nothing, or an error. A method of a class that the
region declares cannot name what is a local variable of the kernel, as every variable is that the kernel gets. A
variable cannot be of a class that another function declares: no name means that in a kernel.
"""

from __future__ import annotations

from itertools import takewhile

from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.source.diagnostics import error
from rexcc.transformation.local_classes import local_arguments, local_types

_WITHOUT_LOCAL = (Kind.CONSTANT, Kind.CONSTANT_ARRAY, Kind.NEEDED_CONSTANT, Kind.DEVICE_GLOBAL)


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


def require_known_class(region: TargetRegion, attribute: Attribute) -> None:
    """Raise CompileError where a variable is of a type that another function declares, and keeps to itself."""
    owner, variable = region.owner, attribute.variable
    functions = [owner.node, *([owner.template] if owner.template is not None else [])]
    arguments = local_arguments(owner) if owner.template is not None else ()  # which keys refuse that cannot name them
    given = {int(record.hash) for record in arguments}
    has_own = attribute.kind is Kind.CLOSURE or attribute.kind in _WITHOUT_LOCAL
    for record in local_types(variable.cursor.type) if not has_own else ():
        is_own = any(function.has_declaration(record) for function in functions)
        if is_own or not variable.uses or int(record.hash) in given:
            continue
        message = f"'{variable.name}' has the type '{record.spelling}', which the function "
        message += f"'{record.semantic_parent.spelling}' declares; put it in front of that function"
        raise error("unsupported-capture", message, region.unit.span(variable.uses[0]))


def _is_in_method(region: TargetRegion, use: Node) -> bool:
    body = region.construct.body
    own = takewhile(lambda above: body is not None and body.start <= above.start < body.end, use.ancestors())
    return any(above.kind in FUNCTION_KINDS and above.is_called_code for above in own)
