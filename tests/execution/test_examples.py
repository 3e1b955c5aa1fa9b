"""The examples of the repository do what they say; where there is no GPU they say that too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import mpi_programs
import support
from support import Bench

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"


def test_a_cuda_library_on_mapped_data(bench: Bench) -> None:
    support.require_runtime()
    program = bench.build({"cublas.c": (EXAMPLES / "cublas.c").read_text()}, "-ldl")
    for found in (support.on_device(program), support.on_host(program)):
        assert found.startswith("200 x 200 by ")
        assert found.endswith("trace -7, largest difference from the host's product 0\n")


SIZES = ("60", "37", "40")
"""Columns, rows and steps: rows that no number of ranks divides."""


@pytest.fixture(params=support.sampled(mpi_programs.NAMES, 2))
def mpi(request: pytest.FixtureRequest) -> str:
    """An MPI of Debian's."""
    support.require_runtime()
    name: str = request.param
    mpi_programs.require(name)
    return name


def plate(text: str, columns: int, rows: int, steps: int) -> str:
    """Return what the examples print, computed here; their first values are those of their text."""
    assert "100.0 * column / columns : (row * 7 + column * 3) % 10" in text
    old = [
        [(100.0 * j / columns if i < 0 else (i * 7 + j * 3) % 10) if i < rows else 0.0 for j in range(columns)]
        for i in range(-1, rows + 1)
    ]
    new = [list(row) for row in old]
    for _ in range(steps):
        for i in range(1, rows + 1):
            for j in range(1, columns - 1):
                new[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1])
        old, new = new, old
    mean = sum(map(sum, old[1:-1])) / rows / columns
    change = max(abs(a - b) for o, n in zip(old[1:-1], new[1:-1], strict=True) for a, b in zip(o, n, strict=True))
    return f"{rows} x {columns}, {steps} steps: mean {mean:.6f}, last change {change:.6f}\n"


def test_a_halo_exchange_by_mpi(bench: Bench, mpi: str, tmp_path: Path) -> None:
    """Through the host, as with an MPI that takes no device addresses, and with device addresses."""
    text = (EXAMPLES / "halo_mpi.c").read_text()
    folder = bench.place({"halo_mpi.c": text})
    mpi_programs.build(mpi, folder, mpi_programs.with_rexcc(tmp_path), "halo_mpi.c", "-o", "halo", "-lm")
    expected = plate(text, *map(int, SIZES))
    for ranks, way in ((1, "host"), (3, "host"), (4, "device")):
        assert mpi_programs.launch(mpi, ranks, folder / "halo", *SIZES, HALO=way) == expected


def test_a_halo_exchange_by_nccl(bench: Bench, mpi: str, tmp_path: Path) -> None:
    """NCCL itself wants GPUs: a stand-in does on the CPU device what the example asks of it."""
    text = (EXAMPLES / "halo_nccl.c").read_text()
    folder = bench.place({"halo_nccl.c": text} | {p.name: p.read_text() for p in (HERE / "nccl").iterdir()})
    environment = mpi_programs.with_rexcc(tmp_path)
    mpi_programs.build(mpi, folder, environment, "-I.", "halo_nccl.c", "stand_in.c", "-o", "halo", "-lm")
    for ranks in (1, 3):
        assert mpi_programs.launch(mpi, ranks, folder / "halo", *SIZES) == plate(text, *map(int, SIZES))


def test_the_example_with_nccl_compiles_with_its_headers(bench: Bench, mpi: str, tmp_path: Path) -> None:
    packages = [Path(entry) / "nvidia" for entry in sys.path]
    nccl = [path.parent for package in packages for path in package.glob("nccl/include/nccl.h")]
    places = [*packages, *Path("/usr/local").glob("cuda*")]
    patterns = [f"{folder}include/cuda_runtime_api.h" for folder in ("", "*/")]
    cuda = [path.parent for place in places for pattern in patterns for path in place.glob(pattern)]
    if not nccl or not cuda:
        pytest.skip("no headers of NCCL (pip install nvidia-nccl-cu13), or none of CUDA")
    folder = bench.place({"halo_nccl.c": (EXAMPLES / "halo_nccl.c").read_text()})
    environment = mpi_programs.with_rexcc(tmp_path)
    mpi_programs.build(mpi, folder, environment, "-Wall", f"-I{nccl[0]}", f"-I{cuda[0]}", "-c", "halo_nccl.c")
