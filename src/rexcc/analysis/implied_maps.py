"""``map`` clauses that a target construct has without saying so.

In: a target region. Out: the ``map(tofrom)`` of array sections in reductions on the combined construct, or in those it
takes part in (OpenMP 5.2, 5.5.10, 5.8.1 and 17.2). Whole variables need none: their attribute maps them.
"""

from __future__ import annotations

from rexcc.analysis.list_roots import member_pointer, root_key
from rexcc.analysis.regions import TargetRegion
from rexcc.openmp.model import ListClause, MapClause, ReductionClause


def implied_maps(region: TargetRegion) -> list[MapClause]:
    """Return the ``map`` clauses that sections in reductions of the combined target construct imply."""
    construct = region.construct
    named = {
        root
        for placed in region.clauses("map", "is_device_ptr", "has_device_addr")
        if isinstance(placed.clause, MapClause | ListClause)
        for item in placed.clause.items
        if (root := root_key(placed.construct, item) or member_pointer(placed.construct, item)) is not None
    }
    return [
        MapClause("map", clause.span, "tofrom", (item,))
        for clause in construct.directive.of_type(ReductionClause)
        if clause.name in ("reduction", "in_reduction")
        for item in clause.items
        if item.sections and (root_key(construct, item) or member_pointer(construct, item) or -1) not in named | {-1}
    ]
