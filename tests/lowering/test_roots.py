"""Numbers that are divided by square roots: one step in device code, where nothing else is made of the root."""

from __future__ import annotations

import functools

import pytest

import support
from rexcc.program.optimisations import left_out
from support import compiled

_FUNCTION = """
void f{number}(int n, float *a, double *z) {{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n], z[0:n])
  for (int i = 0; i < n; i++) {{
    const float x = a[i], known = 2;
    {code}
  }}
}}
"""


@functools.cache
def kernels(codes: tuple[str, ...], before: str = "", without: str = "all") -> dict[str, str]:
    """Return what stands in the kernels of loops, each in a function of its own; and all else of the device file."""
    functions = (_FUNCTION.format(number=number, code=code) for number, code in enumerate(codes))
    source = "\n".join(["#include <cmath>", "#define OVER(x) (1.0f / x)", before, *functions])
    found = support.translate_text(source, "t.cpp", left_out=left_out([without]), alone=False)
    assert found.device is not None, support.rendered(found)
    made = {code: kernel.body for code, kernel in zip(codes, support.kernels_of(found.device.text), strict=True)}
    rest = functools.reduce(lambda text, body: text.replace(body, ""), made.values(), found.device.text)
    return made | {"": rest}


ONE_STEP = {
    "a[i] = 1.0f / sqrtf(x);": "1.0f / rex_root(x)",
    "a[i] = x / std::sqrt(x + 1);": "x / rex_root(x + 1)",
    "a[i] = x * x / ::sqrtf(x * x + 1) + 1;": "x * x / rex_root(x * x + 1) + 1",
    "a[i] = x / (sqrtf(x));": "x / (rex_root(x))",
    "a[i] = -2.f / ((std :: sqrt (x)));": "-2.f / ((rex_root (x)))",
    "const float r = 3 + x / sqrtf(known * x); a[i] = r;": "x / rex_root(known * x)",
    "a[i] = 1.0 * (x / sqrtf(x));": "(x / rex_root(x))",
}


@pytest.mark.parametrize("code", ONE_STEP)
def test_one_step(code: str) -> None:
    assert ONE_STEP[code] in kernels(tuple(ONE_STEP))[code]
    assert "rex_root" not in kernels(tuple(ONE_STEP), without="no-roots")[code]


STAY = (
    "a[i] = 1.0 / sqrtf(x);",  # a division of doubles
    "z[i] = 1.0 / sqrt(z[i]);",
    "a[i] = 1 / sqrtf(x);",  # an int, which a user's operator may take
    "a[i] = sqrtf(x) / x;",
    "a[i] = x / (2 * sqrtf(x));",
    "a[i] = x / -sqrtf(x);",
    "a[i] = 1.0f / sqrtf(2.0f) + 1.0f / sqrtf(known);",  # which the compiler knows
    "a[i] = OVER(sqrtf(x));",  # the macro may do something else with it
    "a[i] /= sqrtf(x);",
    "constexpr int size = sizeof(1.0 / sqrtf(2.0f)); a[i] = size;",
    "a[i] = 1.0f / own::sqrtf(x);",
    "a[i] = noexcept(x / sqrtf(x));",  # the answer is the library's
    "a[i] = x / sqrt(own::number{x});",  # defined in another file
    "a[i] = x / std::sqrt(own::number{x});",
)


@pytest.mark.parametrize("code", STAY)
def test_what_stays(code: str) -> None:
    before = """namespace own { static inline float sqrtf(float x) { return x * x; } struct number { float of; }; }
#pragma omp declare target
float sqrt(own::number of);
namespace std { float sqrt(own::number of); }
#pragma omp end declare target
"""
    made = kernels(STAY, before)
    assert "sqrt" in made[code] and "rex_root" not in made[code] + made[""]


def test_functions_that_kernels_call() -> None:
    before = "static float inverse(float x) { return 1.0f / sqrtf(x); }"
    assert "1.0f / rex_root(x)" in kernels(("a[i] = inverse(x);",), before)[""]
    pattern = "template <class T> T over(T a, T b) { return a / std::sqrt(b); }"
    assert "rex_root" not in "".join(kernels(("a[i] = over(x, x); z[i] = over(z[i], 2.);",), pattern).values())


def test_kernels_of_templates() -> None:
    """Their instances share a text: what depends on a parameter stays."""
    source = """#include <cmath>
template <class T> void f(int n, T *a, float *b) {
#pragma omp target teams distribute parallel for map(tofrom: a[0:n], b[0:n])
  for (int i = 0; i < n; i++) { a[i] = a[i] / std::sqrt(a[i]); b[i] = 1.0f / sqrtf(b[i]); }
}
void g(float *a, double *z, float *b) { f(3, a, b); f(3, z, b); }
"""
    device = compiled(source, "t.cpp").device
    assert "_b = 1.0f / rex_root(" in device and "_a / std::sqrt(" in device and "_a / rex_root(" not in device


def test_the_file_with_c() -> None:
    source = """#include <math.h>
void f(int n, float *a) {
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++) a[i] = 1.0f / sqrtf(a[i]) + a[i] / sqrt(a[i]);
}
"""
    device = compiled(source, "t.c").device
    assert device.count("rex_root(") == 1
