"""Errors of programs that are translated once more with their macros expanded."""

from __future__ import annotations

import pytest

from support import expect_error

CALLED = (
    "#define CALL(f, x) f(x)\nint twice(int x) { return 2 * x; }\n#pragma omp declare target enter(twice) indirect\n"
    "int f(int n) {\n  int (*g)(int) = twice;\n  int r = 0, s = 0;\n#pragma omp target map(tofrom : r)\n  {\n"
)
"""A call through a pointer in a macro, which stages see only when it is expanded."""
TASKS = "#pragma omp taskloop «num_tasks(3)» firstprivate(s)\n    for (int i = 0; i < n; i++) s += i;\n  }\n"


@pytest.mark.parametrize("call", ["    r = CALL(g, 3);\n", "    r = g(3);\n"])
def test_what_expansion_cures_does_not_hide_other_errors(call: str) -> None:
    expect_error(CALLED + call + TASKS + "  return r;\n}", "unsupported-clause", "with 'num_tasks' each task")
