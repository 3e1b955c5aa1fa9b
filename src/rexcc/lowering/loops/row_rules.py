"""Which inner loops load neighbouring elements of a thread's own row together (the form is in ``rows``).

In: an innermost loop of an iteration, or of a team's code. Out: its elements, or None where it stays. What makes it
invisible is in ``rows``. It pays where a thread goes along a row of its own: each load of a warp then finds as many
lines of the cache as it has threads, one after the other, whether it takes 4 bytes of each or 16.

Loops stay where the compiler keeps the row in registers: those of a constant number of iterations, in another loop that
does not change the row. So do loops of few iterations, of functions of the math library that take longer than the
loads, and those that load anything else from a place that is not known in front of the iterations.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.cleanups.neighbour_addresses import values_of_address
from rexcc.lowering.cleanups.neighbour_threads import Distances, thread_indices
from rexcc.lowering.cleanups.unroll import is_of_math
from rexcc.lowering.loops.accesses import Access
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.inner_loop import InnerLoop
from rexcc.lowering.loops.turn_addresses import Addresses
from rexcc.lowering.loops.turn_counts import words_of
from rexcc.lowering.loops.turn_elements import elements_of
from rexcc.lowering.loops.turn_rules import accesses_to, counting_loop, is_for_jam, is_simple
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

PIECE = 16
"""The bytes that are loaded together."""

_WORD = 4
"""The bytes of the smallest elements that are."""

_ITERATIONS, _REGISTERS, _MOST_NODES, _FEW = (16, 8, 4), (32, 64), 1200, 33
"""How many iterations a turn has: the most whose rows and whose elements need no more registers, and whose copies no
more nodes of the tree; a constant number of iterations below which a loop stays."""


@dataclass(frozen=True, eq=False)
class RowLoop:
    """A loop with the loads of its elements: those of ``own``, the thread's row, come first.

    ``beside`` are the first loads of elements that are neighbours in neighbouring iterations, too, and that all threads
    find aligned alike where their own rows are.
    """

    loop: CanonicalLoop
    addresses: Addresses
    elements: tuple[tuple[Node, ...], ...]
    beside: tuple[Node, ...]
    iterations: int

    @property
    def own(self) -> Node:
        """The first load of the row that the address is asked of."""
        return self.elements[0][0]


def row_loop(context: CleanupContext, statement: Node) -> RowLoop | None:
    """Return a loop that loads neighbouring elements of a row together, None for another."""
    loop = counting_loop(context, statement, may_be_short=True) if statement not in context.folded else None
    if loop is None or not (loop.increasing and loop.step.is_one) or context.wraps:
        return None
    if _count(loop) in range(_FEW) or not is_simple(context, loop) or is_of_math(context, statement):
        return None
    addresses = Addresses(context, loop)
    elements = elements_of(context, loop, addresses)
    if not elements or is_for_jam(context, loop, elements):
        return None
    inner = InnerLoop(context, loop, strict=False)
    loads = accesses_to(inner, elements)
    if not loads or not all(_stays_there(context, loop, load) for load in loads):
        return None
    firsts = {found[0] for found in elements}
    along = [load.node for load in loads if load.node in firsts and _goes_by_one(inner, load)]
    own = next((node for node in along if _is_own_row(context, loop, node)), None)
    if own is None:
        return None
    beside = tuple(node for node in along if node is not own and _is_aligned_alike(context, own, node))
    iterations = _iterations(loop, elements, {own, *beside})
    if not iterations:
        return None
    ordered = sorted(elements, key=lambda found: found[0] is not own)
    return RowLoop(loop, addresses, tuple(map(tuple, ordered)), beside, iterations)


def _count(loop: CanonicalLoop) -> int | None:
    """Return how many iterations a loop has where that is a constant."""
    first, bound = (evaluate_integer(node.cursor) for node in (loop.lower, loop.bound))
    return None if first is None or bound is None else max(bound - first, 0)


def _stays_there(context: CleanupContext, loop: CanonicalLoop, load: Access) -> bool:
    """Whether nothing that the loop writes can be an element that it loads."""
    return context.memory.all_apart(load.place, context.memory.effects(loop.statement).written)


def _goes_by_one(inner: InnerLoop, load: Access) -> bool:
    """Whether a load is one of neighbouring elements of an array in neighbouring iterations."""
    node = load.node.bare()
    if node.kind != "ARRAY_SUBSCRIPT_EXPR" or types.canonical(node.type).get_size() < _WORD:
        return False
    base, subscript = node.children
    slopes = Slopes(inner.loop.index, inner.locals)
    found = slopes.of(subscript)
    return found is not None and found.value == 1 and not found.may_wrap and not slopes.depends(base)


def _is_own_row(context: CleanupContext, loop: CanonicalLoop, load: Node) -> bool:
    """Whether neighbouring threads load from rows of their own, which the compiler cannot keep in registers."""
    if not _differs(context, load) or _distance(context, load, is_sure=False) < PIECE:
        return False
    return _count(loop) is None or _changes_in_next_loop(context, loop, load)


def _is_aligned_alike(context: CleanupContext, own: Node, other: Node) -> bool:
    """Whether all threads of a warp find another row aligned where their own is, or none of them."""
    return _differs(context, other) or _distance(context, own, is_sure=True) >= PIECE


def _differs(context: CleanupContext, load: Node) -> bool:
    """Whether neighbouring threads load different elements."""
    distances = Distances(context, frozenset(thread_indices(context)))
    return any(map(distances.differs, load.bare().children))


def _distance(context: CleanupContext, load: Node, is_sure: bool) -> int:
    """Return a power of two that divides the distance in bytes of neighbouring threads' elements."""
    distances = Distances(context, frozenset(thread_indices(context)), is_sure)
    base, subscript = load.bare().children
    return distances.of_element(base, subscript)


def _changes_in_next_loop(context: CleanupContext, loop: CanonicalLoop, load: Node) -> bool:
    """Whether the loop around an inner loop, if there is one, goes to another row in each iteration."""
    above = (node for node in loop.statement.ancestors() if node.kind in LOOP_KINDS and not context.is_directive(node))
    around = next((node for node in above if node.is_inside(context.scope) and node is not loop.statement), None)
    names = (named_variable(n) for part in values_of_address(load.bare()) for n in part.walk())
    found = {name for name in names if name is not None and name != loop.index}
    return around is None or any(_changes_in(context, around, name, set()) for name in found)


def _changes_in(context: CleanupContext, around: Node, variable: Variable, seen: set[Variable]) -> bool:
    """Whether a loop gives a variable another value in each iteration, as far as its declarations tell."""
    provenance = context.memory.provenance
    if variable in seen:
        return False
    seen.add(variable)
    if any(write.is_inside(around) for write in provenance.changes(variable).writes):
        return True
    declaration = provenance.declared.get(variable)
    value = initialiser(declaration) if declaration is not None and declaration.is_inside(around) else None
    if value is None:
        return False
    names = (named_variable(n) for n in value.walk())
    return any(_changes_in(context, around, name, seen) for name in names if name is not None)


def _iterations(loop: CanonicalLoop, elements: list[list[Node]], rows: set[Node]) -> int:
    """Return how many iterations a turn has, 0 where its elements would need too many registers."""
    together = [loads for loads in elements if loads[0] in rows]
    needed, nodes = (words_of(together), words_of(elements)), sum(1 for _ in loop.body.walk())
    fitting = (n for n in _ITERATIONS if n * nodes <= _MOST_NODES)
    return next((n for n in fitting if all(n * w <= r for w, r in zip(needed, _REGISTERS, strict=True))), 0)
