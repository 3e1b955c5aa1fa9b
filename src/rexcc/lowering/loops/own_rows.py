"""Rows that each thread goes along by itself, in an inner loop.

In: an inner loop and a load. Out: whether a thread loads neighbouring elements one after the other, and its neighbours
those of other rows. With one element come the next ones then, so that few of the loads wait.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.loops.accesses import Access
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.inner_loop import InnerLoop
from rexcc.program.variables import named_variable


def goes_along_row(inner: InnerLoop, load: Access) -> bool:
    """Whether a thread loads neighbouring elements one after the other, of another row than its neighbours."""
    subscript = next(load.subscripts, None)
    slope = Slopes(inner.loop.index, inner.locals).of(subscript) if subscript is not None else None
    is_step = slope is not None and slope.is_one
    return is_step and not all(_is_of_all(inner, node) for node in (load.node, inner.loop.lower))


def _is_of_all(inner: InnerLoop, node: Node) -> bool:
    """Whether an expression is made of the loop's index and of what all threads have."""
    declared, indices = inner.memory.provenance.declared, {loop.index for loop in inner.context.kernel.region.loops}
    for name in node.walk():
        variable = named_variable(name)
        if variable is None or variable == inner.loop.index:
            continue
        value = initialiser(inner.locals[variable]) if variable in inner.locals else None
        if value is None and (variable in declared or variable in indices):
            return False
        if value is not None and not _is_of_all(inner, value):
            return False
    return True
