"""Reductions: the iterations that a thread has before there are more than a few blocks, and whose room bounds them."""

from __future__ import annotations

import re

import pytest

from support import compiled

HEAD = """
#include <math.h>
static double half(double v) { return v * 0.5; }
static double total(const double *a, int m) { double s = 0; for (int j = 0; j < m; j++) s += a[j]; return s; }
"""
SHORT = "a += x[i]; b += x[i] * y[i];"
FEW, MANY, LONG, ONE = 16, 32, 4, 1


def asked(clauses: str, statement: str, grid: str = "target teams distribute parallel for") -> list[str]:
    """The operands of a launch block's function for the blocks of a kernel that joins values."""
    source = f"""{HEAD}
void f(int n, int m, const double *x, const double *y, const int *k, int *h) {{
  double a = 0, b = 0, c = 0, d = 0, most = 0, row[6] = {{0}}, wide[33] = {{0}};
#pragma omp {grid} map(to : x[0:n], y[0:n], k[0:n]) map(tofrom : h[0:9]) {clauses}
  for (int i = 0; i < n; i++) {{ {statement} }}
}}
"""
    host = compiled(source).host
    found = re.findall(r"int _num_blocks_ =\s+rex_(\w+)\(([^;]*)\);", host)
    assert len(found) == 1
    assert found[0][0] == "default_blocks_reduction"
    return [operand.strip() for operand in found[0][1].split(",")]


@pytest.mark.parametrize(
    ("clauses", "statement", "least"),
    [
        ("reduction(+ : a)", "a += x[i];", ONE),
        ("reduction(max : most)", "for (int j = 0; j < m; j++) if (x[i] > most) most = x[i];", ONE),
        ("reduction(+ : a, b)", SHORT, FEW),
        ("reduction(+ : a) reduction(max : most)", "a += x[i]; if (x[i] > most) most = x[i];", FEW),
        ("reduction(+ : a, b) reduction(max : most)", SHORT + " most = fmax(most, x[i]);", FEW),
        ("reduction(+ : a, b)", "a += half(x[i]); b += 1;", FEW),
        ("reduction(+ : a, b, c, d)", SHORT + " c++; d += y[i];", MANY),
        ("reduction(+ : row)", "row[k[i]] += x[i];", MANY),
        ("reduction(+ : row, a)", "row[k[i]] += exp(x[i]); a += 1;", LONG),
        ("reduction(+ : row[0:3])", "row[k[i]] += x[i];", MANY),
        ("reduction(+ : h[0:9])", "h[k[i]]++;", ONE),
        ("reduction(+ : wide)", "wide[k[i]] += x[i];", ONE),
        ("reduction(+ : a, b, wide)", "a += x[i]; b += x[i]; wide[k[i]] += x[i];", ONE),
        ("reduction(+ : a, b)", "for (int j = 0; j < m; j++) { a += x[j]; b += y[i]; }", LONG),
        ("reduction(+ : a, b)", "int j = i; while (j > 0) { a += x[j]; b += y[i]; j = k[j]; }", LONG),
        ("reduction(+ : a, b)", "a += total(x, m); b += 1;", LONG),
        ("reduction(+ : a, b)", "a += exp(x[i]); b += sqrt(y[i]) / x[i];", LONG),
        ("reduction(+ : a, b)", " ".join(f"a += x[{j} * i]; b -= y[i + {j}];" for j in range(1, 6)), LONG),
    ],
)
def test_threads_have_iterations_before_more_blocks_join_values(clauses: str, statement: str, least: int) -> None:
    assert asked(clauses, statement)[-1] == str(least)


def test_the_usual_form_of_a_kernel_says_how_many_blocks_find_room() -> None:
    """Also where its launches choose between two forms."""
    operands = asked("reduction(+ : a)", "for (int j = 0; j < m; j++) a += x[j] * y[i];")
    assert re.fullmatch(r"&OUT__1__f__\d+__id__", operands[3])
    inside = "parallel default(none) shared(n, m, x, y, k, h)"
    source = f"""void f(int n, double *x) {{
  double a = 0;
#pragma omp {inside.split(" shared")[0]} shared(n, x, a)
#pragma omp target teams distribute parallel for reduction(+ : a) map(to : x[0:n])
  for (int i = 0; i < n; i++) a += x[i];
}}
"""
    assert re.search(r"OUT__1__f__\d+__key__\(\), 1\);", compiled(source).host)


def test_instances_of_a_template_have_room_of_their_own() -> None:
    source = """template <class T> T f(int n, const T *x) {
  T a = 0, b = 0;
#pragma omp target teams distribute parallel for reduction(+ : a, b) map(to : x[0:n])
  for (int i = 0; i < n; i++) { a += x[i]; b += 1; }
  return a + b;
}
double g(int n, const double *x, const float *y) { return f(n, x) + f(n, y); }
"""
    host = compiled(source, "t.cpp").host
    found = re.findall(r"int _num_blocks_ =\s+rex_default_blocks_reduction\(([^;]*)\);", host)
    assert len(found) == 1
    assert re.search(r"key<T>::id\(\),\s+16$", found[0])


def test_what_the_program_says_is_kept() -> None:
    source = """void f(int n, const double *x) {
  double a = 0, b = 0;
#pragma omp target teams distribute parallel for num_teams(500) num_threads(96) reduction(+ : a, b) map(to : x[0:n])
  for (int i = 0; i < n; i++) { a += x[i]; b += 1; }
}
"""
    host = compiled(source).host
    assert re.search(r"int _num_blocks_ = .*500", host)
    assert "rex_default_blocks_reduction" not in host
