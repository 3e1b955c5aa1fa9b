"""What a variable is in the constructs around a task (OpenMP 5.2, 5.1.1, rules for task-generating constructs).

In: a construct, one of its leaves and a variable. Out: whether all implicit tasks of the current team share it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.implicit_rules import category
from rexcc.clang.tree import FUNCTION_KINDS, kind_of
from rexcc.openmp.model import ListClause, MapClause
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.program.variables import Variable

_TASKS = frozenset({"task", "taskloop"})
_TEAMS = frozenset({"parallel", "teams"})


def is_shared_around(construct: Construct, leaf: str, variable: Variable) -> bool:
    """Whether the implicit tasks of the current team share a variable, seen from a leaf of a construct.

    No rule determines that what a target construct maps is shared, so constructs further out decide, as they do for a
    variable of a function's own that no construct is around. clang and gcc read it so, too.
    """
    for outer, around in _outwards(construct, leaf):
        if is_declared_in(outer, variable) or variable in outer.environment.indices:
            return variable.is_global
        entry = outer.environment.leaves[around].get(variable)
        if entry is not None and entry.sharing.makes_copy:
            return False
        if around in _TASKS and (entry is None or entry.sharing is not Sharing.SHARED):
            return is_shared_around(outer, around, variable)
        if around == "target" and not _is_mapped(outer, variable):
            return False
        if around in _TEAMS:
            default = outer.default(around)
            return shares_by_default(variable) or default is None or default.keyword in ("shared", "none")
    return variable.is_global


def _is_mapped(construct: Construct, variable: Variable) -> bool:
    """Whether a variable in a target region is the device's and not a copy of the region's own.

    That is what is mapped; one of file scope counts as such, for it may live on the device.
    """
    clauses = construct.clauses_of("target")
    named = [item.clause for item in construct.items_of(*clauses) if item.variable == variable]
    if any(isinstance(c, MapClause) for c in named):
        return True
    if any(isinstance(c, ListClause) for c in named):
        return False
    if shares_by_default(variable):
        return True
    return _behavior(construct, variable) not in ("default", "firstprivate", "private", "none")


def comes_home_implicitly(construct: Construct, variable: Variable) -> bool:
    """Whether a target construct without a clause for a variable maps it back to the host (OpenMP 5.2, 5.8.1)."""
    return not shares_by_default(variable) and _behavior(construct, variable) in ("from", "tofrom", "present", "self")


def _behavior(construct: Construct, variable: Variable) -> str:
    """Return what ``defaultmap`` says of a variable's category, or ``tofrom`` for aggregates."""
    kind = category(variable)
    clause = construct.defaultmap(kind)
    behavior = clause.behavior if clause is not None else "default"
    return "tofrom" if behavior == "default" and kind == "aggregate" else behavior


def is_declared_in(construct: Construct, variable: Variable) -> bool:
    """Whether a variable's declaration stands in a construct's statement."""
    node, body = construct.node.tree.node(variable.cursor), construct.body
    return body is not None and node.is_inside(body)


def shares_by_default(variable: Variable) -> bool:
    """Whether ``default(private)`` and ``default(firstprivate)`` leave a variable alone: one of file scope."""
    scope = variable.cursor.semantic_parent
    in_function = scope is not None and kind_of(scope) in FUNCTION_KINDS | {"LAMBDA_EXPR"}
    return variable.is_global and not in_function


def _outwards(construct: Construct, leaf: str) -> Iterator[tuple[Construct, str]]:
    """Yield the leaves around a leaf, innermost first."""
    leaves = construct.directive.leaves
    for around in reversed(leaves[: leaves.index(leaf)]):
        yield construct, around
    current = construct.parent
    while current is not None:
        for around in reversed(current.directive.leaves):
            yield current, around
        current = current.parent
