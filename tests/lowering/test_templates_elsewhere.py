"""Templates whose definitions are another file's: what a unit asks of others, and offers to them."""

from __future__ import annotations

import re

import pytest

import support

REGION = "\n#pragma omp target map(tofrom: r)\n"
OFFERED = [
    ("template <class T> T f(T x) { return x; }\ntemplate int f<int>(int);", "int (f<int>)(int)"),
    ("template <class T> T f(T x) { return x; }\ntemplate int f(int);", "int (f<int>)(int)"),
    ("template <class T> T *f(T, int) { return 0; }\ntemplate A *\nf(A, int);", "A *(f<A>)(A, int)"),
    ("template <int N, class... R> int f(R...) { return N; }\ntemplate int f<3>(A, long);",
     "int (f<3, A, long>)(A, long)"),
    ("namespace n { template <class T> T f(T x) { return x; } }\ntemplate A n::f(A);", "A (n::f<A>)(A)"),
    (
        "template <class T> struct B { T f() const &; };\ntemplate <class T> T B<T>::f() const & { return T(); }\n"
        "template struct B<int>;",
        "int (B<int>::f)() const &",
    ),
    (
        "template <class T> struct B { static T f(int); B(int); };\ntemplate <class T> T B<T>::f(int) { return T(); }\n"
        "template <class T> B<T>::B(int) {}\ntemplate struct B<A>;",
        "A (B<A>::f)(int)",
    ),
    (
        "template <class T> struct B { template <class U> U f(U) const; };\n"
        "template <class T> template <class U> U B<T>::f(U u) const { return u; }\n"
        "template long B<int>::f(long) const;",
        "long (B<int>::f<long>)(long) const",
    ),
]  # fmt: skip
KEPT = [
    "template <class T> auto f(T x) { return x; }\ntemplate auto f<int>(int);",
    "template <class T> T f(T x) { return x; }\nextern template int f<int>(int);\nstatic int g() { return f(2); }",
    "template <class T> struct B { virtual T f() const; };\ntemplate <class T> T B<T>::f() const { return T(); }\n"
    "template struct B<int>;",
    "template <class T> static T f(T x) { return x; }\ntemplate int f<int>(int);",
]


def declared(text: str) -> str:
    """Return a unit with a declare target region around a text."""
    return f"struct A {{ int v; }};\n#pragma omp begin declare target\n{text}\n#pragma omp end declare target\n"


def translated(text: str) -> tuple[str, str]:
    """Return the host and the device file of a unit that is linked with others."""
    found = support.translate_text(text, "t.cpp", alone=False)
    assert found.host is not None and found.device is not None, support.rendered(found)
    return found.host.text, found.device.text


@pytest.mark.parametrize(("text", "instantiation"), OFFERED)
def test_explicit_instantiations_are_offered_to_other_files(text: str, instantiation: str) -> None:
    host, device = translated(declared(text))
    assert re.findall(r"^template (?:__host__ )?__device__ (.*\(.*\).*);$", device, re.M)[-1] == instantiation
    assert host.count('REX_PART_LINE("has') == 1


@pytest.mark.parametrize("text", KEPT)
def test_what_others_make_themselves_is_not(text: str) -> None:
    found = support.translate_text(declared(text), "t.cpp", alone=False)
    assert found.host is not None and 'REX_PART_LINE("has' not in found.host.text


def test_a_template_without_definition_is_asked_of_other_files() -> None:
    text = "template <class T> T f(T x);\ntemplate <class T> struct B { T g() const; };\n"
    host, _ = translated(f"{text}int h() {{\n  int r = 0;\n  B<int> b;{REGION}  r = f(2) + b.g();\n  return r;\n}}")
    assert re.findall(r'"needs\\+t(\w+)', host) == ["_Z1fIiET_S0_", "_ZNK1BIiE1gEv"]


def test_a_constructor_of_a_class_template_is_not() -> None:
    text = "template <class T> struct B { B(int); T v; };\nint h() {\n  int r = 0;"
    support.expect_error(
        f"{text}{REGION}  {{ B<int> «b(2)»; r = b.v; }}\n  return r;\n}}", "undefined-device-function",
        "is called in a target region but not defined in this file", "t.cpp",
    )  # fmt: skip
