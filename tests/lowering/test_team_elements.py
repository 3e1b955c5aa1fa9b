"""Reduced arrays whose elements a team's threads change together, in its own memory, where no access can tell."""

from __future__ import annotations

import pytest

from support import compiled, on_one_line

HEAD = """#pragma omp declare target
static int *hidden;
static int anything(int x) { return *hidden = x; }
static int next(int x) { return x + 1; }
#pragma omp end declare target
#define ONE 1
#define TWICE h[k[i]]++; h[k[i]]++
#define STEP_OF(e) e++
typedef enum { LOW = -3, HIGH = 4 } step;
"""
PARAMETERS = (
    "int n, int w, int *h, unsigned *u, long long *l, float *s, double *d, const int *k, const float *x, "
    "const double *y, volatile int *v, short *c, int (*g)[7], int **pp, step t"
)


def body(
    statement: str,
    clauses: str = "reduction(+: h[0:64])",
    construct: str = "teams distribute parallel for",
    name: str = "a.c",
    reduction: str = "device",
) -> str:
    """Return the device text of a loop."""
    source = (
        f"{HEAD}void f({PARAMETERS}) {{\n"
        f"#pragma omp target {construct} {clauses} map(to: k[0:n], x[0:n], y[0:n]) firstprivate(w)\n"
        f"  for (int i = 0; i < n; i++) {{ {statement} }}\n}}\n"
    )
    return compiled(source, name, reduction=reduction).kernels[0].body


CHANGES = [
    ("h[k[i]] += w;", "h", "rex_element_add(&h[__ldg(&k[i])], w);"),
    ("h[k[i]]+=w;", "h", "rex_element_add(&h[__ldg(&k[i])], w);"),
    ("h[k[i]] -= k[i] + 1;", "h", "rex_element_sub(&h[__rex_cached_k], __rex_cached_k + 1);"),
    ("h[k[i]]++;", "h", "rex_element_add(&h[__ldg(&k[i])], 1);"),
    ("if (w) --h[k[i]]; else h[k[i]] += ONE;", "h", "rex_element_sub(&h[__rex_cached_k], 1); else rex_element_add(&"),
    ("for (int j = 0; j < 4; j++) h[k[i] + j] += j;", "h", "rex_element_add(&h[__rex_cached_k + j], j);"),
    ("if (k[i] < 0) continue; h[k[i]] += k[i] > 3;", "h", "rex_element_add(&h[__rex_cached_k], __rex_cached_k > 3);"),
    ("h[k[i] % 64] += x[i] > 0 ? 2 : 3;", "h", "rex_element_add(&h[__ldg(&k[i]) % 64], __ldg(&x[i]) > 0 ? 2 : 3);"),
    ("h[k[i]] += c[i];", "h", "rex_element_add(&h[__ldg(&k[i])], c[i]);"),
    ("h[k[i]] += l[1];", "h", "rex_element_add(&h[__ldg(&k[i])], l[1]);"),  # the low bits are the same
    ("h[k[i]] += t;", "h", "rex_element_add(&h[__ldg(&k[i])], t);"),
    ("g[k[i]][w] += 2;", "g", "rex_element_add(&g[__ldg(&k[i])][w], 2);"),
    ("l[k[i]] += w;", "l", "rex_element_add(&l[__ldg(&k[i])], w);"),
    ("s[k[i]] += x[i];", "s", "rex_element_add(&s[__ldg(&k[i])], __ldg(&x[i]));"),
    ("s[k[i]] -= w;", "s", "rex_element_sub(&s[__ldg(&k[i])], w);"),
    ("h[k[i]] = h[k[i]] + w;", "h", "rex_element_add(&h[__ldg(&k[i])], w);"),
    ("h[k[i]] = w + 2 * n + h[k[i]];", "h", "rex_element_add(&h[__ldg(&k[i])], w + 2 * n);"),
    ("if (w) h[k[i] % 64]=h[k[i] % 64]-l[1];", "h", "rex_element_sub(&h[__ldg(&k[i]) % 64], l[1]);"),
    ("g[k[i]][w] = g[k[i]][w] + c[i];", "g", "rex_element_add(&g[__ldg(&k[i])][w], c[i]);"),
    ("s[k[i]] = s[k[i]] + x[i] * x[i];", "s", "rex_element_add(&s[__ldg(&k[i])], __rex_cached_x * __rex_cached_x);"),
    ("d[k[i]] = x[i] + d[k[i]];", "d", "rex_element_add(&d[__ldg(&k[i])], __ldg(&x[i]));"),
    ("d[k[i]] += x[i];", "d", "rex_element_add(&d[__ldg(&k[i])], __ldg(&x[i]));"),
]


@pytest.mark.parametrize(("statement", "array", "expected"), CHANGES)
def test_a_teams_threads_change_elements_together(statement: str, array: str, expected: str) -> None:
    text = body(statement, f"reduction(+: {array}[0:64])")
    assert expected in text
    assert "__shared__ " in text and f"__rex_room_{array}[" in text
    opened = text.index("rex_open_elements(")
    assert opened < text.index("rex_element_") < text.index("rex_into_team_add(")


@pytest.mark.parametrize(("operator", "function"), [("|", "or"), ("&", "and"), ("^", "xor")])
def test_bits_are_changed_by_the_operator_that_joins_them(operator: str, function: str) -> None:
    text = body(f"u[k[i]] {operator}= 1u << w;", f"reduction({operator}: u[0:64])")
    assert f"rex_element_{function}(&u[__ldg(&k[i])], 1u << w);" in text
    assert f"rex_element_{function}(&u[__ldg(&k[i])], 3u);" in body(
        f"u[k[i]] = u[k[i]] {operator} 3u;", f"reduction({operator}: u[0:64])"
    )
    assert f"rex_identity_{function}<unsigned int>()" in text and f"rex_into_team_{function}(__rex_u" in text
    assert "rex_element" not in body(f"u[k[i]] {operator}= 1u << w;", "reduction(+: u[0:64])")
    assert "rex_element" not in body("u[k[i]] += 1u;", f"reduction({operator}: u[0:64])")


OTHERS = [
    ("h[k[i]] *= 2;", "+: h[0:64]"),
    ("w = h[k[i]] += 1;", "+: h[0:64]"),
    ("h[k[i]] += 1, w++;", "+: h[0:64]"),
    ("h[k[i]] += h[0];", "+: h[0:64]"),
    ("h[k[h[0]]] += 1;", "+: h[0:64]"),
    ("h[k[i]] += 1; w = h[3];", "+: h[0:64]"),
    ("int *p = h; p[k[i]] += 1;", "+: h[0:64]"),
    ("*(h + k[i]) += 1;", "+: h[0:64]"),
    ("if (h[k[i]]++) w++;", "+: h[0:64]"),
    ("for (int j = 0; j < 3; h[k[i]]++) j++;", "+: h[0:64]"),
    ("w = ({ h[k[i]] += 1; });", "+: h[0:64]"),
    ("TWICE;", "+: h[0:64]"),
    ("STEP_OF(h[k[i]]);", "+: h[0:64]"),
    ("h[k[i]] = h[k[i]] * 2;", "+: h[0:64]"),
    ("h[k[i]] = w - h[k[i]];", "+: h[0:64]"),
    ("h[k[i]] = h[k[i] + 1] + w;", "+: h[0:64]"),
    ("h[k[i]] = h[k[i]] + h[0];", "+: h[0:64]"),
    ("h[k[i]] = h[k[i]] + w + n;", "+: h[0:64]"),  # two operations
    ("h[k[i]] = (h[k[i]] + w);", "+: h[0:64]"),
    ("h[k[i]] = h[k[i]] + ONE * ONE, w++;", "+: h[0:64]"),
    ("h[next(k[i])] = h[next(k[i])] + w;", "+: h[0:64]"),
    ("h[w++] = h[w++] + n;", "+: h[0:64]"),
    ("h[v[0]] = h[v[0]] + w;", "+: h[0:64]"),
    ("w = h[k[i]] = h[k[i]] + 1;", "+: h[0:64]"),
    ("s[k[i]] = s[k[i]] + y[i];", "+: s[0:64]"),
    ("h[k[i]] += x[i];", "+: h[0:64]"),  # rounded to an integer each time
    ("h[k[i]] += 1;", "*: h[0:64]"),
    ("h[k[i]] += 1;", "max: h[0:64]"),
    ("s[k[i]] += y[i];", "+: s[0:64]"),  # computed in double
    ("s[k[i]] += 1.5;", "+: s[0:64]"),
    ("v[k[i]] += 1;", "+: v[0:64]"),
    ("c[k[i]] += 1;", "+: c[0:64]"),
    ("h[3] += k[i];", "+: h[0:64]"),  # elements that stay in registers
    ("for (int j = 0; j < 8; j++) h[j] += k[i];", "+: h[0:8]"),
    ("\n#pragma omp atomic\n    v[0]++;\n h[k[i]] += 1;", "+: h[0:64]"),
]


@pytest.mark.parametrize(("statement", "reduction"), OTHERS)
def test_what_could_be_noticed_is_left_alone(statement: str, reduction: str) -> None:
    assert "rex_element" not in body(statement, f"reduction({reduction})")


@pytest.mark.parametrize(
    ("clauses", "construct"),
    [
        ("reduction(+: h[0:64]) ordered", "parallel for"),
        ("reduction(task, +: h[0:64])", "teams distribute parallel for"),
    ],
)
def test_other_loops_are_left_alone(clauses: str, construct: str) -> None:
    assert "rex_element" not in body("h[k[i]] += 1;", clauses, construct)


def test_in_cplusplus_the_value_comes_before_what_finds_the_element() -> None:
    """Where one of them changes something, the other may see it."""
    for statement in ("h[w++] += k[i];", "h[k[i]] += w++;", "h[k[i]] += anything(w);", "h[anything(w)] += w;"):
        assert "rex_element_add(&" in body(statement)
        assert "rex_element" not in body(statement, name="a.cpp")
    assert "rex_element_add(&h[k[i]], next(w));" in body("h[k[i]] += next(w);", name="a.cpp").replace(
        "__ldg(&k[i])", "k[i]"
    )


def test_objects_and_lambdas_of_cplusplus_are_left_alone() -> None:
    number = "struct number { int v; operator int() const { return v; } } a = {2};"
    for statement in (f"{number} h[k[i]] += a;", "auto add = [&](int e) { h[e] += 1; }; add(k[i]);"):
        assert "rex_element" not in body(statement, name="a.cpp")


def test_sums_in_floating_point_that_are_to_be_the_same_in_each_run_are_left_alone() -> None:
    assert "rex_element" not in body("d[k[i]] += y[i];", "reduction(+: d[0:64])", reduction="reproducible")
    assert "rex_element" in body("h[k[i]] += 1;", reduction="reproducible")


@pytest.mark.parametrize(
    ("count", "room"),
    [("8", "32 * 9"), ("64", "16 * 65"), ("200", "8 * 201"), ("1000", "2 * 1001"), ("4000", "4000")],
)
def test_small_arrays_have_several_copies(count: str, room: str) -> None:
    assert f"__shared__ int __rex_room_h[{room}];" in body("h[k[i]] += 1;", f"reduction(+: h[0:{count}])")


@pytest.mark.parametrize(("extent", "count"), [("n", "__rex_section_0_h"), ("5000", "5000")])
def test_what_shared_memory_may_have_no_room_for_comes_with_the_launch(extent: str, count: str) -> None:
    source = (
        "void f(int n, int *h, const int *k) {\n"
        f"#pragma omp target teams distribute parallel for reduction(+: h[2 : {extent}]) map(to: k[0:n])\n"
        "  for (int i = 0; i < n; i++) h[k[i]] += 1; }\n"
    )
    output = compiled(source)
    text = on_one_line(output.kernels[0].body)
    assert "__shared__ int __rex_shared_room_h[2048];" in text
    assert f"rex_element_copies<int>(sizeof __rex_shared_room_h, {count});" in text
    assert f"__rex_copies_h ? __rex_shared_room_h : __rex_room_h + (long long)blockIdx.x * {count};" in text
    assert "int *h = rex_elements_from(__rex_own_h, 2);" in text
    assert f"rex_into_team_add(__rex_h + 2, __rex_team_room_h, {count}, __rex_copies_h)" in text
    assert any("rex_block_elements(_num_blocks_, sizeof h[0] * (__SIZE_TYPE__)" in s for s in output.blocks[0].sizes)


def test_whole_arrays_that_are_too_large_are_left_alone() -> None:
    source = (
        "static int h[5000];\nvoid f(int n, const int *k) {\n"
        "#pragma omp target teams distribute parallel for reduction(+: h) map(to: k[0:n])\n"
        "  for (int i = 0; i < n; i++) h[k[i]]++; }\n"
    )
    assert "rex_element" not in compiled(source).device


def test_numbers_in_floating_point_have_more() -> None:
    text = body("s[k[i]] += x[i]; d[k[i]] += x[i];", "reduction(+: s[0:200], d[0:n])")
    assert "__shared__ float __rex_room_s[8 * 201];" in text and "__shared__ double __rex_shared_room_d[1024];" in text


def test_arrays_share_the_teams_memory() -> None:
    text = body("h[k[i]] += 1; u[k[i]] += 2u;", "reduction(+: h[0:200], u[1:200])")
    assert "int __rex_room_h[4 * 201];" in text and "unsigned int __rex_room_u[4 * 201];" in text
    assert "unsigned int *u = rex_elements_from(__rex_own_u, 1);" in text


def test_a_whole_array_is_joined_with_the_other_results() -> None:
    source = (
        "void f(int n, const int *k) { static int h[8]; int total = 0;\n"
        "#pragma omp target teams distribute parallel for reduction(+: h, total) map(to: k[0:n])\n"
        "  for (int i = 0; i < n; i++) { h[k[i]]++; total += k[i]; } }\n"
    )
    text = compiled(source).kernels[0].body
    assert "int (&h)[8] = *(int (*)[8])__rex_own_h;" in text
    assert (
        "rex_into_team_add((int *)__rex_h, __rex_room_h, 8, 32),\n             rex_into_add(__rex_total, total));"
        in text
    )


def test_each_instance_of_a_template_has_what_its_types_allow() -> None:
    source = (
        "template <class T, int N> void f(T *h, const int *k, int n) {\n"
        "#pragma omp target teams distribute parallel for reduction(+: h[0:N]) map(to: k[0:n])\n"
        "  for (int i = 0; i < n; i++) h[k[i]] = h[k[i]] + T(2); }\n"
        "template void f<int, 64>(int *, const int *, int); template void f<short, 64>(short *, const int *, int);\n"
        "template void f<float, 5000>(float *, const int *, int);\n"
    )
    small, other, large = (kernel.body for kernel in compiled(source, "a.cpp").kernels)
    assert "rex_open_elements(16, __rex_room_h, 64, rex_identity_add<int>())" in small
    assert "rex_element_add(&h[__ldg(&k[i])], T(2));" in small and "rex_element_add" in large
    assert "rex_element" not in other
    assert "rex_open_elements(__rex_copies_h, __rex_team_room_h, 5000, rex_identity_add<float>())" in large
