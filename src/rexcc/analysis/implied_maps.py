"""``map`` clauses that a target construct has without saying so.

In: a target region. Out: the ``map(tofrom)`` of array sections in reductions on the combined construct, or in those it
takes part in (OpenMP 5.2, 5.5.10, 5.8.1 and 17.2). Whole variables need none: their attribute maps them.
"""

from __future__ import annotations

from rexcc.analysis.regions import TargetRegion
from rexcc.openmp.model import MapClause


def implied_maps(region: TargetRegion) -> list[MapClause]:
    """Return the ``map`` clauses that sections in reductions of the combined target construct imply."""
    mapped = region.items("map", "is_device_ptr", "has_device_addr")
    named = {None, *(item.variable or item.pointer_member for item in mapped)}
    return [
        MapClause("map", reduced.clause.span, "tofrom", (reduced.item,))
        for reduced in region.construct.items("reduction", "in_reduction")
        if reduced.item.sections and (reduced.variable or reduced.pointer_member) not in named
    ]
