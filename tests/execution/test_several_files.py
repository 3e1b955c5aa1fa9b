"""Programs of several files, whose device code calls each other's: each is built, linked in its way, and run."""

from __future__ import annotations

import os
import re
import shutil

import pytest

import several_files
import support
from rexcc.driver.tools.toolchain import find_compiler
from rexcc.target.known import DEFAULT
from several_files import Program
from support import Bench

pytestmark = pytest.mark.usefixtures("runtime")

FOR_GPUS = ("virtual_elsewhere", "library_offers")
"""Programs whose links do something else for a GPU."""
PROGRAMS = [several_files.read(path) for path in sorted(several_files.FOLDER.glob("*.txt"))]


@pytest.mark.parametrize("program", support.sampled(PROGRAMS, 8), ids=lambda program: program.name)
def test_the_program(program: Program, bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    for tool in program.keys.get("needs", ()):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool}")
    folder = bench.place(program.files)
    done = several_files.build(
        program, folder, support.rexcc, ("--target=host", "-O0", support.QUICK_LINK, *support.QUICK_LINKER)
    )
    said = capfd.readouterr().err
    assert done == (not program.errors), said
    for pattern in program.errors:
        assert re.search(pattern, said), said
    for name in () if program.errors else program.programs:
        assert support.on_host(folder / name) == program.want
        assert support.on_device(folder / name) == program.want


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
@pytest.mark.parametrize("name", support.sampled(FOR_GPUS, 2))
def test_the_program_can_be_linked_for_a_gpu(name: str, bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    program = next(program for program in PROGRAMS if program.name == name)
    folder = bench.place(program.files)
    flags = ("--target=nvptx", "--offload-arch=sm_90", "-O0")
    capfd.readouterr()
    assert several_files.build(program, folder, lambda place, *words: support.rexcc(place, *flags, *words), flags)
    assert capfd.readouterr().err == ""
    assert support.on_host(folder / "program") == program.want
