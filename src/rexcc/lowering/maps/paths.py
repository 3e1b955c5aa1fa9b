"""Where the storage of a list item is: the way from its variable through members, brackets and pointers.

In: the steps of an item, as ``item_paths`` reads them. Out: :class:`Path` and its segments. Every pointer on the way
ends a :class:`PointerSegment`: storage of its own, which the runtime maps for itself and to which it attaches the
pointer.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.lowering.model.host_values import POINTER_SIZE, Pointer, Size, address, address_of, behind, pointer, size_of
from rexcc.program.components import Part
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, field


@dataclass(frozen=True)
class Place:
    """Storage as host expressions: the address of its first byte, its bytes, and the address behind its last."""

    begin: Pointer
    size: Size
    end: Pointer


@dataclass(frozen=True, eq=False)
class Step:
    """A member, bracket or dereference; ``text`` is the item up to here, ``place`` its storage.

    ``key`` is the same for steps to the same part of the same object; ``number`` a constant index or lower bound.
    ``is_part`` marks a section of more than one element.
    """

    part: Part
    text: str
    kind: Type
    place: Place
    key: object
    member: Cursor | None = None
    number: int | None = None
    is_part: bool = False


@dataclass(frozen=True, eq=False)
class PointerSegment:
    """The steps of an item inside one object, and the storage they lead to.

    ``base`` is the host expression of the object's address, for what a pointer points to the address of the pointer.
    ``whole`` is the object's storage, where it is known; ``name`` says it to people. ``is_slot`` means that the storage
    is a pointer (``is_reference``: that of a reference) through which the next segment goes. ``origin`` identifies the
    object, ``key`` the storage.
    """

    base: Pointer
    name: str
    whole: Place | None
    steps: tuple[Step, ...]
    place: Place
    origin: tuple[object, ...]
    is_slot: bool = False
    is_reference: bool = False
    address: Pointer | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What identifies the storage."""
        return (*self.origin, *(s.key for s in self.steps))

    @property
    def has_member(self) -> bool:
        """Whether the storage is inside a struct that the way goes through."""
        return any(s.part is Part.MEMBER for s in self.steps)

    @property
    def ends_in_section(self) -> bool:
        """Whether the storage may be several elements of an array."""
        return bool(self.steps) and self.steps[-1].is_part

    @property
    def is_direct_member(self) -> bool:
        """Whether the storage is that of the first member on the way."""
        return [s.part for s in self.steps].count(Part.MEMBER) == 1 and self.steps[-1].part is Part.MEMBER


@dataclass(frozen=True, eq=False)
class Root:
    """What an item starts from: a variable, or ``this`` without one.

    ``is_derived`` tells that the class of ``this`` has base classes, ``is_pointed`` that the text is the target of a
    pointer with the variable's name.
    """

    variable: Variable | None
    text: str
    kind: Type | None
    is_derived: bool = False
    is_pointed: bool = False

    @property
    def decays(self) -> bool:
        """Whether it is a parameter written as an array, so a pointer."""
        return self.variable is not None and self.variable.decays

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer, as ``this`` is."""
        return self.kind is None or self.decays or types.is_pointer(self.kind)


@dataclass(frozen=True, eq=False)
class Path:
    """An item's way from its root to its storage."""

    root: Root
    steps: tuple[Step, ...]

    @property
    def is_root(self) -> bool:
        """Whether the item is the variable itself."""
        return not self.steps

    @property
    def has_member(self) -> bool:
        """Whether the way goes through a member."""
        return any(s.part is Part.MEMBER for s in self.steps)

    @property
    def keys(self) -> tuple[object, ...]:
        """What identifies the storage that the way ends in."""
        return tuple(s.key for s in self.steps)

    def segments(self, is_attached: bool = False) -> tuple[PointerSegment, ...]:
        """Return the segments; ``is_attached`` maps a root pointer itself too, rather than taking its value."""
        return _Walk(self, is_attached).run()


def lvalue(text: str, kind: Type) -> Place:
    """Return the storage of a host lvalue, a postfix expression."""
    return Place(address_of(text, kind), size_of(text, kind), behind(address(text, kind)))


def target(text: str, kind: Type) -> Place:
    """Return the storage that a pointer, a unary expression, points to."""
    size = size_of(f"*{text}", kind)
    return Place(pointer(text), Size(f"sizeof(*{text})", size.value), behind(pointer(text)))


_NULL = pointer("0")


@dataclass(eq=False)
class _Walk:
    path: Path
    is_attached: bool
    segments: list[PointerSegment] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    base: Pointer = _NULL
    name: str = ""
    address: Pointer | None = None
    whole: Place | None = None
    origin: tuple[object, ...] = ()

    def run(self) -> tuple[PointerSegment, ...]:
        path, root = self.path, self.path.root
        self._start()
        for position, taken in enumerate(path.steps):
            self.steps.append(taken)
            more = position + 1 < len(path.steps)
            if taken.member is not None and types.is_reference(taken.member.type):
                self._refer(taken, position)
            if more and types.is_pointer(taken.kind):
                self._leave(taken.place, taken.text)
        place = self.steps[-1].place if self.steps else self.whole
        assert place is not None, root.text
        self._end(place)
        return tuple(self.segments)

    def _end(self, place: Place, is_slot: bool = False, is_reference: bool = False) -> None:
        segment = PointerSegment(
            self.base, self.name, self.whole, tuple(self.steps), place, self.origin, is_slot, is_reference, self.address
        )
        self.segments.append(segment)
        self.origin, self.steps = segment.key, []

    def _start(self) -> None:
        root = self.path.root
        text = root.text
        if root.kind is None:
            this = pointer(text)
            self.base, self.name, self.whole = this, "*this", Place(this, size_of("*this", None), behind(this))
            return
        own = lvalue(text, root.kind)
        if root.is_pointed and root.variable is not None:
            text = root.variable.name
            own = target(text, root.kind)
        if root.decays:
            own = Place(address(text, None), POINTER_SIZE, behind(address(text, None)))
        self.base, self.name, self.whole = own.begin, text, own
        if self.path.steps and root.is_pointer:
            if self.is_attached:
                self._leave(own, text)
            else:
                self.base, self.name, self.whole = pointer(text), f"*{text}", None

    def _leave(self, slot: Place, text: str) -> None:
        """End a segment at a pointer; the next one is in what it points to."""
        self._end(slot, True)
        self.base, self.name, self.whole, self.address = slot.begin, f"*{text}", None, pointer(text)

    def _refer(self, taken: Step, position: int) -> None:
        """End a segment at a member that is a reference; the next one is what it refers to."""
        assert taken.member is not None
        slot = reference_slot(self.path, position)
        self._end(slot, True, True)
        self.origin = (*self.origin, "referred")
        self.base, self.name, self.whole, self.address = slot.begin, taken.text, taken.place, taken.place.begin


def reference_slot(path: Path, position: int) -> Place:
    """Return where a member keeps its reference, of which C++ only names what it refers to."""
    member = path.steps[position].member
    assert member is not None
    owner = path.steps[position - 1].text if position else path.root.text
    begin = f"REX_REFERENCE({owner}, {member.spelling})"
    return Place(Pointer(begin), POINTER_SIZE, Pointer(f"{begin} + {POINTER_SIZE.text}"))
