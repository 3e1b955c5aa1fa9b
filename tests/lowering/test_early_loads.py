"""Loads that an iteration of an inner loop needs behind its first division stand in front of it."""

from __future__ import annotations

import pytest

import support

DIVISION = "double m = 1.0 / (b[j] - a[j] * s);"
PARAMETERS = "double *x, const double *a, const double *b, double *c, const int *at, int n, int k"


def kernel(body: str, clauses: str = "") -> str:
    source = (
        "#include <math.h>\n#define ELEMENT c[j]\n#define RATIO x[j] = 1; double m = 1.0 / (b[j] - a[j] * s);\n"
        f"void k({PARAMETERS}) {{\n"
        f"#pragma omp target teams distribute parallel for num_teams(8) {clauses}\n"
        f"  for (int i = 0; i < n; i++) {{\n    double s = 0;\n"
        f"    int q;\n    for (q = 0; q < k; q++) {{ int j = q * n + i; {body} }}\n  }}\n}}\n"
    )
    return support.compiled(support.with_used_headers(source), "t.c").kernels[0].body


def test_loads_stand_in_front_of_the_division() -> None:
    text = kernel(f"{DIVISION} s = c[j] * m + a[j]; x[j] = s - c[j];")
    early = text.index("const double __rex_early_c = c[j];")
    assert early < text.index("rex_loaded(__rex_early_c, __rex_early_a);") < text.index("double m = 1.0 / (b[j]")
    assert "s = __rex_early_c * m + __rex_early_a; " in text and "x[j] = s - __rex_early_c;" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("double m = sqrt(b[j]); x[j] = c[j] * m;", id="a function"),
        pytest.param("s /= b[j]; x[j] = c[j] * s;", id="a division of a variable"),
        pytest.param("double m = s / b[j]; s = m * c[j]; x[j] = s;", id="a local behind it"),
        pytest.param("double m = s / b[j]; c[j] = m * c[j];", id="its own statement stores it"),
        pytest.param("double m = s / b[j]; c[j] -= m * c[j];", id="its own statement changes it"),
    ],
)
def test_forms(body: str) -> None:
    assert "const double __rex_early_c = c[j];" in kernel(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("double m = s / b[j]; x[j] = m; s = c[j] * m;", id="a store that may be it"),
        pytest.param("double c[4]; double m = s / b[j]; c[j & 3] = m; x[j] = c[j & 3];", id="of an array of its own"),
        pytest.param("double m = s / b[j]; if (m > 3) x[j] = c[j];", id="a condition"),
        pytest.param("double m = s / b[j]; x[j] = m > 3 ? c[j] : 0;", id="a choice"),
        pytest.param("double m = s / b[j]; int h = at[j]; x[j] = c[h] * m;", id="its place is declared behind"),
        pytest.param("double m = s / b[j]; j++; x[j] = c[j] * m;", id="its place changes"),
        pytest.param("double m = s / b[j]; if (m > 3) break; x[j] = c[j] * m;", id="the loop is left"),
        pytest.param("double m = s / b[j]; if (m > 3) continue; x[j] = c[j] * m;", id="a part is skipped"),
        pytest.param("double m = s / 2.0; x[j] = c[j] * m;", id="by a constant"),
        pytest.param("int m = j / k; x[j] = c[j] * m;", id="of integers"),
        pytest.param("double m = s / b[j]; s += c[j] * m;", id="the loop stores nothing"),
        pytest.param("double m = s / b[j]; x[j] = ELEMENT * m;", id="a macro"),
        pytest.param("RATIO x[j] = c[j] * m;", id="a macro has the division and a store"),
        pytest.param("double m = s / b[j]; double *p = &c[j]; *p = m;", id="its address"),
        pytest.param("double m = s / b[j]; x[j] = sizeof(c[j]) * m;", id="never evaluated"),
        pytest.param("double m = s / b[j]; x[j] = c[j] + c[j+1] + c[j+2] + c[j+3] + c[j+4];", id="too many"),
        pytest.param("double m = s / b[j]; x[j] = c[i] * m;", id="the same element in all iterations"),
        pytest.param("double m = s / b[j]; while (m > 1) m /= 2; x[j] = c[j] * m;", id="a loop in between"),
    ],
)
def test_loads_stay(body: str) -> None:
    assert "__rex_early_c" not in kernel(body)


def test_memory_that_nothing_writes_is_left_to_the_compiler() -> None:
    clauses = "map(to: a[0:n*k], b[0:n*k], c[0:n*k]) map(from: x[0:n*k])"
    assert "__rex_early" not in kernel(f"{DIVISION} s = c[j] * m; x[j] = s;", clauses)


def test_only_inner_loops() -> None:
    source = (
        f"void k({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for num_teams(8)\n"
        "  for (int i = 0; i < n; i++) { double m = 1 / b[i]; x[i] = c[i] * m; }\n}\n"
    )
    assert "__rex_early" not in support.compiled(source, "t.c").kernels[0].body
