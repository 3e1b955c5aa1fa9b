"""Whether target tasks of a file may be deferred, which its host file then says."""

from __future__ import annotations

import pytest

import support

FILE = "void f(int *a, int n) {{\n  {}\n}}\n"
LOOP = "for (int i = 0; i < n; i++) a[i]++;"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (f"#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) nowait\n{LOOP}", True),
        ("#pragma omp target enter data map(to : a[0 : n]) nowait\n", True),
        (f"#pragma omp parallel\n#pragma omp single\n#pragma omp target nowait map(a[0 : n])\n{LOOP}", True),
        (f"#pragma omp target map(tofrom : a[0 : n]) depend(inout : a[0])\n{LOOP}", False),
        (f"#pragma omp parallel\n#pragma omp for nowait\n{LOOP}\n#pragma omp target map(a[0 : n])\n{LOOP}", False),
        (f"#pragma omp target map(tofrom : a[0 : n])\n#pragma omp parallel\n#pragma omp for nowait\n{LOOP}", False),
    ],
)  # fmt: skip
def test_a_file_with_deferred_target_tasks_says_so(statement: str, said: bool) -> None:
    assert ("\nREX_TASKS\n" in support.compiled(FILE.format(statement)).host) is said
