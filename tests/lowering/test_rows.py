"""Inner loops in which a thread goes along a row of its own."""

from __future__ import annotations

import re

import pytest

import support

PARAMETERS = "const float *a, const double *b, const int *at, float *o, int n, int m, unsigned u"
MAPS = "map(to: a[0:n*m], b[0:n*m], at[0:m]) map(from: o[0:n*m])"
LOOP = "for (int j = 0; j < m; j++)"
OWN = f"{LOOP} s += a[i * m + j];"
TYPES = """#include <math.h>
static float near(float v) { return v; }
"""


def kernel(loop: str, maps: str = MAPS, wraps: bool = False) -> str:
    source = (
        f"{TYPES}void k({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {maps}\n"
        f"  for (int i = 0; i < n; i++) {{\n    float s = 0;\n    {loop}\n    o[i] = s;\n  }}\n}}\n"
    )
    found = support.translate_text(support.with_used_headers(source), "t.c", arguments=("-w",), wraps=wraps)
    assert not found.diagnostics and found.device is not None
    return found.device.text


def team(loops: str) -> str:
    source = (
        f"{TYPES}void k({PARAMETERS}) {{\n#pragma omp target teams distribute {MAPS}\n"
        f"  for (int r = 0; r < n; r++) {{\n    float t[64];\n    {loops}\n  }}\n}}\n"
    )
    found = support.translate_text(support.with_used_headers(source), "t.c", arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    return found.device.text


def form(text: str) -> str:
    found = re.search(r"(rex_along_row\w*<.*?>\(.*?), \[&\]\(int __rex_turn_first", text)
    return found[1] if found is not None else ""


def test_elements_of_a_turn_are_loaded_together() -> None:
    text = kernel(f"{LOOP} s += a[i * m + j] * b[j];")
    loads = text.index("rex_load_row(__rex_turn, __rex_ahead_a, &a[i * m + j]);")
    alone = text.index("__rex_ahead_b[__rex_turn_number] = __ldg(&b[j]);")
    loaded = text.index(
        "rex_loaded_row(__rex_turn, __rex_ahead_a[__rex_turn_number], __rex_ahead_b[__rex_turn_number]);"
    )
    assert loads < alone < loaded < text.index("s += __rex_ahead_a[__rex_turn_number] * __rex_ahead_b")


@pytest.mark.parametrize(
    "loop, want",
    [
        pytest.param(OWN, "<int, 16>(0, m, [&](int j) { return &a[i * m + j]; }", id="one row"),
        pytest.param(
            "for (int j = 1; j <= m; j++) s += a[i * m + j];",
            "_through<int, 16>(1, m, [&](int j) { return &a[i * m + j]; }",
            id="to the last",
        ),
        pytest.param(
            f"{LOOP} {{ const int e = i * m + j; s += a[e] * b[e]; }}",
            "<int, 8>(0, m, [&](int j) { const int e = i * m + j; return &a[e]; }, "
            "[&](int j) { const int e = i * m + j; return rex_are_aligned_rows(&b[e]); }",
            id="two rows, found by a local",
        ),
        pytest.param(
            f"{LOOP} s += a[i * 80 + j] * a[j];",
            "<int, 16>(0, m, [&](int j) { return &a[i * 80 + j]; }, [&](int j) { return rex_are_aligned_rows(&a[j]); }",
            id="rows whose distance is known, beside one of all threads",
        ),
        pytest.param(
            f"const float *row = a + i * m; {LOOP} s = fmaxf(s, row[j]);",
            "<int, 16>(0, m, [&](int j) { return &row[j]; }",
            id="a pointer to the row",
        ),
        pytest.param(
            "for (int j = 0; j < 40; j++) s += a[i * 40 + j];",
            "<int, 16>(0, 40, [&](int j) { return &a[i * 40 + j]; }",
            id="a constant number of iterations",
        ),
        pytest.param(
            f"for (int k = 0; k < 9; k++) {OWN}",
            "<int, 16>(0, m, [&](int j) { return &a[i * m + j]; }",
            id="in another loop",
        ),
        pytest.param(
            f"{LOOP} s += a[i * m + j] / (1 + b[j]);",
            "<int, 16>(0, m, [&](int j) { return &a[i * m + j]; }",
            id="a division",
        ),
        pytest.param(
            f"{LOOP} s += b[i * m + j] * b[j];",
            "<int, 16>(0, m, [&](int j) { return &b[i * m + j]; }",
            id="elements of eight bytes, beside those of all threads",
        ),
    ],
)
def test_forms(loop: str, want: str) -> None:
    assert form(kernel(loop)) == f"rex_along_row{want}"


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"{LOOP} s += a[j];", id="a row of all threads"),
        pytest.param(f"{LOOP} s += a[j * n + i];", id="a column"),
        pytest.param(f"{LOOP} s += a[i + j];", id="rows that overlap"),
        pytest.param(f"{LOOP} s += a[i * 3 + j];", id="rows less than a piece apart"),
        pytest.param("for (int j = 0; j < m; j += 2) s += a[i * m + j];", id="steps of two"),
        pytest.param("for (int j = m; j > 0; j--) s += a[i * m + j];", id="downwards"),
        pytest.param("for (int j = 0; j < 32; j++) s += a[i * 32 + j];", id="few iterations"),
        pytest.param(f"{LOOP} s += a[i * m + 2 * j];", id="every other element"),
        pytest.param("for (unsigned j = 0; j < u; j++) s += a[i * u + j];", id="a subscript that may wrap around"),
        pytest.param(f"{LOOP} if (j & 1) s += a[i * m + j];", id="a condition leaves it out"),
        pytest.param(f"{LOOP} {{ if (s > 9) break; s += a[i * m + j]; }}", id="it may be left"),
        pytest.param(f"{LOOP} s += b[at[i * m + j]];", id="another place that is not known"),
        pytest.param(f"{LOOP} s += near(a[i * m + j]);", id="a function of the user's"),
        pytest.param(
            "for (int k = 0; k < m; k++) for (int j = 0; j < 16; j++) s += a[i * 16 + j] * b[k * 16 + j];",
            id="a row that the compiler keeps in registers",
        ),
    ],
)
def test_loops_that_stay(loop: str) -> None:
    assert "rex_along_row" not in kernel(loop)


def test_loops_stay_that_store_what_may_be_an_element() -> None:
    loop = f"{LOOP} {{ o[i * m] = s; s += a[i * m + j]; }}"
    assert "rex_along_row" in kernel(loop)
    assert "rex_along_row" not in kernel(loop, maps="")


def test_loops_stay_where_integers_wrap_around() -> None:
    assert "rex_along_row" not in kernel(OWN, wraps=True)


def test_code_of_a_team() -> None:
    scores = "for (int j = 0; j < m; j++) { float s = 0; for (int c = 0; c < 64; c++) s += a[j * 64 + c]; t[j] = s; }"
    want = "rex_along_row<int, 16>(0, 64, [&](int c) { return &a[j * 64 + c]; }"
    assert form(team(f"\n#pragma omp parallel for\n{scores}\n")) == want
    assert not form(team(f"\n#pragma omp parallel for\n{scores.replace('j * 64', 'r * 64')}\n"))


def test_loops_of_constructs_stay() -> None:
    loop = "for (int c = 0; c < 64; c++) t[c] = a[r * 64 + c];"
    assert not form(team(f"\n#pragma omp parallel for\n{loop}\n"))
