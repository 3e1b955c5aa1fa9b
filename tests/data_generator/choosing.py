"""Random list items and lvalues: a walk from a variable through members, elements and pointers."""

from __future__ import annotations

from data_generator.kinds import Array, Pointer, Scalar, Struct, Type
from data_generator.machine import Address, UndefinedError
from data_generator.objects import Objects
from data_generator.paths import Follow, Index, Item, Member, Path, Section, Variable

SMALL = {1: "one", 2: "two", 3: "three"}


class Choosing(Objects):
    """Choices among what is declared."""

    def room(self, path: Path) -> int:
        """Return how many objects a pointer points to."""
        place = path.resolve(self.machine)
        address = self.machine.host[place.storage][place.at]
        if not isinstance(address, Address):
            raise UndefinedError("a pointer to nothing")
        return address.room

    def item(self, path: Path) -> Item:
        """Return a list item that begins with a path."""
        while True:
            kind = path.kind
            if isinstance(kind, Scalar):
                return Item(path)
            if isinstance(kind, Struct):
                if self.chance(0.4):
                    return Item(path)
                path = path.then(self.member(kind))
            elif isinstance(kind, Array):
                if self.chance(0.35):
                    return Item(path)
                if isinstance(kind.element, Pointer) or (isinstance(kind.element, Struct) and self.chance(0.6)):
                    path = path.then(Index(self.random.randrange(kind.count)))
                    continue
                return self.section(path, kind.count, kind)
            else:
                room = self.room(path)
                if path.root.name == "this" and not path.steps:
                    if self.chance(0.3):
                        return Item(path, (Section(0, 1, self.pick(("0:1", ":1"))),))
                    path = path.then(Follow(), self.member(kind.target))
                    continue
                if isinstance(kind.target, Struct) and self.chance(0.7):
                    path = path.then(Follow() if room == 1 or self.chance(0.5) else Index(self.random.randrange(room)))
                    if self.chance(0.6):
                        path = path.then(self.member(path.kind))
                    continue
                if isinstance(kind.target, Scalar) and self.chance(0.07):
                    return Item(path.then(Follow()))
                return self.section(path, room, kind)

    def member(self, kind: Type) -> Member:
        """Choose a member."""
        assert isinstance(kind, Struct)
        return Member(self.pick(kind.members)[0])

    def section(self, path: Path, count: int, kind: Array | Pointer) -> Item:
        """Return a contiguous section of an array or of what a pointer points to."""
        inner = kind.target if isinstance(kind, Pointer) else kind.element
        if isinstance(inner, Array) and self.chance(0.4):
            at = self.random.randrange(count)
            if self.chance(0.5):
                return self.section(path.then(Index(at)), inner.count, inner)
            rest = self.section(path.then(Index(at)), inner.count, inner)
            if rest.path.steps == path.then(Index(at)).steps:
                return Item(path, (Section(at, 1, f"{self.spelled(at)}:1"), *rest.sections))
            return rest
        open_end = 0.0 if isinstance(kind, Pointer) else 0.02 if path.steps else 0.3
        sections = [self.range(count, open_end)]
        while isinstance(inner, Array) and self.chance(0.6):
            texts = (f"0:{inner.count}", ":", "0:") if self.chance(open_end + 0.1) else (f"0:{inner.count}",)
            sections.append(Section(0, inner.count, self.pick(texts)))
            inner = inner.element
        return Item(path, tuple(sections))

    def range(self, count: int, open_end: float) -> Section:
        """Return a section of one dimension."""
        low = self.weighted((3, 0), (4, self.random.randrange(count)))
        length = self.weighted((3, count - low), (4, self.random.randint(1, count - low)))
        start = self.pick(("0", "")) if low == 0 else self.spelled(low)
        if low + length == count and self.chance(open_end):
            return Section(low, length, f"{start}:")
        return Section(low, length, f"{start}:{self.spelled(length)}")

    def gapped(self, item: Item) -> Item:
        """Return a section like another that need not be contiguous, as ``target update`` takes it."""
        kind, sections = item.path.kind, []
        count = kind.count if isinstance(kind, Array) else item.sections[0].low + item.sections[0].length
        while isinstance(kind, Array | Pointer) and len(sections) < 3:
            if sections and isinstance(kind, Pointer):
                break
            count = kind.count if isinstance(kind, Array) else count
            low, stride = self.random.randrange(count), self.weighted((2, 1), (3, 2), (1, 3))
            most = (count - low - 1) // stride + 1
            length = self.weighted((1, most), (2, self.random.randint(1, most)))
            text = f"{self.spelled(low)}:{self.spelled(length)}"
            sections.append(Section(low, length, text if stride == 1 else f"{text}:{self.spelled(stride)}", stride))
            kind = kind.element if isinstance(kind, Array) else kind.target
        return Item(item.path, tuple(sections))

    def spelled(self, value: int) -> str:
        """Return a number as text: known to the compiler, or only when the program runs."""
        if self.chance(0.75):
            return str(value)
        if value in SMALL:
            return SMALL[value]
        part = self.pick((1, 2, 3))
        return f"{value - part} + {SMALL[part]}" if value > part else f"{value + part} - {SMALL[part]}"

    def leaf(self, root: Variable) -> Path:
        """Return the path of a number that a variable leads to."""
        path = Path(root)
        while not isinstance(kind := path.kind, Scalar):
            if isinstance(kind, Struct):
                path = path.then(self.member(kind))
            elif isinstance(kind, Array):
                path = path.then(Index(self.random.randrange(kind.count)))
            else:
                room = self.room(path)
                structure = isinstance(kind.target, Struct) and (self.chance(0.5) or path.root.name == "this")
                path = path.then(Follow() if structure else Index(self.random.randrange(room)))
        return path

    def swept(self, path: Path, count: int) -> Path | None:
        """Return a path with one of its indices turned into the counter of a loop, if there is one with room."""
        places = [n for n, step in enumerate(path.steps) if isinstance(step, Index)]
        self.random.shuffle(places)
        for at in places:
            before = Path(path.root, path.steps[:at])
            kind = before.kind
            room = kind.count if isinstance(kind, Array) else self.room(before)
            if room >= count:
                step = Index(self.random.randint(0, room - count), looped=True)
                return Path(path.root, (*path.steps[:at], step, *path.steps[at + 1 :]))
        return None
