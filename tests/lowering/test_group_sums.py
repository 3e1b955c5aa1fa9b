"""Loops of a block with fewer iterations than threads: neighbours make the reduction in an iteration together."""

from __future__ import annotations

import re

import pytest

from rexcc.program.optimisations import Optimisation
from support import translate_text, with_used_headers

SUM = "#pragma omp parallel for reduction(+ : s)\n      for (int i = 0; i < m; i++) s += a[i] * b[t * m + i];"
SHARED = {
    "parallel for": SUM,
    "simd": SUM.replace("parallel for", "simd"),
    "parallel for simd": SUM.replace("parallel for", "parallel for simd"),
    "an index from outside": SUM.replace("int i = 0", "i = 0"),
    "from another number": SUM.replace("int i = 0", "int i = t"),
    "a product": SUM.replace("+ :", "* :").replace("s += ", "s *= "),
    "a condition and a local": SUM.replace(
        "s += a[i] * b[t * m + i];", "{ double here = a[i]; if (here > 3) s += sqrt(here); }"
    ),
}
ALONE = {
    "a loop without a reduction": "for (int i = 0; i < m; i++) s += a[i] * b[t * m + i];",
    "an index that simd leaves": SUM.replace("parallel for", "simd").replace("int i = 0", "i = 0"),
    "a store inside": SUM.replace("s +=", "y[i] = s +="),
    "a sum that is not the iteration's": SUM.replace("reduction(+ : s)", "reduction(+ : outside)").replace(
        "s +=", "outside +="
    ),
    "an array": SUM.replace("(+ : s)", "(+ : part[:2])").replace("s +=", "part[i % 2] +="),
    "an operator of the user's": SUM.replace("(+ :", "(mine :"),
    "a function of the user's": SUM.replace("s += a[i]", "s += own(a[i])"),
    "a bound that is called": SUM.replace("i < m", "i < count(m)"),
    "threads asked for": SUM.replace("s += a[i]", "s += omp_get_thread_num() + a[i]"),
    "it goes on early": SUM.replace("s +=", "if (i > 3) continue; else s +="),
    "a bound that changes something": SUM.replace("i < m", "i < (part[1] += 1)"),
    "a step of two": SUM.replace("i++", "i += 2"),
    "two of them": SUM + "\n" + SUM,
    "under a condition": "if (t > 2) {\n" + SUM + "\n}",
    "a schedule": SUM.replace("parallel for", "parallel for schedule(static, 4)"),
}
OUTER = "parallel for num_threads(256)"
GROUPS = "rex_each_of_group<int>(__rex_group_member, __rex_group_width, "


def device(
    statement: str,
    before: str = "",
    behind: str = "y[t] = s;",
    outer: str = OUTER,
    left_out: tuple[Optimisation, ...] = (),
) -> str:
    """Return the device text of a loop that the threads of a team share, with an inner loop in its iterations."""
    source = (
        "#include <math.h>\n#include <omp.h>\n"
        "#pragma omp declare target\nstatic double own(double x) { return x; }\n"
        "static int count(int n) { return n; }\n#pragma omp end declare target\n"
        "#pragma omp declare reduction(mine : double : omp_out += omp_in) initializer(omp_priv = 0)\n"
        "void f(int rows, int n, int m, double *a, double *b, double *y) {\n"
        "#pragma omp target teams distribute num_teams(rows)\n  for (int r = 0; r < rows; r++) {\n"
        "    double outside = 0, part[2] = {0, 0}; int i;\n"
        f"#pragma omp {outer}\n    for (int t = 0; t < n; t++) {{\n      double s = 0; {before}\n{statement}\n"
        f"      {behind}\n    }}\n    y[r] = outside + part[0];\n  }}\n}}\n"
    )
    found = translate_text(with_used_headers(source), "a.c", left_out=frozenset(left_out))
    assert found.device is not None, found.diagnostics
    return found.device.text


@pytest.mark.parametrize("which", SHARED)
def test_groups_make_the_sum(which: str) -> None:
    text = device(SHARED[which])
    assert GROUPS in text
    assert re.search(r"for \(long long __rex_t = rex_groups\(threadIdx\.x, __rex_group_width\); __rex_t < n;", text)
    assert "const int __rex_group_width = rex_width_in_warp(n);" in text
    operator = "mul" if which == "a product" else "add"
    assert text.index(GROUPS) < text.index(f"rex_join_group_{operator}(s, __rex_group_width);")


@pytest.mark.parametrize("which", ALONE)
def test_others_are_left_to_one_thread(which: str) -> None:
    assert "rex_each_of_group" not in device(ALONE[which])


def test_one_thread_executes_what_follows() -> None:
    text = device(SUM, behind="s *= 2;\n      y[t] += s;")
    guard = text.index("if (__rex_group_member == 0)")
    assert text.index("rex_join_group_add") < guard < text.index("s *= 2;") < text.index("y[t] += s;")
    assert "if (__rex_group_member == 0)" not in device(SUM, behind="")


@pytest.mark.parametrize(
    "before",
    ["y[t] = 1;", "outside += 1;", "own(3);", "static double kept; kept = 1;", "volatile int seen = t;", "i = 3;",
     "double *at = &s; *at = 2;"],
)  # fmt: skip
def test_what_comes_first_only_computes(before: str) -> None:
    assert "rex_each_of_group" not in device(SUM, before)
    assert "rex_each_of_group" in device(SUM, "const double *row = b + t; double twice = 2 * a[t]; twice += row[0];")


@pytest.mark.parametrize(
    "outer",
    ["parallel for schedule(static)", "parallel for reduction(+ : outside)", "parallel for firstprivate(outside)",
     "parallel for lastprivate(i)", "parallel for private(part)", "parallel for ordered"],
)  # fmt: skip
def test_nothing_tells_which_thread_has_an_iteration(outer: str) -> None:
    assert "rex_each_of_group" not in device(SUM, outer=outer)
    assert "rex_each_of_group" in device(SHARED["an index from outside"], outer="parallel for private(i)")


def test_constant_bounds_and_other_schedulers() -> None:
    source = (
        "void f(float *y, const float *a) {\n#pragma omp target teams distribute\n  for (int r = 0; r < 9; r++) {\n"
        "#pragma omp parallel for num_threads(128)\n    for (short t = 0; t < 4; t++) {\n      float s = 0;\n"
        "#pragma omp simd reduction(+ : s)\n      for (int i = 0; i < 64; i++) s += a[i];\n"
        "      y[r * 4 + t] = s;\n    }\n  }\n}\n"
    )
    for scheduler in ("direct", "xomp"):
        found = translate_text(source, scheduler=scheduler)
        assert found.device is not None
        assert "rex_each_of_group<int>" in found.device.text


def test_it_can_be_left_out() -> None:
    assert "rex_each_of_group" not in device(SUM, left_out=(Optimisation.GROUPS,))
