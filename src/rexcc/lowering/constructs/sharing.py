"""What variables are where no clause of a construct says it: ``default``, and the rules for tasks (OpenMP 5.2, 5.1.1).

In: a construct that may have variables of its own. Out: the variables that are implicitly firstprivate or private. A
task executed at once needs its firstprivate copies only of what it may change: nobody else changes them meanwhile.
"""

from __future__ import annotations

from rexcc.analysis.aliased_variables import is_aliased
from rexcc.analysis.enclosing import is_declared_in, is_shared_around
from rexcc.analysis.references import UsedVariable, collect
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, kind_of
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.copied_variables import Listed, plain_copy, value_copy
from rexcc.lowering.constructs.copies import Copies
from rexcc.lowering.constructs.loop_values import check_task_copy
from rexcc.openmp.model import Clause, ListClause, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error

_FROM_TEAM = frozenset({"firstprivate", "lastprivate", "linear", "induction", "reduction"})
_TASKS = frozenset({"task", "taskloop"})


def implicit_copies(context: Context, construct: Construct, leaf: str) -> Copies:
    """Return the copies of variables that no clause of a ``task``, ``taskloop`` or ``parallel`` names."""
    clause = construct.default(leaf)
    default = clause.keyword if clause is not None else ""
    if default == "shared" or (not default and leaf not in _TASKS) or construct.body is None:
        return Copies()
    counting = (index for c in construct.walk() for index in c.environment.indices)
    named = _named(construct) | frozenset(counting)
    found = Copies()
    for variable in collect([construct.body]).variables.values():
        if variable in named or _is_predetermined(variable):
            continue
        if default == "none":
            raise error(
                "omp-default-none",
                f"'{variable.name}' is in no clause, which 'default(none)' asks for",
                context.unit.span(variable.uses[0]) or construct.span,
            )
        found += _copy(context, construct, variable, default, leaf)
    return found


def _copy(context: Context, construct: Construct, variable: UsedVariable, default: str, leaf: str) -> Copies:
    kind = types.without_reference(variable.cursor.type)
    made = Listed(variable, kind, variable.name, construct.span)
    if default == "private":
        return Copies(plain_copy(context, made))
    if leaf in _TASKS and (default != "firstprivate" and is_shared_around(construct, leaf, variable)):
        return Copies()
    if leaf in _TASKS and not _may_change(variable):
        return Copies()
    if leaf == "taskloop":
        check_task_copy(construct, variable)
    return Copies(value_copy(context, made), meets=is_aliased(context.unit, made.variable))


def _forms_team(construct: Construct) -> bool:
    return not {"parallel", "teams", "target"}.isdisjoint(construct.directive.leaves)


def check_original(context: Context, construct: Construct, clauses: tuple[Clause, ...]) -> None:
    """Report what a worksharing construct copies from or to, but each thread has for itself (OpenMP 5.2, 5.4, 5.5)."""
    if context.team.is_alone or "parallel" in construct.directive.leaves:
        return
    for clause in clauses:
        if not isinstance(clause, ListClause | ReductionClause) or clause.name not in _FROM_TEAM:
            continue
        for found in construct.items_of(clause):
            item, variable = found.item, found.variable
            if variable is not None and _is_private_here(construct, variable):
                message = (
                    f"'{clause.name}' of '{item.whole.text.strip()}' on '{construct.directive.name}': each thread has "
                    "a variable of its own here, and the construct needs one that the team shares"
                )
                raise error("omp-private-original", message, item.whole.span)


def _is_private_here(construct: Construct, variable: Variable) -> bool:
    """Whether a variable is private to the threads that encounter a construct."""
    if _is_predetermined(variable) or types.is_reference(variable.type) or types.is_pointer(variable.type):
        return False
    current = construct.parent
    while current is not None:
        copies = current.environment.copies(variable) if "parallel" in current.directive.leaves else ()
        if copies and all(e.item is not None and e.sharing is not Sharing.REDUCTION for e in copies):
            return True
        if _forms_team(current):
            return is_declared_in(current, variable)
        current = current.parent
    return True


def _is_predetermined(variable: Variable) -> bool:
    """Whether a variable is shared whatever the clauses say: it has static storage, or is constant."""
    scope = variable.cursor.semantic_parent
    in_function = scope is not None and kind_of(scope) in FUNCTION_KINDS | {"LAMBDA_EXPR"}
    return variable.is_global or not in_function or types.is_constant(variable.type)


def _may_change(variable: UsedVariable) -> bool:
    """Whether a task may change a variable: it is assigned, its address taken, or it is no plain value."""
    kind = variable.cursor.type
    return variable.written or variable.exposed or not (types.is_scalar(kind) or types.is_pointer(kind))


def _named(construct: Construct) -> frozenset[Variable]:
    entries = (e for leaf in construct.environment.leaves.values() for e in leaf.values() if e.item is not None)
    return frozenset(entry.variable for entry in entries)
