"""Programs whose heap a GPU shares: by option, or because their files require unified shared memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.driver import device_parts, flags, shared_heap
from rexcc.driver.options import parse
from rexcc.driver.plan import Command, Stage
from rexcc.driver.toolchain import ARCHIVES, Toolchain
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
        assert made.translation.requires_shared_memory and made.host.count("\nREX_REQUIRES_SHARED_MEMORY\n") == 1
    plain = compiled(region)
    assert not plain.translation.requires_shared_memory and "SHARED_MEMORY" not in plain.host
