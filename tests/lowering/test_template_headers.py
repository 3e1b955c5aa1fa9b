"""Where the qualifiers of a function template go: behind its parameters, whatever these have in them."""

from __future__ import annotations

import pytest

import support

PROGRAM = """#include <type_traits>
#include <utility>
template <bool B, class T = void> using en = typename std::enable_if<B, T>::type;
{header} int f(int a) {{ return a; }}
int main() {{
  int x = 0;
#pragma omp target map(tofrom : x)
  x = {call}(x);
}}
"""


@pytest.mark.parametrize(
    ("header", "call"),
    [
        ("template <class T>", "f<int>"),
        ("template <class T, en<(sizeof(T) > 1)> * = nullptr>", "f<int>"),
        ("template <int N = (4 > 3 ? 1 : 2)>", "f<>"),
        ("template <class T, int N = int{(sizeof(T) > 2)}>", "f<int>"),
        ("template <int N, bool B = N < 3>", "f<1>"),
        ("template <int N, bool B = N < 3, class T = std::pair<int, int>>", "f<1>"),
        ("template <class T, class U = std::pair<T, std::pair<int, int>>>", "f<int>"),
        ("template <template <class...> class V, class T = V<int>>", "f<std::common_type>"),
    ],
)
def test_qualifiers_stand_behind_the_parameters(header: str, call: str):
    made = support.compiled(PROGRAM.format(header=header, call=call), "t.cpp")
    assert f"{header} __device__ int f(int a)" in made.device
