"""Light loops that the threads of a block share: four neighbouring iterations of a thread load with one instruction.

In: a light loop (:mod:`.light_loops`) and its form. Out: its block, or None where it stays as it is. Before and after::

    rex_each(threadIdx.x, n, [&](long i) { s += a[i] * a[i]; });

    rex_each_of_fours<__rex_form, 4>(threadIdx.x, n,
        [&](long i) { return rex_apart(&a[i]); },
        [&](long long __rex_turn_first, auto __rex_turn) {
      float __rex_near_a[__rex_turn.count];
      { long i = __rex_turn_first; __rex_turn.load(__rex_near_a, &a[i]); }
      for (int __rex_turn_number = 0; …) { long i = …; s += __rex_near_a[__rex_turn_number] * …; }
    });

Few threads wait for memory, so what each has under way decides how long such a loop takes. The kernel's form for small
grids, which has registers for that, takes the iterations in fours (``rex_device_fours.h``), where the elements are
aligned: that is asked once, before the loop, of the first iteration, which there is then. In the usual form iterations
stay a block's threads apart.

It cannot be noticed. The directive makes the threads and shares out the loop at once, without a schedule, and nothing
in it asks for its thread, so no program knows which thread has which iteration; a thread that is alone has them in
order. Elements are loaded together where every iteration loads them, and before the iterations of a turn: each of them
stores at its end, or changes no more than what it declares and what a clause reduces, in an order that OpenMP leaves
open. In a conforming program no iteration loads what another one stores. All addresses are sums of the index, of what
the loop does not change, and of integers that the iteration declares with such sums (:mod:`.fixed_locals`), in types
that do not wrap, so neighbouring iterations have neighbouring elements.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_stored
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Block, Code, Declare, For
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.group_sums import changes_only, declared_in, reduced_numbers
from rexcc.lowering.constructs.late_stores import LateStores, deals_out_freely
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
from rexcc.lowering.loops.small_grids import FORM
from rexcc.lowering.loops.tile_rules import leads_to_element
from rexcc.lowering.text.placing import USER
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable

_MOST_FOURS, _BYTES = 4, 192
"""The most fours of a turn, and the bytes that all of its elements may have: three quarters of the registers."""


def fours(
    context: Context, construct: Construct, loop: CanonicalLoop, header: For, code: Code, late: LateStores | None
) -> Block | None:
    """Return the block of a loop whose elements are loaded in fours, None for other loops."""
    needs = context.body.needs
    if not needs.may_have_fours or not all(isinstance(one, Declare) for one in code[:-1]) or code[-1:] != USER:
        return None
    if late is None and not _only_reduces(construct, loop.body):
        return None
    if not is_in_lines(context, loop):
        return None
    iteration = Iteration.of(context, loop)
    loads = _loads(iteration)
    stored = _stored(iteration, late)
    if not loads or (late is not None and not stored and _loads_others(loop, loads)):
        return None  # what is loaded one by one would wait for the stores of the iterations before
    needs.has_forms = True
    elements = (*loads, *stored)
    place_locals(context, elements)
    in_a_turn = max(1, min(_MOST_FOURS, _BYTES // sum(4 * element.size for element in elements)))
    function = f"rex_each_of_fours<{FORM}, {in_a_turn}{needs.of_lanes}>"
    return turns(iteration, function, "rex_apart", header, code[:-1], loads, stored)


def _only_reduces(construct: Construct, body: Node) -> bool:
    """Whether a loop changes only what its iterations declare and what its clauses reduce."""
    reduced = reduced_numbers(construct)
    is_free = deals_out_freely(construct, body)
    return bool(reduced) and is_free and changes_only([body], declared_in([body]) | reduced)


def _loads(iteration: Iteration) -> tuple[Element, ...]:
    """Return the elements that every iteration loads, each in a place beside the last one's."""
    found: dict[Variable, list[Node]] = {}
    for node in elements_of(iteration.body):
        array = array_of(node)
        if array is not None and not is_stored(node):
            found.setdefault(array, []).append(node)
    chosen = (tuple(nodes) for nodes in found.values() if _can_be_loaded(iteration, nodes))
    return tuple(turn_element(iteration.context, nodes, "") for nodes in chosen)


def _loads_others(loop: CanonicalLoop, loads: tuple[Element, ...]) -> bool:
    """Whether an iteration loads more than these elements."""
    known = {node for element in loads for node in element.accesses}
    return any(leads_to_element(node) and node not in known and not is_stored(node) for node in loop.body.walk())


def _can_be_loaded(iteration: Iteration, nodes: list[Node]) -> bool:
    """Whether all accesses to an array are loads of one element, and one of them is in every iteration."""
    if len({outline_of(node) for node in nodes}) > 1 or not all(map(is_loaded, nodes)):
        return False
    if not any(is_always_evaluated(node, iteration.body) for node in nodes):
        return False
    return all(has_neighbours(iteration, node) for node in nodes)


def _stored(iteration: Iteration, late: LateStores | None) -> tuple[Element, ...]:
    """Return the element that every iteration stores at its end, none where that has no place beside the last one's."""
    if late is None or not late.always or len(late.stores) > 1:
        return ()
    target = late.stores[0].bare().children[0].bare()
    if target.kind != "ARRAY_SUBSCRIPT_EXPR" or array_of(target) is None or not has_neighbours(iteration, target):
        return ()
    return (turn_element(iteration.context, (target,), "stored"),)
