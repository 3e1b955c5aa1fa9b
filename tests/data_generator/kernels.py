"""Target regions: which storage their variables mean on the device, and what their statements do there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data_generator.kinds import Pointer, Scalar, Type, declare
from data_generator.machine import Address, Attached, Machine, Storage, UndefinedError, Value
from data_generator.mapping import Mapped, enter, leave
from data_generator.paths import Item, Path, Place, Section, Variable


@dataclass(frozen=True)
class Assign:
    """``target = (sum of sources times factors + constant) % modulus;``"""

    target: Path
    sources: tuple[tuple[int, Path], ...]
    constant: int

    @property
    def paths(self) -> list[Path]:
        """All lvalues."""
        return [self.target, *(p for _, p in self.sources)]

    @property
    def text(self) -> str:
        """The statement."""
        kind = self.target.kind
        assert isinstance(kind, Scalar)
        parts = [*(f"{n} * (long)({p.text})" for n, p in self.sources), str(self.constant)]
        return f"{self.target.text} = ({kind.name})(({' + '.join(parts)}) % {kind.modulus});"


@dataclass(frozen=True)
class Loop:
    """Assignments in a loop, or once if there is no count; ``directive``: a construct inside the region."""

    count: int
    body: tuple[Assign, ...]
    directive: str = ""

    def lines(self, indent: str) -> Iterator[str]:
        """Give the lines of the statement."""
        if not self.count:
            yield from (indent + a.text for a in self.body)
            return
        if self.directive:
            yield f"#pragma omp {self.directive}"
        yield f"{indent}for (int k = 0; k < {self.count}; k++) {{"
        yield from (f"{indent}  {a.text}" for a in self.body)
        yield f"{indent}}}"


@dataclass
class Binding:
    """What a variable means in a region: ``entry`` on the device (where a pointer points to), or a copy of its own."""

    entry: int = 0
    copy: dict[int, Value] | None = None
    host: bool = False


@dataclass(frozen=True)
class Clauses:
    """The data clauses of a region besides ``map``."""

    firstprivate: tuple[Variable, ...] = ()
    private: tuple[Variable, ...] = ()
    given: tuple[tuple[str, Variable], ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    empty: tuple[Variable, ...] = ()

    def behaviour(self, variable: Variable) -> str:
        """Return how a variable is mapped that no clause names."""
        category = category_of(variable.kind)
        found = dict(self.defaults).get(category) or dict(self.defaults).get("all") or "default"
        if found == "default":
            return {"scalar": "firstprivate", "pointer": "pointer", "aggregate": "tofrom"}[category]
        return found

    def texts(self) -> list[str]:
        """Return the clauses as text."""
        found = [f"defaultmap({b}{': ' + c if c != 'all' else ''})" for c, b in self.defaults]
        found += [f"firstprivate({v.name})" for v in self.firstprivate]
        found += [f"private({v.name})" for v in self.private]
        found += [f"{clause}({v.name})" for clause, v in self.given]
        return found + [f"map(tofrom: {v.name}[0:0])" for v in self.empty]


def category_of(kind: Type) -> str:
    """Return the variable category of a type (OpenMP 5.2, 5.8.7)."""
    return "scalar" if isinstance(kind, Scalar) else "pointer" if isinstance(kind, Pointer) else "aggregate"


def is_this(variable: Variable, known: set[Variable]) -> bool:
    """Tell whether a variable is ``this`` without a clause of its own: the whole object is mapped."""
    return variable.name == "this" and variable not in known


class Execution:
    """A region while its statements are executed."""

    def __init__(self, machine: Machine, device: int, bindings: dict[Variable, Binding]) -> None:
        self.machine, self.device, self.bindings = machine, device, bindings

    def cell(self, path: Path, counter: int) -> tuple[dict[int, Value] | list[Value], Place]:
        """Return the memory in which a path's cell lies, and its place there."""
        binding = self.bindings[path.root]
        table = self.machine.devices[self.device]
        memory: dict[int, Value] | list[Value]
        entry = 0
        if binding.host:
            memory = self.machine.host[path.root.storage]
        elif binding.copy is not None:
            memory = binding.copy
        else:
            entry = binding.entry
            memory = table[entry].values

        def load(storage: Storage, cell: int) -> Value:
            nonlocal memory, entry
            if binding.host:
                value = self.machine.host[storage][cell]
                memory = self.machine.host[value.storage] if isinstance(value, Address) else memory
                return value
            if storage is path.root.storage and isinstance(path.root.kind, Pointer) and binding.copy is None:
                return self.machine.host[storage][0]
            value = memory[cell] if not entry or cell in table[entry].counts else None
            if not isinstance(value, Attached) or value.entry not in table:
                return None
            entry, memory = value.entry, table[value.entry].values
            return value.address

        place = path.walk(Place(path.root.storage, 0, path.root.kind), counter, load)
        if entry and (table[entry].storage is not place.storage or place.at not in table[entry].counts):
            raise UndefinedError("not on the device")
        return memory, place

    def read(self, path: Path, counter: int = 0) -> tuple[int, tuple[int, int]]:
        """Return a cell's value and identity."""
        memory, place = self.cell(path, counter)
        value = memory[place.at]
        if not isinstance(value, int):
            raise UndefinedError("the value of a cell")
        return value, (id(memory), place.at)

    def run(self, loops: Sequence[Loop]) -> None:
        """Execute statements; iterations must not depend on each other."""
        for loop in loops:
            read: dict[tuple[int, int], set[int]] = {}
            written: dict[tuple[int, int], set[int]] = {}
            for counter in range(loop.count or 1):
                for one in loop.body:
                    total = one.constant
                    for factor, path in one.sources:
                        value, cell = self.read(path, counter)
                        read.setdefault(cell, set()).add(counter)
                        total += factor * value
                    memory, place = self.cell(one.target, counter)
                    assert isinstance(place.kind, Scalar)
                    memory[place.at] = total % place.kind.modulus
                    written.setdefault((id(memory), place.at), set()).add(counter)
            if any(len(at | read.get(cell, set())) > 1 for cell, at in written.items()):
                raise UndefinedError("a race")


@dataclass(eq=False)
class Kernel:
    """A target construct with its clauses and statements; ``away``: the ``if`` clause is false."""

    directive: str
    mapped: tuple[Mapped, ...]
    clauses: Clauses
    loops: tuple[Loop, ...]
    device: int = 0
    extra: tuple[str, ...] = ()
    away: bool = False
    joined: bool = True
    seen: Variable | None = None

    def roots(self) -> list[Variable]:
        """Return the variables that the statements use, in order."""
        return list(dict.fromkeys(p.root for loop in self.loops for a in loop.body for p in a.paths))

    def all_mapped(self, roots: Sequence[Variable]) -> tuple[Mapped, ...]:
        """Return explicit and implicit mappings."""
        known = self.named()
        implied = [
            Mapped(Item(Path(v)), self.clauses.behaviour(v))
            for v in roots
            if v not in known and not v.on_device and self.clauses.behaviour(v) in ("to", "from", "tofrom", "alloc")
        ]
        implied += [Mapped(Item(Path(v), (Section(0, 1, "0:1"),)), "tofrom") for v in roots if is_this(v, known)]
        return (*self.mapped, *implied)

    def named(self) -> set[Variable]:
        """Return the variables of which clauses say what they mean."""
        clauses = self.clauses
        found = {m.item.path.root for m in self.mapped} | set(clauses.firstprivate) | set(clauses.private)
        return found | {v for _, v in clauses.given} | set(clauses.empty)

    def bind(self, machine: Machine, roots: Sequence[Variable]) -> dict[Variable, Binding]:
        """Return what variables mean once the region's data is mapped."""
        found = {}
        explicit: dict[Variable, list[Item]] = {}
        for mapped in self.all_mapped(roots):
            explicit.setdefault(mapped.item.path.root, []).append(mapped.item)
        for variable in roots:
            found[variable] = self._binding(machine, variable, explicit.get(variable, []))
        return found

    def _binding(self, machine: Machine, variable: Variable, items: list[Item]) -> Binding:
        clauses, values = self.clauses, machine.host[variable.storage]
        if variable in clauses.private:
            return Binding(copy=dict.fromkeys(range(len(values))))
        implied = variable not in self.named() and clauses.behaviour(variable) == "firstprivate"
        if variable in clauses.firstprivate or (implied and not variable.on_device):
            return Binding(copy={n: v if isinstance(v, int) else None for n, v in enumerate(values)})
        if self.away:
            return Binding(host=True)
        if not items:
            value = values[0]
            storage, at = variable.storage, 0
            if isinstance(variable.kind, Pointer):
                if not isinstance(value, Address):
                    raise UndefinedError("a pointer to nothing")
                storage, at = value.storage, value.at
            number = machine.present(self.device, storage, [at])
            if number is None:
                raise UndefinedError("not on the device")
            return Binding(number)
        return Binding(_only(self._entry(machine, variable, item) for item in items))

    def _entry(self, machine: Machine, variable: Variable, item: Item) -> int:
        """Return the entry in which a variable's own storage lies (a pointer's: what it points to)."""
        extent = item.resolve(machine)
        pointer = isinstance(variable.kind, Pointer)
        storage, cells = extent.storage, extent.cells
        if len(extent.hops) > pointer:
            hop = extent.hops[pointer]
            storage, cells = hop.storage, (hop.cell,)
        number = machine.present(self.device, storage, cells)
        if number is None:
            raise UndefinedError("not on the device")
        return number

    def run(self, machine: Machine) -> None:
        """Execute the construct and write its text."""
        if self.seen is not None:
            machine.new(self.seen.storage)
            machine.say(f"  {declare(self.seen.kind, self.seen.name)};")
        roots = self.roots()
        mapped = () if self.away else self.all_mapped(roots)
        enter(machine, self.device, mapped)
        Execution(machine, self.device, self.bind(machine, roots)).run(self.loops)
        leave(machine, self.device, mapped)
        machine.say(*self.lines())

    def lines(self) -> Iterator[str]:
        """Give the construct's text."""
        clauses = [*map_clauses(self.mapped, self.joined), *self.clauses.texts(), *self.extra]
        yield f"#pragma omp {' '.join([self.directive, *clauses])}"
        if self.directive != "target":
            yield from self.loops[0].lines("  ")
            return
        yield "  {"
        for loop in self.loops:
            yield from loop.lines("    ")
        yield "  }"


def _only(numbers: Iterator[int]) -> int:
    found = set(numbers)
    if len(found) != 1:
        raise UndefinedError("parts of one array that are present apart")
    return found.pop()


def map_clauses(mapped: Sequence[Mapped], joined: bool) -> list[str]:
    """Return map clauses: one for each type, or one for each item."""
    lists: dict[str, list[str]] = {}
    for at, one in enumerate(mapped):
        head = ", ".join([*one.modifiers, one.kind])
        lists.setdefault(head if joined else f"{head}/{at}", []).append(one.item.text)
    return [f"map({head.split('/')[0]}: {', '.join(items)})" for head, items in lists.items()]
