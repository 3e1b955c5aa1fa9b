"""Whether a range of the user's text is one expression of a fold, and nothing else (:mod:`.fold_rules`).

In: a term or a first value, and the iteration. Out: whether other text can stand in its place. A macro may make more of
its name than the expression that begins or ends there::

    #define NEXT in[j] - 1
    s = s - NEXT;  // (s - in[j]) - 1: the term is in[j], whose range is all of NEXT

Then something else of the iteration has a part of the range, or an operator beside the expression is in it, too.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext

_OPENING = ("=", "(", "{")
_BETWEEN = {0: ("", "?"), 1: ("?", ":"), 2: (":", "")}
"""What stands beside the parts of ``c ? x : y``."""


def stands_alone(context: CleanupContext, node: Node) -> bool:
    """Whether the text of a node is that of no other part of the iteration, and nothing beside it comes from there."""
    inside, above = set(node.walk()), set(node.ancestors())
    for other in context.scope.walk():
        if other in inside or (other in above and _covers(other, node)):
            continue
        if other.file == node.file and other.start < node.end and node.start < other.end:
            return False
    return _is_beside(context, node)


def _covers(above: Node, node: Node) -> bool:
    return above.start <= node.start and node.end <= above.end


def _is_beside(context: CleanupContext, node: Node) -> bool:
    """Whether what belongs to the node above stands in front of an expression and behind it."""
    body = context.body
    before, behind = body.text[: body.start(node)].rstrip(), body.text[body.end(node) :].lstrip()
    below, above = node, node.parent
    while above is not None and above.kind == "UNEXPOSED_EXPR" and len(above.children) == 1:
        below, above = above, above.parent
    if above is None:
        return False
    position = above.children.index(below)
    match above.kind:
        case "BINARY_OPERATOR" | "COMPOUND_ASSIGNMENT_OPERATOR":
            operator = above.operator
            return behind.startswith(operator) if position == 0 else before.endswith(operator)
        case "CONDITIONAL_OPERATOR":
            first, last = _BETWEEN[position]
            return before.endswith(first) and behind.startswith(last)
        case "CALL_EXPR":
            return before.endswith(("(", ",")) and behind.startswith((")", ","))
        case "PAREN_EXPR" | "IF_STMT":
            return before.endswith("(") and behind.startswith(")")
        case "UNARY_OPERATOR":
            return before.endswith(above.operator)
        case "VAR_DECL":
            return before.endswith(_OPENING)
        case _:
            return above.kind.endswith("CAST_EXPR") and before.endswith(("(", ")"))
