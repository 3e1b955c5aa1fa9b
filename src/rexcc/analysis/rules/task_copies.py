"""Values that tasks of a target region leave in copies of their own: legal, and almost surely not meant.

In: how a function uses its variables. Out: a warning where a task directly in a target region only assigns what the
region maps back to the host. In a task such a variable is firstprivate (OpenMP 5.2, 5.1.1; decision 078), so the value
is gone when the task ends. A copy that the task also reads is left alone: it may be meant as one.
"""

from __future__ import annotations

from rexcc.analysis.enclosing import comes_home_implicitly, is_shared_around
from rexcc.analysis.references import is_written
from rexcc.analysis.rules.uses import FunctionUses, element, is_index, is_unclear
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.openmp.model import KeywordClause, MapClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, FixIt, Note

_TASKS = (("task",), ("taskloop",))
_TEAMS = frozenset({"parallel", "teams"})


def check_task_copies(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of the first assignment to each variable whose values a task throws away."""
    for task in facts.constructs:
        region = _region(task)
        if region is None or task.body is None or _has_default(task):
            continue
        for variable in facts.used_in(task.body):
            place = _first_of_lost(facts, task, region, variable)
            if place is None:
                continue
            name = variable.name
            message = (
                f"what the task assigns to '{name}' is lost: '{name}' is firstprivate in it, because mapping a "
                f"variable does not share it among tasks; shared({name}) does"
            )
            end = task.span.source.span(task.span.end, task.span.end)
            fixes = (FixIt(end, f" shared({name})"),)
            notes = (Note("the task", task.span), Note("the region that maps it", region.span))
            sink.warning("omp-lost-in-task", message, facts.unit.span(place), *notes, fixes=fixes)


def _has_default(task: Construct) -> bool:
    return any(c.name == "default" for c in task.directive.of_type(KeywordClause))


def _region(task: Construct) -> Construct | None:
    """Return the target construct that a task stands in without a team of threads between them."""
    if task.directive.leaves not in _TASKS:
        return None
    for around in task.around():
        if around.directive.leaves == ("target",):
            return around
        if not _TEAMS.isdisjoint(around.directive.leaves):
            return None
    return None


def _first_of_lost(facts: FunctionUses, task: Construct, region: Construct, variable: Variable) -> Node | None:
    """Return the first of a task's uses of a variable if all of them change the task's own copy and do no more."""
    kind = variable.type
    if task.body is None or types.is_reference(kind) or types.is_volatile(kind) or is_index(task, variable):
        return None
    if not types.is_scalar(types.innermost(kind)) or not _is_mapped_back(facts, region, variable):
        return None
    within = tuple(task.walk())
    if any(facts.names(variable, c) for c in within) or is_shared_around(task, task.directive.leaves[-1], variable):
        return None
    uses = facts.inside(variable, task.body)
    bodies = [c.body for c in task.descendants() if c.body is not None]
    if any(body.start <= use.start < body.end for use in uses for body in bodies):
        return None
    return uses[0] if all(_only_changes(use, task.body) for use in uses) else None


def _is_mapped_back(facts: FunctionUses, region: Construct, variable: Variable) -> bool:
    named = facts.names(variable, region)
    if not named:
        return comes_home_implicitly(region, variable)
    return any(isinstance(e.clause, MapClause) and e.clause.map_type in ("from", "tofrom") for e in named)


def _only_changes(use: Node, body: Node) -> bool:
    """Whether a use is the target of a statement that is one assignment, or increment, and no more."""
    target = element(use)
    change = target.in_parentheses().parent
    if change is None or is_unclear(use) or not types.is_scalar(target.type) or not is_written(target):
        return False
    change = change.in_parentheses()
    around = change.parent
    if change is body or around is None or around.kind == "COMPOUND_STMT":
        return True
    if around.kind == "IF_STMT":
        return around.children[0] is not change
    return around.kind in ("FOR_STMT", "WHILE_STMT") and around.children[-1] is change
