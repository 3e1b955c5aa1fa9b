"""Iteration variables that leave a region with their last value without a clause of the loop's (OpenMP 5.2, 5.1.1).

In: a region. Out: the indices of its loops, unless several threads execute all of one, that ``simd`` or ``loop``
keeps, where they are linear or lastprivate, and that the region brings home: by a ``map`` clause, or by ``defaultmap``
and the implicit rules (5.8.1, 5.8.7).
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.enclosing import comes_home_implicitly
from rexcc.analysis.references import variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.openmp.model import Expression, ListItem, MapClause
from rexcc.program.constructs import Construct
from rexcc.source.records import dataclass

_KEEPING = frozenset({"simd", "loop"})
_OF_LOOP = ("private", "lastprivate", "linear")
_OF_REGION = ("map", "firstprivate", "is_device_ptr", "has_device_addr", "reduction", "in_reduction")


@dataclass(frozen=True)
class KeptIndex:
    """An index that keeps its last value, how a list names it, and the construct whose clause brings it home."""

    variable: Cursor
    item: ListItem
    construct: Construct


def kept_indices(region: TargetRegion) -> dict[int, KeptIndex]:
    """Return the indices that keep their last value, by the variable's key."""
    own = bool(region.loops) or not (region.has_teams or region.has_parallel)  # a shared index cannot count for many
    loops = (*region.loops, *(region.sequential if own else ()))
    outside = {variable_key(loop.index): loop.index for loop in loops if not loop.declares}
    if not outside or not any(_KEEPING & set(c.directive.leaves) for c in region.constructs):
        return {}
    listed = {item.key for item in region.items(*_OF_LOOP)}
    found: dict[int, KeptIndex] = {}
    for mapped in region.items("map"):
        key, clause, is_from = mapped.key, mapped.clause, False
        if isinstance(clause, MapClause):
            is_from = "from" in clause.map_type and not mapped.item.sections
        if is_from and key in outside and key not in listed:
            found[key] = KeptIndex(outside[key], mapped.item, mapped.construct)
    listed |= {item.key for item in region.items(*_OF_REGION)}
    for key, index in outside.items():
        if key not in listed and comes_home_implicitly(region.construct, index):
            named = Expression(str(index.spelling), region.construct.directive.span)
            found[key] = KeptIndex(index, ListItem(named, named), region.construct)
    return found
