"""Blocks of teams that go step by step are as wide as the loops of the steps need."""

from __future__ import annotations

import re

import pytest

import support

ONCE = "\n#pragma omp parallel for collapse(2)\nfor (int i = 0; i < 24; i++) for (int j = 0; j < 25; j++) u[i] += a[j];"
STEP = "\n#pragma omp parallel for\nfor (int i = LOWER; i < UPPER; i++) u[i] -= u[p];"
ROWS = "\n#pragma omp parallel for\nfor (int i = a[0]; i < a[1]; i++) u[i] = 0;"


def threads(body: str, declared: str = "double u[24];", clauses: str = "") -> str:
    """Return what a launch says of its threads."""
    source = (
        "void f(int n, int m, double *z, const int *a) {\n"
        f"#pragma omp target teams distribute {clauses}\n"
        f"for (int k = 0; k < n; k++) {{ {declared} {body} z[k] = u[0]; }}\n}}\n"
    )
    text = support.on_one_line(support.compiled(source, "a.c").host)
    found = re.search(r"int _threads_per_block_ = (.*?);", text)
    assert found is not None
    return found[1]


def step(lower: str, upper: str) -> str:
    """Return a parallel loop with these bounds."""
    return STEP.replace("LOWER", lower).replace("UPPER", upper)


def steps(lower: str, upper: str, header: str = "for (int p = 0; p < 24; p++)") -> str:
    """Return a loop of the initial thread's with a parallel loop in it."""
    return f"{header} {{ {step(lower, upper)} }}"


@pytest.mark.parametrize(
    ("header", "lower", "upper", "count"),
    [
        ("for (int p = 0; p < 24; p++)", "p + 1", "24", "rex_tripcount_lt(((long long)(0) + (1)), 24, 1)"),
        ("for (int p = 0; p < m; p++)", "0", "m - p", "rex_tripcount_lt(0, ((long long)(m) - (0)), 1)"),
        ("for (int p = 24; p > 0; p--)", "0", "p", "rex_tripcount_lt(0, 24, 1)"),
        ("for (int p = 24; p >= 9; p--)", "p", "m", "rex_tripcount_lt(((long long)(9)), m, 1)"),
        ("for (int p = 0; p <= 8; p++)", "0", "p + p", None),
        ("for (int p = 0; p < 24; p++)", "0", "24", "rex_tripcount_lt(0, 24, 1)"),
    ],
)
def test_steps_are_counted_by_the_ends_of_the_loops_around(
    header: str, lower: str, upper: str, count: str | None
) -> None:
    text = threads(ONCE + steps(lower, upper, header))
    assert text.startswith("(int)(rex_threads_of_steps(__device_id, __rex_tripcount, ")
    assert count is None or f"__rex_tripcount, {count}, rex_collapse(" in text, text


def test_the_longest_loops_count() -> None:
    text = threads(f"for (int p = 0; p < m; p++) {{ {step('0', 'p')} {step('p', '9')} }} {ONCE}")
    first = "rex_tripcount_lt(0, ((long long)(m) - 1), 1)"
    assert f"rex_max({first}, rex_tripcount_lt(0, 9, 1)), rex_collapse(" in text, text
    text = threads(steps("0", "24"))
    assert "__rex_tripcount, rex_tripcount_lt(0, 24, 1), 0, rex_" in text, text


def test_bounds_that_the_team_declares_are_looked_up() -> None:
    body = f"for (int p = 0; p < 24; p++) {{ int first = p + 1, more = first + 2; {step('first', '24 + more')} }}"
    assert "rex_tripcount_lt(((long long)(0) + (1)), ((long long)(24) + " in threads(body)


@pytest.mark.parametrize(
    ("body", "declared", "clauses"),
    [
        (ONCE, "double u[24];", ""),  # no steps
        (f"{ONCE} {step('0', '24').replace('u[p]', '1')}", "double u[24];", ""),
        (steps("0", "24", "for (int p = 0; p < 2; p++)"), "double u[24];", ""),  # few of them
        (f"for (int p = 0; p < 24; p++) {{ {ROWS} }}", "double u[24];", ""),  # of a length that nobody knows
        (f"{steps('0', '24')} {ROWS}", "double u[24];", ""),
        (steps("0", "24"), "double u[2000];", ""),  # with much memory
        (steps("0", "24"), "double u[m];", ""),
        (steps("0", "24"), "double u[24];", "thread_limit(64)"),
        (steps("0", "24"), "double u[24];", "num_teams(m)"),
        (steps("0", "24").replace("for\n", "for num_threads(64)\n"), "double u[24];", ""),
        (f"{steps('0', '24')}\n#pragma omp parallel\nu[3] = 0;", "double u[24];", ""),
    ],
)
def test_others_are_as_wide_as_before(body: str, declared: str, clauses: str) -> None:
    assert "rex_threads_of_steps" not in threads(body, declared, clauses)
