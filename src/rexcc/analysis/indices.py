"""Iteration variables of the loops associated with a construct, whether it can be lowered or not.

In: a construct. Out: its indices by key. Loops that are not canonical simply end the search: what is wrong with them is
said elsewhere.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.nests import counted_variables
from rexcc.analysis.references import variable_key
from rexcc.program.constructs import Construct

LOOP_LEAVES = frozenset({"for", "distribute", "simd", "loop", "taskloop"})
"""Leaf constructs whose associated loops' iteration variables have predetermined attributes."""


def associated_indices(construct: Construct) -> dict[int, Cursor]:
    """Return the iteration variables that are declared outside of their loops, outermost first."""
    if construct.body is None or LOOP_LEAVES.isdisjoint(construct.directive.leaves):
        return {}
    counted = counted_variables(construct.body, construct.depth)
    return {variable_key(variable): variable for variable in counted}
