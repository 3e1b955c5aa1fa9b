"""Packed folders: one script that needs nothing but Python."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fake_programs import job

from rexcc.bench import pack
from rexcc.bench.plan import Comparison, Plan, plan_from_json, plan_to_json
from rexcc.bench.results import results_from_json
from rexcc.bench.script import MODULES, script
from rexcc.driver.command_line import UsageError


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    data, expected = tmp_path / "data", tmp_path / "expected"
    data.write_text("10\n")
    expected.write_text("sum 10\n")
    body = "echo sum $(cat x) $1; echo time {} ms"
    rules = Comparison(drop=("^time",), expected=str(expected), remove=(" one$",))
    good = job(tmp_path / "a", {"rexcc": body.format(1), "clang": body.format(3), "cuda": None},
               inputs=((str(data), "x"),), arguments=("one",), compare=rules)  # fmt: skip
    bad = replace(job(tmp_path / "b", {"rexcc": "echo sum 1", "cuda": "echo sum 2"}), name="bad")
    return Plan("packed", (good, bad), device="cpu", repeats=3, timeout=20.0)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script with a Python that finds no packages."""
    command = [sys.executable, "-I", "-S", str(folder / "bench.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder.parent)


def test_a_plan_comes_back(plan: Plan):
    assert plan_from_json(json.loads(json.dumps(plan_to_json(plan)))) == plan


def test_the_script_is_one_program():
    text = script()
    tree = ast.parse(text)
    names = Counter(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    names.update(target.id for target in targets if isinstance(target, ast.Name))
    assert [name for name, count in names.items() if count > 1] == []
    imported = {(node.module or "").split(".")[0] for node in tree.body if isinstance(node, ast.ImportFrom)}
    imported |= {name.name.split(".")[0] for node in tree.body if isinstance(node, ast.Import) for name in node.names}
    assert imported <= {*sys.stdlib_module_names}
    assert "from rexcc" not in text and "import rexcc" not in text
    assert all(f"# ---- {name} ----" in text for name in MODULES)


def test_a_packed_folder_measures_by_itself(plan: Plan, tmp_path: Path):
    folder = tmp_path / "pack"
    pack.prepare(folder)
    pack.pack(plan, folder)
    assert str(tmp_path) not in (folder / "plan.json").read_text()
    moved = tmp_path / "elsewhere" / "moved"
    moved.parent.mkdir()
    folder.rename(moved)
    for name in ("a", "b", "data", "expected"):
        (tmp_path / name).rename(tmp_path / f"{name}.gone")
    done = run(moved, "-o", "out")
    assert done.returncode == 1, done.stderr  # one of the programs is wrong
    assert "it: printed time rexcc 1.00 ms, native clang 3.00 ms; native clang 3.00 win" in done.stdout
    assert "differs from cuda: line 1 is 'sum 1', not 'sum 2'" in done.stdout
    results = results_from_json(json.loads((moved.parent / "out" / "results.json").read_text()))
    assert [row.name for row in results.rows] == ["it", "bad"]
    assert (moved.parent / "out" / "table.md").read_text().startswith("# packed\n")
    assert (moved.parent / "out" / "chart.svg").read_text().startswith("<svg")


def test_options_of_the_script(plan: Plan, tmp_path: Path):
    folder = tmp_path / "pack"
    pack.prepare(folder)
    pack.pack(plan, folder)
    assert run(folder, "--list").stdout == "it\nbad\n"
    done = run(folder, "-o", str(tmp_path / "o"), "--only", "^it$", "--variants", "rexcc", "--repeats", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = json.loads((tmp_path / "o" / "results.json").read_text())["programs"]
    assert list(row["variants"]) == ["rexcc"]
    assert len(row["variants"]["rexcc"]["figures"]["wall"]["values"]) == 4
    assert "not a regular expression" in run(folder, "--only", "(").stderr


def test_files_of_one_name_do_not_meet(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "in.txt").write_text(name)
    jobs = tuple(
        replace(job(tmp_path, {"rexcc": "true"}, inputs=((str(tmp_path / n / "in.txt"), "in.txt"),)), name=n)
        for n in "ab"
    )
    folder = tmp_path / "pack"
    pack.prepare(folder)
    pack.pack(Plan("t", jobs), folder)
    packed = plan_from_json(json.loads((folder / "plan.json").read_text()))
    assert [(folder / j.inputs[0][0]).read_text() for j in packed.jobs] == ["a", "b"]


def test_only_packed_folders_are_written_over(plan: Plan, tmp_path: Path):
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / "thesis.tex").write_text("")
    with pytest.raises(UsageError, match="not empty and no packed folder"):
        pack.prepare(folder)
    (folder / "thesis.tex").unlink()
    pack.prepare(folder)
    pack.pack(plan, folder)
    (folder / "bin" / "old").write_text("")
    pack.prepare(folder)
    assert not (folder / "bin").exists()
