"""Map rows of list items, for kernels, data regions and updates alike.

In: list items with their flags. Out: map rows in the order LLVM's runtime wants: a struct of which members are mapped
comes first as one row that covers them, its members after it as ``MEMBER_OF``, and a pointer on the way to an item is
attached to what it points to. These are clang's rows but where clang's lose a mapping or an object:

* What a pointer points to is ``MEMBER_OF`` the row that maps the pointer. Without it the runtime counts the pointer's
  storage twice when the construct begins and once when it ends.
* A global pointer travels by value like any other, unless it is in the device's memory (``declare target``).
* The row that covers several members covers all of them, also nested ones, those of base classes, and members of what a
  pointer points to.
* A reference is attached where the object keeps it, not at the object's start.
* ``target update`` moves no pointer on the way to an item.
* Items that a pointer is part of come before what it points to, or their copy would undo the attachment.
* Pointers that are list items are copied like other objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.clang import types
from rexcc.lowering.maps.item_paths import path_of
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.maps.mapped_objects import MappedObject
from rexcc.lowering.maps.paths import Path, PointerSegment
from rexcc.lowering.model.launch import MapRow
from rexcc.lowering.model.map_types import Flags, MapFlag, MapOrder, MemberOf
from rexcc.openmp.model import ListItem
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, replace

_OF_ITEM = frozenset({MapFlag.ALWAYS, MapFlag.DELETE, MapFlag.PRESENT})
"""What does not go for the pointers on the way to an item."""


@dataclass(frozen=True, eq=False)
class Item:
    """A list item with its flags and the way to its storage.

    ``mapper`` is the function of the ``declare mapper`` that maps it; the row of the item itself carries it.
    """

    item: ListItem
    flags: Flags
    path: Path
    mapper: str = ""
    order: MapOrder = MapOrder.FIRST

    @property
    def variable(self) -> Variable | None:
        """The variable that the item starts from, None for ``this``."""
        return self.path.root.variable

    @property
    def text(self) -> str:
        """The item as the user wrote it."""
        return self.item.whole.text.strip()


def make_item(
    item: ListItem, flags: Flags, construct: Construct, facts: MapFacts, order: MapOrder = MapOrder.FIRST
) -> Item:
    """Join an item with clang's view; raises CompileError where its form is not supported (``unsupported-item``)."""
    return Item(item, flags, path_of(item, construct), facts.mapper(construct, item.whole), order)


def group_by_root(items: list[Item]) -> list[list[Item]]:
    """Return the items grouped by the variable they start from, groups and items in source order.

    One item in several clauses counts once with the flags of all: its map-enter effects come before its map-exit ones
    (OpenMP 5.2, 5.8.3).
    """
    groups: dict[Variable | None, dict[str, Item]] = {}
    for item in items:
        group = groups.setdefault(item.variable, {})
        text = "".join(item.text.split())
        known = group.get(text)
        group[text] = item if known is None else replace(known, flags=tuple(dict.fromkeys((*known.flags, *item.flags))))
    return [list(group.values()) for group in groups.values()]


def maps_pointer(group: Sequence[Item]) -> bool:
    """Whether items of a group map both a pointer variable and something that it points to."""
    paths = [i.path for i in group]
    return paths[0].root.is_pointer and any(p.is_root for p in paths) and not all(p.is_root for p in paths)


def item_rows(
    group: list[Item], first: int, extra: Flags = (), whole: MapRow | None = None, is_resident: bool = False
) -> tuple[MapRow, ...]:
    """Return the rows of the items that start from one variable.

    ``first`` is the number of the first row, for ``MEMBER_OF``; it gets the flags ``extra``. ``whole`` is the row of
    the object that is mapped implicitly besides its members. ``is_resident`` says that the variable is a pointer in the
    device's memory, which only needs to be attached.
    """
    return _Rows(group, first, bool(extra), whole, is_resident).run(extra)


class _Rows:
    def __init__(self, group: list[Item], first: int, in_kernel: bool, whole: MapRow | None, is_resident: bool) -> None:
        self.items = sorted(group, key=lambda i: (*_turn(i, group), i.order))
        self.first = first
        self.in_kernel = in_kernel
        self.whole = whole
        self.is_resident = is_resident and group[0].path.root.is_pointer
        is_attached = self.is_resident or maps_pointer(group)
        self.segments = [i.path.segments(is_attached) for i in self.items]
        self.objects: dict[tuple[int, tuple[object, ...]], MappedObject] = {}
        self.slots: dict[tuple[object, ...], int | None] = {}
        self.rows: list[MapRow] = []

    def run(self, extra: Flags) -> tuple[MapRow, ...]:
        for segments in self.segments:
            for depth, segment in enumerate(segments):
                mapped = self.objects.setdefault((depth, segment.origin), MappedObject(depth))
                mapped.segments.append(segment)
        for item, segments in zip(self.items, self.segments, strict=True):
            self._item(item, segments)
        rows = [replace(row, flags=(*(extra if i == 0 else ()), *row.flags)) for i, row in enumerate(self.rows)]
        return tuple(_held(rows))

    def _add(self, row: MapRow) -> int:
        self.rows.append(row)
        return self.first + len(self.rows) - 1

    def _item(self, item: Item, segments: tuple[PointerSegment, ...]) -> None:
        pointer: int | None = None
        for depth, segment in enumerate(segments):
            mapped = self.objects[depth, segment.origin]
            is_implicit = depth == 0 and self.whole is not None
            if mapped.row is None and (is_implicit or mapped.wants_cover(self.in_kernel)):
                mapped.row = self._cover(item, segment, mapped, pointer)
            if segment.is_slot:
                pointer = self._slot(item, segment, mapped, pointer)
            else:
                self._storage(item, segment, mapped, pointer)

    def _cover(self, item: Item, segment: PointerSegment, mapped: MappedObject, pointer: int | None) -> int:
        """Add the row that covers the mapped members of an object."""
        if mapped.depth == 0 and self.whole is not None:
            row = replace(self.whole, flags=(MapFlag.IMPLICIT,), reason=f"covers {segment.name}")
        elif mapped.depth == 0 and item.path.root.is_derived and segment.whole is not None:
            row = MapRow(
                segment.base, segment.whole.begin, segment.whole.size, (), segment.name, reason=f"covers {segment.name}"
            )
        else:
            begin, size = mapped.cover()
            what = f"{'members' if any(x.has_member for x in mapped.segments) else 'parts'} of {segment.name}"
            row = MapRow(segment.base, begin, size, (), what, reason=f"covers the mapped {what}")
        ends = [i for i, segments in zip(self.items, self.segments, strict=True) if segments[-1] in mapped.segments]
        asked = [MapFlag.DELETE]
        if MapFlag.IMPLICIT not in row.flags:  # of an object that is mapped besides, the items alone must be present
            asked.append(MapFlag.PRESENT)
        of_items = (flag for flag in asked if any(flag in item.flags for item in ends))
        flags = (*row.flags, *_attached(mapped.depth, pointer), *of_items)
        number = self._add(replace(row, flags=flags, place=item.item.whole.span, is_path_pointer=not ends))
        if mapped.depth == 0 and self.whole is not None:
            self._add(replace(self.whole, flags=(MemberOf(number), *self.whole.flags)))
        return number

    def _slot(self, item: Item, segment: PointerSegment, mapped: MappedObject, pointer: int | None) -> int | None:
        """Return the number of the row that maps a pointer on the way; adds that row where there is none."""
        is_new = segment.key not in self.slots
        known = self.slots.setdefault(segment.key, mapped.row)
        if not is_new:
            return known
        if mapped.depth == 0 and not segment.steps and self.is_resident:
            return None
        if mapped.row is not None and (segment.is_reference or segment.is_direct_member or mapped.depth > 0):
            return mapped.row
        if mapped.row is not None and self._is_in_mapped_object(item):
            return mapped.row  # a copy of the pointer would undo what the mapper has attached
        flags = () if mapped.depth > 0 else tuple(flag for flag in item.flags if flag not in _OF_ITEM)
        where = (MemberOf(mapped.row),) if mapped.row is not None else _attached(mapped.depth, pointer)
        reason = f"the pointer that '{item.text}' goes through"
        begin, size = segment.place.begin, segment.place.size
        number = self._add(MapRow(segment.base, begin, size, (*where, *flags), item.text, reason=reason,
                                  place=item.item.whole.span, is_path_pointer=True))  # fmt: skip
        self.slots[segment.key] = number if mapped.row is None else mapped.row
        return self.slots[segment.key]

    def _is_in_mapped_object(self, item: Item) -> bool:
        """Whether an object that an item is part of, or that leads to it, is an item with a mapper."""
        keys = item.path.keys
        around = (i for i in self.items if i.mapper and i is not item)
        return any(len(i.path.keys) < len(keys) and keys[: len(i.path.keys)] == i.path.keys for i in around)

    def _storage(self, item: Item, segment: PointerSegment, mapped: MappedObject, pointer: int | None) -> None:
        """Add the row of an item's own storage."""
        base, reason = segment.base, "list item"
        if mapped.row is not None:
            where: Flags = (MemberOf(mapped.row),)
            base = segment.address or base
            reason = f"member of {segment.name}"
        else:
            where = _attached(mapped.depth, pointer)
            if segment.address is not None:
                reason = f"what the pointer {segment.address.text} is attached to"
        flags = (*where, *item.flags, *_copied_pointers(item))
        number = self._add(MapRow(base, segment.place.begin, segment.place.size, flags, item.text, item.mapper, reason,
                                  item.item.whole.span))  # fmt: skip
        self.slots.setdefault(segment.key, number if mapped.row is None else mapped.row)


def _turn(item: Item, group: list[Item]) -> tuple[bool, int]:
    """Return what puts an item that contains others before them, and before what its own pointers point to."""
    return (False, len(item.path.segments(False))) if _is_around(item, group) else (True, 0)


def _is_around(item: Item, group: list[Item]) -> bool:
    """Whether an item contains others that must come after it: a struct its members, a pointer what it points to."""
    path = item.path
    if not path.has_member and any(other.path.has_member for other in group):
        return True
    keys = path.keys
    return any(other is not item and len(other.path.keys) > len(keys) and other.path.keys[: len(keys)] == keys
               for other in group)  # fmt: skip


def _attached(depth: int, pointer: int | None) -> Flags:
    """Return the flags that tie what a pointer points to to the row that maps the pointer."""
    if depth == 0:
        return ()
    return (MapFlag.ATTACH,) if pointer is None else (MemberOf(pointer), MapFlag.ATTACH)


def _copied_pointers(item: Item) -> Flags:
    """Return the flag that tells ours from LLVM's runtime: a copy that must leave attached pointers attached."""
    if item.mapper or not {MapFlag.ALWAYS, MapFlag.TO} <= set(item.flags):
        return ()
    kind = item.path.steps[-1].kind if item.path.steps else item.path.root.kind
    return (MapFlag.COPIES_POINTERS,) if kind is None or types.holds_pointers(kind) else ()


def _held(rows: list[MapRow]) -> list[MapRow]:
    """Make the rows of a struct use the hold count if one of them does."""
    hold = MapFlag.HOLD
    if not any(row.is_member for row in rows) or not any(hold in row.flags for row in rows):
        return rows
    return [row if hold in row.flags else replace(row, flags=(*row.flags, hold)) for row in rows]


def moving(row: MapRow) -> MapRow:
    """Take from a row of ``target update`` what its list item does not ask.

    Only the item's storage moves (OpenMP 5.2, 13.9), not a pointer on the way to it: what the device has there is
    anything where nothing is attached. And not the struct around an item has to be present.
    """
    moves = frozenset({MapFlag.TO, MapFlag.FROM})
    if row.is_path_pointer:
        row = replace(row, flags=tuple(flag for flag in row.flags if flag not in moves))
    if moves.intersection(row.flags):
        return row
    return replace(row, flags=tuple(flag for flag in row.flags if flag is not MapFlag.PRESENT))
