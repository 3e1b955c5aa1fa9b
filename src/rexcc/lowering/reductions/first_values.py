"""The value that a variable has when a kernel starts, for threads that read it while others write the variable.

In: a variable whose private copies start from its value and end in it. Out: an argument of its own with that value: the
variable itself may have changed when a late team starts.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.frontend.probe import list_items
from rexcc.kernel.ir import Declare
from rexcc.lowering.model.host_values import Size, address_of, packed, pointer, size_of
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, PRIVATE_COPY
from rexcc.lowering.text.qualified import host_name
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related

_MOVING = ("map", "to", "from", "use_device_addr")


def first_value(variable: UsedVariable, kind: Type) -> tuple[Argument, str]:
    """Return the argument, and the name of the kernel's pointer to the value."""
    name, host = related("original", variable.name), host_name(variable)
    what = f"first {variable.name}"
    if types.is_scalar(kind) and types.canonical(kind).get_size() <= 8:
        row = MapRow(packed(host), None, size_of(host, kind), IMPLICIT_LITERAL, what)
        value = spelling.spell_bare(kind)
        lines = (
            Declare(f"{value} {name}_value", f"{name}_value", f"rex_unpack<{value}>({name}_literal)"),
            Declare(f"{value} *{name}", name, f"&{name}_value"),
        )
        return Argument(row, Parameter("rex_literal", f"{name}_literal", lines, is_first_value=True)), name
    place = address_of(host, kind)
    row = MapRow(place, place, size_of(host, kind), PRIVATE_COPY, what)
    return Argument(row, Parameter(spelling.pointer_to(kind), name, is_first_value=True)), name


def first_elements(name: str, kind: Type, host: str, offset: str, size: str) -> tuple[Argument, str]:
    """Return the argument with the first values of a section of an array, and the name of the kernel's pointer to
    them."""
    element, own = spelling.spell_bare(types.shape_of(kind).element), related("original", name)
    place = pointer(f"(({element} *){host} + ({offset}))")
    row = MapRow(place, place, Size(size), PRIVATE_COPY, f"first {name}")
    return Argument(row, Parameter(f"{element} *", own, is_first_value=True)), own


def may_be_on_device(region: TargetRegion, variable: Variable) -> bool:
    """Whether another construct may have mapped a variable, so that the host's value need not be the present one."""
    if variable.is_global and variable.cursor.linkage.name == "EXTERNAL":
        return True
    functions = region.unit.functions if variable.is_global else (region.owner,)
    constructs = (c for f in functions for c in f.walk())
    mine = set(region.constructs)
    listed = {
        item.base.text.strip()
        for c in constructs
        if c not in mine
        for clause in c.directive.named(*_MOVING)
        for item in list_items(clause)
    }
    return variable.name in listed or _is_exposed(region, variable)


def _is_exposed(region: TargetRegion, variable: Variable) -> bool:
    return any(named_variable(node) == variable and is_exposed(node) for node in region.owner.node.walk())
