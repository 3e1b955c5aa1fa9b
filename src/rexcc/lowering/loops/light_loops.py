"""Light loops, of which a thread takes four iterations at a time: which they are, and how they are written.

In: the loop of a construct or of a region, and its form. Out: whether it does little, and the form with four. For
threads of a block (:mod:`rexcc.lowering.constructs.light_loops`) and those of a reduction over the grid::

    for (long long __rex_i = _dev_thread_id; __rex_i < n; __rex_i += _dev_thread_num) { int i = (int)__rex_i; … }

    rex_each_in_grid(_dev_thread_id, n, _dev_thread_num, [&](long long __rex_i) {
      int i = rex_index<int>(__rex_i); … });

The compiler would divide 64-bit numbers to count the iterations of the first one, so as to unroll it, which costs a
thread with few iterations more than these. ``rex_index`` tells it that the index is the counter and not its lower half,
so addresses are added up: an ``int`` that goes up from a literal which is not negative has no negative value, and none
above its type's greatest, for beyond that the user's own loop would overflow.

It cannot be noticed: a thread executes the same iterations in the same order. The statement becomes the body of a
lambda, so nothing in it may leave it or go on with the next iteration, and five copies of it are made: it holds a few
accesses and no functions of the user's, loops or constructs. A reduction over the grid has threads enough, so there an
iteration must not compute long in ``double`` (:mod:`.slow_parts`).
"""

from __future__ import annotations

from math import prod

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.tuned_kernels import left_out_of
from rexcc.clang import library, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.kernel.ir import Code, Declare, For
from rexcc.lowering.loops.light_parts import LIGHT, LIGHT_CALLS
from rexcc.lowering.loops.loop_forms import LoweredLoop
from rexcc.lowering.loops.slow_parts import slow_part
from rexcc.lowering.loops.small_functions import small_function
from rexcc.lowering.loops.tile_rules import MOST_LOADS, leads_to_element
from rexcc.lowering.model.geometry import DEFAULT_THREADS
from rexcc.program.constructs import Construct
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit
from rexcc.source.own_names import own_name
from rexcc.source.records import replace

_MOST_NODES = 150
_OTHER_ATOMICS = ("read", "write", "capture", "compare")
_SHORT = 90
"""Characters of a header that stays in one line."""

_CAPTURED = VARIABLE_KINDS | FUNCTION_KINDS | {"ENUM_CONSTANT_DECL"}
_SIGNED = frozenset({"SCHAR", "CHAR_S", "SHORT", "INT", "LONG", "LONGLONG"})


def over_grid(region: TargetRegion, lowered: LoweredLoop) -> LoweredLoop | None:
    """Return the form of a light loop over the grid, None for other loops."""
    header, loop = lowered.headers[-1], region.loops[0]
    if not isinstance(header, For) or header.relation != "<" or header.step != "+= _dev_thread_num" or header.also:
        return None
    if region.owner.template is not None or (header.index == loop.name and not counts_up(loop)):
        return None  # a counter of its own cannot overflow
    if (
        not is_light_loop(region.unit, region.constructs[-1], region.loops)
        or slow_part(region, [loop.body]) is not None
    ):
        return None
    text = call("rex_each_in_grid", header, f"[&]({header.declared})", "_dev_thread_num")
    return replace(lowered, headers=(*lowered.headers[:-1], text), body=with_index(loop, lowered.body), behind=");")


def call(function: str, header: For, lambda_: str, *stride: str) -> str:
    """Return the beginning of a call that executes a loop's iterations, up to the lambda's body."""
    first = f"{function}({', '.join((header.start, header.bound, *stride))},"
    between = " " if len(first) + len(lambda_) < _SHORT else "\n" + " " * len(f"{function}(")
    return f"{first}{between}{lambda_}"


def counts_up(loop: CanonicalLoop) -> bool:
    """Whether a loop counts up from a small literal that is not negative."""
    return loop.increasing and not loop.type_text and loop.lower_value is not None and 0 <= loop.lower_value < 1 << 31


def with_index(loop: CanonicalLoop, code: Code) -> Code:
    """Return code that begins with an index, which tells that this is what counts it."""
    if not code or types.kind_name(loop.index_type.get_canonical()) != "INT" or not counts_up(loop):
        return code
    index, counter = code[0], own_name(loop.name)
    if not isinstance(index, Declare) or index.name != loop.name or index.value != f"(int){counter}":
        return code
    return (replace(index, value=f"rex_index<int>({counter})"), *code[1:])


def is_light_loop(
    unit: ParsedUnit, construct: Construct, loops: tuple[CanonicalLoop, ...], small_functions: bool = False
) -> bool:
    """Whether the loop of a construct counts upwards by one and does so little that a thread takes four iterations;
    ``small_functions`` of the user's count as little."""
    if len(loops) > 1:
        return False
    loop = loops[0]
    if types.kind_name(loop.index_type.get_canonical()) not in _SIGNED or loop.step.value != 1 or not loop.increasing:
        return False
    return _is_worth_four(unit, construct, evaluate_integer(loop.bound.cursor), loop.body, small_functions)


def is_light_nest(unit: ParsedUnit, construct: Construct, loops: tuple[CanonicalLoop, ...]) -> bool:
    """Whether the innermost of several loops, in which all others' statements are, does as little, or makes atomic
    updates besides."""
    if len(loops) < 2 or inner_headers(loops) or not all(loop.is_integer for loop in loops):
        return False
    bounds = [evaluate_integer(loop.bound.cursor) for loop in loops]
    most = prod(bound for bound in bounds if bound is not None) if None not in bounds else None
    return _is_worth_four(unit, construct, most, loops[-1].body, may_update=True)


def _is_worth_four(
    unit: ParsedUnit,
    construct: Construct,
    most: int | None,
    statement: Node,
    small_functions: bool = False,
    may_update: bool = False,
) -> bool:
    """Whether a statement is light and a thread has four iterations of it; ``most`` is how many all have, if known.

    ``may_update``: it may have atomic updates inside.
    """
    inside = list(construct.descendants())
    if not all(may_update and _is_update(one) for one in inside):
        return False
    if Optimisation.LIGHT_LOOPS in left_out_of(unit, construct):
        return False
    region = _region_of(construct)
    chosen = construct.directive.has("num_threads") or region.directive.has("num_teams")
    few = unit.target.limits.threads if chosen else DEFAULT_THREADS  # of so many iterations hardly a thread has four
    probes = frozenset(one.node for one in inside)
    return (most is None or most >= few) and _is_light(unit, statement, region.body, small_functions, probes)


def _is_update(construct: Construct) -> bool:
    """Whether a construct is an atomic update."""
    directive = construct.directive
    return directive.name == "atomic" and construct.body is not None and not any(map(directive.has, _OTHER_ATOMICS))


def _region_of(construct: Construct) -> Construct:
    """Return the outermost construct around one."""
    while construct.parent is not None:
        construct = construct.parent
    return construct


def _is_light(
    unit: ParsedUnit, body: Node, region: Node | None, small_functions: bool, probes: frozenset[Node]
) -> bool:
    """Whether a statement is a few accesses, of which one at least reads what the team has not made itself, and what is
    computed with them; ``probes`` stand for constructs."""
    nodes = [node for node in body.walk() if node not in probes]
    called = {node: small_function(unit, node) for node in nodes} if small_functions else {}
    count = len(nodes) + sum(len(list(one.walk())) for one in called.values() if one is not None)
    if count > _MOST_NODES or not all(called.get(node) is not None or _is_light_node(node) for node in nodes):
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
    return region.has_declaration(array)


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
