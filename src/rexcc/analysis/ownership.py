"""Private copies: which uses mean one, and who has it (OpenMP 5.2, 5.4 and 17.2).

In: a variable with its uses in a construct's statement, or a region and a variable that clauses on its constructs make
private. Out: the uses that nested constructs do not make private; a variable without such a use is not needed inside.
:class:`Owner`: the target task, each team or each thread. The innermost leaf that makes a copy decides: threads of a
parallel share what is private to the teams or the target construct around it. Clauses that take the first value or
bring the last one back, such as ``firstprivate`` and ``reduction``, need the original.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from rexcc.analysis.references import UsedVariable, is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.clang.unevaluated import is_measured
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.program.variables import Variable


def original_uses(outer: Construct, variable: UsedVariable) -> list[Node]:
    """Return the uses of a variable in a construct that mean the variable outside of it."""
    private = [c.environment for c in outer.descendants() if _is_replaced(c, variable)]
    return [use for use in variable.uses if not any(inner.covers(use) for inner in private)]


def is_only_measured(variable: UsedVariable) -> bool:
    """Whether a variable is there for its size alone: it is used, but only as an operand that is not evaluated."""
    if not variable.uses or types.has_runtime_extent(types.without_reference(variable.cursor.type)):
        return False
    return all(map(is_measured, variable.uses))


def _is_replaced(construct: Construct, variable: Variable) -> bool:
    """Whether a construct gives its statement a variable of its own, without a look at the original."""
    entries = [e for leaf in construct.environment.leaves.values() if (e := leaf.get(variable)) is not None]
    named = any(item.variable == variable for item in construct.items("map"))
    looks = any(e.item is not None and e.sharing not in (Sharing.PRIVATE, Sharing.SHARED) for e in entries)
    return bool(construct.environment.copies(variable)) and not looks and not named


_PRIVATE = frozenset({Sharing.PRIVATE, Sharing.FIRSTPRIVATE, Sharing.FIRST_AND_LAST})
_TEAMS = frozenset({"teams", "distribute"})
_ORDERING = frozenset({"atomic", "critical", "single", "master", "masked", "section", "task", "taskloop", "ordered"})


class Owner(Enum):
    """What has one copy of a variable."""

    TARGET = "the target task"
    TEAM = "each team"
    THREAD = "each thread"


def owner_of(region: TargetRegion, variable: Variable) -> Owner:
    """Return who has a private copy of a variable; the target task where no clause makes one."""
    leaf = next(_copying_leaves(region, variable), "target")
    if leaf == "target":
        return Owner.TARGET
    return Owner.TEAM if leaf in _TEAMS else Owner.THREAD


def _copying_leaves(region: TargetRegion, variable: Variable) -> Iterator[str]:
    """Yield the leaves whose clauses make a variable private or first-private, innermost first."""
    for construct in reversed(region.constructs):
        for entry in reversed(construct.environment.copies(variable)):
            if entry.item is not None and entry.sharing in _PRIVATE:
                yield entry.leaf


def is_told(region: TargetRegion, variable: UsedVariable) -> bool:
    """Whether threads that share a variable may tell each other values through it, in a program without races.

    Its address gets about, or it is assigned where one thread at a time is, or between barriers.
    """
    if variable.exposed:
        return True
    inner = region.constructs[-1]
    if any(_assigns(c, variable) for c in inner.descendants()):
        return True
    written = [use for use in original_uses(inner, variable) if is_written(use)]
    if written and region.has_parallel and not region.is_worksharing:
        return True
    ordered = [c.body for c in inner.descendants() if c.body is not None and _ORDERING & set(c.directive.leaves)]
    return any(body.start <= use.start < body.end for body in ordered for use in written)


def _assigns(construct: Construct, variable: Variable) -> bool:
    """Whether a clause of a construct assigns a variable at its end."""
    if construct.environment.assigning(variable) is not None:
        return True
    return any(item.variable == variable for item in construct.items("copyprivate"))
