"""Where a generated statement stands, what it may touch there, and why no two threads get in each other's way.

A *slot* tells executions of a statement apart: the iteration of a loop, or, anonymous, the team or thread that
executes. A place is a sequence of slots. Whoever shares out work adds a slot that *covers* an anonymous one: of two
teams or threads, only one executes a given iteration. Two rules make a program's results independent of the number of
teams and threads:

* A variable is only written where each anonymous slot since its declaration is covered, in the element that the slots
  name; hence all values are functions of named slots.
* Of two accesses to a variable by different threads, one a write, a barrier stands between. ``Tracker`` knows the
  accesses since the last barrier; accesses that name the same slots are one thread's.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from generator.kinds import Kind
from generator.tree import Node

READ, WRITE = "read", "write"


@dataclass(frozen=True, eq=False)
class Slot:
    """What tells executions apart: ``index`` is an expression from 0 to ``extent`` - 1, or "" for an anonymous slot.

    A slot of extent 1 (a branch that one thread takes) adds no dimension. ``dense``: each index occurs, and nobody sees
    some elements written and others not.
    """

    index: str = ""
    extent: int = 1
    covers: tuple[Slot, ...] = ()
    dense: bool = True


Path = tuple[Slot, ...]


def common(one: Path, other: Path) -> Path:
    """Return the slots that both paths begin with."""
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a is not b:
            return one[:at]
    return one[: len(other)]


def settled(path: Path, home: Path) -> Path:
    """Return the longest beginning of a path that names the team and thread for a variable declared at ``home``."""
    for end in range(len(path), len(home), -1):
        covered = {c for slot in path[:end] for c in slot.covers}
        if all(slot.index or slot in covered for slot in path[len(home) : end]):
            return path[:end]
    return path[: len(home)]


def extents(path: Path) -> tuple[int, ...]:
    """Return the dimensions that a path's slots give an array."""
    return tuple(slot.extent for slot in path if slot.extent > 1)


class Storage(enum.Enum):
    """Where a variable lives; ``LOCAL``: in the region."""

    LOCAL = enum.auto()
    STATIC = enum.auto()
    AUTOMATIC = enum.auto()
    HEAP = enum.auto()


@dataclass(eq=False)
class Item:
    """A variable or array; ``path``: the slots whose executions wrote its elements, dimension by dimension.

    ``offset``: how many elements before the used ones are not mapped; ``unordered``: only the set of its values is
    certain, if it is ``printed`` at all.
    """

    name: str
    kind: Kind
    dims: tuple[int, ...] = ()
    home: Path = ()
    storage: Storage = Storage.LOCAL
    nested: bool = False
    offset: int = 0
    constant: bool = False
    unordered: bool = False
    printed: bool = True
    path: Path = ()

    def __post_init__(self) -> None:
        self.path = self.home

    def element(self, indices: list[str]) -> str:
        """Return the element with these indices, one for each dimension."""
        if not self.dims:
            return self.name
        if self.nested:
            return self.name + "".join(f"[{i}]" for i in indices)
        flat = indices[0]
        for index, extent in zip(indices[1:], self.dims[1:], strict=True):
            flat = f"({flat}) * {extent} + {index}"
        return f"{self.name}[{self.offset} + {flat}]" if self.offset else f"{self.name}[{flat}]"

    @property
    def size(self) -> int:
        """How many elements there are."""
        count = 1
        for extent in self.dims:
            count *= extent
        return count


@dataclass(frozen=True)
class Access:
    """An access to an item by the executions that ``kept`` names; equal modes other than ``WRITE`` commute."""

    kept: Path
    mode: str
    certain: bool = False


@dataclass(eq=False)
class Tracker:
    """The accesses since the last barrier among the threads (or teams, tasks) that an anonymous slot stands for."""

    slot: Slot | None
    records: dict[Item, list[Access]] = field(default_factory=dict)

    def clashes(self, item: Item, kept: Path, mode: str) -> bool:
        """Tell whether another thread's access since the last barrier rules this one out."""
        if self.slot is None or self.slot in item.home:
            return False
        return any(
            (mode != access.mode or mode == WRITE) and self.slot not in settled(common(kept, access.kept), item.home)
            for access in self.records.get(item, ())
        )

    def note(self, item: Item, access: Access) -> None:
        """Remember an access."""
        self.records.setdefault(item, []).append(access)

    def saved(self) -> dict[Item, list[Access]]:
        """Return a copy of the records."""
        return {item: list(accesses) for item, accesses in self.records.items()}

    def also(self, records: dict[Item, list[Access]]) -> None:
        """Add records of a way that the program may have taken instead."""
        for item, accesses in records.items():
            mine = self.records.setdefault(item, [])
            mine += [a for a in accesses if a not in mine]


class Level(enum.Enum):
    """Who executes a place: the host, one thread per team, every thread of a team, or one thread of those."""

    HOST = enum.auto()
    TEAM = enum.auto()
    THREADS = enum.auto()
    ONE = enum.auto()


@dataclass(frozen=True)
class Reducer:
    """A variable that the place may combine values into, by this operator only."""

    item: Item
    operator: str


@dataclass(eq=False)
class Place:
    """Where statements stand.

    ``count``: how often at most they are executed; ``pure``: no OpenMP inside (``simd``, ``loop``); ``heads``:
    declarations that later statements asked for; ``nesting``: enclosing parallels; ``threads``: what ``num_threads``
    asked for; ``league``: each team executes the place; ``strict``: directly in ``teams``, where few constructs may
    stand; ``hidden``: privatised around the place; ``held``: in a ``critical``.
    """

    level: Level
    slots: Path = ()
    trackers: tuple[Tracker, ...] = ()
    parent: Place | None = None
    items: list[Item] = field(default_factory=list)
    reducers: tuple[Reducer, ...] = ()
    heads: list[Node] = field(default_factory=list)
    count: int = 1
    certain: bool = True
    pure: bool = False
    function: bool = False
    frozen: frozenset[Item] | None = None
    held: bool = False
    nesting: int = 0
    threads: int | None = None
    league: bool = False
    strict: bool = False
    hidden: frozenset[Item] = frozenset()
    depth: int = 0

    def inside(self, **changes: object) -> Place:
        """Return a place in this one, for statements of its own."""
        given = {"parent": self, "items": [], "heads": [], "function": False, "frozen": None, "depth": self.depth + 1}
        return replace(self, **{**given, **changes})  # type: ignore[arg-type]

    def chain(self) -> Iterator[Place]:
        """Give the place and those around it, innermost first."""
        at: Place | None = self
        while at is not None:
            yield at
            at = at.parent

    def visible(self) -> list[Item]:
        """Return the variables that may be named; in a function, scalars from outside are the parameters' values."""
        found: list[Item] = []
        frozen: frozenset[Item] | None = None
        for place in self.chain():
            items = [i for i in place.items if i not in self.hidden]
            found += [i for i in items if frozen is None or i.dims or i in frozen]
            if place.frozen is not None and frozen is None:
                frozen = place.frozen
        return found

    def foreign(self, item: Item) -> bool:
        """Tell whether an item is declared outside the function in which the place stands."""
        outside = False
        for place in self.chain():
            if item in place.items:
                return outside
            outside = outside or place.function
        return True

    def allows(self, item: Item, kept: Path, mode: str) -> bool:
        """Tell whether an access is free of races here."""
        return not any(t.clashes(item, kept, mode) for t in self.trackers)

    def note(self, item: Item, kept: Path, mode: str) -> None:
        """Remember an access."""
        for tracker in self.trackers:
            tracker.note(item, Access(kept, mode, self.certain))

    def kept(self, item: Item) -> Path:
        """Return the slots by which the place may read an item."""
        return settled(common(item.path, self.slots), item.home)

    def readable(self, item: Item) -> bool:
        """Tell whether an item has certain values here that the place may read."""
        return not item.unordered and self.allows(item, self.kept(item), READ)

    def fits(self, home: Path) -> bool:
        """Tell whether the place may write to a variable declared at ``home``."""
        rest = self.slots[len(home) :]
        covered = {c for slot in rest for c in slot.covers}
        return all(s.index or s in covered for s in rest) and not covered.intersection(home)

    def writable(self, item: Item) -> bool:
        """Tell whether the place may write its own element of an item."""
        if item.constant or item.unordered or (not item.dims and self.foreign(item)):
            return False
        rest = self.slots[len(item.home) :]
        if common(item.home, self.slots) != item.home or not self.fits(item.home):
            return False
        return extents(rest) == item.dims and self.allows(item, self.slots, WRITE)

    def own(self, item: Item) -> str:
        """Return the element that only this place's executions touch."""
        return item.element([s.index for s in self.slots[len(item.home) :] if s.extent > 1])

    def wrote(self, item: Item) -> None:
        """Remember that the place wrote its own element."""
        item.path = self.slots
        self.note(item, self.slots, WRITE)

    def commons(self) -> Place:
        """Return the nearest place around whose variables all threads that execute this place share."""
        inner = next((at for at, p in enumerate(self.chain()) if p.level is Level.THREADS), None)
        if inner is None:
            return self
        return next(p for at, p in enumerate(self.chain()) if at > inner and p.level is not Level.THREADS)
