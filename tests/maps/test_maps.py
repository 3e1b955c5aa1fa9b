"""Every shape of mapping hands the runtime the entries that clang's code does, or the difference is explained; and in
our build the data has moved, and nothing stays mapped."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from maps.builds import NAMES, PROGRAMS, build_recorder, missing
from maps.records import Call, Entry, Shape, difference, read_shapes
from maps.table import DIFFERENCES, Difference, directives, read_differences, rows

needs_clang = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="session")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_recorder(tmp_path_factory.mktemp("recorder"))


@needs_clang
@pytest.mark.parametrize("name", support.sampled(NAMES, 3))
def test_the_entries_are_those_of_clang_or_the_difference_is_explained(
    name: str, tmp_path: Path, recorder: Path
) -> None:
    found = rows(name, tmp_path, recorder)
    assert [f"{r.shape}: {fault}" for r in found for fault in r.faults] == []
    assert [line for r in found if r.state == "!" for line in r.lines()] == []
    reasons, known = read_differences(DIFFERENCES.read_text())
    assert [r.shape for r in found if r.shape in known and r.state == "="] == [], "explained, but not different"
    assert {name for r in found for name in r.reasons} <= reasons.keys()


def test_there_are_enough_shapes_and_each_has_a_name_of_its_own() -> None:
    shapes = [s for name in NAMES for s in directives((PROGRAMS / name).read_text())]
    assert len(shapes) == len(set(shapes))
    assert len(shapes) >= 300


def test_every_explanation_is_of_a_shape_and_every_reason_is_used() -> None:
    shapes = {s for name in NAMES for s in directives((PROGRAMS / name).read_text())}
    reasons, known = read_differences(DIFFERENCES.read_text())
    assert known.keys() <= shapes
    assert {name for d in known.values() for name in d.reasons} == reasons.keys()


def test_entries_read_as_words() -> None:
    lines = ["shape\tone", "call\tbegin", "row\ts\ts+8\t16\t0", "row\ts+8\tx\t4\t1000000000013"]
    shape = read_shapes(lines, [])["one"]
    assert shape.lines() == ["begin: s, s+8, 16, NONE | s+8, x, 4, TO FROM PTR_AND_OBJ MEMBER_OF(0)"]


def test_faults_of_a_run_are_seen() -> None:
    lines = ["shape\tone", "leak\tx+0", "shape\ttwo", "shape\tthree"]
    shapes = read_shapes(lines, ["one: moved", "two: WRONG", "something else"])
    assert shapes["one"].faults == ["still mapped: x+0"]
    assert shapes["two"].faults == ["the data has not moved"]
    assert shapes["three"].faults == ["the program ends"]


def test_kernel_arguments_may_have_another_order_but_entries_of_data_calls_not() -> None:
    first, second = Entry("a", "a", 4, 0x21), Entry("b", "b", 4, 0x22)
    ordered, turned = [first, second], [second, first]
    assert difference(Shape([Call("kernel", ordered)]), Shape([Call("kernel", turned)])) == ((), ())
    mine, _ = difference(Shape([Call("begin", ordered)]), Shape([Call("begin", turned)]))
    assert mine == ("begin: a, a, 4, PARAM TO", "begin: b, b, 4, PARAM FROM")


def test_differences_are_those_lines_that_one_side_has() -> None:
    text = "[a] Because\n  of this.\n\none\n  why   a, b\n  ours  x | y\n  clang z\n"
    reasons, found = read_differences(text)
    assert reasons == {"a": "Because of this."}
    assert found == {"one": Difference(("a", "b"), ("x | y",), ("z",))}
