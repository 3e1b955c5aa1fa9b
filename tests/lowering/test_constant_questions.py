"""``__builtin_constant_p`` in device code is answered where the operand is a constant: nvcc has the headers' 0 else."""

from __future__ import annotations

import pytest

from support import compiled, on_one_line

PROGRAM = """#define KNOWN(x) __builtin_constant_p(x)
#pragma omp declare target
enum { Q = %s };
struct bits { unsigned a : %s; };
static int pick(int k) { int a[%s]; switch (k) { case %s: return sizeof a; } return 0; }
#pragma omp end declare target
void f(int *r) {
#pragma omp target map(r[0:1])
  { struct bits b = {1}; r[0] = pick(Q) + b.a + %s; }
}
"""


@pytest.mark.parametrize("asked", ["__builtin_constant_p(5)", "KNOWN(2 * 4)", "__builtin_constant_p(2.5)"])
@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
def test_constants_are_known_wherever_the_question_stands(asked: str, name: str) -> None:
    device = "".join(on_one_line(compiled(PROGRAM % ((asked,) * 5), name).device).split())
    assert "__builtin_constant_p" not in device and "KNOWN" not in device
    for part in ("{Q=1}", "a:1;", "inta[1];", "case1:", "+b.a+1;"):
        assert part in device


def test_what_is_no_constant_is_left_to_the_headers() -> None:
    text = "void f(int *r, int n) {\n#pragma omp target map(r[0:1])\n  r[0] = __builtin_constant_p(n + r[0]);\n}\n"
    assert "__builtin_constant_p(n + r[0])" in compiled(text).device
