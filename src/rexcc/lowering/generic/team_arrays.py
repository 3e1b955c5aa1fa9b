"""Arrays of a team whose extent only the run knows: shared memory that the launch gives, or the device's heap.

In: a variable-length array that the parallels of a region share. Out: the edits that make it a ``rex_team_array``, and
the host expression for the shared memory that the launch gives to all of them. ``float a[n];`` becomes

    rex_team_array<float> __rex_array_a(__rex_memory, n); float *const a = __rex_array_a.data;

The host counts the bytes where every extent has the same value in front of the region. Where it cannot, or where they
are too many for a block, the arrays come from the heap.
"""

from __future__ import annotations

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.generic.known_counts import host_text
from rexcc.lowering.generic.scope import TeamScope
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.extents import declared_extents, element_of
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.runtime_arrays import array_name, check_element, name_text
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.edits import Content, content, listed
from rexcc.source.text import Span


def extents_of(variable: Node) -> tuple[Node, ...]:
    """Return the extents of a variable-length array that the run knows, as far as they are written at the array."""
    return tuple(parts(variable)) if types.is_variable_length(variable.type) else ()


def team_array(body: DeviceBody, variable: Node) -> Content:
    """Return the declaration of an array of the team; raises CompileError for what cannot be lowered."""
    name, found = variable.spelling, declared_extents(body, variable, variable.type)
    check_element(body, variable, found)
    body.needs.team_memory = True
    made = f"rex_team_array<{found.arguments}> {array_name(name)}(__rex_memory, "
    return content(made, listed(found.texts), ")", name_text(name, found))


def refused(what: str, place: Span | None) -> CompileError:
    """Return the error for a variable of a team that cannot be lowered."""
    return error("unsupported-team-variable", f"{what}; this cannot be lowered yet", place)


def shared_bytes(region: TargetRegion, data: RegionData, scope: TeamScope, room: int) -> str:
    """Return the shared memory for a region's arrays as a host expression, empty where the host cannot count it.

    ``room``: what the region's other variables leave of a block's shared memory.
    """
    arrays = [d for v, d in scope.declared.items() if v in scope.shared and types.is_variable_length(d.type)]
    sizes = [_array_bytes(region, data, array) for array in arrays]
    sizes += captured_bytes(data, frozenset(scope.shared))
    return launched_bytes(sizes, room)


def captured_bytes(data: RegionData, shared: frozenset[Variable]) -> list[str]:
    """Return the bytes of the private arrays from outside of which a team has one copy."""
    found = [a.variable for a in data.attributes if a.variable in shared and not a.variable.decays]
    kinds = [(v, types.without_reference(v.cursor.type)) for v in found]
    return [f"rex_array_bytes(sizeof {host_name(v)}, 1)" for v, kind in kinds if types.is_variable_length(kind)]


def launched_bytes(sizes: list[str], room: int) -> str:
    """Return the shared memory that a launch gives for arrays of these sizes."""
    if not sizes or not all(sizes) or room <= 0:
        return ""
    return f"rex_shared_bytes({' + '.join(sizes)}, {room})"


def _array_bytes(region: TargetRegion, data: RegionData, array: Node) -> str:
    """Return the bytes of one array as a host expression, empty where only the region knows its extents."""
    extents = extents_of(array)
    element, dimensions = element_of(array.type)
    texts = [host_text(region, data, extent) for extent in extents]
    if len(extents) != dimensions or not all(texts):
        return ""
    size = int(types.canonical(element).get_size())
    count = _product(texts)
    unknown = f"sizeof({spelling.spell(element)})"  # it depends on a template's parameter
    return f"rex_array_bytes({count}, {size if size > 0 else unknown})"


def _product(counts: list[str]) -> str:
    text = counts[0]
    for count in counts[1:]:
        text = f"rex_collapse({text}, {count})"
    return text
