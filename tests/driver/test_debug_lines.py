"""What debuggers, sanitizers and coverage show of a program: lines of the user's file, and only those it has."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import support

PROGRAM = """#include <stdio.h>
#pragma omp declare target
static int twice(int x) { return 2 * x; }
#pragma omp end declare target
typedef struct { int n, *p; } vec;
#pragma omp declare mapper(vec v) map(v, v.p[0 : v.n])
int run(int n, int *p)
{
  int sum = 0;
  vec v = {n, p};
#pragma omp target data map(tofrom : v)
  {
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += twice(v.p[i]);
#pragma omp target update from(v)
  }
#pragma omp target nowait
  { p[0] = sum; }
  return sum; }
"""
PLACE = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)", re.MULTILINE)
FILE = re.compile(r'^\s*\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]*)"', re.MULTILINE)


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_all_that_a_file_does_is_done_in_lines_of_the_users(project: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    support.require_runtime()
    (project / "run.c").write_text(PROGRAM)
    words = ("-w", "-g", "-O0", f"--host-compiler={compiler}", "-S", "run.c", "-o", "run.s")
    assert support.rexcc(project, *words) == 0
    text = (project / "run.s").read_text()
    names = dict(FILE.findall(text))
    places = [(Path(names[file]).name, int(line)) for file, line in PLACE.findall(text)]
    lines = {line for name, line in places if name == "run.c"}
    assert lines >= {6, 9, 10, 11, 13, 14, 15, 17, 18, 19}
    assert max(lines) <= PROGRAM.count("\n")
    start = text.index("\nrun:")
    inside = PLACE.findall(text, start, text.index(".cfi_endproc", start))
    assert not [names[file] for file, _ in inside if Path(names[file]).name.startswith("rose_")]


def test_in_files_that_are_kept_what_is_made_has_lines_of_its_own(project: Path) -> None:
    support.require_runtime()
    (project / "run.c").write_text(PROGRAM)
    assert support.rexcc(project, "-w", "-g", "-O0", "-save-temps", "-S", "run.c", "-o", "run.s") == 0
    text, kept = (project / "run.s").read_text(), (project / "rose_run.c").read_text().split("\n")
    names = dict(FILE.findall(text))
    own = {int(line) for file, line in PLACE.findall(text) if Path(names[file]).name == "rose_run.c" and int(line)}
    assert any("__tgt_target_kernel(" in kept[line - 1] for line in own)
    assert not [kept[line - 1] for line in own if "sum += twice" in kept[line - 1]]


COUNTED = """#include <stdio.h>
int main(void) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i / 2.0;
  if (sum < 0) printf("never\\n");
  printf("%g\\n", sum);
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("gcov") is None, reason="no gcc")
def test_coverage_counts_what_host_and_kernels_execute(project: Path) -> None:
    """The notes of what one command compiles and links stay where gcc itself leaves them."""
    support.require_runtime()
    (project / "c.c").write_text(COUNTED)
    (project / "out").mkdir()
    assert support.rexcc(project, "--host-compiler=gcc", "--coverage", "c.c", "-o", "out/prog") == 0
    assert support.run(project / "out" / "prog") == "2475\n"
    names = {path.name for path in (project / "out").iterdir()}
    assert names == {"prog"} | {f"prog-c{part}.gc{kind}" for part in ("", ".host") for kind in ("no", "da")}
    data = ["out/prog-c.gcda", "out/prog-c.host.gcda"]
    subprocess.run(["gcov", *data], cwd=project, capture_output=True, check=True)
    lines = (project / "c.c.gcov").read_text().splitlines()
    counts = {int(number): count.strip() for count, number, _ in (line.split(":", 2) for line in lines)}
    assert (counts[5], counts[6], counts[7]) == ("100", "1*", "1")
