"""``__builtin_constant_p`` in device code is answered where the operand is a constant: nvcc has the headers' 0 else."""

from __future__ import annotations

import pytest

from support import compiled, on_one_line, translate_text

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


TEMPLATES = """#define KNOWN(x) __builtin_constant_p(x)
#pragma omp declare target
template <int N, class T> struct block { enum { Q = %s }; int a[%s ? 3 : 2]; };
template <int N, class T> static int pick(int n) { int a[%s + 1]; return sizeof a; }
#pragma omp end declare target
void f(int *r) {
#pragma omp target map(r[0:1])
  r[0] = pick<3, long>(2) + sizeof(block<4, int>);
}
"""


@pytest.mark.parametrize("operand", ["N", "(N * 2) + 1", "sizeof(T)", "N == 3 && sizeof(T) > 4"])
@pytest.mark.parametrize("word", ["__builtin_constant_p", "KNOWN"])
def test_templates_know_their_parameters(operand: str, word: str) -> None:
    device = "".join(on_one_line(compiled(TEMPLATES % ((f"{word}({operand})",) * 3), "t.cpp").device).split())
    assert "__builtin_constant_p" not in device and "KNOWN" not in device
    for part in ("{Q=1}", "a[1?3:2];", "inta[1+1];"):
        assert part in device


@pytest.mark.parametrize("operand", ["N + n", "T(n)", "n"])
def test_templates_do_not_know_what_their_functions_get(operand: str) -> None:
    text = TEMPLATES.replace("int a[%s + 1];", "int a[1] = {%s};") % ("1", "1", f"__builtin_constant_p({operand})")
    assert f"__builtin_constant_p({operand})" in compiled(text, "t.cpp").device


def test_what_is_no_constant_is_left_to_the_headers() -> None:
    text = "void f(int *r, int n) {\n#pragma omp target map(r[0:1])\n  r[0] = __builtin_constant_p(n + r[0]);\n}\n"
    assert "__builtin_constant_p(n + r[0])" in compiled(text).device


@pytest.mark.parametrize("name", ["toupper", "tolower"])
def test_macros_of_the_library_stay_as_they_are(name: str) -> None:
    """With optimisation glibc's ``toupper`` is a macro that asks; device code calls the function, if it is there."""
    text = f"#include <ctype.h>\nvoid f(int *r) {{\n#pragma omp target map(r[0:1])\n  r[0] = {name}('a');\n}}\n"
    (problem,) = translate_text(text, arguments=("-O2",)).diagnostics
    assert f"'{name}'" in problem.message and problem.code == "host-function"
