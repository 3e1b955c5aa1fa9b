"""Iteration variables that leave a region with their last value without a clause of the loop's (OpenMP 5.2, 5.1.1).

In: a region. Out: the indices of its loops, unless several threads execute all of one, that ``simd`` or ``loop``
keeps, where they are linear or lastprivate, and that the region brings home: by a ``map`` clause, or by ``defaultmap``
and the implicit rules (5.8.1, 5.8.7).
"""

from __future__ import annotations

from rexcc.analysis.enclosing import comes_home_implicitly
from rexcc.analysis.regions import TargetRegion
from rexcc.openmp.model import Expression, ListItem, MapClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass

_KEEPING = frozenset({"simd", "loop"})
_OF_LOOP = ("private", "lastprivate", "linear")
_OF_REGION = ("map", "firstprivate", "is_device_ptr", "has_device_addr", "reduction", "in_reduction")


@dataclass(frozen=True)
class KeptIndex:
    """An index that keeps its last value, how a list names it, and the construct whose clause brings it home."""

    variable: Variable
    item: ListItem
    construct: Construct


def kept_indices(region: TargetRegion) -> dict[Variable, KeptIndex]:
    """Return the indices that keep their last value."""
    own = bool(region.loops) or not (region.has_teams or region.has_parallel)  # a shared index cannot count for many
    loops = (*region.loops, *(region.sequential if own else ()))
    outside = [loop.index for loop in loops if not loop.declares]
    if not outside or not any(_KEEPING & set(c.directive.leaves) for c in region.constructs):
        return {}
    listed = {item.variable for item in region.items(*_OF_LOOP)}
    found: dict[Variable, KeptIndex] = {}
    for mapped in region.items("map"):
        index, clause, is_from = mapped.variable, mapped.clause, False
        if isinstance(clause, MapClause):
            is_from = "from" in clause.map_type and not mapped.item.sections
        if is_from and index in outside and index not in listed:
            found[index] = KeptIndex(index, mapped.item, mapped.construct)
    listed |= {item.variable for item in region.items(*_OF_REGION)}
    for index in outside:
        if index not in listed and comes_home_implicitly(region.construct, index):
            named = Expression(index.name, region.construct.directive.span)
            found[index] = KeptIndex(index, ListItem(named, named), region.construct)
    return found
