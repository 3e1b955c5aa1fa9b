"""Host files have no warnings but the user's, so that whoever makes errors of warnings can compile them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import support

INCLUDE = Path(__file__).parents[2] / "src/rexcc/runtime/include"

_ALIKE = (
    "-Wall -Wextra -Wpedantic -Wshadow -Wcast-qual -Wcast-align -Wconversion -Wsign-conversion -Wundef -Wvla "
    "-Wredundant-decls -Wmissing-declarations -Wdouble-promotion -Wnull-dereference -Wfloat-equal -Wswitch-default "
    "-Wunused-macros"
)
ALIKE = _ALIKE.split()
OPTIONS = {
    ("gcc", "c"): "-Wdeclaration-after-statement -Wmissing-prototypes -Wold-style-definition -Wstrict-prototypes "
    "-Wbad-function-cast -Wtraditional-conversion -Wjump-misses-init -Wlogical-op -Wduplicated-branches",
    ("gcc", "c++"): "-Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant -Weffc++ -Wredundant-tags "
    "-Wmissing-declarations -Wlogical-op -Wduplicated-branches",
    ("clang", "c"): "-Weverything -Wno-unsafe-buffer-usage -Wno-padded",
    ("clang", "c++"): "-Weverything -Wno-unsafe-buffer-usage -Wno-c++98-compat -Wno-c++98-compat-pedantic "
    "-Wno-pre-c++14-compat -Wno-pre-c++17-compat -Wno-padded -Wno-reserved-identifier -Wno-unused-member-function "
    "-Wno-c++98-compat-local-type-template-args",
}

SUFFIX = {"c": "c", "c++": "cpp"}
C = """extern int printf(const char *, ...);
typedef struct { int n; double *p; } vec;
#pragma omp declare mapper(vec v) map(v, v.p[0 : v.n])
static double total(int n, const double *a, vec v) {
  double sum = 0;
#pragma omp target data map(to : a[0 : n])
  {
#pragma omp target data map(to : v)
    {
#pragma omp target teams distribute parallel for reduction(+ : sum) num_teams(n > 9 ? 9 : n)
      for (int i = 0; i < n; i++) sum += a[i] * v.p[i];
#pragma omp target update from(v.p[0 : 2])
#pragma omp target nowait depend(inout : sum) map(tofrom : sum)
      sum += v.p[0];
#pragma omp taskwait
    }
  }
  return sum;
}
static int fill(int n, int *q) {
#pragma omp target teams distribute parallel for map(from : q[0 : n])
  for (int i = 0; i < n; i++) q[i] = i;
  return n;
}
int main(void) {
  double a[4] = {1, 2, 3, 4};
  int q[4];
  int few = fill(4, q);
  int more = fill(3, q);
  vec v = {4, a};
  double result = total(4, a, v);
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(from : a)
  printf("%g %d %d\\n", result, few, more);
  return 0;
}
"""

CXX = """extern "C" int printf(const char *, ...);
namespace {
template <class F> void each(int n, F body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) body(i);
}
template <int (*...F)(int)> int chained(int n) {
  int last = n;
#pragma omp target map(tofrom : last)
  (void)((last = F(last)), ...);
  return last;
}
int more(int i) { return i + 1; }
template <class T> struct Sums {
  const T *values;
  T total(int n) const {
    T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : values[0 : n])
    for (int i = 0; i < n; i++) sum += values[i];
    return sum;
  }
};
}
int main() {
  using Value = double;
  typedef const Value Constant;
  constexpr int by = 4;
  static const int table[] = {1, 2};
  Value a[8] = {};
  const Value few[2] = {1, 2};
#pragma omp target data map(tofrom : a)
  {
    Value *p = a;
    each(8, [=](int i) { Constant c = Value(i) * by; p[i] = c + few[i % 2] + table[i % 2]; });
  }
  printf("%g %g %d\\n", a[7], Sums<Value>{a}.total(8), chained<more, more>(3));
  return 0;
}
"""

ASKED = """
void step(float *a, int n);
void shift(double *a, int n);
void scale(int n, float *p);
void scale(int n, float *p) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) p[i] *= 2.0f;
}
void in_turn(float *a, double *b, int n);
void in_turn(float *a, double *b, int n) {
  for (int k = 0; k < 9; k++) {
    step(a, n);
    shift(b, n);
  }
}
"""

_NAMES = [f"p{number}" for number in range(40)]
_GIVEN = ", ".join(f"T *{name}" for name in _NAMES)
LONG = f"""
template <class T> void all(long n, {_GIVEN}) {{
#pragma omp target teams distribute parallel for map(tofrom : {", ".join(f"{name}[0 : n]" for name in _NAMES)})
  for (long i = 0; i < n; i++) {{ {" ".join(f"{name}[i] += T(1);" for name in _NAMES)} }}
}}
int main() {{
  double a[4] = {{1, 2, 3, 4}};
  all(4{", a" * len(_NAMES)});
}}
"""
"""Launch blocks of many lines, which count as one of the user's, in a template: gcc warns at the end of the file."""


NAMED_ONCE = """#include <omp.h>
#define MANY few_of(8)
#define few_of(x) ((x) + 8)
#define EACH(p, n) \\
  _Pragma("omp target teams distribute parallel for map(tofrom : p[0 : n])") \\
  for (int i = 0; i < MOST(n); i++) p[i] ADD 1;
#define MOST(n) (n)
#define ADD +=
void f(int n, int *p);
void f(int n, int *p) {
  const int lanes = 8, few = 4;
  omp_alloctrait_t traits[1] = {{omp_atk_alignment, 64}};
  omp_allocator_handle_t mine = omp_null_allocator;
  int one = 1;
#pragma omp target teams distribute parallel for simd safelen(lanes) simdlen(few) map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) p[i]++;
#pragma omp target uses_allocators(mine(traits)) firstprivate(one) allocate(mine : one) map(tofrom : p[0 : n])
  p[0] += one;
  EACH(p, n)
#pragma omp target teams distribute parallel for simd simdlen(MANY) map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) p[i]++;
}
"""
"""Variables and macros that only clauses name which the host has no use of, or what is written out."""


@pytest.mark.builds
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("language", "text"), [("c", C), ("c++", CXX), ("c++", LONG), ("c", NAMED_ONCE), ("c++", NAMED_ONCE)]
)
def test_generated_text_has_no_warnings(tmp_path: Path, compiler: str, language: str, text: str) -> None:
    (tmp_path / f"t.{SUFFIX[language]}").write_text(text)
    for is_kept in (True, False):  # which lines count as the user's differs
        found = support.translate_text(text, f"t.{SUFFIX[language]}", is_kept=is_kept).host
        assert found is not None
        assert said_of(found.text, tmp_path, compiler, language) == ""


@pytest.mark.builds
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("language", SUFFIX)
def test_questions_about_functions_of_other_files_have_no_warnings(
    tmp_path: Path, compiler: str, language: str
) -> None:
    found = support.translate_text(ASKED, f"t.{SUFFIX[language]}", alone=False, is_kept=False).host
    assert found is not None
    assert "(REX_IS_QUIET(" in found.text
    assert said_of(found.text, tmp_path, compiler, language) == ""


def said_of(host: str, folder: Path, compiler: str, language: str) -> str:
    """Return what a compiler says of a host file's text."""
    (folder / f"rose_t.{SUFFIX[language]}").write_text(host)
    command = {"gcc": {"c": "gcc", "c++": "g++"}, "clang": {"c": "clang-19", "c++": "clang++-19"}}[compiler][language]
    options = [
        *ALIKE,
        *OPTIONS[compiler, language].split(),
        "-fsyntax-only",
        "-Werror",
        "-fopenmp",
        "-isystem",
        INCLUDE,
    ]
    options += ["-DREX_LLVM_VERSION=19", '-DREX_IMAGE_DIR="."', *(["-std=c++17"] if language == "c++" else [])]
    line = [command, *options, f"rose_t.{SUFFIX[language]}"]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False).stderr
