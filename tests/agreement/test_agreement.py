"""Our analysis and clang agree on what reaches each region and what each construct shares, program by program."""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

import pytest
from clang_maps import ignored_lines
from compare import CLANG, Report, compare_file, compare_sides
from verdicts import ABSENT, FIRSTPRIVATE, INDEX, POINTER, Side, mapped

import support
from generator.program import make_program, unit_text

TESTS = Path(__file__).parent.parent
SEED, SAMPLE = 779, 4
FOLDERS = ("agreement/sources", "execution/reported", "execution/programs")
NAMES = [f"{folder}/{path.name}" for folder in FOLDERS for path in sorted((TESTS / folder).iterdir())]
EVERY = 12
"""One in so many of the programs that are executed is always compared, another one each time that one is added."""


@functools.cache
def report_of(name: str) -> Report:
    return compare_file(str(TESTS / name), ())


needs_clang = pytest.mark.skipif(shutil.which(CLANG) is None, reason=f"no {CLANG}")


@needs_clang
@pytest.mark.parametrize("name", support.sampled(NAMES, EVERY, lambda name: name.startswith("execution/")))
def test_no_difference_is_unexplained(name: str) -> None:
    report = report_of(name)
    assert report.differences == []
    assert report.agreed or report.skipped, "nothing was compared"


@needs_clang
@pytest.mark.parametrize("name", ["attributes.c", "attributes.cpp"])
def test_nothing_of_the_sources_is_left_out(name: str) -> None:
    report = report_of(f"agreement/sources/{name}")
    assert not report.skipped
    assert report.constructs > 30


@needs_clang
def test_much_is_compared() -> None:
    total = Report()
    for name in ("data.c", "sharing.c", "classes.cpp", "inside_tasks.c"):
        total.add(report_of(f"execution/programs/{name}"))
    assert total.agreed > 80
    assert total.agreed > 0.9 * total.variables


@needs_clang
@pytest.mark.extended
@pytest.mark.parametrize("language", ["c", "c++"])
def test_generated_programs_agree(language: str, tmp_path: Path) -> None:
    blocks = [block for number in range(SAMPLE) for block in make_program(SEED, number, language)]
    file = tmp_path / ("t.c" if language == "c" else "t.cpp")
    file.write_text(unit_text(blocks))
    report = compare_file(str(file), ())
    assert report.differences == []
    assert report.agreed > 100 * SAMPLE


def differences(ours: Side, theirs: Side) -> list[str]:
    report = Report()
    compare_sides("t.c", [ours], [theirs], report)
    return report.differences


def test_each_sort_of_difference_is_seen() -> None:
    assert differences(Side(3, "f", {"a": FIRSTPRIVATE}), Side(3, "f", {"a": FIRSTPRIVATE})) == []
    assert differences(Side(3, "f", {"a": mapped(["to"])}), Side(3, "f", {"a": mapped(["tofrom"])})) == [
        "t.c:3: a: ours map(to), clang map(tofrom)"
    ]
    assert differences(Side(3, "f", {}), Side(3, "f", {"p": POINTER})) == [f"t.c:3: p: ours {ABSENT}, clang {POINTER}"]
    assert differences(Side(3, "f", {"x": "private"}), Side(3, "f", {})) == [f"t.c:3: x: ours private, clang {ABSENT}"]
    assert differences(Side(3, "f", {"x": "private"}, {"x": INDEX}), Side(3, "f", {})) == []


def test_directives_that_clang_reads_in_part_are_left_out() -> None:
    assert ignored_lines("t.c:7:20: warning: extra tokens at the end of '#pragma omp target' are ignored") == {7}
    report = Report()
    compare_sides("t.c", [Side(7, "f", {"x": FIRSTPRIVATE})], [Side(7, "f", {}, partial=True)], report)
    assert report.differences == []
    assert report.skipped.total() == 1


def test_map_types_of_several_items_are_taken_together() -> None:
    assert mapped(["to", "from"]) == mapped(["tofrom"]) == "map(tofrom)"
    assert mapped(["alloc", "always"]) == "map(always, alloc)"
