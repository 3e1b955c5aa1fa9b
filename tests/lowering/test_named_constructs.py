"""Clauses that name the construct they act on, as OpenMP 6.0 has it: host compilers know such names in ``if`` only."""

from __future__ import annotations

import re

import pytest

from support import compiled

DISTRIBUTE = "target teams distribute"
FOR = "target teams distribute parallel for"


def program(pragmas: str) -> str:
    """Return a function with a loop under the directives."""
    loop = "for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) p[i] += x;"
    return f"void f(int n, int *p, int x, int s) {{\n{pragmas}\n{loop}\n}}\n"


def host_directive(pragmas: str) -> str:
    """Return the last directive of the host version."""
    host = re.sub(r"/\*.*?\*/", "", compiled(program(pragmas)).host, flags=re.S)
    return re.findall(r"#pragma omp (.*)", host)[-1]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (f"{DISTRIBUTE} firstprivate(target: x)", "parallel for"),
        (f"{DISTRIBUTE} firstprivate(teams: x)", "parallel for firstprivate(x)"),
        (f"{DISTRIBUTE} private(distribute: x) collapse(distribute: 2)", "parallel for private(x) collapse(2)"),
        (f"{DISTRIBUTE} simd lastprivate(simd: x)", "parallel for lastprivate(x)"),
        (f"{FOR} firstprivate(target: x)", "parallel for"),
        (f"{FOR} firstprivate(parallel: x)", "parallel for firstprivate(x)"),
        (f"{FOR} num_threads(parallel: 4) schedule(for: static)", "parallel for num_threads(4) schedule(static)"),
        ("target parallel for lastprivate(for, conditional: x)", "parallel for shared(x) num_threads(1)"),
        (f"{FOR} if(target: n > 1) if(parallel for: n > 2)", "parallel for if(parallel: n > 2)"),
        ("target parallel for reduction(for, + : s)", "parallel for reduction(+: s)"),
        ("target parallel for private(for: x)", "parallel for private(x)"),
        ("target\n#pragma omp parallel for private(parallel: x)", "parallel for private(x)"),
    ],
)
def test_the_host_version_has_clauses_without_names(written: str, expected: str) -> None:
    assert host_directive(f"#pragma omp {written}") == expected


def test_constructs_inside_of_regions_have_clauses_without_names() -> None:
    clauses = "reduction(for, + : s) num_threads(parallel : 2) if(parallel : n)"
    inside = f"{{\nint s = 0;\n#pragma omp parallel for {clauses}\n"
    loop = "for (int i = 0; i < n; i++) s += i;\np[0] = s;\n}"
    text = compiled(f"void f(int n, int *p) {{\n#pragma omp target map(p[0:1])\n{inside}{loop}\n}}\n").host
    assert "\n#pragma omp parallel for reduction(+: s) num_threads(2) if(parallel: n)" in text


def test_metadirectives_that_choose_such_clauses_leave_them_to_the_host_without_names() -> None:
    chosen = "#pragma omp metadirective when(device={kind(any)}: distribute parallel for firstprivate(parallel: x))"
    host = compiled(program(f"#pragma omp target teams map(p[0:n])\n{chosen}")).host
    assert "parallel: x" not in re.sub(r"/\*.*?\*/", "", host, flags=re.S)


def test_what_is_private_to_the_target_alone_is_copied_around_the_host_version() -> None:
    changed = program(f"#pragma omp {DISTRIBUTE} firstprivate(target: x)").replace("p[i] += x", "p[i] += x++")
    assert "__rex_x = x;" in compiled(changed).host
