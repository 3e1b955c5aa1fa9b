"""What a program does, step by step: each operation changes a machine and writes its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from data_generator.kernels import map_clauses
from data_generator.kinds import Array, Pointer, Scalar, Struct, Type
from data_generator.machine import FOREVER, Address, Machine, Storage, UndefinedError, Value
from data_generator.mapping import Mapped, enter, leave, update
from data_generator.paths import Index, Item, Member, Path, Variable


class Operation(Protocol):
    """One step."""

    def run(self, machine: Machine) -> None:
        """Change the machine and write the text; raises UndefinedError."""


def visit(text: str, kind: Type, what: Callable[[str, Scalar], str], indent: str = "  ") -> Iterator[str]:
    """Give loops over an object: a line for each number in it, in order."""
    if isinstance(kind, Array):
        counter = f"i{len(indent) // 2}"
        yield f"{indent}for (int {counter} = 0; {counter} < {kind.count}; {counter}++) {{"
        yield from visit(f"{text}[{counter}]", kind.element, what, indent + "  ")
        yield f"{indent}}}"
    elif isinstance(kind, Struct):
        for name, member in kind.members:
            yield from visit(f"{text}.{name}", member, what, indent)
    elif isinstance(kind, Scalar):
        yield indent + what(text, kind)


def visit_item(item: Item, what: Callable[[str, Scalar], str]) -> Iterator[str]:
    """Give loops over all numbers of a list item."""
    text, kind, indent = item.path.text, item.path.kind, "  "
    if text.startswith("*"):
        text = f"({text})"
    for at, section in enumerate(item.sections):
        stride = f"{section.stride} * " if section.stride > 1 else ""
        yield f"{indent}for (int j{at} = 0; j{at} < {section.length}; j{at}++) {{"
        text += f"[{section.low} + {stride}j{at}]"
        assert isinstance(kind, Array | Pointer)
        kind = kind.element if isinstance(kind, Array) else kind.target
        indent += "  "
    yield from visit(text, kind, what, indent)
    for _ in item.sections:
        indent = indent[2:]
        yield f"{indent}}}"


@dataclass(frozen=True)
class Fill:
    """The host gives all numbers of an object new values."""

    item: Item

    def run(self, machine: Machine) -> None:
        """Execute and write."""
        extent = self.item.resolve(machine)
        for cell in extent.cells:
            leaf = extent.storage.cells[cell]
            if isinstance(leaf, Scalar):
                machine.host[extent.storage][cell] = machine.next_number() % leaf.modulus
        machine.say(*visit_item(self.item, lambda t, k: f"{t} = ({k.name})(next_number() % {k.modulus}u);"))


@dataclass(frozen=True)
class Show:
    """The host prints what is defined of an object."""

    item: Item

    def run(self, machine: Machine) -> None:
        """Execute and write."""
        extent = self.item.resolve(machine)
        leaves = [extent.storage.cells[c] for c in extent.cells]
        values = [machine.host[extent.storage][c] for c in extent.cells]
        numbers = [v for v, leaf in zip(values, leaves, strict=True) if isinstance(leaf, Scalar)]
        if all(isinstance(v, int) for v in numbers):
            if numbers:
                self._print(machine, self.item.text, visit_item(self.item, _take), numbers)
            return
        if self.item.sections:
            for path in elements(self.item):
                self._parts(machine, path)
        else:
            self._parts(machine, self.item.path)

    def _parts(self, machine: Machine, path: Path) -> None:
        kind = path.kind
        if isinstance(kind, Struct):
            for name, _ in kind.members:
                Show(Item(path.then(Member(name)))).run(machine)
        elif isinstance(kind, Array):
            for at in range(kind.count):
                Show(Item(path.then(Index(at)))).run(machine)
        elif isinstance(kind, Scalar):
            place = path.resolve(machine)
            value = machine.host[place.storage][place.at]
            if isinstance(value, int):
                self._print(machine, path.text, iter([f"  {_take(path.text, kind)}"]), [value])

    def _print(self, machine: Machine, name: str, lines: Iterator[str], values: Sequence[Value]) -> None:
        machine.say("  h = 7;", *lines, f'  printf("%s %llu\\n", "{name}", h);')
        total = 7
        for value in values:
            assert isinstance(value, int)
            total = (total * 31 + value) % (1 << 64)
        machine.output.append(f"{name} {total}")


def _take(text: str, _: Scalar) -> str:
    return f"h = h * 31u + (unsigned long long)({text});"


def elements(item: Item) -> list[Path]:
    """Return the elements of a list item's sections."""
    paths = [item.path]
    for section in item.sections:
        numbers = [section.low + n * section.stride for n in range(section.length)]
        paths = [path.then(Index(n)) for path in paths for n in numbers]
    return paths


def _device(device: int) -> list[str]:
    return [f"device({device})"] if device else []


@dataclass(frozen=True)
class Enter:
    """``target enter data``, or ``exit data`` with ``leaving``."""

    mapped: tuple[Mapped, ...]
    device: int = 0
    leaving: bool = False
    joined: bool = True
    away: bool = False

    def run(self, machine: Machine) -> None:
        """Execute and write."""
        if not self.away and self.leaving:
            leave(machine, self.device, self.mapped, alone=True)
        elif not self.away:
            enter(machine, self.device, self.mapped)
        name = "exit" if self.leaving else "enter"
        clauses = [*map_clauses(self.mapped, self.joined), *_device(self.device), *(["if(never)"] * self.away)]
        machine.say(f"#pragma omp target {name} data {' '.join(clauses)}")


@dataclass(frozen=True)
class Update:
    """``target update``; ``items`` with True go back to the host."""

    items: tuple[tuple[Item, bool], ...]
    device: int = 0

    def run(self, machine: Machine) -> None:
        """Execute and write."""
        spans: dict[tuple[Storage, int], tuple[int, int]] = {}
        seen: set[tuple[int, int]] = set()
        for item, back in self.items:
            extent = item.resolve(machine)
            cells = {(id(extent.storage), cell) for cell in extent.cells}
            if cells & seen or any(spans.setdefault((s, f), (a, b)) != (a, b) for s, f, a, b in extent.spans):
                raise UndefinedError("two elements of one array")
            seen |= cells
            update(machine, self.device, item, back)
        texts = {back: ", ".join(i.text for i, b in self.items if b is back) for _, back in self.items}
        clauses = [f"{'from' if back else 'to'}({text})" for back, text in texts.items()]
        machine.say(f"#pragma omp target update {' '.join([*clauses, *_device(self.device)])}")


@dataclass(eq=False)
class Region:
    """``target data`` with steps inside."""

    mapped: tuple[Mapped, ...]
    body: list[Operation] = field(default_factory=list)
    device: int = 0
    joined: bool = True
    given: str = ""

    def run(self, machine: Machine) -> None:
        """Execute and write."""
        enter(machine, self.device, self.mapped)
        clauses = [*map_clauses(self.mapped, self.joined), *_device(self.device), *([self.given] * bool(self.given))]
        machine.say(f"#pragma omp target data {' '.join(clauses)}", "  {")
        for operation in self.body:
            operation.run(machine)
        leave(machine, self.device, self.mapped)
        machine.say("  }")


@dataclass(frozen=True)
class Present:
    """The host asks whether something is present on a device."""

    path: Path
    device: int

    def run(self, machine: Machine) -> None:
        """Execute and write."""
        place = self.path.resolve(machine)
        number = machine.present(self.device, place.storage, [place.at])
        if number is not None and machine.devices[self.device][number].count >= FOREVER:
            raise UndefinedError("a runtime may not know its global variables yet")
        found = number is not None
        call = f"omp_target_is_present(&{self.path.text}, {self.device})"
        machine.say(f'  printf("present %d\\n", {call} != 0);')
        machine.output.append(f"present {int(found)}")


@dataclass(eq=False)
class Method:
    """A member function of an object's class with steps inside, and its call."""

    name: str
    path: Path
    this: Variable
    body: list[Operation] = field(default_factory=list)

    def run(self, machine: Machine) -> None:
        """Execute and write."""
        outer, machine.text = machine.text, []
        self.begin(machine)
        for operation in self.body:
            operation.run(machine)
        kind = self.path.kind
        assert isinstance(kind, Struct)
        machine.methods.append((kind.name, self.name, machine.text))
        machine.text = outer
        text = self.path.text
        machine.say(f"  ({text}).{self.name}();")

    def begin(self, machine: Machine) -> None:
        """Let ``this`` point to the object."""
        place = self.path.resolve(machine)
        machine.host[self.this.storage] = [Address(place.storage, place.at, 1)]
