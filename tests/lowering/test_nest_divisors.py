"""Collapsed loops whose indices are found by multiplication: which they are, and what host and kernel do."""

from __future__ import annotations

import pytest

from support import compiled

PARAMETERS = "float *y, int n, int m, unsigned u, long w, const int *at"
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
TRIPLE = "for (int k = 0; k < 5; k++) for (long i = 3; i <= w; i += 2) for (unsigned j = u; j > 0; j--)"
BODY = "if (y[i + j] > 3) y[i] = 1;"


def parts(
    loops: str, clauses: str, body: str = BODY, construct: str = "teams distribute parallel for"
) -> tuple[str, str]:
    """Return the texts of kernel and host file."""
    source = f"int all = 3;\nvoid f({PARAMETERS}) {{\n#pragma omp target {construct} {clauses}\n{loops} {body}\n}}\n"
    output = compiled(source)
    return output.kernels[0].body, output.host


def test_a_nest_has_no_division() -> None:
    kernel, host = parts(NEST, "collapse(2)")
    assert "  const long long __rex_trips = rex_unpack<long long>(__rex_packed_trips);\n" in kernel
    assert "  const rex_divisor __rex_by_j = rex_unpack<rex_divisor>(__rex_packed_by_j);\n" in kernel
    assert "  const __rex_nest_number __rex_trips_j = m;\n" in kernel and "__rex_trips_i" not in kernel
    assert "rex_divmod(__rex_iteration, __rex_trips_j, __rex_by_j, &__rex_above_j, &__rex_j);" in kernel
    assert "(void *)(__UINTPTR_TYPE__)__rex_tripcount," in host
    assert "(void *)(__UINTPTR_TYPE__)rex_extent_bytes(rex_tripcount_lt(0, m, 1), __rex_tripcount)" in host


def test_a_thread_of_a_gpu_has_one_iteration_of_a_nest() -> None:
    header = (
        "  for (__rex_nest_number __rex_iteration = _dev_thread_id; __rex_iteration < __rex_nest_trips;\n"
        "       __rex_iteration = rex_next(__rex_iteration, _dev_thread_num, __rex_nest_trips)) {\n"
    )
    assert header in parts(NEST, "collapse(2)")[0]
    assert header in parts(NEST, "collapse(2) thread_limit(32)")[0]


CONSTANTS = [
    "for (int i = 0; i < 256; i++) for (int j = 0; j < 100; j++)",
    "for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++)",
]


@pytest.mark.parametrize("loops", CONSTANTS)
def test_so_has_one_whose_divisors_the_compiler_makes(loops: str) -> None:
    kernel = parts(loops, "collapse(2)")[0]
    assert "__rex_iteration = rex_next(__rex_iteration, _dev_thread_num, __rex_nest_trips)) {" in kernel
    number = "unsigned" if "256" in loops else "__rex_nest_number"  # constants say that there are few iterations
    assert "__rex_by" not in kernel and f"const {number} __rex_nest_trips = __rex_trips_i * __rex_trips_j;" in kernel


@pytest.mark.parametrize(
    "clauses", ["num_teams(8)", "thread_limit(16)", "num_teams(8) if(parallel: m)", "map(tofrom : n)"]
)
def test_it_comes_around_in_other_grids(clauses: str) -> None:
    kernel = parts(CONSTANTS[1], f"collapse(2) {clauses}")[0]
    assert "__rex_iteration < __rex_trips; __rex_iteration += _dev_thread_num) {" in kernel


@pytest.mark.parametrize(
    "clauses", ["num_teams(8)", "thread_limit(16)", "num_teams(8) thread_limit(m)", "num_teams(8) if(parallel: m)"]
)
def test_other_grids_come_around(clauses: str) -> None:
    kernel = parts(NEST, f"collapse(2) {clauses}")[0]
    assert "__rex_iteration < __rex_trips; __rex_iteration += _dev_thread_num) {" in kernel
    assert "rex_divmod(__rex_iteration, __rex_trips_j, __rex_by_j, " in kernel


@pytest.mark.parametrize(
    "construct", ["parallel for num_threads(64)", "teams distribute num_teams(9)", "teams distribute parallel for simd"]
)
def test_other_constructs_find_indices_the_same_way(construct: str) -> None:
    kernel = parts(NEST, "collapse(2)", construct=construct)[0]
    assert "__rex_by_j" in kernel and ("rex_next" in kernel) == ("simd" in construct)


def test_a_reduction_comes_around_and_finds_indices_the_same_way() -> None:
    kernel = parts(NEST, "collapse(2) reduction(+ : w)", "w += y[i * 8 + j];")[0]
    assert "__rex_by_j" in kernel and "rex_next" not in kernel


def test_loops_of_all_kinds_have_a_divisor_but_those_with_constant_extents() -> None:
    kernel, host = parts(TRIPLE, "collapse(3)")
    assert "const long long __rex_trips_i = rex_tripcount_le(3, w, 2);" in kernel
    assert "const long long __rex_trips_j = rex_tripcount_gt(u, 0, 1);" in kernel
    assert "rex_extent_bytes(rex_tripcount_le(3, w, 2), __rex_tripcount)" in host
    assert "rex_extent_bytes(rex_tripcount_gt(u, 0, 1), __rex_tripcount)" in host
    inner = "for (int i = 0; i < n; i++) for (int j = 0; j < 5; j++) for (int k = 0; k < m; k++)"
    kernel, host = parts(inner, "collapse(3)")
    assert "rex_divmod(__rex_above_k, __rex_trips_j, &__rex_above_j, &__rex_j);" in kernel
    assert "__rex_by_k" in kernel and "__rex_by_j" not in kernel and host.count("rex_extent_bytes") == 1


def test_unsigned_bounds_are_compared_in_their_order_on_both_sides() -> None:
    loops = "for (int i = 0; i < n; i++) for (unsigned long j = w; j > 5; j -= 1ul << 60)"
    kernel, host = parts(loops, "collapse(2)", "if (i) y[i] = j;")
    count = "rex_tripcount_gt(rex_ordered(w), rex_ordered(5), (1ul << 60))"
    assert f"__rex_trips_j = {count};" in kernel and f"rex_extent_bytes({count}, __rex_tripcount)" in host


def test_tiles_of_a_nest_find_indices_the_same_way() -> None:
    kernel, host = parts(NEST, "collapse(2)", "y[i * m + j] = i;")
    assert "rex_divmod(__rex_iteration, __rex_trips_j, __rex_by_j, &__rex_above_j, &__rex_j);" in kernel
    assert "__rex_tiles = rex_tiling_tiles(__rex_tiling);" in kernel and "__rex_trips =" not in kernel
    counts = "rex_tripcount_lt(0, n, 1), rex_tripcount_lt(0, m, 1)"
    assert f"rex_tiling(__rex_tripcount, {counts}, (__INT64_TYPE__)_num_blocks_ * _threads_per_block_)" in host
    assert host.index("int _num_blocks_ =") < host.index("rex_tiling(")


@pytest.mark.parametrize(
    "loops",
    [
        pytest.param(NEST.replace("< n", "< 300").replace("< m", "< 80"), id="constants"),
        pytest.param(NEST.replace("< m", "< 80"), id="a constant row"),
        pytest.param(NEST.replace("j = 0", "j = i"), id="bounds that depend on an index"),
    ],
)
def test_tiles_that_the_host_does_not_count_are_counted_in_the_kernel(loops: str) -> None:
    kernel, host = parts(loops, "collapse(2)", "y[i * m + j] = i;")
    assert "rex_tiling" not in host + kernel
    if "j = i" not in loops:
        assert "__rex_tile_rows = rex_tile_rows(__rex_trips, __rex_trips_j, _dev_thread_num);" in kernel
        assert "__rex_tiles = rex_tiles(__rex_trips_i, __rex_tile_rows) * __rex_trips_j;" in kernel


@pytest.mark.parametrize(
    ("loops", "clauses"),
    [
        pytest.param(NEST.replace("< m", "< 8"), "collapse(2)", id="the device's compiler divides by constants"),
        pytest.param(NEST.replace("< m", "< all"), "collapse(2) map(to : all)", id="another number on the device"),
        pytest.param(NEST, "collapse(2) map(tofrom : n)", id="another number of iterations on the device"),
        pytest.param(NEST.replace("< m", "< at[0]"), "collapse(2) is_device_ptr(at)", id="the device's memory"),
        pytest.param(NEST, "collapse(2) schedule(static, 4)", id="chunks"),
        pytest.param(NEST.replace("j = 0", "j = i"), "collapse(2)", id="bounds that depend on an index"),
        pytest.param(NEST, "", id="one loop"),
    ],
)
def test_other_nests_divide(loops: str, clauses: str) -> None:
    kernel, host = parts(loops, clauses)
    assert (
        "rex_divisor" not in kernel and "rex_extent" not in host and "rex_unpack<long long>(__rex_trips" not in kernel
    )


def test_last_values_of_a_nest_with_code_between_its_loops_ask_for_all_extents() -> None:
    loops = "for (int i = 0; i < n; i++) { int t = i; for (int j = 0; j < m; j++) { w = t + j; } }"
    kernel, _ = parts(loops, "collapse(2) lastprivate(w)", "")
    assert "__rex_iteration == __rex_trips_i * __rex_trips_j - 1" in kernel and "rex_divisor" not in kernel
    kernel, _ = parts(loops.replace("w = t", "y[i] = t"), "collapse(2)", "")
    assert "rex_divisor" in kernel


TEAM_BODY = (
    "{ float s = 0;\n#pragma omp parallel for reduction(+ : s)\nfor (int k = 0; k < m; k++) s += k;\ny[i] = s; }"
)


def test_teams_with_parallels_of_their_own_find_indices_the_same_way() -> None:
    kernel, host = parts(NEST, "collapse(2) num_teams(n * m)", TEAM_BODY, "teams distribute")
    assert "__rex_iteration = blockIdx.x; __rex_iteration < __rex_trips; __rex_iteration += gridDim.x" in kernel
    assert "rex_divmod(__rex_iteration, __rex_trips_j, __rex_by_j, &__rex_above_j, &__rex_j);" in kernel
    assert "(void *)(__UINTPTR_TYPE__)rex_extent_bytes(rex_tripcount_lt(0, m, 1), __rex_tripcount)" in host


@pytest.mark.parametrize(("loops", "clauses"), [(NEST, "dist_schedule(static, 2)"), (CONSTANTS[1], "")])
def test_teams_divide_in_chunks_and_where_the_compiler_makes_the_divisors(loops: str, clauses: str) -> None:
    assert "__rex_by" not in parts(loops, f"collapse(2) {clauses}", TEAM_BODY, "teams distribute")[0]
