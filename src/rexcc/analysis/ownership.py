"""Who has a private copy: the target task, each team or each thread (OpenMP 5.2, 5.4 and 17.2).

In: a region and a variable that clauses on its constructs make private. Out: :class:`Owner`. The innermost leaf that
makes a copy decides: threads of a parallel share what is private to the teams or the target construct around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from rexcc.analysis.originals import original_uses
from rexcc.analysis.references import UsedVariable, is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.program.variables import Variable

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
