"""Parallel loops of teams that ask for more threads than they have iterations: the rest are not launched."""

from __future__ import annotations

import re

import pytest

from support import on_one_line, translate_text

LOOP = "for (int i = 0; i < m; i++) {}"
SUM = "for (int i = 0; i < m; i++) s += a[i];"


def threads(inner: str, clauses: str = "num_teams(n)", more: str = "") -> str:
    """Return the host expression of a block's threads, with parallels in the iterations of a loop of teams."""
    return chosen("_threads_per_block_", inner, clauses, more)


def chosen(number: str, inner: str, clauses: str, more: str = "") -> str:
    """Return the host expression of a number of the launch."""
    source = (
        "#include <omp.h>\n#include <stdlib.h>\n"
        "#pragma omp declare reduction(mine : double : omp_out += omp_in) initializer(omp_priv = 0)\n"
        f"{more}\n"
        "void f(int n, int m, int w, int *c, double *a, double *b) {\n"
        f"#pragma omp target teams distribute {clauses} map(a[:m], b[:n], c[:n])\n"
        "  for (int t = 0; t < n; t++) {\n    double s = 0;\n    int k = c[t];\n"
        f"    {inner}\n    b[t] = s;\n  }}\n}}\n"
    )
    text = on_one_line(translate_text(source).host.text)
    found = re.search(rf"int {number} = ([^;]*);", text)
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize(
    ("clauses", "loop", "needed"),
    [
        ("num_threads(256) reduction(+ : s)", SUM, "rex_needed_threads(rex_tripcount_lt(0, m, 1), 256)"),
        ("num_threads(w) reduction(max : s)", SUM, "rex_needed_threads(rex_tripcount_lt(0, m, 1), (int)(w))"),
        ("num_threads(w) schedule(static, 2)", LOOP, "rex_needed_threads(rex_tripcount_lt(0, m, 1), (int)(w))"),
        ("simd num_threads(w) private(k)", LOOP, "rex_needed_threads(rex_tripcount_lt(0, m, 1), (int)(w))"),
        (
            "num_threads(w) collapse(2)",
            "for (int i = 0; i < m; i++) for (int j = 2; j < n; j++) {}",
            "rex_needed_threads(rex_collapse(rex_tripcount_lt(0, m, 1), rex_tripcount_lt(2, n, 1)), (int)(w))",
        ),
        ("num_threads(64)", "for (int i = 0; i < 20; i++) {}", "rex_needed_threads(rex_tripcount_lt(0, 20, 1), 64)"),
    ],
)
def test_threads_without_an_iteration_are_not_launched(clauses: str, loop: str, needed: str) -> None:
    assert needed in threads(f"\n#pragma omp parallel for {clauses}\n{loop}")


@pytest.mark.parametrize(
    ("clauses", "loop"),
    [
        ("num_threads(64)", "for (int i = 0; i < 100; i++) {}"),
        ("num_threads(w)", "for (int i = 0; i < k; i++) {}"),
        ("num_threads(w)", "for (int i = 0; i < c[t]; i++) {}"),
        ("num_threads(w)", "for (int i = 0; i < m; i++) a[i] = omp_get_thread_num();"),
        ("num_threads(w)", "for (int i = 0; i < m; i++) a[i] = omp_get_num_threads();"),
        ("num_threads(w)", "for (int i = 0; i < m; i++) a[i] = threads_of();"),
        ("num_threads(w)", "for (int i = 0; i < m; i++) free(malloc(i));"),
        ("num_threads(w) reduction(mine : s)", SUM),
        ("num_threads(w) firstprivate(two)", LOOP),
        (
            "num_threads(w)",
            "for (int i = 0; i < m; i++) {\n#pragma omp simd\nfor (int j = 0; j < m; j++) a[j] = j; }",
        ),
        ("num_threads(w)", "for (int i = 0; i < m; i++) {\n#pragma omp atomic\nb[t] += i; }"),
        ("num_threads(w) ordered", LOOP),
    ],
)
def test_threads_stay_where_they_may_be_told(clauses: str, loop: str) -> None:
    more = (
        "#pragma omp declare target\nstruct two { int x, y; };\n"
        "static double threads_of(void) { return omp_get_num_threads(); }\n#pragma omp end declare target\n"
    )
    text = threads(f"struct two two = {{1, 2}}; (void)two;\n#pragma omp parallel for {clauses}\n{loop}", more=more)
    assert "rex_needed_threads" not in text
    assert text in ("(int)(rex_max(w, 1))", "64")


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ("parallel num_threads(96)", "rex_max(rex_needed_threads(rex_tripcount_lt(0, m, 1), 512), 96)"),
        ("parallel for num_threads(96)", "rex_max({0}, rex_needed_threads(rex_tripcount_lt(0, n, 1), 96))"),
    ],
)
def test_a_block_is_as_wide_as_other_parallels_need(beside: str, expected: str) -> None:
    first = f"\n#pragma omp parallel for num_threads(512)\n{LOOP}\n#pragma omp {beside}\n"
    text = threads(first + "for (int i = 0; i < n; i++) {}")
    wide = "rex_needed_threads(rex_tripcount_lt(0, m, 1), 512)"
    assert expected.format(wide) in text or text in ("512", f"(int)({expected.format(wide)})")


def test_a_block_is_no_wider_than_its_limit() -> None:
    text = threads(f"\n#pragma omp parallel for num_threads(w)\n{LOOP}", "num_teams(n) thread_limit(128)")
    assert text == "(int)(rex_max(rex_min(rex_needed_threads(rex_tripcount_lt(0, m, 1), (int)(w)), 128), 1))"


@pytest.mark.parametrize(
    ("clauses", "loop"),
    [
        ("num_threads(w)", "for (int i = 0; i < PART(n); i++) {}"),
        ("num_threads(w)", "for (unsigned long i = 0; i < (unsigned long)n / m; i++) {}"),
        ("num_threads(w)", "for (int i = (n, n / m); i < n; i++) {}"),
        ("num_threads(w) firstprivate(q)", "for (int i = 0; i < q[1]; i++) {}"),
        ("num_threads(w)", "for (int i = 0; i < *q; i++) {}"),
        ("num_threads(w)", "for (int i = 0; i < own->x; i++) {}"),
        ("num_threads(w)", "for (int i = 0; i < table[m]; i++) {}"),
    ],
)
def test_the_host_evaluates_nothing_that_may_fail(clauses: str, loop: str) -> None:
    """The region comes to the loop where the values are right only."""
    more = "static const int table[2] = {30, 40};\nstruct two { int x; };\nstatic int *q;\nstatic struct two *own;"
    more += "\n#define PART(x) ((x) * 2 / m)"
    text = threads(
        f"if (m > 0) {{\n#pragma omp parallel for {clauses}\n{loop}\n}}", "num_teams(n) firstprivate(q, own)", more
    )
    assert text == "(int)(rex_max(w, 1))"


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ("n / m", "(int)rex_safe_quotient(n, m)"),
        ("n % m + 1", "(int)rex_safe_remainder(n, m) + 1"),
        ("(n - 1) / (w / m) * (n + 2)", "(int)rex_safe_quotient(n - 1, (int)rex_safe_quotient(w, m)) * (n + 2)"),
        ("n / (2u * m)", "(unsigned int)rex_safe_quotient((unsigned int)(n), (unsigned int)(2u * m))"),
    ],
)
def test_divisions_by_what_may_be_zero_are_calls_that_do_not_fail(bound: str, expected: str) -> None:
    """The region comes to them where the divisor is right only; the host evaluates them anyway."""
    text = threads(f"if (m > 0) {{\n#pragma omp parallel for num_threads({bound})\n{LOOP}\n}}")
    assert f"(int)({expected})" in text
    loop = f"for (int i = 0; i < {bound}; i++) {{}}"
    text = threads(f"if (m > 0) {{\n#pragma omp parallel for num_threads(w)\n{loop}\n}}")
    assert f"rex_tripcount_lt(0, {expected}, 1)" in text


@pytest.mark.parametrize("count", ["PART(n)", "n / (unsigned long)m", "-(n / m)", "n / *q"])
def test_a_number_of_threads_that_may_fail_is_known_in_the_region_alone(count: str) -> None:
    more = "static int *q;\n#define PART(x) ((x) * 2 / m)"
    text = threads(f"if (m > 0) {{\n#pragma omp parallel for num_threads({count})\n{LOOP}\n}}", more=more)
    assert text == "1024"


def test_a_step_of_the_run_may_be_zero_where_nothing_comes_to_the_loop() -> None:
    text = threads("if (m > 0) {\n#pragma omp parallel for num_threads(w)\nfor (int i = 0; i < n; i += m) {}\n}")
    assert "rex_needed_threads(rex_tripcount_lt(0, n, rex_max(m, 1)), (int)(w))" in text


@pytest.mark.parametrize("bound", ["N", "(T)n", "n + (int)sizeof(struct here)", "n + (int)sizeof(T)"])
def test_what_the_region_declares_is_not_known_to_the_host(bound: str) -> None:
    names = "enum { N = 25 }; typedef long T; struct here { int x[7]; };\n"
    text = threads(f"{names}#pragma omp parallel for num_threads(w)\nfor (int i = 0; i < {bound}; i++) {{}}")
    assert text == "(int)(rex_max(w, 1))"


@pytest.mark.parametrize("bound", ["n / 2", "m % 3 + 1", "table[1]", "both.x", "(n > m ? n : m)"])
def test_what_cannot_fail_is_known(bound: str) -> None:
    more = "static const int table[2] = {30, 40};\nstruct two { int x; };\nstatic const struct two both = {30};"
    loop = f"for (int i = 0; i < {bound}; i++) {{}}"
    assert "rex_needed_threads" in threads(f"\n#pragma omp parallel for num_threads(w)\n{loop}", more=more)


ROWS = "\n#pragma omp parallel for reduction(+ : s)\nfor (int i = c[t]; i < c[t + 1]; i++) s += a[i];"
NARROW = "rex_threads_of_many_teams(__device_id, __rex_tripcount, 256)"


@pytest.mark.parametrize(
    ("clauses", "before", "inner", "is_narrow"),
    [
        ("", "", ROWS, True),
        ("", "double u = 0;", f"{ROWS} s += u;", True),
        ("", "double *row = a + t;", f"{ROWS} s += *row;", True),
        ("", "", f"{ROWS}{ROWS}", True),
        ("num_teams(n)", "", ROWS, False),
        ("thread_limit(128)", "", ROWS, False),
        ("dist_schedule(static, 4)", "", ROWS, False),
        ("", "double u[32];", f"u[0] = 1; {ROWS}", False),
        ("", "struct { double x, y; } u;", f"u.x = 1; {ROWS}", False),
        ("", "", "\n#pragma omp parallel reduction(+ : s)\ns += 1;", False),
    ],
)
def test_many_teams_of_loops_that_the_host_cannot_count_are_narrow(
    clauses: str, before: str, inner: str, is_narrow: bool
) -> None:
    """A team's memory limits how many of them a multiprocessor takes; a ``parallel`` of its own has the usual width."""
    assert (NARROW in threads(f"{before}{inner}", clauses)) == is_narrow


LIGHT = "\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < m; i++) s += a[i];"
HEAVY = "\n#pragma omp parallel for\nfor (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[i] += a[j] * s;"


@pytest.mark.parametrize(
    ("clauses", "inner", "is_light"),
    [
        ("", LIGHT, 1),
        ("", f"{LIGHT}{LIGHT}", 1),
        ("", f"{LIGHT}{HEAVY}", 0),
        ("", ROWS, 0),
        ("", f"{LIGHT}{ROWS}", 0),
        ("", f"{LIGHT}\n#pragma omp parallel reduction(+ : s)\ns += 1;", 0),
        ("", LIGHT.replace("+ : s)", "+ : s) num_threads(64)"), 0),
        ("thread_limit(64)", LIGHT, 0),
    ],
)
def test_a_launch_has_as_many_teams_as_their_loops_are_worth(clauses: str, inner: str, is_light: int) -> None:
    """Teams take several iterations each where there are many: blocks whose loops do little are started in vain."""
    wanted = f"rex_teams_of_iterations(__device_id, __rex_tripcount, _threads_per_block_, {is_light})"
    assert chosen("_num_blocks_", inner, clauses) == wanted


@pytest.mark.parametrize("clauses", ["num_teams(n)", "dist_schedule(static, 4)"])
def test_teams_that_clauses_count_are_launched_as_they_say(clauses: str) -> None:
    assert "rex_teams_of_iterations" not in chosen("_num_blocks_", LIGHT, clauses)


def test_what_other_loops_of_a_team_need_counts_beside_many_teams() -> None:
    counted = "\n#pragma omp parallel for\nfor (int i = 0; i < m; i++) a[i] += s;"
    text = threads(f"{ROWS}{counted}", "")
    assert text.count("rex_max(") >= 1 and NARROW in text and "tripcount_lt(0, m, 1)" in text


def test_a_team_that_may_not_come_to_a_parallel_is_launched_with_a_thread() -> None:
    """Where nothing comes to it, a clause may ask for none; the GPU refuses a block without threads."""
    inner = "if (w > 0) {\n#pragma omp parallel num_threads(w)\n s += a[0];\n}"
    assert threads(inner, "") == "(int)(rex_max(w, 1))"
