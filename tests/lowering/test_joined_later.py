"""What the parallels of a loop reduce is joined once, behind the loop, where nothing can tell."""

from __future__ import annotations

import re

import pytest

import support

KEPT = re.compile(r"[;}] \*__rex_\w \S?= ")
"""A thread keeps its own value for later."""
MAX = "\n#pragma omp parallel for reduction(max : s)\nfor (int i = 0; i < n; i++) if (a[i * d] > s) s = a[i * d];"
SUM = "\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < n; i++) s += a[i * d];"


def device(loop: str, declared: str = "int s = 0;", behind: str = "z[k] = s;", header: str = "") -> str:
    """Return the device text of teams with a loop of the initial thread's."""
    header = header or "for (int d = 0; d < n; d++)"
    source = (
        "struct pair { int x, y; };\n"
        "void f(int n, int *a, double *r, double *z) {\n#pragma omp target teams distribute\n"
        f"for (int k = 0; k < n; k++) {{ {declared}\n{header} {{ {loop} }}\n{behind} }}\n}}\n"
    )
    text = support.compiled(source, "a.c").device
    return support.on_one_line(text[text.index("for (long long __rex_k") :])


@pytest.mark.parametrize(
    ("loop", "own", "joined"),
    [
        (MAX, "*__rex_s = rex_combine_max(*__rex_s, s);", "rex_reduce_for_all(rex_into_max(__rex_s, s));"),
        (SUM, "*__rex_s += s;", "rex_reduce_for_all(rex_into_add(__rex_s, s));"),
        (f"if (d & 1) {{ {SUM} }} else {{ {SUM} }}", "*__rex_s += s;", "rex_reduce_for_all(rex_into_add(__rex_s, s));"),
        (f"a[0] = d; {SUM}\na[1] = d;", "*__rex_s += s;", "rex_reduce_for_all(rex_into_add(__rex_s, s));"),
        (f"for (int e = 0; e < d; e++) {{ {SUM} }}", "*__rex_s += s;", "rex_reduce_for_all(rex_into_add(__rex_s, s));"),
    ],
)
def test_values_are_joined_behind_the_loop(loop: str, own: str, joined: str) -> None:
    text = device(loop)
    assert own in text
    assert text.count("rex_reduce_for_all") == 1
    assert re.search(rf"__syncthreads\(\);(?: [^{{}}]*;)?(?: \}})+ {re.escape(joined)} \}}", text), text
    assert re.search(r"int \*__rex_s = &s; int s = rex_identity_\w+<int>\(\); for \(int d = 0", text), text


@pytest.mark.parametrize(
    ("kind", "operator", "update"),
    [
        ("long", "^", "s ^= a[i]"),
        ("unsigned char", "-", "s -= a[i]"),
        ("double", "min", "s = r[i] < s ? r[i] : s"),
        ("float", "max", "s = r[i] > s ? r[i] : s"),
    ],
)
def test_exact_operators_are_joined_later(kind: str, operator: str, update: str) -> None:
    loop = f"\n#pragma omp parallel for reduction({operator} : s)\nfor (int i = 0; i < n; i++) {update};"
    text = device(loop, f"{kind} s = 3;")
    assert text.index("rex_reduce_for_all") > text.index("__syncthreads();")
    assert KEPT.search(text), text


@pytest.mark.parametrize(
    ("loop", "declared", "header"),
    [
        (SUM.replace("a[i", "r[i"), "double s = 0;", ""),  # sums that depend on the grouping
        (SUM.replace("+ :", "&& :").replace("+=", "= s &&"), "int s = 2;", ""),  # makes 1 of 2
        (SUM, "int s = 0;", "for (int d = 0; d < n && s < 9; d++)"),
        (SUM, "int s = 0;", "for (int d = 0; d < n; d += 1 + (s & 1))"),
        (SUM, "", "for (int d = 0, s = 0; d < n; d++)"),
        (f"{SUM} z[d] = s;", "int s = 0;", ""),
        (f"if (s < 9) {{ {SUM} }}", "int s = 0;", ""),
        (f"{SUM} s += d;", "int s = 0;", ""),
        (f"{SUM} s = 0;", "int s = 0;", ""),
        (f"int s = 0; {SUM} z[d] = s;", "int s = 0;", ""),
        (f"{SUM} {MAX}", "int s = 0;", ""),  # two operators
        (f"{SUM}\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) z[i] = s;", "int s = 0;", ""),
        (f"{SUM}\n#pragma omp parallel for firstprivate(s)\nfor (int i = 0; i < n; i++) z[i] = s++;", "int s = 0;", ""),
        (f"{SUM}\n#pragma omp parallel for\nfor (int i = 0; i < s; i++) z[i] = 1;", "int s = 0;", ""),
        (SUM.replace("reduction(", "schedule(static, s + 1) reduction("), "int s = 0;", ""),
    ],
)
def test_what_may_be_asked_for_is_joined_at_once(loop: str, declared: str, header: str) -> None:
    text = device(loop, declared, "z[k] = 1;", header)
    assert not KEPT.search(text), text
    assert text.count("rex_reduce_for_all") == loop.count("reduction(")


def test_a_parallel_keeps_all_that_it_reduces_or_nothing() -> None:
    loop = "\n#pragma omp parallel for reduction(+ : s, t)\nfor (int i = 0; i < n; i++) s += i, t += a[i];"
    text = device(loop, "int s = 0, t = 0;", "z[k] = s + t;")
    assert "*__rex_s += s; *__rex_t += t;" in text
    assert "rex_reduce_for_all(rex_into_add(__rex_s, s), rex_into_add(__rex_t, t));" in text
    text = device(f"{loop} z[d] = t; {SUM}", "int s = 0, t = 0;", "z[k] = s + t;")
    assert "*__rex_s += s;" not in text and text.count("rex_reduce_for_all") == 2


def test_what_an_outer_loop_reads_its_inner_one_joins() -> None:
    text = device(f"for (int e = 0; e < d; e++) {{ {SUM} }} z[d] = s;")
    assert re.search(r"for \(int d = 0; .*int \*__rex_s = &s; int s = \S+ for \(int e = 0", text), text
    assert text.count("rex_reduce_for_all") == 1
