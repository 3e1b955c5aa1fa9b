"""Whether the variables of a thread let an inner loop be shared by a group of threads, each of which has its own.

In: the inner loop, the code around it, and how the region uses its variables. Out: the variable whose value one
iteration of the inner loop would leave for another, None for none. Those declared in the loop start anew in each;
others have to be assigned there before anything reads them, or belong to a reduction of the construct.
"""

from __future__ import annotations

from rexcc.analysis.addresses import may_be_changed
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import assigned_variable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, parts
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable

_OPERATORS = {"+": ("+=", "-=", "++", "p++", "--", "p--"), "*": ("*=",), "&": ("&=",), "|": ("|=",), "^": ("^=",)}
"""What joins a value to one of a reduction, for the reductions whose values may be joined in any grouping."""

_CHOOSING = {"max": ("fmax", "fmaxf", "max"), "min": ("fmin", "fminf", "min")}


def foreign_variable(context: CleanupContext, loop: CanonicalLoop, declared: dict[Variable, Node]) -> Reason | None:
    """Return why a variable does not let a group share a loop; ``declared`` are those that the loop's body declares."""
    reductions: dict[Variable, str] = {a.variable: a.reduction for a in context.kernel.data.attributes if a.reduction}
    for variable, uses in context.memory.provenance.uses.items():
        if variable in declared:
            continue
        operator = reductions.get(variable)
        if operator is not None:
            wrong = next((n for n in uses if not _joins(n, variable, operator, loop)), None)
            if wrong is not None:
                return Reason(f"this is not a step of the reduction '{operator}' alone", wrong)
        elif _is_carried(context, variable, [n for n in uses if n.is_inside(loop.statement)], uses, loop):
            return Reason(f"'{variable.name}' keeps a value from one iteration of the inner loop to the next", uses[0])
    return None


def _is_carried(
    context: CleanupContext, variable: Variable, inside: list[Node], uses: list[Node], loop: CanonicalLoop
) -> bool:
    """Whether an iteration of the loop may leave a value in a variable of the thread's that something else reads."""
    if not inside or context.memory.provenance.place(inside[0]) != frozenset({OWN}):
        return False
    if not any(may_be_changed(n) for n in inside):
        return False
    if len(inside) < len(uses) or not types.is_scalar(variable.type):
        return True
    return variable != loop.index and not _is_assigned_first(variable, inside, loop)


def _is_assigned_first(variable: Variable, uses: list[Node], loop: CanonicalLoop) -> bool:
    """Whether each iteration assigns a variable before it reads it: all uses stand behind an assignment in a block."""
    first, *others = sorted(uses, key=lambda n: n.start)
    assignment = next((a for a in first.ancestors() if a.kind != "PAREN_EXPR"), None)
    if assignment is None or assigned_variable(assignment) != variable:
        return False
    if any(n.is_inside(assignment) for n in others):
        return False
    statement = assignment
    if statement.parent is not None and statement.parent.kind == "FOR_STMT":
        if statement.parent.children[0] is not statement:
            return False
        statement = statement.parent
    block = statement.parent
    if block is None or not statement.is_inside(loop.body):
        return False
    around = block if block.kind == "COMPOUND_STMT" and block.is_inside(loop.body) else statement
    return all(n.is_inside(around) for n in uses)


def _joins(use: Node, variable: Variable, operator: str, loop: CanonicalLoop) -> bool:
    """Whether a use of a reduction's variable is one that joins a value to it, in a statement of the loop's body."""
    if not types.is_scalar(variable.type) or not use.is_inside(loop.body):
        return False
    top = use.in_parentheses().parent
    if top is None:
        return False
    if top.operator in _OPERATORS.get(operator, ()) and top.children[0].bare() is use.bare():
        return _is_statement(top)
    if operator not in _CHOOSING:
        return False
    assignment = next((a for a in (top, *top.ancestors()) if a.operator == "="), None)
    return assignment is not None and _is_choice(assignment, variable, operator) and _is_statement(assignment)


def _is_choice(assignment: Node, variable: Variable, operator: str) -> bool:
    """Whether an assignment is ``v = fmax(v, …)``, with ``v`` in no other place."""
    target, value = assignment.children
    call = value.bare()
    if named_variable(target.bare()) != variable or call.kind != "CALL_EXPR":
        return False
    if call.spelling.removeprefix("__builtin_") not in _CHOOSING[operator]:
        return False
    named = [n for n in call.walk() if n.kind == "DECL_REF_EXPR" and named_variable(n) == variable]
    arguments = [named_variable(one.bare()) for one in parts(call)]
    return len(named) == 1 and variable in arguments


def _is_statement(expression: Node) -> bool:
    """Whether an expression's value is not used."""
    above = expression.parent
    while above is not None and above.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR"):
        expression, above = above, above.parent
    if above is None or not above.kind.endswith("_STMT"):
        return False
    return above.kind not in ("IF_STMT", "WHILE_STMT", "DO_STMT", "FOR_STMT") or above.children[-1] is expression
