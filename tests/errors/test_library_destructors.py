"""Objects of the C++ library whose destructors nvcc has not, and leaves out with all that is behind them."""

from __future__ import annotations

import pytest

from support import expect_error, translate_text

HEAD = """#include <optional>
#include <variant>
struct ends { int *r; ~ends() { r[0]++; } };
struct holds { ends e; };
struct derived : holds {};
struct plain { int x; };
template <class T> struct ends_of { T *r; ~ends_of() { r[0]++; } };
template <class T> struct above : ends_of<T> {};
template <class T> struct outer { std::optional<T> inner; };
void f(int *r) {
#pragma omp target map(tofrom: r[0:4])
"""
REFUSED = {
    "optional": ("std::optional<ends> «o»;", "std::optional<ends>"),
    "made of a value": ("std::optional<ends> «o»{ends{r}};", "std::optional<ends>"),
    "part of a class": ("std::optional<holds> «o»;", "std::optional<holds>"),
    "base": ("std::optional<derived> «o»;", "std::optional<derived>"),
    "template": ("std::optional<ends_of<int>> «o»;", "std::optional<ends_of<int>>"),
    "base of a template": ("std::optional<above<int>> «o»;", "std::optional<above<int>>"),
    "variant": ("std::variant<int, ends> v = «3»;", "std::variant<int, ends>"),
    "member": ("outer<ends> «m»;", "std::optional<ends>"),
    "array": ("outer<ends> «m»[2];", "std::optional<ends>"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_holders_of_objects_with_destructors_are_refused(name: str) -> None:
    statement, kind = REFUSED[name]
    told = f"a '{kind}' cannot be in device code for a GPU: what it holds has a destructor"
    expect_error(f"{HEAD}  {{ {statement} }}\n}}\n", "host-function", told, "t.cpp")


@pytest.mark.parametrize(
    "statement",
    [
        "std::optional<plain> o{plain{3}}; r[0] = o->x;",
        "outer<plain> m; r[0] = 1;",
        "ends e{r}; r[1] = 2;",
        "holds h{{r}};",
    ],
)
def test_others_are_not(statement: str) -> None:
    assert translate_text(f"{HEAD}  {{ {statement} }}\n}}\n", "t.cpp").device is not None
