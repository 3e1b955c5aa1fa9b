"""The constants of a device image that may be there twice, as the runtime has to know them.

In: kernels, and the closure of what they need. Out: the constants' names and sizes, by which the runtime finds them in
the image; none where a kernel could tell one copy from another, or where anything else has storage for the whole
program. Then one row without a name may say that the image can have objects of the user's
without one: those that static references are bound to, also references in objects, which need not be there themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.attributes import Kind
from rexcc.analysis.indistinct_constants import Constants, stored
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.clang import types
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.codegen.closure.model import Closure
from rexcc.codegen.registration.registration import ImageConstant
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit

_STATIC = frozenset({Kind.CONSTANT_ARRAY, Kind.NEEDED_CONSTANT})
_NAMELESS = ImageConstant("", 0)


def copied_constants(
    unit: ParsedUnit, kernels: Iterable[Kernel], also: Iterable[Cursor], closure: Closure, joining: Iterable[Node]
) -> tuple[ImageConstant, ...]:
    """Return the rows of the constants of the image if no kernel can tell which copy of it it has; ``joining`` are the
    expressions of reductions."""
    kernels = list(kernels)
    regions = [part for kernel in kernels for part in kernel.region.device_parts] + list(joining)
    bodies = [*regions, *called_bodies(unit.tree, regions, also=also)]
    arrays = [a.variable.cursor for k in kernels for a in k.data.attributes if a.kind in _STATIC]
    named = (*(n.cursor for n in closure.variables.values()), *stored(bodies), *arrays)
    constants = tuple({int(c.canonical.hash): c for c in named}.values())
    records = (n for n in closure.declarations.values() if n.kind in RECORD_KINDS)
    code = [*bodies, *closure.variables.values(), *closure.members.values(), *records]
    if Constants(unit, code).all_indistinct(constants):
        return tuple(ImageConstant(str(c.spelling), int(c.type.get_size())) for c in constants)
    return (_NAMELESS,) if any(_may_be_bound(c) for c in constants) else ()


def _may_be_bound(variable: Cursor) -> bool:
    """Whether a variable is a reference, or an object in which one may be."""
    kind = variable.type
    return types.is_reference(kind) or types.is_record(types.innermost(kind) if types.is_array(kind) else kind)
