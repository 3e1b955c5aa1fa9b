"""Which kernels have a second form for small grids, with more registers.

In: a region and its geometry. Out: whether its iterations have loops that load. ptxas keeps kernels to as few registers
as let a multiprocessor have all the threads it can, and then loads wait for each other. Where a grid has no more than
half of those threads, that gains nothing, and a kernel that may have twice the registers has more loads under way
(docs/decisions/057-kernels-for-small-grids.md). The launch chooses by the grid; both kernels compute the same, so
nothing but time can tell. Kernels with team code have such a form where loops that their threads share load elements in
fours (:mod:`rexcc.lowering.constructs.fours`), which is what the form does then; loops of sines have one test for
several iterations in it (:mod:`.several_sines`).
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.clang.library import evaluate_integer, template_of
from rexcc.clang.tree import Node, Tree
from rexcc.lowering.model.launch import Geometry
from rexcc.program.optimisations import Optimisation

FORM = "__rex_form"
"""The form of a kernel, where some loops of that for small grids are others: the parameter of the template."""

_GRID = ("target", "teams", "distribute", "parallel", "for")
_LONG = 64
"""Iterations of a loop that is worth more registers."""
_MOST_ACCESSES = 32
"""Elements that an iteration with functions uses whose threads may have no more than twice the usual registers."""


def has_small_grids(region: TargetRegion, shape: Geometry) -> bool:
    """Whether a region's kernel has a form for small grids."""
    if not may_have_small_grids(region) or shape.grouped:
        return False
    if shape.tile > 1 or shape.has_wide:
        return False  # its registers are chosen already (jam)
    limits = region.unit.target.limits
    if not limits.warp < shape.bound <= limits.threads // 2:
        return False
    is_own = region.owner.template is None and any(map(_loads_in_turn, region.iteration.walk()))
    return is_own or _loads_in_functions(region)


def may_have_small_grids(region: TargetRegion) -> bool:
    """Whether a region is of the kind that may have such a form: the same for all instances of a template."""
    if Optimisation.SMALL_GRIDS in region.left_out or not region.loops or region.has_inner_parallel:
        return False
    return is_over_grid(region)


def is_over_grid(region: TargetRegion) -> bool:
    """Whether the threads of all teams share the iterations of a region's loops."""
    return tuple(leaf for leaf in region.leaves if leaf != "simd") == _GRID


def may_have_fours(region: TargetRegion, shape: Geometry, wraps: bool) -> bool:
    """Whether loops of a region's team code may have another form in a kernel for small grids.

    ``wraps``: sums of signed numbers may, so the next index need not be that of the neighbour.
    """
    if Optimisation.SMALL_GRIDS in region.left_out or region.owner.template is not None or wraps:
        return False
    if region.keeps_objects:
        return False  # the two forms are instantiations of a template
    return shape.bound <= region.unit.target.limits.threads // 2 and shape.bound != 1


def _loads_in_turn(node: Node) -> bool:
    """Whether a statement is a loop that may be long and uses elements of arrays, without loops inside."""
    if node.kind != "FOR_STMT" or len(node.children) != 4 or _is_short(node.children[1]):
        return False
    inside = list(node.children[3].walk())
    return any(node.is_pointee for node in inside) and not any(n.kind in _LOOPS for n in inside)


def _loads_in_functions(region: TargetRegion) -> bool:
    """Whether such a loop stands in an iteration or in a function that it calls, which nvcc puts in its place, also the
    function of a closure. They access so few elements, and call nothing that is not seen, as functions of the math
    library are, that twice the registers are enough."""
    tree = region.unit.tree
    bodies = [region.iteration, *called_bodies(tree, [region.iteration])]
    nodes = [node for body in bodies for node in body.walk()]
    if not 0 < sum(node.is_pointee for node in nodes) <= _MOST_ACCESSES or any(map(_is_call_of_unseen, nodes)):
        return False
    return any(_reaches_loads(tree, node) for node in nodes if node.kind == "FOR_STMT")


def _is_call_of_unseen(node: Node) -> bool:
    callee = node.referenced if node.kind == "CALL_EXPR" else None
    return (
        node.kind == "CALL_EXPR" and (callee is None or not _is_defined(callee)) and not _is_written_by_compiler(callee)
    )


def _is_defined(function: Cursor) -> bool:
    """Whether a function or its template has a body here: clang makes no instances of `std::forward` and the like."""
    pattern = template_of(function)
    return function.get_definition() is not None or (pattern is not None and pattern.get_definition() is not None)


def _is_written_by_compiler(function: Cursor | None) -> bool:
    return function is not None and bool(function.is_default_method())


def _reaches_loads(tree: Tree, loop: Node) -> bool:
    """Whether a loop that may be long uses elements, itself or in functions that it calls, and reaches no other."""
    if len(loop.children) != 4 or _is_short(loop.children[1]):
        return False
    inside = [node for body in (loop.children[3], *called_bodies(tree, [loop.children[3]])) for node in body.walk()]
    return any(node.is_pointee for node in inside) and not any(node.kind in _LOOPS for node in inside)


_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"})


def _is_short(condition: Node) -> bool:
    """Whether a loop ends at a small constant."""
    bare = condition.bare()
    bound = evaluate_integer(bare.children[-1].cursor) if bare.kind == "BINARY_OPERATOR" else None
    return bound is not None and abs(bound) < _LONG
