"""Real build systems with rexcc as the compiler: make and CMake, C and C++, static and shared libraries."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import fake
import pytest

from rexcc import __version__

CMAKE_FILES = Path(__file__).resolve().parents[2] / "cmake"

MAKEFILE = """
CFLAGS = -O1 -MMD -MP
prog: prog.o kernel.o
\t$(CC) $(LDFLAGS) $^ -o $@ $(LDLIBS)
-include prog.d kernel.d
"""

CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(t C CXX)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)
include(CheckCCompilerFlag)
check_c_compiler_flag(-march=native HAVE_NATIVE)
check_c_compiler_flag(-fno-such-flag HAVE_NONSENSE)
if(NOT HAVE_NATIVE OR HAVE_NONSENSE)
  message(FATAL_ERROR "flags are not checked")
endif()
add_library(kern STATIC kernel.c)
add_library(more SHARED more.c hello.cpp)
target_compile_features(more PRIVATE cxx_std_17)
add_executable(prog prog.c)
target_link_libraries(prog kern more OpenMP::OpenMP_C Threads::Threads m)
"""

PARTLY = """
cmake_minimum_required(VERSION 3.21)
project(t C)
find_package(rexcc 0.1 REQUIRED)
add_library(kern STATIC kernel.c)
add_executable(prog prog.c)
target_link_libraries(prog kern)
add_executable(plain plain.c)
rexcc_offload(kern prog)
if(rexcc_WHOLE)
  message(STATUS "compiler: ${CMAKE_C_COMPILER}, type: ${CMAKE_BUILD_TYPE}")
endif()
"""

HELLO = """#include <string>
extern "C" const char *hello();
static const std::string text = "hello";
const char *hello() { return text.c_str(); }
"""


@pytest.fixture
def compiler(tmp_path: Path) -> str:
    """A command ``rexcc`` with the fake compiler, for the CPU device."""
    script = tmp_path / "rexcc"
    program = Path(__file__).with_name("fake_rexcc.py")
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {program} --target=host "$@"\n')
    script.chmod(0o755)
    return str(script)


def run(*argv: str, **environment: str) -> str:
    return subprocess.run(
        argv, env=os.environ | environment, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ).stdout


def test_make(project: Path, compiler: str):
    Path("Makefile").write_text(MAKEFILE)
    run("make", "-j2", f"CC={compiler}")
    assert run("./prog") == "2 198\n"
    assert "up to date" in run("make", f"CC={compiler}")
    Path("scale.h").write_text(fake.HEADER + "\n")
    assert run("make", f"CC={compiler}").count(" -c ") == 2


@pytest.mark.skipif(not shutil.which("cmake"), reason="no cmake")
def test_cmake(project: Path, compiler: str):
    Path("CMakeLists.txt").write_text(CMAKE)
    Path("more.c").write_text(fake.KERNEL.replace("void scale", "void scale2"))
    Path("hello.cpp").write_text(HELLO)
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    log = run("cmake", *generator, "-S", ".", "-B", "build", CC=compiler, CXX=compiler)
    assert "C compiler identification is Clang" in log or "C compiler identification is GNU" in log
    run("cmake", "--build", "build", "--parallel", "2")
    assert run("build/prog") == "2 198\n"
    assert "build/libmore.so" in run("sh", "-c", "ls build/*.so")


@pytest.fixture
def packaged(tmp_path: Path, compiler: str) -> Path:
    """An installation with the fake compiler: ``bin``, and ``share`` as the wheel has it."""
    prefix = tmp_path / "prefix"
    (prefix / "bin").mkdir(parents=True)
    shutil.copy(compiler, prefix / "bin" / "rexcc")
    shutil.copytree(CMAKE_FILES, prefix / "share/cmake/rexcc")
    return prefix


def rules_of(target: str) -> str:
    """The commands of a target in makefiles of CMake's."""
    folder = Path(f"build/CMakeFiles/{target}.dir")
    return (folder / "build.make").read_text() + (folder / "link.txt").read_text()


@pytest.mark.skipif(not shutil.which("cmake"), reason="no cmake")
def test_cmake_package(project: Path, packaged: Path):
    """Some targets are rexcc's in a project of another compiler, and a preset makes it the compiler of the project."""
    Path("CMakeLists.txt").write_text(PARTLY)
    Path("plain.c").write_text("int main(void) { return 0; }\n")
    share = packaged / "share/cmake/rexcc"
    Path("CMakePresets.json").write_text(f'{{"version": 4, "include": ["{share}/presets.json"]}}')
    path = f"{packaged}/bin:{os.environ['PATH']}"  # find_package looks beside the folders of PATH
    run("cmake", "-S", ".", "-B", "build", "-G", "Unix Makefiles", CC="gcc", PATH=path)
    rules = {target: rules_of(target) for target in ("kern", "prog", "plain")}
    through_rexcc = re.compile(rf"{re.escape(str(packaged / 'bin/rexcc'))} --host-compiler \S*/gcc .*")
    assert [len(through_rexcc.findall(text)) for text in rules.values()] == [1, 2, 0]  # ar makes the library
    assert re.search(r"^\S*/gcc CMakeFiles/plain.dir/plain.c.o -o plain", rules["plain"], re.MULTILINE)
    told = run("cmake", "--preset", "rexcc-cpu", "-Drexcc_WHOLE=1", PATH=path)
    assert f"compiler: {packaged}/bin/rexcc, type: RelWithDebInfo" in told
    assert "CMAKE_C_FLAGS:STRING=--target=host" in Path("build/rexcc-cpu/CMakeCache.txt").read_text()
    (packaged / "bin/rexcc").unlink()
    without = os.pathsep.join(folder for folder in os.get_exec_path() if not Path(folder, "rexcc").exists())
    command, environment = ["cmake", "--preset", "rexcc", "--fresh"], {**os.environ, "PATH": without}
    failed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert failed.returncode and "the command rexcc is neither beside" in failed.stderr


def test_versions_agree():
    """Those of the Python package, of its metadata, and of the package for CMake."""
    said = [
        re.search(r'^version = "(.*)"', (CMAKE_FILES.parent / "pyproject.toml").read_text(), re.MULTILINE),
        re.search(r'PACKAGE_VERSION "(.*)"', (CMAKE_FILES / "rexccConfigVersion.cmake").read_text()),
    ]
    assert [found and found[1] for found in said] == [__version__] * 2
