"""What ``groupprivate`` (OpenMP 6.0, 7.13) refuses, and where it points."""

from __future__ import annotations

import pytest

from support import compiled, expect_error

LOOP = "#pragma omp target teams distribute map(from : p[0 : 8])"
CASES = {
    "of nothing": ("omp-bad-list-item", "'v' is no variable", "int w;\n#pragma omp groupprivate(«v»)\n"),
    "declared later": (
        "omp-bad-list-item",
        "'v' is no variable",
        "void h(void) {\n#pragma omp groupprivate(«v»)\n  int v; }\n",
    ),
    "incomplete": ("omp-list-item-type", "not complete", "extern int v[];\n#pragma omp groupprivate(«v»)\n"),
    "constant": ("unsupported-declaration", "is constant", "const int v = 3;\n#pragma omp groupprivate(«v»)\n"),
    "each thread's": ("unsupported-declaration", "is '__thread'", "__thread int v;\n#pragma omp groupprivate(«v»)\n"),
    "in declare target": (
        "omp-groupprivate",
        "in a list of 'declare target'",
        "int v;\n#pragma omp groupprivate(v)\n#pragma omp «declare target enter(v)»\n",
    ),
    "mapped": (
        "omp-groupprivate",
        "'v' is groupprivate and cannot be in 'map'",
        "int v;\n#pragma omp groupprivate(v)\nvoid h(int *p) {\n#pragma omp target map(«v»)\n  p[0] = v; }\n",
    ),
    "private": (
        "omp-groupprivate",
        "'v' is groupprivate and cannot be in 'firstprivate'",
        "int v;\n#pragma omp groupprivate(v)\n"
        "void h(int *p) {\n#pragma omp parallel firstprivate(«v»)\n  p[0] = v; }\n",
    ),
    "the host's": (
        "omp-groupprivate",
        "'v' is groupprivate with device_type(host)",
        "int v;\n#pragma omp groupprivate(v) device_type(host)\n"
        f"void h(int *p) {{\n{LOOP}\n  for (int t = 0; t < 8; t++) p[t] = «v»; }}\n",
    ),
    "teams of the host": (
        "unsupported-construct",
        "teams of the host cannot have a groupprivate variable each yet",
        "int v;\n#pragma omp groupprivate(v)\nint g(void) { return v; }\n"
        "void h(int *p) {\n#pragma omp «teams num_teams(4)»\n  p[0] = g(); }\n",
    ),
    "elsewhere": (
        "unsupported-declaration",
        "is groupprivate and defined in another file",
        "«extern int v»;\n#pragma omp groupprivate(v)\n"
        f"void h(int *p) {{\n{LOOP}\n  for (int t = 0; t < 8; t++) p[t] = v = t; }}\n",
    ),
    "too large": (
        "team-memory",
        "'v', of which each team has its own, takes 80000 bytes",
        "«double v[10000]»;\n#pragma omp groupprivate(v)\n"
        f"void h(int *p) {{\n{LOOP}\n  for (int t = 0; t < 8; t++) p[t] = v[t] = t; }}\n",
    ),
    "beside a variable of the device": (
        "unsupported-declaration",
        "declare each on its own",
        "#pragma omp declare target\n«int w = 1, v»;\n#pragma omp end declare target\n#pragma omp groupprivate(v)\n"
        f"void h(int *p) {{\n{LOOP}\n  for (int t = 0; t < 8; t++) p[t] = v = t + w; }}\n",
    ),
    "not static in device code": (
        "unsupported-declaration",
        "in device code is groupprivate and not declared 'static'",
        f"void h(int *p) {{\n{LOOP}\n  for (int t = 0; t < 8; t++) {{ «int v»;\n#pragma omp groupprivate(v)\n"
        "  p[t] = v = t; } }\n",
    ),
    "with a first value in device code": (
        "unsupported-clause",
        "'v' lies in the memory of a team, which cannot have a first value; assign it",
        "void h(int *p) {\n#pragma omp target teams map(tofrom : p[0 : 1])\n  { static int v = 5;\n"
        "#pragma omp «groupprivate(v)»\n  p[0] = v; } }\n",
    ),
    "in a task": (
        "unsupported-construct",
        "used by functions that it calls",
        "int v;\n#pragma omp groupprivate(v)\nint g(void) { return v = 1; }\n"
        "void h(int *p) {\n#pragma omp «target nowait map(from : p[0 : 8])»\n  p[0] = g(); }\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused(name: str) -> None:
    code, message, text = CASES[name]
    main = "int main(void) { int p[8];\n#pragma omp target map(from : p)\n  p[0] = 1;\n  return p[0]; }\n"
    expect_error(text + main, code, message)


def test_a_class_with_a_constructor_is_refused() -> None:
    text = "struct S { int x; S() : x(1) {} };\nS v;\n#pragma omp groupprivate(«v»)\n"
    expect_error(text, "unsupported-declaration", "has a constructor or a destructor", "t.cpp")


def test_an_array_in_device_code_may_have_any_constant_extent() -> None:
    text = "void h(int *p) {\n#pragma omp target teams map(tofrom : p[0 : 1])\n  { static int v[2 + 2];\n"
    text += "#pragma omp groupprivate(v)\n  v[0] = 3; p[0] = v[0]; } }\n"
    assert "__shared__ int v[2 + 2];" in compiled(text).device


def test_the_innermost_scope_counts() -> None:
    text = (
        "int v;\nnamespace a { namespace { int v; }\n#pragma omp groupprivate(v)\n"
        f"void h(int *p) {{\n{LOOP}\n  for (int t = 0; t < 8; t++) p[t] = v = t; }}\n}}\n"
    )
    device = compiled(text, "t.cpp").device
    assert device.count("static __shared__ int v;") == 1
    assert "namespace a { namespace { static __shared__ int v;" in device


def test_default_none_asks_for_no_clause() -> None:
    text = (
        "int v;\n#pragma omp groupprivate(v)\n"
        f"void h(int *p) {{\n{LOOP} default(none) shared(p)\n  for (int t = 0; t < 8; t++) p[t] = v = t; }}\n"
    )
    assert "static __shared__ int v;" in compiled(text).device
