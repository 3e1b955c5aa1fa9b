"""Numbers of ``*this`` that a region reads, on their way into the kernel without the object.

In: a region in a method, without a clause for ``*this``. Out: arguments for each member, and how the kernel names it.
Before and after, in a method of a class with ``n``::

    Grid *__rex_this                                        // mapped tofrom: room, two copies and an end
    y[i * __rex_this->n]

    const void *__rex_member_address_n, rex_literal __rex_member_word_n   // looked up, and the host's value
    y[i * rex_object_there<int>(__rex_member_address_n, __rex_member_word_n)]

It cannot be noticed:

- Where the device has the member, each use reads it there, as before. A row without a mapping looks that up when the
  kernel is launched (decision 077).
- Where it has not, the mapping would have made a copy of the object for this region alone: no pointer leads to it that
  the kernel may write through, so its numbers would keep the values that the host has at the launch, and what comes
  home is what was there. The host waits for queued kernels that may write them, as for bounds (decision 039).
- The region does nothing else with the object: each use reads a number by a member's name, and no lambda or local class
  of the region knows ``this``.
- No part of the object is there without the rest (:mod:`rexcc.analysis.partial_objects`).

Objects of classes that the unit maps as a whole are there as a rule, and stay mapped; so do those of tasks, whose
mappings are made when they are executed, and those with a mapper.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.host_bounds import is_mapped_as_a_whole
from rexcc.analysis.partial_objects import number_read, this_may_be_there_in_part
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.requirements import UNIFIED_SHARED_MEMORY, requirements
from rexcc.clang import spelling, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.lowering.arguments.device_members import device_member_names
from rexcc.lowering.arguments.private_members import private_member_names
from rexcc.lowering.cleanups.syntax import is_load
from rexcc.lowering.model.dependences import is_task
from rexcc.lowering.model.host_values import NOTHING, Pointer, address, size_of_word
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, LITERAL, MapFlag
from rexcc.lowering.reductions.member_reductions import member_names
from rexcc.lowering.text.this_pointer import member_there
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

_MOST = 8
"""Members that travel by themselves: each takes two parameters."""
_MOST_NODES = 800
"""Of a region whose code a kernel may have twice."""
_NUMBERS = frozenset({"BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG",
                      "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})  # fmt: skip
_KNOWING_THIS = RECORD_KINDS | {"LAMBDA_EXPR"}
_REASON = "looked up, and travels by value: the region only reads it"


@dataclass(frozen=True)
class ReadMember:
    """A member that is read: its field by hash, its name and its type in the kernel."""

    key: int
    name: str
    type: str

    @property
    def host(self) -> str:
        """The member on the host."""
        return f"this->{self.name}"

    @property
    def text(self) -> str:
        """The member in the kernel."""
        return member_there(self.type, self.address, self._word)

    @property
    def address(self) -> str:
        """The parameter with the member's address on the device."""
        return related("member_address", self.name)

    @property
    def _word(self) -> str:
        return related("member_word", self.name)

    def arguments(self) -> Iterator[Argument]:
        """Yield the arguments."""
        place = address(self.host, None)
        found = MapRow(place, place, NOTHING, (*LITERAL, MapFlag.LOOKED_UP), self.host, reason=_REASON)
        yield Argument(found, Parameter("const void *", self.address))
        value = Pointer(f"rex_pack_word(&{self.host}, sizeof {self.host}, 0)", is_untyped=True)
        row = MapRow(value, None, size_of_word("__UINT64_TYPE__"), IMPLICIT_LITERAL, self.host, reason=_REASON)
        yield Argument(row, Parameter("rex_literal", self._word))


def read_members(region: TargetRegion, data: RegionData, has_mapper: bool) -> tuple[ReadMember, ...]:
    """Return the members of ``*this`` that travel by themselves, none where the object has to be mapped."""
    if not data.uses_this or has_mapper or not _may_travel(region, data):
        return ()
    found: dict[int, ReadMember] = {}
    for use in data.references.this_uses:
        member = _read(region, use)
        if member is None:
            return ()
        found[member.key] = member
    return tuple(found.values()) if len(found) <= _MOST else ()


def read_member_names(members: tuple[ReadMember, ...]) -> dict[int, str]:
    """Return how the kernel names the members, by the hash of the field."""
    return {member.key: member.text for member in members}


def asked_first(region: TargetRegion, members: tuple[ReadMember, ...]) -> tuple[str, ...]:
    """Return the addresses for which a kernel asks once, as it is short enough to have its code twice: with the host's
    values, which its compiler then knows to be constants, and with what the device has."""
    is_short = next(islice(region.body.walk(), _MOST_NODES, None), None) is None
    return tuple(member.address for member in members) if is_short else ()


def _may_travel(region: TargetRegion, data: RegionData) -> bool:
    unit, owner = region.unit, region.owner
    record = owner.node.cursor.semantic_parent
    if data.this is None or data.this.map_items or owner.template is not None or kind_of(record) not in RECORD_KINDS:
        return False
    if is_task(region.construct.directive) or data.closures or requirements(unit) & UNIFIED_SHARED_MEMORY:
        return False
    if member_names(region) or private_member_names(region) or device_member_names(region):
        return False
    if any(node.kind in _KNOWING_THIS for node in region.body.walk()):
        return False
    return not (this_may_be_there_in_part(unit, owner.node.cursor) or is_mapped_as_a_whole(unit, record))


def _read(region: TargetRegion, use: Node) -> ReadMember | None:
    """Return the member whose number a use of the object reads, None for any other use."""
    member = number_read(use)
    field = member.referenced if member is not None else None
    if member is None or field is None or not is_load(member) or _is_read_atomically(region, use):
        return None
    if field.semantic_parent != region.owner.node.cursor.semantic_parent:
        return None
    kind = types.canonical(field.type)
    if types.kind_name(kind) not in _NUMBERS or not str(field.spelling):
        return None
    return ReadMember(int(field.canonical.hash), str(field.spelling), spelling.spell_bare(kind))


def _is_read_atomically(region: TargetRegion, use: Node) -> bool:
    """Whether a construct may read an object by its address."""
    inside = region.constructs[-1].descendants()
    reading = (c for c in inside if "critical" in c.directive.leaves or c.directive.has("read"))
    return any(use.is_inside(construct.node) for construct in reading)
