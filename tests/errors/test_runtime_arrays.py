"""What arrays of run-time extent in regions may not be, and where that is said."""

from __future__ import annotations

import pytest

from support import expect_error

OWN = "void f(int n, int *p) {\n#pragma omp target map(tofrom : p[0 : n])\n  {\n    %s\n    p[0] = v[0].x;\n  }\n}\n"
CASES = {
    "aligned": (
        "the alignment of 'v', an array of run-time extent, cannot be lowered yet; give it a constant extent",
        "struct s { int x; };\n" + OWN % "«_Alignas(64) struct s v[n]»;",
    ),
    "aligned by an attribute": (
        "the alignment of 'v', an array of run-time extent, cannot be lowered yet; give it a constant extent",
        "struct s { int x; };\n" + OWN % "«struct s v[n]» __attribute__((aligned(64)));",
    ),
    "aligned elements": (
        "the elements of the variable-length array 'v' are aligned to 64 bytes, those of memory that the run asks for "
        "to 16; give it a constant extent",
        "struct s { _Alignas(64) int x; };\n" + OWN % "«struct s v[n]»;",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_its_alignment_is_no_more_than_memory_has(name: str) -> None:
    message, text = CASES[name]
    expect_error(text, "unsupported-type", message)


LOOP = "#pragma omp target teams distribute parallel for"
COPIES = {
    "first-private": f"{LOOP} firstprivate(v)\n  for (int i = 0; i < n; i++) «v»[0].x += i;",
    "private": f"{LOOP} private(v)\n  for (int i = 0; i < n; i++) «v»[0].x = i;",
    "inside": "#pragma omp target\n  {\n    n++;\n#pragma omp parallel for private(«v»)\n"
    "    for (int i = 0; i < n; i++) v[0].x = i;\n  }",
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_aligned_elements_are_refused(name: str) -> None:
    text = f"struct s {{ _Alignas(64) int x; }};\nvoid f(int n) {{\n  struct s v[n];\n{COPIES[name]}\n}}\n"
    expect_error(text, "unsupported-type", "the elements of the variable-length array 'v' are aligned to 64 bytes")


def test_elements_with_constructors_are_refused() -> None:
    text = "struct s { int x; s() : x(3) {} ~s() {} };\n" + OWN % "«s v[n]»;"
    message = "the elements of the variable-length array 'v' have constructors or a destructor"
    expect_error(text, "unsupported-type", message, "t.cpp")


REDUCED = {
    "rows": (
        "this reduction of 'v', an array of run-time size, cannot be lowered yet; reduce a section of a pointer",
        "double v[n][3];\n#pragma omp parallel for reduction(+ : «v»)\n    for (int i = 0; i < n; i++) v[i][0] += i;",
    ),
    "original": (
        "an array of run-time size reduced with 'most', whose initializer reads omp_orig, cannot be lowered yet; let",
        "int v[n];\n#pragma omp parallel for reduction(most : «v»)\n    for (int i = 0; i < n; i++) v[i] = i;",
    ),
}


@pytest.mark.parametrize("name", REDUCED)
def test_what_cannot_be_reduced_inside_names_a_way_out(name: str) -> None:
    message, code = REDUCED[name]
    most = "#pragma omp declare reduction(most : int : omp_out = omp_out > omp_in ? omp_out : omp_in)"
    text = f"{most} initializer(omp_priv = omp_orig)\nvoid f(int n) {{\n#pragma omp target teams\n"
    text += f"  {{\n    {code}\n  }}\n}}\n"
    expect_error(text, "unsupported-reduction", message)


MEMBERS = {
    "around parallels": (
        "a reduction of the member 'x' around parallel constructs cannot be lowered yet; reduce a local variable",
        "distribute reduction(+ : «x»)\n  for (int i = 0; i < n; i++) {\n#pragma omp parallel for\n"
        "    for (int j = 0; j < n; j++) y = j;\n    x += i;\n  }",
    ),
    "original": (
        "a member reduced with 'most', whose initializer reads omp_orig, cannot be lowered yet; let its initializer",
        "distribute parallel for reduction(most : «x»)\n  for (int i = 0; i < n; i++) x = i;",
    ),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_what_members_cannot_be_reduced_names_a_way_out(name: str) -> None:
    message, code = MEMBERS[name]
    text = "#pragma omp declare reduction(most : int : omp_out += omp_in) initializer(omp_priv = omp_orig)\n"
    text += f"struct s {{ int x, y; void f(int n); }};\nvoid s::f(int n) {{\n#pragma omp target teams {code}\n}}\n"
    expect_error(text, "unsupported-reduction", message, "t.cpp")
