"""Loops that the threads of a block share and that do little: each thread takes four iterations at a time.

In: a loop and its form. Out: the block around its statement, or None where it stays a plain loop. Before and after::

    for (long i = threadIdx.x; i < n; i += blockDim.x) { … }

    rex_each(threadIdx.x, n, [&](long i) { … });

Where an iteration does no more than to compute what it stores at its end, the four values come before the first store
(:mod:`.late_stores`).

A block has few threads, so what each has in flight decides how long a light loop takes. The compiler does not unroll
one whose step only the run knows, for it would have to divide to count its iterations, which costs more than a short
loop. What the team has in memory of its own is there at once, so loops that read nothing else stay as they are.

It cannot be noticed: a thread executes the same iterations in the same order. The statement becomes the body of a
lambda, so nothing in it may leave it or go on with the next iteration, and five copies of it are made: it holds a few
accesses and no functions, loops or constructs.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.tuned_kernels import left_out_of
from rexcc.clang import library, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.kernel.ir import Block, Code, Do, For
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.late_stores import late_stores, place_late
from rexcc.lowering.loops.loop_forms import IterationOrder, LoweredLoop
from rexcc.lowering.loops.tile_rules import LIGHT, LIGHT_CALLS, MOST_LOADS, leads_to_element
from rexcc.lowering.model.geometry import DEFAULT_THREADS
from rexcc.lowering.text.team import Team
from rexcc.program.constructs import Construct
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit

_MOST_NODES = 150
_SHORT = 90
"""Characters of a header that stays in one line."""

_CAPTURED = VARIABLE_KINDS | FUNCTION_KINDS | {"ENUM_CONSTANT_DECL"}
_SIGNED = frozenset({"SCHAR", "CHAR_S", "SHORT", "INT", "LONG", "LONGLONG"})


def light_loop(
    context: Context,
    construct: Construct,
    loops: tuple[CanonicalLoop, ...],
    lowered: LoweredLoop,
    team: Team,
    code: Code,
) -> Block | None:
    """Return the block of a light loop around ``code``, None for other loops."""
    header = lowered.headers[-1]
    if lowered.order is not IterationOrder.BY_INDEX or not isinstance(header, For) or context.is_pattern:
        return None
    if not team.is_block or not team.known:
        return None
    if header.relation != "<" or header.step != f"+= {team.threads}" or header.also:
        return None
    if not is_light_loop(context.unit, construct, loops):
        return None
    late = late_stores(context.body, construct, loops[0].body)
    if late is None:
        return _each("rex_each", header, f"[&]({header.declared})", code)
    place_late(context.body, late)
    ending = () if late.always else (Do("return {};"),)
    return _each("rex_each_late", header, f"[&]({header.declared}) -> {late.result}", (*code, *ending))


def is_light_loop(unit: ParsedUnit, construct: Construct, loops: tuple[CanonicalLoop, ...]) -> bool:
    """Whether the loop of a construct counts upwards by one and does so little that a thread takes four iterations."""
    if len(loops) > 1 or any(construct.descendants()) or Optimisation.LIGHT_LOOPS in left_out_of(unit, construct):
        return False
    loop = loops[0]
    if types.kind_name(loop.index_type.get_canonical()) not in _SIGNED or loop.step.value != 1 or not loop.increasing:
        return False
    most = evaluate_integer(loop.bound.cursor)
    region = _region_of(construct)
    chosen = construct.directive.has("num_threads") or region.directive.has("num_teams")
    few = unit.target.limits.threads if chosen else DEFAULT_THREADS  # of so many iterations hardly a thread has four
    return (most is None or most >= few) and _is_light(loop.body, region.body)


def _each(function: str, header: For, lambda_: str, code: Code) -> Block:
    first = f"{function}({header.start}, {header.bound},"
    between = " " if len(first) + len(lambda_) < _SHORT else "\n         "
    return Block(f"{first}{between}{lambda_}", code, ");")


def _region_of(construct: Construct) -> Construct:
    """Return the outermost construct around one."""
    while construct.parent is not None:
        construct = construct.parent
    return construct


def _is_light(body: Node, region: Node | None) -> bool:
    """Whether a statement is a few accesses, of which one at least reads what the team has not made itself, and what is
    computed with them."""
    nodes = list(body.walk())
    if len(nodes) > _MOST_NODES or not all(map(_is_light_node, nodes)):
        return False
    targets = [node.children[0].bare() for node in nodes if node.operator == "="]
    elements = [node for node in nodes if leads_to_element(node)]
    read = [node for node in elements if not any(node is target for target in targets)]
    return len(elements) <= MOST_LOADS and not all(_is_of_team(node, region) for node in read)


def _is_of_team(element: Node, region: Node | None) -> bool:
    """Whether an element is one of an array that is declared in the region."""
    while element.kind == "ARRAY_SUBSCRIPT_EXPR":
        element = element.children[0].bare()
    array = element.referenced if element.kind == "DECL_REF_EXPR" and types.is_array(element.type) else None
    if array is None or region is None or library.has_global_storage(array):
        return False
    file, start = library.file_location(array.location, region.tree.names)
    return file == region.file and region.start <= start < region.end


def _is_light_node(node: Node) -> bool:
    if node.kind == "CALL_EXPR":
        callee = node.referenced
        return callee is not None and library.in_system_header(callee) and callee.spelling in LIGHT_CALLS
    if node.kind == "DECL_REF_EXPR":
        named = node.referenced  # a structured binding cannot be captured
        return named is not None and kind_of(named) in _CAPTURED and not types.is_volatile(node.type)
    if node.kind == "VAR_DECL":
        kind = types.without_reference(node.type)
        is_small = types.is_scalar(kind) or types.is_pointer(kind)
        return is_small and not library.has_global_storage(node.cursor)
    return (node.kind in LIGHT or node.kind == "IF_STMT") and not types.is_volatile(node.type)
