"""Members of ``*this`` in ``is_device_ptr`` and ``has_device_addr`` (OpenMP 5.2, 5.4.7 and 5.4.9).

In: a region in a method. Out: one argument for each member that such a clause names, with the name by which the
region's body then knows it. The object itself need not be on the device for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.lowering.maps.device_addresses import device_name
from rexcc.lowering.model.host_values import POINTER_SIZE, address_of, pointer
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import LITERAL
from rexcc.lowering.text.variables import reference
from rexcc.openmp.model import ListItem
from rexcc.program.constructs import Construct
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

_CLAUSES = ("is_device_ptr", "has_device_addr")


@dataclass(frozen=True)
class _DeviceMember:
    clause: str
    item: ListItem
    member: Node
    construct: Construct

    @property
    def key(self) -> int:
        referenced = self.member.referenced
        assert referenced is not None
        return int(referenced.canonical.hash)

    @property
    def local(self) -> str:
        return related("member", self.member.spelling)


def device_member_names(region: TargetRegion) -> dict[int, str]:
    """Return the names of these members in the kernel, by the hash of the field."""
    return {found.key: found.local for found in _members(region)}


def device_member_arguments(region: TargetRegion) -> tuple[Argument, ...]:
    """Return the arguments: a pointer travels as it is, of anything else the address does."""
    return tuple(_argument(found) for found in _members(region))


def _members(region: TargetRegion) -> Iterator[_DeviceMember]:
    done: set[int] = set()
    for item in region.items(*_CLAUSES):
        if item.own_member is None:
            continue
        found = _DeviceMember(item.clause.name, item.item, item.own_member, item.construct)
        if found.key not in done:
            done.add(found.key)
            yield found


def _argument(found: _DeviceMember) -> Argument:
    kind = types.without_reference(found.member.type)
    written = found.item.base.text.strip()
    is_base = "::" in written and not written.startswith("this")
    host = device_name(found.construct, found.member) or (f"this->{written}" if is_base else written)
    name, what = found.local, found.item.whole
    reason = f"named in '{found.clause}'"
    points = types.is_pointer(kind) and (found.clause == "is_device_ptr" or bool(found.item.sections))
    place = pointer(host) if points else address_of(host, kind)
    row = MapRow(place, place, POINTER_SIZE, LITERAL, what.text.strip(), reason=reason, place=what.span)
    if points:
        return Argument(row, Parameter(spelling.spell(kind), name))
    line = reference(kind, name, f"*{related('address', name)}")
    return Argument(row, Parameter(spelling.pointer_to(kind), related("address", name), (line,)))
