"""Programs whose heap a GPU shares: by option, or because their files require unified shared memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from rexcc.driver.commands import flags
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.link import device_parts, shared_heap
from rexcc.driver.options.parser import parse
from rexcc.driver.tools.toolchain import ARCHIVES, Toolchain
from rexcc.target.commands import HostCompiler
from support import compiled

TOOLS = Toolchain(HostCompiler("/usr/bin/gcc", "/usr/bin/g++", "gcc"), None, None)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("a.c", ["librexcc.a"]),
        ("--memory=managed a.c", ["librexmanaged.a", "librexcc.a"]),
        ("--memory=pinned a.o", ["librexpinned.a", "librexcc.a"]),
        ("--memory=managed -shared a.c", ["librexcc.a"]),
    ],
)
def test_a_program_is_linked_with_the_heap_that_it_asks_for(line: str, names: list[str]) -> None:
    """A shared library has the program's."""
    assert list(flags.archives(parse(line.split()))) == names
    assert list(flags.heap_archives(parse(line.split()))) == names[:-1]


def test_heaps_are_one_source() -> None:
    heaps = {name for name, source in ARCHIVES.items() if source.startswith("memory/")}
    assert heaps == {"librexmanaged.a", "librexpinned.a", "librexrequired.a"}
    assert len({flags.archive_flags(name) for name in heaps}) == len(heaps)
    assert not flags.archive_flags("librexcc.a")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("a.c", True),
        ("a.o -o program", True),
        ("--memory=pinned a.c", False),
        ("-shared a.c", False),
        ("-fsanitize=address,undefined a.c", False),
        ("-fsanitize=undefined a.c", True),
        ("--check a.c", False),
    ],
)
def test_what_requires_shared_memory_is_linked_again(
    line: str, wanted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it has another heap."""
    output = tmp_path / "program"
    output.touch()
    monkeypatch.setattr(device_parts, "section_of", lambda path, name: b"\1" if name == shared_heap.SECTION else b"")
    assert shared_heap.is_wanted(parse(line.split()), str(output)) == wanted
    monkeypatch.setattr(device_parts, "section_of", lambda path, name: b"")
    assert not shared_heap.is_wanted(parse(line.split()), str(output))


def test_the_second_link_has_the_heap_in_front_of_the_runtime() -> None:
    link = Command(Stage.LINK, ("gcc", "a.o", "/cache/librexcc.a", "-lm", "-o", "a.out"), ("a.o",), "a.out")
    *made, again = shared_heap.commands(parse(["a.c"]), TOOLS, link, "folder")
    heap = "folder/librexrequired.a"
    assert again.argv == ("gcc", "a.o", *flags.HEAP_WORDS, heap, "/cache/librexcc.a", "-lm", "-o", "a.out")
    assert again.inputs == ("a.o", heap) and [command.stage for command in made] == [Stage.HELPER] * 2
    assert "-DREX_MEMORY_FOR_REQUIRED=1" in made[0].argv


def test_files_that_require_shared_memory_say_so() -> None:
    """Nothing else is in the objects of other files."""
    region = "int x;\nvoid f(void) {\n#pragma omp target map(x)\n  x = 1;\n}\n"
    for clause in ("unified_shared_memory", "self_maps"):
        made = compiled(f"#pragma omp requires {clause}\n{region}")
        assert made.translation.wants_shared_heap and made.host.count("\nREX_WANTS_SHARED_HEAP\n") == 1
    plain = compiled(region)
    assert not plain.translation.wants_shared_heap and "SHARED" not in plain.host


@pytest.mark.builds
def test_objects_of_earlier_commands_bring_the_heap(tmp_path: Path) -> None:
    """Which is the C library's without a GPU. A program of other objects has none."""
    support.require_runtime()
    region = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n#pragma omp target\n"
    region += '  p[0] = 7;\n  printf("%d\\n", p[0]);\n  free(p);\n}\n'
    (tmp_path / "a.c").write_text("#pragma omp requires unified_shared_memory\n" + region)
    assert support.rexcc(tmp_path, "--target=host", "-c", "a.c") == 0
    assert support.rexcc(tmp_path, "a.o", "-o", "a") == 0
    assert b"rex_program_memory_for\0" in (tmp_path / "a").read_bytes()
    assert device_parts.section_of(tmp_path / "a", shared_heap.SECTION) == b"\1"
    assert support.run(tmp_path / "a") == "7\n"
