"""What an inner loop stores, and whether an iteration loads an element before it stores it.

In: an inner loop with its accesses. Out: whether all that it writes is known, and the order of two accesses.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.effects import CALLING
from rexcc.lowering.cleanups.memory import NOWHERE
from rexcc.lowering.loops.accesses import Access
from rexcc.lowering.loops.inner_loop import InnerLoop


def are_all_writes(context: CleanupContext, inner: InnerLoop) -> bool:
    """Whether nothing but the accesses that are known writes to memory."""
    written = {write.node for write in inner.written}
    effects = ((node, context.memory.of_node(node).written) for node in inner.inside)
    return all(places == NOWHERE or _target(node) in written for node, places in effects)


def _target(node: Node) -> Node | None:
    """Return what an expression may assign to; what makes an object assigns to nothing."""
    return node.children[0].bare() if node.children and node.kind not in CALLING else None


def comes_first(loop: CanonicalLoop, load: Access, write: Access) -> bool:
    """Whether an iteration that makes a load and a store makes the load before."""
    around = [write.node, *write.node.ancestors()]
    below = load.node
    for above in load.node.ancestors():
        if above is write.node:
            return True  # the load says where the store is
        if above in around:
            return _is_before(above, below, around[around.index(above) - 1])
        if above is loop.statement:
            break
        below = above
    return False


def _is_before(above: Node, load: Node, write: Node) -> bool:
    """Whether of two parts of a statement the first, with a load, is evaluated before the second, with a store."""
    order = above.children.index(load) < above.children.index(write)
    match above.kind:
        case "COMPOUND_STMT":
            return order
        case "IF_STMT" | "CONDITIONAL_OPERATOR":
            return order and above.children.index(load) == 0
        case "BINARY_OPERATOR" if above.operator == "=":
            return load is above.children[1]  # what it assigns to is assigned to last
        case _:
            return False
