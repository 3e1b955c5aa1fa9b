"""Packed folders: one script that needs nothing but Python."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fake_programs import job

import support
from rexcc.bench import pack
from rexcc.bench.plan import Comparison, Plan, plan_from_json, plan_to_json
from rexcc.bench.results import results_from_json
from rexcc.bench.script import MODULES, script
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.tools.toolchain import OpenMPRuntime


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
    return Plan("packed", (good, bad), device="cpu", repeats=3, timeout=support.PATIENCE)


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
    assert "it: printed time rexcc 1.00 ms, native clang 3.00 ms; native clang 3.00 win (" in done.stdout
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


def test_a_campaign_that_was_cut_short_goes_on(plan: Plan, tmp_path: Path):
    folder, out = tmp_path / "pack", tmp_path / "o"
    pack.prepare(folder)
    pack.pack(plan, folder)
    assert run(folder, "-o", str(out), "--limit", "1e-9").returncode == 0
    states = [row["variants"]["rexcc"]["state"] for row in json.loads((out / "results.json").read_text())["programs"]]
    assert states == ["not run", "not run"]
    first = run(folder, "-o", str(out), "--resume")
    assert "measured before" not in first.stdout
    again = run(folder, "-o", str(out), "--resume")
    assert again.returncode == 1
    assert again.stdout.startswith("it: measured before\nbad: measured before\n")
    assert "| 3.00 (3.00–3.00) **win** |" in (out / "table.md").read_text()


def wait_for_end(number: int) -> None:
    """Wait until a process that was killed is gone."""
    deadline = time.monotonic() + support.PATIENCE
    while Path(f"/proc/{number}/exe").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_being_ended_ends_the_program_too(tmp_path: Path):
    running = tmp_path / "running"
    folder = tmp_path / "pack"
    pack.prepare(folder)
    pack.pack(
        Plan("t", (job(tmp_path / "a", {"rexcc": f"echo $$ > {running}; exec sleep 3600"}),), device="cpu"), folder
    )
    with subprocess.Popen([sys.executable, "-I", "-S", str(folder / "bench.py"), "-o", str(tmp_path / "o")]) as process:
        while not (running.exists() and running.read_text().endswith("\n")):
            time.sleep(0.02)
        process.terminate()
        assert process.wait(support.PATIENCE) == 130
    number = int(running.read_text())
    wait_for_end(number)


def test_being_ended_while_a_program_starts_ends_it_too(tmp_path: Path):
    """A program's first deed is to end the campaign, which then may not know yet what it started."""
    folder, running = tmp_path / "pack", tmp_path / "running"
    body = f"echo $$ >> {running}; kill -TERM $PPID; exec sleep 3600"
    pack.prepare(folder)
    pack.pack(Plan("t", (job(tmp_path / "a", {"rexcc": body}),), device="cpu"), folder)
    for _ in range(5):
        assert run(folder, "-o", str(tmp_path / "o")).returncode == 130
    for number in running.read_text().split():
        wait_for_end(int(number))


def test_the_runtime_travels_on_request(plan: Plan, tmp_path: Path):
    folder = tmp_path / "pack"
    library = tmp_path / "libomptarget.so.19.1"
    library.write_text("library")
    pack.prepare(folder)
    pack.pack(plan, folder, [library])
    assert (folder / "runtime" / "libomptarget.so.19.1").read_text() == "library"
    assert plan_from_json(json.loads((folder / "plan.json").read_text())).library_folders == ("runtime",)


def test_what_the_runtime_needs(monkeypatch: pytest.MonkeyPatch):
    answers = {
        "objdump": "  NEEDED  libm.so.6\n  SONAME               libomptarget.so.19.1\n",
        "ldd": "\tlinux-vdso.so.1 (0x1)\n\tlibm.so.6 => /lib/libm.so.6 (0x2)\n"
        "\tlibLLVM.so.19.1 => /lib/libLLVM.so.19.1 (0x3)\n",
    }
    monkeypatch.setattr(pack, "output_of", lambda program, *rest: answers[program])
    runtime = OpenMPRuntime("/llvm/lib", "/llvm/lib/libomptarget.so", "/llvm/lib/libomp.so", 19)
    names = [str(path) for path in pack.runtime_libraries(runtime)]
    assert names == ["/llvm/lib/libomptarget.so.19.1", "/lib/libLLVM.so.19.1"]


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
