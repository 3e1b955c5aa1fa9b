"""Paths in line tables of kernels: mapped as clang and gcc map them, by rexcc and by the shell alike."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rexcc.target.commands import Around, CommandLine, HostCompiler, Job
from rexcc.target.nvptx import NVPTX
from rexcc.target.nvptx_image import OldHeader
from rexcc.target.nvptx_paths import MappedPaths, path_maps, without_hashes

PTX = b"""\t.file\t1 "/tmp/made+1/rex_lib_t.cu"
\t.file\t2 "/home/u/t.c"
\t.file\t3 "/home/u|x/t.c"
\t.file\t4 "/usr/include/math.h"
// "/home/u/t.c"
"""
MAPPED = b"""\t.file\t1 "rex_lib_t.cu", 1, 1
\t.file\t2 "/b/t.c", 1, 1
\t.file\t3 "&1/t.c", 1, 1
\t.file\t4 "/usr/include/math.h", 1, 1
// "/home/u/t.c"
"""
WORDS = (
    "-O2",
    "-ffile-prefix-map=/home/u=/b",
    "-fdebug-prefix-map=/home/u|x=&1",
    "-ffile-prefix-map=/tmp/made+1/=",
    "-fmacro-prefix-map=/usr=/x",
)
TOOLS = NVPTX.tools
HERE = Around("nvcc", HostCompiler("cc", "c++", "gcc"), "/include", 19)


def test_the_last_map_that_fits_counts(tmp_path: Path) -> None:
    maps = path_maps(WORDS)
    assert maps == (("/tmp/made+1/", ""), ("/home/u|x", "&1"), ("/home/u", "/b"))
    finish = MappedPaths(maps)
    assert finish.applied(PTX) == MAPPED
    path = tmp_path / "a b.ptx"
    path.write_bytes(PTX)
    for command in finish.shell(f"'{path}'"):
        subprocess.run(["sh", "-c", command], check=True)
    assert path.read_bytes() == MAPPED


def test_hashes_of_paths_go(tmp_path: Path) -> None:
    data = b"\x7f\xff_ZN43_INTERNAL_5609d1b4_12_rex_lib_t_cu_4fa263ff1fE\0_INTERNAL_12_"
    wanted = data.replace(b"5609d1b4", b"00000000")
    finish = without_hashes(None)
    assert finish.applied(data) == wanted
    path = tmp_path / "a.cubin"
    path.write_bytes(data)
    for command in finish.shell(str(path)):
        subprocess.run(["sh", "-c", command], check=True)
    assert path.read_bytes() == wanted
    assert without_hashes(OldHeader("sm_90")).shell("a")[1:] == OldHeader("sm_90").shell("a")


@pytest.mark.parametrize(
    ("words", "debug", "steps"),
    [(WORDS, True, ["a.cu", "out/a.ptx"]), (WORDS, False, ["a.cu"]), (("-O2",), True, ["a.cu", "out/a.ptx"])],
)
def test_only_line_tables_take_a_way_of_their_own(words: tuple[str, ...], debug: bool, steps: list[str]) -> None:
    made = TOOLS.image(Job("a.cu", "out/a.cubin", "sm_90"), CommandLine(own=words, debug=debug), HERE)
    assert [step.source for step in made] == steps and made[-1].output == "out/a.cubin"
    assert ["-ptx" in step.argv for step in made] == [True, False][-len(made) :]
    assert all("-arch=sm_90" in step.argv for step in made)
