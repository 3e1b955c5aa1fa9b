"""CUPTI, where the CUDA installation has it: the library that records what the GPU does.

In: nvcc's installation. Out: ``libgpu_activity.so`` in a folder, or the reason why GPU time will not be measured.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rexcc.bench.building import first_error
from rexcc.bench.variants import cuda_folder
from rexcc.driver.tools.toolchain import RUNTIME_SOURCES
from rexcc.target.tools import Compiler

LIBRARY = "libgpu_activity.so"
_INCLUDES = ("include", "extras/CUPTI/include", "targets/x86_64-linux/include")
_LIBRARIES = ("lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib")
_COMPILERS = ("g++", "clang++-19", "clang++")


@dataclass(frozen=True)
class Cupti:
    """Where CUPTI's headers are, and its library."""

    includes: tuple[Path, ...]
    library: Path


def find_cupti(cuda: Compiler) -> Cupti | None:
    """Return the CUPTI of an nvcc's installation."""
    root = Path(cuda_folder(cuda))
    includes = tuple(root / name for name in _INCLUDES if (root / name).is_dir())
    libraries = [file for name in _LIBRARIES for file in sorted((root / name).glob("libcupti.so*"))]
    if not libraries or not any((folder / "cupti.h").is_file() for folder in includes):
        return None
    return Cupti(includes, libraries[0])


def build_library(cuda: Compiler | None, folder: Path, carried: bool) -> tuple[Path | None, str]:
    """Return the library, or None and why; ``carried`` puts CUPTI's own library beside it."""
    found = find_cupti(cuda) if cuda else None
    if not found:
        return None, "no CUPTI (headers and library of the CUDA toolkit) found when the programs were built"
    compiler = next((path for path in map(shutil.which, _COMPILERS) if path), None)
    if not compiler:
        return None, "no C++ compiler for CUPTI's recorder"
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / LIBRARY
    problem = _compiled(compiler, found, output)
    if problem:
        return None, f"the recorder for CUPTI does not build: {problem}"
    if carried:
        own = found.library.resolve()
        shutil.copy(own, folder / _soname(own))
    return output, ""


def _soname(library: Path) -> str:
    """Return the name that programs look for, of those that the installation's folder has for the library."""
    names = [file.name for file in library.parent.glob("libcupti.so.*") if file.resolve() == library]
    return min(names, key=len, default=library.name)


def _compiled(compiler: str, cupti: Cupti, output: Path) -> str:
    argv = (
        compiler,
        "-O2",
        "-std=c++17",
        "-shared",
        "-fPIC",
        *(f"-I{folder}" for folder in cupti.includes),
        str(RUNTIME_SOURCES / "src" / "gpu_activity.cpp"),
        "-o",
        str(output),
        str(cupti.library),
        f"-Wl,-rpath,$ORIGIN:{cupti.library.parent}",
    )
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return first_error(done.stderr, done.returncode) if done.returncode else ""
