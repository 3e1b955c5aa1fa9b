"""The programs of ``benchmarks`` at a tiny size: the CPU device prints what plain execution prints."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import tomllib

import support
from support import Bench

HERE = Path(__file__).parent.parent.parent / "benchmarks"
MANIFEST = (HERE / "bench.toml").read_text()
MICRO = HERE / "micro"

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
DIVISORS = {
    "launches": "1000",
    "nests": "100",
    "reductions": "1000",
    "resident": "1000",
    "small_maps": "10",
    "transfers": "1000",
    "two_gpus": "10000",
}
"""What the sizes of the sets in ``micro`` are divided by."""
ROW = re.compile(r'\{"(\w+)", ')
SIZED = re.compile(r'\{name "(_\w+)", ')


def without_time(output: str) -> list[str]:
    """Take the measured time out of what a program has printed; it must be there."""
    lines = output.splitlines()
    assert re.fullmatch(r"time_ms: \d+\.\d+", lines[-1])
    return lines[:-1]


def without_times_of_rows(output: str) -> list[str]:
    """Take the measured times out of what a set of rows has printed; each row must have one."""
    lines = output.splitlines()
    times = [line for line in lines if re.fullmatch(r"\w+ time_us: \d+\.\d+", line)]
    kept = [line for line in lines if line not in times and not re.fullmatch(r"\w+ rate: \S+ GB/s", line)]
    assert {line.split()[0] for line in times} == {line.split(":")[0] for line in kept}
    return kept


def plain(bench: Bench, files: dict[str, str], name: str, *openmp: str) -> Path:
    """Compile a program with OpenMP ignored, or with the options that are given."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    folder = bench.place(files)
    flags = ["-O1", "-Wall", "-Wno-unknown-pragmas", "-Werror", "-ffp-contract=off", *openmp]
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


@pytest.mark.parametrize("name", DIVISORS)
def test_device_and_plain_execution_of_rows_agree(bench: Bench, name: str) -> None:
    support.require_runtime()
    source = f"micro/{name}.c"
    files = {path: (HERE / path).read_text() for path in (source, "common.h", "micro/rows.h", "micro/rows_omp.h")}
    openmp = ("-fopenmp", "-foffload=disable") if name == "two_gpus" else ()
    expected = support.run(plain(bench, files, source, *openmp), "all", DIVISORS[name])
    program = bench.build(files, "-O1", "-lm")
    found = support.run(program, "all", DIVISORS[name], OMP_TARGET_OFFLOAD="MANDATORY")
    assert without_times_of_rows(found) == without_times_of_rows(expected)


def test_every_program_has_a_cuda_version_and_a_row_in_the_manifest() -> None:
    names = sorted(p.name for p in HERE.iterdir() if p.is_dir() and not (p / "bench.toml").exists())
    assert names == sorted(SIZES)
    assert sorted(re.findall(r'^name = "(.+)"$', MANIFEST, re.MULTILINE)) == names
    for name in names:
        assert f'sources = ["{name}/{name}.c"]\ncuda_sources = ["{name}/{name}.cu"]\n' in MANIFEST
        assert (HERE / name / f"{name}.cu").is_file()


def rows_of(source: Path) -> list[str]:
    """Return the rows that a program's table has."""
    text = source.read_text()
    table = text[text.index("static const Row rows") :]
    sets = re.findall(r'SIZES\("(\w+)", ', table)
    return [first + size for first in sets for size in SIZED.findall(text)] or ROW.findall(table)


def test_every_set_of_rows_has_a_cuda_version_and_its_rows_in_the_manifest() -> None:
    assert sorted(path.stem for path in MICRO.glob("*.c")) == sorted(DIVISORS)
    programs = tomllib.loads((MICRO / "bench.toml").read_text())["program"]
    for name in DIVISORS:
        rows = rows_of(MICRO / f"{name}.c")
        runs = [run for p in programs if p["sources"] == [f"{name}.c"] for run in p["runs"].values()]
        twins = [run[0] for p in programs if p.get("cuda_sources") == [f"{name}.cu"] for run in p["runs"].values()]
        assert rows
        assert {run[0] for run in runs} == set(rows)
        assert set(twins) == set(rows_of(MICRO / f"{name}.cu"))
