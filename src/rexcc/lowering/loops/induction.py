"""``induction(step(s), *: x)`` (OpenMP 6.0, 7.6.13): as ``linear``, with an operator.

In: a loop construct. Out: what of its clauses can be lowered, and the values of a variable: before iteration ``n`` it
has the value that ``n`` steps give it, which the thread that executes the iteration computes by itself::

    x = (int)(__rex_initial_x * rex_power((int)s, __rex_iteration));
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.lowering.model.host_values import Pointer, size_of
from rexcc.lowering.model.launch import Argument, MapRow, Parameter, unpacked
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL
from rexcc.openmp.model import Clause, ListClause
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error

_OPERATORS = ("+", "*")
_OTHER_LEAVES = frozenset({"distribute", "loop", "taskloop"})
_FLOATING = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128"})
_PASSED = frozenset({"FLOAT", "DOUBLE"})


def operator_of(clause: Clause) -> str:
    """Return the operator of an ``induction`` clause, empty for any other clause."""
    is_induction = isinstance(clause, ListClause) and clause.name == "induction"
    return clause.modifiers[-1].name if is_induction and isinstance(clause, ListClause) else ""


def stepped(first: str, operator: str, step: str, number: str, kind: str) -> str:
    """Return the value that a number of steps gives a variable of a type."""
    if operator == "*":
        return f"({kind})({first} * rex_power(({kind}){step}, {number}))"
    return f"({kind})({first} + {number} * ({kind}){step})"


def floating_step(name: str, kind: Type, text: str, what: str) -> Argument:
    """Return the argument that brings a step of floating-point numbers to a kernel."""
    spelled = spelling.spell_bare(types.canonical(kind))
    value = Pointer(f"rex_pack_{spelled}({text})", is_untyped=True)
    row = MapRow(value, None, size_of(f"({spelled})", kind), IMPLICIT_LITERAL, what)
    parameter = f"{name}_literal"
    return Argument(row, Parameter("rex_literal", parameter, (unpacked(spelled, name, parameter),)))


def check_inductions(construct: Construct) -> None:
    """Raise CompileError for what of a construct's ``induction`` clauses cannot be lowered."""
    for clause in construct.directive.named("induction"):
        assert isinstance(clause, ListClause)
        if not _OTHER_LEAVES.isdisjoint(construct.directive.leaves):
            message = f"'{clause.name}' on '{construct.directive.name}' cannot be lowered yet; "
            raise error("unsupported-clause", message + "compute the variable from the loop's index", clause.span)
        if operator_of(clause) not in _OPERATORS:
            message = f"'induction' by the declared '{operator_of(clause)}' cannot be lowered yet; '+' and '*' can, or "
            raise error("unsupported-clause", message + "compute the variable from the loop's index", clause.span)
        _check_types(construct, clause)


def _check_types(construct: Construct, clause: ListClause) -> None:
    step = construct.node_of(clause.step) if clause.step is not None else None
    for item in construct.items_of(clause):
        kind = types.without_reference(item.named.type) if item.named is not None else None
        if kind is None or item.item.sections or item.whole_variable is None or not types.is_scalar(kind):
            text = item.item.whole.text.strip()
            message = f"'induction' of '{text}' cannot be lowered yet; numbers can be, which are variables"
            raise error("unsupported-clause", message, item.item.whole.span)
        is_cut = step is not None and is_floating(step.type) and not is_floating(kind)
        if is_floating(kind) and types.kind_name(types.canonical(kind)) not in _PASSED:
            message = f"'induction' of '{item.item.whole.text.strip()}' of type '{spelling.spell(kind)}' cannot be "
            raise error("unsupported-clause", message + "lowered yet; float and double can be", item.item.whole.span)
        if is_cut or types.kind_name(types.canonical(kind)) == "BOOL":
            message = f"'{item.item.whole.text.strip()}' has type '{spelling.spell(kind)}', and each step would round; "
            message += "that cannot be lowered yet; compute the variable from the loop's index"
            raise error("unsupported-clause", message, item.item.whole.span)


def is_floating(kind: Type) -> bool:
    """Whether a type is one of floating-point numbers."""
    return types.kind_name(types.canonical(kind)) in _FLOATING
