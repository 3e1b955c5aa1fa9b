"""``std::min`` and ``std::max`` of numbers have values in device code where nothing can tell."""

from __future__ import annotations

import pytest

from support import compiled

_SOURCE = """#include <algorithm>
#include <array>
static int next(int &x) {{ return ++x; }}
struct W {{ int v; bool operator<(const W &o) const {{ return v < o.v; }} }};
void f(int n, int *a, double *z, std::array<float, 4> q) {{
#pragma omp target map(tofrom: a[0:n], z[0:n])
  {{ {code} }}
}}
"""


def kernel(code: str) -> str:
    device = compiled(_SOURCE.format(code=code), "t.cpp", arguments=("-std=c++17",)).device
    return device[device.index("__global__") :]


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("a[0] = std::min(a[1], a[2] + 1);", "a[0] = rex_least(a[1], a[2] + 1);"),
        ("z[0] += ::std::max<double>(n, 3);", "z[0] += rex_greatest<double>(n, 3);"),
        ("z[1] = std::max(std::min(z[0], 1.), z[2]);", "z[1] = rex_greatest(std::min(z[0], 1.), z[2]);"),
        ("z[1] = std::max(q[1], q[n]);", "z[1] = rex_greatest(q[1], q[n]);"),
        ("using std::min; if (min(a[0], a[1]) > 3) a[0] = 1;", "if (rex_least(a[0], a[1]) > 3)"),
    ],
)
def test_what_is_read_at_once_has_a_value(code: str, made: str) -> None:
    assert made in kernel(code)


@pytest.mark.parametrize(
    "code",
    [
        "const int &r = std::min(a[0], a[1]); a[0] = 5; a[2] = r;",
        "const int *p = &std::min(a[0], a[1]); a[2] = *p;",
        "int x = n; a[0] = std::min(x, next(x));",
        "int x = n; a[0] = std::min(x, x += 2);",
        "a[0] = std::min({a[0], a[1], n});",
        "a[0] = std::min(a[0], a[1], [](int x, int y) { return x > y; });",
        "W w{n}, v{2}; a[0] = std::min(w, v).v;",
        "volatile int x = n; a[0] = std::min<volatile int>(x, x);",
    ],
)
def test_what_may_be_told_apart_stays_a_reference(code: str) -> None:
    text = kernel(code)
    assert "rex_least" not in text and "std::min" in text
