"""What a construct asks of the team that reaches it.

In: a construct. Out: whether its statement is shared among the threads of the team or makes them wait, whether it asks
which thread reaches it, whether it is for the teams of a league around its function.
"""

from __future__ import annotations

from rexcc.program.constructs import Construct

_SHARING = frozenset({"for", "sections", "single", "scope", "barrier"})
_ASKING = _SHARING | {"masked", "master"}


def is_sharing(construct: Construct) -> bool:
    """Whether a construct's statement is shared among the threads of its team, or makes them wait."""
    leaves = set(construct.directive.leaves)
    return bool(leaves & _SHARING) or ("loop" in leaves and construct.binding == "parallel")


def asks_for_thread(construct: Construct) -> bool:
    """Whether which thread of its team reaches a construct decides what that executes of it."""
    return not _ASKING.isdisjoint(construct.directive.leaves)


def is_of_league(construct: Construct) -> bool:
    """Whether a construct is a loop for the teams of a league around its function."""
    leaves = set(construct.directive.leaves)
    if not ("distribute" in leaves or ("loop" in leaves and construct.binding == "teams")):
        return False
    return "teams" not in leaves and (construct.parent is None or "teams" not in construct.parent.directive.leaves)


def is_in_team_of_its_own(construct: Construct) -> bool:
    """Whether a construct belongs to a parallel or a target region of the function itself."""
    current: Construct | None = construct
    while current is not None:
        if not {"parallel", "target"}.isdisjoint(current.directive.leaves):
            return True
        current = current.parent
    return False
