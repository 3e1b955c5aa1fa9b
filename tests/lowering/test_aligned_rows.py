"""Arrays of numbers of which a thread visits several side by side: kernels ask where the arrays begin."""

from __future__ import annotations

import re

import pytest

import support
from rexcc.program.optimisations import left_out

PARAMETERS = (
    "int n, int m, const float *a, float *b, const double *z, unsigned char *c, const float (*rows)[8], int *at"
)
MAPS = "map(to: a[0:16*n], z[0:2*n], rows[0:n]) map(tofrom: b[0:16*n], c[0:16*n], at[0:n])"


def asked(code: str, before: str = "", without: str = "all") -> dict[str, int]:
    source = (
        f"{before}\nvoid f({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {MAPS}\n"
        f"  for (int i = 0; i < n; i++) {{ {code} }}\n}}\n"
    )
    found = support.translate_text(source, "t.cpp", left_out=left_out([without]))
    assert found.device is not None, support.rendered(found)
    return {name: int(bytes_) for bytes_, name in re.findall(r"rex_beyond<(\d+)>\((\w+)\)", found.device.text)}


LOOP = "float s = 0; for (int k = 0; k < 16; k++) {0}; b[i] = s;"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (LOOP.format("s = s * 3 + a[16 * i + k]"), {"a": 16}),
        (LOOP.format("s = s * 3 + a[k + i * 16]"), {"a": 16}),
        (LOOP.format("s = s * 3 + a[(long)i * 16 + k]"), {"a": 16}),
        (LOOP.format("s = s * 3 + a[16 * (i + m) + k]"), {"a": 16}),
        (LOOP.format("s = s * 3 + a[18 * i + k]"), {"a": 8}),
        (LOOP.format("s = s * 3 + a[16 * i + 15 - k]"), {"a": 16}),
        ("const float *row = a + i * 16; " + LOOP.format("s = s * 3 + row[k]"), {"a": 16}),
        ("const float *row = &a[i * 16 + 4]; " + LOOP.format("s = s * 3 + row[k]"), {"a": 16}),
        ("int first = 16 * i; " + LOOP.format("s = s * 3 + a[first + k]"), {"a": 16}),
        ("b[i] = a[2 * i] + a[2 * i + 1];", {"a": 8}),
        ("b[i] = z[2 * i] + z[2 * i + 1];", {"z": 16}),
        ("b[i] = a[4 * i] + a[4 * i + 3] * (a[4 * i + 1] - a[4 * i + 2]);", {"a": 16}),
        ("b[i] = a[4 * i] + a[4 * i + 1];", {"a": 8}),
        ("b[i] = a[8 * i + 2] + a[8 * i + 3] + a[8 * i + 4] + a[8 * i + 5];", {"a": 8}),
        ("float x = a[i], y = x * x; b[4 * i] = x; b[4 * i + 1] = y; b[4 * i + 2] = x + y; b[4 * i + 3] = x - y;",
         {"b": 16}),
        ("float x = a[2 * i], y = a[2 * i + 1]; b[2 * i] = x - y; b[2 * i + 1] = x + y;", {"a": 8, "b": 8}),
        (LOOP.format("s = s * 3 + rows[i][k % 8]") + " b[i] += rows[i][0] + rows[i][1];", {"rows": 8}),
    ],
)  # fmt: skip
def test_rows_that_are_aligned_if_the_array_is(code: str, expected: dict[str, int]) -> None:
    assert asked(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(LOOP.format("s = s * 3 + a[i + k]"), id="begins anywhere"),
        pytest.param(LOOP.format("s = s * 3 + a[i * m + k]"), id="a factor that only the run knows"),
        pytest.param(LOOP.format("s = s * 3 + a[i * 3 + k]"), id="an odd factor"),
        pytest.param(LOOP.format("s = s * 3 + a[16 * i + 2 * k]"), id="every second"),
        pytest.param(LOOP.format("s = s * 3 + a[n * k + i]"), id="a column"),
        pytest.param(LOOP.format("s = s * 3 + a[k + 4]"), id="one row for all"),
        pytest.param(LOOP.format("s = s * 3 + z[2 * i]"), id="one element"),
        pytest.param("float s = 0; for (int k = 0; k < m; k++) s = s * 3 + a[16 * i + k]; b[i] = s;", id="a long loop"),
        pytest.param("b[i] = a[4 * i] + a[4 * i + 2];", id="not side by side"),
        pytest.param("b[i] = a[4 * i + 1] + a[4 * i + 2];", id="across a multiple"),
        pytest.param("b[i] = a[2 * i] + a[2 * m + 1];", id="of two rows"),
        pytest.param("b[i] = a[at[i]] + a[at[i] + 1];", id="a place from memory"),
        pytest.param("int k = 4 * i; b[i] = a[k] + a[k + 1]; k++; b[i] += k;", id="a place that changes"),
        pytest.param("float t[4] = {1, 2, 3, 4}; b[i] = t[m] + t[m + 1];", id="the thread's own"),
        pytest.param("c[2 * i] = 1; c[2 * i + 1] = 2;", id="less than a piece"),
    ],
)
def test_rows_of_which_nothing_is_known(code: str) -> None:
    assert asked(code) == {}


SUMS = "".join(f"const int a{k} = a{k - 1} + a{k - 1}; " for k in range(1, 40))


@pytest.mark.parametrize(
    "code",
    [
        "const float *own = own; int k = k; b[i] = own[2 * k] + own[2 * k + 1];",
        f"const int a0 = i; {SUMS} b[i] = a[a39] + a[a39 + 1];",
        "const float *own = own; int k = k; float s = 0; for (int v = 0; v < 4; v++) s += own[4 * k + v]; b[i] = s;",
        f"const int a0 = i; {SUMS} float s = 0; for (int v = 0; v < 4; v++) s += a[4 * a39 + v]; b[i] = s;",
        f"const int a0 = i; {SUMS} float s = 0; for (int v = 0; v < 4; v++) s += a[a39 + v]; b[i] = s;",
        "float s = 0; for (int v = 0; v < 4; v++) s += a[(i >> -1) + v]; b[i] = s;",
    ],
)
def test_places_of_many_parts_and_those_that_mean_nothing(code: str) -> None:
    assert asked(code) == {}


def test_rows_with_a_test_of_their_own_are_not_asked_for_twice() -> None:
    assert asked("float s = 0; for (int k = 0; k < 4; k++) s += a[4 * i + k]; b[i] = s;") == {}


def test_left_out() -> None:
    assert asked(LOOP.format("s = s * 3 + a[16 * i + k]"), without="no-neighbours") == {}


def test_long_kernels_have_their_code_once() -> None:
    assert asked("b[i] += a[2 * i] + a[2 * i + 1];" * 60) == {}
