"""Debian's MPIs: their wrappers start rexcc, their launchers start ranks.

In: the name of an MPI, ``openmpi`` or ``mpich``. Out: programs, and what their ranks print.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import support

NAMES = ("openmpi", "mpich")
_VARIABLES = {"openmpi": "OMPI", "mpich": "MPICH"}
_AS_ROOT = ("--allow-run-as-root", "--oversubscribe")


def require(name: str) -> None:
    """Skip where an MPI is not installed."""
    if shutil.which(f"mpicc.{name}") is None or shutil.which(f"mpirun.{name}") is None:
        pytest.skip(f"no {name}")


def with_rexcc(folder: Path) -> dict[str, str]:
    """Put a ``rexcc`` that compiles for the CPU device into a folder, and return the environment with that command."""
    text = f'#!/bin/sh\nexec "{sys.executable}" -m rexcc --target=host -O0 "$@" {support.QUICK_LINK}\n'
    (folder / "rexcc").write_text(text)
    (folder / "rexcc").chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def build(name: str, folder: Path, environment: dict[str, str], *arguments: str) -> None:
    """Run the wrapper of an MPI, for C or, where a source is of that, for C++."""
    is_cxx = any(argument.endswith(".cpp") for argument in arguments)
    variable = f"{_VARIABLES[name]}_{'CXX' if is_cxx else 'CC'}"
    command = [f"mpi{'cxx' if is_cxx else 'cc'}.{name}", *arguments]
    subprocess.run(command, cwd=folder, env=environment | {variable: "rexcc"}, check=True)


def launch(name: str, ranks: int, program: Path, *arguments: str, **environment: str) -> str:
    """Run a program under an MPI's launcher, and return what its ranks print, in order."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "REX_", "LIBOMPTARGET"))}
    command = [f"mpirun.{name}", *(_AS_ROOT if name == "openmpi" else ()), "-np", str(ranks), str(program), *arguments]
    done = subprocess.run(
        command,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=support.PATIENCE,
        check=False,
        cwd=program.parent,
    )
    assert done.returncode == 0, done.stderr
    return "".join(sorted(done.stdout.splitlines(keepends=True)))
