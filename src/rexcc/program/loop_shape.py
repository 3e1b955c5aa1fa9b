"""The shape of loop nests, as far as their statements show it (OpenMP 5.2, 4.4.1).

In: the statement of a directive. Out: its loops and the variables that they count with, whether the loops are canonical
or not: what is wrong with them is :mod:`rexcc.analysis.loops`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rexcc.clang.tree import Node
from rexcc.program.variables import Variable, variable_of

LOOPS = frozenset({"FOR_STMT", "CXX_FOR_RANGE_STMT"})


def is_perfect(statement: Node, depth: int) -> bool:
    """Whether nothing but braces stands between the loops of a nest."""
    return all(alone(outer.children[-1]) is inner for outer, inner in pairwise(loop_statements(statement, depth)))


def innermost_body(statement: Node, depth: int) -> Node | None:
    """Return the statement that the loops of a nest are around, None where they are not ``depth`` loops."""
    loops = list(loop_statements(statement, depth))
    return loops[-1].children[-1] if len(loops) == depth and loops[-1].children else None


def counted_variables(statement: Node, depth: int) -> Iterator[Variable]:
    """Yield the variables that the loops of a nest count with but do not declare, outermost first."""
    for loop in loop_statements(statement, depth):
        first = loop.children[0].bare() if len(loop.children) == 4 else loop
        target = first.children[0].bare() if first.kind == "BINARY_OPERATOR" else None
        variable = variable_of(target.referenced) if target is not None else None
        if variable is not None:
            yield variable


def alone(node: Node) -> Node:
    """Return the statement that stands alone in any number of braces."""
    while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
        node = node.children[0]
    return node


def loop_statements(statement: Node, depth: int) -> Iterator[Node]:
    """Yield the loops of a nest as far as there are any."""
    found = [n for n in (alone(statement),) if n.kind in LOOPS]
    for _ in range(depth):
        if len(found) != 1:
            return
        yield found[0]
        found = list(loops_in(found[0].children[-1])) if found[0].children else []


def loops_in(statement: Node) -> Iterator[Node]:
    """Yield the loops that are a statement, or stand in its block."""
    if statement.kind in LOOPS:
        yield statement
    if statement.kind == "COMPOUND_STMT":
        for child in statement.children:
            yield from loops_in(child)
