"""Programs that clang 19 gets wrong on the host: only the CPU device is compared with plain execution.

clang's own code for ``atomic compare`` is wrong there: ``weak`` never swaps, operands are converted to the variable's
type before they are compared, floating-point numbers are compared as bits, ``{ if (x == e) { x = d; } v = x; }``
captures the old value, and the result of a comparison is -1. Its ``lastprivate(conditional:)`` in functions that
regions call, which stay the host compiler's, keeps values of other iterations. Its first-private copies of arrays and
on ``for`` are made while other threads change the original already. Indices of ``loop`` that each thread has for itself
keep no last value, and a ``loop`` in a ``distribute`` may wait for threads that never come.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import support
from support import Bench

HERE = Path(__file__).parent
NAMES = sorted(
    f"{folder}/{p.name}"
    for folder in ("atomics", "conditional", "indices", "originals")
    for p in (HERE / folder).iterdir()
)


@pytest.mark.parametrize("name", NAMES)
def test_device_and_plain_execution_agree(bench: Bench, name: str) -> None:
    support.require_runtime()
    files = {Path(name).name: (HERE / name).read_text()}
    program = bench.build(files, "-w", *(["-latomic"] if name == "atomics/sixteen.c" else []))
    assert support.on_device(program).splitlines() == bench.plain(files).splitlines()


@pytest.mark.parametrize("name", support.sampled(NAMES, 3))
def test_nvcc_takes_the_kernels(bench: Bench, name: str) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    folder = bench.place({Path(name).name: (HERE / name).read_text()})
    quickly = ("-w", "-Xptxas", "-O0")
    assert support.rexcc(folder, "--target=nvptx", "--offload-arch=sm_75,sm_90", *quickly, "-c", Path(name).name) == 0
