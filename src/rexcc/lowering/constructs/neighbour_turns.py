"""Loops that the threads of a block share and that call small functions: neighbouring iterations of a thread together.

In: a loop that would be light (:mod:`.light_loops`) but for functions of the user's, and its form. Out: its block, or
None where it stays as it is. Before and after::

    for (long i = threadIdx.x; i < n; i += blockDim.x) { y[i] = half(x[i] + y[i]); s += y[i]; }

    rex_each_of_neighbours<2>(threadIdx.x, n,
        [&](long i) { return rex_are_aligned<2>(&x[i], &y[i]); },
        [&](long long __rex_turn_first, auto __rex_turn) {
      float __rex_near_x[__rex_turn.count], __rex_near_y[__rex_turn.count];
      { long i = __rex_turn_first; __rex_turn.load(__rex_near_x, &x[i]); … }
      for (int __rex_turn_number = 0; …) { long i = …; __rex_near_y[__rex_turn_number] = half(…); … }
      { long i = __rex_turn_first; __rex_turn.store(&y[i], __rex_near_y); }
    });

Eight bytes of an array are loaded with one instruction: two neighbours of four bytes, four of less. Where the elements
of the first iteration are not aligned, or a thread has few iterations, each turn has one.

Straight code joins what all threads get of the reductions of such a loop (:mod:`rexcc.lowering.generic.known_to_all`).

It cannot be noticed. As in loops in fours no program knows which thread has which iteration, and a thread that is alone
has them in order. An iteration changes what it declares, what a clause reduces, and one element, by a statement that
every iteration executes; behind that it reads nothing that the element could be but the element itself, in whose
place a local stands. So within an iteration all comes in its order. In a conforming program no iteration loads what
another one stores, for threads may execute both at the same time. The functions that it calls read and change nothing
but their parameters (:mod:`rexcc.lowering.loops.small_functions`).
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_stored
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.kernel.ir import Block, Code, Declare, For
from rexcc.lowering.constructs.context import Context, reductions
from rexcc.lowering.constructs.group_sums import declared_in, reduced_numbers
from rexcc.lowering.constructs.late_stores import deals_out_freely
from rexcc.lowering.constructs.turn_elements import (
    Element,
    Iteration,
    array_of,
    elements_of,
    has_neighbours,
    is_always_evaluated,
    is_in_lines,
    is_loaded,
    place_locals,
    turn_element,
    turns,
)
from rexcc.lowering.loops.accesses import outline_of
from rexcc.lowering.loops.light_loops import is_light_loop
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, ELEMENTS
from rexcc.lowering.loops.tile_rules import leads_to_element
from rexcc.lowering.text.placing import USER
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import replace

_BYTES, _MOST = 8, 4
"""The bytes that are loaded with one instruction, and the most iterations of a turn."""

_KINDS = ELEMENTS | {"FLOAT16"}
_STEPS = frozenset({"++", "--", "p++", "p--"})
_OF_OBJECTS = frozenset({"MEMBER_REF_EXPR", "CXX_THIS_EXPR"})


def neighbour_turns(
    context: Context, construct: Construct, loop: CanonicalLoop, header: For, code: Code
) -> Block | None:
    """Return the block of a loop of which a thread takes neighbouring iterations together, None for other loops."""
    if not context.body.needs.may_take_neighbours or not is_in_lines(context, loop):
        return None
    if not all(isinstance(one, Declare) for one in code[:-1]) or code[-1:] != USER:
        return None
    if not is_light_loop(context.unit, construct, (loop,), small_functions=True):
        return None
    if not deals_out_freely(construct, loop.body):
        return None
    stores = [node for node in elements_of(loop.body) if is_stored(node)]
    own = declared_in([loop.body]) | reduced_numbers(construct)
    if len(stores) > 1 or not _changes_only(construct, loop.body, own, stores):
        return None
    iteration = Iteration.of(context, loop, _KINDS)
    elements = _elements(iteration)
    stored = tuple(one for one in elements if any(node in stores for node in one.accesses))
    loads = tuple(one for one in elements if any(node not in stores for node in one.accesses))
    if not loads or len(stored) < len(stores) or not all(_comes_last(loop.body, one, own) for one in stored):
        return None
    number = min(_MOST, _BYTES // max(one.size for one in elements))
    if number < 2:
        return None
    place_locals(context, elements)
    function, asked = f"rex_each_of_neighbours<{number}{context.body.needs.of_lanes}>", f"rex_are_aligned<{number}>"
    return replace(turns(iteration, function, asked, header, code[:-1], loads, stored), has_neighbours=True)


def _changes_only(construct: Construct, body: Node, own: frozenset[Variable], stores: list[Node]) -> bool:
    """Whether an iteration changes what it declares and what clauses reduce, and stores these elements."""
    if reductions(construct.directive.clauses) and not reduced_numbers(construct):
        return False
    for node in body.walk():
        if node.operator in ASSIGNMENTS or node.operator in _STEPS:
            target = node.children[0].bare()
            if named_variable(target) not in own and not any(target is store.bare() for store in stores):
                return False
        elif node.kind == "VAR_DECL" and types.is_reference(node.type):
            return False  # another name of what may be stored
    return True


def _elements(iteration: Iteration) -> tuple[Element, ...]:
    """Return the elements that every iteration accesses, each in a place beside the last one's."""
    found: dict[Variable, list[Node]] = {}
    for node in elements_of(iteration.body):
        array = array_of(node)
        if array is not None:
            found.setdefault(array, []).append(node)
    chosen = (tuple(nodes) for nodes in found.values() if _have_neighbours(iteration, nodes))
    return tuple(turn_element(iteration.context, nodes, "") for nodes in chosen)


def _have_neighbours(iteration: Iteration, nodes: list[Node]) -> bool:
    """Whether all accesses to an array are to one element, and one of them is in every iteration."""
    if len({outline_of(node) for node in nodes}) > 1 or not all(is_loaded(node) or is_stored(node) for node in nodes):
        return False
    if not any(is_always_evaluated(node, iteration.body) for node in nodes):
        return False
    return all(has_neighbours(iteration, node) for node in nodes)


def _comes_last(body: Node, stored: Element, own: frozenset[Variable]) -> bool:
    """Whether a statement of an iteration's stores an element, and those behind it read nothing else that it may be."""
    store = next(node for node in stored.accesses if is_stored(node)).in_parentheses().parent
    statements = body.children if body.kind == "COMPOUND_STMT" else [body]
    at = next((at for at, one in enumerate(statements) if one.bare() is store), None)
    if at is None:
        return False
    behind = (node for one in statements[at + 1 :] for node in one.walk())
    inside = {part for access in stored.accesses for part in access.walk()}
    return all(node in inside or _is_of_iteration(node, own) for node in behind)


def _is_of_iteration(node: Node, own: frozenset[Variable]) -> bool:
    """Whether a part of an expression reads nothing that threads share."""
    if leads_to_element(node) or node.kind in _OF_OBJECTS:
        return False
    if node.kind != "DECL_REF_EXPR" or node.referenced is None:
        return True
    is_constant = kind_of(node.referenced) in FUNCTION_KINDS or kind_of(node.referenced) == "ENUM_CONSTANT_DECL"
    return is_constant or named_variable(node) in own
