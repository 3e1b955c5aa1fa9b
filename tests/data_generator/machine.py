"""The memory that a program works on: the host's, and on each device the storage that is present with its counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from data_generator.kinds import Array, Type, leaves

FOREVER = 1 << 40
"""The count of a global variable that devices have from the start."""


class UndefinedError(Exception):
    """What a program does is not defined, or not in the same way by all readings of the specification."""


@dataclass(eq=False)
class Storage:
    """A variable or an allocated block of the host."""

    name: str
    kind: Type
    cells: list[Type] = field(init=False)

    def __post_init__(self) -> None:
        self.cells = list(leaves(self.kind))

    def element(self, cell: int) -> int:
        """Return the number of the outermost array element in which a cell lies."""
        return cell // self.kind.element.cells if isinstance(self.kind, Array) else 0


@dataclass(frozen=True)
class Address:
    """A pointer's value on the host: ``room`` objects follow there."""

    storage: Storage
    at: int
    room: int


@dataclass(frozen=True)
class Attached:
    """A pointer's value on a device: it points into what is present as ``entry``."""

    entry: int
    address: Address


Value = int | Address | Attached | None
"""None: what nothing defines, or a pointer that devices cannot follow."""


@dataclass(eq=False)
class Entry:
    """Storage that is present: cells ``low`` to ``high``, of which those in ``counts`` belong to mapped list items.

    ``made``: the cells of each list item that made it present; the padding at a structure's end came along with none
    that lies within the structure. ``count`` counts constructs that map any of it, ``counts`` those that map the cell:
    a runtime may keep either.
    """

    storage: Storage
    low: int
    high: int
    count: int
    counts: dict[int, int]
    values: dict[int, Value]
    made: tuple[frozenset[int], ...]

    def copy(self) -> Entry:
        """Return a copy that changes on its own."""
        counts, values = dict(self.counts), dict(self.values)
        return Entry(self.storage, self.low, self.high, self.count, counts, values, self.made)

    def has(self, cells: set[int]) -> bool:
        """Tell whether an object of these cells is present, with the padding at its end."""
        ends = len(cells) > 1 and self.high - 1 in cells
        return cells <= self.counts.keys() and (not ends or any(cells <= made for made in self.made))


class Machine:
    """The state of host and devices."""

    def __init__(self, devices: int) -> None:
        self.host: dict[Storage, list[Value]] = {}
        self.devices: list[dict[int, Entry]] = [{} for _ in range(devices)]
        self.numbered = 0
        self.random = 0
        self.output: list[str] = []
        self.text: list[str] = []
        self.methods: list[tuple[str, str, list[str]]] = []

    def clone(self) -> Machine:
        """Return a machine in the same state."""
        other = Machine(0)
        other.host = {storage: list(values) for storage, values in self.host.items()}
        other.devices = [{n: entry.copy() for n, entry in table.items()} for table in self.devices]
        other.numbered, other.random = self.numbered, self.random
        other.output, other.text, other.methods = list(self.output), list(self.text), list(self.methods)
        return other

    def say(self, *lines: str) -> None:
        """Add lines to the program's text."""
        self.text += lines

    def new(self, storage: Storage) -> Storage:
        """Bring storage of the host to life, undefined as yet."""
        self.host[storage] = [None] * len(storage.cells)
        return storage

    def next_number(self) -> int:
        """Return the next number of the generator that the program has as well."""
        self.random = (self.random * 1103515245 + 12345) % (1 << 32)
        return self.random // 65536 % 30000

    # ---- presence

    def overlapping(self, device: int, storage: Storage, low: int, high: int) -> list[int]:
        """Return the numbers of the entries that have any cell of a range."""
        table = self.devices[device].items()
        return [n for n, e in table if e.storage is storage and e.low < high and low < e.high]

    def present(self, device: int, storage: Storage, *items: Iterable[int]) -> int | None:
        """Return the entry in which all cells of some items are mapped, None if nothing of them is present."""
        objects = [set(item) for item in items]
        wanted = set[int]().union(*objects)
        found = self.overlapping(device, storage, min(wanted), max(wanted) + 1)
        if not found:
            return None
        if len(found) > 1 or not all(self.devices[device][found[0]].has(cells) for cells in objects):
            raise UndefinedError("part of a list item is present")
        return found[0]

    def allocate(self, device: int, storage: Storage, items: Sequence[set[int]]) -> int:
        """Make storage of list items present that is not, and return the number of its entry."""
        cells = set[int]().union(*items)
        low, high = min(cells), max(cells) + 1
        elements = range(storage.element(low), storage.element(high - 1) + 1)
        for entry in self.devices[device].values():
            if entry.storage is storage and any(
                e in elements for e in range(storage.element(entry.low), storage.element(entry.high - 1) + 1)
            ):
                raise UndefinedError("another part of the same structure is present")
        self.numbered += 1
        values: dict[int, Value] = dict.fromkeys(range(low, high))
        made = tuple(frozenset(item) for item in items)
        self.devices[device][self.numbered] = Entry(storage, low, high, 0, dict.fromkeys(cells, 0), values, made)
        return self.numbered
