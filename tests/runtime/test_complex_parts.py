"""Products and quotients of complex numbers are those of CUDA's library, and short where numbers are usual."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from runtime_workshop import INCLUDE, PROGRAMS, tool

FLAGS = ("-std=c++17", "--expt-relaxed-constexpr", "-w", INCLUDE)


def test_products_and_quotients_are_the_librarys(tmp_path: Path) -> None:
    """Special numbers, all exponents and those on both sides of what counts as usual, on the host."""
    program = tmp_path / "complex_parts"
    command = [tool("nvcc"), "-O2", *FLAGS, "-Xcompiler", "-ffp-contract=off", str(PROGRAMS / "complex_parts.cu")]
    done = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = subprocess.run([str(program), "2000000"], capture_output=True, text=True, check=False).stdout
    assert told == "wrong 0 0\n"


KERNELS = """#include "rex_nvidia.h"
#include "rex_device_complex.h"
#include "rex_device_std_complex.h"
extern "C" __global__ void c(rex_complex_double *z) { z[0] = z[1] / (z[2] * z[3]); }
extern "C" __global__ void cplusplus(std::complex<double> *z) { z[0] = z[1] / (z[2] * z[3]); }
"""


def test_usual_numbers_are_not_compared(tmp_path: Path) -> None:
    """Comparisons of ``double`` stand in functions for what is rare alone."""
    source, assembly = tmp_path / "a.cu", tmp_path / "a.ptx"
    source.write_text(KERNELS)
    command = [tool("nvcc"), "-ptx", "-arch=sm_90", *FLAGS, str(source), "-o", str(assembly)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    kernels = dict(re.findall(r"\.entry (\w+)(\(.*?\n}\n)", assembly.read_text(), re.DOTALL))
    assert sorted(kernels) == ["c", "cplusplus"]
    for text in kernels.values():
        assert ".f64 %p" not in text and text.count("call.uni") == 2
