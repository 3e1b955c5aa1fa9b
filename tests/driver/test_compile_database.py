"""-MJ: entries for compile_commands.json, which speak of the user's files and of the host compiler."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import fake
import pytest

from rexcc.driver.main import main

HOST_ONLY = "--target=host"


def entries(name: str) -> list[dict[str, Any]]:
    """What a build makes of the file: it puts brackets around, without the last comma."""
    found = json.loads(f"[{Path(name).read_text().rstrip().removesuffix(',')}]")
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("spelled", [("-MJ", "one.json"), ("-MJone.json",)])
def test_an_entry_compiles_the_users_file(project: Path, spelled: tuple[str, ...]) -> None:
    line = ["-c", HOST_ONLY, *spelled, '-DTEXT="a b"', "kernel.c", "-o", "the kernel.o"]
    assert main(line, fake.FakeCompiler()) == 0
    (entry,) = entries("one.json")
    assert (entry["directory"], entry["file"], entry["output"]) == (str(project), "kernel.c", "the kernel.o")
    assert '-DTEXT="a b"' in entry["arguments"]
    Path("the kernel.o").unlink()
    subprocess.run(entry["arguments"], check=True)
    assert Path("the kernel.o").exists()


def test_each_source_has_an_entry(project: Path) -> None:
    assert main([HOST_ONLY, "-MJ", "all.json", "kernel.c", "prog.c", "-o", "prog"], fake.FakeCompiler()) == 0
    assert [entry["file"] for entry in entries("all.json")] == ["kernel.c", "prog.c"]
    assert not any("rose_" in word or word == "-o" for entry in entries("all.json") for word in entry["arguments"])


def test_no_source_is_replaced(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", "-MJ", "kernel.c", "kernel.c"], fake.FakeCompiler()) != 0
    assert "the output 'kernel.c' is the input" in capsys.readouterr().err
