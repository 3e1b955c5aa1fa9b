"""Rows of ``link`` variables (OpenMP 5.2, 7.8): mapping one attaches the pointer by which device functions reach it.

In: the rows of a construct and the variables that they map. Out: the rows whose base is such a variable have its
pointer as base instead; and, for kernels, rows that attach the pointers of variables that only called functions use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from clang.cindex import Cursor

from rexcc.analysis.indirect import indirect_functions
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.unnamed_calls import calls_of_objects
from rexcc.clang.tree import Node
from rexcc.lowering.maps.items import Item
from rexcc.lowering.model.host_values import NOTHING, Pointer, address, address_of
from rexcc.lowering.model.host_values import pointer as value_of
from rexcc.lowering.model.launch import MapRow
from rexcc.lowering.model.map_types import MapFlag
from rexcc.program.variables import Variable, variable_of
from rexcc.source.records import replace

_NOT_ATTACHED = {MapFlag.LITERAL, MapFlag.NON_CONTIGUOUS, MapFlag.PRIVATE}


def item_addresses(items: Iterable[Item], links: Mapping[Variable, str]) -> dict[Pointer, str]:
    """Return the pointers of the ``link`` variables among list items, by the variables' addresses.

    ``links`` are those pointers by variable.
    """
    found: dict[Pointer, str] = {}
    for item in items:
        root = item.path.root
        if root.variable is not None and root.kind is not None and root.variable in links:
            found[address_of(root.text, root.kind)] = links[root.variable]
    return found


def attached(row: MapRow, addresses: Mapping[Pointer, str]) -> MapRow:
    """Return a row that attaches the pointer of the ``link`` variable it maps; others stay as they are."""
    pointer = addresses.get(row.base)
    if pointer is None or row.is_member or _NOT_ATTACHED.intersection(row.flags):
        return row
    return replace(row, base=address(pointer, None), flags=(*row.flags, MapFlag.ATTACH))


def reached_rows(region: TargetRegion, links: Mapping[Variable, str], known: Iterable[MapRow]) -> Iterator[MapRow]:
    """Yield rows for the ``link`` variables that only functions use which the region calls: where one is on the device,
    its pointer is attached, nothing is mapped."""
    done = {row.base for row in known}
    for body in _bodies_reached(region) if links else ():
        for node in body.walk():
            variable = variable_of(node.referenced) if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
            pointer = links.get(variable) if variable is not None else None
            if pointer is None or address(pointer, None) in done:
                continue
            done.add(address(pointer, None))
            flags = (MapFlag.IMPLICIT, MapFlag.ATTACH)
            reason = "used by a function that the region calls"
            yield MapRow(address(pointer, None), value_of(pointer), NOTHING, flags, node.spelling, reason=reason)


def _bodies_reached(region: TargetRegion) -> Iterator[Node]:
    """Yield the functions that a region calls, also those that it does not name."""
    tree, seen = region.unit.tree, set[int]()
    also: list[Cursor] = list(indirect_functions(region.unit))
    code = list(region.device_parts)
    while code or also:
        bodies = list(called_bodies(tree, code, also=also))
        yield from bodies
        unnamed = {int(f.hash): f for one in (*code, *bodies) for f in calls_of_objects(region.unit, one)}
        also = [f for key, f in unnamed.items() if key not in seen]
        seen |= unnamed.keys()
        code = []
