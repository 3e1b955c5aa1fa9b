"""Light loops that the threads of a block share take four iterations at a time."""

from __future__ import annotations

import re

import pytest

from support import compiled

EACH = "for (int i = 0; i < n; i++)"
LIGHT = [
    ("s += a[r * n + i] * w[i];", "reduction(+ : s)"),
    ("a[r * n + i] = w[i] * s;", ""),
    ("{ double here = w[i]; if (here > 3) here = sqrt(here); a[i] = here; }", ""),
    ("a[i] += *(w + i);", "num_threads(64)"),
    ("k[i] = k[i] == last ? i : k[i];", ""),
]
OTHERS = [
    "a[i] = 0;",  # nothing is loaded
    "{ if (w[i] > 3) continue; a[i] = w[i]; }",
    "for (int j = 0; j < n; j++) a[i] += w[j];",
    "a[i] = sin(w[i]);",
    "a[i] = own(w[i]);",
    "a[i] = port[i];",
    "a[i] = w[i] + watched;",
    "{ static double t; a[i] = w[i] + t; }",
    "a[i] = w[i] + w[i+1] + w[i+2] + w[i+3] + w[i+4] + w[i+5] + w[i+6] + w[i+7];",
    "\n#pragma omp atomic\n    k[0] += (int)w[i];",
]


def device(statement: str, clauses: str = "", loop: str = EACH, name: str = "a.c", before: str = "") -> str:
    """Return the device text of a loop that the threads of a team share, with what stands before it in the region."""
    source = (
        "#include <math.h>\ntypedef volatile int reading;\nenum { last = 3 };\nstruct pair { int a; double b; };\n"
        "#pragma omp declare target\nstatic double own(double x) { return x; }\n#pragma omp end declare target\n"
        "void f(long rows, int n, double *a, double *w, int *k, volatile int *port) {\n"
        "#pragma omp target teams distribute num_teams(rows)\n  for (long r = 0; r < rows; r++) {\n"
        f"    double s = 0; reading watched = 1; {before}\n#pragma omp parallel for {clauses}\n    {loop} {statement}\n"
        "    w[r] = s;\n  }\n}\n"
    )
    return compiled(source, name).device


@pytest.mark.parametrize(("statement", "clauses"), LIGHT)
def test_they_become_the_body_of_a_lambda(statement: str, clauses: str) -> None:
    text = device(statement, clauses)
    assert len(re.findall(r"rex_each\(threadIdx\.x, n,\s+\[&\]\(long long __rex_i\) \{", text)) == 1
    assert text.count(statement.strip("{}").split(";")[0].strip()) == 1  # the user's text stands there once


@pytest.mark.parametrize("statement", OTHERS)
def test_others_stay_loops(statement: str) -> None:
    assert "rex_each" not in device(statement)


@pytest.mark.parametrize(
    ("loop", "is_light"),
    [
        ("for (long i = 2; i < n; ++i)", True),
        ("for (short i = 0; i < n; i++)", True),
        ("for (int i = 0; i < 2000; i++)", True),
        ("for (int i = 0; i < 256; i++)", False),  # few threads would have four iterations
        ("for (int i = n; i > 0; i--)", False),
        ("for (int i = 0; i < n; i += 2)", False),
        ("for (unsigned long i = 0; i < (unsigned long)n; i++)", False),  # the bound may be no signed number
    ],
)
def test_the_headers_that_they_have(loop: str, is_light: bool) -> None:
    assert ("rex_each" in device("a[i] = w[i];", loop=loop)) is is_light


@pytest.mark.parametrize("clauses", ["schedule(static, 2)", "collapse(2)", "lastprivate(conditional : s)"])
def test_clauses_that_keep_them_loops(clauses: str) -> None:
    inner = "for (int j = 0; j < n; j++)" if "collapse" in clauses else ""
    assert "rex_each" not in device(f"{inner} {{ s = w[i]; a[i] = s; }}", clauses)


def test_structured_bindings_are_not_captured() -> None:
    found = device("a[i] = w[i] * first;", name="a.cpp", before="auto [first, second] = pair{2, 0.5};")
    assert "rex_each" not in found


@pytest.mark.parametrize(
    ("statement", "is_light"),
    [
        ("near[i % 64] = w[i];", True),
        ("a[i] = near[i % 64] * w[i];", True),
        ("a[i] = near[i % 64];", False),
        ("near[i % 64] = exp(near[i % 64]) / s;", False),
        ("a[i] = there[i % 64];", True),  # it may point to anything
        ("a[i] = made[i];", False),
    ],
)
def test_what_the_team_has_made_itself_is_there_at_once(statement: str, is_light: bool) -> None:
    before = "double near[64], *there = r > 3 ? near : w, made[n]; near[0] = there[0] = made[0] = s;"
    assert ("rex_each" in device(statement, before=before)) is is_light
