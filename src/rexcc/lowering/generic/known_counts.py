"""What the host knows of a team's parallel loops where their region begins: bounds, and numbers of iterations.

In: a region with its attributes, an expression or a parallel of its team code. Out: whether the expression has the same
value on the host, and the iterations as a host expression.
"""

from __future__ import annotations

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.references import collect
from rexcc.analysis.regions import TargetRegion, collapse_depth, effective_leaves
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.model.geometry import tripcount
from rexcc.program.constructs import Construct
from rexcc.source.records import dataclass

_CAME_BY_VALUE = frozenset({Kind.VALUE, Kind.CONSTANT})


@dataclass(frozen=True)
class Count:
    """The loops of a parallel, and how many iterations they have together, as a host expression."""

    loops: tuple[CanonicalLoop, ...]
    text: str


def iterations_of(region: TargetRegion, data: RegionData, construct: Construct) -> Count | None:
    """Return the iterations of a parallel loop, None for other parallels and where the host cannot count them."""
    leaves = [leaf for leaf in effective_leaves(construct) if leaf != "simd"]
    if leaves != ["parallel", "for"] or construct.body is None:
        return None
    loops = loop_nest(region.unit, construct.body, collapse_depth(construct))
    counts: list[str] = []
    for loop in loops:
        bounds = [loop.lower, loop.bound, *([loop.step_node] if loop.step_node is not None else [])]
        if not loop.is_integer or not all(is_known_before(region, data, n) for n in bounds):
            return None
        lower, upper = (loop.value(n, region.unit.user_text) for n in (loop.lower, loop.bound))
        counts.append(tripcount(loop, lower, upper))
    text = counts[0]
    for count in counts[1:]:
        text = f"rex_collapse({text}, {count})"
    return Count(loops, text)


def is_known_before(region: TargetRegion, data: RegionData, node: Node) -> bool:
    """Whether an expression has the same value on the host where the region begins."""
    if any(n.kind == "CALL_EXPR" for n in node.walk()):
        return False
    body = region.construct.body
    assert body is not None
    for variable in collect([node]).variables.values():
        place = region.unit.tree.node(variable.cursor)
        if place.is_inside(body):
            return False
        attribute = data.of(variable)
        if (
            attribute is not None
            and attribute.kind not in _CAME_BY_VALUE
            and not types.is_constant(variable.cursor.type)
        ):
            return False
        if attribute is not None and (attribute.variable.written or attribute.variable.exposed):
            return False
    return True
