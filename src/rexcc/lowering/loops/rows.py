"""Inner loops in which a thread goes along a row of its own, and loads neighbouring elements of it together.

In: innermost loops of an iteration or of a team's code. Out: their elements as locals, and the form that
:func:`~rexcc.lowering.loops.turns.place_turns` gives them (``rex_device_rows.h``). Before::

    for (int c = 0; c < n; c++) s += q[c] * a[i * 80 + c];

after::

    rex_along_row<int, 16>(0, n, [&](int c) { return &a[i * 80 + c]; },
                           [&](int c) { return rex_are_aligned_rows(&q[c]); },
                           [&](int __rex_turn_first, auto __rex_turn) {
      /* Neighbouring elements of the thread's row are loaded together. */
      float __rex_ahead_a[__rex_turn.count], __rex_ahead_q[__rex_turn.count];
      {
        int c = __rex_turn_first;
        rex_load_row(__rex_turn, __rex_ahead_a, &a[i * 80 + c]);
        rex_load_beside(__rex_turn, __rex_ahead_q, &q[c]);
      }
      #pragma unroll
      for (int __rex_turn_number = 0; __rex_turn_number < __rex_turn.count; __rex_turn_number++) {
        int c = __rex_turn_first + __rex_turn_number;
        s += __rex_ahead_q[__rex_turn_number] * __rex_ahead_a[__rex_turn_number];
      }
    });

It cannot be noticed. The iterations are the same, in the same order, and each executes the user's statement, as in
turns (:mod:`.turns`): the loop counts up by one between values that it does not change, nothing in it leaves it, skips
a part of it, or is a construct or an unknown call, and each iteration makes a load of each element. Here, besides,

* nothing that the loop writes can be an element, by a proof of the compiler's. Threads may wait for each other in front
  of the loop and behind it, but not in it: what another thread writes meanwhile would be a race;
* the elements of a turn lie side by side: the array does not change in the loop, and the subscript has the slope one in
  the index, in a type in which it cannot wrap;
* they are loaded as pieces of 16 bytes only at addresses that are multiples of that.

It is for loops of :mod:`.row_rules`.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.kernel.ir import Declare
from rexcc.lowering.cleanups.context import CleanupContext, TurnElement, Turns
from rexcc.lowering.cleanups.unroll import is_taken
from rexcc.lowering.loops.row_rules import RowLoop, row_loop
from rexcc.lowering.loops.several_roots import has_to_do_with_construct
from rexcc.lowering.loops.turns import in_local
from rexcc.lowering.model.topics import Topic
from rexcc.program.optimisations import Optimisation

_ROW, _BESIDE = "rex_load_row", "rex_load_beside"


def load_rows(context: CleanupContext) -> None:
    """Give locals to the elements of the loops that qualify."""
    region = context.kernel.region
    if region.choice.unroll or Optimisation.NEIGHBOURS in region.left_out:
        return
    loops = context.inner_loops()
    for statement in loops:
        is_outer = any(inner in loops for inner in statement.walk() if inner is not statement)
        if is_outer or is_taken(context, statement) or has_to_do_with_construct(context, statement):
            continue
        found = row_loop(context, statement)
        if found is not None:
            _load_row(context, found)


def _load_row(context: CleanupContext, found: RowLoop) -> None:
    loop, firsts = found.loop, [loads[0] for loads in found.elements]
    places = tuple(Declare(declared, name, value) for declared, name, value in found.addresses.needed(firsts))
    elements = tuple(_element(context, found, loads) for loads in found.elements)
    rows: tuple[str, ...] = (_asked(found, [found.own], f"&{context.body.original(found.own)}"),)
    if found.beside:
        addresses = ", ".join(f"&{context.body.original(one)}" for one in found.beside)
        rows += (_asked(found, list(found.beside), f"rex_are_aligned_rows({addresses})"),)
    context.turns[loop.statement] = Turns(loop, found.iterations, elements, places, rows=rows)
    own = context.body.original(found.own)
    context.tell(f"'{own}' and its neighbours in this loop are loaded together", loop.statement, topic=Topic.LOOP)


def _asked(found: RowLoop, elements: list[Node], value: str) -> str:
    """Return the statements that return a value made of the addresses of an iteration's elements."""
    places = "".join(f"{declared} = {value}; " for declared, _, value in found.addresses.needed(elements))
    return f"{places}return {value};"


def _element(context: CleanupContext, found: RowLoop, loads: tuple[Node, ...]) -> TurnElement:
    """Put a local in the place of the loads of an element."""
    first = loads[0]
    loader = _ROW if first is found.own else _BESIDE if first in found.beside else ""
    return in_local(context, loads, frozenset(), loader)
