"""Declared mappers on the CPU device: what is mapped, what moves, and that nothing stays behind.

The programs check themselves, for on a plain host there is nothing to see of a mapping. clang 19 counts no references
of the first part of each object, so that its programs leave mappings behind.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from support import Bench

HERE = Path(__file__).parent / "mappers"
NAMES = sorted(p.name for p in HERE.iterdir() if p.suffix != ".h")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="clang"),
        pytest.param(("--host-compiler=gcc",), id="gcc", marks=pytest.mark.extended),
    ],
)
@pytest.mark.parametrize("name", support.sampled(NAMES, 2))
def test_parts_are_mapped_moved_and_released(bench: Bench, name: str, arguments: tuple[str, ...]) -> None:
    support.require_runtime()
    files = {path: (HERE / path).read_text() for path in (name, "checks.h")}
    program = bench.build(files, "-w", *arguments)
    assert support.on_device(program).splitlines() == ["failures: 0"]
