"""Real build systems with rexcc as the compiler: make and CMake, C and C++, static and shared libraries."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import fake
import pytest

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
find_package(OpenMP REQUIRED)
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
