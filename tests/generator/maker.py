"""What all parts of the generator share: random choices, names, declarations, and filling a place with statements."""

from __future__ import annotations

from collections.abc import Callable

from generator.kinds import KINDS, NUMBERS, Kind
from generator.places import Item, Level, Place, Storage, common, extents
from generator.tree import Node, fixed, line
from random_programs.choices import Choices

Emitter = Callable[["Maker", Place], list[Node]]
Weighted = tuple[int, Emitter]

MOST_RUNS = 6000
DEEPEST = 9


class Maker(Choices):
    """One block in the making: its random choices, names, functions and host variables."""

    def __init__(self, seed: str, prefix: str, language: str) -> None:
        super().__init__(seed, prefix, language)
        self.budget = 0
        self.functions: list[list[Node]] = []
        self.helpers: list[str] = []
        self.pure: list[str] = []
        self.host = Place(Level.HOST)
        self.emitters: dict[Level, list[Weighted]] = {}
        self.variable: Callable[[int], str] | None = None
        self.closers: dict[Level, Emitter] = {}
        self.declared: dict[str, tuple[str, Place]] = {}

    # ---- variables

    def know(self, name: str, declaration: str, place: Place) -> None:
        """Remember how a function's parameter of this name is declared, ``{}`` for the name."""
        self.declared[name] = (declaration, place)

    def add(self, item: Item, place: Place) -> Item:
        """Bring an item into the scope of a place."""
        place.items.append(item)
        self.know(item.name, parameter(item), place)
        return item

    def scalar(self, place: Place, value: str, kind: Kind | None = None, stem: str = "s") -> Item:
        """Declare a scalar at the beginning of a place, with this unsigned number as its value."""
        kind = kind or self.pick(NUMBERS)
        item = Item(self.name(stem), kind, (), place.slots)
        if place.level is Level.HOST:
            item.storage = self.pick((Storage.AUTOMATIC, Storage.AUTOMATIC, Storage.STATIC))
            item.name = self.global_name(item)
        declaration = f"{kind.name} {item.name} = {kind.made_of(value)};"
        if place.level is not Level.HOST:
            place.heads.append(line(declaration))
        elif item.storage is Storage.STATIC:
            self.helpers.append(f"static {kind.name} {item.name};")
            place.heads.append(line(f"{item.name} = {kind.made_of(value)};"))
        else:
            place.heads.append(line(declaration))
        return self.add(item, place)

    def global_name(self, item: Item) -> str:
        """Return the name of a host variable: those of file scope bear the block's prefix."""
        return f"{self.prefix}_{item.name}" if item.storage is Storage.STATIC else item.name

    def array(self, place: Place, dims: tuple[int, ...], kind: Kind | None = None, stem: str = "x") -> Item:
        """Declare an array at the beginning of a place, all its elements set."""
        item = Item(
            self.name(stem), kind or self.pick(KINDS), dims, place.slots, nested=len(dims) > 1 and self.chance(0.5)
        )
        if place.level is Level.HOST:
            self._host_array(place, item)
        else:
            self._local_array(place, item)
        return self.add(item, place)

    def _local_array(self, place: Place, item: Item) -> None:
        shape = "".join(f"[{d}]" for d in item.dims) if item.nested else f"[{item.size}]"
        place.heads.append(line(f"{item.kind.name} {item.name}{shape};"))
        index, first = self.name("q"), item.name if not item.nested else f"(({item.kind.name} *){item.name})"
        value = item.kind.made_of(f"(unsigned){index} * {self.number(1, 9)}u + {self.number(0, 99)}u")
        place.heads.append(
            fixed(f"for (int {index} = 0; {index} < {item.size}; {index}++) {first}[{index}] = {value};")
        )

    def _host_array(self, place: Place, item: Item) -> None:
        item.storage = self.pick((Storage.STATIC, Storage.AUTOMATIC, Storage.AUTOMATIC, Storage.HEAP, Storage.HEAP))
        item.name = self.global_name(item)
        if item.storage is Storage.HEAP and not item.nested and self.chance(0.3):
            item.offset = self.pick((1, 4, 10))
        kind, size = item.kind.name, item.size + item.offset
        shape = "".join(f"[{d}]" for d in item.dims) if item.nested else f"[{item.size}]"
        if item.storage is Storage.STATIC:
            self.helpers.append(f"static {kind} {item.name}{shape};")
        elif item.storage is Storage.AUTOMATIC:
            if self.variable and self.chance(0.08 if item.nested else 0.3):
                shape = "".join(f"[{self.variable(d)}]" for d in (item.dims if item.nested else (item.size,)))
            place.heads.append(line(f"{kind} {item.name}{shape};"))
        else:
            target = parameter(item).format(item.name)
            cast = parameter(item).format("")
            place.heads.append(line(f"{target} = ({cast})malloc({size} * sizeof({kind}));"))
        start = f"({kind} *){item.name}" if item.nested else item.name
        place.heads.append(fixed(f"fill_{item.kind.word}({start}, {size}, {self.number(1, 99999)}u);"))

    # ---- where a new variable may live

    def target(self, place: Place, kind: Kind | None = None) -> Item | None:
        """Return an item whose own element the place may write: a new one or, now and then, an old one."""
        old = [i for i in place.visible() if place.writable(i) and (kind is None or i.kind is kind)]
        if old and self.chance(0.45):
            return self.pick(old)
        homes = [p for p in place.chain() if self.holds(p, place)]
        if not homes:
            return self.pick(old) if old else None
        home = homes[-1] if self.chance(0.65) else self.pick(homes)
        dims = extents(place.slots[len(home.slots) :])
        if not dims:
            return self.scalar(home, f"{self.number(0, 999)}u", kind or self.pick(KINDS), "v")
        return self.array(home, dims, kind)

    def holds(self, home: Place, place: Place) -> bool:
        """Tell whether a variable declared at ``home`` may be written at ``place``."""
        if common(home.slots, place.slots) != home.slots or not place.fits(home.slots):
            return False
        dims = extents(place.slots[len(home.slots) :])
        if not dims and any(p.function for p in place.chain() if p is not home and p.depth > home.depth):
            return False
        return _size(dims) <= {Level.HOST: MOST_RUNS, Level.TEAM: 600}.get(home.level, 40)

    # ---- filling places

    def fill(self, place: Place, wanted: int) -> list[Node]:
        """Return statements for a place, its declarations first."""
        nodes: list[Node] = []
        choices = self.emitters[place.level]
        for _ in range(wanted * 4):
            if wanted <= 0 or self.budget <= 0:
                break
            made = self.weighted(*choices)(self, place)
            nodes += made
            wanted -= bool(made)
            self.budget -= bool(made)
        return nodes

    def finish(self, place: Place, nodes: list[Node]) -> list[Node]:
        """Return the whole body of a place: its declarations, the statements, what carries its results out."""
        last = self.closers[place.level](self, place) if place.level in self.closers else []
        return [*place.heads, *nodes, *last]

    def body(self, place: Place, wanted: int) -> list[Node]:
        """Fill and finish a place."""
        return self.finish(place, self.fill(place, wanted))


def _size(dims: tuple[int, ...]) -> int:
    count = 1
    for extent in dims:
        count *= extent
    return count


def parameter(item: Item) -> str:
    """Return the declaration of a parameter that stands for an item, ``{}`` for its name."""
    if not item.dims:
        return f"{item.kind.name} {{}}"
    if item.nested:
        return f"{item.kind.name} (*{{}})" + "".join(f"[{d}]" for d in item.dims[1:])
    return f"{item.kind.name} *{{}}"
