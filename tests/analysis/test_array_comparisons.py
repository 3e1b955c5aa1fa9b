"""Arrays that GPUs would leave out of a comparison by a defaulted ``operator <=>``."""

from __future__ import annotations

import pytest

from support import translate_text

_SOURCE = """#include <algorithm>
#include <array>
#include <compare>
#include <utility>
struct A {{ int m[2]; auto operator<=>(const A &) const = default; }};
struct Inside {{ A a; int z; auto operator<=>(const Inside &) const = default; }};
struct Base : A {{ int z; auto operator<=>(const Base &) const = default; }};
struct Friend {{ int m[2][2]; friend auto operator<=>(const Friend &, const Friend &) = default; }};
template <class T> struct Of {{ T m[2]; auto operator<=>(const Of &) const = default; }};
struct Plain {{ int a, b; auto operator<=>(const Plain &) const = default; }};
struct Equal {{ int m[2]; bool operator==(const Equal &) const = default; }};
struct Own {{ int m[2]; auto operator<=>(const Own &o) const {{ return m[0] <=> o.m[0]; }}
             bool operator==(const Own &) const = default; }};
struct Holds {{ Own o; int m; auto operator<=>(const Holds &) const = default; }};
struct HasArray {{ std::array<int, 2> m; auto operator<=>(const HasArray &) const = default; }};
using PairOf = std::pair<A, int>;
using ArrayOf = std::array<A, 2>;
template <class T> int less(const T &a, const T &b) {{ return a < b; }}
void f(int *r, {kind} *x) {{
#pragma omp target map(tofrom: r[0:1], x[0:2])
  r[0] = {code};
}}
"""


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("A", "x[0] < x[1]"),
        ("A", "(x[0] <=> x[1]) >= 0"),
        ("A", "less(x[0], x[1])"),
        ("A", "std::max(x[0], x[1]).m[0]"),
        ("Inside", "x[0] >= x[1]"),
        ("Base", "x[0] > x[1]"),
        ("Friend", "x[0] <= x[1]"),
        ("Of<int>", "less(x[0], x[1])"),
        ("PairOf", "x[0] < x[1]"),
        ("ArrayOf", "x[0] > x[1]"),
        ("A", "std::max_element(x, x + 2)->m[0]"),
    ],
)
def test_they_are_refused_for_gpus(kind: str, code: str) -> None:
    found = translate_text(_SOURCE.format(kind=kind, code=code), "t.cpp", arguments=("-std=c++20",))
    assert found.device is None
    first = found.diagnostics[0]
    assert first.code == "unsupported-type" and "leaves arrays out" in first.message


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("A", "x[0] == x[1]"),
        ("A", "x[0] != x[1]"),
        ("Plain", "x[0] < x[1]"),
        ("Equal", "x[0] == x[1]"),
        ("Own", "x[0] < x[1]"),
        ("Holds", "x[0] < x[1]"),
        ("HasArray", "x[0] < x[1]"),
        ("A", "std::max(x[0], x[1], [](const A &a, const A &b) { return a.m[0] < b.m[0]; }).m[0]"),
        ("A", "std::max(x[0].m[0], x[1].m[1])"),
    ],
)
def test_other_comparisons_are_made(kind: str, code: str) -> None:
    found = translate_text(_SOURCE.format(kind=kind, code=code), "t.cpp", arguments=("-std=c++20",))
    assert not found.diagnostics
