"""Constraints of templates in device code: a function's qualifiers stand behind the clause ``requires``."""

from __future__ import annotations

import pytest

from support import compiled

CLAUSES = {
    "requires (sizeof(T) > 4)": "1L",
    "requires Small<T>": "1",
    "requires n::Below<T, (8 > 4)> || Small<T>": "1",
    "requires (!Small<T>) && Is<T>::value": "1L",
    "requires requires(T x) { x + 1; }": "1",
}
"""Each with an argument that meets it."""
HEAD = (
    "template <class T> concept Small = sizeof(T) <= 4;\nnamespace n { template <class T, int N> concept Below = "
    "sizeof(T) < N; }\ntemplate <class T> struct Is { static constexpr bool value = true; };\n"
)


@pytest.mark.parametrize("clause", CLAUSES)
def test_qualifiers_stand_behind_the_constraint(clause: str) -> None:
    made = compiled(
        f"{HEAD}template <class T>\n{clause}\nint f(T) {{ return 1; }}\nvoid g(int *p) {{\n"
        f"#pragma omp target map(from : p[0:1])\n  p[0] = f({CLAUSES[clause]});\n}}\n",
        "t.cpp",
        arguments=("-std=c++20",),
    )
    assert f"{clause}\n__device__ int f(T)" in made.device
