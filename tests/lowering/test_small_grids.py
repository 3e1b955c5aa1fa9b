"""Kernels with a second form for small grids."""

from __future__ import annotations

import pytest

from support import compiled

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
