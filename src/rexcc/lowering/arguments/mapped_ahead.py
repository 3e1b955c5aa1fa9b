"""What has to be on the device before the host can make the objects of lambdas for it.

In: a region, the list items of its ``map`` clauses and its arguments. Out: the rows of what a lambda from outside of
the region's function may point or refer to: what is behind pointers and references, and variables that are not the
function's own. The pointers of a lambda are attached to what the same construct maps (OpenMP 5.2, 5.8.1 and 5.8.3:
attachment comes behind the mapping of all list items), so these items are mapped by calls of their own around the
launch.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.lambda_values import is_lambda_object
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.lowering.maps.items import Item, group_by_root, item_rows
from rexcc.lowering.maps.iterated import row_loops
from rexcc.lowering.maps.linked import attached, item_addresses
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.launch import Argument, MapRow
from rexcc.lowering.model.map_types import MapFlag
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.records import replace

_TRAVELLING = (Kind.FIRSTPRIVATE, Kind.MAPPED, Kind.MAPPED_IMPLICITLY)
_MOVED = {MapFlag.TO, MapFlag.FROM}
_COPIES = {MapFlag.LITERAL, MapFlag.PRIVATE, MapFlag.LOOKED_UP, MapFlag.PARTIALS, MapFlag.REDUCED}


def rows_ahead(
    region: TargetRegion, data: RegionData, facts: MapFacts, items: list[Item], arguments: Sequence[Argument]
) -> tuple[MapRow, ...]:
    """Return the rows, none where no lambda travels that has a pointer or reference. Raises CompileError where only the
    run can count them."""
    lambdas = (a.variable for a in data.attributes if a.kind in _TRAVELLING and _is_lambda(region, a.variable))
    if not any(types.holds_pointers(types.without_reference(variable.cursor.type)) for variable in lambdas):
        return ()
    if row_loops(facts, *region.constructs):
        message = (
            "a lambda's pointers cannot be attached to what a clause with iterators maps; map that by 'target data'"
        )
        raise error("unsupported-capture", message, region.construct.span)
    implied = {a.variable.name for a in data.attributes if a.kind is Kind.MAPPED_IMPLICITLY}
    implied -= {a.variable.name for a in data.attributes if not _is_of_others(region, a.variable)}
    rows = [row for a in arguments if (row := a.row).what in implied and _MOVED & set(row.flags) and _is_whole(row)]
    rows = [replace(row, flags=tuple(f for f in row.flags if f is not MapFlag.PARAM)) for row in rows]
    for group in group_by_root(items):
        if any(_may_be_captured(region, item) for item in group):
            rows += item_rows(group, len(rows), is_resident=group[0].variable in facts.residents)
    addresses = item_addresses(items, facts.links)
    return tuple(attached(row, addresses) for row in rows)


def _is_lambda(region: TargetRegion, variable: Variable) -> bool:
    return is_lambda_object(region.unit, variable.cursor.type)


def _is_of_others(region: TargetRegion, variable: Variable) -> bool:
    """Whether a variable may be one that a lambda refers to."""
    if _is_lambda(region, variable):
        return False
    return region.owner.template is None or variable.is_global or types.is_reference(variable.cursor.type)


def _is_whole(row: MapRow) -> bool:
    """Whether a row moves an object that is no part of another row's."""
    return not row.is_member and not _COPIES & set(row.flags)


def _may_be_captured(region: TargetRegion, item: Item) -> bool:
    """Whether a lambda that the region's function was given may hold the address of an item: those that stand in a
    function without template parameters may hold any."""
    variable = item.variable
    if variable is None:
        return True
    if _is_of_others(region, variable):
        return True
    return not _is_lambda(region, variable) and _is_behind_pointer(item)


def _is_behind_pointer(item: Item) -> bool:
    return len(item.path.segments(False)) > 1 or (item.path.root.is_pointer and not item.path.is_root)
