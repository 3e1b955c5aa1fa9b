"""Pointers to objects that no addition can change, because those that are added to are of another type.

In: a loop over the grid whose blocks have bins (:mod:`.bins`). Out: the pointers through which it only reads objects of
other types than those that it adds to. The count of ``h`` and the numbers of ``x`` may come from anywhere::

    for (int j = 0; j < m; j++) {
      int k = x[i] < y[j];
    #pragma omp atomic
      h[k]++;
    }

An addition reads its element as the integer that it is, so the element is an integer, and no expression of type
``float`` may name it (C23, 6.5.1; C++23, 7.2.1): ``x`` and ``y`` never lead to what changes. That holds for additions
only: a plain store may make an object of the one type where one of the other has been read before, so all other memory
that the region writes has to be apart by what it belongs to (:mod:`rexcc.lowering.cleanups.alias`). It cannot be
noticed: the program reads the same values, earlier. With the pointers ``__restrict__``
(:mod:`rexcc.lowering.cleanups.restrict_read_only`) loads of several iterations come before the first addition.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.lowering.atomics.bins import relaxed_update
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.effects import CALLING
from rexcc.lowering.cleanups.memory import NOWHERE, Memory, Places, union
from rexcc.lowering.loops.accesses import Access, accesses_of, differ_in_type
from rexcc.program.variables import Variable


def unchanged_inputs(context: CleanupContext) -> frozenset[Variable]:
    """Return the pointers of a region that lead to what it does not change, by types alone: all of its constructs are
    relaxed updates."""
    constructs = context.kernel.region.constructs[-1].descendants()
    updates = [found for one in constructs if (found := relaxed_update(context, one)) is not None]
    added = {one.target.bare() for one in updates}
    accesses = accesses_of(context.memory, context.kernel.region.body)
    reads = [one for one in accesses if one.node.bare() not in added]
    changes = [one for one in accesses if one.node.bare() in added]
    others = union(_written_otherwise(context, added), _read_by_calls(context))
    return frozenset(
        attribute.variable
        for attribute in context.kernel.data.attributes
        if context.memory.all_apart(_pointed(attribute.variable), others)
        and _differ(attribute.variable, reads, changes)
    )


def _differ(pointer: Variable, reads: list[Access], changes: list[Access]) -> bool:
    """Whether all that may be read by way of a pointer is of another type than what is added to."""
    through = [one for one in reads if one.place is None or _pointed(pointer) <= one.place]
    return bool(through) and all(differ_in_type(one, change) for one in through for change in changes)


def _written_otherwise(context: CleanupContext, added: set[Node]) -> Places:
    """Return what a region writes beside its additions, its results among them."""
    results = [a.variable for a in context.kernel.data.attributes if a.reduction or a.last]
    found: Places = frozenset(Memory(variable, pointee) for variable in results for pointee in (False, True))
    for node in context.kernel.region.body.walk():
        if not (node.children and node.children[0].bare() in added):
            found = union(found, context.memory.of_node(node).written)
    return found


def _read_by_calls(context: CleanupContext) -> Places:
    """Return what functions read that a region calls: the region does not show of which type it is there."""
    found: Places = NOWHERE
    for node in context.kernel.region.body.walk():
        if node.kind in CALLING:
            found = union(found, context.memory.of_node(node).read)
    return found


def _pointed(pointer: Variable) -> frozenset[Memory]:
    return frozenset({Memory(pointer, True)})
