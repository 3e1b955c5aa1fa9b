"""Lvalues and list items: how they are written, and which storage they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from data_generator.kinds import Array, Pointer, Struct, Type
from data_generator.machine import Address, Machine, Storage, UndefinedError, Value


@dataclass(eq=False)
class Variable:
    """A variable of the program; ``storage`` is what its name stands for (for a reference, what it refers to).

    ``bare``: it is ``this``, and members are named without it.
    """

    name: str
    kind: Type
    storage: Storage
    on_device: bool = False
    bare: bool = False


@dataclass(frozen=True)
class Member:
    """``.name``"""

    name: str


@dataclass(frozen=True)
class Index:
    """``[text]``, of an array or a pointer; with ``looped`` the loop's counter is added to the value."""

    value: int
    text: str = ""
    looped: bool = False

    @property
    def written(self) -> str:
        """The index as text."""
        if not self.looped:
            return self.text or str(self.value)
        return f"k + {self.value}" if self.value else "k"


@dataclass(frozen=True)
class Follow:
    """The object that a pointer points to."""


Step = Member | Index | Follow


@dataclass(frozen=True)
class Hop:
    """A pointer that a path goes through: its own cell and the value it has."""

    storage: Storage
    cell: int
    target: Address


@dataclass
class Place:
    """What a path means on the host: an object, and the way to it.

    ``spans``: the arrays on the way, by their first cell, with the cells of them that are meant.
    """

    storage: Storage
    at: int
    kind: Type
    hops: list[Hop] = field(default_factory=list)
    spans: list[tuple[Storage, int, int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Path:
    """An lvalue."""

    root: Variable
    steps: tuple[Step, ...] = ()

    def then(self, *steps: Step) -> Path:
        """Return a longer path."""
        return Path(self.root, (*self.steps, *steps))

    @property
    def text(self) -> str:
        """The lvalue as it is written."""
        text, follows = self.root.name, False
        for step in self.steps:
            if isinstance(step, Member):
                short = self.root.bare and text == "this"
                text = step.name if short else f"{text}->{step.name}" if follows else f"{text}.{step.name}"
            elif isinstance(step, Index):
                text = f"(*{text})[{step.written}]" if follows else f"{text}[{step.written}]"
            follows = isinstance(step, Follow)
        return f"*{text}" if follows else text

    @property
    def kind(self) -> Type:
        """The type of the lvalue."""
        kind = self.root.kind
        for step in self.steps:
            if isinstance(step, Member):
                assert isinstance(kind, Struct)
                kind = kind.member(step.name)[1]
            else:
                assert isinstance(kind, Array | Pointer)
                kind = kind.element if isinstance(kind, Array) else kind.target
        return kind

    def walk(self, place: Place, counter: int, load: Callable[[Storage, int], Value]) -> Place:
        """Go the path's steps from the place of its root; ``load`` gives the values of pointers."""
        for step in self.steps:
            kind = place.kind
            if isinstance(step, Member):
                assert isinstance(kind, Struct)
                offset, place.kind = kind.member(step.name)
                place.at += offset
                continue
            index = 0 if isinstance(step, Follow) else step.value + (counter if step.looped else 0)
            if isinstance(kind, Pointer):
                address = load(place.storage, place.at)
                if not isinstance(address, Address):
                    raise UndefinedError("a pointer that cannot be followed")
                place.hops.append(Hop(place.storage, place.at, address))
                place.storage, place.at, place.kind = address.storage, address.at, kind.target
                start = address.at
            else:
                assert isinstance(kind, Array)
                if not 0 <= index < kind.count:
                    raise UndefinedError("index")
                place.kind = kind.element
                start = place.at
            place.at += index * place.kind.cells
            place.spans.append((place.storage, start, place.at, place.at + place.kind.cells))
            if not 0 <= place.at <= len(place.storage.cells) - place.kind.cells:
                raise UndefinedError("index")
        return place

    def resolve(self, machine: Machine, counter: int = 0) -> Place:
        """Return what the path means on the host."""
        if self.root.storage not in machine.host:
            raise UndefinedError("a variable that is not there")
        start = Place(self.root.storage, 0, self.root.kind)
        return self.walk(start, counter, lambda storage, cell: machine.host[storage][cell])


@dataclass(frozen=True)
class Section:
    """One bracket of an array section: ``[low:length:stride]``, and its text."""

    low: int
    length: int
    text: str
    stride: int = 1


@dataclass
class Extent:
    """What a list item means: cells of a storage and the way to them."""

    storage: Storage
    cells: tuple[int, ...]
    hops: list[Hop]
    spans: list[tuple[Storage, int, int, int]]

    @property
    def whole(self) -> set[int]:
        """The cells as a set."""
        return set(self.cells)


@dataclass(frozen=True)
class Item:
    """A list item: a path, and sections of the array or pointer it names."""

    path: Path
    sections: tuple[Section, ...] = ()

    @property
    def text(self) -> str:
        """The list item as it is written."""
        base = self.path.text
        if self.sections and base.startswith("*"):
            base = f"({base})"
        return base + "".join(f"[{s.text}]" for s in self.sections)

    @property
    def kind(self) -> Type:
        """The type of the elements."""
        kind = self.path.kind
        for _ in self.sections:
            assert isinstance(kind, Array | Pointer)
            kind = kind.element if isinstance(kind, Array) else kind.target
        return kind

    def resolve(self, machine: Machine) -> Extent:
        """Return what the item means."""
        place = self.path.resolve(machine)
        starts, kind = [place.at], place.kind
        for section in self.sections:
            if isinstance(kind, Pointer):
                address = machine.host[place.storage][place.at]
                if not isinstance(address, Address):
                    raise UndefinedError("a pointer that cannot be followed")
                place.hops.append(Hop(place.storage, place.at, address))
                place.storage, kind, starts = address.storage, kind.target, [address.at]
                first = address.at
            else:
                assert isinstance(kind, Array)
                first, count = starts[0], kind.count
                kind = kind.element
                if section.low + (section.length - 1) * section.stride >= count:
                    raise UndefinedError("section")
            steps = [(section.low + n * section.stride) * kind.cells for n in range(section.length)]
            starts = [start + step for start in starts for step in steps]
            if starts:
                place.spans.append((place.storage, first, starts[0], starts[-1] + kind.cells))
        cells = tuple(start + n for start in starts for n in range(kind.cells))
        if cells and (min(cells) < 0 or max(cells) >= len(place.storage.cells)):
            raise UndefinedError("section")
        return Extent(place.storage, cells, place.hops, place.spans)
