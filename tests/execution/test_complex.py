"""Kernels with complex types of C, which nvcc does not have, and the class that stands for them there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import support
from support import Bench

INCLUDE = Path(support.__file__).parents[1] / "src" / "rexcc" / "runtime" / "include"
PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("name", ["complex_types.c", "generic_complex.c", "values_of_one_thread.c"])
def test_nvcc_compiles_the_kernels(bench: Bench, name: str) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    files = {"kernels.cu": support.compiled((PROGRAMS / name).read_text(), name).device}
    own = ("-std=c++17", *support.NVCC_QUICKLY, "--expt-relaxed-constexpr", "-I", str(INCLUDE), "-w")
    command = [nvcc, "-arch=sm_90", *own, "-ptx", *files]
    done = subprocess.run(command, cwd=bench.place(files), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
