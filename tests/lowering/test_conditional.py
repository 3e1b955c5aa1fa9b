"""``lastprivate(conditional:)``: where assignments are noted, how the last one is found, what the host does."""

from __future__ import annotations

import re

import pytest

import support
from support import compiled

HEAD = (
    "#define SET(v) v = 1\n#define TWICE(s) s s\nstatic int g(int *p, int q) { return q; }\n"
    "void f(int n, int *a) {\nint x = 0, y = 0;\n"
)
COMBINED = "#pragma omp target parallel for lastprivate(conditional : x) map(to : a[0 : n])\n"


def program(statement: str, directive: str = COMBINED) -> str:
    """Return a function with a loop around a statement in a region."""
    return f"{HEAD}{directive}for (int i = 0; i < n; i++) {{ {statement} }}\n{'}' * directive.count('{')}}}\n"


def kernel(statement: str, directive: str = COMBINED) -> str:
    """Return the kernel's body on one line."""
    (found,) = compiled(program(statement, directive)).kernels
    return re.sub(r"\s+", " ", re.sub(r"#line .*", "", found.body))


NOTE = "__rex_when_x = __rex_iteration"
NOTED = {
    "x = a[i];": f"{NOTE}; x = a[i];",
    "x += 2;": f"{NOTE}; x += 2;",
    "--x;": f"{NOTE}; --x;",
    "x ++;": f"{NOTE}; x ++;",
    "if (a[i]) x = i;": f"({NOTE}, x) = i;",
    "if (a[i]) { x = i; }": f"{{ {NOTE}; x = i; }}",
    "y = x = i;": f"y = ({NOTE}, x) = i;",
    "g(a, x++);": f"g(a, ({NOTE}, x)++);",
    "(x) = i;": f"(({NOTE}, x)) = i;",
    "for (x = 0; x < 3; ) { }": f"for (({NOTE}, x) = 0; x < 3; ) {{ }}",
    "SET(x);": f"SET(({NOTE}, x));",
    "TWICE(x = i;)": f"{NOTE}; x = i; {NOTE}; x = i;",
    "switch (i) { case 1: x = 2; }": f"case 1: ({NOTE}, x) = 2;",
}


@pytest.mark.parametrize("statement", NOTED)
def test_assignments_are_noted(statement: str) -> None:
    found = kernel(statement)
    assert NOTED[statement] in found
    assert found.count(NOTE) == NOTED[statement].count(NOTE)


@pytest.mark.parametrize("statement", ["y = x;", "a[x] = 1;", "{ int x; x = i; }", "g(&x, 0);", "x == i;"])
def test_what_assigns_nothing_is_not_noted(statement: str) -> None:
    assert NOTE not in kernel(statement)


def test_private_copies_inside_are_not_noted() -> None:
    inner = "\n#pragma omp simd private(x)\nfor (int k = 0; k < 3; k++) { x = k; }\nx = i;"
    assert kernel(inner).count(NOTE) == 1


def test_the_thread_of_the_last_assignment_writes() -> None:
    (made,) = compiled(program("x = i;")).kernels
    assert "if (rex_is_last(__rex_when_x, (int)blockDim.x)) *__rex_x = x;" in made.body
    assert "long long __rex_when_x = -1;" in made.body and "__rex_ran_last" not in made.body
    both = kernel("x = i; y = i;", COMBINED.replace("map", "lastprivate(y) map"))
    assert "if (__rex_ran_last) *__rex_y = y;" in both and "__rex_when_y" not in both


def test_one_thread_assigns_the_original() -> None:
    for inside in ("simd", "single\n#pragma omp simd", "parallel for"):
        directive = (
            f"#pragma omp target parallel map(tofrom : x)\n{{ ;\n#pragma omp {inside} lastprivate(conditional : x)\n"
        )
        assert "__rex_when" not in kernel("x = i;", directive)
    directive = (
        "#pragma omp target parallel map(tofrom : x)\n{ ;\n#pragma omp for ordered lastprivate(conditional : x)\n"
    )
    assert "__rex_when" not in kernel("x = i;", directive)


def test_teams_in_the_region() -> None:
    region = "#pragma omp target map(tofrom : x)\n{ x = n;\n#pragma omp parallel for {}lastprivate(conditional : x)\n"
    whole, part = region.replace("{}", ""), region.replace("{}", "if(n > 3) firstprivate(x) ")
    assert "if (rex_is_last(__rex_when_x, (int)blockDim.x)) __rex_x = x;" in kernel("x = i;", whole)
    assert "if (rex_is_last(__rex_when_x, __rex_parallel_threads)) __rex_x = x;" in kernel("x = i;", part)


def test_the_host_assigns_in_order() -> None:
    def directives(directive: str) -> list[str]:
        host = support.code_only(compiled(program("x = i;", directive)).host)
        return re.findall(r"^ *#pragma omp (.*)$", host, re.MULTILINE)

    assert directives(COMBINED) == ["parallel for shared(x) num_threads(1)"]
    both = "#pragma omp target parallel for simd firstprivate(x, y) lastprivate(conditional : x) num_threads(4)\n"
    assert directives(both) == ["parallel for firstprivate(y) shared(x) num_threads(1)"]
    inside = "#pragma omp target parallel map(tofrom : x)\n{ ;\n#pragma omp {} lastprivate(conditional : x)\n"
    assert directives(inside.replace("{}", "for nowait")) == ["parallel num_threads(1)", "for"]
    assert directives(inside.replace("{}", "simd")) == ["parallel num_threads(1)", "parallel for num_threads(1)"]
