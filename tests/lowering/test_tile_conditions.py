"""Loops of one condition, four of which a thread evaluates side by side: which they are, and what they become."""

from __future__ import annotations

import pytest

from support import Output, compiled

PARAMETERS = "int *y, int *x, unsigned char *b, int n, int m, const int *at, volatile int *port, int **rows"
LOOP = "for (int i = 0; i < n; i++)"


def output(body: str, loop: str = LOOP, clauses: str = "", before: str = "") -> Output:
    head = f"#include <stdlib.h>\nint g(int v) {{ return v > 2 ? g(v - 1) : v; }}\nvoid f({PARAMETERS}) {{\n"
    return compiled(f"{head}{before}#pragma omp target teams distribute parallel for {clauses}\n{loop} {body}\n}}\n")


def kernel(body: str, loop: str = LOOP, clauses: str = "", before: str = "") -> str:
    return output(body, loop, clauses, before).kernels[0].body


FORM = """
  const long long __rex_trips = n;
  #pragma unroll 1
  for (long long __rex_first = _dev_thread_id; __rex_first < __rex_trips; __rex_first += REX_TILE * _dev_thread_num) {
    bool __rex_holds[REX_TILE];
    #pragma unroll
    for (int __rex_part = 0; __rex_part < REX_TILE; __rex_part++) {
      const long long __rex_i = rex_part(__rex_first, __rex_part * _dev_thread_num, __rex_trips);
      int i = (int)__rex_i;
      __rex_holds[__rex_part] = x[i] > m;
    }
    #pragma unroll
    for (int __rex_part = 0; __rex_part < REX_TILE; __rex_part++) {
      const long long __rex_i = __rex_first + __rex_part * _dev_thread_num;
      if (__rex_i >= __rex_trips) break;
      int i = (int)__rex_i;
#line 5 "t.c"
      if (__rex_holds[__rex_part]) y[i] = x[i];
    }
  }
"""


def test_conditions_come_first_and_what_they_decide_after_them() -> None:
    assert FORM in kernel("if (x[i] > m) y[i] = x[i];") + "\n"


@pytest.mark.parametrize(
    ("body", "used"),
    [("*y += 1;", False), ("*y = i;", True), ("*y = HERE;", True), ("{ int k = 3; *y = k; }", False)],
)
def test_the_index_stands_where_it_is_used(body: str, used: bool) -> None:
    text = kernel(f"if (x[i] > m) {body}", before="#define HERE (i + 1)\n")
    second = text.split("#pragma unroll\n")[-1]
    assert ("int i = (int)__rex_i;" in second) == used


def test_the_grid_is_smaller_by_the_tile() -> None:
    assert (
        "rex_tiled_blocks(__device_id, __rex_tripcount, _threads_per_block_, 4)"
        in output("if (x[i] > m) y[i] = x[i];").host
    )


def test_the_text_of_the_iteration_stands_once_and_its_condition_where_it_is_evaluated() -> None:
    text = kernel("{\n  if (x[i] && b[i] < 3)\n    y[i] = 1;\n  else y[i]++;\n}")
    assert text.count("x[i] && b[i] < 3") == 1 and text.count("y[i] = 1") == 1
    assert "  if (__rex_holds[__rex_part])\n    y[i] = 1;\n  else y[i]++;\n" in text


def test_locals_are_declared_where_they_are_used() -> None:
    clauses = "map(to : x[0:n], at[0:n]) map(from : y[0:n])"
    text = kernel("if (x[i] > 3 || x[i] < at[i]) y[i] = at[i] * at[i];", clauses=clauses)
    first, second = text.split("bool __rex_holds[REX_TILE];")[1].split("    #pragma unroll\n", 2)[1:]
    assert "const int __rex_cached_x = " in first and "__rex_cached_x" not in second
    assert "const int __rex_cached_at = " in first and "const int __rex_cached_at = " in second


HOLD = [
    pytest.param("if (x[i]) { y[i] = 1; y[i + n] = x[i]++; }", LOOP, "", id="any assignments"),
    pytest.param("if (x[i]) { if (y[i]) y[i] = 0; else { int t = x[i]; y[i] = t; } }", LOOP, "", id="conditions in it"),
    pytest.param("if (x[i])\n{\n#pragma omp atomic\n y[0] *= 3;\n}", LOOP, "", id="atomic"),
    pytest.param("if (abs(x[i]) > 2) y[i] = 0;", "for (long i = n; i > 2; i -= 3)", "thread_limit(64)", id="any loop"),
]


@pytest.mark.parametrize(("body", "loop", "clauses"), HOLD)
def test_what_may_depend_on_the_condition(body: str, loop: str, clauses: str) -> None:
    assert "__rex_holds" in kernel(body, loop, clauses)


DO_NOT = [
    pytest.param("if (m > 3) y[i] = x[i];", "", id="nothing is loaded for the condition"),
    pytest.param("if (x[i]) for (int k = 0; k < 9; k++) y[i] += k;", "", id="a loop under it"),
    pytest.param("if (x[i]) y[i] = g(i);", "", id="a call under it"),
    pytest.param("if (g(x[i])) y[i] = 1;", "", id="a call in it"),
    pytest.param("if (x[i]++) y[i] = 1;", "", id="a change in it"),
    pytest.param("if (port[i]) y[i] = 1;", "", id="volatile"),
    pytest.param("if (rows[i][0]) y[i] = 1;", "", id="memory that is not known"),
    pytest.param("if (x[i] > m) { m++; y[i] = 1; }", "firstprivate(m)", id="a thread's own variable"),
    pytest.param("{ int own[2] = {1, 2}; if (own[i % 2]) y[i] = 1; }", "", id="a declaration before it"),
    pytest.param("{ if (x[i]) y[i] = 1; y[i]++; }", "", id="a statement behind it"),
    pytest.param("if (x[i]) y[i] = 1;", "num_teams(8)", id="the program's teams"),
    pytest.param("if (x[i]) y[i] = 1;", "schedule(static, 4)", id="chunks"),
    pytest.param("if (x[i]) m = i;", "lastprivate(m)", id="a last value"),
    pytest.param("if (x[i]) m += i;", "reduction(+ : m)", id="a reduction"),
    pytest.param("if (/* all */ x[i]) y[i] = 1;", "", id="a comment in it"),
    pytest.param("if (x[i])\n{\n#pragma omp critical\n y[0] += 1;\n}", "", id="critical"),
]


@pytest.mark.parametrize(("body", "clauses"), DO_NOT)
def test_other_loops_go_on_one_by_one(body: str, clauses: str) -> None:
    assert "__rex_holds" not in kernel(body, LOOP, clauses)


def test_a_private_array_may_decide_about_the_next_iteration() -> None:
    before = "int own[4] = {1, 1, 1, 1};\n"
    body = "if (own[i % 4] + x[i]) { own[i % 4] = 0; y[i] = 1; }"
    assert "__rex_holds" not in kernel(body, LOOP, "firstprivate(own)", before)


def test_choices_among_values_are_tiled() -> None:
    choice = (
        "{ const int *p = at; int k = i; if (i % m < 3) { p = x; } else { k -= 3; if (k < 5) k = 6; } y[i] = p[k]; }"
    )
    text = kernel(choice, clauses="map(to : x[0:n], at[0:n]) map(from : y[0:n])")
    assert (
        "__rex_place_y[__rex_part] = &y[i];" in text and "if (rex_remainder(i, m, __rex_over_m) < 3) { p = x; }" in text
    )
    stored = "{ int k = i; if (x[i]) y[i] = 3; b[i] = k; }"
    assert "__rex_place" not in kernel(stored, clauses="map(to : x[0:n]) map(from : y[0:n], b[0:n])")
    looped = "{ int k = i; if (x[i]) while (k > 5) k /= 2; y[i] = k; }"
    assert "__rex_place" not in kernel(looped, clauses="map(to : x[0:n]) map(from : y[0:n])")


@pytest.mark.parametrize(
    ("function", "is_light"),
    [
        ("static int h(int i, int j) { return i * 3 + (j > 2 ? j : -j); }", True),
        ("static int h(int i, int j) { return i / 2 + g(j); }", False),
        ("static int h(int i, int j) { i++; return i * j; }", False),
        ("static int h(int i, int j) { return i += j; }", False),
        ("int total; static int h(int i, int j) { return i + total; }", True),
        ("static int h(int i, int j) { static int k; return i + j; }", False),
    ],
)
def test_functions_that_only_compute_and_read_are_tiled(function: str, is_light: bool) -> None:
    head = "#pragma omp declare target\nint g(int v) { return v > 2 ? g(v - 1) : v; }\n"
    source = f"{head}{function}\n#pragma omp end declare target\n"
    body = "#pragma omp target teams distribute parallel for map(to : x[0:n]) map(from : y[0:n])\n"
    text = compiled(f"{source}void f(int *x, int *y, int n) {{\n{body}{LOOP} y[i] = h(x[i], i);\n}}\n").kernels[0].body
    assert ("__rex_place_y" in text) == is_light
