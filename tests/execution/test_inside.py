"""Constructs inside regions: what clang cannot do in the host version, and that nvcc takes it all."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import support
from support import Bench

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
WITH_GCC = [*sorted((HERE / "with_gcc").iterdir()), PROGRAMS / "compiler_macros.c"]
INSIDE = [
    *sorted(PROGRAMS.glob("inside_*")),
    *sorted(PROGRAMS.glob("between_*")),
    *sorted(PROGRAMS.glob("last_*")),
    *WITH_GCC,
]
INCLUDE = Path(support.__file__).parents[1] / "src" / "rexcc" / "runtime" / "include"


@pytest.mark.parametrize("path", WITH_GCC, ids=lambda p: p.name)
def test_device_host_version_and_plain_execution_agree(bench: Bench, path: Path) -> None:
    support.require_runtime()
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    files = {path.name: path.read_text()}
    expected = bench.plain(files)
    program = bench.build(files, "-w", "--host-compiler=gcc")
    assert support.on_device(program).splitlines() == expected.splitlines()
    assert support.on_host(program).splitlines() == expected.splitlines()


@pytest.mark.parametrize("language", support.sampled(["c++", "c"], 2))
def test_nvcc_compiles_the_kernels(bench: Bench, language: str) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    programs = [path for path in INSIDE if support.language_of(path.name) == language]
    texts = support.side_by_side(support.compiled(path.read_text(), path.name).device for path in programs)
    files = {f"kernels{number}.cu": text for number, text in enumerate(texts)}
    own = ("-std=c++17", *support.NVCC_QUICKLY, "--expt-relaxed-constexpr", "-I", str(INCLUDE), "-w")
    command = [nvcc, "-arch=sm_90", *own, "-ptx", *files]
    done = subprocess.run(command, cwd=bench.place(files), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
