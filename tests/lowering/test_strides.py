"""Updates of sections: plain rows where they are contiguous for sure, dimensions where they may have gaps."""

from __future__ import annotations

import re

import pytest

from support import Block, compiled, expect_error

HEAD = (
    "struct S { int n; double *p, *q; float w[4]; };\n"
    "void f(int n, int m, double *p, double (*rows)[10], struct S s, struct S *t, double **r) {\n"
    "  double a[10], g[4][5], c[3][4][5], vla[n][m];\n"
)
BODY = "\n}\n"


def update(items: str, head: str = HEAD, name: str = "t.c") -> Block:
    """Return the block of an update."""
    (found,) = compiled(f"{head}#pragma omp target update to({items}){BODY}", name).blocks
    return found


CONTIGUOUS = [
    "a[1 : 3]",
    "a[n : m]",
    "a[n : m : 1]",
    "p[n : 1 : m]",
    "g[n : m]",
    "g[n : m][0 : 5]",
    "g[n : m][:]",
    "g[n][1 : m]",
    "g[n : 1][1 : m]",
    "c[1 : 2][:][:]",
    "c[1][n : 2][0 : 5]",
    "rows[n : m][0 : 10]",
    "s.p[n : m]",
    "t->w[1 : 2]",
    "r[n][0 : m]",
]


@pytest.mark.parametrize("item", CONTIGUOUS)
def test_what_is_contiguous_is_a_plain_row(item: str) -> None:
    found = update(item)
    assert "rex_dimension" not in found.text
    assert found.types[-1].split(" | ")[-1] == "REX_MAP_TO"


GAPS = {
    "p[n : m : 3]": ("p[n]", "m, sizeof p[0] * 3", "1, sizeof p[0]"),
    "a[1 : 4 : n + 1]": ("a[1]", "4, sizeof a[0] * (n + 1)", "1, sizeof a[0]"),
    "a[1 : : 2]": ("a[1]", "(sizeof a / sizeof a[0] - 1 + 2 - 1) / 2, sizeof a[0] * 2", "1, sizeof a[0]"),
    "g[0 : 2][1 : 3]": ("g[0][1]", "2, sizeof g[0]", "3, sizeof g[0][0]", "1, sizeof g[0][0]"),
    "g[0 : 2][0 : n]": ("g[0][0]", "2, sizeof g[0]", "n, sizeof g[0][0]", "1, sizeof g[0][0]"),
    "g[:][n]": ("g[0][n]", "sizeof g / sizeof g[0], sizeof g[0]", "1, sizeof g[0][0]"),
    "vla[0 : n][0 : m]": ("vla[0][0]", "n, sizeof vla[0]", "m, sizeof vla[0][0]", "1, sizeof vla[0][0]"),
    "c[n][0 : 2][1 : 2]": ("c[n][0][1]", "2, sizeof c[0][0]", "2, sizeof c[0][0][0]", "1, sizeof c[0][0][0]"),
    "r[m][0 : n : 2]": ("r[m][0]", "n, sizeof r[0][0] * 2", "1, sizeof r[0][0]"),
    "s.p[0 : n : 2]": ("s.p[0]", "n, sizeof s.p[0] * 2", "1, sizeof s.p[0]"),
    "t->w[0 : 2 : 2]": ("t->w[0]", "2, sizeof t->w[0] * 2", "1, sizeof t->w[0]"),
}


@pytest.mark.parametrize("item", GAPS)
def test_what_may_have_gaps_has_dimensions(item: str) -> None:
    first, *dimensions = GAPS[item]
    found = update(item)
    assert found.bases == (f"(void *)&{first}",)
    assert found.begins == ("(void *)__rex_dimensions_0",)
    assert found.sizes == (f"(__INT64_TYPE__)(rex_merge_dimensions(__rex_dimensions_0, {len(dimensions)}))",)
    assert found.types == ("REX_MAP_TO | REX_MAP_NON_CONTIG",)
    text = " ".join(found.text.split())
    assert re.findall(r"REX_DIMENSION\(((?:[^()]|\([^()]*\))*)\)", text) == dimensions


def test_each_row_has_dimensions_of_its_own() -> None:
    found = update("p[0 : n : 2], a, g[:][1]")
    assert found.begins == ("(void *)__rex_dimensions_0", "(void *)a", "(void *)__rex_dimensions_2")


def test_constants_of_a_template_prove_nothing() -> None:
    head = "template <int N> void f() { int a[4][N];\n"
    (found,) = compiled(
        f"{head}#pragma omp target update to(a[0 : 4][0 : 8])\n}}\nvoid g() {{ f<8>(); f<9>(); }}\n", "t.cpp"
    ).blocks
    assert "REX_MAP_NON_CONTIG" in found.types[0]


def test_gaps_and_a_mapper_are_refused() -> None:
    head = "struct S { int n; double *p; };\n#pragma omp declare mapper(struct S v) map(v, v.p[0 : v.n])\n"
    text = "void f(int n, struct S *s) {\n#pragma omp target update to(«s[0 : n : 2]»)\n}\n"
    expect_error(f"{head}{text}", "unsupported-item", "has a declared mapper")
    (found,) = compiled(f"{head}{text}".replace(" : 2]»", "]").replace("«", "")).blocks
    assert "__arg_mappers" in found.text


@pytest.mark.parametrize("clause", ["target update to", "target enter data map(to :"])
@pytest.mark.parametrize(("name", "what"), [("given[:]", "pointer 'given'"), ("open_end[1:]", "size 'open_end'")])
def test_what_has_no_length_needs_one(clause: str, name: str, what: str) -> None:
    if clause.endswith("to"):
        clause += "("
    head = "extern int open_end[];\nvoid f(int given[8]) {\n"
    expect_error(f"{head}#pragma omp {clause} «{name}»)\n}}\n", "omp-section-length", f"{what} needs a length")


def test_a_parameter_written_as_an_array_is_mapped_as_the_pointer_that_it_is() -> None:
    (found,) = compiled("void f(int m[4][8]) {\n#pragma omp target enter data map(to : m)\n}\n").blocks
    assert (found.bases, found.sizes) == (("(void *)&m",), ("(__INT64_TYPE__)(sizeof(void *))",))
