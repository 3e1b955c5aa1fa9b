"""Iterations that compute long in double: a thread takes them one at a time."""

from __future__ import annotations

import functools

import pytest

import support

ONE, SIDE_BY_SIDE = "one at a time", "side by side"

BEFORE = """#include <cmath>
static inline double bell(double x) { return exp(-x * x); }
static inline double wide(double x) { return bell(x / 2); }
static inline float narrow(float x) { return expf(-x * x); }
struct field { double *data; int n; double at(int i) const { return data[i] / n; }
               double root(int i) const { return sqrt(at(i)) / at(i + 1) / at(i - 1); } };
"""
ARGUMENTS = "int n, int m, const double *a, double *b, const float *c, float *d, field f, double p, int *k"
MAPS = "map(to: a[0:n], c[0:n]) map(tofrom: b[0:n], d[0:n], k[0:n])"


PLAIN, NEST = "for (int i = 0; i < n; i++)", "for (int y = 0; y < n; y++) for (int x = 0; x < m; x++)"


@functools.cache
def forms(bodies: tuple[str, ...], loops: str = PLAIN, collapse: str = "") -> dict[str, str]:
    """Return the forms of loops, each in a function of its own."""
    functions = (
        f"void k{number}({ARGUMENTS}) {{\n#pragma omp target teams distribute parallel for {collapse} {MAPS}\n"
        f"  {loops} {{ {body} }}\n}}\n"
        for number, body in enumerate(bodies)
    )
    made = support.compiled(BEFORE + "".join(functions), "t.cpp").kernels
    return {body: SIDE_BY_SIDE if "REX_TILE" in kernel.body else ONE for body, kernel in zip(bodies, made, strict=True)}


BODIES = {
    "b[i] = exp(-a[i]);": ONE,
    "b[i] = std::exp(-a[i]);": ONE,
    "b[i] = log(a[i]);": ONE,
    "b[i] = pow(a[i], p);": ONE,
    "b[i] = pow(p, a[i]);": ONE,
    "b[i] = exp(i * 0.5);": ONE,
    "double x = a[i] * 2; b[i] = exp(x);": ONE,
    "b[i] = bell(a[i]);": ONE,
    "b[i] = wide(a[i]);": ONE,
    "d[i] = exp((double)c[i]);": ONE,
    "b[i] = a[i] / (1 + a[i]) + p / a[i];": ONE,
    "b[i] = a[i] / (1 + a[i]) + sqrt(a[i]);": ONE,
    "b[i] = f.root(i);": ONE,
    "if (k[i] == 0) b[i] = pow(a[i], p);": ONE,
    "if (k[i] == 0) b[i] = exp(a[i]) * log(a[i]) * exp(p * a[i]);": ONE,
    "if (exp(a[i]) > p) k[i] = 1;": ONE,
    "d[i] = expf(-c[i]);": SIDE_BY_SIDE,
    "d[i] = std::exp(-c[i]);": SIDE_BY_SIDE,
    "d[i] = powf(c[i], 3) / (1 + c[i]) / c[i] / (2 + c[i]) / (3 + c[i]);": SIDE_BY_SIDE,
    "d[i] = narrow(c[i]);": SIDE_BY_SIDE,
    "b[i] = a[i] * exp(p);": SIDE_BY_SIDE,
    "b[i] = a[i] * pow(p, n) + log(p) + exp(p) + p / n / m;": SIDE_BY_SIDE,
    "b[i] = a[i] / (1 + a[i]);": SIDE_BY_SIDE,
    "b[i] = sqrt(a[i]);": SIDE_BY_SIDE,
    "b[i] = f.at(i);": SIDE_BY_SIDE,
    "k[i] = k[i] / m / n / (m + 1) / (n + 1) / (m + 2);": SIDE_BY_SIDE,
    "if (k[i] == 0) d[i] = expf(c[i]);": SIDE_BY_SIDE,
    "if (k[i] == 0) b[i] = exp(a[i]);": SIDE_BY_SIDE,
}


@pytest.mark.parametrize("body", BODIES)
def test_what_takes_long_in_double(body: str) -> None:
    assert forms(tuple(BODIES))[body] == BODIES[body]


@pytest.mark.parametrize(("value", "expected"), [("exp(-a[y * m + x])", ONE), ("a[y * m + x] * 2", SIDE_BY_SIDE)])
def test_nests(value: str, expected: str) -> None:
    body = f"b[y * m + x] = {value};"
    assert forms((body,), NEST, "collapse(2)") == {body: expected}


def test_long_iterations_are_judged_by_their_beginning() -> None:
    bodies = tuple("b[i] = a[i] " + "+ p * m " * count + "+ exp(a[i]);" for count in (20, 130))
    assert list(forms(bodies).values()) == [ONE, SIDE_BY_SIDE]


@pytest.mark.parametrize(
    ("value", "is_light"),
    [("exp(-a[i])", False), ("log(a[i])", False), ("pow(a[i], p)", False), ("a[i] / (1 + a[i])", True),
     ("expf(c[i])", True), ("a[i] * exp(p)", True)],
)  # fmt: skip
def test_reductions_over_the_grid(value: str, is_light: bool) -> None:
    source = f"""{BEFORE}double k({ARGUMENTS}) {{
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s) {MAPS}
  for (int i = 0; i < n; i++) s += {value};
  return s;
}}
"""
    assert ("rex_each_in_grid" in support.compiled(source, "t.cpp").kernels[0].body) == is_light
