"""What the device headers must not say: what a compiler goes wrong over, names of each other."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rexcc import runtime


def test_a_pointer_is_asked_for_one_address_space_only() -> None:
    """nvcc 13.0 mixes up ``__isShared`` and ``__isLocal`` of one pointer (see ``is_shared`` in the reductions)."""
    asked = {
        name
        for header in runtime.INCLUDE.glob("rex_device_*.h")
        for name in re.findall(r"\b__is([A-Z]\w+)\(", header.read_text())
    }
    assert asked == {"Local"}


@pytest.mark.parametrize("language", ["c", "c++"])
def test_nvcc_takes_all_device_headers_together(tmp_path: Path, language: str) -> None:
    """A device file includes those that its program needs: each name is declared in one of them alone."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    first = ["#define REX_SOURCE_IS_C"] if language == "c" else []
    library = [f"#include <{name}>" for name in ("atomic", "complex", "cstdint")]
    ours = [f'#include "{header.name}"' for header in sorted(runtime.INCLUDE.glob("rex_device_*.h"))]
    source = tmp_path / "all.cu"
    source.write_text("\n".join([*first, '#include "rex_nvidia.h"', *library, *ours]) + "\n")
    flags = ["-std=c++17", "--expt-relaxed-constexpr", "-D_GLIBCXX_BITS_SPECFUN_H", "-w", f"-I{runtime.INCLUDE}"]
    command = ["nvcc", "-ptx", "-arch=sm_90", *flags, str(source), "-o", str(tmp_path / "all.ptx")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
