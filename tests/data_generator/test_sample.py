"""A fixed sample of the programs; the long run is ``python -m data_generator.run`` in the folder ``tests``."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from data_generator.kinds import Array, Pointer, Scalar
from data_generator.machine import Address, Machine, Storage, UndefinedError
from data_generator.mapping import Mapped, enter, leave
from data_generator.paths import Item, Section, Variable
from data_generator.paths import Path as Lvalue
from data_generator.program import make_program, unit_output, unit_parts
from data_generator.run import compared
from generator.peers import COMPILERS, examine, source_of

SEED = 4242
UNITS = (("c", range(8)), ("c++", range(100, 106)))
INT = Scalar("int", 30011)


@pytest.mark.parametrize(("language", "numbers"), UNITS, ids=("c", "c++"))
def test_programs_do_what_the_model_does_and_leave_nothing_on_devices(
    language: str, numbers: range, tmp_path: Path
) -> None:
    support.require_runtime()
    programs = [make_program(SEED, n, language) for n in numbers]
    source = source_of(tmp_path, "p", "\n".join(unit_parts(programs)), language)
    outcome = examine(COMPILERS["rexcc"], tmp_path, source, unit_output(programs), "-O0", compared)
    assert outcome.kind == "same", outcome


def test_programs_depend_on_their_seed_alone() -> None:
    first, again = ("\n".join(unit_parts([make_program(SEED, 3, "c")])) for _ in range(2))
    assert first == again != "\n".join(unit_parts([make_program(SEED + 1, 3, "c")]))


def test_the_sample_has_every_sort_of_construct() -> None:
    text = "\n".join(t for language, ns in UNITS for t in unit_parts([make_program(SEED, n, language) for n in ns]))
    wanted = ("target enter data", "target exit data", "target update to", "target update from", "target data")
    wanted += (
        "map(to:",
        "map(from:",
        "map(tofrom:",
        "map(alloc:",
        "map(release:",
        "map(delete:",
        "always,",
        "present,",
    )
    wanted += ("defaultmap", "firstprivate(", "private(", "device(", "if(never)", "declare target", "->", "this->")
    assert [w for w in wanted if w not in text] == []


def test_what_is_left_in_a_table_is_told() -> None:
    row = (
        "omptarget device 0 info: 0x000055f0e4bf4b70 0x000055f0e4c0a040 12       1           0            a at x.c:9:13"
    )
    forever = row.replace(" 1  ", " INF")
    assert compared(f"p1\n{forever}\nend\n") == "p1\nend\n"
    assert compared(f"p1\n{row}\nend\n") == "p1\nend: 1 left on devices\n"


class World:
    """A pointer ``p`` to six numbers, known to one device."""

    def __init__(self) -> None:
        self.machine = Machine(1)
        self.block = self.machine.new(Storage("block", Array(INT, 6)))
        self.machine.host[self.block] = [1, 2, 3, 4, 5, 6]
        pointer = self.machine.new(Storage("p", Pointer(INT)))
        self.machine.host[pointer] = [Address(self.block, 0, 6)]
        self.variable = Variable("p", Pointer(INT), pointer)

    def mapped(self, low: int, length: int, kind: str, *modifiers: str) -> list[Mapped]:
        return [Mapped(Item(Lvalue(self.variable), (Section(low, length, f"{low}:{length}"),)), kind, modifiers)]

    def device(self) -> dict[int, object]:
        (entry,) = self.machine.devices[0].values()
        return dict(entry.values)


def test_values_are_copied_when_storage_comes_and_goes_or_always() -> None:
    world = World()
    enter(world.machine, 0, world.mapped(0, 6, "to"))
    world.machine.host[world.block][2] = 30
    enter(world.machine, 0, world.mapped(1, 3, "tofrom"))
    assert world.device()[2] == 3
    enter(world.machine, 0, world.mapped(1, 3, "to", "always"))
    assert world.device()[2] == 30
    world.machine.host[world.block][2] = 33
    leave(world.machine, 0, world.mapped(1, 3, "from"))
    assert world.machine.host[world.block][2] == 33
    leave(world.machine, 0, world.mapped(1, 3, "from", "always"))
    assert world.machine.host[world.block][2] == 30
    leave(world.machine, 0, world.mapped(0, 6, "release"))
    assert world.machine.devices[0] == {}


def test_what_is_not_defined_is_refused() -> None:
    world = World()
    enter(world.machine, 0, world.mapped(0, 3, "alloc"))
    with pytest.raises(UndefinedError, match="part of a list item"):
        enter(world.machine, 0, world.mapped(2, 3, "to"))
    enter(world.machine, 0, world.mapped(4, 2, "to"))
    with pytest.raises(UndefinedError, match="removed"):
        leave(world.machine, 0, world.mapped(0, 2, "release"))
