"""``--check``: each fault of ``faults.c`` and ``faults.cpp`` is found at its line, and nothing else is told: nothing of
``shared.c`` and ``threads.c``.

``python -m check.test_check [COMPILER]``, in the folder ``tests``, counts them by check.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from support import PATIENCE, rexcc

HERE = Path(__file__).parent
FAULTS = ("faults.c", "faults.cpp", "shared.c", "stacks.c", "threads.c")

Finding = tuple[int, str]
"""A line and what is found there."""


def wanted(source: Path) -> tuple[set[Finding], set[Finding]]:
    """Return what has to be found in a file of faults, and what may be found besides (``want?:``)."""
    found: dict[str, set[Finding]] = {"": set(), "?": set()}
    for number, line in enumerate(source.read_text().splitlines(), 1):
        for mark, check in re.findall(r"want(\??): (\w+)", line):
            found[mark].add((number, check))
    return found[""], found["?"]


def told(source: Path, report: str) -> list[Finding]:
    """Return what a program has told of its source, in that order."""
    rows = re.findall(rf"{re.escape(source.name)}:(\d+): error: .*\[check-(\w+)\]$", report, re.MULTILINE)
    return [(int(number), check) for number, check in rows]


def run(program: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program that is checked."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "REX_", "LIBOMPTARGET"))}
    words: list[str] = [str(program)]
    return subprocess.run(
        words, env=kept | environment, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=program.parent
    )


@pytest.fixture(scope="module", params=FAULTS)
def checked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Return a file of faults, and what the program has done that is made of it."""
    source, folder = HERE / request.param, tmp_path_factory.mktemp("check")
    assert rexcc(folder, "--check", "-w", str(source), "-o", "program") == 0
    return source, run(folder / "program")


def test_each_fault_is_found_at_its_line(checked: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    source, done = checked
    found, (must, may) = set(told(source, done.stderr)), wanted(source)
    assert must - found == set(), done.stderr
    assert found - must - may == set(), done.stderr
    assert done.returncode == bool(must), done.stderr
    assert must or not done.stderr


def test_the_environment_chooses_checks_and_the_status(
    checked: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    source, before = checked
    done = run(Path(before.args[0]), REX_CHECK="bounds", REX_CHECK_STATUS="0")
    assert done.returncode == 0
    if "bounds" not in {check for _, check in told(source, before.stderr)}:
        return
    assert {check for _, check in told(source, done.stderr)} == {"bounds"}
    assert re.search(r"^rex: --check has found: \d+ bounds$", done.stderr, re.MULTILINE)


def test_a_report_has_the_variable_and_all_places(checked: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    source, done = checked
    if source.name != "faults.c":
        return  # the texts are of the same runtime
    lines = {text: n for n, text in enumerate(source.read_text().splitlines(), 1)}
    race = next(n for text, n in lines.items() if "sum += a[i]; // want: race" in text)
    stale = next(n for text, n in lines.items() if "seen = a[5]; // want: stale" in text)
    assert re.search(
        rf"faults\.c:{race}: error: race: team 0, thread \d+ reads byte 0 of 'sum' \[check-race\]\n"
        rf".*faults\.c:{race}: note: team 0, thread \d+ has written it, and nothing orders the two\n"
        rf".*faults\.c:{race - 1}:\d+: note: 'sum' is mapped here\n"
        rf".*faults\.c:{race - 1}: note: in this region\n",
        done.stderr,
    )
    assert re.search(
        rf"faults\.c:{stale}: error: the kernel reads byte 40 of 'a\[0 : n\]', which the host has changed since; "
        rf"'target update to' is missing \[check-stale\]\n"
        rf".*faults\.c:{stale - 2}: note: the host has changed it here\n",
        done.stderr,
    )
    mapped = next(n for text, n in lines.items() if "target data map(mapper(held)" in text)
    assert re.search(
        rf"faults\.c:{mapped + 3}: error: the host reads byte 24 of a section that a mapper maps, which the device .*\n"
        rf".*faults\.c:{mapped + 2}: note: the device has changed it here\n"
        rf".*faults\.c:{mapped}: note: it is mapped here\n",
        done.stderr,
    )


def main(compiler: str) -> None:
    """Count the faults that are found."""
    must_all: Counter[str] = Counter()
    found_all: Counter[str] = Counter()
    besides = 0
    for name in FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            words = ["rexcc", f"--host-compiler={compiler}", "--check", "-w", str(HERE / name), "-o", f"{folder}/p"]
            subprocess.run(words, check=True)
            must, may = wanted(HERE / name)
            found = set(told(HERE / name, run(Path(folder) / "p").stderr))
            must_all.update(check for _, check in must)
            found_all.update(check for _, check in must & found)
            besides += len(found - must - may)
    for check, count in must_all.items():
        print(f"{check}: {found_all[check]} of {count}")
    print(f"besides: {besides}")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["clang-19"])
