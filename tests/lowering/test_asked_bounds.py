"""Bounds that are members: the kernel asks whether the device's values are the host's, and has a form for either.

What it computes is compared in ``execution/programs/asked_bounds.cpp``.
"""

from __future__ import annotations

import pytest

from rexcc.program.optimisations import left_out
from support import compiled, translate_text

HEAD = """
struct grid { int nx, ny; float *a, *b; float w; long all; unsigned bits : 5; _Bool is_small; };
struct __attribute__((packed)) odd { char c; int n; };
struct moving { volatile int n; };
void f(struct grid *g, struct grid s, struct odd *o, struct moving *v, float *y, float *z, int n, int t,
       const int *at) {
"""
GRID = "target teams distribute parallel for"
TILED = "y[i * 100 + j] = z[j] + 1;"
IN_TURN = "{ y[i] = z[j]; if (j) z[i + j] = y[i]; }"
NEST = "for (int i = 0; i < g->ny; i++) for (int j = 1; j < g->nx - 1; j++)"
LOOP = "for (int i = 0; i < g->nx; i++)"
ALONE = "{ y[i] = z[i]; if (z[i + 1] > 0) z[i] = y[i]; }"


def texts(loop: str, body: str, clauses: str = "") -> tuple[str, str]:
    """Return the device's and the host's text, with single spaces."""
    found = compiled(f"{HEAD}#pragma omp {GRID} {clauses}\n{loop} {body}\n}}\n")
    return " ".join(found.device.split()), " ".join(found.host.split())


ASKS = "rex_is_hosts<int>(__rex_address_bound_of_{0}, rex_unpack<int>(__rex_packed_bound_of_{0}))"


def test_a_nest_in_tiles_goes_by_what_the_host_has_counted() -> None:
    device, host = texts(NEST, TILED, "collapse(2)")
    asked = f"{ASKS.format('i')} & {ASKS.format('j')} & rex_has_few_tiles("
    assert asked in device
    assert "__code__<long long>(" in device.partition(asked)[2].partition("return; }")[0]
    assert "__code__<rex_narrow_number>(" in device.partition(asked)[2].partition("return; }")[2]
    assert "const int __rex_bound_of_i = rex_bound_of<__rex_nest_number, int>(__rex_address_bound_of_i," in device
    assert "const auto __rex_by_j = rex_divisor_of<__rex_nest_number>(" in device
    assert "rex_tiling(__rex_tripcount, " in host and "rex_extent_bytes(" in host
    assert "wide__" not in device + host


def test_a_nest_has_no_second_iteration_where_the_bounds_are_the_hosts() -> None:
    device, host = texts(NEST, IN_TURN, "collapse(2)")
    assert "& (rex_unpack<long long>(__rex_packed_trips) <= 1ll << 30)" in device
    assert "__rex_iteration = rex_next_count<__rex_nest_number>(__rex_iteration, _dev_thread_num)" in device
    assert "rex_count_of<__rex_nest_number>(__rex_trips, __rex_trips_i * __rex_trips_j)" in device
    assert "rex_extent_bytes(" in host


def test_a_loop_alone_needs_nothing_else() -> None:
    device, host = texts(LOOP, ALONE)
    assert f"if (!( {ASKS.format('i')} ))" in device
    assert "__rex_i = rex_next_count<__rex_nest_number>(__rex_i, _dev_thread_num)" in device
    assert "__rex_packed_trips" not in device + host


def test_forms_for_small_grids_ask_too() -> None:
    device, _ = texts(LOOP, "{ float s = 0; for (int k = 0; k < n; k++) s += z[k * n + i]; y[i] = s; }")
    assert device.count(ASKS.format("i")) == 2
    assert "__small__kernel__" in device


@pytest.mark.parametrize(
    ("loop", "clauses"),
    [
        ("for (int i = 0; i < s.nx; i++)", ""),  # a value already
        ("for (int i = 0; i < g->bits; i++)", ""),
        ("for (int i = 0; i < g->is_small; i++)", ""),
        ("for (int i = 0; i < o->n; i++)", ""),
        ("for (int i = 0; i < v->n; i++)", ""),
        ("for (int i = 0; i < (n > 3 ? g->nx : 0); i++)", ""),  # read under a condition
        ("for (long i = 0; i < g->nx; i++)", ""),
        (LOOP, "num_teams(8)"),
        (LOOP, "thread_limit(t)"),
        (LOOP, "lastprivate(t)"),
        (LOOP, "schedule(static, 4)"),
        (LOOP, "reduction(+: n)"),
    ],
)
def test_others_keep_their_form(loop: str, clauses: str) -> None:
    device, _ = texts(loop, ALONE, clauses)
    assert "rex_is_hosts" not in device and "rex_bound_of<" not in device


def test_an_element_and_a_greater_number_are_asked_for() -> None:
    device, _ = texts("for (int i = at[1]; i < g->all; i++)", ALONE)
    assert "rex_is_hosts<int>(__rex_address_lower_of_i," in device
    assert "rex_is_hosts<long>(__rex_address_bound_of_i, rex_unpack<long>(__rex_packed_bound_of_i))" in device


def test_instances_of_templates_share_a_launch_and_ask_nothing() -> None:
    source = f"""
struct grid {{ int n; }};
template <class T> void g(grid *g, T *y) {{
#pragma omp {GRID}
for (int i = 0; i < g->n; i++) {{ if (y[i] > 0) {{ y[i] = 1; y[i + 1] = 2; }} }}
}}
void f(grid *o, float *y) {{ g(o, y); }}
"""
    assert "rex_is_hosts" not in compiled(source, "x.cpp").device


def test_the_option_leaves_it_out() -> None:
    source = f"{HEAD}#pragma omp {GRID}\n{LOOP} {ALONE}\n}}\n"
    device = translate_text(source, left_out=left_out(["no-divisions"])).device
    assert device is not None and "rex_is_hosts" not in device.text
