"""Iteration variables that leave a region with their last value without a clause of the loop's (OpenMP 5.2, 5.1.1).

In: a region. Out: the indices of its distributed loops that ``simd`` keeps, because it does not privatise them, and
that a ``map`` clause of the region brings home: their list items with the constructs that have them, by key.
"""

from __future__ import annotations

from rexcc.analysis.list_roots import root_key
from rexcc.analysis.references import variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.openmp.model import ListClause, ListItem, MapClause
from rexcc.program.constructs import Construct

_OF_LOOP = ("private", "lastprivate", "linear")


def kept_indices(region: TargetRegion) -> dict[int, tuple[ListItem, Construct]]:
    """Return the items of the indices that keep their last value, by the variable's key."""
    outside = {variable_key(loop.index) for loop in region.loops if not loop.declares}
    if not outside or not any("simd" in c.directive.leaves for c in region.constructs):
        return {}
    for placed in region.clauses(*_OF_LOOP):
        if isinstance(placed.clause, ListClause):
            outside -= {root_key(placed.construct, item) for item in placed.clause.items}
    found: dict[int, tuple[ListItem, Construct]] = {}
    for placed in region.clauses("map"):
        if isinstance(placed.clause, MapClause) and "from" in placed.clause.map_type:
            for item in placed.clause.items:
                key = root_key(placed.construct, item)
                if key in outside and key is not None and not item.sections:
                    found[key] = (item, placed.construct)
    return found
