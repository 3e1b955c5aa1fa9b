"""Virtual functions on objects that other files of the program have made, of classes that a file knows or does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import support
from support import Bench

HEADER = """
#pragma once
#pragma omp begin declare target
struct Shape {
  virtual int area(int n) const = 0;
  virtual int id() const { return 1; }
};
struct Square : Shape {
  int side = 4;
  int area(int n) const override { return side * n; }
};
struct Elsewhere : Shape { // its table is in the file that has unused()
  int k = 6;
  int area(int n) const override { return k + n; }
  int id() const override { return 2; }
  virtual int unused() const;
};
#pragma omp end declare target
int region(Shape *s, unsigned long bytes);
int other_region(Shape *s, unsigned long bytes);
int of_class(int which);
int of_class_here(int which);
"""
LOCAL = """
#include "shapes.h"
#include <stdio.h>
namespace {
struct Local : Shape { // each file has one
  int k = FACTOR;
  int area(int n) const override { return n * k; }
};
} // namespace
int REGION(Shape *s, unsigned long bytes) {
  char *all = (char *)s;
  int r = 0;
#pragma omp target data map(tofrom : all[0 : bytes])
#pragma omp target map(from : r) map(to : s[0:1])
  r = s->area(10) * 10 + s->id();
  return r;
}
"""
MAIN = """
int main() {
  for (int i = 0; i < 3; i++) printf("%d %d\\n", of_class(i), of_class_here(i));
}
int of_class_here(int which) {
  Square square;
  Elsewhere elsewhere;
  Local local;
  if (which == 0) return region(&square, sizeof square);
  return which == 1 ? region(&elsewhere, sizeof elsewhere) : region(&local, sizeof local);
}
"""
OTHER = """
int Elsewhere::unused() const {
  puts("never");
  return 0;
}
int of_class(int which) {
  Square square;
  Elsewhere elsewhere;
  Local local;
  if (which == 0) return region(&square, sizeof square) + other_region(&square, sizeof square);
  if (which == 1) return region(&elsewhere, sizeof elsewhere) + other_region(&elsewhere, sizeof elsewhere);
  return other_region(&local, sizeof local);
}
"""
UNKNOWN = MAIN.replace("which == 1 ?", "which > 1 ? other_region(&local, sizeof local) : which == 1 ?")


def files(main: str) -> dict[str, str]:
    """Return a program of two files, each with a region of its own and a class that the other one does not know."""
    first = "#define FACTOR 7\n#define REGION region\n"
    second = "#define FACTOR 9\n#define REGION other_region\n"
    return {"shapes.h": HEADER, "main.cpp": first + LOCAL + main, "other.cpp": second + LOCAL + OTHER}


@pytest.mark.parametrize("main", [MAIN, UNKNOWN])
def test_device_host_and_plain_execution_agree(bench: Bench, main: str) -> None:
    support.require_runtime()
    program = bench.build(files(main), "-w")
    expected = bench.plain(files(main))
    assert support.on_device(program) == expected
    assert support.on_host(program) == expected


@pytest.mark.parametrize(
    ("compiler", "flag"), support.sampled([("gcc", "-O2"), ("gcc", "-fno-rtti"), ("clang-19", "-fPIC")], 3)
)
def test_tables_are_found_with_all_compilers(bench: Bench, compiler: str, flag: str) -> None:
    support.require_runtime()
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    name = "virtual_host_objects.cpp"
    program = {name: (Path(__file__).parent / "programs" / name).read_text()}
    assert support.on_device(bench.build(program, f"--host-compiler={compiler}", flag, "-w")) == bench.plain(program)
