"""Programs with the other version of LLVM's runtime that is known best: some of each subject, the same output."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import support
from rexcc.driver.tools import omp_runtimes, toolchain
from rexcc.target.llvm_abi import NEWEST
from support import Bench

HERE = Path(__file__).parent
NAMES = [
    "allocators.c",
    "array_shaping.c",
    "attached_globals.c",
    "batches.c",
    "data.c",
    "device_pointers.c",
    "link_variables.c",
    "memory_routines.c",
    "present_parts_of_classes.cpp",
    "reduce_all_teams.c",
    "strided_updates.c",
    "target_tasks.c",
    "unified_memory.c",
    "virtual_classes.cpp",
]
EVERY = 10
"""One of so many programs is always run."""
MAPPERS = ["members.c", "class_templates.cpp"]
CLASHING = """
#include <stdio.h>
void twice(int *p);
int main(void) {
  int a = 3;
#pragma omp target map(tofrom: a)
  a++;
  twice(&a);
  printf("%d\\n", a);
  return 0;
}
"""
TWICE = """
void twice(int *p) {
#pragma omp target map(tofrom: p[0:1])
  p[0] *= 2;
}
"""

pytestmark = pytest.mark.usefixtures("runtime")


@pytest.fixture(scope="module")
def newest() -> str:
    """The option that chooses the newest known version; skip where it is not here."""
    found = omp_runtimes.find_runtimes(toolchain.find_host_compiler(None), os.environ)
    if not any(runtime.version == NEWEST for runtime in found):
        pytest.skip(f"no OpenMP runtime of LLVM {NEWEST}")
    return f"--omp-runtime={NEWEST}"


@pytest.mark.parametrize("name", support.sampled(NAMES, EVERY))
def test_programs_run_the_same_with_the_newest_version(bench: Bench, newest: str, name: str) -> None:
    files = {name: (HERE / "programs" / name).read_bytes().decode()}
    program = bench.build(files, "-w", newest)
    expected = bench.plain(files).splitlines()
    assert f"libomptarget.so.{NEWEST}" in libraries(program)
    assert support.on_device(program).splitlines() == expected
    assert support.on_host(program).splitlines() == expected


@pytest.mark.parametrize("name", support.sampled(MAPPERS, len(MAPPERS)))
def test_mappers_run_the_same_with_the_newest_version(bench: Bench, newest: str, name: str) -> None:
    """Plain execution maps nothing; the version that all other tests have is what is compared with."""
    files = {file: (HERE / "mappers" / file).read_text() for file in (name, "checks.h")}
    assert support.on_device(bench.build(files, "-w", newest)) == support.on_device(bench.build(files, "-w"))


def test_a_generated_makefile_names_the_folders_of_both_libraries(bench: Bench, newest: str) -> None:
    folder = bench.place({"clash.c": CLASHING, "twice.c": TWICE})
    assert support.rexcc(folder, newest, "--emit=src", "clash.c", "twice.c", "-o", "out") == 0
    support.place_helper(folder / "out")
    subprocess.run(["make", "-s"], cwd=folder / "out", check=True)
    program = folder / "out" / "clash"
    assert f"libomptarget.so.{NEWEST}" in libraries(program)
    assert support.on_device(program) == "8\n"


def test_files_for_different_versions_are_refused_when_they_run(bench: Bench, newest: str) -> None:
    folder = bench.place({"clash.c": CLASHING, "twice.c": TWICE})
    assert support.rexcc(folder, newest, "-c", "twice.c") == 0
    assert support.rexcc(folder, "--omp-runtime=19", "clash.c", "twice.o", "-o", "program") == 0
    done = subprocess.run([folder / "program"], capture_output=True, text=True, check=False)
    assert "twice.c and register_cubin.cpp were compiled with different values of REX_LLVM_VERSION" in done.stderr


def test_regions_of_a_clang_for_another_version_are_refused_at_the_link(
    bench: Bench, newest: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """clang lists them in rows that the newest version does not read."""
    folder = bench.place({"clash.c": CLASHING, "twice.c": TWICE})
    if shutil.which("clang-19") is None or shutil.which("clang-offload-packager-19") is None:
        pytest.skip("no clang-19 that offloads by itself")
    native = ("clang-19", "-w", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-c", "twice.c", "-o", "twice.o")
    subprocess.run(native, cwd=folder, check=True, capture_output=True)
    line = ("--host-compiler=clang-19", "clash.c", "twice.o", "-o", "program")
    assert support.rexcc(folder, "--omp-runtime=19", *line) == 0
    assert support.on_device(folder / "program") == "8\n"
    capfd.readouterr()
    assert support.rexcc(folder, newest, *line) == 2
    told = f"target regions of a clang for LLVM 19's runtime cannot be linked with LLVM {NEWEST}'s"
    assert told in capfd.readouterr().err
    assert not (folder / "program").exists()


def libraries(program: Path) -> str:
    """Return what the dynamic loader loads for a program."""
    return subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
