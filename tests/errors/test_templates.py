"""Regions of templates whose parameters a kernel cannot have."""

from __future__ import annotations

import pytest

from rexcc.source.diagnostics import Severity
from support import compiled, expect_error, translate_text

CODE = "unsupported-template"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "template <class... R> int f(R... rest) {\n  int s = 0;\n#pragma omp «target map(tofrom: s)»\n"
            "#pragma omp task shared(s)\n  s += (rest + ...);\n  return s;\n}\nint g() { return f(1, 2); }",
            "'rest' is a parameter pack in a region with tasks",
        ),
        (
            "struct A { int v; };\ntemplate <class... R> int f(R... rest) {\n  int s = 0;\n"
            "#pragma omp «target map(tofrom: s) defaultmap(tofrom: scalar) defaultmap(firstprivate: aggregate)»\n"
            "  { s += (++rest.v + ...); }\n  return s;\n}\nint g() { return f(A{1}); }",
            "'rest' is a parameter pack of which the region changes copies",
        ),
        (
            "namespace n {\ntemplate <class T> auto f(T v) {\n#pragma omp «target map(tofrom: v)»\n  v += 1;\n"
            "  return v;\n}\ntemplate <class T, class R = decltype(f(T()))> R g(T v) { return f(v); }\n"
            "int h() { return g(4); }\n}",
            "is instantiated before the end of the file, for a type",
        ),
        (
            "template <class F> void each(F f) {\n#pragma omp «target teams loop»\n  for (int i = 0; i < 9; i++) f(i);"
            "\n}\nvoid g(int *p) {\n  struct { int x; } s = {3};\n  each([=](int i) { p[i] = s.x; });\n}",
            "(a lambda) cannot be lowered yet; name the class, and those of variables that a lambda captures",
        ),
        (
            "int table;\ntemplate <int *P> int f() {\n  int s = 0;\n#pragma omp target map(tofrom: s)\n  s += *«P»;\n"
            "  return s;\n}\nint g() { return f<&table>(); }",
            "'P' is 'table', a variable, as an argument of a template",
        ),
        (
            "template <class T, class = T> T f(T v) {\n#pragma omp «target map(tofrom: v)»\n  v += 1;\n  return v;\n}\n"
            "int g() { return f<int>(1) + f<int, long>(2); }",
            "differ in a template parameter without a name",
        ),
        (
            "template <class... T> int f() {\n  struct all { int v[sizeof...(T)]; };\n  all a = {};\n"
            "#pragma omp «target map(tofrom: a)»\n  a.v[0] = sizeof...(T);\n  return a.v[0];\n}\n"
            "int g() { return f<int, long>(); }",
            "a type of this function names 'T', a pack or template",
        ),
        (
            "template <class... T> double f(double s) {\n  constexpr double k = sizeof...(T);\n"
            "  struct add { double by() const { return k; } } a;\n#pragma omp «target map(tofrom: s)»\n"
            "  s += a.by();\n  return s;\n}\ndouble g() { return f<int, long>(1); }",
            "a constant of this function names 'T', a pack or template",
        ),
        (
            "template <class F> int f(F g) {\n  int s = 0;\n#pragma omp «target map(tofrom: s)»\n  s = g();\n"
            "  return s;\n}\nint h(int n) {\n  static int two = 2;\n"
            "  struct add { int operator()() const { return two; } };\n  return f(add());\n}",
            "'add', an argument of the template that this region is in, is a type of a function",
        ),
        (
            "template <class F> int f(F g) {\n  int s = 0;\n#pragma omp «target map(tofrom: s)»\n  s = g();\n"
            "  return s;\n}\nint one(int i) { return i; }\ntemplate <int (*P)(int)> int h() {\n"
            "  struct add { int operator()() const { return P(1); } };\n  return f(add());\n}\n"
            "int k() { return h<one>(); }",
            "'add', an argument of the template that this region is in, is a type of a function",
        ),
        (
            "template <class T> int f(T v) {\n#pragma omp «target map(tofrom: v)»\n  v = T(1);\n  return int(v);\n}\n"
            "int h() {\n  enum mode { off, on };\n  return f(off);\n}",
            "'mode', an argument of the template that this region is in, is a type of a function",
        ),
        (
            "template <class T> T n(T v) { return v; }\ntemplate <auto F, auto G> int f() {\n  int s = 0;\n"
            "#pragma omp «target map(tofrom: s)»\n  s = F(1) + (int)G(2.0);\n  return s;\n}\n"
            "int g() { return f<&n<int>, &n<double>>(); }",
            "'&n' is the address of several functions of one template",
        ),
        (
            "template <int A, int B> struct pair {};\ntemplate <int A, int B> using swapped = pair<B, A>;\n"
            "template <class T> struct step;\ntemplate <int A, int B> struct step<swapped<A, B>> {\n"
            "  static int f() {\n    int s = 0;\n#pragma omp «target map(tofrom: s)»\n    s = A - B;\n    return s;\n"
            "  }\n};\nint g() { return step<pair<1, 2>>::f(); }",
            "'A' is part of another argument of the partial specialisation",
        ),
    ],
)
def test_parameters_that_no_kernel_has_are_refused(text: str, message: str) -> None:
    expect_error(text, CODE, message, "t.cpp")


def test_an_object_as_argument_whose_class_is_deduced_has_no_exact_text() -> None:
    text = "template <class T, unsigned N> struct all { T v[N]; };\n"
    text += "template <class T, class... U> all(T, U...) -> all<T, 1 + sizeof...(U)>;\ntemplate <all A> int f() {\n"
    text += "  int s = 0;\n#pragma omp target map(tofrom: s)\n  { constexpr auto a = A; s = a.v[1]; }\n  return s;\n}\n"
    found = translate_text(f"{text}int g() {{ return f<all{{1, 2}}>(); }}", "t.cpp", arguments=("-std=c++20",))
    assert any("an object whose class's arguments are deduced" in d.message for d in found.diagnostics)


def test_a_template_that_begins_with_a_pack_may_be_without_instances() -> None:
    text = "template <class... T, class U> int f(U u) {\n#pragma omp target map(tofrom: u)\n  u += 1;\n  return u;\n}\n"
    assert "static_assert(!__is_same(U, U)" in compiled(text, "t.cpp").host
    text = "template <class... T> int f(int u) {\n#pragma omp target map(tofrom: u)\n  u += 1;\n  return u;\n}\n"
    assert "static_assert(sizeof...(T) == static_cast<__SIZE_TYPE__>(-1)" in compiled(text, "t.cpp").host


def test_an_instance_of_a_template_is_no_variant_yet() -> None:
    text = "template <class T> T fast(T v) { return v; }\n#pragma omp declare variant(«fast<int>») "
    text += "match(device={kind(nohost)})\nint slow(int v) { return v; }\nint f(int r) {\n"
    text += "#pragma omp target map(tofrom: r)\n  r = slow(r);\n  return r;\n}\n"
    expect_error(text, "unsupported-variant", "'fast<int>' is an instance of a template", "t.cpp")


@pytest.mark.parametrize("item", ["a < b", "S<int", "S<int>", "S<int, 3> + a", "S<>>::v"])
def test_angle_brackets_alone_make_no_list_item(item: str) -> None:
    text = f"int f(int a, int b) {{\n#pragma omp target map(tofrom: {item})\n  a = b;\n  return a;\n}}\n"
    found = [d for d in translate_text(text, "t.cpp").diagnostics if d.severity is Severity.ERROR]
    assert found and {d.code for d in found} <= {"omp-bad-list-item", "base-language"}, found


def test_tasks_whose_packs_have_more_elements_in_some_instantiations() -> None:
    text = """template <class B, class... A> void later(int n, int *o, B body, A... a) {
#pragma omp «target» teams distribute parallel for nowait map(from: o[:n])
  for (int i = 0; i < n; i++) o[i] = body(i, a...);
}
void f(int n, int *o) {
  later(n, o, [](int i) { return i; });
  later(n, o, [](int i, int k) { return i + k; }, 1);
}
"""
    expect_error(text, CODE, "instantiations of this template need different host versions", "t.cpp")
