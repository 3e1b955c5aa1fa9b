"""Arrays of a team whose extent only the run knows: shared memory that the launch gives, or the device's heap.

In: a variable-length array that the parallels of a region share. Out: the edits that make it a ``rex_team_array``, and
the host expression for the shared memory that the launch gives to all of them. ``float a[n];`` becomes

    rex_team_array<float> __rex_array_a(__rex_memory, n); float *const a = __rex_array_a.data;

The host counts the bytes where every extent has the same value in front of the region. Where it cannot, or where they
are too many for a block, the arrays come from the heap.
"""

from __future__ import annotations

import re

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.references import is_exposed, variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.body import DeviceBody
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.generic.launch import is_known_before
from rexcc.lowering.generic.scope import TeamScope
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.edits import quote
from rexcc.source.text import Span

MEMORY = "rex_team_memory __rex_memory;"
"""What a kernel with such arrays declares at its start."""
_RESERVED = 8 * 1024
"""Bytes of a block's shared memory for the runtime's own variables."""


def extent_of(variable: Node) -> Node | None:
    """Return the extent of a variable-length array of one dimension, None where it is none."""
    element = types.element_of(variable.type)
    extents = parts(variable)
    if not types.is_variable_length(variable.type) or element is None or types.is_array(element):
        return None
    return extents[0] if len(extents) == 1 else None


def lower_team_array(body: DeviceBody, scope: TeamScope, variable: Node, name_end: int) -> None:
    """Make the edits of a declaration and of the array's uses; raises CompileError for what cannot be lowered."""
    extent, element = extent_of(variable), types.element_of(variable.type)
    brackets = re.fullmatch(r"(\s*\[)(.*)\]\s*", body.text[name_end : body.end(variable)], re.S)
    if extent is None or element is None or brackets is None:
        raise refused(f"the variable-length array '{variable.spelling}'", body.span(variable))
    name, spelled = variable.spelling, types.spell(element)
    count = quote(body.text, name_end + brackets.end(1), name_end + brackets.end(2))
    if not scope.is_uniform(extent):
        count = f"rex_from_first([&] {{ return {count}; }})"
    made = f"rex_team_array<{spelled}> __rex_array_{name}(__rex_memory, {count})"
    text = f"{made}; {spelled} *const {name} = __rex_array_{name}.data"
    body.edits.rewrite(body.start(variable), body.end(variable), text)
    body.needs.team_memory = True
    _lower_uses(body, scope.top.node, variable)


def _lower_uses(body: DeviceBody, top: Node, variable: Node) -> None:
    """A pointer has another size than the array, and an address of its own."""
    key = variable_key(variable.cursor)
    for use in top.walk():
        if use.kind != "DECL_REF_EXPR" or use.referenced is None or variable_key(use.referenced) != key:
            continue
        above = next(n for n in use.ancestors() if n.kind != "PAREN_EXPR")
        if above.kind == "CXX_UNARY_EXPR" and body.original(above).startswith("sizeof"):
            body.edits.rewrite(body.start(above), body.end(above), f"__rex_array_{variable.spelling}.bytes")
        elif above.kind == "CXX_UNARY_EXPR" or is_exposed(use):
            raise refused(f"the address of '{variable.spelling}', a team's variable-length array", body.span(above))


def refused(what: str, place: Span | None) -> CompileError:
    """Return the error for a variable of a team that cannot be lowered."""
    return error("unsupported-team-variable", f"{what}; this cannot be lowered yet", place)


def shared_bytes(region: TargetRegion, data: RegionData, scope: TeamScope, room: int) -> str:
    """Return the shared memory for a region's arrays as a host expression, empty where the host cannot count it.

    ``room``: what the region's other variables leave of a block's shared memory.
    """
    arrays = [d for key, d in scope.declared.items() if key in scope.shared and types.is_variable_length(d.type)]
    sizes = [_array_bytes(region, data, array) for array in arrays]
    if not sizes or not all(sizes) or room <= _RESERVED:
        return ""
    return f"rex_shared_bytes({' + '.join(sizes)}, {room - _RESERVED})"


def _array_bytes(region: TargetRegion, data: RegionData, array: Node) -> str:
    """Return the bytes of one array as a host expression, empty where only the region knows its extent."""
    extent, element = extent_of(array), types.element_of(array.type)
    if extent is None or element is None or not is_known_before(region, data, extent):
        return ""
    size = int(types.canonical(element).get_size())
    unknown = f"sizeof({types.spell(element)})"  # it depends on a template's parameter
    return f"rex_array_bytes({region.unit.user_text(extent)}, {size if size > 0 else unknown})"
