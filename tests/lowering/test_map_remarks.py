"""What ``-Rrex=map`` tells of each construct, and the sizes that the compiler knows."""

from __future__ import annotations

import re

import pytest

import support
from rexcc.source.diagnostics import Diagnostic, Severity
from support import compiled

HEAD = (
    "struct S { int n; double *p, *q; float w[4]; };\n"
    "double table[8];\n"
    "void f(int n, int m, double *p, double (*rows)[10], double (*lines)[m], struct S s, struct S *t) {\n"
    "  double a[10], g[4][5], vla[n][m]; int x = 0, y = 0;\n"
)


def remarks(text: str, name: str = "t.c") -> list[Diagnostic]:
    """Return the remarks about what the constructs of a function map."""
    found = support.translate_text(f"{HEAD}{text}\n}}\n", name, map_remarks=True)
    assert not [d for d in found.diagnostics if d.severity is Severity.ERROR], support.rendered(found)
    return [d for d in found.diagnostics if d.code == "rex-map"]


def entries(text: str) -> list[str]:
    """Return what is said of the entries of the only construct."""
    (one,) = remarks(text)
    return [re.sub(r"^entry \d+: ", "", note.message) for note in one.notes]


def test_nothing_is_told_without_a_question() -> None:
    found = support.translate_text(f"{HEAD}#pragma omp target update to(a)\n}}\n")
    assert not found.diagnostics


def test_every_construct_has_a_remark_with_its_entries_in_order() -> None:
    found = remarks(
        "#pragma omp target data map(to : a) map(alloc : p[0 : n])\n{\n"
        "#pragma omp target\n  ;\n#pragma omp target update from(a[1])\n}"
    )
    assert [d.message for d in found] == [
        "'target data' maps 2 entries",
        "'target' maps nothing",
        "'target update' maps one entry",
    ]
    assert all(d.severity is Severity.REMARK and d.span is not None for d in found)
    assert [n.message.split(",")[0] for n in found[0].notes] == ["entry 0: 'a'", "entry 1: 'p[0 : n]'"]


EXPLICIT = {
    "target enter data map(to : a)": "'a', 80 bytes, to",
    "target enter data map(always, tofrom : a[2 : 3])": "'a[2 : 3]', 24 bytes, tofrom, always",
    "target enter data map(present, alloc : g)": "'g', 160 bytes, alloc, present",
    "target exit data map(release : p[n])": "'p[n]', 8 bytes, release",
    "target exit data map(delete : p[0 : n])": "'p[0 : n]', sizeof p[0] * (__SIZE_TYPE__)n bytes, delete",
    "target exit data map(from : rows[0 : 2])": "'rows[0 : 2]', 160 bytes, from",
    "target enter data map(to : lines[0 : 2])": "'lines[0 : 2]', sizeof lines[0] * (__SIZE_TYPE__)2 bytes, to",
    "target enter data map(to : vla)": "'vla', sizeof vla bytes, to",
    "target update from(g[:][1])": "'g[:][1]', elements of 8 bytes, 4 every 40 bytes, from, with gaps",
}


@pytest.mark.parametrize("directive", EXPLICIT)
def test_what_is_said_of_an_entry(directive: str) -> None:
    (found,) = entries(f"#pragma omp {directive}")
    assert found.partition(";")[0] == EXPLICIT[directive]


def test_implicit_entries_have_the_rule_and_the_place_of_the_first_use() -> None:
    (found,) = remarks("#pragma omp target defaultmap(to : aggregate)\n  y = x + p[0] + table[1]; x++;")
    said = [note.message.partition(": ")[2] for note in found.notes]
    assert said == [
        "'y', 4 bytes, by value, argument of the kernel; implicit: a scalar is first-private (5.2, 5.8.1)",
        "'x', 4 bytes, by value, argument of the kernel; implicit: a scalar is first-private (5.2, 5.8.1)",
        "'p', 0 bytes, alloc, argument of the kernel; "
        "implicit: a pointer is mapped as the base of a zero-length section (5.2, 5.8.1)",
        "'table', 64 bytes, to, argument of the kernel; "
        "implicit: defaultmap(to) for its category, aggregate (5.2, 5.8.7)",
    ]
    assert [(n.span.line, n.span.column) for n in found.notes if n.span] == [(6, 3), (6, 7), (6, 11), (6, 18)]


def test_explicit_entries_have_their_clause() -> None:
    said = entries("#pragma omp target update from(p[0 : n : 2]) to(a[n])")
    assert [text.partition("; ")[2] for text in said] == ["list item ('to')", "list item ('from')"]
    text = "#pragma omp target teams map(tofrom : x)\n#pragma omp distribute parallel for schedule(static, y)\n"
    said = entries(f"{text}for (int i = 0; i < n; i++) p[i] += a[i] + vla[0][i] + x;")
    assert all("; " in text for text in said), said
    assert any("'x', 4 bytes" in text and text.endswith("list item ('map')") for text in said), said


def test_members_tell_whose_they_are() -> None:
    first, second = entries("#pragma omp target enter data map(to : s.p[0 : 3])")
    assert first.startswith("'members of s', 8 bytes, alloc") and "24 bytes" in second
    assert "member of entry 0, attached to its pointer" in second


KNOWN = {
    "a": True,
    "g[1 : 2], table": True,
    "s.w, t->w[0]": True,
    "*p": True,
    "t[1].w[0 : 2]": True,
    "rows[0 : 2]": True,
    "a, p[0 : n]": False,
    "vla": False,
    "vla[0]": False,
    "lines[0 : 2]": False,
    "g[0 : 2][0 : n]": False,
}


@pytest.mark.parametrize("items", KNOWN)
def test_sizes_are_static_where_all_are_known(items: str) -> None:
    text = compiled(f"{HEAD}#pragma omp target update to({items})\n}}\n").host
    assert ("static __INT64_TYPE__ __arg_sizes[]" in text) == KNOWN[items]
    assert "static __INT64_TYPE__ __arg_types[]" in text and "static void *__arg_names[]" in text


def test_sizes_of_kernels_are_static_too() -> None:
    ten = "int c0, int c1, int c2, float *d, double e, long f[3], short g, char h, struct { int z; } *k, unsigned l"
    body = "d[0] = c0 + c1 + c2 + e + f[0] + g + h + (k != 0) + l;"
    for name in ("t.c", "t.cpp"):
        used = ten.replace("struct { int z; }", "void")
        text = compiled(f"void f({used}) {{\n#pragma omp target\n  {body}\n}}\n", name).host
        assert "static __INT64_TYPE__ __arg_sizes[]" in text
        assert "malloc" not in text and "new " not in text


@pytest.mark.parametrize("item", ["v", "x"])
def test_what_a_clause_maps_is_not_implicit_where_it_travels_by_value(item: str) -> None:
    text = (
        "struct V { double a, b; };\nstatic double of(int n) {\n  V v{1, 2}; int x = 3; double got = 0;\n"
        f"#pragma omp target map(to: {item}) map(from: got)\n"
        f"  got = {'v.a' if item == 'v' else 'x'};\n  return got;\n}}\n"
    )
    found = support.translate_text(text, "t.cpp", map_remarks=True)
    (one,) = (d for d in found.diagnostics if d.code == "rex-map")
    by_value = [n for n in one.notes if f"'{item}'" in n.message]
    assert by_value and all("by value" in n.message and "implicit" not in n.message for n in by_value)
    assert all(n.message.endswith("list item that is only read ('map')") for n in by_value)
    assert all(n.span is not None and n.span.text == item for n in by_value)
