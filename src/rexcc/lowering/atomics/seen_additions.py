"""Whether an iteration can see that what it adds to an element has not reached it yet.

In: the ``atomic`` constructs of a loop over the grid that add to elements of arrays. Out: whether additions may wait
until the iterations are done (:mod:`.bins`).

What an iteration accesses behind the first of the constructs, or in a loop with one, must provably be other memory, or
an object of another type where these are told apart. What comes before them may be the same memory, also where a
function reads it: this iteration has not changed it yet, and another one may not without a race. That holds for plain
reads only, so such a function has no constructs, in which it could read atomically, and no volatile objects.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.function_facts import function_facts
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.effects import ANYTHING, CALLING
from rexcc.lowering.cleanups.memory import NOWHERE, Places, union
from rexcc.lowering.loops.accesses import Access, accesses_of, differ_in_type
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Addition:
    """An ``atomic`` construct that adds to an element of an array."""

    construct: Construct
    array: Variable
    node: Node
    target: Node
    function: str

    @property
    def size(self) -> int:
        """The bytes of what it adds to."""
        return int(self.target.type.get_size())


def nothing_sees(context: CleanupContext, updates: list[Addition], strict_aliasing: bool) -> bool:
    """Whether no access of an iteration can tell that an addition has not reached its element yet."""
    memory, iteration = context.memory, context.kernel.region.iteration
    elements: Places = NOWHERE
    for one in updates:
        elements = union(elements, memory.provenance.place(one.target))
    begin = min(_begin(context, one) for one in updates)
    if any(_may_see(context, node, elements, begin) for node in iteration.walk()):
        return False
    targets = {one.target for one in updates}
    others = (a for a in accesses_of(memory, iteration) if a.node.bare() not in targets and a.node.end > begin)
    added = [Access(one.target, elements, False) for one in updates]
    return all(
        memory.all_apart(elements, access.place)
        or (strict_aliasing and all(differ_in_type(access, one) for one in added))
        for access in others
    )


def _begin(context: CleanupContext, one: Addition) -> int:
    """Return from where on accesses may come after an addition: from the outermost loop around it, or its end."""
    loops = list(loops_around(context, one.construct.node))
    return loops[-1].start if loops else one.construct.node.end


def loops_around(context: CleanupContext, node: Node) -> Iterator[Node]:
    """Yield the loops of an iteration that a node is in, the innermost one first."""
    loop = context.nearest_loop(node)
    while loop is not None:
        yield loop
        loop = context.nearest_loop(loop)


def _may_see(context: CleanupContext, node: Node, elements: Places, begin: int) -> bool:
    """Whether a part of an iteration does what nobody knows, waits, or calls what writes anything or reads elements
    that may have been added to."""
    effects = context.memory.of_node(node)
    if node.kind not in CALLING:
        return effects == ANYTHING or node.is_called_code
    if effects.written != NOWHERE:
        return True
    if context.memory.all_apart(elements, effects.read):
        return False
    return node.end > begin or not _reads_plainly(context, node)


def _reads_plainly(context: CleanupContext, call: Node) -> bool:
    """Whether what a call reads would be a race if other threads changed it."""
    facts, tree = function_facts(context.body.unit), context.body.unit.tree
    called = [tree.node(function) for function in facts.reached(call)]
    return not any(facts.constructs_in(one) or any(types.is_volatile(n.type) for n in one.walk()) for one in called)
