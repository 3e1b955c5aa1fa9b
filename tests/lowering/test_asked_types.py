"""Types that are asked for by a variable's name are the user's, also where a macro asks; so are values of bounds."""

from __future__ import annotations

import pytest

from support import compiled, on_one_line

PROGRAM = """#define OF(x) decltype(x)
#define OBJECT(x) decltype((x))
void f(int *r) { int n = 3;
#pragma omp target map(r[0:1])
  { %s y = n; r[0] = y; }
}
"""


@pytest.mark.parametrize(
    ("asked", "declared"),
    [("decltype(n)", "int y"), ("OF(n)", "int y"), ("decltype((n))", "int & y"), ("OBJECT(n)", "int & y")],
)
def test_types_are_those_of_the_users_variables(asked: str, declared: str) -> None:
    device = on_one_line(compiled(PROGRAM % asked, "t.cpp").device)
    assert f"{{ {declared} = n;" in device.replace("  ", " ")


def test_bounds_that_ask_for_constants_are_those_of_a_run() -> None:
    text = "constexpr int where() { return __builtin_is_constant_evaluated() ? 1 : 2; }\nint two() { return 2; }\n"
    text += "void f(int *r) {\n#pragma omp target parallel for map(r[0:2])\n"
    text += " for (int i = 0; i < %s(); i++) r[i] = 1; }\n"
    assert "const int __rex_bound_of_i = where();" not in compiled(text % "where", "t.cpp").host
    assert "const int __rex_bound_of_i = two();" in compiled(text % "two", "t.cpp").host
