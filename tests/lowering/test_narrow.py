"""Loops over the grid whose counter has 32 bits: which they are, and what they become."""

from __future__ import annotations

import pytest

from support import compiled

FORM = (
    "  const unsigned _dev_thread_num = rex_stride(gridDim.x * blockDim.x);\n"
    "  const unsigned _dev_thread_id = blockDim.x * blockIdx.x + threadIdx.x;\n"
    "  const unsigned __rex_trips = rex_up_to(n);\n"
    "  #pragma unroll 1\n"
    "  for (unsigned __rex_i = _dev_thread_id; __rex_i < __rex_trips; __rex_i += _dev_thread_num) {\n"
    "    int i = (int)__rex_i;\n"
)


THREADS = "thread_limit(s)"
"""Perhaps more than a block can have, so that not each iteration is sure to have a thread."""


def body(loop: str, clauses: str = THREADS, statement: str = "if (i) p[i] = 1;") -> str:
    """Return the text of the kernel of a loop that is too heavy for tiles."""
    source = (
        "int g(void);\nvoid f(int n, long m, unsigned u, int *p) {\n  int s = 0;\n"
        f"#pragma omp target teams distribute parallel for {clauses}\n  {loop} {{ {statement} }}\n}}\n"
    )
    return compiled(source).kernels[0].body


def test_an_int_from_a_literal_is_counted_with_32_bits() -> None:
    assert FORM in body("for (int i = 0; i < n; i++)")
    assert "__rex_trips = (unsigned)rex_tripcount_lt(0, m, 1);" in body("for (int i = 0; i < m; i++)")
    text = body("for (short i = 3; i <= n; i += 2)")
    assert "__rex_trips = (unsigned)rex_tripcount_le(3, n, 2);" in text
    assert "short i = (short)(3 + __rex_i * 2);" in text


WIDE = [
    "for (long i = 0; i < m; i++)",
    "for (unsigned i = 0; i < u; i++)",
    "for (int i = n; i < n + n; i++)",
    "for (int i = -5; i < n; i++)",
    "for (int i = n; i > 0; i--)",
    "for (int i = 0; i < n; i += n)",
]


@pytest.mark.parametrize("loop", WIDE)
def test_loops_that_may_have_more_iterations_are_not(loop: str) -> None:
    assert "for (unsigned __rex" not in body(loop)


@pytest.mark.parametrize(
    "clauses", ["num_teams(8)", "reduction(+ : s)", "lastprivate(s)", "collapse(1) schedule(static, 2)"]
)
def test_a_grid_of_the_programs_and_other_uses_of_a_threads_number_keep_64_bits(clauses: str) -> None:
    assert "for (unsigned __rex" not in body(
        "for (int i = 0; i < n; i++)", f"{THREADS} {clauses}", "s = 1; if (i) p[i] = 1;"
    )


def test_constructs_inside_keep_64_bits() -> None:
    assert "for (unsigned __rex" not in body(
        "for (int i = 0; i < n; i++)", THREADS, "\n#pragma omp atomic\n p[0] += i;"
    )
