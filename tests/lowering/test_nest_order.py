"""The order in which threads number a nest: neighbours in the index in which accesses are contiguous, or in strips.

Texts of kernels are looked at; ``execution/programs/transposed.c`` runs.
"""

from __future__ import annotations

import pytest

import support

PARAMETERS = (
    "float *b, const float *a, const float *x, const int *k, float (*s)[500], struct P *p, float **r, int n, int m"
)
LISTED = "map(to : a[0:n*m], x[0:n], k[0:n]) map(tofrom : b[0:n*m], s[0:500], p[0:n*m])"
HEAD = (
    "struct P { float x, y; };\nstatic int at(int i, int j, int n) { return i * n + j; }\nint omp_get_team_num(void);\n"
)
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"

AS_WRITTEN, COLUMNS, STRIPS = "as written", "in columns", "in strips"


def order(body: str, loops: str = NEST, clauses: str = "collapse(2)", options: str = "") -> tuple[str, str, str]:
    """Return how a nest is numbered, what is told of it, and its kernel."""
    source = (
        f"{HEAD}void f({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {clauses} {LISTED}\n"
        f"{loops} {body}\n}}\n"
    )
    found = support.translate_text(source, "t.c", remarks=True)
    assert found.device is not None, support.rendered(found)
    text = found.device.text
    told = " ".join(note.message for d in found.diagnostics if d.code == "rex-loop" for note in d.notes)
    if "rex_in_strip(" in text:
        assert told.endswith("in strips")
        return STRIPS, told, text
    is_changed = "neighbouring threads differ in" in told
    return (COLUMNS if is_changed else AS_WRITTEN), told, text


@pytest.mark.parametrize(
    "body",
    [
        "b[j * n + i] = a[i * m + j];",
        "b[(long)j * n + i] = a[(long)i * m + j];",
        "b[j * n + (n - 1 - i)] += a[i * m + j];",
        "s[j][i] = a[i * m + j] + a[i * m + j + 1];",
        "{ float v = a[i * m + j]; int to = j * n + i; b[to] = v * x[i] + x[j]; }",
        "p[j * n + i].x = a[i * m + j];",
        "b[j * 4096 + i] = s[i][j];",
        "b[j * n + i] = a[i * m + j] + a[j * n + i];",
    ],
)
def test_stores_of_the_outer_index_and_loads_of_the_inner_one_are_in_strips(body: str) -> None:
    how, told, text = order(body)
    assert how == STRIPS
    assert told.startswith("stores are contiguous in 'i', loads in 'j'")
    assert "const auto __rex_evaluate = [&](const __rex_nest_number __rex_j, const int __rex_part) {" in text


@pytest.mark.parametrize("body", ["b[i * m + j] = a[j * n + i];", "b[i * m + j] = a[j * n + i] + a[i * m + j];"])
def test_the_other_direction(body: str) -> None:
    how, told, text = order(body)
    assert how == STRIPS and told.startswith("stores are contiguous in 'j', loads in 'i'")
    assert "[&](const __rex_nest_number __rex_i, const int __rex_part)" in text


@pytest.mark.parametrize(
    "body",
    [
        "b[j * n + i] = 2 * a[j * n + i];",
        "s[j][i] = a[j * n + i - 1] + x[i];",
        "b[j * n + i] = x[i] * x[j];",
        "b[j * n + i] = 0;",
    ],
)
def test_columns_are_numbered_with_the_outer_index_fastest(body: str) -> None:
    how, _, text = order(body)
    assert how == COLUMNS
    assert "rex_divmod(__rex_iteration, __rex_trips_i, __rex_by_i, &__rex_above_i, &__rex_i);" in text
    assert "__rex_packed_by_i" in text and "by_j" not in text, "the divisor is that of the index that is found by it"
    assert "= rex_tiling(" not in text, "that is the host's"


@pytest.mark.parametrize(
    "body",
    [
        "b[i * m + j] = a[i * m + j];",
        "b[i * m + j] = a[i * m + j - 1] + a[(i + 1) * m + j] + x[i];",
        "b[j * n + i] = a[k[i] * m + j];",
        "b[k[j] + i] = a[i * m + j];",
        "b[at(j, i, n)] = a[at(i, j, m)];",
        "b[j * n + i] = a[i * m + 2 * j];",
        "b[j * n + i] = a[i * m + j * m];",
        "b[j * n + i] = a[i + j];",
        "b[j * 3 + i] = a[i * m + j];",
        "r[j][i] = a[i * m + j];",
        "*(b + j * n + i) = a[i * m + j];",
        "{ float *row = b + j * n; row[i] = a[i * m + j]; }",
        "{ b[j * n + i] = a[i * m + j]; s[i][j] = 1; }",
    ],
)
def test_what_is_not_understood_stays_as_it_is_written(body: str) -> None:
    assert order(body)[0] == AS_WRITTEN


@pytest.mark.parametrize(
    ("body", "clauses"),
    [
        ("b[j * n + i] = a[i * m + j];", "collapse(2) schedule(static, 4)"),
        ("b[j * n + i] = a[i * m + j];", "collapse(2) dist_schedule(static, 4)"),
        ("b[j * n + i] = a[i * m + j];", "collapse(2) num_teams(8)"),
        ("b[j * n + i] = a[i * m + j];", "collapse(2) lastprivate(m)"),
        ("b[j * n + i] = a[i * m + j] + omp_get_team_num();", "collapse(2)"),
        ("if (i > j) b[j * n + i] = a[i * m + j];", "collapse(2)"),
        ("\n#pragma omp atomic\nb[j * n + i] += a[i * m + j];", "collapse(2)"),
        ("b[j * n + i] = a[i * m + j];", ""),
    ],
)
def test_loops_that_are_not_tiled_keep_their_order(body: str, clauses: str) -> None:
    assert order(body, clauses=clauses)[0] == AS_WRITTEN


@pytest.mark.parametrize(
    ("loops", "expected"),
    [
        ("for (unsigned long i = 2; i <= (unsigned long)n; i++) for (short j = m; j > 0; j--)", STRIPS),
        ("for (long i = n; i > 0; i--) for (unsigned j = 0; j < (unsigned)m; j++)", STRIPS),
        ("for (int i = 0; i < n; i += 2) for (int j = 0; j < m; j++)", AS_WRITTEN),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j += n)", AS_WRITTEN),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < i; j++)", AS_WRITTEN),
    ],
)
def test_indices_bounds_and_steps(loops: str, expected: str) -> None:
    assert order("b[j * n + i] = a[i * m + j];", loops)[0] == expected


def test_code_between_the_loops_keeps_the_order() -> None:
    loops = "for (int i = 0; i < n; i++) { int e = i; for (int j = 0; j < m; j++)"
    assert order("b[j * n + e] = a[e * m + j]; }", loops)[0] == AS_WRITTEN


def test_of_three_loops_those_two_have_tiles_in_which_accesses_are_contiguous() -> None:
    three = "for (int l = 0; l < 9; l++) " + NEST
    how, told, text = order("b[(l * m + j) * n + i] = a[(l * n + i) * m + j];", three, "collapse(3)")
    assert how == STRIPS and "in 'i', loads in 'j'" in told
    lines = [
        "__rex_i = rex_in_strip(__rex_iteration, __rex_strip_bits);",
        "__rex_strip_bits, __rex_row_tiles, __rex_by_j, &__rex_above_j, &__rex_tile_number);",
        "rex_divmod(__rex_above_j, __rex_strips, __rex_by_i, &__rex_above_i, &__rex_strip_number);",
        "__rex_i += __rex_strip_number << __rex_strip_bits;",
        "int l = (int)__rex_above_i;",
    ]
    places = [text.index(line) for line in lines]
    assert places == sorted(places)
    assert "__rex_tiles = rex_tiling_tiles(__rex_tiling);" in text
    how, told, _ = order("b[(j * n + i) * 99 + l] = a[(l * n + i) * m + j];", three, "collapse(3)")
    assert how == STRIPS and "in 'l', loads in 'j'" in told
    how, told, _ = order("b[(i * m + j) * 9 + l] = 2 * a[(i * m + j) * 9 + l];", three, "collapse(3)")
    assert how == AS_WRITTEN, "9 elements are no row"
    how, told, _ = order("b[(i * m + j) * n + l] = 2 * a[(i * m + j) * n + l];", three, "collapse(3)")
    assert how == COLUMNS and "in 'l'" in told
    how, _, _ = order(
        "b[(j * n + i) * 99 + l] = a[(l * n + i) * m + j] + a[(l * m + j) * n + i];", three, "collapse(3)"
    )
    assert how == AS_WRITTEN, "loads are contiguous in two indices"


@pytest.mark.parametrize("body", ["b[j * n + i] = a[i * m + j];", "b[j * n + i] = 2 * a[j * n + i];"])
def test_neighbouring_threads_are_those_of_the_order(body: str) -> None:
    """What is told of accesses that lie apart goes by it."""
    pragma = "#pragma omp target teams distribute parallel for collapse(2)"
    source = f"{HEAD}void f({PARAMETERS}) {{\n{pragma}\n{NEST} {body}\n}}\n"
    found = support.translate_text(source, "t.c", remarks=True)
    assert not [d.message for d in found.diagnostics if d.code == "rex-access"]


def test_a_thread_beyond_the_end_of_a_strip_has_no_iteration() -> None:
    _, _, text = order("b[j * n + i] = a[i * m + j];")
    guard = "    if (__rex_i >= __rex_trips_i) continue;\n"
    assert text.index("__rex_i += __rex_strip_number << __rex_strip_bits;\n") < text.index(guard)
    assert text.index(guard) < text.index("__rex_evaluate") and "__rex_by_i" not in text
