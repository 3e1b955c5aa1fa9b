"""The loops that belong to a directive, as far as their heads can be read.

In: a loop-associated construct. Out: its loops and their variables. Loops that cannot be read end the list: whether
they are canonical is another rule's question.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import Node
from rexcc.openmp.directives import Association
from rexcc.openmp.tables import association_of
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable


def is_loop_construct(construct: Construct) -> bool:
    """Whether a loop nest belongs to a construct."""
    return association_of(construct.directive) is Association.LOOP


def associated_loops(construct: Construct) -> Iterator[Node]:
    """Yield the ``for`` statements that belong to a construct, outermost first."""
    if not is_loop_construct(construct) or construct.body is None:
        return
    node = construct.body
    for _ in range(construct.depth):
        while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
            node = node.children[0]
        if node.kind != "FOR_STMT" or len(node.children) != 4:
            return
        yield node
        node = node.children[3]


def loop_variable(loop: Node) -> Variable | None:
    """Return the variable that the head of a loop declares or gives its first value."""
    init = loop.children[0]
    if init.kind == "DECL_STMT":
        return Variable(init.children[0].cursor) if init.children and init.children[0].kind == "VAR_DECL" else None
    bare = init.bare()
    target = bare.children[0].bare() if bare.kind == "BINARY_OPERATOR" and bare.operator == "=" else None
    return named_variable(target) if target is not None else None
