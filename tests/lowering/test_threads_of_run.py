"""Loops whose threads only the run knows: one kernel for launches with a thread for each iteration, one for others."""

from __future__ import annotations

import pytest

from rexcc.program.optimisations import left_out
from support import compiled, translate_text

LOOP = "for (int i = 0; i < n; i++)"
INSIDE = "for (int j = 1; j < m; j++) y[j * n + i] = y[(j - 1) * n + i];"
BODY = f"{{ {INSIDE} }}"
CLAUSE = "thread_limit(t)"


def source_of(loop: str, clauses: str, body: str) -> str:
    construct = "target teams distribute parallel for"
    head = (
        "int omp_get_num_teams(void);\n"
        f"static void column(float *y, int n, int m, int i) {{ {INSIDE} }}\n"
        "void f(float *y, int n, int m, unsigned u, long w, int t, const int *at) {\n"
    )
    return f"{head}#pragma omp {construct} {clauses}\n{loop} {body}\n}}\n"


def texts(loop: str = LOOP, clauses: str = CLAUSE, body: str = BODY) -> tuple[str, str]:
    """Return the device's and the host's text, with single spaces."""
    found = compiled(source_of(loop, clauses, body))
    return " ".join(found.device.split()), " ".join(found.host.split())


@pytest.mark.parametrize(
    "clauses",
    [
        CLAUSE,
        "num_threads(t + 1)",
        "num_threads(t) thread_limit(m)",
        "if(parallel: m > 3)",
        "schedule(static, 1) " + CLAUSE,
    ],
)
def test_the_launch_chooses_by_its_threads(clauses: str) -> None:
    device, host = texts(clauses=clauses)
    assert device.count("__global__") == 2 and device.count(INSIDE) == 1
    once, around = (device.index(f"code__<{number}>(") for number in ("rex_narrow_number", "long long"))
    assert once < device.index("#ifdef REX_HAS_WIDE_NESTS") < around
    chosen = host[host.index("void *__host_ptr = rex_may_come_around(__rex_tripcount, _threads_per_block_) ?") :]
    assert chosen.index("wide__id__") < chosen.index(": &OUT__1__f__4__id__;")
    assert "rex_is_small_grid" not in host


@pytest.mark.parametrize(
    ("loop", "trips"),
    [(LOOP, "rex_up_to(n)"), ("for (short i = 3; i <= n; i += 2)", "(unsigned)rex_tripcount_le(3, n, 2)")],
)
def test_a_counter_of_32_bits_stays_one_in_both(loop: str, trips: str) -> None:
    device, _ = texts(loop)
    assert f"const unsigned __rex_trips = {trips};" in device
    step = "__rex_i = rex_next_count<__rex_nest_number>(__rex_i, _dev_thread_num)"
    assert f"for (unsigned __rex_i = _dev_thread_id; __rex_i < __rex_trips; {step})" in device


@pytest.mark.parametrize(
    ("loop", "step"),
    [
        ("for (unsigned i = 2; i <= u; i += 3)", "rex_next_up<__rex_nest_number>(__rex_i, _dev_thread_num * 3)"),
        ("for (int i = n - 1; i >= m; i--)", "rex_next_down<__rex_nest_number>(__rex_i, _dev_thread_num)"),
    ],
)
def test_an_index_of_64_bits_stays_one_in_both(loop: str, step: str) -> None:
    device, _ = texts(loop)
    assert f"__rex_i = {step}" in device
    assert "const long long _dev_thread_id = (long long)blockDim.x * blockIdx.x + threadIdx.x;" in device


NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
SHORT = "if (y[j * n + i] > 3) y[j * n + i] = 1;"


@pytest.mark.parametrize("loop", [NEST, NEST.replace("< m", "< 8"), "for (unsigned i = 0; i < u; i++) " + NEST[28:]])
@pytest.mark.parametrize("clauses", [CLAUSE, "if(parallel: m)"])
def test_short_nests_have_narrow_numbers_in_the_first_form(loop: str, clauses: str) -> None:
    device, host = texts(loop, clauses + " collapse(2)", SHORT)
    assert device.count("__global__") == 2 and device.count(SHORT) == 1
    step = "__rex_iteration = rex_next_count<__rex_nest_number>(__rex_iteration, _dev_thread_num)"
    begin = "for (__rex_nest_number __rex_iteration = _dev_thread_id; __rex_iteration < __rex_nest_trips;"
    assert f"{begin} {step})" in device
    assert "rex_may_come_around(__rex_tripcount, _threads_per_block_) ? &" in host and "rex_is_wide" not in host


@pytest.mark.parametrize(
    ("loop", "clauses", "body"),
    [
        (NEST, "num_teams(m) " + CLAUSE, SHORT),
        (NEST, "reduction(+ : t) " + CLAUSE, "t += y[i] > j;"),
        (NEST, CLAUSE, BODY.replace("j", "k")),
        (NEST.replace("int i = 0; i < n", "long i = 0; i < w"), CLAUSE, SHORT),
        (NEST.replace("i < n", "i < at[0]"), "map(to : at[0:1]) " + CLAUSE, SHORT),
    ],
)
def test_other_nests_have_one_form(loop: str, clauses: str, body: str) -> None:
    device, host = texts(loop, clauses + " collapse(2)", body)
    assert "rex_next_count<" not in device and "rex_may_come_around" not in host


def test_constants_do_not_make_a_nest_sure_of_its_threads() -> None:
    device, host = texts(NEST.replace("< n", "< 256").replace("< m", "< 100"), CLAUSE + " collapse(2)", SHORT)
    assert "rex_may_come_around" in host and "rex_next(" not in device


def test_a_loop_may_stand_in_a_function() -> None:
    device, host = texts(body="column(y, n, m, i);")
    assert "rex_next_count<" in device and "rex_may_come_around" in host


@pytest.mark.parametrize(
    ("loop", "clauses", "body"),
    [
        (LOOP, "", BODY),
        (LOOP, "thread_limit(64)", BODY),
        (LOOP, "thread_limit(2048)", BODY),
        (LOOP, "num_teams(m) " + CLAUSE, BODY),
        (LOOP, "dist_schedule(static, 4) " + CLAUSE, BODY),
        (LOOP, "schedule(static, 4) " + CLAUSE, BODY),
        (LOOP, "reduction(+ : t) " + CLAUSE, f"{{ {INSIDE} t += y[i]; }}"),
        (LOOP, CLAUSE, f"{{ {INSIDE} if (y[i] > omp_get_num_teams()) y[i] = 1; }}"),
        (LOOP, CLAUSE, "{ if (y[i] > 3) y[i + 1] = 1; y[i] = 2; }"),
        (LOOP, CLAUSE, "column(y, n, m, i);" * 80),
        (LOOP, CLAUSE, f"{{ {INSIDE * 30} }}"),
        ("for (long i = 0; i < w; i++)", CLAUSE, BODY),
        ("for (int i = 0; i < at[0]; i++)", "map(to : at[0:1]) " + CLAUSE, BODY),
    ],
)
def test_other_loops_have_one_kernel(loop: str, clauses: str, body: str) -> None:
    device, host = texts(loop, clauses, f"{{ {body} }}")
    assert "rex_next_up<" not in device and "rex_next_count<" not in device and "rex_may_come_around" not in host
    assert INSIDE in device or "y[i] = 2" in device


def test_it_can_be_left_out() -> None:
    found = translate_text(source_of(LOOP, CLAUSE, BODY), "t.c", left_out=left_out(["no-divisions"]))
    assert found.device is not None and found.device.text.count("__global__") == 1
