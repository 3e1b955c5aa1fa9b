"""A number over a square root is what the division and the root make, for every approximation that PTX allows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from runtime_workshop import INCLUDE, PROGRAMS


def tried(folder: Path, step: int) -> str:
    program = folder / "roots"
    flags = ("-O2", "-std=c++17", "-ffp-contract=off", INCLUDE)
    subprocess.run(["g++", *flags, str(PROGRAMS / "roots.cpp"), "-o", str(program)], check=True)
    done = subprocess.run([str(program), str(step)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_quotients_by_roots_are_rounded(tmp_path: Path) -> None:
    """Two pairs have another root, so devices with exact roots do not have them; one quotient is left out."""
    found = tried(tmp_path, 97)
    assert "other roots 2, other reciprocals 4, left out 42, wrong 0" in found


@pytest.mark.extended
def test_all_quotients_by_roots_are_rounded(tmp_path: Path) -> None:
    assert "pairs 50859330, other roots 2, other reciprocals 52, left out 42, wrong 0" in tried(tmp_path, 1)
