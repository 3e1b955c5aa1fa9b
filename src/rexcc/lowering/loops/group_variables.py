"""Whether the variables of a thread let an inner loop be shared by a group of threads, each of which has its own.

In: the inner loop, the code around it, and how the region uses its variables. Out: the variable whose value one
iteration of the inner loop would leave for another, None for none. Those declared in the loop start anew in each;
others have to be assigned there before anything reads them, or belong to a reduction of the construct.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.addresses import may_be_changed
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import assigned_variable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, parts
from rexcc.lowering.loops.accesses import outline_of
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
    return any(_chosen(above, variable) == operator for above in _statements_around(use))


def _statements_around(use: Node) -> Iterator[Node]:
    """Yield the assignment, and the ``if`` statement, in which a use of a variable stands."""
    for above in use.ancestors():
        if above.operator == "=" and _is_statement(above):
            yield above
        if above.kind == "IF_STMT":
            yield above
        if above.kind in ("FOR_STMT", "WHILE_STMT", "DO_STMT"):
            return


def _chosen(statement: Node, variable: Variable) -> str:
    """Return ``min`` or ``max`` where a statement gives a variable its own value or another one, empty for others."""
    if statement.kind == "IF_STMT":
        return _chosen_by_if(statement, variable)
    target, value = statement.children
    if named_variable(target.bare()) != variable:
        return ""
    choice = value.bare()
    if choice.kind == "CONDITIONAL_OPERATOR":
        return _compared(choice.children[0], choice.children[1], choice.children[2], variable)
    arguments = [one.bare() for one in parts(choice)] if choice.kind == "CALL_EXPR" else []
    if sum(_names(one, variable) for one in arguments) != 1 or variable not in map(named_variable, arguments):
        return ""
    name = choice.spelling.removeprefix("__builtin_")
    return next((kind for kind, names in _CHOOSING.items() if name in names), "")


def _chosen_by_if(statement: Node, variable: Variable) -> str:
    """The same for ``if (e < v) v = e;``."""
    if len(statement.children) != 2:
        return ""
    condition, inner = statement.children
    while inner.kind == "COMPOUND_STMT" and len(inner.children) == 1:
        inner = inner.children[0]
    if inner.operator != "=" or named_variable(inner.children[0].bare()) != variable:
        return ""
    return _compared(condition, inner.children[1], inner.children[0], variable)


def _compared(condition: Node, if_true: Node, if_false: Node, variable: Variable) -> str:
    """Return what ``condition ? if_true : if_false`` is of a variable and one other expression, empty for neither."""
    test = condition.bare()
    if test.kind != "BINARY_OPERATOR" or test.operator not in ("<", "<=", ">", ">="):
        return ""
    left, right = (outline_of(child) for child in test.children)
    chosen, rest = outline_of(if_true), outline_of(if_false)
    if {left, right} != {chosen, rest} or left == right:
        return ""
    if [named_variable(child.bare()) == variable for child in test.children].count(True) != 1:
        return ""
    if sum(_names(child, variable) for child in test.children) != 1:
        return ""
    return "min" if (test.operator in ("<", "<=")) == (chosen == left) else "max"


def _names(node: Node, variable: Variable) -> bool:
    return any(n.kind == "DECL_REF_EXPR" and named_variable(n) == variable for n in node.walk())


def _is_statement(expression: Node) -> bool:
    """Whether an expression's value is not used."""
    whole = expression.wrapped()
    above = whole.parent
    if above is None or not above.kind.endswith("_STMT"):
        return False
    return above.kind not in ("IF_STMT", "WHILE_STMT", "DO_STMT", "FOR_STMT") or above.children[-1] is whole
