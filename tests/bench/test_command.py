"""``rexcc bench`` as a user types it, on the CPU device."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import pytest

from rexcc.bench.command import chosen
from rexcc.bench.cupti import find_cupti
from rexcc.bench.variants import Machine
from rexcc.driver.main import main
from rexcc.target.tools import Compiler

SOURCE = """#include <stdio.h>
int main(void) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s)
  for (int i = 0; i < 1000; i++) s += i;
  printf("sum %g\\ntime 1.5 ms\\n", s);
}
"""
MANIFEST = {
    "title": "Sums",
    "repeats": 3,
    "program": [
        {
            "name": "sum",
            "sources": ["sum.c"],
            "flags": ["-O1"],
            "compare": {"drop": ["^time"], "expect": ["^sum 499500$"]},
            "time": {"pattern": "^time (.*) ms", "unit": "ms"},
        }
    ],
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sum.c").write_text(SOURCE)
    (tmp_path / "sums.json").write_text(json.dumps(MANIFEST))
    source = str(Path(__file__).parents[2] / "src")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([source, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_ours_against_gcc_on_the_cpu(project: Path, capfd: pytest.CaptureFixture[str]):
    assert main(["bench", "sums.json", "--target=host", "--variants=gcc", "-o", "out", "--repeats=3"]) == 0
    text = capfd.readouterr().out
    assert "sum: printed time rexcc 1.50 ms, gcc 1.50 ms; gcc 1.00 tie" in text
    document = json.loads((project / "out" / "results.json").read_text())
    (row,) = document["programs"]
    assert row["variants"]["rexcc"]["compared_with"] == "gcc"
    assert document["device"] == "cpu"
    assert "All times are of the CPU" in (project / "out" / "table.md").read_text()
    assert main(["bench", "--report", "out/results.json"]) == 0
    assert capfd.readouterr().out == (project / "out" / "table.md").read_text()
    assert main(["bench", "--report", "out/results.json", "-o", "again"]) == 0
    assert (project / "again" / "chart.svg").read_text() == (project / "out" / "chart.svg").read_text()


def test_a_program_that_does_not_build_is_a_row_and_status_1(project: Path, capfd: pytest.CaptureFixture[str]):
    (project / "sum.c").write_text(SOURCE.replace("reduction", "reductoin"))
    another = f"other={sys.executable} -c pass"
    assert main(["bench", "sums.json", "--target=host", "--variants=rexcc", "--variant", another, "-o", "out"]) == 1
    text = (project / "out" / "table.md").read_text()
    assert "sum: rexcc: not built: sum.c:4:50: error: unknown clause 'reductoin'" in text
    assert "sum: other: not built: the compiler made no executable" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no such manifest or folder: 'nowhere'"),
        (["sums.json", "--variants=clan"], "unknown variant 'clan'; known are rexcc, clang, gcc, cuda"),
        (["sums.json", "sums.json"], "two manifests have a program 'sum'"),
        (["sums.json", "--only=xyz"], "no program to measure"),
        (["sums.json", "--variant", "clang=cc"], "--variant wants NAME=COMMAND with a new name"),
        (["--report"], "--report needs a results.json"),
        (["--report", "sums.json"], "sums.json: not results of 'rexcc bench'"),
    ],
)
def test_what_makes_no_sense(project: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], message: str):
    assert main(["bench", "--target=host", *arguments]) == 2
    assert message in capfd.readouterr().err


def test_unknown_options(project: Path):
    with pytest.raises(SystemExit) as ended:
        main(["bench", "--repeats=many"])
    assert ended.value.code == 2


def test_cupti_is_looked_for_in_the_installation_of_nvcc(tmp_path: Path):
    nvcc = tmp_path / "bin" / "nvcc"
    for file in (nvcc, tmp_path / "extras/CUPTI/include/cupti.h", tmp_path / "extras/CUPTI/lib64/libcupti.so.12"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    found = find_cupti(Compiler(str(nvcc), "PATH"))
    assert found and found.library == tmp_path / "extras/CUPTI/lib64/libcupti.so.12"
    (tmp_path / "extras/CUPTI/include/cupti.h").unlink()
    assert find_cupti(Compiler(str(nvcc), "PATH")) is None


def test_compilers_that_are_missing_take_part_only_when_asked_for(capfd: pytest.CaptureFixture[str]):
    machine = Machine("host", "sm_90", None, None)
    for written, expected in ((None, {"rexcc", "gcc", "host"}), ("clang", {"rexcc", "clang", "host"})):
        wishes = argparse.Namespace(omp_runtime=None, rexcc_flags="", variant=[], variants=written)
        assert {variant.name for variant in chosen(wishes, machine)} == expected
    assert capfd.readouterr().out.startswith("without clang (no LLVM OpenMP runtime found), cuda (")
