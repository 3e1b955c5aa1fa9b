"""Whole programs, and translation units of several of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data_generator.bodies import Bodies
from data_generator.kinds import Pointer, definition
from data_generator.machine import FOREVER, Address, Machine, UndefinedError
from data_generator.objects import parts
from data_generator.operations import Fill, Operation, Show
from data_generator.paths import Index, Item, Path, Section

PRELUDE = """\
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C"
#endif
void ompx_dump_mapping_tables(void);

static int one = 1, two = 2, three = 3, never = 0;
static unsigned state;
static unsigned long long h;

static unsigned next_number(void) {
  state = state * 1103515245u + 12345u;
  return state / 65536u % 30000u;
}

static void table(void) {
  fflush(stdout);
  ompx_dump_mapping_tables();
  fflush(stdout);
  puts("end");
}
"""
DEVICES = 4
"""How many devices LLVM's host plugin has."""


@dataclass(frozen=True)
class Program:
    """A program: what it declares, and its steps."""

    name: str
    language: str
    start: Machine
    types: list[str]
    before: list[str]
    lines: list[str]
    operations: list[Operation]
    freed: list[str]

    def execute(self) -> Machine:
        """Return a machine that has executed the program; raises UndefinedError."""
        machine = self.start.clone()
        for operation in self.operations:
            operation.run(machine)
        if any(e.count < FOREVER for table in machine.devices for e in table.values()):
            raise UndefinedError("storage stays present")
        return machine

    def text(self, machine: Machine) -> str:
        """Return the program as text, as an executed machine wrote it."""
        head = [f"static void {self.name}(void) {{", f'  puts("{self.name}");', "  state = 0;"]
        types = list(self.types)
        methods = []
        for struct, name, lines in machine.methods:
            at = next(n for n, text in enumerate(types) if text.startswith(f"struct {struct} {{"))
            types[at] = types[at].replace("};", f"  void {name}(void);\n}};")
            methods += [f"void {struct}::{name}(void) {{", *lines, "}"]
        return "\n".join([*types, *self.before, *methods, *head, *self.lines, *machine.text, *self.freed, "}", ""])


def make_program(seed: int, number: int, language: str) -> Program:
    """Return the program of this number in the series that a seed stands for."""
    name = f"p{number}"
    for turn in range(100):
        maker = Bodies(f"{seed}:{name}:{turn}", name, language, DEVICES)
        maker.make_structs()
        maker.make_variables()
        start = maker.machine.clone()
        every = list(everything(maker))
        for item in every:
            maker.attempt(Fill(item))
        for _ in range(maker.random.randint(6, 16)):
            maker.step()
        if maker.clear():
            for item in every:
                maker.attempt(Show(item))
            types = [definition(s) for s in maker.structs]
            freed = maker.freed[::-1]
            return Program(name, language, start, types, maker.before, maker.lines, maker.operations, freed)
    raise AssertionError(f"{seed}:{number} comes to no end")


def everything(maker: Bodies) -> Iterator[Item]:
    """Give list items for all numbers of a program, each once."""
    seen: set[tuple[object, int]] = set()
    paths = [Path(variable) for variable in maker.variables]
    while paths:
        path = paths.pop(0)
        place = path.resolve(maker.machine)
        if isinstance(path.kind, Pointer):
            address = maker.machine.host[place.storage][place.at]
            if not isinstance(address, Address) or (address.storage, address.at) in seen:
                continue
            seen.add((address.storage, address.at))
            yield Item(path, (Section(0, address.room, f"0:{address.room}"),))
            inner = [path.then(Index(at)) for at in range(address.room)]
        else:
            if (place.storage, place.at) in seen:
                continue
            seen.add((place.storage, place.at))
            yield Item(path)
            inner = [path]
        paths += [found for each in inner for found in pointers(each)]


def pointers(path: Path) -> Iterator[Path]:
    """Give the pointers in an object."""
    if isinstance(path.kind, Pointer):
        yield path
    for part in parts(path):
        yield from pointers(part)


def unit_parts(programs: Sequence[Program]) -> list[str]:
    """Return the parts of a translation unit that executes programs: their texts, one before and one after."""
    calls = [f"  {program.name}();\n  table();" for program in programs]
    main = "\n".join(["int main(void) {", "  setvbuf(stdout, 0, _IOLBF, BUFSIZ);", *calls, "  return 0;", "}", ""])
    return [PRELUDE, *(program.text(program.execute()) for program in programs), main]


def unit_output(programs: Sequence[Program]) -> str:
    """Return what a unit must print."""
    lines = [line for p in programs for line in (p.name, *p.execute().output, "end")]
    return "".join(f"{line}\n" for line in lines)
