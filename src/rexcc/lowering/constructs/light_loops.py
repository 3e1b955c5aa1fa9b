"""Loops that the threads of a block share and that do little: each thread takes four iterations at a time.

In: a loop and its form. Out: the block around its statement, or None where it stays a plain loop. Before and after::

    for (long i = threadIdx.x; i < n; i += blockDim.x) { … }

    rex_each(threadIdx.x, n, [&](long i) { … });

A block has few threads, so what each has in flight decides how long a light loop takes. The compiler does not unroll
one whose step only the run knows, for it would have to divide to count its iterations, which costs more than a short
loop. What the team has in memory of its own is there at once, so loops that read nothing else stay as they are.

It cannot be noticed: a thread executes the same iterations in the same order. The statement becomes the body of a
lambda, so nothing in it may leave it or go on with the next iteration, and five copies of it are made: it holds a few
accesses and no functions, loops or constructs.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import library, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.kernel.ir import Block, Code, For
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.loops.loop_forms import IterationOrder, LoweredLoop
from rexcc.lowering.loops.tile_rules import LIGHT, LIGHT_CALLS, MOST_LOADS, leads_to_element
from rexcc.lowering.text.team import Team
from rexcc.program.constructs import Construct
from rexcc.program.optimisations import Optimisation

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
    if len(loops) > 1 or lowered.order is not IterationOrder.BY_INDEX or not isinstance(header, For):
        return None
    if Optimisation.LIGHT_LOOPS in context.unit.left_out:
        return None
    if context.is_pattern or not team.is_block or not team.known or any(construct.descendants()):
        return None
    loop = loops[0]
    kind = types.kind_name(loop.index_type.get_canonical())
    if kind not in _SIGNED or header.relation != "<" or header.step != f"+= {team.threads}" or header.also:
        return None
    most = evaluate_integer(loop.bound.cursor)
    few = context.unit.target.limits.threads  # of so many iterations hardly a thread has four
    if (most is not None and most < few) or loop.body is None or not _is_light(loop.body, _region_of(construct)):
        return None
    first, lambda_ = f"rex_each({header.start}, {header.bound},", f"[&]({header.declared})"
    between = " " if len(first) + len(lambda_) < _SHORT else "\n         "
    return Block(f"{first}{between}{lambda_}", code, ");")


def _region_of(construct: Construct) -> Node | None:
    """Return the statement of the outermost construct around one."""
    while construct.parent is not None:
        construct = construct.parent
    return construct.body


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
