"""The types and variables of a program, and the memory they point to."""

from __future__ import annotations

from collections.abc import Iterator

from data_generator.kinds import SCALARS, Array, Pointer, Scalar, Struct, Type, declare
from data_generator.machine import FOREVER, Address, Entry, Machine, Storage
from data_generator.paths import Index, Member, Path, Variable
from random_programs.choices import Choices

MOST_BLOCKS = 10


class Objects(Choices):
    """What a program declares: ``before`` at file scope, ``lines`` at the beginning of its function."""

    def __init__(self, seed: str, prefix: str, language: str, devices: int) -> None:
        super().__init__(seed, prefix, language)
        self.machine = Machine(devices)
        self.structs: list[Struct] = []
        self.variables: list[Variable] = []
        self.before: list[str] = []
        self.lines: list[str] = []
        self.freed: list[str] = []
        self.known: list[str] = []
        self.targets: list[tuple[Type, Address, str]] = []

    # ---- types

    def make_structs(self) -> None:
        """Invent structures, each of which may contain or point to those before it."""
        for _ in range(self.weighted((3, 1), (5, 2), (3, 3))):
            names = iter("abcdefghij")
            members = [(next(names), self.member_type(at)) for at in range(self.random.randint(2, 6))]
            self.structs.append(Struct(f"{self.prefix}_{self.name('t')}", tuple(members)))

    def member_type(self, at: int) -> Type:
        """Return a type for a member."""
        scalar = self.pick(SCALARS)
        choices: list[tuple[int, Type]] = [
            (5, scalar),
            (3, Array(scalar, self.random.randint(2, 6))),
            (2, Array(Array(scalar, self.random.randint(2, 4)), self.random.randint(2, 3))),
            (5 if at else 2, Pointer(scalar)),
            (1, Array(Pointer(scalar), 2)),
            (1, Pointer(Array(scalar, self.random.randint(2, 4)))),
        ]
        small = [s for s in self.structs if s.cells < 30]
        if small:
            inner = self.pick(small)
            choices += [(3, inner), (2, Array(inner, self.random.randint(2, 3))), (3, Pointer(inner))]
        return self.weighted(*choices)

    # ---- variables

    def make_variables(self) -> None:
        """Declare the variables of the program and give them values."""
        for _ in range(self.random.randint(1, 2)):
            self.variable(self.pick(self.structs), "s")
        for _ in range(self.random.randint(1, 2)):
            self.pointer(self.weighted((3, self.pick(self.structs)), (4, self.pick(SCALARS))))
        for _ in range(self.random.randint(2, 4)):
            self.weighted((3, self.array), (2, self.block), (2, self.scalar), (1, self.rows), (2, self.alias))()
        if self.cpp and self.chance(0.5):
            self.reference()

    def scalar(self) -> None:
        """Declare a number."""
        self.variable(self.pick(SCALARS), "x")

    def array(self) -> None:
        """Declare an array of numbers or structures."""
        kind: Type = self.weighted((5, self.pick(SCALARS)), (2, self.pick(self.structs)))
        if isinstance(kind, Struct):
            self.variable(Array(kind, self.random.randint(2, 3)), "v")
            return
        for dimension in range(self.weighted((4, 1), (4, 2), (2, 3))):
            kind = Array(kind, self.random.randint(2, 9 if not dimension else 4))
        self.variable(kind, "v")

    def block(self) -> None:
        """Declare a pointer to allocated numbers."""
        self.pointer(self.pick(SCALARS))

    def rows(self) -> None:
        """Declare a pointer to allocated arrays."""
        self.pointer(Array(self.pick(SCALARS), self.random.randint(2, 5)))

    def variable(self, kind: Type, stem: str) -> Variable:
        """Declare a variable of this type."""
        where = self.weighted((6, "automatic"), (2, "static"), (1, "inner static"), (2, "device"))
        if where == "device" and not _plain(kind):
            where = "static"
        name = self.name(stem)
        if where in ("static", "device"):
            name = f"{self.prefix}_{name}"
        variable = Variable(name, kind, self.machine.new(Storage(name, kind)), where == "device")
        if where == "automatic":
            extent = self.run_time(kind)
            self.lines.append(f"  {declare(extent, name)};")
        elif where == "inner static":
            self.lines.append(f"  static {declare(kind, name)};")
        else:
            word = "static " if where == "static" or self.chance(0.1) else ""
            self.before.append(f"{word}{declare(kind, name)};")
        if where == "device":
            self.on_devices(variable)
        self.variables.append(variable)
        self.known.append(f"&{name}")
        self.point(Path(variable))
        self.notice(Path(variable))
        return variable

    def run_time(self, kind: Type) -> Type:
        """Return a type, perhaps written with an extent that only the run knows."""
        if isinstance(kind, Array) and not self.cpp and _plain(kind) and self.chance(0.25):
            return Array(kind.element, kind.count, f"{kind.count - 1} + one")
        return kind

    def on_devices(self, variable: Variable) -> None:
        """Make a global variable present on each device for ever; it is zero there."""
        text = f"#pragma omp declare target enter({variable.name})"
        if self.chance(0.4):
            self.before[-1] = f"#pragma omp declare target\n{self.before[-1]}\n#pragma omp end declare target"
        else:
            self.before.append(text)
        size = range(len(variable.storage.cells))
        self.machine.host[variable.storage] = [0 for _ in size]
        for table in self.machine.devices:
            self.machine.numbered += 1
            values = dict.fromkeys(size, 0)
            counts = dict.fromkeys(size, FOREVER)
            entry = Entry(variable.storage, 0, len(size), FOREVER, counts, dict(values), (frozenset(size),))
            table[self.machine.numbered] = entry

    def pointer(self, target: Type) -> Variable:
        """Declare a pointer to a new block."""
        name = self.name("p")
        variable = Variable(name, Pointer(target), self.machine.new(Storage(name, Pointer(target))))
        self.lines.append(f"  {declare(variable.kind, name)};")
        self.variables.append(variable)
        self.allocate(Path(variable), self.random.randint(1, 4) if isinstance(target, Struct) else None)
        return variable

    def alias(self) -> None:
        """Declare a pointer into storage that is there already."""
        kind, address, text = self.pick(self.targets) if self.targets else (None, None, "")
        if kind is None or address is None:
            return
        name = self.name("q")
        variable = Variable(name, Pointer(kind), self.machine.new(Storage(name, Pointer(kind))))
        self.machine.host[variable.storage][0] = address
        self.lines.append(f"  {declare(variable.kind, name)} = {text};")
        self.variables.append(variable)

    def reference(self) -> None:
        """Declare a reference to a variable."""
        whole = [v for v in self.variables if isinstance(v.kind, Struct | Scalar)]
        if whole:
            variable, name = self.pick(whole), self.name("r")
            self.lines.append(f"  {declare(variable.kind, '&' + name)} = {variable.name};")
            self.variables.append(Variable(name, variable.kind, variable.storage))

    # ---- memory

    def allocate(self, path: Path, count: int | None = None) -> None:
        """Let a pointer point to a new block, and the pointers in it as well."""
        kind = path.kind
        assert isinstance(kind, Pointer)
        count = count or self.random.randint(1, 2) if isinstance(kind.target, Struct) else self.random.randint(3, 9)
        storage = self.machine.new(Storage(path.text, Array(kind.target, count)))
        place = path.resolve(self.machine)
        self.machine.host[place.storage][place.at] = Address(storage, 0, count)
        cast = declare(kind, "")
        self.lines.append(f"  {path.text} = ({cast})malloc({count} * sizeof({declare(kind.target, '')}));")
        self.known.append(path.text)
        self.freed.append(f"  free({path.text});")
        for at in range(count):
            self.point(path.then(Index(at)))
            self.notice(path.then(Index(at)))

    def point(self, path: Path) -> None:
        """Give all pointers in an object something to point to."""
        kind = path.kind
        if isinstance(kind, Pointer):
            if len(path.steps) > 1 and (len(self.freed) > MOST_BLOCKS or self.chance(0.2)):
                return
            known = [t for t in self.targets if t[0] == kind.target and len(t[2]) < 30]
            if known and self.chance(0.25):
                _, address, text = self.pick(known)
                place = path.resolve(self.machine)
                self.machine.host[place.storage][place.at] = address
                self.lines.append(f"  {path.text} = {text};")
            else:
                self.allocate(path)
            return
        for inner in parts(path):
            self.point(inner)

    def notice(self, path: Path) -> None:
        """Remember objects that other pointers may point to."""
        kind, place = path.kind, path.resolve(self.machine)
        if isinstance(kind, Struct):
            self.targets.append((kind, Address(place.storage, place.at, 1), f"&{path.text}"))
        elif isinstance(kind, Array):
            at = self.random.randrange(kind.count)
            there = Address(place.storage, place.at + at * kind.element.cells, kind.count - at)
            self.targets.append((kind.element, there, f"&{path.then(Index(at)).text}"))


def parts(path: Path) -> Iterator[Path]:
    """Give the members or elements of an object."""
    kind = path.kind
    if isinstance(kind, Struct):
        yield from (path.then(Member(name)) for name, _ in kind.members)
    elif isinstance(kind, Array):
        yield from (path.then(Index(at)) for at in range(kind.count))


def _plain(kind: Type) -> bool:
    """Tell whether a type has no pointers."""
    if isinstance(kind, Array):
        return _plain(kind.element)
    return isinstance(kind, Scalar) or (isinstance(kind, Struct) and all(_plain(m) for _, m in kind.members))
