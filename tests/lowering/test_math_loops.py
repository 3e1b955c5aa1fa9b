"""Inner loops of math functions: eight iterations one behind the other, where nothing else is in them."""

from __future__ import annotations

import pytest

import support

LINE = '_Pragma("unroll 8")'


def kernel(inner: str, name: str = "t.c") -> str:
    source = (
        "#include <math.h>\nfloat own(float v) { return v * v; }\n"
        "void k(int n, int m, const float *a, const double *b, float *r, double *z) {\n"
        "#pragma omp target teams distribute parallel for\n"
        f"  for (int i = 0; i < n; i++) {{\n    float s = 0; double d = 0;\n    {inner}\n"
        "    r[i] = s; z[i] = d;\n  }\n}\n"
    )
    return support.compiled(source, name).kernels[0].body


@pytest.mark.parametrize(
    "inner",
    [
        "for (int j = 0; j < m; j++) s += tanhf(a[j] * i);",
        "for (int j = 0; j < m; j++) s += erff(a[2 * j] * a[i]);",
        "for (int j = 0; j < m; j++) { float e = a[j]; s += expf(-e) * cosf(e); d -= sqrt(b[j] + e); }",
        "for (int j = m; j > 0; j--) d += pow(b[j], 1.5);",
        "for (int j = 0; j < 100; j++) s += logf(a[j]);",
        "for (int k = 0; k < m; k++) { for (int j = 0; j < k; j++) s += erff(b[j]); d *= 2; }",
    ],
)
def test_loops_of_math_functions_are_unrolled(inner: str) -> None:
    assert kernel(inner).count(LINE) == 1


@pytest.mark.parametrize(
    "inner",
    [
        "for (int j = 0; j < m; j++) s += a[j] / i;",
        "for (int j = 0; j < m; j++) s += own(a[j]);",
        "for (int j = 0; j < m; j++) s += expf(a[i * m + j]);",
        "for (int j = 0; j < m; j++) s += expf(a[i + j]);",
        "const float *row = a + i * m; for (int j = 0; j < m; j++) s += expf(row[j]);",
        "for (int j = 0; j < m; j++) s += expf(*(a + j));",
        "for (int j = 0; j < m; j++) d += sin(b[j]);",
        "for (int j = 0; j < m; j++) d += exp(b[j]) * cos(b[j]);",
        "for (int j = 0; j < m; j++) s += own(sinf(a[j]));",
        "for (int j = 0; j < m; j++) r[j] = sinf(a[j]);",
        "for (int j = 0; j < m; j++) if (a[j] > 0) s += sinf(a[j]);",
        "for (int j = 0; j < m; j++) { if (a[j] < 0) break; s += sinf(a[j]); }",
        "for (int j = 0; j < 8; j++) s += sinf(a[j]);",
        "for (int j = 0; j < m; j++) s += fmaxf(sinf(a[j]), s);",
        "int j = 0; while (j < m) s += sinf(a[j++]);",
        "\n#pragma unroll 2\n    for (int j = 0; j < m; j++) s += sinf(a[j]);",
        "for (int j = 0; j < m; j++) " + "s += erff(a[j]); ".join("{}") + "for (int j = 0; j < m; j++) s += a[j];",
        "for (int j = 0; j < m; j++) { " + "s += sinf(a[j]); " * 9 + "}",
    ],
)
def test_other_loops_are_left_to_the_devices_compiler(inner: str) -> None:
    found = kernel(inner).count(LINE)
    assert found == (inner.count("{s += erff") if "{s +=" in inner else 0)


def test_the_name_must_be_the_librarys() -> None:
    source = (
        "namespace mine { float sinf(float v) { return v; } }\nvoid k(int n, const float *a, float *r) {\n"
        "#pragma omp target teams distribute parallel for\n  for (int i = 0; i < n; i++) {\n"
        "    float s = 0; for (int j = 0; j < n; j++) s += mine::sinf(a[j]); r[i] = s;\n  }\n}\n"
    )
    assert LINE not in support.compiled(source, "t.cpp").device


@pytest.mark.parametrize(("kind", "there"), [("float", True), ("double", False)])
def test_overloaded_functions_count_by_their_type(kind: str, there: bool) -> None:
    source = (
        f"#include <cmath>\nvoid k(int n, const {kind} *a, {kind} *r) {{\n"
        "#pragma omp target teams distribute parallel for\n  for (int i = 0; i < n; i++) {\n"
        f"    {kind} s = 0; for (int j = 0; j < n; j++) s += std::tanh(a[j]); r[i] = s;\n  }}\n}}\n"
    )
    assert (LINE in support.compiled(source, "t.cpp").device) is there
