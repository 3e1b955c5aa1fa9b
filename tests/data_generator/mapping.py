"""The effects of map and motion clauses on a machine (OpenMP 5.2, 5.8.3 and 13.9).

Items of one construct that lie in one structure are present together: as OpenMP says of their layout, and as runtimes
keep them. Where a count for each construct and a count for each list item would give different results, an
UndefinedError is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from data_generator.kinds import Pointer, Struct
from data_generator.machine import FOREVER, Address, Attached, Entry, Machine, Storage, UndefinedError
from data_generator.paths import Extent, Hop, Item


@dataclass(frozen=True)
class Mapped:
    """A list item of a map clause, with its map type and modifiers."""

    item: Item
    kind: str
    modifiers: tuple[str, ...] = ()

    @property
    def into(self) -> bool:
        """Whether values go to the device."""
        return self.kind in ("to", "tofrom")

    @property
    def back(self) -> bool:
        """Whether values come from the device."""
        return self.kind in ("from", "tofrom")

    @property
    def always(self) -> bool:
        """Whether they do whatever the count is."""
        return "always" in self.modifiers


@dataclass
class Piece:
    """Cells that a list item needs on the device: its own (with ``mapped``) or a pointer on the way to them."""

    cells: set[int]
    spans: list[tuple[Storage, int, int, int]]
    mapped: Mapped | None
    modifiers: tuple[str, ...] = ()


def _contains(piece: Piece, other: Piece) -> bool:
    """Tell whether one of two list items is a structure that contains the other."""
    outer = piece if piece.cells > other.cells else other
    assert outer.mapped is not None
    return isinstance(outer.mapped.item.kind, Struct)


@dataclass
class Group:
    """Pieces of one storage, reached in one way: what becomes present together."""

    storage: Storage
    pieces: list[Piece] = field(default_factory=list)

    @property
    def parts(self) -> list[set[int]]:
        """The cells of each piece."""
        return [piece.cells for piece in self.pieces]

    @property
    def cells(self) -> set[int]:
        """All cells of the pieces."""
        return set().union(*self.parts)

    @property
    def asked(self) -> bool:
        """Whether a ``present`` modifier asks for it; that the way to an item is present may or may not be asked."""
        return any("present" in p.modifiers for p in self.pieces)

    @property
    def items(self) -> list[tuple[Mapped, set[int]]]:
        """The list items among the pieces."""
        return [(p.mapped, p.cells) for p in self.pieces if p.mapped is not None]

    def check(self, all_new: bool) -> None:
        """Refuse items that OpenMP does not let stand together."""
        for at, piece in enumerate(self.pieces):
            for other in self.pieces[:at]:
                if piece.mapped and other.mapped and piece.cells == other.cells:
                    if piece.mapped.item.text != other.mapped.item.text:
                        raise UndefinedError("one item written in two ways")
                    continue
                if not (all_new or piece.cells & other.cells):
                    continue
                known = {(s, first): (low, high) for s, first, low, high in piece.spans}
                if piece.mapped and other.mapped and piece.cells & other.cells and not _contains(piece, other):
                    raise UndefinedError("two items share storage")
                if any(known.get((s, first), (low, high)) != (low, high) for s, first, low, high in other.spans):
                    raise UndefinedError("different elements of one array")

    def moved(self, back: bool, last: bool) -> dict[int, bool]:
        """Return the cells to copy, with False where a member asks for less than its structure does."""
        found: dict[int, bool] = {}
        asked = [(c, m.back if back else m.into, m.always) for m, c in self.items]
        copied = [cells for cells, wanted, always in asked if wanted and (last or always)]
        for cells in copied:
            for cell in cells:
                inner = [c for c, _, _ in asked if cell in c and c < cells]
                found[cell] = found.get(cell, True) and all(c in copied for c in inner)
        return found


def hop_pieces(item: Item, extent: Extent) -> list[tuple[Hop, str]]:
    """Return the pointers on the way to an item, but for one that is the variable itself, and how they are reached."""
    found, way = [], ""
    for at, hop in enumerate(extent.hops):
        if at > 0 or not isinstance(item.path.root.kind, Pointer):
            found.append((hop, way))
        way += f">{hop.storage.name}:{hop.cell}"
    return found


def groups(machine: Machine, mapped: Sequence[Mapped]) -> list[Group]:
    """Return what a construct's list items need, group by group."""
    found: dict[tuple[Storage, str], Group] = {}

    def add(storage: Storage, way: str, piece: Piece) -> None:
        for known, other in found:
            if known is storage and other != way:
                raise UndefinedError("one storage reached in two ways")
        found.setdefault((storage, way), Group(storage)).pieces.append(piece)

    for one in mapped:
        extent = one.item.resolve(machine)
        if not extent.cells:
            raise UndefinedError("nothing is mapped")
        root, way = one.item.path.root.name, ""
        for hop, before in hop_pieces(one.item, extent):
            add(hop.storage, root + before, Piece({hop.cell}, extent.spans, None, one.modifiers))
        way = "".join(f">{h.storage.name}:{h.cell}" for h in extent.hops)
        add(extent.storage, root + way, Piece(extent.whole, extent.spans, one, one.modifiers))
    return list(found.values())


def enter(machine: Machine, device: int, mapped: Sequence[Mapped]) -> None:
    """Do what happens on entry to a construct with map clauses."""
    fresh: set[int] = set()
    for group in groups(machine, mapped):
        number = machine.present(device, group.storage, *group.parts)
        if number is None:
            if group.asked:
                raise UndefinedError("not present")
            number = machine.allocate(device, group.storage, group.parts)
            fresh.add(number)
        group.check(number in fresh)
        entry = machine.devices[device][number]
        if entry.count < FOREVER:
            entry.count += 1
            for cell in group.cells:
                entry.counts[cell] += 1
        for cell, agreed in group.moved(back=False, last=number in fresh).items():
            copy_in(machine, entry, cell, agreed)
    for one in mapped:
        _attach(machine, device, one.item, fresh)


def copy_in(machine: Machine, entry: Entry, cell: int, agreed: bool = True) -> None:
    """Copy a cell to the device; an attached pointer stays attached, another one means nothing there."""
    if not isinstance(entry.values[cell], Attached):
        entry.values[cell] = machine.host[entry.storage][cell] if agreed else None


def copy_out(machine: Machine, entry: Entry, cell: int, agreed: bool = True) -> None:
    """Copy a cell to the host, where pointers keep their values if the device ever got them."""
    value, host = entry.values[cell], machine.host[entry.storage]
    if isinstance(host[cell], Address):
        if not agreed or value is None:
            raise UndefinedError("a pointer gets lost")
    else:
        host[cell] = value if agreed and isinstance(value, int) else None


def _attach(machine: Machine, device: int, item: Item, fresh: set[int]) -> None:
    """Attach the pointers on the way to a list item."""
    table = machine.devices[device]
    extent = item.resolve(machine)
    ways = hop_pieces(item, extent)
    pointees = [(hop.storage, {hop.cell}) for hop, _ in ways[1:]] + [(extent.storage, extent.whole)]
    for (hop, _), (storage, cells) in zip(ways, pointees, strict=False):
        pointer, pointee = machine.present(device, hop.storage, {hop.cell}), machine.present(device, storage, cells)
        assert pointer is not None and pointee is not None
        value = table[pointer].values[hop.cell]
        if pointer in fresh or pointee in fresh:
            table[pointer].values[hop.cell] = Attached(pointee, hop.target)
        elif value != Attached(pointee, hop.target):
            table[pointer].values[hop.cell] = None


def leave(machine: Machine, device: int, mapped: Sequence[Mapped], alone: bool = False) -> None:
    """Do what happens on exit from a construct with map clauses, and (``alone``) at ``target exit data``."""
    table = machine.devices[device]
    for group in groups(machine, mapped):
        number = machine.present(device, group.storage, *group.parts)
        if number is None:
            if alone and group.asked:
                raise UndefinedError("not present")
            continue
        group.check(all_new=False)
        entry = table[number]
        _count_down(entry, group)
        last = entry.count == 0
        for cell, agreed in group.moved(back=True, last=last).items():
            copy_out(machine, entry, cell, agreed)
        if last:
            del table[number]


def _count_down(entry: Entry, group: Group) -> None:
    if entry.count >= FOREVER:
        return
    deleted = [cells for m, cells in group.items if m.kind == "delete"]
    if deleted:
        if set().union(*deleted) != entry.counts.keys() or len(deleted) < len(group.items):
            raise UndefinedError("part of a structure is deleted")
        entry.count = 0
        return
    entry.count -= 1
    for cell in group.cells:
        entry.counts[cell] -= 1
    gone = entry.count == 0
    if any((count == 0) != gone for count in entry.counts.values()):
        raise UndefinedError("part of a structure is removed")


def update(machine: Machine, device: int, item: Item, back: bool) -> None:
    """Do what a motion clause does for one item; what is not present is left alone."""
    extent = item.resolve(machine)
    number = machine.present(device, extent.storage, extent.cells)
    if number is None:
        return
    entry = machine.devices[device][number]
    for cell in extent.cells:
        (copy_out if back else copy_in)(machine, entry, cell)
