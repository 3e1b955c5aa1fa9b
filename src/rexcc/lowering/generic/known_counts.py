"""What the host knows of a team's parallel loops where their region begins: bounds, and numbers of iterations.

In: a region with its attributes, an expression or a parallel of its team code. Out: whether the expression has the same
value on the host, and the iterations as a host expression.

The host evaluates what the region may never come to, so nothing of it may fail there: no division by what may be zero,
and nothing that a pointer or an index leads to.
"""

from __future__ import annotations

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.loops import CanonicalLoop, Step
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.references import collect
from rexcc.analysis.regions import TargetRegion, collapse_depth, effective_leaves
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.lowering.model.geometry import tripcount
from rexcc.program.constructs import Construct
from rexcc.source.records import dataclass, replace

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
        counts.append(tripcount(_with_a_step(loop), lower, upper))
    text = counts[0]
    for count in counts[1:]:
        text = f"rex_collapse({text}, {count})"
    return Count(loops, text)


def _with_a_step(loop: CanonicalLoop) -> CanonicalLoop:
    """Return a loop whose step is not zero, which one of the run's may be where nothing comes to the loop."""
    if loop.step.value is not None:
        return loop
    return replace(loop, step=Step(f"rex_max({loop.step.text}, 1)"))


def is_known_before(region: TargetRegion, data: RegionData, node: Node) -> bool:
    """Whether the host can evaluate an expression where the region begins, and it has the same value there."""
    body = region.construct.body
    assert body is not None
    if any(_may_fail(n) or _is_declared_in(body, n) for n in node.walk()):
        return False
    for variable in collect([node]).variables.values():
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


def _may_fail(node: Node) -> bool:
    """Whether to evaluate an expression may fail where the program does not do so: it calls, divides, or follows a
    pointer or an index."""
    match node.kind:
        case "CALL_EXPR":
            return True
        case "UNARY_OPERATOR":
            return node.operator == "*"
        case "BINARY_OPERATOR" if node.operator in ("/", "%"):
            return evaluate_integer(node.children[1].cursor) in (None, 0, -1)
        case "ARRAY_SUBSCRIPT_EXPR":
            array, index = node.children
            return not types.is_array(array.bare().type) or evaluate_integer(index.cursor) is None
        case "MEMBER_REF_EXPR":
            return any(types.is_pointer(n.type) and n.bare().kind != "CXX_THIS_EXPR" for n in node.children)
        case _:
            return False


def _is_declared_in(body: Node, node: Node) -> bool:
    """Whether a name means what a region itself declares: a variable, a type or a constant."""
    return node.referenced is not None and body.tree.node(node.referenced).is_inside(body)
