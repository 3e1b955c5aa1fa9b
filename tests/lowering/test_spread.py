"""Loops of one team: all teams share those of which nothing can tell the difference.

``execution/programs/spread.c`` runs such loops.
"""

from __future__ import annotations

import pytest

from support import compiled

HEAD = """#include <omp.h>
#include <stdlib.h>
int number(void) { return omp_get_thread_num(); }
double twice(double one) { return 2 * one; }
volatile int at;
void wait_for(volatile int *one) { while (!*one) ; }
#pragma omp declare target to(at)
"""


def blocks(statement: str, clauses: str = "", construct: str = "target parallel for") -> str:
    """Return how the host counts the blocks of a region."""
    text = launch(statement, clauses, construct)
    return text[text.index("int _num_blocks_ = ") :].split("\n")[0].removeprefix("int _num_blocks_ = ")


def launch(statement: str, clauses: str, construct: str) -> str:
    """Return the host file of a program with a region."""
    source = (
        f"{HEAD}void f(int n, double *a, double *b, int *k) {{\n  double sum = 0; int shared[4] = {{0}};\n"
        f"#pragma omp {construct} {clauses}\n  for (int i = 0; i < n; i++) {{ {statement} }}\n}}\n"
    )
    return compiled(source, "a.c").host


@pytest.mark.parametrize(
    ("statement", "clauses"),
    [
        ("a[i] = b[i] * n;", ""),
        ("a[i] = twice(b[i]);", "collapse(1) nowait"),
        ("sum += a[i];", "reduction(+: sum)"),
        ("\n#pragma omp atomic\n k[i % 4]++;\n", ""),
        ("for (int j = 0; j < n; j++) a[i] += b[j];", "if(target: n > 3)"),
        ("shared[i % 4] = i; a[i] = shared[0];", "private(shared)"),
    ],
)
def test_all_teams_share_what_cannot_tell(statement: str, clauses: str) -> None:
    assert blocks(statement, clauses) != "1;"
    if not clauses:
        assert blocks(statement, construct="target\n#pragma omp parallel for") != "1;"
    if "if" not in clauses and "private" not in clauses:
        unit = "warps" if "reduction" in clauses else "threads"
        assert f"_threads_per_block_ = rex_default_{unit}(" in launch(statement, clauses, "target teams distribute")


@pytest.mark.parametrize("clauses", ["num_teams(4)", "dist_schedule(static, 4)", "thread_limit(8)"])
def test_teams_of_one_thread_stay_where_the_program_chooses(clauses: str) -> None:
    assert "_threads_per_block_ = 1;" in launch("a[i] = 1;", clauses, "target teams distribute")


@pytest.mark.parametrize(
    ("statement", "clauses"),
    [
        ("a[i] = omp_get_thread_num();", ""),
        ("a[i] = omp_get_num_teams();", ""),
        ("a[i] = number();", ""),
        ("a[i] = b[i];", "num_threads(64)"),
        ("a[i] = b[i];", "thread_limit(64)"),
        ("a[i] = b[i];", "if(parallel: n > 3)"),
        ("a[i] = b[i];", "schedule(static, 4)"),
        ("\n#pragma omp critical\n k[0] += i;\n", ""),
        ("\n#pragma omp simd\n for (int j = 0; j < n; j++) a[j] = i;\n", ""),
        ("while (k[i] < 3) {\n#pragma omp atomic\n k[i]++;\n }", ""),
        ("while (!at) ; a[i] = 1;", ""),
        ("wait_for(&at);", ""),
        ("double t[n]; t[0] = i; a[i] = t[0];", ""),
        ("double *t = (double *)malloc(8); if (t) a[i] = *t = 1; free(t);", ""),
    ],
)
def test_one_team_stays_one_where_it_could_be_told(statement: str, clauses: str) -> None:
    assert blocks(statement, clauses) == "1;"
