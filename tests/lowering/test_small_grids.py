"""Kernels with a second form for small grids."""

from __future__ import annotations

import pytest

from rexcc.program.optimisations import Optimisation
from support import compiled, translate_text

LOOP = "for (int j = 0; j < m; j++) s += a[j];"


def texts(statement: str, clauses: str = "") -> tuple[str, str]:
    """Return the host's and the device's text of a region."""
    source = (
        "void f(int n, int m, double *a, double *y) {\n"
        f"#pragma omp target teams distribute parallel for {clauses}\n"
        f"  for (int i = 0; i < n; i++) {{ double s = 0; {statement} y[i] = s; }}\n}}\n"
    )
    found = compiled(source, "a.c")
    return found.host, found.device


@pytest.mark.parametrize(
    ("statement", "clauses", "is_there"),
    [
        (LOOP, "", True),
        (LOOP, "thread_limit(128)", True),
        ("for (int j = 0; j < 1000; j++) s += a[j];", "", True),
        ("for (int j = 0; j < m; j++) { const double *p = a + j; s += *p; }", "", True),
        ("for (int k = 0; k < m; k++) { for (int j = 0; j < m; j++) s += a[j]; }", "", True),
        ("for (int j = 0; j < 8; j++) s += a[j];", "", False),
        ("for (int j = 0; j < m; j++) s += j;", "", False),
        ("s = a[i];", "", False),
        (LOOP, "thread_limit(1024)", False),  # the usual form has no more registers than this one
        (LOOP, "thread_limit(32)", False),
        (LOOP, "num_teams(m) thread_limit(m)", False),
    ],
)
def test_loops_that_load_have_one(statement: str, clauses: str, is_there: bool) -> None:
    host, device = texts(statement, clauses)
    assert ("rex_is_small_grid(_num_blocks_, _threads_per_block_) ? " in host) is is_there
    assert device.count("__global__") == device.count("__kernel__(") == (2 if is_there else 1)
    assert device.count(statement.split(")")[0]) == 1  # the user's text stands there once


def test_a_multiprocessor_has_room_for_the_widest_block() -> None:
    for threads, blocks in ((64, 16), (128, 8), (192, 5), (256, 4), (512, 2)):
        _, device = texts(LOOP, f"thread_limit({threads})")
        usual, small = (device.index(f"__launch_bounds__({threads}{more})") for more in ("", f", {blocks}"))
        assert usual < small


def test_groups_of_threads_need_none() -> None:
    source = "void f(int n, int m, float *a, float *y) {\n#pragma omp target teams distribute parallel for\n"
    loops = "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) y[i * m + j] = a[i * m + j]; }"
    found = compiled(f"{source}{loops}\n}}\n", "a.c")
    host, device = found.host, found.device
    assert "rex_group_width" in host
    assert "small" not in host + device


FUNCTIONS = """
double unseen(double a);
static double sum(const double *a, int m) { double s = 0; for (int j = 0; j < m; j++) s += a[j]; return s; }
static double at(const double *a, int j) { return a[j]; }
static double around(const double *a, int m) { double s = 0; for (int j = 0; j < m; j++) s += sum(a + j, m); return s; }
static double waits(const double *a, int m) { double s = 0; while (m-- > 0) s += a[m]; return s; }
static double turns(double s, int m) { for (int j = 0; j < m; j++) s = s * s + j; return s; }
"""


@pytest.mark.parametrize(
    ("statement", "is_there"),
    [
        ("s = sum(a, m);", True),
        ("for (int j = 0; j < m; j++) s += at(a, j);", True),
        ("s = around(a, m);", True),  # the loop of 'sum' has no other one inside
        ("s = waits(a, m);", False),
        ("s = turns(a[i], m);", False),
        ("for (int j = 0; j < 9; j++) s += at(a, j);", False),
        ("for (int j = 0; j < m; j++) s += unseen(at(a, j));", False),
        (f"s = sum(a, m); {'s += a[i + n]; ' * 32}", False),  # more elements than twice the registers are enough for
    ],
)
def test_loops_that_load_in_functions(statement: str, is_there: bool) -> None:
    source = f"{FUNCTIONS}void f(int n, int m, double *a, double *y) {{\n"
    source += "#pragma omp target teams distribute parallel for\n"
    found = translate_text(
        f"{source}for (int i = 0; i < n; i++) {{ double s = 0; {statement} y[i] = s; }}\n}}\n", "a.c", alone=False
    )
    assert found.host and found.device
    assert ("rex_is_small_grid(_num_blocks_, _threads_per_block_) ? " in found.host.text) is is_there
    assert ("small__kernel__(" in found.device.text) is is_there


def test_functions_that_clang_makes_no_instances_of_are_seen() -> None:
    given = "#include <utility>\ntemplate <class T> double at(T &&a, int j) { return std::forward<T>(a)[j]; }\n"
    loop = "for (int j = 0; j < m; j++) s += at(a, j);"
    source = "void f(int n, int m, double *a, double *y) {\n#pragma omp target teams distribute parallel for\n"
    text = f"{given}{source}for (int i = 0; i < n; i++) {{ double s = 0; {loop} y[i] = s; }}\n}}\n"
    assert "small__kernel__(" in compiled(text, "a.cpp").device


GIVEN = """
template <class F> void over(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
void f(int n, int m, double *a, double *y) {
  over(n, [=](int i) { double s = 0; for (int j = 0; j < m; j++) s += a[j]; y[i] = s; });
  over(n, [=](int i) { y[i] = a[i]; });
  over(2 * n, [=](int i) { y[i] = a[i] + 1; });
}
"""


def test_instances_choose_their_kernels_by_the_grid() -> None:
    """All instances have one launch. Its key tells which kernel it takes, by the blocks and threads that it has."""
    output = compiled(GIVEN, "a.cpp")
    host = output.host
    assert "void *__host_ptr = OUT__1__over__3__key<F>::id(_num_blocks_, _threads_per_block_);" in host
    assert host.count("static void *id(__INT64_TYPE__ blocks, int threads) { return rex_is_small_grid(") == 1
    assert host.count("static void *id(__INT64_TYPE__, int) { return &OUT__1__over__3__") == 2
    assert output.device.count("__global__") == 4 and output.device.count("small__kernel__(") == 1


@pytest.mark.parametrize("directive", ["target parallel for", "target teams distribute", "target"])
def test_instances_of_other_constructs_have_one_kernel(directive: str) -> None:
    host = compiled(GIVEN.replace("target teams distribute parallel for", directive), "a.cpp").host
    assert "key<F>::id();" in host and "small__" not in host


def test_an_option_leaves_out_second_kernels_of_instances() -> None:
    found = translate_text(GIVEN, "a.cpp", left_out=frozenset({Optimisation.SMALL_GRIDS}))
    assert found.host and "key<F>::id();" in found.host.text and "small__" not in found.host.text
