"""Teams whose threads share rows of an array: where rows are short, two of them are a block.

In: a region whose teams have an iteration each, and parallel loops in it from ``p[i]`` to ``p[i + 1]``, ``i`` being its
index. Out: the array and the number of rows, and whether the kernel may decide by them. Only the GPU knows how long the
loops are, so teams have two warps at least (rule 16 of ``runtime/include/rex_geometry.h``)::

    #pragma omp target teams distribute
    for (int i = 0; i < n; i++) {
      …
    #pragma omp parallel for reduction(+ : s)
      for (int k = p[i]; k < p[i + 1]; k++)

All rows together have ``p[n] - p[0]`` iterations. The program reads both, for it executes the loop in every iteration,
so the kernel may; and as nothing changes them while it runs, all blocks find the same. A row that is much longer than
the others takes twice as long with one warp as with two.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.kernel.printer import lines
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, Memory
from rexcc.lowering.cleanups.restrict_read_only import pointer_changes
from rexcc.lowering.generic.plan import Form
from rexcc.lowering.generic.region import TeamRegion
from rexcc.lowering.generic.teams_of_lanes import may_be_lanes
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass

_MANY = "rex_threads_of_many_teams("
_INSIDE = frozenset({"parallel for", "parallel for simd", "simd", "atomic"})
_OF_ONE = frozenset({"simd", "atomic"})
_INTEGERS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
_NUMBERS = _INTEGERS | {"SHORT", "USHORT", "FLOAT", "DOUBLE"}
_POINTER_CASTS = frozenset(
    {"CSTYLE_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"}
)
_LEAVES = frozenset({"CONTINUE_STMT", "GOTO_STMT", "RETURN_STMT"})


@dataclass(frozen=True)
class Rows:
    """The array in which rows begin and end, and how many rows there are as the kernel calls them."""

    ends: Variable
    count: str


def rows_of_teams(region: TargetRegion, data: RegionData, team: TeamRegion) -> Rows | None:
    """Return the rows of a region's teams, None where the loops of their threads are none."""
    threads = team.launch.threads
    if Optimisation.WARP_TEAMS in region.left_out or threads is None or not threads.text.startswith(_MANY):
        return None
    body, loops = region.construct.body, region.loops
    if len(loops) != 1 or body is None or not may_be_lanes(region, data, team) or any(region.clauses("dist_schedule")):
        return None
    count = _count(region, loops[0])
    parallels = [p.construct for p in team.top.walk() if p.form is Form.PARALLEL and p.construct is not None]
    if not count or not parallels or _may_leave(loops[0].body, [c.node for c in parallels]):
        return None
    if can_tell_threads(region.unit, body, _INSIDE, _OF_ONE):
        return None
    found = {_ends(region, loops[0], c.node, c.body) for c in parallels}
    ends = next(iter(found)) if len(found) == 1 else None
    return Rows(ends, count) if ends is not None else None


def _count(region: TargetRegion, loop: CanonicalLoop) -> str:
    """Return how many iterations a loop has that counts from zero, as the kernel calls it, empty for others."""
    if loop.lower_value != 0 or loop.relation != "<" or loop.step.value != 1 or not loop.is_integer:
        return ""
    if region.bound_of(loop.bound) is not None:
        return ""
    named = named_variable(loop.bound.bare())
    is_number = named is not None and types.is_scalar(named.type) and not types.is_reference(named.type)
    return region.unit.user_text(loop.bound).strip() if is_number or loop.bound_value is not None else ""


def _may_leave(body: Node, parallels: list[Node]) -> bool:
    """Whether an iteration may end without its parallels, or has them not in every case."""
    if body.kind != "COMPOUND_STMT" or any(node.parent is not body for node in parallels):
        return True
    return any(n.kind in _LEAVES and not any(n.is_inside(p) for p in parallels) for n in body.walk())


def _ends(region: TargetRegion, outer: CanonicalLoop, node: Node, body: Node | None) -> Variable | None:
    """Return the array that has the bounds of a parallel loop."""
    try:
        loop = canonical_loop(region.unit, body) if body is not None else None
    except CompileError:
        return None
    if loop is None or loop.relation != "<" or loop.step.value != 1:
        return None
    first, last = (_element(_value(outer.body, bound), outer.index) for bound in (loop.lower, loop.bound))
    if first is None or last is None or first[0] != last[0] or (first[1], last[1]) != (0, 1):
        return None
    return first[0]


def _value(body: Node, bound: Node) -> Node:
    """Return what a bound is: where it names a constant of the iteration, that one's value."""
    inner = bound.bare()
    named = named_variable(inner)
    if named is None or not types.is_constant(named.type):
        return inner
    for statement in body.children:
        for declared in statement.children if statement.kind == "DECL_STMT" else ():
            if declared.kind == "VAR_DECL" and Variable(declared.cursor) == named and declared.children:
                return declared.children[-1].bare()
    return inner


def _element(node: Node, index: Variable) -> tuple[Variable, int] | None:
    """Return the array of ``p[i]`` or ``p[i + 1]``, and how far the element is from the index."""
    if node.kind != "ARRAY_SUBSCRIPT_EXPR" or len(node.children) != 2:
        return None
    array, at = named_variable(node.children[0].bare()), node.children[1].bare()
    if array is None or not types.is_pointer(array.type):
        return None
    if named_variable(at) == index:
        return array, 0
    is_sum = at.kind == "BINARY_OPERATOR" and at.operator == "+" and len(at.children) == 2
    if not is_sum or named_variable(at.children[0].bare()) != index or evaluate_integer(at.children[1].cursor) != 1:
        return None
    return array, 1


def has_rows(context: CleanupContext, rows: Rows, strict_aliasing: bool) -> bool:
    """Whether nothing changes the ends of the rows while the kernel runs, and what comes before they are asked for is
    the same for blocks and lanes."""
    kernel = context.kernel
    mine = next((p for p in kernel.parameters if p.name == rows.ends.name), None)
    kind = types.kind_name(_pointed(rows.ends))
    if mine is None or mine.value_of != rows.ends or kernel.flushes or kind not in _INTEGERS:
        return False
    if not mine.is_restrict and not (strict_aliasing and _are_of_other_types(context, rows.ends)):
        return False
    words = kernel.region.unit.target.words
    before = "\n".join(lines((*kernel.locals, *(s for p in kernel.parameters for s in p.prologue)), words))
    return not any(word in before for word in (words.thread, words.threads, words.block, words.blocks, words.barrier))


def _pointed(pointer: Variable) -> Type:
    return types.canonical(types.canonical(pointer.type).get_pointee())


def _are_of_other_types(context: CleanupContext, pointer: Variable) -> bool:
    """Whether all that the kernel writes is numbers of other types than what a constant pointer of the kernel points
    to, by the names that it has for them."""
    region, written = context.kernel.region, context.memory.written
    attribute = context.kernel.data.of(pointer)
    if written is None or attribute is None or pointer_changes(attribute) is not None:
        return False
    if any(n.kind in _POINTER_CASTS and types.is_pointer(n.type) for n in region.body.walk()):
        return False
    if any(True for _ in called_bodies(region.unit.tree, [region.body])):
        return False
    return all(place == OWN or _is_apart(place, _pointed(pointer)) for place in written)


def _is_apart(place: Memory, pointed: Type) -> bool:
    if place.variable is None:
        return False
    kind = types.canonical(types.without_reference(place.variable.type))
    kind = types.canonical(types.innermost(types.canonical(kind.get_pointee()) if place.pointee else kind))
    ours, theirs = types.kind_name(pointed).lstrip("U"), types.kind_name(kind)
    return theirs in _NUMBERS and theirs.lstrip("U") != ours
