"""Which loops over the grid are sure to have a thread for each iteration.

In: a kernel with its geometry. Out: whether the launch that the compiler chooses gives each iteration a thread of its
own (rule 4 of ``runtime/include/rex_geometry.h``). Such a kernel needs no loop on a GPU. It is worth knowing: what a
thread would keep for its next iteration costs registers, and with them threads that run side by side, and a few
instructions more count where an iteration is short (docs/decisions/024-one-iteration-for-each-thread.md).

The launch is the compiler's only if the program names no teams, and threads only as a constant; a grid has enough
blocks if the index has 32 bits; and the environment may not limit either (``rex_registration.cpp``). The host counts
iterations with its own variables, so the kernel must have the same values: bounds are made of constants, of what
travels by value, and of what the host evaluates for both.

Other loops over such a grid 32 bits can count. Their form, or None where 64 bits are needed. Before and after::

    for (int i = 0; i < n; i++) …

    const unsigned _dev_thread_num = rex_stride(gridDim.x * blockDim.x);
    const unsigned _dev_thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    const unsigned __rex_trips = rex_up_to(n);
    for (unsigned __rex_i = _dev_thread_id; __rex_i < __rex_trips; __rex_i += _dev_thread_num) {
      int i = (int)__rex_i; …

Short kernels are bound by their instructions, and 64-bit numbers, their comparison and the step are some 20 of them
(docs/decisions/024-one-iteration-for-each-thread.md).

An ``int`` that goes up from a literal has fewer than 2^31 iterations; the grid is the launch's own, so it has at most a
block more threads than that; and a step of at most 2^31 from a number below 2^31 does not wrap. (The step matters to no
thread of a grid of more threads than that: it has one iteration.) A reduction keeps its 64-bit counter, because the
compiler cannot unroll a loop whose counter may wrap.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node, kind_of
from rexcc.kernel.ir import For, UserSlot
from rexcc.lowering.loops.loop_forms import LoweredLoop, Text, constant
from rexcc.lowering.loops.numbered_loops import device_tripcount, positions_of
from rexcc.lowering.model.launch import Geometry, Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import variable_of
from rexcc.source.own_names import own_name
from rexcc.target.model import Limits

_GRID = ("target", "teams", "distribute", "parallel", "for")
_OF_LEAGUE = frozenset({"omp_get_team_num", "omp_get_num_teams"})
_ARITHMETIC = frozenset(
    {
        "INTEGER_LITERAL", "CHARACTER_LITERAL", "PAREN_EXPR", "UNEXPOSED_EXPR", "BINARY_OPERATOR", "UNARY_OPERATOR",
        "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CONDITIONAL_OPERATOR", "TYPE_REF",
    }
)  # fmt: skip


def has_thread_for_each(kernel: Kernel) -> bool:
    """Whether no thread of a GPU has a second iteration."""
    return has_chosen_grid(kernel) and is_counted_with_32_bits(kernel)


def is_counted_with_32_bits(kernel: Kernel) -> bool:
    """Whether a kernel has one loop, whose index has 32 bits, and the host counts as many iterations as it has."""
    loops = kernel.region.loops
    if len(loops) != 1 or not loops[0].is_integer or loops[0].is_wide or loops[0].type_text:
        return False
    return not loops[0].converted.order and is_known_to_host(kernel.region, kernel.data, loops[0])


def has_chosen_grid(kernel: Kernel) -> bool:
    """Whether the launch chooses blocks and threads, as many as there are iterations if these are fewer than 2**31."""
    return chooses_blocks(kernel) and _known_threads(kernel.geometry, kernel.region.unit.target.limits)


def chooses_blocks(kernel: Kernel) -> bool:
    """Whether the launch has as many blocks as its threads need for a thread for each iteration."""
    region, shape = kernel.region, kernel.geometry
    if tuple(leaf for leaf in region.leaves if leaf != "simd") != _GRID:
        return False
    is_shared_otherwise = shape.reduces or shape.has_bins or shape.one_team
    is_of_program = shape.teams is not None or bool(shape.teams_if)
    return bool(shape.tripcount) and not is_shared_otherwise and not is_of_program and not asks_for_league(region)


def asks_for_league(region: TargetRegion) -> bool:
    """Whether an iteration asks for its team's number or that of all teams: these are as many as the run's environment
    lets be (OMP_NUM_TEAMS)."""
    if not region.unit.kept(_names_league):
        return False
    tree = region.unit.tree
    bodies = (region.iteration, *called_bodies(tree, [region.iteration]))
    return not _OF_LEAGUE.isdisjoint(n.spelling for body in bodies for n in body.walk())


def _names_league(unit: ParsedUnit) -> bool:
    return any(name in file.scan.source.text for file in unit.files.values() for name in _OF_LEAGUE)


def is_known_to_host(region: TargetRegion, data: RegionData, loop: CanonicalLoop, is_asked: bool = False) -> bool:
    """Whether the host counts as many iterations of a loop as the kernel does; ``is_asked``: where the device's values
    of what is looked up are the host's."""
    parts = [loop.lower, loop.bound, *([loop.step_node] if loop.step_node else [])]
    bounds = [(part, region.bound_of(part)) for part in parts]
    parts = [part for part, bound in bounds if bound is None or bound.is_looked_up]
    asked = region.host_bounds if is_asked else ()
    known = frozenset(node for bound in asked for node in (bound.node, *bound.again))
    return all(_is_value(data, node) for part in parts for node in _walk_without(part, known))


def _walk_without(top: Node, left_out: frozenset[Node]) -> Iterator[Node]:
    """Yield a tree's nodes without some of its parts."""
    if top not in left_out:
        yield top
        for child in top.children:
            yield from _walk_without(child, left_out)


def _is_value(data: RegionData, node: Node) -> bool:
    """Whether a part of a bound means on the device what it means on the host."""
    if node.kind != "DECL_REF_EXPR":
        return node.kind in _ARITHMETIC and not (node.kind == "UNARY_OPERATOR" and node.operator in ("*", "&"))
    callee = node.referenced
    if callee is None or kind_of(callee) == "ENUM_CONSTANT_DECL":
        return callee is not None
    variable = variable_of(callee)
    attribute = data.of(variable) if variable is not None else None
    return attribute is not None and attribute.kind in (Kind.VALUE, Kind.CONSTANT)


def _known_threads(shape: Geometry, limits: Limits) -> bool:
    """Whether blocks have as many threads as the launch asks for, and not so few that there are not enough blocks."""
    if shape.threads is None:
        return True
    return limits.warp <= shape.constant_threads <= limits.threads


_INDICES = frozenset({"INT", "SHORT", "CHAR_S", "SCHAR", "UCHAR", "CHAR_U", "USHORT"})


def lower_narrow(kernel: Kernel, text: Text, form: str = "") -> LoweredLoop | None:
    """Return the form with a 32-bit counter; ``form`` is the type that tells the kernel, of which the launch chooses
    one."""
    loops = kernel.region.loops
    if len(loops) != 1 or not _owns_grid(kernel) or not _is_small(loops[0]):
        return None
    loop, number, words = loops[0], own_name(loops[0].name), kernel.region.unit.target.words
    before = (
        constant("_dev_thread_num", f"rex_stride({words.blocks} * {words.threads})", "unsigned"),
        constant("_dev_thread_id", words.number_in_grid(), "unsigned"),
        constant("__rex_trips", _count(loop, text), "unsigned"),
    )
    step = f"= rex_next_count<{form}>({number}, _dev_thread_num)" if form else "+= _dev_thread_num"
    header = For(f"unsigned {number}", number, "_dev_thread_id", "<", "__rex_trips", step)
    return LoweredLoop(before, (header,), (*positions_of((loop,), (loop,), number, text), UserSlot()))


def _owns_grid(kernel: Kernel) -> bool:
    """Whether the launch chooses blocks by the trip count, and nothing else asks for a thread's number."""
    region, shape = kernel.region, kernel.geometry
    is_grid = region.has_teams and region.has_parallel and not region.constructs[-1].children
    keeps_last = any(a.last for a in kernel.data.attributes) or any(region.clauses("linear", "induction"))
    return is_grid and shape.teams is None and bool(shape.tripcount) and not shape.reduces and not keeps_last


def _count(loop: CanonicalLoop, text: Text) -> str:
    bound_kind = types.kind_name(types.canonical(loop.bound.bare().type))
    if loop.is_from_zero and loop.step.is_one and loop.relation == "<" and bound_kind in _INDICES:
        return f"rex_up_to({loop.value(loop.bound, text)})"
    return f"(unsigned){device_tripcount(loop, text)}"


def _is_small(loop: CanonicalLoop) -> bool:
    """Whether a loop has fewer than 2^31 iterations whatever its bound."""
    kind = types.kind_name(loop.index_type.get_canonical())
    return kind in _INDICES and loop.increasing and loop.lower_value is not None and loop.step.value is not None
