"""Whether a barrier follows a construct anyway.

In: a construct. Out: whether the next thing that its team does behind it is to wait: an explicit barrier, or the end of
the parallel region. Then the construct needs no barrier of its own.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct


def is_joined(construct: Construct) -> bool:
    """Whether a barrier of the same team follows right behind a construct."""
    node = construct.node
    while True:
        above = node.parent
        if above is None:
            return False
        if above.kind != "COMPOUND_STMT":
            return _ends_parallel(construct, node)
        follower = _next(above, node)
        if follower is not None:
            return _is_barrier(construct, follower)
        node = above


def _next(block: Node, statement: Node) -> Node | None:
    """Return the statement behind another one in a block."""
    starts = [child for child in block.children if child.start > statement.start]
    return starts[0] if starts else None


def _is_barrier(construct: Construct, statement: Node) -> bool:
    siblings = construct.parent.children if construct.parent is not None else []
    return any(c.directive.name == "barrier" and c.node.start == statement.start for c in siblings)


def _ends_parallel(construct: Construct, body: Node) -> bool:
    """Whether a node is the whole body of the parallel around a construct."""
    around = construct.parent
    if around is None or around.body is None or around.directive.leaves[-1] != "parallel":
        return False
    return (around.body.start, around.body.end) == (body.start, body.end)
