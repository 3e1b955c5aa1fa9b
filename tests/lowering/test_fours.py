"""Light loops of a block's threads whose elements are neighbours: the form for small grids loads them in fours."""

from __future__ import annotations

import re

import pytest

from rexcc.program.optimisations import Optimisation
from support import translate_text

EACH = "for (int i = 0; i < n; i++)"


def device(
    statement: str,
    clauses: str = "reduction(+ : s)",
    loop: str = EACH,
    before: str = "",
    wraps: bool = False,
    without: frozenset[Optimisation] = frozenset(),
) -> str:
    """Return the device text of a loop that the threads of a team share."""
    source = (
        "typedef int count;\nstruct pair { int a; float b; };\n"
        "struct __attribute__((packed)) odd { char a; float b[9]; };\n"
        "void f(long rows, int n, unsigned u, double *a, float *w, short *k, struct pair *p, struct odd *o, long *at, "
        "int **pp) {\n"
        "#pragma omp target teams distribute num_teams(rows)\n  for (long r = 0; r < rows; r++) {\n"
        f"    double s = 0; float v[2][512]; {before}\n#pragma omp parallel for {clauses}\n    {loop} {statement}\n"
        "    a[r] = s;\n  }\n}\n"
    )
    found = translate_text(source, "a.c", arguments=("-w",), left_out=without, wraps=wraps).device
    assert found is not None
    return found.text


def loaded(text: str) -> list[str]:
    """Return the elements that a turn loads, sorted."""
    return sorted(re.findall(r"__rex_turn\.load\(\w+, &(.*?)\);", text))


def test_how_they_look() -> None:
    text = device("s += w[r * n + i] * a[i];")
    call = "rex_each_of_fours<__rex_form, 4>(threadIdx.x, n,\n"
    asked = "[&](long long __rex_i) { int i = (int)__rex_i; return rex_apart(&w[r * n + i], &a[i]); }"
    assert call in text and asked in text
    assert "s += __rex_near_w[__rex_turn_number] * __rex_near_a[__rex_turn_number];" in text
    assert "template <class __rex_form>" in text
    usual, small = text.index("code__<rex_usual_form>("), text.index("code__<rex_small_form>(")
    assert "__launch_bounds__(256, 4)" in text[usual:small]


@pytest.mark.parametrize(
    ("statement", "clauses", "elements"),
    [
        ("s += w[i];", "reduction(+ : s)", ["w[i]"]),
        ("if (w[i] > s) s = w[i];", "reduction(max : s)", ["w[i]"]),
        ("s += w[i] > 2 ? 1 : k[i + 1];", "reduction(+ : s)", ["w[i]"]),
        ("s += w[i] > 2 && k[i] > 3;", "reduction(+ : s)", ["w[i]"]),
        ("{ float x = w[i + n * 2] * 2; s += x * k[i - r]; }", "reduction(+ : s)", ["k[i - r]", "w[i + n * 2]"]),
        ("s += w[i] + w[i + 1] + k[i];", "reduction(+ : s)", ["k[i]"]),  # not all of w is aligned at once
        ("s += w[k[i]] + w[i];", "reduction(+ : s)", ["k[i]"]),
        ("s += k[i] ?: w[i];", "reduction(+ : s)", ["k[i]"]),
        ("{ const int j = i + 4; s += w[j]; }", "reduction(+ : s)", ["w[j]"]),
        ("{ int j = 2 * n, m = j + i; long at = m; s += w[at] + k[m]; }", "reduction(+ : s)", ["k[m]", "w[at]"]),
        ("{ int j = k[i] + i; s += w[j]; }", "reduction(+ : s)", ["k[i]"]),
        ("{ int n = i; s += w[n]; }", "reduction(+ : s)", ["w[n]"]),
        ("a[i] = w[i] * s;", "", ["w[i]"]),
        ("a[i] = a[i] * s;", "firstprivate(s) shared(a)", ["a[i]"]),
        ("a[k[i]] = w[i];", "", ["k[i]", "w[i]"]),
        ("if (w[i] > 3) a[i] = w[i];", "", ["w[i]"]),
    ],
)
def test_what_is_loaded_in_fours(statement: str, clauses: str, elements: list[str]) -> None:
    text = device(statement, clauses)
    assert "rex_each_of_fours<" in text
    assert loaded(text) == elements
    assert ("__rex_turn.store(&a[i], __rex_near_stored_a);" in text) is statement.startswith("a[i]")


@pytest.mark.parametrize(
    ("statement", "clauses"),
    [
        ("s += w[i];", "reduction(+ : s) schedule(static)"),  # a thread may know which iterations are its own
        ("s += w[i];", "reduction(+ : s) ordered"),
        ("{ s += w[i]; k[i] = 3; }", "reduction(+ : s)"),  # the next iteration might load it
        ("s += w[2 * i];", "reduction(+ : s)"),
        ("s += w[n - i];", "reduction(+ : s)"),
        ("s += w[u + i];", "reduction(+ : s)"),  # may wrap
        ("s += w[at[r] + i];", "reduction(+ : s)"),  # another iteration may change the beginning
        ("s += p[i].b;", "reduction(+ : s)"),
        ("s += o[r].b[i];", "reduction(+ : s)"),
        ("s += *pp[i];", "reduction(+ : s)"),
        ("{ int j = i; j++; s += w[j]; }", "reduction(+ : s)"),
        ("{ int j = r * n + i; s += w[j]; }", "reduction(+ : s)"),  # what does not fit into j is cut
        ("{ float x = i; int j = x; s += w[j]; }", "reduction(+ : s)"),
        ("{ s += w[n]; { int n = i; s += w[n]; } }", "reduction(+ : s)"),  # n is the bound as well
        ("{ { int j = i + 1; s += w[j]; } { int j = i + 2; s += w[j]; } }", "reduction(+ : s)"),
        ("{ long k = (count)i; { int count = i + 1; s += w[count]; } }", "reduction(+ : s)"),  # hides a type
        ("{\n#define j (i + 7)\nint m = j; s += w[m];\n#undef j\n}", "reduction(+ : s)"),
        ("{\n#  undef M\n#  define M 7\ns += w[i + M];\n}", "reduction(+ : s)"),
        ("s += n > 3 ? w[i] : 0;", "reduction(+ : s)"),  # not in every iteration
        ("s += n ?: w[i];", "reduction(+ : s)"),
        ("s += w[i];", "private(s)"),
        ("a[i] += w[i];", ""),
        ("if (w[i] > 3) a[i] = k[i];", ""),  # k would be loaded behind the stores of others
    ],
)
def test_what_is_not(statement: str, clauses: str) -> None:
    assert "rex_each_of_fours" not in device(statement, clauses)


def test_in_cplusplus_a_choice_of_two_elements_is_loaded() -> None:
    source = (
        "void f(long rows, int n, const float *w, float *o) {\n#pragma omp target teams distribute num_teams(rows)\n"
        "for (long r = 0; r < rows; r++) { float m = 0;\n#pragma omp parallel for reduction(max : m)\n"
        f"{EACH} m = w[r * n + i] > m ? w[r * n + i] : m;\n o[r] = m; }} }}\n"
    )
    found = translate_text(source, "a.cpp", arguments=("-w",)).device
    assert found is not None
    assert "m = __rex_near_w[__rex_turn_number] > m ? __rex_near_w[__rex_turn_number] : m;" in found.text


def test_the_locals_of_a_turn_have_a_name_each() -> None:
    text = device("a[i] = stored_a[i];", "", before="double *stored_a = a + n;")
    assert "double __rex_near_users_stored_a[__rex_turn.count];" in text
    assert "double __rex_near_stored_a[__rex_turn.count];" in text
    assert "__rex_near_stored_a[__rex_turn_number] = __rex_near_users_stored_a[__rex_turn_number];" in text


@pytest.mark.parametrize(
    ("statement", "clauses", "has_fours"),
    [
        ("{ float &same = w[i]; same = k[i]; s += w[i]; }", "", False),
        ("{ int &same = c; same = k[i]; s += w[i + c]; }", "private(c)", False),
        ("{ auto &&same = (w[i]); same += k[i]; s += w[i]; }", "", False),
        ("{ const float &same = k[i]; s += w[i] + same; }", "", True),
    ],
)
def test_a_reference_is_another_name_of_what_an_iteration_changes(
    statement: str, clauses: str, has_fours: bool
) -> None:
    source = (
        "void f(long rows, int n, float *w, float *k, float *o) {\n#pragma omp target teams distribute "
        "num_teams(rows)\nfor (long r = 0; r < rows; r++) { float s = 0; int c = 0;\n"
        f"#pragma omp parallel for reduction(+ : s) {clauses}\n{EACH} {statement}\n o[r] = s; }} }}\n"
    )
    found = translate_text(source, "a.cpp", arguments=("-w",)).device
    assert found is not None
    assert ("rex_each_of_fours" in found.text) is has_fours


def test_kernels_that_have_no_room_for_it() -> None:
    assert "rex_each_of_fours" not in device("s += w[i];", "reduction(+ : s) num_threads(1024)")
    assert "__launch_bounds__(128, 8)" in device("s += w[i];", "reduction(+ : s) num_threads(128)")
    assert "rex_each_of_fours" not in device("s += w[i];", without=frozenset({Optimisation.SMALL_GRIDS}))
    assert "rex_each_of_fours" not in device("s += w[i];", wraps=True)


def test_the_elements_of_a_turn_fit_into_registers() -> None:
    assert "fours<__rex_form, 2>" in device("a[i] = a[i] * (k[i] + w[i]);", "")
    assert "fours<__rex_form, 1>" in device("a[i] = a[i] * at[i] * (k[i] + w[i]);", "")
