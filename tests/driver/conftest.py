"""What the driver's tests share: a machine that is made up, and files to compile."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import fake

from rexcc.driver.tools.toolchain import OpenMPRuntime, Toolchain
from rexcc.target.commands import HostCompiler
from rexcc.target.tools import Compiler


@pytest.fixture
def machine() -> Toolchain:
    """A machine with everything, none of which has to exist."""
    return Toolchain(
        host=HostCompiler("/bin/clang-19", "/bin/clang++-19", "clang"),
        runtime=OpenMPRuntime("/llvm/lib", "/llvm/lib/libomptarget.so", "/llvm/lib/libomp.so", 19),
        device=Compiler("/cuda/bin/nvcc", "PATH"),
        sources=Path("/rexcc"),
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program in two C files, as working directory, and a cache and a TMPDIR of its own."""
    work = tmp_path / "work"
    work.mkdir()
    for name, text in (("prog.c", fake.PROGRAM), ("kernel.c", fake.KERNEL), ("scale.h", fake.HEADER)):
        (work / name).write_text(text)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    return work
