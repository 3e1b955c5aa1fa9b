"""Loops of a team's sequential code that load in turns (the form is in ``turns``).

In: an innermost loop of a region with parallels that stands in none of these. Out: its elements, or None where it
stays. One thread executes it while the others wait, as where it adds up what they have counted::

    for (int i = 0; i < BINS; i++) {
      total += hist[i];
      sums[i] = total;
    }

The device's compiler loads an element behind the store of the iteration before, so each iteration waits for the team's
memory. It is as for other turns, but that arrays are variables, of which no two have an element in common: those that
the loop loads from are others than those it stores to, and it writes nothing else but such elements and variables.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, parts
from rexcc.lowering.loops.turn_addresses import Addresses
from rexcc.lowering.loops.turn_counts import iterations_of_turn
from rexcc.lowering.loops.turn_elements import can_have_local, elements_of
from rexcc.lowering.loops.turn_rules import TurnLoop, counting_loop, is_simple
from rexcc.program.variables import Variable, named_variable


def serial_turn_loop(context: CleanupContext, statement: Node) -> TurnLoop | None:
    """Return a loop of a team's sequential code that loads in turns, None for another."""
    loop = counting_loop(context, statement) if not any(map(statement.is_inside, _parallels(context))) else None
    if loop is None or not is_simple(context, loop):
        return None
    stored = _stored(context, loop)
    if not stored:
        return None
    addresses = Addresses(context, loop)
    elements = elements_of(context, loop, addresses, _is_element)
    if not elements or any(_array_of(context, loads[0]) in stored for loads in elements):
        return None
    iterations = iterations_of_turn(False, loop, elements, is_storing=False)
    found = tuple(map(tuple, elements))
    return TurnLoop(loop, addresses, found, iterations, (), frozenset(), addresses.locals) if iterations else None


def _parallels(context: CleanupContext) -> list[Node]:
    """Return the statements that the threads of a team execute together."""
    constructs = context.kernel.region.constructs[-1].descendants()
    return [one.body for one in constructs if one.body is not None and "parallel" in one.directive.leaves]


def _is_element(context: CleanupContext, load: Node) -> bool:
    """Whether an access loads an element of an array that the team has and its threads share."""
    array = _array_of(context, load)
    if array is None or not can_have_local(context, load):
        return False
    uses = context.memory.provenance.uses.get(array, [])
    return any(use.is_inside(parallel) for use in uses for parallel in _parallels(context))


def _stored(context: CleanupContext, loop: CanonicalLoop) -> set[Variable]:
    """Return the arrays to whose elements a loop stores; none where it writes anything else but variables."""
    found: set[Variable] = set()
    for node in (node for node in loop.body.walk() if is_written(node)):
        array = _array_of(context, node)
        variable = named_variable(node.bare())
        if array is not None:
            found.add(array)
        elif variable is None or types.is_reference(variable.type) or not types.is_scalar(variable.type):
            return set()
    return found


def _array_of(context: CleanupContext, element: Node) -> Variable | None:
    """Return the array of the region that an expression names an element of, None for any other expression."""
    node = element.bare()
    if node.kind != "ARRAY_SUBSCRIPT_EXPR":
        return None
    while node.kind == "ARRAY_SUBSCRIPT_EXPR":
        node = parts(node)[0].bare()
    variable = named_variable(node)
    if variable is None or not types.is_array(variable.type) or variable not in context.memory.provenance.declared:
        return None
    return variable if context.memory.provenance.place(element) == frozenset({OWN}) else None
