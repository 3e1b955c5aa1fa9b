"""What a launch costs on the host before the runtime has it: no allocation, and far less than the launch itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import support
from rexcc import runtime

HERE = Path(__file__).parent / "cost"


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_the_arrays_of_ten_entries_are_made_without_allocation(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    found = support.translate_text((HERE / "launches.c").read_text(), architectures=(), cpu_device=False)
    assert found.host is not None
    (tmp_path / "rose.c").write_text(found.host.text)
    flags = ["-O2", "-fopenmp", "-w", "-Wl,--wrap=malloc", "-I", str(runtime.INCLUDE)]
    command = [compiler, *flags, "rose.c", str(HERE / "caller.c"), "-o", "caller"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "caller"], capture_output=True, text=True, check=True)
    print(done.stdout)
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[:3] for row in rows] == [["extents", "1", "0"], ["known", "1", "0"], ["gaps", "1", "0"]]
    assert all(float(row[3]) < 100 for row in rows), done.stdout
