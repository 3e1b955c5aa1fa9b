"""Iteration variables of the loops associated with a construct, whether it can be lowered or not.

In: a construct. Out: its indices by key. Loops that are not canonical simply end the search: what is wrong with them is
said elsewhere.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.references import variable_key
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VARIABLE_KINDS, Node
from rexcc.frontend.unit import Construct

LOOP_LEAVES = frozenset({"for", "distribute", "simd", "loop", "taskloop"})
"""Leaf constructs whose associated loops' iteration variables have predetermined attributes."""


def associated_depth(construct: Construct) -> int:
    """Return how many loops are associated with a construct: the largest of ``collapse`` and ``ordered``, or 1."""
    found = 1
    for name in ("collapse", "ordered"):
        expression = construct.directive.expression(name)
        node = construct.expressions.get(expression) if expression is not None else None
        value = evaluate_integer(node.cursor) if node is not None else None
        if value is None and expression is not None and expression.text.strip().isdigit():
            value = int(expression.text)
        found = max(found, value or 1)
    return found


def associated_indices(construct: Construct) -> dict[int, Cursor]:
    """Return the iteration variables that are declared outside of their loops, outermost first."""
    found: dict[int, Cursor] = {}
    if LOOP_LEAVES.isdisjoint(construct.directive.leaves):
        return found
    node = construct.body
    for _ in range(associated_depth(construct)):
        loop = _loop(node)
        if loop is None:
            break
        index = _assigned(loop.children[0])
        if index is not None:
            found[variable_key(index)] = index
        node = loop.children[-1]
    return found


def _loop(node: Node | None) -> Node | None:
    """Return the loop that a statement is, blocks around it and declarations before it left out."""
    while node is not None and node.kind == "COMPOUND_STMT":
        node = next((c for c in node.children if c.kind in ("FOR_STMT", "COMPOUND_STMT")), None)
    return node if node is not None and node.kind == "FOR_STMT" and len(node.children) == 4 else None


def _assigned(first: Node) -> Cursor | None:
    """Return the variable that a loop's first part assigns; one that it declares is the loop's own."""
    bare = first.bare()
    if bare.kind == "BINARY_OPERATOR" and bare.operator == "=":
        target = bare.children[0].bare()
        if target.referenced is not None and target.referenced.kind.name in VARIABLE_KINDS:
            return target.referenced
    return None
