"""A fixed sample of the programs; the long run is ``python -m data_generator.run`` in the folder ``tests``."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from data_generator.kinds import Array, Pointer, Scalar, Struct
from data_generator.machine import Address, Machine, Storage, UndefinedError
from data_generator.mapping import Mapped, enter, leave
from data_generator.paths import Item, Member, Section, Variable
from data_generator.paths import Path as Lvalue
from data_generator.run import Environments
from random_programs import sample

SERIES = Environments(4242, "-O0")
UNITS = (("c", range(8)), ("c++", range(100, 106)))
INT = Scalar("int", 30011)


@pytest.mark.parametrize(("language", "numbers"), support.sampled(UNITS, len(UNITS)), ids=("c", "c++"))
def test_programs_do_what_the_model_does_and_leave_nothing_on_devices(
    language: str, numbers: range, tmp_path: Path
) -> None:
    sample.check_unit(SERIES, numbers, language, tmp_path)


def test_programs_depend_on_their_seed_alone() -> None:
    sample.check_seeds(Environments)


def test_the_sample_has_every_sort_of_construct() -> None:
    wanted = ("target enter data", "target exit data", "target update to", "target update from", "target data")
    wanted += tuple(f"map({kind}:" for kind in ("to", "from", "tofrom", "alloc", "release", "delete"))
    wanted += ("always,", "present,")
    wanted += ("defaultmap", "firstprivate(", "private(", "device(", "if(never)", "declare target", "->", "this->")
    assert sample.missing(SERIES, UNITS, wanted) == []


def test_what_is_left_in_a_table_is_told() -> None:
    row = "omptarget device 0 info: 0x000055f0e4bf4b70 0x000055f0e4c0a040 12       1           0            a at x.c:9"
    forever = row.replace(" 1  ", " INF")
    assert SERIES.read(f"p1\n{forever}\nend\n") == "p1\nend\n"
    assert SERIES.read(f"p1\n{row}\nend\n") == "p1\nend: 1 left on devices\n"


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


def test_all_members_of_a_structure_are_not_the_structure_for_it_may_have_padding_behind_them() -> None:
    machine, kind = Machine(1), Struct("s", (("a", Scalar("long", 30011)), ("b", Scalar("unsigned char", 251))))
    variable = Variable("s", kind, machine.new(Storage("s", kind)))
    whole = Mapped(Item(Lvalue(variable)), "tofrom")
    members = [Mapped(Item(Lvalue(variable, (Member(name),))), "to") for name in ("a", "b")]
    enter(machine, 0, members)
    enter(machine, 0, members)
    enter(machine, 0, members[1:])
    with pytest.raises(UndefinedError, match="part of a list item"):
        enter(machine, 0, [whole])
    machine.devices[0].clear()
    enter(machine, 0, [whole])
    enter(machine, 0, members)
