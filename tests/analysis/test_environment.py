"""Which leaves of a construct work on copies of a variable, and whose clauses assign the original."""

from __future__ import annotations

import pytest
from front_tools import parsed

from rexcc.program.environment import Environment
from rexcc.program.variables import Variable

HEAD = "struct S { int x; };\nvoid f(int n, int *p) {\n  int a[9], x = 0, i = 0, j = 0; struct S s;\n"
LOOP = "for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i] = x + p[i] + s.x;"


def environment(directive: str) -> tuple[Environment, dict[str, Variable]]:
    """Return the environment of a program's only construct, and the function's variables."""
    found = parsed(f"{HEAD}#pragma omp {directive}\n{LOOP}\n}}\n")
    assert found.problems == []
    (construct,) = found.constructs
    cursors = construct.function.cursor.walk_preorder()
    return construct.environment, {c.spelling: Variable(c) for c in cursors if c.kind.name in ("VAR_DECL", "PARM_DECL")}


@pytest.mark.parametrize(
    ("directive", "name", "copies"),
    [
        ("parallel for private(x)", "x", ["for private"]),
        ("parallel for firstprivate(x) lastprivate(x)", "x", ["for firstprivate and lastprivate"]),
        ("teams distribute parallel for firstprivate(x)", "x", ["distribute firstprivate", "for firstprivate"]),
        ("parallel for reduction(+: x)", "x", ["for reduction"]),
        ("teams distribute parallel for reduction(+: x)", "x", ["teams reduction", "for reduction"]),
        ("parallel for shared(x)", "x", []),
        ("target map(x)", "x", []),
        ("target in_reduction(+: x)", "x", ["target in_reduction"]),
        ("target teams distribute parallel for", "i", ["distribute private", "for private"]),
        ("target teams distribute parallel for", "j", []),
        ("parallel for collapse(2)", "j", ["for private"]),
        ("parallel for lastprivate(i)", "i", ["for lastprivate"]),
        ("simd", "i", ["simd linear"]),
        ("simd collapse(2)", "i", ["simd lastprivate"]),
        ("teams loop", "i", ["loop lastprivate"]),
        ("parallel for reduction(+: p[0:n])", "p", ["for reduction"]),
        ("parallel for reduction(+: a[0:3])", "a", ["for reduction"]),
        ("parallel private(x) shared(n)", "n", []),
    ],
)
def test_copies_on_the_leaves(directive: str, name: str, copies: list[str]) -> None:
    found, variables = environment(directive)
    entries = found.copies(variables[name])
    assert [f"{entry.leaf} {entry.sharing.value}" for entry in entries] == copies
    assert all(entry.variable == variables[name] for entry in entries)
    assert (variables[name] in set(found.copied())) is bool(copies)


@pytest.mark.parametrize(
    ("directive", "name", "assigns", "named"),
    [
        ("parallel for private(x)", "x", False, True),
        ("parallel for firstprivate(x)", "x", False, True),
        ("parallel for firstprivate(x) lastprivate(x)", "x", True, True),
        ("parallel for reduction(max: x)", "x", True, True),
        ("parallel for shared(x)", "x", False, False),
        ("parallel for", "i", False, False),
        ("simd linear(x)", "x", True, True),
    ],
)
def test_what_clauses_assign_at_the_end(directive: str, name: str, assigns: bool, named: bool) -> None:
    found, variables = environment(directive)
    assert (found.assigning(variables[name]) is not None) is assigns
    assert found.named(variables[name]) is named


def test_names_that_a_construct_covers() -> None:
    found = parsed(f"{HEAD}x = 1;\n#pragma omp parallel for private(x)\n{LOOP}\nx = 2;\n}}\n")
    (construct,) = found.constructs
    assert construct.body is not None
    nodes = [n for n in construct.function.walk() if n.kind == "DECL_REF_EXPR" and n.spelling == "x"]
    inside = [n for n in construct.body.walk() if n.kind == "DECL_REF_EXPR" and n.spelling == "x"]
    assert len(inside) == 1 and construct.environment.covers(inside[0])
    assert not construct.environment.covers(nodes[0]) and not construct.environment.covers(nodes[-1])
