"""OpenMP's routines that ask about a team, by their names, and the calls of them in code.

In: a name in a piece of code. Out: which routine of these it means, and whether it is called there.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import Node

TEAM_ROUTINES = frozenset(
    {
        "omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads", "omp_in_parallel", "omp_get_level",
        "omp_get_active_level", "omp_get_ancestor_thread_num", "omp_get_team_size", "omp_in_final",
    }
)  # fmt: skip
"""OpenMP's routines whose answers depend on the parallel regions, and the final tasks, around the call."""

OF_LEVEL = frozenset({"omp_get_ancestor_thread_num", "omp_get_team_size"})
"""Those of them that ask about the region at a level."""

IN_FINAL = "omp_in_final"
"""The one that asks about final tasks; text answers it where the unit has none."""


def called_by(name: Node) -> Node | None:
    """Return the call of which a name is the function, None for another use of it."""
    node = name
    while node.parent is not None and node.parent.bare() is name:
        node = node.parent
    above = node.parent
    return above if above is not None and above.kind == "CALL_EXPR" and above.children[0] is node else None


def names_in(node: Node) -> Iterator[str]:
    """Yield the names of variables and functions in a piece of code, each as often as it stands there."""
    return (n.spelling for n in node.walk() if n.kind == "DECL_REF_EXPR")
