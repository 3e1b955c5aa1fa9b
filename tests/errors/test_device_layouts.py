"""Objects of classes whose members a GPU would read at wrong places."""

# ruff: noqa: E501
from __future__ import annotations

import pytest

from support import expect_error, translate_text

CLASSES = """struct E {}; struct F {}; struct full { full(); double d; char c; };
#define NOWHERE [[no_unique_address]]
struct tail { double a; [[no_unique_address]] E e; };
struct front { [[no_unique_address]] E e; double a; };
struct both_front { NOWHERE E e; NOWHERE F f; double a; };
struct same_twice { NOWHERE E e; NOWHERE E f; double a; };
struct middle { int a; [[no_unique_address]] E e; char c; };
struct base { int a; };
struct derived : base { [[no_unique_address]] F f; };
struct own_place { double a; [[maybe_unused]] E e; };
struct alone { [[no_unique_address]] E e; };
struct in_padding { [[no_unique_address]] full f; char x; };
struct behind { [[no_unique_address]] full f; double x; };
union one_of { double a; E e; };
template <class Op, class L> struct made { L l; [[no_unique_address]] Op op; };
template <class T> struct of_base : tail { T own; };
template <class T> struct of_template : made<E, T> { T own; };
template <class B> struct mixed : B { int own; };
struct holder { made<E, double> *rows; int n; };
static made<E, double> row{};
struct __attribute__((packed)) packed_base : base { char c; };
struct __attribute__((packed)) packed_full { char c; full f; };
struct __attribute__((packed)) packed { char c; base b; };
#pragma pack(push, 1)
struct by_pragma : base { char c; full f; };
#pragma pack(pop)
template <class T> struct __attribute__((packed)) packed_made : of_base<T> { char c; };
"""
WITHOUT_ADDRESS = (
    "has a member with [[no_unique_address]], for which nvcc makes wrong code; declare the member in front"
)
PACKED = "is packed and has bases or classes in it"
WRONG = {
    "tail": ("tail", WITHOUT_ADDRESS),
    "derived": ("derived", WITHOUT_ADDRESS),
    "made<E, double>": ("made<E, double>", WITHOUT_ADDRESS),
    "same_twice": ("same_twice", WITHOUT_ADDRESS),
    "holder": ("made<E, double>", WITHOUT_ADDRESS),
    "made<F, tail>": ("made<F, tail>", WITHOUT_ADDRESS),
    "in_padding": ("in_padding", WITHOUT_ADDRESS),
    "of_base<int>": ("tail", WITHOUT_ADDRESS),
    "of_template<float>": ("made", WITHOUT_ADDRESS),
    "mixed<tail>": ("tail", WITHOUT_ADDRESS),
    "packed_base": ("packed_base", PACKED),
    "packed_full": ("packed_full", PACKED),
}
RIGHT = [
    "front",
    "both_front",
    "middle",
    "own_place",
    "alone",
    "one_of",
    "behind",
    "packed",
    "by_pragma",
    "mixed<front>",
    "base",
]


def region(kind: str, use: str) -> str:
    return f"{CLASSES}int f({kind} *p) {{\n#pragma omp target map(tofrom : p[0 : 1])\n  {{ (void)*{use}; }}\n  return sizeof *p;\n}}\n"


@pytest.mark.parametrize("kind", WRONG)
def test_classes_that_nvcc_lays_out_in_another_way_are_refused(kind: str) -> None:
    shown, told = WRONG[kind]
    expect_error(region(kind, "«p»"), "unsupported-type", f"'p': '{shown}' {told}", "t.cpp")


@pytest.mark.parametrize("kind", RIGHT)
def test_others_are_not(kind: str) -> None:
    assert translate_text(region(kind, "p"), "t.cpp").device is not None


def test_the_own_object_is_one() -> None:
    method = "struct own { double a; [[no_unique_address]] E e; void go() {\n#pragma omp target\n  «a» = 1;\n} };\n"
    expect_error(CLASSES + method, "unsupported-type", f"'a': 'own' {WITHOUT_ADDRESS}", "t.cpp")


def test_what_regions_make_is_the_devices() -> None:
    text = (
        f"{CLASSES}void f(double *r) {{\n#pragma omp target map(r[0:1])\n  {{ tail t{{1.5, {{}}}}; r[0] = t.a; }}\n}}\n"
    )
    assert translate_text(text, "t.cpp").device is not None
