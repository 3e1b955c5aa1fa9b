"""Calls of functions that all threads of a team make together (:mod:`.team_functions`), and those that one must make.

In: the parts of a team's code with their classification. Out: which calls one thread has to make, and of which of the
others only the first thread needs the value.
"""

from __future__ import annotations

from rexcc.analysis.team_routines import called_by
from rexcc.clang.tree import Node
from rexcc.lowering.generic.plan import Form, Part
from rexcc.lowering.generic.scope import TeamScope
from rexcc.source.own_names import related

_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
_UNORDERED = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "==", "!=", "<", ">", "<=", ">="})
"""Operators that evaluate all of their operands, in any order."""
_THROUGH = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR",
                      "CALL_EXPR"})  # fmt: skip


def together_name(name: str) -> str:
    """Return the name of a function's form that all threads of a team call together."""
    return related("together", name)


def calls_of_one_thread(top: Part, scope: TeamScope) -> frozenset[Node]:
    """Return the names of functions in statements that every thread cannot execute."""
    parts = (part for part in top.walk() if part.calls and not _is_of_all(part, scope))
    return frozenset(name for part in parts for name in part.calls)


def _is_of_all(part: Part, scope: TeamScope) -> bool:
    is_one = part.form is not Form.DECLARATION or len(part.node.children) == 1
    is_redundant = is_one and not part.constructs and scope.is_redundant(part)
    return is_redundant or value_for_first(part, scope) is not None


def value_for_first(part: Part, scope: TeamScope) -> Node | None:
    """Return the call in an assignment by the first thread that all threads may make before it: the assignment is all
    that the statement does besides, and nothing in it comes before the call or decides whether there is one."""
    statement = part.node
    if part.form is not Form.LEAF or len(part.calls) != 1 or part.constructs or statement.operator not in _ASSIGNMENTS:
        return None
    target, value = statement.children
    call = called_by(part.calls[0])
    node = call
    while node is not None and node is not value:
        node = node.parent
        if node is None or (node.operator and node.operator not in _UNORDERED) or node.kind not in _THROUGH:
            return None
    changes_nothing = all(scope.is_uniform(n) and not scope.effects(n).assigned for n in (target, value))
    return call if node is not None and changes_nothing else None
