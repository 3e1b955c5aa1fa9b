"""Code between collapsed loops: where it stands in the kernel, what becomes of the headers around it; the host."""

from __future__ import annotations

import re

import pytest
from analysis_tools import nest

import support
from rexcc.analysis.nests import inner_headers, iteration_of, rectangular_part
from rexcc.program.loop_shape import is_perfect
from support import compiled

HEAD = "void f(int n, int m, int a[99][99], int *b) {\nint i, j, k;\n"
DIRECTIVE = "#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a[0 : n][0 : m], b[0 : n])\n"


def program(loops: str, directive: str = DIRECTIVE) -> str:
    """Return a function with a nest of loops in a region."""
    return f"{HEAD}{directive}{loops}\n}}\n"


def kernel(loops: str, directive: str = DIRECTIVE) -> str:
    """Return the kernel's body on one line."""
    (found,) = compiled(program(loops, directive)).kernels
    return re.sub(r"\s+", " ", re.sub(r"#line .*", "", found.body))


BEFORE = "for (int u = 0; u < n; u++) { b[u] = 1; for (int v = 0; v < m; v++) { a[u][v] = 2; } }"
BEHIND = "for (int u = 0; u < n; u++) { for (int v = 0; v < m; v++) { a[u][v] = 2; } b[u] = 1; }"


def test_a_block_stands_for_the_inner_loop() -> None:
    assert "int u = (int)__rex_above_v; b[u] = 1; { int v = (int)__rex_v; a[u][v] = 2; } }" in kernel(BEFORE)
    assert "{ int v = (int)__rex_v; a[u][v] = 2; } b[u] = 1; }" in kernel(BEHIND)


def test_a_continue_of_the_inner_loop_goes_to_what_stands_behind_it() -> None:
    jump = "if (v == u) continue; a[u][v]"
    behind = kernel(BEHIND.replace("a[u][v]", jump))
    assert "do { int v = (int)__rex_v; if (v == u) continue; a[u][v] = 2; } while (0); b[u] = 1; }" in behind
    assert "do {" not in kernel(BEFORE.replace("a[u][v]", jump))
    assert "do {" not in kernel(BEHIND.replace("b[u]", "if (u) continue; b[u]"))
    other_loop = "for (int w = 0; w < 3; w++) { if (w == v) continue; a[u][v]++; } a[u][v]"
    assert "do {" not in kernel(BEHIND.replace("a[u][v]", other_loop))


def test_an_index_from_outside_is_there_for_all_code() -> None:
    found = kernel("for (i = 0; i < n; i++) { b[i] = 1; for (j = 0; j < m; j++) a[i][j] = 2; }")
    assert "int i = (int)__rex_above_j; int j = (int)__rex_j; b[i] = 1; { a[i][j] = 2; } }" in found


def test_bounds_made_between_the_loops_leave_a_loop_to_one_thread() -> None:
    for between in ("int m = u;", "m = u;", "{ m++; }"):
        found = kernel(BEFORE.replace("b[u] = 1;", between), directive=f"{DIRECTIVE[:-1]} firstprivate(m)\n")
        assert "for (int v = 0; v < m; v++)" in found and "__rex_count_" not in found


NESTS = {
    "for (int u = 0; u < n; u++) for (int v = 0; v < m; v++) { b[u] = 1; }": ("{ b[u] = 1; }", "", 2),
    "for (int u = 0; u < n; u++) { { for (int v = 0; v < m; v++) b[u] = 1; } }": ("b[u] = 1", "", 2),
    "for (int u = 0; u < n; u++) { b[u] = 1; for (int v = 0; v < m; v++) ; }": ("{ b[u] = 1; f", "v", 2),
    "for (int u = 0; u < n; u++) { { b[u] = 1; for (int v = 0; v < m; v++) ; } }": ("{ { b[u] = 1; f", "v", 2),
    "for (int u = 0; u < n; u++) { int w = u; for (int v = 0; v < w; v++) ; }": ("{ int w = u; f", "v", 1),
    "for (int u = 0; u < n; u++) { f(n, *(&m), 0, 0); for (int v = 0; v < m; v++) ; }": ("{ f(n", "v", 1),
}


@pytest.mark.parametrize("text", NESTS)
def test_what_an_iteration_is(text: str) -> None:
    source = program(text)
    unit, loops = nest(source, depth=2)
    start, headers, shared = NESTS[text]
    assert unit.user_text(iteration_of(loops)).startswith(start)
    assert "".join(loop.name for loop in inner_headers(loops)) == headers
    assert is_perfect(loops[0].statement, 2) == (not headers)
    assert rectangular_part(loops) == shared


def host_directives(loops: str, directive: str) -> list[str]:
    """Return the host's directives."""
    host = support.code_only(compiled(program(loops, directive)).host)
    return re.findall(r"^ *#pragma omp (.*)$", host, re.MULTILINE)


def test_the_host_shares_only_the_outermost_loop() -> None:
    mapped = DIRECTIVE.replace("map(", "schedule(static, 2) map(")
    assert host_directives(BEFORE, mapped) == ["parallel for schedule(static, 2)"]
    outside = "for (i = 0; i < n; i++) { b[i] = 1; for (j = 0; j < m; j++) a[i][j] = 2; }"
    assert host_directives(outside, DIRECTIVE) == ["parallel for private(j)"]
    assert host_directives(outside, f"{DIRECTIVE[:-1]} lastprivate(j)\n") == ["parallel for lastprivate(j)"]
    perfect = "for (i = 0; i < n; i++) for (j = 0; j < m; j++) a[i][j] = 2;"
    assert host_directives(perfect, DIRECTIVE) == ["parallel for collapse(2)"]
    assert host_directives(BEFORE, DIRECTIVE.replace("parallel for ", "")) == ["parallel for"]


def test_the_host_shares_only_the_outermost_loop_inside_regions() -> None:
    for inside, expected in {"for collapse(2) nowait": "for", "simd collapse(2)": ""}.items():
        directive = f"#pragma omp target parallel map(tofrom : a[0 : n][0 : m], b[0 : n])\n{{ ;\n#pragma omp {inside}\n"
        found = host_directives(f"{BEFORE} }}", directive)
        assert found == ["parallel", *([expected] if expected else [])]


def test_rules() -> None:
    support.expect_error(
        program("for (i = 0; i < n; i++) { for (j = 0; j < n; j++) ; «for» (k = 0; k < n; k++) ; }"),
        "omp-loop-form",
        "collapse(2) needs one loop in the body of loop 1; this is another one",
    )
    scan = "#pragma omp target parallel for collapse(2) «reduction(inscan, + : k)»\n"
    support.expect_error(
        program(BEFORE.replace("a[u][v] = 2;", "k++;\n#pragma omp scan inclusive(k)\na[u][v] = k;"), scan),
        "omp-scan",
        "nothing between its collapsed loops",
    )
    code = BEFORE.replace("a[u][v] = 2;", "b[v] = k;")
    support.expect_error(
        program(code, "#pragma omp target simd collapse(2) linear(«k» : 2)\n"),
        "unsupported-clause",
        "linear(k) on loops with code between them",
    )
    parallel = "#pragma omp target parallel map(tofrom : b[0 : n])\n{\n"
    support.expect_error(
        program(f"{code} }}", f"{parallel}#pragma omp «simd collapse(2) linear(k : 2)»\n"),
        "unsupported-construct",
        "'linear' on loops with code between them",
    )
