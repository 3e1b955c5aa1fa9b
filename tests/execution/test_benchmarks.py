"""The programs of ``benchmarks`` at a tiny size: the CPU device prints what plain execution prints."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import support
from support import Bench

HERE = Path(__file__).parent.parent.parent / "benchmarks"
MANIFEST = (HERE / "bench.toml").read_text()

SIZES = {
    "axpy": "1000 3 1",
    "b+tree": "3000 500 2 1",
    "bfs": "2000 1",
    "gaussian": "40 1",
    "heartwall": "128 3 4 1",
    "hotspot": "40 30 6 1",
    "nn": "1000 4 1",
    "pathfinder": "700 12 1",
    "srad_v1": "40 30 4 1",
    "srad_v2": "70 90 4 1",
}


def without_time(output: str) -> list[str]:
    """Take the measured time out of what a program has printed; it must be there."""
    lines = output.splitlines()
    assert re.fullmatch(r"time_ms: \d+\.\d+", lines[-1])
    return lines[:-1]


def plain(bench: Bench, files: dict[str, str], name: str) -> Path:
    """Compile a program with OpenMP ignored."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    folder = bench.place(files)
    flags = ["-O1", "-Wall", "-Wno-unknown-pragmas", "-Werror", "-ffp-contract=off"]
    subprocess.run(["gcc", *flags, name, "-o", "plain", "-lm"], cwd=folder, check=True)
    return folder / "plain"


@pytest.mark.parametrize("name", SIZES)
def test_device_and_plain_execution_agree(bench: Bench, name: str) -> None:
    support.require_runtime()
    source = f"{name}/{name}.c"
    files = {path: (HERE / path).read_text() for path in (source, "common.h")}
    expected = support.run(plain(bench, files, source), *SIZES[name].split())
    program = bench.build(files, "-O1")
    found = support.run(program, *SIZES[name].split(), OMP_TARGET_OFFLOAD="MANDATORY")
    assert without_time(found) == without_time(expected)


def test_every_program_has_a_cuda_version_and_a_row_in_the_manifest() -> None:
    names = sorted(p.name for p in HERE.iterdir() if p.is_dir())
    assert names == sorted(SIZES)
    assert sorted(re.findall(r'^name = "(.+)"$', MANIFEST, re.MULTILINE)) == names
    for name in names:
        assert f'sources = ["{name}/{name}.c"]\ncuda_sources = ["{name}/{name}.cu"]\n' in MANIFEST
        assert (HERE / name / f"{name}.cu").is_file()
