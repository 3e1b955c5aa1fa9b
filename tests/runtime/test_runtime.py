"""The runtime helpers, built and run the way a user would do it by hand.

The programs in ``programs/`` have the shape of generated code. They run on the CPU device, through libomptarget's host
plugin: real registration, real mapping, real launches. A make-believe ``libcuda.so.1`` stands in for machines with a
GPU that does not fit.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
RUNTIME = HERE.parents[1] / "src" / "rexcc" / "runtime"
INCLUDE = f"-I{RUNTIME / 'include'}"
LLVM_LIBRARIES = Path("/usr/lib/llvm-19/lib")
LIBRARIES = (f"-L{LLVM_LIBRARIES}", f"-Wl,-rpath,{LLVM_LIBRARIES}", "-lomp", "-lomptarget", "-lstdc++", "-lm")

pytestmark = pytest.mark.skipif(
    not (LLVM_LIBRARIES / "libomptarget.so").exists(), reason=f"no libomptarget in {LLVM_LIBRARIES}"
)

Done = subprocess.CompletedProcess[str]


def call(*command: str | Path, folder: Path, status: int = 0, **environment: str) -> Done:
    """Run a command in a folder and insist on its exit status."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("REX_", "OMP_", "LIBOMPTARGET"))}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=plain | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == status, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def tool(name: str) -> str:
    """Return a compiler, or skip the test with a reason."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    return name


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("runtime"))


class Workshop:
    """A folder with what several tests link."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cache  # noqa: B019 - one workshop lives as long as the module's tests
    def registration(self) -> Path:
        """Compile register_cubin.cpp."""
        target = self.folder / "register_cubin.o"
        source = RUNTIME / "src" / "register_cubin.cpp"
        call("g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-c", source, INCLUDE, "-o", target, folder=self.folder)
        return target
