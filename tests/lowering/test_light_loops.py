"""Light loops that the threads of a block share take four iterations at a time."""

from __future__ import annotations

import re

import pytest

from rexcc.program.optimisations import Optimisation
from support import compiled, translate_text, with_used_headers

EACH = "for (int i = 0; i < n; i++)"
LIGHT = [
    ("s += a[r * n + i] * w[i];", "reduction(+ : s)"),
    ("a[r * n + i] = w[i] * s;", "schedule(static)"),
    ("{ double here = w[i]; if (here > 3) here = sqrt(here); a[i] = here; }", ""),
    ("a[i] += *(w + i);", "num_threads(64)"),
    ("if (w[i] > 3) { k[i] = 1; a[i] = w[i]; }", ""),
]
OTHERS = [
    "a[i] = 0;",  # nothing is loaded
    "{ if (w[i] > 3) continue; a[i] = w[i]; }",
    "for (int j = 0; j < n; j++) a[i] += w[j];",
    "a[i] = sin(w[i]);",
    "a[i] = own(w[i]);",
    "a[i] = port[i];",
    "a[i] = w[i] + watched;",
    "{ static double t; a[i] = w[i] + t; }",
    "a[i] = w[i] + w[i+1] + w[i+2] + w[i+3] + w[i+4] + w[i+5] + w[i+6] + w[i+7];",
    "\n#pragma omp atomic\n    k[0] += (int)w[i];",
]


def device(statement: str, clauses: str = "", loop: str = EACH, name: str = "a.c", before: str = "") -> str:
    """Return the device text of a loop that the threads of a team share, with what stands before it in the region."""
    source = (
        "#include <math.h>\ntypedef volatile int reading;\nenum { last = 3 };\nstruct pair { int a; double b; };\n"
        "#pragma omp declare target\nstatic double own(double x) { return x; }\n#pragma omp end declare target\n"
        "void f(long rows, int n, double *a, double *w, int *k, volatile int *port) {\n"
        "#pragma omp target teams distribute num_teams(rows)\n  for (long r = 0; r < rows; r++) {\n"
        f"    double s = 0; reading watched = 1; {before}\n#pragma omp parallel for {clauses}\n    {loop} {statement}\n"
        "    w[r] = s;\n  }\n}\n"
    )
    return without_fours(source, name)


def without_fours(source: str, name: str) -> str:
    """Return the device text of a program whose kernels have no form for small grids (test_fours.py)."""
    found = translate_text(with_used_headers(source), name, left_out=frozenset({Optimisation.SMALL_GRIDS})).device
    assert found is not None
    return found.text


@pytest.mark.parametrize(("statement", "clauses"), LIGHT)
def test_they_become_the_body_of_a_lambda(statement: str, clauses: str) -> None:
    text = device(statement, clauses)
    assert len(re.findall(r"rex_each\(threadIdx\.x, n,\s+\[&\]\(long long __rex_i\) \{", text)) == 1
    assert text.count(statement.strip("{}").split(";")[0].strip()) == 1  # the user's text stands there once
    assert "} );" not in text


@pytest.mark.parametrize("statement", OTHERS)
def test_others_stay_loops(statement: str) -> None:
    assert "rex_each" not in device(statement)


@pytest.mark.parametrize(
    ("loop", "is_light"),
    [
        ("for (long i = 2; i < n; ++i)", True),
        ("for (short i = 0; i < n; i++)", True),
        ("for (int i = 0; i < 2000; i++)", True),
        ("for (int i = 0; i < 256; i++)", False),  # hardly a thread has four iterations
        ("for (int i = n; i > 0; i--)", False),
        ("for (int i = 0; i < n; i += 2)", False),
        ("for (unsigned long i = 0; i < (unsigned long)n; i++)", False),  # the bound may be no signed number
    ],
)
def test_the_headers_that_they_have(loop: str, is_light: bool) -> None:
    assert ("rex_each" in device("a[i] = w[i];", loop=loop)) is is_light


@pytest.mark.parametrize("clauses", ["schedule(static, 2)", "lastprivate(conditional : s)"])
def test_clauses_that_keep_them_loops(clauses: str) -> None:
    assert "rex_each" not in device("{ s = w[i]; a[i] = s; }", clauses)


@pytest.mark.parametrize(
    ("inner", "clauses", "call"),
    [
        ("for (int j = 0; j < n; j++)", "collapse(2)", "<unsigned>(threadIdx.x, __rex_trips, {__rex_trips_j}"),
        ("for (long j = n; j > 0; j -= 3)", "collapse(2)", "<unsigned long long>(threadIdx.x, __rex_trips, {"),
        ("for (int j = 0; j < n; j++) for (int l = 0; l < 9; l++)", "collapse(3)", "{__rex_trips_j, __rex_trips_l}"),
        ("for (int j = 0; j < n; j++)", "collapse(2) reduction(+ : s)", "long long __rex_above_j, long long __rex_j)"),
        ("for (int j = 0; j < n; j++)", "collapse(2) schedule(static, 2)", ""),
        ("for (int j = 0; j < n; j++)", "collapse(2) lastprivate(conditional : s)", ""),
        ("for (int j = 0; j <= i; j++)", "collapse(2)", ""),  # pairs have no numbers
        ("for (double *j = a; j < a + n; j++)", "collapse(2)", ""),
    ],
)
def test_nests_of_light_iterations_are_numbered_without_divisions(inner: str, clauses: str, call: str) -> None:
    text = " ".join(device(f"{inner} {{ s += w[i]; k[i] = (int)s; }}", clauses).split())
    assert ("rex_each_of_nest<" in text) == bool(call) and call in text
    assert ("rex_divmod(" in text) == (not call and "j <= i" not in inner)


def test_nests_with_a_store_at_their_end_store_late() -> None:
    text = device("for (int j = 0; j < n; j++) if (w[j] > 3) a[i * n + j] = w[j];", "collapse(2)")
    assert "rex_each_of_nest_late<unsigned>(" in text and "return {};" in text


@pytest.mark.parametrize(
    "body", ["for (int l = 0; l < 9; l++) a[i] += w[j];", "a[i * n + j] = own(w[j]);", "a[j] = 0;"]
)
def test_nests_that_do_more_divide(body: str) -> None:
    text = device(f"for (int j = 0; j < n; j++) {body}", "collapse(2)")
    assert "rex_each" not in text and "rex_divmod(" in text


@pytest.mark.parametrize(
    ("body", "is_light"),
    [
        ("\n#pragma omp atomic\nk[(int)w[j]]++;\n", True),
        ("{\n#pragma omp atomic update\na[i] += w[j];\n#pragma omp atomic\nk[j] |= (int)w[i];\n}", True),
        ("\n#pragma omp atomic capture\ns = a[i] += w[j];\n", False),
        ("\n#pragma omp critical\na[i] += w[j];\n", False),
    ],
)
def test_nests_may_make_atomic_updates(body: str, is_light: bool) -> None:
    text = device(f"for (int j = 0; j < n; j++) {body}", "collapse(2)")
    assert ("rex_each_of_nest<unsigned>(" in text) is is_light
    assert ("rex_divmod(" in text) is not is_light


OBJECTS = (
    "double seen[1] = {0}; struct part { char a; double b[2]; } __attribute__((packed)) *parts = (struct part *)a;"
    "typedef double unaligned __attribute__((aligned(1)));"
)
LATE = [
    "a[r * n + i] = w[i] * s;",
    "k[i] = k[i] == last ? i : k[i];",
    "{ double here = w[i]; if (here > 3) a[i] = here; else { a[i] = -here; } }",
    "{ int to = k[i]; ; a[to] = w[i]; }",
    "if (w[i] > 3) if (k[i]) a[i] = w[i]; else a[i] = 0;",
    "if (s > 3) a[i] = w[i]; else if (s > 2) a[i] = 2 * w[i];",
]


@pytest.mark.parametrize("statement", LATE)
def test_values_of_four_iterations_come_before_the_first_store(statement: str) -> None:
    text = device(statement, "firstprivate(s) shared(a)")
    ends = statement.count(" else ") + statement.startswith(("a", "k", "{ int"))
    kind, always = ("int" if statement.startswith("k") else "double"), ends > 0 and "2) a" not in statement
    always = always and not statement.startswith("if (w")
    result = f"rex_late<{kind}>" if always else f"rex_late_if<{kind}>"
    assert re.search(rf"rex_each_late\(threadIdx\.x, n,\s+\[&\]\(long long __rex_i\) -> {result} \{{", text)
    assert text.count(f"return {result}(") == statement.count("a[") + statement.count("k[i] = k")
    assert ("return {};" in text) is not always


@pytest.mark.parametrize(
    "statement",
    ["{ if (w[i] > 3) a[i] = w[i]; }", "{\n if (w[i] > 3) {\n a[i] = w[i];\n }\n }", "if (w[i] > 3) { a[i] = w[i]; }"],
)
def test_what_comes_behind_a_block_of_the_users_is_in_the_iteration(statement: str) -> None:
    text = device(statement, "firstprivate(s) shared(a)")
    start = text.index("rex_late_if<double> {")
    body = re.sub(r"#line[^\n]*", "", text[start : text.index("});", start)])
    before, _, behind = body.partition("return {};")
    assert before.count("{") == before.count("}") + 1
    assert not behind.strip()


@pytest.mark.parametrize(
    ("statement", "clauses"),
    [
        ("a[i] = w[i];", "schedule(static)"),  # a thread may know which iterations are its own
        ("{ s = w[i]; a[i] = s; }", "private(s)"),
        ("a[i] += w[i];", ""),
        ("{ a[i] = w[i]; a[i + 1] = s; }", ""),
        ("{ a[i] = w[i]; if (s > 3) a[i] = s; }", ""),
        ("if (w[i] > 3) a[i] = w[i]; else k[i] = 3;", ""),  # stores of two types
        ("{ double here = w[i]; here += 2; a[i] = here; }", ""),
        ("s += w[i];", "reduction(+ : s)"),
        ("{ double here = w[i]; double *p = &here; *p = w[i + 1]; }", ""),  # its place ends with the iteration
        ("parts[i].b[i & 1] = w[i];", ""),  # an access through its address would take it for aligned
        ("{ unaligned *p = (unaligned *)a; p[i] = w[i]; }", ""),
        ("if (seen[0]) a[i] = w[i]; else seen[0] = 1;", "firstprivate(seen)"),  # that of the thread
        ("if (seen[0]) a[i] = w[i]; else seen[0] = 1;", "default(firstprivate) shared(a, w)"),
        ("if (seen[0]) a[i] = w[i]; else seen[0] = 1;", "private(seen)"),
    ],
)
def test_iterations_of_other_forms_store_in_their_order(statement: str, clauses: str) -> None:
    text = device(statement, clauses, before=OBJECTS)
    assert "rex_each(" in text and "rex_each_late" not in text


@pytest.mark.parametrize(
    ("type_", "target"),
    [
        ("double", "a[at<1>::first]"),
        ("double", "a[at<1, 2>::second + i]"),
        ("at<1, 2>::kind", "a[i]"),
    ],
)
def test_places_and_types_may_have_commas(type_: str, target: str) -> None:
    text = without_fours(
        "template <int a, int b = 0> struct at { enum kind { first = a, second = b }; };\n"
        f"void f(long rows, int n, {type_} *a, {type_} *w) {{\n#pragma omp target teams distribute\n"
        f"for (long r = 0; r < rows; r++) {{\n#pragma omp parallel for\n{EACH} {target} = w[i];\n}} }}\n",
        "a.cpp",
    )
    assert re.search(rf"return rex_late<[^\n]*>\({re.escape(target)}, w\[i\]\);", text)


@pytest.mark.parametrize("inside", ["int t = omp_get_thread_num();", "double t[1] = {0};", ""])
def test_loops_of_a_parallel_around_them_store_in_their_order(inside: str) -> None:
    """What stands before the loop may depend on the thread."""
    loop = f"#pragma omp parallel\n{{ {inside}\n#pragma omp for\n{EACH} a[i] = w[i]; }}\n"
    lines = "void f(long rows, int n, double *a, double *w) {\n#pragma omp target teams distribute\n"
    text = compiled(f"#include <omp.h>\n{lines}for (long r = 0; r < rows; r++) {{\n{loop}}} }}\n").device
    assert "rex_each(" in text and "rex_each_late" not in text


@pytest.mark.parametrize(
    ("teams", "clause", "statement", "is_narrower"),
    [
        ("", "", "a[r * 512 + i] = w[i];", True),
        ("", "", "a[r * 512 + i] = sin(w[i]);", False),
        ("", "num_threads(64)", "a[r * 512 + i] = w[i];", False),
        ("num_teams(9)", "", "a[r * 512 + i] = w[i];", False),
        ("dist_schedule(static, 2)", "", "a[r * 512 + i] = w[i];", False),
    ],
)
def test_blocks_of_light_loops_are_narrower(teams: str, clause: str, statement: str, is_narrower: bool) -> None:
    """Their threads have four iterations each, where enough teams make up for it."""
    text = compiled(
        f"#include <math.h>\nvoid f(long rows, double *a, double *w) {{\n#pragma omp target teams distribute {teams}\n"
        f"for (long r = 0; r < rows; r++) {{\n#pragma omp parallel for {clause}\n"
        f"for (int i = 0; i < 512; i++) {statement}\n}} }}\n"
    ).host
    threads = text[text.index("_threads_per_block_ =") :].split("\n")[0]
    narrow = "rex_light_threads(__device_id, __rex_tripcount, rex_tripcount_lt(0, 512, 1), 256)"
    assert (narrow in threads) is is_narrower


def test_structured_bindings_are_not_captured() -> None:
    found = device("a[i] = w[i] * first;", name="a.cpp", before="auto [first, second] = pair{2, 0.5};")
    assert "rex_each" not in found


@pytest.mark.parametrize(
    ("statement", "is_light"),
    [
        ("near[i % 64] = w[i];", True),
        ("a[i] = near[i % 64] * w[i];", True),
        ("a[i] = near[i % 64];", False),
        ("near[i % 64] = exp(near[i % 64]) / s;", False),
        ("a[i] = there[i % 64];", True),  # it may point to anything
        ("a[i] = made[i];", False),
    ],
)
def test_what_the_team_has_made_itself_is_there_at_once(statement: str, is_light: bool) -> None:
    before = "double near[64], *there = r > 3 ? near : w, made[n]; near[0] = there[0] = made[0] = s;"
    assert ("rex_each" in device(statement, before=before)) is is_light


def over_grid(statement: str, loop: str = EACH, clauses: str = "reduction(+ : s)") -> str:
    """Return the device text of a loop over the grid."""
    source = (
        "#include <math.h>\ndouble f(int n, int lower, double *a, int *k, volatile int *port) {\n  double s = 0;\n"
        f"#pragma omp target teams distribute parallel for {clauses}\n  {loop} {statement}\n  return s;\n}}\n"
    )
    return compiled(source).device


@pytest.mark.parametrize(
    ("loop", "head"),
    [
        (EACH, "_dev_thread_id, n, _dev_thread_num, [&](long long __rex_i) { int i = rex_index<int>(__rex_i);"),
        (
            "for (int i = 1; i < n - 1; ++i)",
            "1 + _dev_thread_id, n - 1, _dev_thread_num, [&](long long __rex_i) { int i = rex_index<int>(__rex_i);",
        ),
        (
            "for (int i = lower; i < n; i++)",
            "lower + _dev_thread_id, n, _dev_thread_num, [&](long long __rex_i) { int i = (int)__rex_i;",
        ),
        (
            "for (int i = -1; i < n; i++)",
            "(-1) + _dev_thread_id, n, _dev_thread_num, [&](long long __rex_i) { int i = (int)__rex_i;",
        ),
        ("for (long i = 0; i < n; i++)", "_dev_thread_id, n, _dev_thread_num, [&](long i) {"),
    ],
)
def test_reductions_over_the_grid_have_them_too(loop: str, head: str) -> None:
    text = " ".join(over_grid("{ double here = a[i + 2]; s += here * here; }", loop).split())
    assert f"rex_each_in_grid({head}" in text and "}); #line" in text


@pytest.mark.parametrize(
    ("statement", "loop", "clauses"),
    [
        ("a[i] += 1;", EACH, ""),  # a thread for each iteration
        ("s += a[i];", "for (int i = 0; i < n; i += 2)", "reduction(+ : s)"),
        ("s += a[i];", "for (int i = n; i > 0; i--)", "reduction(+ : s)"),
        ("s += a[i];", "for (long i = 3000000000; i < n; i++)", "reduction(+ : s)"),
        ("{ if (k[i]) continue; s += a[i]; }", EACH, "reduction(+ : s)"),
        ("s += sin(a[i]);", EACH, "reduction(+ : s)"),
        ("s += a[i] + *port;", EACH, "reduction(+ : s)"),
        ("for (int j = 0; j < 9; j++) s += a[i + j];", EACH, "reduction(+ : s)"),
        ("s += a[i];", EACH, "reduction(+ : s) schedule(static, 4)"),
    ],
)
def test_other_loops_over_the_grid_stay_loops(statement: str, loop: str, clauses: str) -> None:
    assert "rex_each" not in over_grid(statement, loop, clauses)


@pytest.mark.parametrize(("loop", "is_known"), [(EACH, True), ("for (short i = 0; i < n; i++)", False)])
def test_addresses_over_the_grid_are_added_up_where_the_index_is_its_counter(loop: str, is_known: bool) -> None:
    assert ("int i = rex_index<int>(__rex_i);" in over_grid("s += a[i];", loop, "reduction(+ : s)")) is is_known


def test_addresses_of_a_team_are_computed_for_each_iteration() -> None:
    text = device("a[i] = w[i];")
    assert "int i = (int)__rex_i;" in text and "rex_index" not in text


@pytest.mark.parametrize("statement", ["{ a[i] = i % 7; if (a[i] > s) s += a[i]; }", "a[i] = i, s += a[i];"])
def test_what_an_iteration_keeps_in_a_variable_is_stored_at_its_end(statement: str) -> None:
    text = " ".join(over_grid(statement, clauses="reduction(+ : s) map(a[0 : n])").split())
    assert "rex_each_in_grid(" in text and "__rex_cached_a" in text
    inside = text[text.index("rex_each_in_grid(") : text.index("});")]
    assert inside.rstrip().endswith("a[i] = __rex_cached_a;") and inside.count("a[i] =") == 1
