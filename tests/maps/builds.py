"""Both builds of a program of the table, and what each of them did under the recorder.

In: a program of ``programs/``. Out: its shapes as :mod:`records` has them. clang's own code may end a program; what
comes after is then run again without the shapes before.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import support
from maps.records import Shape, read_shapes
from rexcc.driver.tools import omp_runtimes, toolchain

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
NAMES = sorted(p.name for p in PROGRAMS.iterdir() if p.suffix in (".c", ".cpp"))
_CLANG_FLAGS = (
    "-w", "-O0", "-fopenmp", "-fopenmp-version=52", "-fopenmp-targets=x86_64-pc-linux-gnu", "-DSPELLED_OUT",
)  # fmt: skip


def clang_for(name: str) -> str:
    """Return the compiler whose arrays ours are compared with."""
    return "clang-19" if name.endswith(".c") else "clang++-19"


def missing() -> str:
    """Return what a comparison needs and this machine has not, empty where nothing is missing."""
    tools = [tool for tool in ("clang-19", "clang++-19", "g++") if shutil.which(tool) is None]
    if tools:
        return f"no {', '.join(tools)}"
    return "" if any(r.version == 19 for r in _runtimes()) else "no libomptarget of LLVM 19"


def _runtimes() -> list[toolchain.OpenMPRuntime]:
    return omp_runtimes.find_runtimes(toolchain.find_host_compiler(None), os.environ)


def build_recorder(folder: Path) -> Path:
    """Compile the recorder."""
    made = folder / "recorder.so"
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([*command, str(HERE / "recorder.cpp"), "-o", str(made), "-ldl"], check=True)
    return made


def our_shapes(name: str, folder: Path, recorder: Path) -> dict[str, Shape]:
    """Build a program with rexcc for the CPU device and return what its shapes did."""
    arguments = ("-w", "-O0", f"-I{PROGRAMS}", str(PROGRAMS / name), "-o", "ours", "-lm")
    assert support.rexcc(folder, *arguments) == 0, f"rexcc refuses {name}"
    shapes, ended = _run(folder / "ours", recorder, 0)
    assert not ended, f"{name}, built by rexcc, ends early: {list(shapes)[-1]}"
    return {shape: found.without_geometry() for shape, found in shapes.items()}


def clang_shapes(name: str, folder: Path, recorder: Path) -> dict[str, Shape]:
    """Build a program with clang for its host plugin and return what its shapes did."""
    libraries = next(r.folder for r in _runtimes() if r.version == 19)
    command = [clang_for(name), *_CLANG_FLAGS, str(PROGRAMS / name), "-o", "clang", "-lm", f"-Wl,-rpath,{libraries}"]
    command.append(support.QUICK_LINK)
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    shapes: dict[str, Shape] = {}
    ended = True
    while ended:
        found, ended = _run(folder / "clang", recorder, len(shapes))
        assert found, f"{name}, built by clang, does nothing"
        shapes |= found
    return shapes


def _run(program: Path, recorder: Path, first: int) -> tuple[dict[str, Shape], bool]:
    """Run a program from a shape on; return what its shapes did and whether the program ended before its last one.

    Somebody watches libomptarget's calls, so that ours makes all of them.
    """
    record = program.with_suffix(".record")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "REX_", "LIBOMPTARGET"))}
    wanted = {"OMP_TARGET_OFFLOAD": "MANDATORY", "MAPS_FIRST": str(first), "MAPS_RECORD": str(record)}
    wanted["LIBOMPTARGET_INFO"] = "0"
    done = subprocess.run(
        [str(program)],
        env=kept | wanted | {"LD_PRELOAD": str(recorder)},
        capture_output=True,
        text=True,
        timeout=support.PATIENCE,
        check=False,
    )
    return read_shapes(record.read_text().splitlines(), done.stdout.splitlines()), done.returncode != 0
