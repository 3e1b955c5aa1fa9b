"""Programs in standards of which compilers know only a part: the host compiler's own libclang reads them.

Each runs as a command of its own, because a process loads one libclang.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import support
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.parser import parse
from rexcc.driver.tools import toolchain
from rexcc.driver.tools.libclang import needed_library
from rexcc.target.commands import HostCompiler
from support import Bench

STANDARDS = Path(__file__).parent / "standards"
CLANG = "clang-19"
LIBRARY = Path("/usr/lib/llvm-19/lib/libclang-19.so.1")

needs_libclang = pytest.mark.skipif(not LIBRARY.exists() or shutil.which(CLANG) is None, reason="no libclang 19")


def rexcc(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rexcc", f"--host-compiler={CLANG}", "-w", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@needs_libclang
@pytest.mark.parametrize(
    "name, standard",
    [
        ("cxx20.cpp", "-std=c++20"),
        ("needed_constants.cpp", "-std=c++20"),
        ("constructs_in_initialisers.cpp", "-std=c++20"),
        *support.sampled([("cxx23.cpp", "-std=c++23"), ("c23.c", "-std=c23"), ("cxx23.cpp", "-std=c++26")], 3),
    ],
)
def test_device_host_version_and_plain_execution_agree(runtime: None, tmp_path: Path, name: str, standard: str) -> None:
    compiler = CLANG if name.endswith(".c") else CLANG.replace("clang", "clang++")
    plain = tmp_path / "plain"
    subprocess.run([compiler, standard, "-w", str(STANDARDS / name), "-o", str(plain)], check=True)
    expected = subprocess.run([str(plain)], capture_output=True, text=True, check=True).stdout
    program = tmp_path / "program"
    done = rexcc(standard, "--target=host", str(STANDARDS / name), "-o", str(program), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert support.on_device(program) == expected
    assert support.on_host(program) == expected


SUBSCRIPTS = """struct Grid { int of[4]; int operator[](int i, int j) const { return of[2 * i + j]; } };
int main() {
  Grid grid{{1, 2, 3, 4}};
  int sum = 0;
#pragma omp target map(tofrom: sum)
  sum = grid[1, 0];
  return sum - 3;
}
"""


@needs_libclang
def test_nvcc_compiles_what_it_knows_and_the_error_says_what_it_does_not(tmp_path: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("no nvcc")
    for_gpu = ("--target=nvptx", "--offload-arch=sm_90", "-c")
    done = rexcc("-std=c23", *for_gpu, str(STANDARDS / "c23.c"), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "subscripts.cpp").write_text(SUBSCRIPTS)
    done = rexcc("-std=c++23", *for_gpu, "subscripts.cpp", folder=tmp_path)
    assert done.returncode == 1
    assert "nvcc knows C++20 at most, and the program is in C++23" in done.stderr


def options(*arguments: str) -> Options:
    return parse([*arguments, "-o", "p"])


@needs_libclang
def test_the_hosts_libclang_reads_only_what_the_pinned_one_does_not_know() -> None:
    host = toolchain.find_host_compiler(CLANG)
    needed = {
        words: needed_library(options(*words.split()), host) is not None
        for words in ("a.c", "-std=c17 a.c", "-std=c23 a.c", "-std=gnu2x a.c", "-std=c++23 a.cpp", "-std=c++26 a.cpp",
                      "-std=c23 a.cpp")
    }  # fmt: skip
    assert [words for words, is_needed in needed.items() if is_needed] == [
        "-std=c23 a.c", "-std=gnu2x a.c", "-std=c++26 a.cpp"
    ]  # fmt: skip
    assert needed_library(options("-std=c23", "a.c"), HostCompiler("gcc", "g++", "gcc")) is None


@pytest.mark.parametrize("compiler", [CLANG, "gcc"])
@pytest.mark.parametrize("standard", support.sampled(["c++98", "gnu++03"], 2))
def test_programs_of_the_first_standard(bench: Bench, compiler: str, standard: str) -> None:
    """What generated files include is of that standard too, for compilers that insist."""
    support.require_runtime()
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    folder = bench.place({"prog.cpp": (STANDARDS / "cxx98.cpp").read_text()})
    words = (f"--host-compiler={compiler}", f"-std={standard}", "-pedantic-errors", "-Wall", "-Werror")
    assert support.rexcc(folder, *words, "prog.cpp", "-o", "program") == 0
    assert support.on_device(folder / "program") == support.on_host(folder / "program") == "15 20\n3\n23\n"
