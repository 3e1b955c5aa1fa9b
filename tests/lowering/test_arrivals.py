"""The kernel that brings rows of updates home: in device files with kernels of programs that have such updates."""

from __future__ import annotations

import pytest

from support import compiled

HEADER = '#include "rex_device_arrivals.h"\n'
KERNEL = "#pragma omp target teams distribute parallel for\n  for (int i = 0; i < 9; i++) a[i]++;\n"


@pytest.mark.parametrize(
    ("clause", "kernel", "included"),
    [("from(a)", KERNEL, True), ("to(b) from(a)", KERNEL, True), ("to(a)", KERNEL, False), ("from(a)", "", False)],
)
def test_who_gets_it(clause: str, kernel: str, included: bool) -> None:
    output = compiled(f"int a[9], b[9];\nvoid f(void) {{\n{kernel}#pragma omp target update {clause}\n}}\n")
    assert (HEADER in output.device) == included
