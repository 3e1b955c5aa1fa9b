"""Loops with a thread for each iteration: which are sure to be, and that nothing of the loop is left on a GPU.

Texts of kernels are looked at; all programs of ``execution`` with such loops run on the CPU device, whose threads are
few.
"""

from __future__ import annotations

import pytest

from support import compiled

PARAMETERS = "float *y, int n, int m, unsigned u, long w, const int *at, int from, int to, int step"
BODY = "{ if (y[i] > 3) y[i + 1] = 1; y[i] = 2; }"


def kernel(loop: str, clauses: str = "", construct: str = "teams distribute parallel for", body: str = BODY) -> str:
    head = f"#define W 64\nint all = 3;\nvoid f({PARAMETERS}) {{\n"
    source = f"{head}#pragma omp target {construct} {clauses}\n{loop} {body}\n}}\n"
    return compiled(source).kernels[0].body


NUMBER = "blockDim.x * blockIdx.x + threadIdx.x;"
SMALL = "const long long _dev_thread_id = (int)(blockDim.x * blockIdx.x + threadIdx.x);"


@pytest.mark.parametrize(
    ("loop", "header"),
    [
        (
            "for (int i = 0; i < n; i++)",
            "for (long long __rex_i = _dev_thread_id; __rex_i < n; __rex_i = rex_next_up(__rex_i, _dev_thread_num)) {",
        ),
        (
            "for (unsigned i = 2; i <= u; i += 3)",
            "for (long long __rex_i = 2 + _dev_thread_id * 3; __rex_i <= u; "
            "__rex_i = rex_next_up(__rex_i, _dev_thread_num * 3)) {",
        ),
        (
            "for (int i = n - 1; i >= m; i--)",
            "for (long long __rex_i = (n - 1) - _dev_thread_id; __rex_i >= m; "
            "__rex_i = rex_next_down(__rex_i, _dev_thread_num)) {",
        ),
    ],
)
def test_a_thread_of_a_gpu_does_not_come_around_again(loop: str, header: str) -> None:
    text = kernel(loop)
    assert header in text
    assert "#pragma unroll" not in text


def test_numbers_of_32_bits_suffice_where_the_index_counts_up_from_a_constant() -> None:
    assert SMALL in kernel("for (int i = 0; i < n; i++)")
    text = kernel("for (int i = m; i < n; i++)")  # perhaps 2**32 - 1 iterations
    assert SMALL not in text and f"const long long _dev_thread_id = {NUMBER}" in text
    text = kernel("for (unsigned i = 0; i < u; i++)")  # the same: a thread beyond 2**31 has no negative number
    assert SMALL not in text and f"const long long _dev_thread_id = {NUMBER}" in text


def test_the_last_of_odd_blocks_may_go_beyond_32_bits() -> None:
    text = kernel("for (int i = 0; i < n; i++)", "thread_limit(96)")
    assert f"const long long _dev_thread_id = (long long){NUMBER}" in text
    assert SMALL in kernel("for (int i = 0; i < n; i++)", "thread_limit(64)")


@pytest.mark.parametrize(
    ("loop", "clauses"),
    [
        pytest.param("for (int i = 0; i < n; i++)", "num_teams(100)", id="the program's teams"),
        pytest.param(
            "for (int i = 0; i < n; i++)", "num_teams((n + 255) / 256) thread_limit(256)", id="perhaps enough"
        ),
        pytest.param("for (int i = 0; i < n; i++)", "thread_limit(m)", id="perhaps more threads than a block can have"),
        pytest.param("for (int i = 0; i < n; i++)", "thread_limit(W) num_threads(m)", id="perhaps fewer than that"),
        pytest.param("for (int i = 0; i < n; i++)", "num_threads(W) if(parallel: m > 3)", id="perhaps only one"),
        pytest.param("for (int i = 0; i < n; i++)", "num_threads(8)", id="perhaps more blocks than a grid can have"),
        pytest.param("for (int i = 0; i < n; i++)", "if(teams: m > 3)", id="perhaps one team"),
        pytest.param("for (int i = 0; i < n; i++)", "if(parallel: m > 3)", id="perhaps one thread"),
        pytest.param("for (int i = 0; i < n; i++)", "map(tofrom : n)", id="another number on the device"),
        pytest.param("for (int i = 0; i < all; i++)", "map(to : all)", id="perhaps another number on the device"),
        pytest.param("for (long i = 0; i < w; i++)", "", id="perhaps more iterations than a grid has threads"),
        pytest.param("for (int i = 0; i < at[0]; i++)", "is_device_ptr(at)", id="the device's memory"),
        pytest.param("for (int i = 0; i < *at; i++)", "is_device_ptr(at)", id="the device's memory too"),
        pytest.param(
            "for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++)",
            "collapse(2) map(tofrom : n)",
            id="a nest's bound",
        ),
    ],
)
def test_other_threads_come_around(loop: str, clauses: str) -> None:
    assert "rex_next" not in kernel(loop, clauses)


@pytest.mark.parametrize("construct", ["parallel for num_threads(64)", "teams distribute num_teams(9)", "simd"])
def test_other_constructs_have_other_threads(construct: str) -> None:
    assert "rex_next" not in kernel("for (int i = 0; i < n; i++)", "", construct)


@pytest.mark.parametrize(
    "clauses", ["thread_limit(64)", "num_threads(128)", "simdlen(4)", "map(to : y[0:n])", "num_threads(W * 2)"]
)
def test_a_constant_number_of_threads_is_as_good(clauses: str) -> None:
    construct = "teams distribute parallel for" + (" simd" if "simd" in clauses else "")
    assert "rex_next_up" in kernel("for (int i = from; i < to; i += step)", clauses, construct)
