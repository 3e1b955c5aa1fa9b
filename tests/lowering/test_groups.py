"""Inner loops that groups of neighbouring threads share: which are, which are compared at run time, which never.

Texts of kernels are looked at; ``execution/programs/groups.c`` runs such loops, with several threads a group.
"""

from __future__ import annotations

import re

import pytest

from rexcc.pipeline import Translation
from support import on_one_line, translate_text, with_used_headers

HEAD = """#include <math.h>
struct field { int n; double *x; };
typedef struct { double x, y; } point;
union word { float f; int i; };
typedef volatile int port;
static double make(double *one) { return *one; }
static int next(int *one) { return ++*one; }
void f(int n, int m, unsigned u, double *to, double *from, double *other, int *at, float *small, point *p,
       struct field *d, union word *w, double limit) {
  double sum = 0, most = 0;
  int i, j, k, last = 0;
"""


def output(body: str, clauses: str = "", head: str = "", **options: bool) -> Translation:
    loop = "for (i = 0; i < n; i++)"
    source = f"{head}{HEAD}#pragma omp target teams distribute parallel for {clauses}\n  {loop} {{ {body} }}\n}}\n"
    return translate_text(with_used_headers(source), "a.c", **options)


def device(body: str, clauses: str = "", head: str = "", **options: bool) -> str:
    found = output(body, clauses, head, **options).device
    assert found is not None
    return found.text


LISTED = "map(to: to[0:n * m]) map(tofrom: from[0:n * m], other[0:n * m])"
SHARED = [
    ("for (j = 0; j < m; j++) to[i * m + j] = from[i * m + j];", LISTED),
    ("for (int j = 0; j < m; j++) to[i * m + j] += limit * j;", ""),
    ("for (int j = m - 1; j >= 0; j -= 2) to[i * m + j] = 1;", ""),
    ("double *row = to + i * m; for (int j = 0; j < m; j++) row[j] = i;", ""),
    ("for (int j = 0; j < m; j++) { int here = i * m + j; to[here] = from[at[here]]; }", LISTED + "map(at[0:n])"),
    ("for (int j = 0; j < m; j++) to[i * m + j] = at[j];", ""),  # an int is no double
    ("for (int j = 0; j < m; j++) to[i * m + j] = limit * at[j & 7];", ""),  # a table
    ("for (int j = 0; j < m; j++) p[i * m + j].x = p[i * m + j].y;", ""),
    ("for (int j = 0; j < m; j++) if (at[j]) { double t = limit; to[i * m + j] = t; }", ""),
    ("for (j = 0; j < m; j++) { last = j; to[i * m + j] = last; }", "private(last)"),
    ("for (j = 0; j < m; j++) sum += from[i * m + j];", "reduction(+: sum)"),
    ("for (j = 0; j < m; j++) most = fmax(most, from[i * m + j]);", "reduction(max: most)"),
    ("for (j = 0; j < m; j++) if (from[i * m + j] > most) most = from[i * m + j];", "reduction(max: most)"),
    ("for (j = 0; j < m; j++) most = most < from[i * m + j] ? most : from[i * m + j];", "reduction(min: most)"),
    ("\n#pragma omp simd\n for (j = 0; j < m; j++) to[i * m + j] = at[j];", ""),
    ("for (int j = 0; j < m; j++) { double *row = to + i * m; row[j] *= limit; }", ""),
    ("for (int j = 0; j < m; j++) { int by = i * m; double *r = to + by, *row = r; row[j] = at[j]; }", ""),
]
COMPARED = [
    ("for (int j = 0; j < m; j++) { double *row = to + i * m; row[j] = 1; row[m - 1 - j] = limit; }", ""),
    ("for (int j = 0; j < m; j++) { double *row = d->x + i * m; row[j] *= from[j]; }", ""),
    ("for (int j = 0; j < m; j++) { struct field t = {m, to + i}; t.x[j] *= from[j]; }", ""),
    ("for (int j = 0; j < m; j++) to[i * m + j] = from[i * m + j];", ""),
    ("for (int j = 1; j < m; j++) to[i * m + j] = to[i * m + j - 1];", ""),
    ("for (int j = 0; j < m; j++) to[i * m + j] = from[j + 1] * limit;", ""),
    ("for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) to[i * m + j] += from[k * m + j];", ""),
    ("for (int j = 0; j < m; j++) { const int there = j + 1; to[i * m + j] = from[there]; }", ""),
    ("for (int j = 0; j < m; j++) d->x[i * m + j] = to[j];", ""),
    ("for (int j = 0; j < m; j++) w[i * m + j].f = w[j].i;", ""),  # a union's members are one object
    ("for (int j = 0; j < m; j++) { const double *there = from + 2 * j; to[i * m + j] = *there; }", ""),
    (
        "for (int j = 0; j < m; j++) ((unsigned *)(void *)to)[i * m + j] = ((unsigned char *)(void *)to)[i * m + j];",
        "",
    ),
    ("for (int j = 0; j < m; j++) to[j + sizeof(char)] = to[j + sizeof(int)];", ""),
]
NOT_SHARED = [
    ("for (int j = 0; j < m; j++) { double *row = to - j; row[j] = i; }", "write this together"),
    ("for (int j = 0; j < m; j++) { struct field t = {3, to}; t.x -= j; t.x[j] = i; }", "write this together"),
    ("for (int j = 0; j < m; j++) { struct field t = {3, to}; t.x -= j; double *r = t.x; r[j] = i; }", "together"),
    ("for (int j = 0; j < m; j++) { struct field t = {3, to}; t.n = -j; to[j + t.n] = i; }", "write this together"),
    ("for (int j = 0; j < m; j++) { int k[2] = {1, 2}; k[1] = -j; to[j + k[1]] = i; }", "write this together"),
    ("for (int j = 0; j < m; j++) { double *row = to + i; row++; row[j] = i; }", "write this together"),
    (
        "for (int j = 0; j < m; j++) { double *row = to + (long)make(from); row[j] = i; }",
        "this call may read what another",
    ),
    ("for (int j = 0; j < m; j++) { int *row = at + at[i]; row[j] = i; }", "write this together"),
    ("for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) { double *row = to - k; row[j] = i; }", "together"),
    ("for (int j = 0; j < m; j++) to[i] += from[i * m + j];", "write this together"),
    ("for (int j = 0; j < m; j++) to[j / 2] = from[j];", "write this together"),
    ("for (int j = 0; j < m; j++) to[at[j]] = from[j];", "write this together"),
    ("for (int j = 0; j < m; j++) to[i * m + j * m] = 1;", "write this together"),
    ("for (int j = 0; j < m; j++) *to = from[j];", "write this together"),
    ("for (int j = 0; j < m; j++) to[u * 2 + u * j] = 1;", "write this together"),
    ("for (int j = 0; j < m; j++) { to[i * m + j] = last; last = j; }", "'last' keeps a value"),
    ("for (int j = 0; j < m; j++) { if (j) last = j; to[i * m + j] = last; }", "'last' keeps a value"),
    ("for (int j = 0; j < m; j++) { last = last + j; to[i * m + j] = last; }", "'last' keeps a value"),
    ("for (int j = 0; j < m; j++) { for (k = 0; k < j; k++) ; to[i * m + j] = from[k]; }", "may be what another"),
    ("for (int j = 0; j < m; j++) to[i * m + j] = from[at[j]];", "may be what another"),
    ("for (int j = 0; j < m; j++) to[i * m + j] = from[u - j];", "may be what another"),
    ("for (int j = 0; j < m; j++) { double *t = from + j * 7 % m; to[i * m + j] = *t; }", "may be what another"),
    ("for (int j = 0; j < m; j++) to[i * m + j] = (from + j / 2)[j];", "may be what another"),
    ("for (int j = 0; j < m; j++) to[i * m + j] = d[j].x[0];", "may be what another"),
    ("for (int j = 0; j < m; j++) to[i * m + j] = make(from);", "this call may read"),
    ("double t = to[i]; for (int j = 0; j < m; j++) to[i * m + j] = t;", "may change while"),
    ("for (int j = 0; j < to[i]; j++) to[i * m + j] = 1;", "may change while"),
    ("for (int j = 0; j < next(at); j++) to[i * m + j] = 1;", "or in its header"),
    ("for (int j = 0; j < *(volatile int *)at; j++) to[i * m + j] = 1;", "this is volatile"),
    ("for (int j = 0; j < *(port *)at; j++) to[i * m + j] = 1;", "this is volatile"),
    (
        "for (int j = 0; j < m; j++) { int here = (int)(i * (long)m + j); to[here] = from[here + 1]; }",
        "may be what another",
    ),
    ("to[i] = 1; for (int j = 0; j < m; j++) from[i * m + j] = 1;", "writes memory in front"),
    ("double t[4]; double *q = t; for (int j = 0; j < m; j++) { q[j & 3] = j; to[i * m + j] = t[0]; }", ""),
    ("for (int j = 0; j < m; j++) to[j * n + i] = from[j * n + i];", ""),
    ("for (j = 0; j < m; j++) if (from[i * m + j] > most) most = from[i * m + j];", "step of the reduction"),
    ("for (j = 0; j < m; j++) if (from[i * m + j] < most) most = from[j];", "step of the reduction"),
    ("for (j = 0; j < m; j++) if (1.5 * from[i * m + j] < most) most = 2.5 * from[i * m + j];", "of the reduction"),
    (
        "for (j = 0; j < m; j++) { if (from[i * m + j] < most) most = from[i * m + j]; to[i * m + j] = most; }",
        "step of the reduction",
    ),
    ("for (int j = 0; j < m; j++) { if (j == 5) break; to[i * m + j] = 1; }", "leaves the loop early"),
    (
        "for (int j = 0; j < m; j++) to[i * m + j] = 1; for (int j = 0; j < m; j++) to[j] = 1;",
        "this writes memory in fr",
    ),
    ("while (k < 3) k++; for (int j = 0; j < m; j++) to[i * m + j] = 1;", "more than declarations"),
]


@pytest.mark.parametrize(("body", "clauses"), SHARED)
def test_iterations_that_share_nothing_are_shared(body: str, clauses: str) -> None:
    text = device(body, clauses)
    assert "__rex_group_member" in text
    assert "rex_sharing(" not in text


@pytest.mark.parametrize(("body", "clauses"), COMPARED)
def test_addresses_are_compared_where_nothing_tells_that_they_differ(body: str, clauses: str) -> None:
    text = device(body, clauses)
    assert "const int __rex_sharing = rex_sharing(__rex_group_size, [&] {\n" in text
    assert "if (__rex_group_member < __rex_sharing)" in text
    assert re.fullmatch(r"(\w+ = )+", "".join(re.findall(r"const rex_range (.*?= )", text)))


@pytest.mark.parametrize("subscript", ("i + (j & 7)", "(i * j) & 7", "at[i] + j % 3"))
def test_what_iterations_look_up_each_in_another_place_is_no_table(subscript: str) -> None:
    assert "__rex_group_member" not in device(f"for (int j = 0; j < m; j++) to[i * m + j] = at[{subscript}];")


@pytest.mark.parametrize(("body", "told"), NOT_SHARED)
def test_other_inner_loops_stay_with_one_thread(body: str, told: str) -> None:
    found = output(body, "firstprivate(last) private(k) reduction(min: most)", remarks=True)
    assert found.device is not None and "__rex_group_member" not in found.device.text
    assert any(told in note.message for one in found.diagnostics for note in one.notes)


TRIANGLES = [
    ("for (int j = 0; j <= i; j++) to[i * m + j] = from[j];", "collapse(2)"),
    ("for (j = i + 1; j < n; j++) { to[i * n + j] = from[i] * from[j]; to[j * n + i] = from[j]; }", "collapse(2)"),
    ("for (j = i + 1; j < n; j++) sum += from[i] * from[j];", "collapse(2) reduction(+: sum)"),
    ("for (int j = i; j < n; j++) for (int k = 0; k < 3; k++) to[(i * 3 + k) * n + j] = from[j];", "collapse(3)"),
]


@pytest.mark.parametrize(("loop", "clauses"), TRIANGLES)
def test_iterations_of_associated_loops_are_independent(loop: str, clauses: str) -> None:
    text = device(loop, clauses)
    assert "__rex_group_member" in text
    assert "rex_sharing(" not in text


def test_indices_of_associated_loops_that_have_last_values_are_one_threads() -> None:
    loop = "for (j = 0; j <= i; j++) to[i * m + j] = from[j];"
    assert "__rex_group_member" not in device(loop, "collapse(2) lastprivate(j)")
    simd = "#pragma omp target teams distribute parallel for simd collapse(2)\n  for (i = 0; i < n; i++) {"
    for one, shared in ((loop, False), (loop.replace("(j =", "(int j ="), True)):
        found = translate_text(f"{HEAD}{simd} {one} }}\n}}\n", "a.c").device
        assert found is not None and ("__rex_group_member" in found.text) == shared


def test_pointers_are_followed_only_where_the_loop_follows_them() -> None:
    loop = "for (int j = 0; j < m; j++) if (at[j]) to[i * m + j] = d->x[j];"
    assert "__rex_group_member" not in device(loop)


def test_types_that_may_alias_are_compared() -> None:
    loop = "for (int j = 0; j < m; j++) to[i * m + j] = small[j];"
    assert "rex_sharing(" not in device(loop)
    assert "rex_sharing(" in device(loop, head="typedef int __attribute__((may_alias)) any;\n")


def test_an_element_that_a_condition_chooses_is_written_by_one_thread() -> None:
    loop = "for (int j = 0; j < m; j++) (j % 2 ? to[i * m + j] : to[i * m + j + 1]) = j;"
    source = f"{HEAD}#pragma omp target teams distribute parallel for\n  for (i = 0; i < n; i++) {{ {loop} }}\n}}\n"
    found = translate_text(source, "a.cpp").device
    assert found is not None and "__rex_group_member" not in found.text


def test_no_two_types_of_one_object_and_no_order_of_addresses_on_request() -> None:
    loop = "for (int j = 0; j < m; j++) to[i * m + j] = small[at[j]];"
    assert "__rex_group_member" in device(loop)
    assert "__rex_group_member" not in device(loop, strict_aliasing=False)
    loop = "for (int j = 0; j < m; j++) to[i * m + j] = small[j];"
    assert "rex_sharing(" in device(loop, strict_aliasing=False)
    assert "__rex_group_member" not in device(loop, wraps=True)


@pytest.mark.parametrize("routine", ["omp_get_thread_num", "omp_get_team_num", "number"])
def test_a_thread_that_can_tell_its_number_executes_the_whole_iteration(routine: str) -> None:
    head = "#include <omp.h>\nint number(void) { return omp_get_team_num(); }\n"
    loop = f"for (int j = 0; j < m; j++) to[i * m + j] = {routine}();"
    assert "__rex_group_member" not in device(loop, head=head)


@pytest.mark.parametrize("clause", ["schedule(static, 4)", "num_teams(4)", "lastprivate(last)"])
def test_what_orders_iterations_or_chooses_teams_leaves_the_loop_alone(clause: str) -> None:
    assert "__rex_group_member" not in device("for (int j = 0; j < m; j++) to[i * m + j] = 1;", clause)


def test_the_host_chooses_how_wide_a_group_is() -> None:
    host = on_one_line(output("for (int j = 0; j < m; j++) to[i * m + j] = 1;").host.text)
    assert "rex_group_width(__device_id, __rex_tripcount, rex_tripcount_lt(0, m, 1), 256);" in host
    assert (
        "rex_default_blocks(__device_id, rex_collapse(__rex_tripcount, __rex_group_width), _threads_per_block_);"
        in host
    )
    host = output("for (int j = 0; j < at[i]; j++) to[i * m + j] = 1;").host.text
    assert "rex_group_width(__device_id, __rex_tripcount, REX_WARP, 256);" in host


@pytest.mark.parametrize(
    ("loop", "step"),
    [
        ("for (j = 1 + (i & 1); j < m; j += 2)", "2"),
        ("for (j = m; j > 1; j -= 3)", "-(3)"),
        ("for (j = 1; j < m; j += k)", ""),  # a number of the run's own may be 1
        ("for (j = 1; j < m; j++)", ""),
    ],
)
def test_elements_that_a_loop_leaves_out_are_not_compared(loop: str, step: str) -> None:
    """Those of one colour lie in between those of the other."""
    text = " ".join(device(f"{loop} to[i * m + j] = to[i * m + j - 1] + from[j];").split())
    assert text.count("rex_span_of_steps(") == (3 if step else 0)
    assert not step or f", {step}, [&](long long j) {{ return rex_element(to[i * m + j - 1]); }})" in text


@pytest.mark.parametrize(
    ("loop", "index"),
    [
        ("for (int j = 0; j < m; j++) to[i * m + j] = from[j] + other[j * n];", "int"),
        ("for (int j = 0; j < m; j++) to[i * m + j] = from[j] + (at[j] ? other[j * n] : 0);", "long long"),
        ("for (int j = 0; j < m; j++) { if (at[j]) continue; to[i * m + j] = from[j] + other[j * n]; }", "long long"),
        ("for (long j = 0; j < m; j++) to[i * m + j] = from[j] + (at[j] ? other[j * n] : 0);", "long"),
    ],
)
def test_subscripts_at_the_ends_of_a_loop_do_not_overflow(loop: str, index: str) -> None:
    """Where the access is not made there, as under a condition."""
    text = " ".join(device(loop).split())
    assert "rex_sharing(" in text and f"[&]({index} j) {{ return rex_element(other[j * n]); }})" in text


def test_locals_of_such_subscripts_are_wide_too() -> None:
    loop = "for (int j = 0; j < m; j++) { const int k = j * n; to[i * m + j] = from[j] + (at[j] ? other[k] : 0); }"
    text = " ".join(device(loop).split())
    assert "[&](long long j) { const long long k = j * n; return rex_element(other[k]); })" in text


def test_numbers_that_casts_cut_are_not_compared_where_they_may_not_be_made() -> None:
    loop = "for (int j = 0; j < m; j++) to[i * m + j] = from[j] + ({} other[(int)j * n] : 0);"
    assert "rex_sharing" in device(loop.format("1 +").replace(" : 0", ""))
    assert "rex_width" not in device(loop.format("at[j] ?"))
