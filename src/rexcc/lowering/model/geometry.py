"""Launch geometry: teams and threads as host expressions.

In: a region. Out: :class:`Geometry`. What the user wrote stays exactly; only what he left open is chosen, from the
nesting of loops here and from the trip count at run time. The rules stand in ``runtime/include/rex_geometry.h``.
"""

from __future__ import annotations

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.evaluated_parts import other_calls, parts_of
from rexcc.analysis.host_bounds import device_variables, reads_objects
from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop, Step, literal_value
from rexcc.analysis.references import collect
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.lowering.model.host_values import Number, asked_for
from rexcc.lowering.model.launch import Geometry
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import replace

DEFAULT_THREADS = 256
NESTED_THREADS = 128
"""Threads of a block where an iteration has long loops in loops: more blocks share those out more evenly (G3)."""
SHORT_LOOPS = 64
"""Iterations of loops in loops, together, up to which an iteration is short: then the blocks' number is what counts."""
LEAST_BOUNDED = 64
"""Threads of the narrowest block whose registers can be bounded: a multiprocessor has places for so many blocks."""
_UNSIGNED = frozenset({"ULONG", "ULONGLONG"})
_SMALL_STEP = 16


def geometry(region: TargetRegion, data: RegionData) -> Geometry:
    """Return the launch geometry of a region."""
    teams = region.expression("num_teams") if region.has_teams else None
    in_order = any(True for _ in region.clauses("ordered"))  # one thread executes all iterations: nothing could overlap
    threads, constant = _threads(region)
    reduces = any(a.reduction for a in data.attributes)
    limit = _limit(region, reduces)
    bound = 1 if in_order else _launch_bound(region, threads, constant, limit)
    return Geometry(
        teams=asked_for(teams[0]) if teams else None,
        threads=threads,
        one_team=not region.has_teams or in_order,
        one_thread=not region.has_parallel or in_order,
        bound=bound,
        constant_threads=constant if constant is not None and _is_whole(region, threads) else 0,
        tripcount=region_tripcount(region),
        reduces=reduces,
        team_chunk=_team_chunk(region),
        teams_if=condition_of(region, "teams"),
        limit=limit,
        is_spare=threads is not None and not reduces and _has_spare_threads(region),
        registers=region.choice.registers if bound >= LEAST_BOUNDED else 0,
    )


def _limit(region: TargetRegion, reduces: bool) -> int:
    """Return the most threads of a block where no clause says more: what was chosen for this kernel, or the rule."""
    if region.choice.threads and region.loops and not region.has_inner_parallel:
        return region.choice.threads
    return NESTED_THREADS if region.loops and not reduces and _is_long(region) else DEFAULT_THREADS


def threads_of_shared_loop(count: str, is_light: bool, limit: str) -> str:
    """Return the threads of teams that have an iteration each and share a loop of so many, for a most of them."""
    if is_light:
        return f"rex_light_threads(__device_id, __rex_tripcount, {count}, {limit})"
    return f"rex_parallel_threads(__device_id, {count}, {limit})"


def _has_spare_threads(region: TargetRegion) -> bool:
    """Whether nothing can tell how many threads a team has: ``num_threads`` and ``thread_limit`` are upper bounds, the
    loop's iterations are shared by all threads of all teams, and no code asks for them."""
    if not region.loops or region.has_inner_parallel or region.owner.template is not None:
        return False
    if any(region.clauses("schedule", "dist_schedule", "ordered")) or not region_tripcount(region):
        return False
    return not can_tell_threads(region.unit, region.iteration)


def _is_long(region: TargetRegion) -> bool:
    """Whether loops stand in loops in an iteration, and not only short ones whose iterations are constants."""
    if nesting(region.iteration) < 2:
        return False
    turns = iteration_turns(region)
    return turns is None or turns > SHORT_LOOPS


def iteration_turns(region: TargetRegion) -> int | None:
    """Return how often an iteration executes the innermost statement of its deepest loops, None where unknown."""
    return _turns(region, region.iteration)


def _turns(region: TargetRegion, node: Node) -> int | None:
    """Return how often the innermost statement of a statement's deepest loops is executed, None where unknown."""
    inner = [_turns(region, child) for child in node.children]
    if node.kind in ("FOR_STMT", "CXX_FOR_RANGE_STMT"):
        inner.append(1)
    known = [one for one in inner if one is not None]
    if len(known) < len(inner):
        return None
    most = max(known, default=1)
    if node.kind not in ("FOR_STMT", "CXX_FOR_RANGE_STMT"):
        return most
    own = constant_trips(region, node)
    return None if own is None else own * most


def constant_trips(region: TargetRegion, node: Node) -> int | None:
    """Return about how many iterations a loop between constants has, None for any other."""
    try:
        loop = canonical_loop(region.unit, node)
    except CompileError:
        return None
    lower, upper, step = evaluate_integer(loop.lower.cursor), evaluate_integer(loop.bound.cursor), loop.step.value
    if lower is None or upper is None or not step:
        return None
    return abs(upper - lower) // abs(step) + 1


def nesting(node: Node) -> int:
    """Return how many ``for`` loops stand one in the other in a statement."""
    inner = max((nesting(child) for child in node.children), default=0)
    return inner + (node.kind in ("FOR_STMT", "CXX_FOR_RANGE_STMT"))


def _team_chunk(region: TargetRegion) -> str:
    schedules = (c.schedule("distribute") for c in region.constructs)
    return next((s.chunk.text.strip() for s in schedules if s is not None and s.chunk is not None), "")


def _threads(region: TargetRegion) -> tuple[Number | None, int | None]:
    """Return the user's threads expression and its value where constant."""
    if not region.has_parallel:
        return None, None
    wanted = [e for e in (region.expression("num_threads"), region.expression("thread_limit")) if e is not None]
    condition = condition_of(region, "parallel")
    if not wanted:
        return (Number(f"({condition}) ? {DEFAULT_THREADS} : 1") if condition else None), None
    number, value = _smallest(wanted)
    return (Number(f"({condition}) ? {number.text} : 1") if condition else number), value


def _is_whole(region: TargetRegion, threads: Number | None) -> bool:
    """Whether threads are what one clause says, whatever conditions and other clauses there are."""
    asked = (region.expression("num_threads"), region.expression("thread_limit"))
    return any(asked_for(e[0]) == threads for e in asked if e)


def _smallest(wanted: list[tuple[str, Node | None]]) -> tuple[Number, int | None]:
    values = [constant_value(text, node) for text, node in wanted]
    if len(wanted) == 1:
        return asked_for(wanted[0][0]), values[0]
    first, second = values
    if first is not None and second is not None:
        return (asked_for(wanted[0][0]), first) if first <= second else (asked_for(wanted[1][0]), second)
    known = first if second is None else second
    return Number(f"rex_min({wanted[0][0]}, {wanted[1][0]})"), known


def constant_value(text: str, node: Node | None) -> int | None:
    """Return the value of a clause's expression, None where only the run knows it."""
    value = literal_value(text)
    return evaluate_integer(node.cursor) if value is None and node is not None else value


def condition_of(region: TargetRegion, leaf: str) -> str:
    """Return the condition of the ``if`` clause that acts on a leaf, empty for none.

    Where one acts on ``target`` too, the host executes the region if it is false: nothing is left to decide.
    """
    for construct in region.constructs:
        condition = construct.condition(leaf)
        if condition is not None and (leaf == "target" or condition is not construct.condition("target")):
            return condition.text.strip()
    return ""


def launch_bound(region: TargetRegion) -> int:
    """Return the most threads of a block of a region that reduces, 0 where only the run knows."""
    return _launch_bound(region, *_threads(region), _limit(region, reduces=True))


def _launch_bound(region: TargetRegion, threads: Number | None, constant: int | None, limit: int) -> int:
    if not region.has_parallel:
        return 1
    if threads is None:
        return limit
    if constant is None or not 0 < constant <= region.unit.target.limits.threads:
        return 0
    return constant


def region_tripcount(region: TargetRegion) -> str:
    """Return the iterations of the whole nest as a host expression, empty where it cannot be computed up front."""
    if not region.loops:
        return ""
    counts = [host_tripcount(region, loop) for loop in region.loops]
    if any(not c for c in counts):
        return ""
    text = counts[0]
    for count in counts[1:]:
        text = f"rex_collapse({text}, {count})"
    return text


def host_tripcount(region: TargetRegion, loop: CanonicalLoop) -> str:
    """Return one loop's iterations, from the same facts that the kernel's loop is made of."""
    if not (loop.is_integer or loop.is_pointer) or not _known_before(region, loop):
        return ""
    lower, upper = (loop.value(n, lambda node: host_value(region, node)) for n in (loop.lower, loop.bound))
    within = frozenset(loop.step_node.walk()) if loop.step_node is not None else frozenset()
    if any(b.is_looked_up and b.node in within for b in region.host_bounds):
        loop = replace(loop, step=Step(f"({loop.step.text} ? {loop.step.text} : 1)"))  # the host's value may be zero
    return tripcount(loop, lower, upper)


def tripcount(loop: CanonicalLoop, lower: str, upper: str, function: str = "rex_tripcount_{}") -> str:
    """Return one loop's iterations as an expression for host and device, from expressions of its bounds.

    ``function`` is what counts them, with a place for the relation.
    """
    lower, upper = in_order(loop, lower, upper) if loop.is_integer else ("0", f"({upper}) - ({lower})")
    return f"{function.format(relation_name(loop))}({lower}, {upper}, {loop.step.text})"


def host_value(region: TargetRegion, node: Node) -> str:
    """Return a bound as a host expression: the variable that has its value, or what the user wrote."""
    bound_of = region.bound_of(node) or region.bound_of(node.bare())
    return bound_of.name if bound_of is not None else region.unit.user_text(node)


def in_order(loop: CanonicalLoop, lower: str, upper: str) -> tuple[str, str]:
    """Return the texts of an integer loop's bounds as those of signed numbers in the same order.

    Where the lower end of an unsigned index is a small number and so is the step, a greater distance than signed
    numbers have would be more iterations than anyone can run. The upper end may be great where there are none.
    """
    if loop.converted.order == "unsigned int":
        return f"(unsigned int)({lower})", f"(unsigned int)({upper})"
    if types.kind_name(loop.index_type.get_canonical()) not in _UNSIGNED and not loop.converted.order:
        return lower, upper
    end = loop.lower_value if loop.increasing else loop.bound_value
    if end is not None and loop.step.value is not None and loop.step.value < _SMALL_STEP:
        return lower, upper
    return f"rex_ordered({lower})", f"rex_ordered({upper})"


def relation_name(loop: CanonicalLoop) -> str:
    """Return ``lt``, ``le``, ``gt`` or ``ge``."""
    return {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[loop.relation]


def _known_before(region: TargetRegion, loop: CanonicalLoop) -> bool:
    """Whether the bounds use only what exists on the host where the directive stands, call only functions of numbers,
    and divide by nothing that the device may have another value of."""
    parts = [loop.lower, loop.bound, *([loop.step_node] if loop.step_node else [])]
    parts = [part for part in parts if region.bound_of(part) is None]
    if any(True for p in parts for _ in other_calls(p)):
        return False
    divisors = (n.children[-1] for p in parts for n in p.walk() if n.operator in ("/", "%"))
    if any(list(parts_of(divisor)) for divisor in divisors):
        return False  # the host may have a zero there
    construct = region.construct
    assert construct.body is not None
    on_device = device_variables(region.constructs) if any(map(reads_objects, parts)) else frozenset()
    for variable in collect(parts).variables.values():
        if variable in on_device:
            return False
        place = region.unit.tree.node(variable.cursor)
        if place.is_inside(construct.body):
            return False
    return True
