"""Declarations that device code cannot have: the code, and the place that the error points at."""

from __future__ import annotations

import pytest

from support import expect_error, translate_text

TAKING = "struct C { int n = 0; C() = default; template <class T> C(T &&) : n(-1) {} C(const C &) = default; };\n"
CASES = {
    "extern in a region": (
        "t.c", "'scale' is declared 'extern' in a target region",
        "int scale;\nvoid f(int *p) {\n#pragma omp target map(from: p[0:1])\n  { «extern» int scale; p[0] = scale; }\n"
        "}\n",
    ),
    "cleanup": (
        "t.c", "'x' has the attribute 'cleanup'",
        "static void end(int *p) { *p = 1; }\nstatic int g(void) {\n  «int» x __attribute__((cleanup(end))) = 2;\n"
        "  return x;\n}\nvoid f(int *p) {\n#pragma omp target map(from: p[0:1])\n  p[0] = g();\n}\n",
    ),
    "cleanup of a macro": (
        "t.c", "'x' has the attribute 'cleanup'",
        "#define SCOPED __attribute__((cleanup(end)))\nstatic void end(int *p) { *p = 1; }\nvoid f(int *p) {\n"
        "#pragma omp target map(from: p[0:1])\n  { «SCOPED» int x = 2; p[0] = x; }\n}\n",
    ),
    "static variable of each thread": (
        "t.cpp", "'n' is a variable of each thread of the host, which nvcc does not have",
        "static int g() { «static» thread_local int n = 3; return n; }\nvoid f(int *p) {\n"
        "#pragma omp target map(from: p[0:1])\n  p[0] = g();\n}\n",
    ),
    "static variable with a computed value": (
        "t.cpp", "'n' is a static variable whose first value a function or constructor computes",
        "static int three() { return 3; }\nstatic int g() { «static» int n = three(); return n; }\nvoid f(int *p) {\n"
        "#pragma omp target map(from: p[0:1])\n  p[0] = g();\n}\n",
    ),
    "address of a label": (
        "t.c", "the address of the label 'end', which nvcc does not have",
        "void f(int *p) {\n#pragma omp target map(from: p[0:1])\n  { void *t = «&&»end; p[0] = t != 0; goto *t; end:; "
        "}\n}\n",
    ),
    "alias of a lambda's type": (
        "t.cpp", "'P' has the type of a lambda",
        "template <class F> struct R { static int at(int i) { return i; } };\nvoid f(int *p) {\n"
        "  auto l = [](int i) { return i; };\n  «using P = R<decltype(l)>»;\n#pragma omp target map(from: p[0:1])\n"
        "  p[0] = P::at(1);\n}\n",
    ),
    "variable template": (
        "t.cpp", "'level<int>', which a variable template makes, may change",
        "template <class T> T level = 3;\nvoid f(int *p) {\n#pragma omp target map(from: p[0:1])\n"
        "  p[0] = «level<int>»;\n}\n",
    ),
    "variable template of addresses": (
        "t.cpp", "'first<int>', which a variable template makes, holds the address of a variable of the host",
        "int table[9];\ntemplate <class T> constexpr T *first = table;\nvoid f(int *p) {\n"
        "#pragma omp target map(from: p[0:1])\n  p[0] = «first<int>»[3];\n}\n",
    ),
    "variable template in a function": (
        "t.cpp", "'level<T>', which a variable template makes, may change",
        "template <class T> T level = 3;\ntemplate <class T> T twice() { return 2 * «level<T>»; }\nvoid f(int *p) {\n"
        "#pragma omp target map(from: p[0:1])\n  p[0] = twice<int>();\n}\n",
    ),
    "static variable template": (
        "t.cpp", "'S::level<int>', which a variable template makes, may change",
        "struct S { template <class T> static T level; };\ntemplate <class T> T S::level = 3;\nvoid f(int *p) {\n"
        "#pragma omp target map(from: p[0:1])\n  p[0] = «S::level<int>»;\n}\n",
    ),
    "result that a template copies": (
        "t.cpp", "what 'make' returns would be copied by nvcc with the template of constructors",
        f"{TAKING}static C make() {{ return C(); }}\nvoid f(int *p) {{\n#pragma omp target map(from: p[0:1])\n"
        "  { C c = «make»(); p[0] = c.n; }\n}\n",
    ),
    "variable that a template copies": (
        "t.cpp", "what 'make' returns would be copied by nvcc with the template of constructors",
        f"{TAKING}static C make() {{ C c; return «c»; }}\nvoid f(int *p) {{\n#pragma omp target map(from: p[0:1])\n"
        "  p[0] = make().n;\n}\n",
    ),
    "part that a template copies": (
        "t.cpp", "what 'make' returns would be copied by nvcc with the template of constructors",
        f"{TAKING}static C make() {{ return C(); }}\nstruct D {{ C c; D() : c(«make»()) {{}} }};\nvoid f(int *p) {{\n"
        "#pragma omp target map(from: p[0:1])\n  { D d; p[0] = d.c.n; }\n}\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_device_code_cannot_declare(name: str) -> None:
    file, message, source = CASES[name]
    expect_error(source, "unsupported-declaration", message, file)


@pytest.mark.parametrize(
    "more", ["C(C &&) = default;", "~C() {}", "C(const C &c, int) : n(c.n) {}"], ids=["moved", "ended", "copied"]
)
def test_results_that_no_template_copies(more: str) -> None:
    taking = TAKING.replace(
        "C(const C &) = default;" if "int" in more else "};", more if "int" in more else f"{more} }};"
    )
    source = f"{taking}static C make() {{ return C(); }}\nvoid f(int *p) {{\n#pragma omp target map(from: p[0:1])\n"
    source += "  { C c = make(); p[0] = c.n; }\n}\n"
    assert translate_text(source, "t.cpp").device is not None


def test_results_that_become_no_variable() -> None:
    source = f"{TAKING}static C make() {{ return C(); }}\nstatic int of(C c) {{ return c.n; }}\nvoid f(int *p) {{\n"
    source += (
        "#pragma omp target map(from: p[0:1])\n  { const C &c = make(); p[0] = c.n + make().n + of(make()); }\n}\n"
    )
    assert translate_text(source, "t.cpp").device is not None


def test_variable_templates_whose_base_classes_may_change() -> None:
    expect_error(
        "struct B { int n; };\nstruct D : B {};\ntemplate <class T> D made;\nvoid f(int *p) {\n"
        "#pragma omp target map(from: p[0:1])\n  p[0] = «made<int>».n;\n}\n",
        "unsupported-declaration", "'made<int>', which a variable template makes, may change", "t.cpp",
    )  # fmt: skip


def test_variable_templates_that_do_not_change() -> None:
    source = """template <class T> constexpr T three = 3;
template <class T> auto next = [](T x) { return x + 1; };
template <class T> struct Tag { T of(T x) const { return x; } };
template <class T> Tag<T> tag;
template <class T> T level = 3;
void f(int *p) {
  int &v = level<int>;
#pragma omp target map(from: p[0:1]) map(to: v)
  p[0] = three<int> + next<int>(v) + tag<int>.of(2) + sizeof(level<int>);
}
"""
    assert translate_text(source, "t.cpp").device is not None


def test_a_static_member_that_only_the_host_computes() -> None:
    expect_error(
        "static int three() { return 3; }\ntemplate <class T> struct S { static const T v; };\n"
        "template <class T> const T S<T>::v = three();\nvoid f(int *p) {\n#pragma omp target map(from: p[0:1])\n"
        "  p[0] = «S»<int>::v;\n}\n",
        "unsupported-declaration", "whose first value a function or constructor computes", "t.cpp",
    )  # fmt: skip


def test_constants_with_known_values_stay() -> None:
    found = translate_text(
        "constexpr int three() { return 3; }\nenum { FOUR = 4 };\nstruct P { int a, b; };\n"
        "template <class T> T g(T t) {\n  static const int n = three() + FOUR;\n  static T count = sizeof(T);\n"
        "  static const int row[] = {1, n};\n  static P p{1, 2};\n  static const char *name = \"x\";\n"
        "  static int *first = &p.a;\n  return t + count++ + row[1] + *first + *name;\n}\nvoid f(int *q) {\n"
        "#pragma omp target map(from: q[0:1])\n  q[0] = g(1) + g(2L);\n}\n",
        "t.cpp",
    )  # fmt: skip
    assert found.device is not None, [d.message for d in found.diagnostics]
