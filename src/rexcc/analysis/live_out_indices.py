"""Iteration variables that leave a region with their last value without a clause of the loop's (OpenMP 5.2, 5.1.1).

In: a region. Out: the indices of its loops, unless several threads execute all of one, that ``simd`` or ``loop``
keeps, where they are linear or lastprivate, and that a ``map`` clause of the region brings home: their list items with
the constructs that have them, by key.
"""

from __future__ import annotations

from rexcc.analysis.references import variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.openmp.model import ListItem, MapClause
from rexcc.program.constructs import Construct

_KEEPING = frozenset({"simd", "loop"})
_OF_LOOP = ("private", "lastprivate", "linear")


def kept_indices(region: TargetRegion) -> dict[int, tuple[ListItem, Construct]]:
    """Return the items of the indices that keep their last value, by the variable's key."""
    own = bool(region.loops) or not (region.has_teams or region.has_parallel)  # a shared index cannot count for many
    loops = (*region.loops, *(region.sequential if own else ()))
    outside = {variable_key(loop.index) for loop in loops if not loop.declares}
    if not outside or not any(_KEEPING & set(c.directive.leaves) for c in region.constructs):
        return {}
    outside -= {item.key for item in region.items(*_OF_LOOP)}
    found: dict[int, tuple[ListItem, Construct]] = {}
    for mapped in region.items("map"):
        key, clause = mapped.key, mapped.clause
        if isinstance(clause, MapClause) and "from" in clause.map_type and key in outside and not mapped.item.sections:
            found[key] = (mapped.item, mapped.construct)
    return found
