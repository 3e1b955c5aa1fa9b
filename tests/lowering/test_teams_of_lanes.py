"""Teams of a warp or less: several are a block where the kernel says nothing of its block but what lanes can do."""

from __future__ import annotations

import re

import pytest

from rexcc.program.optimisations import Optimisation
from support import on_one_line, translate_text

SUM = "\n#pragma omp parallel for reduction(+ : s)\n    for (int k = p[i]; k < p[i + 1]; k++) s += a[k];"
PARALLEL = "\n#pragma omp parallel\n    {{\n{}\n }}"
SEVERAL = "rex_threads_of_several_teams(__device_id, &_num_blocks_, {}, {})"


def generated(inner: str, clauses: str = "thread_limit(32)", before: str = "", more: str = "") -> tuple[str, str]:
    """Return the host file and the kernel of a region whose iterations have a team each."""
    source = (
        "#include <omp.h>\n#include <stdlib.h>\n"
        "#pragma omp declare reduction(mine : double : omp_out += omp_in) initializer(omp_priv = 0)\n"
        f"{more}\n"
        "void f(int n, int w, const int *p, double *a, double *b) {\n"
        f"  double all = 0; {before}\n"
        f"#pragma omp target teams distribute {clauses} map(a[:n], b[:n], p[:n + 1])\n"
        "  for (int i = 0; i < n; i++) {\n    double s = 0;\n"
        f"    {inner}\n    b[i] = s;\n  }}\n}}\n"
    )
    made = translate_text(source)
    return on_one_line(made.host.text), made.device.text


def lanes_of(kernel: str) -> int:
    """Return how many lanes the teams of a kernel are, 0 where they are blocks."""
    found = re.search(r"REX_TEAMS_OF_LANES\((\d+)\)", kernel)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("lanes", [4, 8, 16, 32])
def test_teams_of_a_warp_or_less_share_blocks(lanes: int) -> None:
    host, kernel = generated(SUM, f"thread_limit({lanes})")
    assert lanes_of(kernel) == lanes and "__launch_bounds__(256)" in kernel
    assert f"int _num_blocks_ = rex_teams_of_lanes(__device_id, __rex_tripcount, {lanes}, 0);" in host
    assert f"int _threads_per_block_ = {SEVERAL.format(lanes, 0)};" in host


@pytest.mark.parametrize("clauses", ["", "thread_limit(64)", "thread_limit(24)", "thread_limit(2)", "thread_limit(w)"])
def test_other_teams_are_blocks(clauses: str) -> None:
    host, kernel = generated(SUM, clauses)
    assert not lanes_of(kernel) and "several_teams" not in host


def test_threads_of_the_parallels_count() -> None:
    for_eight = SUM.replace("parallel for", "parallel for num_threads(8)")
    assert lanes_of(generated(for_eight, "")[1]) == 8
    assert lanes_of(generated(for_eight)[1]) == 8
    assert not lanes_of(generated(for_eight + SUM)[1])  # a part of a team has barriers of its own


@pytest.mark.parametrize("clauses", ["num_teams(w)", "num_teams(64)"])
def test_no_team_is_added_to_those_that_the_program_asks_for(clauses: str) -> None:
    host, kernel = generated(SUM, f"thread_limit(32) {clauses}")
    assert lanes_of(kernel) == 32 and SEVERAL.format(32, 1) in host


def test_teams_that_reduce_join_what_their_first_lanes_have() -> None:
    _, kernel = generated(SUM + " all += s;", "thread_limit(32) reduction(+ : all)")
    assert lanes_of(kernel) == 32 and "rex_reduce_blocks(__rex_partials, " in kernel


@pytest.mark.parametrize(
    "inside",
    [
        "a[omp_get_thread_num()] = omp_get_num_threads();",
        "a[omp_get_team_num()] = omp_get_num_teams();",
        "a[i] = 0;\n#pragma omp barrier\n a[i + 1] = w;",
        "#pragma omp masked\n a[i] = 0;",
        "#pragma omp critical\n { a[i] += 1; a[w] -= 1; }",
        "#pragma omp atomic\n a[i] += 1;",
    ],
)
def test_what_lanes_can_do(inside: str) -> None:
    assert lanes_of(generated(PARALLEL.format(inside))[1]) == 32


ASKS = "#pragma omp declare target\nint g(void) { return omp_get_thread_num(); }\n#pragma omp end declare target"
LEAGUE = ASKS.replace("thread_num", "team_num")
WAITS = "#pragma omp declare target\nint g(void) {\n#pragma omp barrier\n return 0; }\n#pragma omp end declare target"
PARALLELS = (
    "#pragma omp declare target\nstatic double g(double *a) { double t = 0;\n"
    "#pragma omp parallel for reduction(+ : t)\nfor (int k = 0; k < 99; k++) t += a[k]; return t; }\n"
    "#pragma omp end declare target"
)


@pytest.mark.parametrize(
    ("inner", "more"),
    [
        (PARALLEL.format("a[g()] = 0;"), ASKS),
        (PARALLEL.format("a[g()] = 0;"), LEAGUE),
        (PARALLEL.format("a[g()] = 0;"), WAITS),
        ("s = g(a);\n" + SUM, PARALLELS),
        (SUM.replace("+ : s", "mine : s"), ""),
        (PARALLEL.format("a[omp_get_max_threads()] = 0;"), ""),
        (PARALLEL.format("a[omp_get_thread_limit()] = 0;"), ""),
        (PARALLEL.format("double *q = (double *)malloc(8); free(q);"), ""),
        ("double t[4]; t[0] = w;\n" + PARALLEL.format("t[omp_get_thread_num() % 4] = 1;") + " s = t[1];", ""),
        ("double t[w]; t[0] = w;\n" + PARALLEL.format("t[0] = 1;") + " s = t[0];", ""),
        (SUM.replace("parallel for", "parallel for num_threads(w)"), ""),
        (SUM.replace("parallel for", "parallel for if(w > 3)"), ""),
        (PARALLEL.format("double q = 0;\n#pragma omp single copyprivate(q)\n q = a[0];\n a[1] = q;"), ""),
    ],
)
def test_what_is_not_known_of_lanes_keeps_blocks(inner: str, more: str) -> None:
    host, kernel = generated(inner, more=more)
    assert not lanes_of(kernel) and "several_teams" not in host


def test_rows_of_reductions_keep_blocks() -> None:
    host, kernel = generated(SUM + " h[i % 4] += s;", "thread_limit(32) reduction(+ : h)", "double h[4] = {0};")
    assert not lanes_of(kernel) and "several_teams" not in host


def test_memory_of_teams_in_functions_keeps_blocks() -> None:
    more = (
        "#pragma omp declare target\nstatic double h(int i) { static double t[4];\n"
        "#pragma omp allocate(t) allocator(omp_cgroup_mem_alloc)\n t[i] = i; return t[0]; }\n"
        "#pragma omp end declare target"
    )
    assert not lanes_of(generated(PARALLEL.format("a[0] = h(1);"), more=more)[1])


def test_the_choice_can_be_left_out() -> None:
    source = "void f(int n, double *a) {\n#pragma omp target teams distribute thread_limit(32) map(a[:n])\n"
    source += "for (int i = 0; i < n; i++) {\n#pragma omp parallel for\nfor (int k = 0; k < i; k++) a[i] = k; } }\n"
    assert lanes_of(translate_text(source).device.text) == 32
    assert not lanes_of(translate_text(source, left_out=frozenset({Optimisation.WARP_TEAMS})).device.text)


ROWS = (
    "\n#pragma omp parallel for reduction(+ : s)\nfor (int k = {}; k < {}; k++)\n"
    "for (int j = 0; j < k; j++) s += a[j] / (j + w);"
)
SHORT = "REX_TEAMS_OF_ROWS(p, n)"


def rows(first: str, last: str, before: str = "", behind: str = "", clauses: str = "") -> str:
    """Return the kernel of a region whose threads share rows."""
    return generated(before + ROWS.format(first, last) + behind, clauses)[1]


def test_two_teams_that_share_short_rows_are_a_block() -> None:
    kernel = rows("p[i]", "p[i + 1]")
    assert SHORT in kernel and "__launch_bounds__(256)" in kernel
    host, _ = generated(ROWS.format("p[i]", "p[i + 1]"), "")
    assert "rex_threads_of_many_teams(__device_id, __rex_tripcount, 256)" in host and "several_teams" not in host


def test_rows_may_begin_and_end_with_constants_of_the_iteration() -> None:
    assert SHORT in rows("from", "to", "const int from = p[i], to = p[i + 1];")
    assert SHORT not in rows("from", "to", "int from = p[i], to = p[i + 1];")


@pytest.mark.parametrize(
    ("first", "last", "before", "behind"),
    [
        ("p[i]", "p[i + 2]", "", ""),
        ("p[i]", "p[i] + 7", "", ""),
        ("0", "p[i + 1]", "", ""),
        ("p[i]", "p[i + 1]", "if (a[i] > 0) continue;", ""),  # the ends may not be read
        ("p[i]", "p[i + 1]", "if (a[i] > 0)", ""),
        ("p[i]", "p[i + 1]", "", " *(int *)&p[w] = 1;"),  # they change
        (
            "p[i]",
            "p[i + 1]",
            "",
            " double t[4];\n#pragma omp parallel for\nfor (int k = 0; k < w; k++) t[k] = 1;\ns = t[0];",
        ),
        ("p[i]", "p[i + 1]", "s = omp_get_team_num();", ""),
        ("p[i]", "p[i + 1]", "s = omp_get_num_teams();", ""),
    ],
)
def test_other_rows_are_a_blocks(first: str, last: str, before: str, behind: str) -> None:
    assert SHORT not in rows(first, last, before, behind)


@pytest.mark.parametrize("clauses", ["num_teams(w)", "thread_limit(128)", "dist_schedule(static, 4)"])
def test_rows_with_a_clause_about_teams_are_a_blocks(clauses: str) -> None:
    assert SHORT not in rows("p[i]", "p[i + 1]", clauses=clauses)


OTHER = """
void f(int n, int w, const int *p, {0} *b) {{
#pragma omp target teams distribute {2}
  for (int i = 0; i < n; i++) {{
    long long s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int k = p[i]; k < p[i + 1]; k++)
      for (int j = k; j > 0; j /= w) s += j;
    {1}
  }}
}}
"""


@pytest.mark.parametrize(
    ("kind", "store", "maps", "decides"),
    [
        ("double", "b[i] = s;", "", True),  # by their types
        ("int", "b[i] = s;", "", False),
        ("unsigned", "b[i] = s;", "", False),
        ("char", "b[i] = s;", "", False),
        ("int", "b[i] = s;", "map(b[:n], p[:n + 1])", True),  # no object is listed twice
        ("double", "*(int *)&b[i] = s;", "", False),
        ("struct { int m; }", "b[i].m = s;", "", False),
    ],
)
def test_nothing_may_change_the_ends_of_rows(kind: str, store: str, maps: str, decides: bool) -> None:
    found = translate_text(OTHER.format(kind, store, maps))
    assert ("REX_TEAMS_OF_ROWS(p, n)" in found.device.text) == decides


def test_light_rows_that_are_loaded_in_fours_are_a_blocks() -> None:
    assert "REX_TEAMS_OF_ROWS" not in generated(SUM, "")[1]
