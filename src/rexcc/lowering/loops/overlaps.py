"""Nests whose neighbouring iterations load the same elements in loops of their own, as stencils do.

In: a nest over the grid. Out: the loop whose neighbours do so. An inner loop with constant bounds goes over the rows
around the one of the iteration, so most of them are rows of the next iteration too::

    for (int y …) for (int x …) { … for (int dy = -1; dy <= 1; dy++) … in[(y + dy) * w + x] … }

A thread that executes several such iterations side by side loads a row once for all of them, since nvcc unrolls the
loops and finds the equal addresses. It is found where an index of the nest and one of an inner loop are added. Where
they are not, or one of them is multiplied, neighbours may have little in common, and threads with one iteration each
are faster (docs/decisions/095-stencils-in-tiles.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import Node
from rexcc.lowering.model.geometry import SHORT_LOOPS, iteration_turns
from rexcc.program.variables import Variable, named_variable

_SUM = ("+", "-")


def overlapping_loop(region: TargetRegion) -> CanonicalLoop | None:
    """Return the outermost loop of a nest whose neighbours load the same in short loops, None where there is none.

    The innermost loop is none of them: its neighbours are other threads'.
    """
    turns = iteration_turns(region)
    if turns is None or not 1 < turns <= SHORT_LOOPS:
        return None
    inner = frozenset(
        canonical_loop(region.unit, node).index for node in region.iteration.walk() if node.kind == "FOR_STMT"
    )
    sums = [frozenset(_terms(node)) for node in region.iteration.walk() if _is_sum(node)]
    shifted = [terms for terms in sums if not inner.isdisjoint(terms)]
    return next((x for x in region.loops[:-1] if any(x.index in terms for terms in shifted)), None)


def _terms(node: Node) -> Iterator[Variable]:
    """Yield the variables that a sum adds or subtracts as they are."""
    bare = node.bare()
    if _is_sum(bare):
        for child in bare.children:
            yield from _terms(child)
    elif (variable := named_variable(bare)) is not None:
        yield variable


def _is_sum(node: Node) -> bool:
    return node.kind == "BINARY_OPERATOR" and node.operator in _SUM
