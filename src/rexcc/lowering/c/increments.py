"""``++`` and ``--`` of ``_Bool``, which C++ has given up or never had.

In: such an operator. Out: an assignment: ``x++`` makes ``x`` true, ``x--`` makes it what it was not; the value of
either is the one before, or behind, as in C.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.c.editing import CEdits
from rexcc.source.diagnostics import error
from rexcc.source.edits import Quote

_EFFECTS = frozenset({"CALL_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR", "StmtExpr"})
_STEPS = ("++", "--", "p++", "p--")


def step_truth(edits: CEdits, node: Node) -> None:
    """Write ``++`` or ``--`` of a ``_Bool`` as an assignment.

    Raises CompileError for a value of ``x++`` where evaluating ``x`` twice would do something else.
    """
    if node.operator not in _STEPS or types.kind_name(types.canonical(node.type)) != "BOOL":
        return
    if not edits.is_reachable(node, inside=True):
        return
    body, operand = edits.body, node.children[0]
    quoted = Quote(body.start(operand), body.end(operand))
    match node.operator:
        case "++":
            edits.replace(node, ("(", quoted, " = 1)"))
        case "--":
            edits.replace(node, ("(", quoted, " ^= 1)"))
        case "p--":
            edits.replace(node, ("!(", quoted, " ^= 1)"))
        case _ if _is_statement(node):
            edits.replace(node, ("(", quoted, " = 1)"))
        case _ if any(_has_effect(n) for n in operand.walk()):
            message = "the value of '++' on a _Bool, which is named by an expression with an effect, cannot be lowered "
            raise error("unsupported-type", f"{message}yet; write '= 1'", body.span(node))
        case _:
            edits.replace(node, ("(", quoted, " ? 1 : !(", quoted, " = 1))"))


def _is_statement(node: Node) -> bool:
    return node.parent is None or node.parent.kind == "COMPOUND_STMT"


def _has_effect(node: Node) -> bool:
    if node.kind in _EFFECTS or types.is_volatile(node.type):
        return True
    return (node.kind == "UNARY_OPERATOR" and node.operator in _STEPS) or (
        node.kind == "BINARY_OPERATOR" and node.operator == "="
    )
