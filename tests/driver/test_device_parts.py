"""The parts of linked files: which belong together, and what is missing."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from rexcc.codegen.registration.unit_parts import MAGIC, Called, Mention, PartObject, UnitPart, records
from rexcc.driver.link import device_parts, joined_tables
from rexcc.driver.link.device_groups import MissingDeviceCodeError, groups_of
from rexcc.driver.link.device_parts import Part
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.options.parser import parse

INT = Called("integer4(integer4)", "int (int)")
CPU, OLD, NEW = ("host", "host"), ("nvptx", "sm_80"), ("nvptx", "sm_90")


def part(
    name: str, has: str = "", needs: str = "", devices: tuple[tuple[str, str], ...] = (CPU,), keeps: str = ""
) -> Part:
    wanted = tuple(Mention(symbol, f"{name}.c:1:1", f"{symbol}()") for symbol in needs.split())
    kept = tuple(Mention(symbol, f"{name}.c:9:9", "uses 'x'") for symbol in keeps.split())
    return Part(UnitPart(name, f"{name}.c", tuple(has.split()), wanted, kept), dict.fromkeys(devices, (b"", ())))


def names(groups: list[list[Part]]) -> list[list[str]]:
    return [[p.facts.module for p in group] for group in groups]


def test_parts_that_need_each_other_are_a_group() -> None:
    every = [
        part("a", "f", "g"),
        part("b", "unwanted"),
        part("c", "g", "h"),
        part("d", "h"),
        part("e", "i"),
        part("z", "", "i"),
    ]
    assert device_parts.missing(every) == []
    assert names(device_parts.groups(every)) == [["a", "c", "d"], ["e", "z"]]


def test_who_asks_for_a_table_is_with_all_that_have_a_part_of_it() -> None:
    every = [part(name) for name in "abcd"]
    asks = replace(every[1].facts, asks=("t", "u"), finds=(("t", "t_b"),))
    finds = [replace(every[n].facts, finds=(("t", f"t_{n}"), ("v", "v_own"))) for n in (2, 3)]
    every = [every[0], Part(asks), *map(Part, finds)]
    (group,) = device_parts.groups(every)
    assert names([group]) == [["b", "c", "d"]]
    assert joined_tables.joined_of(group) == (("t", ("t_b", "t_2", "t_3")), ("u", ()))
    assert device_parts.groups([Part(facts) for facts in finds]) == [], "nobody asks"


def test_parts_with_a_variable_that_a_program_has_once_are_a_group() -> None:
    every = [Part(replace(part(name).facts, shares=tuple(shares.split()))) for name, shares in (("a", "s"), ("b", "t"))]
    assert not device_parts.any_shared(every) and device_parts.groups(every) == []
    every.append(Part(replace(part("c").facts, shares=("t", "u"))))
    assert device_parts.any_shared(every)
    assert names(device_parts.groups(every)) == [["b", "c"]]


def test_parts_with_definitions_of_one_function_are_a_group() -> None:
    every = [part("a", "f"), part("b", "g"), part("c", "h f")]
    assert names(device_parts.groups(every)) == [["a", "c"]]
    assert device_parts.defined_twice(every) == ("f", every[0], every[2])
    assert device_parts.defined_twice(every[:2]) is None


def test_shared_libraries_give_what_has_no_variables() -> None:
    every = [part("a", "own", "f g h")]
    offered = [part("b", "f", "i"), part("c", "g other"), part("d", "h own"), part("e", "i"), part("z", "unwanted")]
    for made in offered:
        made.library = "libx.so"
    offered[1].facts = replace(offered[1].facts, state=("count",))
    taken = device_parts.with_libraries(every, offered)
    assert sorted(p.facts.module for p in taken) == ["a", "b", "e"]
    found = {lack.need.symbol: lack.why for lack in device_parts.missing(taken, offered)}
    where = "its definition is in 'libx.so', a shared library, "
    assert found["g"].startswith(f"{where}with 'count', of which a device would have two")
    assert found["h"] == f"{where}which has another 'own' than a file that is linked"


def test_what_is_missing_has_a_cause() -> None:
    every = [part("a", "", "f g h", (CPU, NEW)), part("b", "f", "", (CPU, OLD)), part("c", keeps="g")]
    found = {lack.need.symbol: (lack.place, lack.why) for lack in device_parts.missing(every)}
    assert found == {
        "f": ("b.c", "its definition is not compiled for 'sm_90', as the call is"),
        "g": ("c.c:9:9", "its definition uses 'x'"),
        "h": ("", ""),
    }


def test_only_files_for_the_cpu_device_borrow_functions_of_the_host() -> None:
    options, functions = parse(["a.o", "-o", "p"]), frozenset({"f", "k"})
    (group,) = groups_of(options, [part("a", "", "f"), part("b", "h")], list, lambda: functions)
    assert (names([[*group.parts]]), group.parts[0].lent) == ([["a"]], {"f"})
    for parts, words in (
        ([part("a", "", "f", (CPU, NEW))], ["a.o", "-o", "p"]),
        ([part("a", "", "g")], ["a.o", "-o", "p"]),
        ([part("a", "", "k"), part("b", keeps="k")], ["a.o", "-o", "p"]),  # of 'declare target', but no device code
        ([part("a", "", "f")], ["-shared", "a.o", "-o", "p"]),
    ):
        with pytest.raises(MissingDeviceCodeError):
            groups_of(parse(words), parts, list, lambda: functions)


def test_a_definition_of_another_type_is_not_what_a_call_means() -> None:
    """A header has changed, and one of the files is from before; a symbol of C tells nothing of that."""
    now = Called("void(floating8)", "void (double)")
    need = Mention("f", "a.c:1:1", "f(int)", "", INT)
    caller = Part(UnitPart("a", "a.c", (), (need,)), {CPU: (b"", ())})
    for called, why in (((("f", now),), "'void (double)'"), ((("f", INT),), ""), ((), "")):
        owner = Part(UnitPart("b", "b.c", ("f",), called=called), {CPU: (b"", ())})
        found = [(lack.place, lack.why) for lack in device_parts.missing([caller, owner])]
        said = f"its definition is {why}, and the call is compiled for 'int (int)'; compile the file of the call again"
        assert found == ([("b.c", f"{said} if a header has changed")] if why else [])


def test_a_file_that_is_linked_twice_is_refused_where_others_call_it() -> None:
    record = b"".join(
        MAGIC.encode() + struct.pack("<QQ", len(text), 0) + text
        for text in (b"module\tm\nsource\tb.c\nhas\tf\n",) * 2 + (b"module\ta\nsource\ta.c\nneeds\tf\tp\tf()\t\t\t\n",)
    )
    parts = device_parts.parts_in(record)
    assert [made.copies for made in parts] == [2, 1]
    for made in parts:
        made.objects[CPU] = (b"", ())
    with pytest.raises(UsageError, match=r"^b\.c is linked 2 times, in objects that keep its symbols"):
        groups_of(parse(["a.o", "-o", "p"]), parts)
    assert groups_of(parse(["a.o", "-o", "p"]), parts[:1]) == []


def test_a_group_has_the_devices_of_all_its_parts() -> None:
    group = [part("a", "f", "g", (CPU, OLD, NEW)), part("b", "g", "", (NEW, CPU))]
    assert device_parts.devices_of(group) == [CPU, NEW]


def test_records_are_read_as_they_were_written() -> None:
    """The assembler makes the same of a unit's lines as this does."""
    unit = UnitPart(
        "m", 'a "b"\\c.c', ("f",), (Mention("g", "a b.c:1:2", "g(int)", "f(int)", INT),),
        (Mention("k", "a.c:1:1", "why"),), (), ("v w",), ("t",), (("t", "u"),), "__m__", True, (("f", INT),),
    )  # fmt: skip
    made = PartObject("nvptx", "sm_90", "a.o", ("ir", "contract"))
    text = f"module\tm\nsource\t{unit.source}\nhas\tf\n"
    text += "needs\tg\ta b.c:1:2\tg(int)\tf(int)\tinteger4(integer4)\tint (int)\n"
    text += "keeps\tk\ta.c:1:1\twhy\nstate\tv w\nasks\tt\nfinds\tt\tu\nkernels\t__m__\nteam\n"
    text += "called\tf\tinteger4(integer4)\tint (int)\n"
    framed = b""
    for lines, data in ((text, b""), ("module\tm\ndevice\tnvptx\tsm_90\tir\tcontract\n", b"\x7fELF")):
        framed += (
            b"\0" * 5 + MAGIC.encode() + struct.pack("<QQ", len(lines.encode()), len(data)) + lines.encode() + data
        )
    (facts, nothing), (device, data) = records(framed)
    assert (facts, nothing, data) == (unit, b"", b"\x7fELF")
    assert device.objects == (replace(made, file=""),)
    embedded = "\n".join(UnitPart("m", unit.source, unit.has, unit.needs, unit.keeps, (made,)).host_lines())
    assert r'REX_PART_LINE("source\\ta \\\"b\\\"\\\\c.c")' in embedded
    assert 'REX_DEVICE_PART("a.o",' in embedded


def test_what_cannot_be_linked_together_names_a_call() -> None:
    options = parse(["a.o", "-o", "p"])
    both = [part("a", "f", "g", (OLD,)), part("b", "g", "", (OLD, NEW)), part("c", "h", "g", (NEW,))]
    with pytest.raises(UsageError) as found:
        groups_of(options, both)
    assert str(found.value) == (
        "a.c:1:1: 'g()' is called in device code, but files that need each other are compiled for no device in common: "
        "a.c for sm_80, b.c for sm_80 and sm_90, c.c for sm_90"
    )
    weak = [part("a", "f", "g", (NEW,)), part("b", "g", "", (NEW,)), part("c", "g", "", (NEW,))]
    with pytest.raises(UsageError, match=r"'g' \(called at a\.c:1:1\) is defined for the device in b\.c and in c\.c"):
        groups_of(options, weak)
    unknown = [part("a", "f", "g", (("other", "x1"),)), part("b", "g", "", (("other", "x1"),))]
    with pytest.raises(UsageError, match=r"a\.c has device code for 'other', which this rexcc does not know"):
        groups_of(options, unknown)
