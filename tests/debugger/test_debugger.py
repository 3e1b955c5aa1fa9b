"""Kernels on the CPU device in gdb: it stops at the user's lines, knows his variables, and goes on line by line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import support

HERE = Path(__file__).parent
NAME = "regions.cpp"
WANTED = {
    str(number): dict(one.split(" = ") for one in marked[1].split(", "))
    for number, line in enumerate((HERE / NAME).read_text().split("\n"), start=1)
    if (marked := re.search(r"// stop: (.*)", line))
}
"""What is to be seen at each line."""


@pytest.mark.builds
def test_gdb_stops_in_kernels(tmp_path: Path) -> None:
    """At a line of each kind of region; the next line is the user's, or one that leads out of his statement."""
    if shutil.which("gdb") is None:
        pytest.skip("no gdb")
    support.require_runtime()
    words = ("--target=host", "-g", "-O0", str(HERE / NAME), "-o", "regions", support.QUICK_LINK)
    assert support.rexcc(tmp_path, *words) == 0
    asked = json.dumps([NAME, {line: list(values) for line, values in WANTED.items()}])
    session = ("-q", "-batch", "-nx", "-x", str(HERE / "stops.py"), str(tmp_path / "regions"))
    said = support.run(Path("gdb"), *session, REX_STOPS=asked, REX_HOST_CORES="1")
    told = [json.loads(line.removeprefix("told ")) for line in said.split("\n") if line.startswith("told ")]
    assert len(WANTED) == 10
    assert {str(one["stop"][0]): one["values"] for one in told} == WANTED, said
    for one in told:
        (line, file), (following, where) = one["stop"], one["next"]
        assert file == NAME
        assert where != NAME or abs(following - line) <= 2
        assert where in (NAME, "rex_lib_regions.cu")
    assert "\n4228 90\n" in said
