"""``--emit=src``: sources and a makefile that work without rexcc."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import fake
import pytest

import support
from rexcc.driver.main import main
from rexcc.driver.tools import toolchain
from rexcc.target.known import DEFAULT


def emit(*arguments: str) -> str:
    assert main(["--emit=src", "-o", "out", *arguments], fake.FakeCompiler()) == 0
    return Path("out/Makefile").read_text()


def make(*arguments: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    if arguments in ((), ("NVCC=no-such-nvcc",)):  # the whole program
        support.place_helper(Path("out"), environment)
    return subprocess.check_output(["make", "-C", "out", "-s", *arguments], env=environment, text=True)


def test_cpu_device_only(project: Path):
    text = emit("-O2", "-I.", "--target=host", "prog.c", "kernel.c", "-lm")
    assert "NVCC" not in text
    assert "-I.." in text
    assert str(project) not in text
    make()
    assert subprocess.check_output(["out/prog"], text=True) == "2 198\n"
    make("clean")
    assert not Path("out/prog").exists()


@pytest.mark.skipif(not toolchain.find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
def test_the_gpu_image_is_empty_where_there_is_no_nvcc(project: Path):
    emit("prog.c", "kernel.c", "--offload-arch=sm_90")
    image = Path("out/rex_lib_kernel.sm_90.cubin")
    make(image.name)
    assert image.read_bytes()[7:9] == b"\x33\x07"
    image.unlink()
    make("NVCC=no-such-nvcc")
    assert image.read_bytes() == b""
    assert subprocess.check_output(["out/prog"], text=True) == "2 198\n"


def test_a_file_without_main_makes_objects(project: Path):
    text = emit("--target=host", "kernel.c")
    assert "all: rose_kernel.o register_cubin.o" in text
    assert "-c rose_kernel.c -o rose_kernel.o" in make("-n")


def test_a_shared_library(project: Path):
    emit("--target=host", "-shared", "-fPIC", "kernel.c")
    assert "-shared -fPIC rose_kernel.o register_cubin.o" in make("-n")


def test_only_the_helpers_that_are_needed(project: Path):
    emit("--target=host", "prog.c", "kernel.c")
    made = {path.name for path in Path("out").iterdir()}
    assert made == {"Makefile", "rex_runtime", "rose_kernel.c", "rex_lib_kernel.cu", "rex_host_kernel.cpp"}
    names = {path.name for path in Path("out/rex_runtime").iterdir()}
    assert {"rex_kmp.h", "rex_host_device.h", "register_cubin.cpp", "omp.h"} <= names
    assert "xomp_cuda_lib_inlined.cu" not in names


def test_headers_that_an_older_version_left_are_not_included(project: Path):
    first, _, rest = emit("--target=host", "prog.c", "kernel.c").partition("\n")
    older, own = Path("out/rex_kmp.h"), Path("out/own.h")
    own.write_text("")
    older.write_text("#error this is another version's\n")
    emit("--target=host", "prog.c", "kernel.c")
    assert older.exists()  # that makefile has its headers elsewhere: this one is the user's
    Path("out/Makefile").write_text(f"{first}\n{rest.replace('rex_runtime', '.').replace('./', '')}")
    emit("--target=host", "prog.c", "kernel.c")
    assert own.exists()
    assert not older.exists()


def test_absolute_inputs(project: Path):
    emit("--target=host", str(project / "prog.c"), str(project / "kernel.c"))
    shutil.move("out", "moved")
    Path("moved").rename("out")
    assert f"-c {project}/prog.c" in make("-n").replace("../", f"{project}/")
