"""Mappings that fail at run time: what the user is told names the list item, its place and what is wrong with it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

import support
from support import Bench

pytestmark = pytest.mark.usefixtures("runtime")

PROGRAM = """\
#include <omp.h>
#include <stdlib.h>
struct pair {{ int n; double *p; }};
#pragma omp declare mapper(all : struct pair v) map(v, v.p[0 : 100])
static double whole[10];
int main(void) {{
  size_t n = 100, big = (size_t)1 << 40;
  double *a = malloc(2 * n * sizeof *a);
  struct pair s = {{1, a}};
  a[0] = whole[0] = s.n;
{0}
  return 0;
}}
"""

PRESENT = "which its 'present' modifier asks for"
GROWS = "a part of it is on device 0 already, and what is mapped cannot grow"

FAILURES = {
    "enter data": (
        "#pragma omp target enter data map(to : s.n) map(present, to : a[0 : n])",
        f"'a[0 : n]' (800 bytes) is not present on device 0, {PRESENT}",
    ),
    "target data": (
        "#pragma omp target data map(present, alloc : whole)\n  a[1] = 1;",
        f"'whole' (80 bytes) is not present on device 0, {PRESENT}",
    ),
    "exit data": (
        "#pragma omp target exit data map(present, release : a[2 : 3])",
        f"'a[2 : 3]' (24 bytes) is not present on device 0, {PRESENT}",
    ),
    "target": (
        "#pragma omp target map(present, tofrom : a[0 : n])\n  a[1] = 1;",
        f"'a[0 : n]' (800 bytes) is not present on device 0, {PRESENT}",
    ),
    "defaultmap": (
        "#pragma omp target defaultmap(present : aggregate)\n  whole[1] = 1;",
        "'whole' (80 bytes) is not present on device 0, which 'defaultmap(present)' asks for",
    ),
    "update": (
        "#pragma omp target update from(s.n) to(present : whole[4 : 2])",
        f"'whole[4 : 2]' (16 bytes) is not present on device 0, {PRESENT}",
    ),
    "update of a part": (
        "#pragma omp target enter data map(to : a[0 : 50])\n#pragma omp target update from(present : a[10 : n])",
        f"'a[10 : n]' (800 bytes) is only partly present on device 0, {PRESENT}",
    ),
    "update with gaps": (
        "#pragma omp target enter data map(to : a[0 : n])\n#pragma omp target update to(present : a[1 : n : 2])",
        f"'a[1 : n : 2]' (800 bytes) is only partly present on device 0, {PRESENT}",
    ),
    "growing at its end": (
        "#pragma omp target enter data map(to : a[0 : n])\n#pragma omp target enter data map(to : a[10 : n])",
        f"'a[10 : n]' (800 bytes) cannot be mapped: {GROWS}",
    ),
    "growing at both ends": (
        "#pragma omp target enter data map(to : a[10 : 5])\n#pragma omp target map(to : a[0 : n])\n  a[1] = 1;",
        f"'a[0 : n]' (800 bytes) cannot be mapped: {GROWS}",
    ),
    "part of a mapper": (
        "#pragma omp target enter data map(to : a[0 : 5])\n#pragma omp target map(mapper(all), to : s)\n  s.p[0] = 1;",
        f"'s' (its part 'v.p[0 : 100]', 800 bytes) cannot be mapped: {GROWS}",
    ),
    "absent part of a mapper": (
        "#pragma omp target enter data map(to : s)\n#pragma omp target update to(present, mapper(all) : s)",
        f"'s' (its part 'v.p[0 : 100]', 800 bytes) is not present on device 0, {PRESENT}",
    ),
    "no room": (
        "#pragma omp target enter data map(to : whole) map(alloc : a[0 : big])",
        "'a[0 : big]' (8796093022208 bytes) got no memory on device 0",
    ),
    "no room for a region": (
        "#pragma omp target map(alloc : a[0 : big])\n  a[1] = 1;",
        "'a[0 : big]' (8796093022208 bytes) got no memory on device 0",
    ),
}


def run(program: Path) -> subprocess.CompletedProcess[str]:
    """Run a program that may fail."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "REX_", "LIBOMPTARGET"))}
    return subprocess.run(
        [str(program)], env=kept, capture_output=True, text=True, timeout=support.PATIENCE, check=False
    )


def build(bench: Bench, text: str) -> Path:
    return bench.build({"prog.c": PROGRAM.format(text)}, "-w")


@pytest.mark.parametrize("name", FAILURES)
def test_a_failed_mapping_is_told_by_the_name_and_place_of_its_item(bench: Bench, name: str) -> None:
    text, message = FAILURES[name]
    done = run(build(bench, text))
    line = PROGRAM[: PROGRAM.index("{0}")].count("\n") + 1 + text[: text.rindex("#pragma")].count("\n")
    line += name == "defaultmap"  # the variable's first use
    said = [line for line in done.stderr.splitlines() if line.startswith("rex: ")]
    assert done.returncode == -signal.SIGABRT
    assert len(said) == 1, done.stderr
    assert said[0].startswith(f"rex: prog.c:{line}:"), said
    assert message in said[0]


MEMBERS = {
    "one that it names": ("step", "data[0 : n]", "step"),
    "one that it uses": ("data[0 : n]", "data[0 : n]", "step"),
}


@pytest.mark.parametrize("case", MEMBERS)
def test_an_object_whose_mapped_part_lacks_a_member_of_the_region_cannot_grow(bench: Bench, case: str) -> None:
    around, mapped, used = MEMBERS[case]
    text = f"""\
struct Field {{
  int step;
  double *data;
  void add(int n) {{
#pragma omp target data map(to : {around})
#pragma omp target map(tofrom : {mapped})
    for (int i = 0; i < n; i++) data[i] += {used};
  }}
}};
int main() {{
  double d[4] = {{1, 2, 3, 4}};
  Field f{{4, d}};
  f.add(4);
}}
"""
    done = run(bench.build({"prog.cpp": text}, "-w"))
    said = [line for line in done.stderr.splitlines() if line.startswith("rex: ")]
    assert done.returncode == -signal.SIGABRT
    assert len(said) == 1, done.stderr
    assert said[0].startswith("rex: prog.cpp:6:")
    assert f"'*this' (16 bytes) cannot be mapped: {GROWS}" in said[0]


WHOLE = f"cannot be mapped: {GROWS}; map all of it where its first part is mapped"
IMPLICIT = {
    "of a method": (
        "prog.cpp",
        """\
struct Field {
  int n, step;
  double *data;
  double add() {
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += data[i]USED;
    return sum;
  }
  double both() {
    double sum = 0;
#pragma omp target data map(to : data[0 : n])
    sum = add();
    return sum;
  }
};
int main() {
  double d[4] = {1, 2, 3, 4};
  Field f{4, 2, d};
  return f.both() != 10;
}
""",
        " * step",
        f"prog.cpp:6:13: '*this' (16 bytes) {WHOLE}",
    ),
    "an array of *this": (
        "prog.cpp",
        """\
struct Field {
  int step;
  double data[4];
  double add() {
    double sum = 0;
#pragma omp target enter data map(to : data)
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 4; i++) sum += data[i]USED;
#pragma omp target exit data map(delete : data)
    return sum;
  }
};
int main() {
  Field f{2, {1, 2, 3, 4}};
  return f.add() != 10;
}
""",
        " * step",
        f"prog.cpp:7:13: '*this' (40 bytes) {WHOLE}",
    ),
    "a number of *this under a condition": (
        "prog.cpp",
        """\
struct Field {
  int n, step;
  int add(bool with) {
    int sum = 0;
#pragma omp target enter data map(to : step)
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 4; i++) sum += (with ? step : n)USED;
#pragma omp target exit data map(delete : step)
    return sum;
  }
};
int main() {
  Field f{4, 2};
  return f.add(true) != 8;
}
""",
        " * n",
        f"prog.cpp:6:13: '*this' (8 bytes) {WHOLE}",
    ),
    "a variable": (
        "prog.c",
        """\
struct field { struct { int n, step; } size; double *data; };
double add(struct field f) {
  double sum = 0;
#pragma omp target enter data map(to : f.data[0 : 4])
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < 4; i++) sum += f.data[i]USED;
#pragma omp target exit data map(delete : f.data[0 : 4])
  return sum;
}
int main(void) {
  double d[4] = {1, 2, 3, 4};
  struct field f = {{4, 2}, d};
  return add(f) != 10;
}
""",
        " * f.size.step",
        f"prog.c:6:38: 'f' (16 bytes) {WHOLE}",
    ),
    "what a pointer points to": (
        "prog.c",
        """\
struct field { int n, step; double *data; };
double add(const struct field *f, int with) {
  double sum = 0;
#pragma omp target enter data map(to : f->data[0 : 4])
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 4; i++) sum += f->data[i] + (with ? f->n : 0)USED;
#pragma omp target exit data map(delete : f->data[0 : 4])
  return sum;
}
int main(void) {
  double d[4] = {1, 2, 3, 4};
  struct field f = {4, 2, d};
  return add(&f, 0) != 10;
}
""",
        " + f->step",
        "prog.c:6:38: 'f->step' is used here, and is not with the other members of its object on device 0; "
        "map all of the object where its first part is mapped",
    ),
}


@pytest.mark.parametrize("case", IMPLICIT)
def test_an_object_without_a_clause_of_which_not_all_is_there_that_the_region_uses(bench: Bench, case: str) -> None:
    name, text, other, message = IMPLICIT[case]
    assert run(bench.build({name: text.replace("USED", "")}, "-w", output="uses_what_is_there")).returncode == 0
    done = run(bench.build({name: text.replace("USED", other)}, "-w"))
    said = [line for line in done.stderr.splitlines() if line.startswith("rex: ")]
    assert done.returncode == -signal.SIGABRT
    assert said == [f"rex: {message}"]


QUIET = {
    "the struct around": "#pragma omp target enter data map(to : a[0 : n])\n"
    "#pragma omp target update to(present : s.p[0 : n])",
    "present": "#pragma omp target data map(a[0 : n], whole)\n"
    "#pragma omp target map(present, tofrom : a[5 : 10], whole)\n  a[5] = whole[2];",
    "nothing": "#pragma omp target enter data map(to : a[0 : n])\n"
    "#pragma omp target update to(present : a[n - 1 : n - 100], a[0 : n - 100 : 2])",
    "gone before the end": "#pragma omp target enter data map(to : whole)\n"
    "#pragma omp target data map(present, to : whole)\n  {\n"
    "#pragma omp target exit data map(delete : whole)\n  }",
    "the host's": "#pragma omp target map(present, tofrom : a[0 : n]) device(omp_get_initial_device())\n  a[1] = 1;",
}


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_said_where_nothing_is_wrong(bench: Bench, name: str) -> None:
    done = run(build(bench, QUIET[name]))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_device_that_does_not_exist_is_told_with_its_place(bench: Bench) -> None:
    done = run(build(bench, "#pragma omp target enter data map(to : whole) device(99)"))
    assert done.returncode == -signal.SIGABRT
    assert re.search(
        r"^rex: prog\.c:11:13: there is no device 99; their numbers end at \d+$", done.stderr, re.MULTILINE
    )


def test_the_users_own_abort_is_no_failed_mapping(bench: Bench) -> None:
    done = run(build(bench, "#pragma omp target map(to : whole)\n  if (whole[0] == 1) abort();"))
    assert (done.returncode, done.stderr) == (-signal.SIGABRT, "")


def test_the_programs_own_handler_stays(bench: Bench) -> None:
    text = (
        "#include <signal.h>\n#include <unistd.h>\n"
        "static void mine(int s) { (void)s; _exit(7); }\n"
        "__attribute__((constructor(101))) static void early(void) { signal(SIGABRT, mine); }\n"
        "int main(void) {\n  static double a[8];\n"
        "#pragma omp target enter data map(to : a[0 : 4])\n#pragma omp target enter data map(to : a[2 : 4])\n"
        "  return 0;\n}\n"
    )
    done = run(bench.build({"prog.c": text}, "-w"))
    assert done.returncode == 7
    assert "rex:" not in done.stderr


@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
def test_an_assertion_shows_what_the_user_wrote(bench: Bench, name: str) -> None:
    source = "#include <assert.h>\n#include <omp.h>\nint main(void) {\n  int limit = 3;\n#pragma omp target teams\n"
    source += '#pragma omp parallel num_threads(2)\n  assert(limit <= omp_get_num_threads() && "enough");\n}\n'
    ended = run(bench.build({name: source}, "-w"))
    assert ended.returncode == -signal.SIGABRT
    assert 'Assertion `limit <= omp_get_num_threads() && "enough"\' failed' in ended.stderr
    assert f"{name}:7: int main(" in ended.stderr
