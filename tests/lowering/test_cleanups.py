"""Clean-up passes: each fires where its preconditions hold, and stays away where one of them does not.

Texts of kernels are looked at, never whole files; two programs run on the CPU device and must print what they print
when OpenMP is ignored.
"""

from __future__ import annotations

import pytest

import support
from support import on_one_line

DEVICE_S = "#pragma omp declare target\nfloat s; void g(void) { s = 1; }\n#pragma omp end declare target\n"
PARAMETERS = "float *y, const float *x, const int *at, float *w, int n, int m"
LISTED = "map(to : x[0:n], at[0:n]) map(tofrom : y[0:n], w[0:n])"
MATH = "#include <math.h>\n"
BODY = "typedef struct { float x, y, z; int kind : 4; float table[4]; } Body;\n"


def kernel(
    body: str, clauses: str = LISTED, parameters: str = PARAMETERS, before: str = "", name: str = "t.c", loops: str = ""
) -> str:
    """Return the device text of a loop body over ``i`` (``loops`` gives other loops); with its teams chosen it is no
    tile, which would take the stores apart."""
    header = loops or "for (int i = 0; i < n; i++)"
    source = (
        f"{before}void f({parameters}) {{\n"
        f"#pragma omp target teams distribute parallel for num_teams(8) {clauses}\n"
        f"  {header} {{\n    {body}\n  }}\n}}\n"
    )
    return support.compiled(support.with_used_headers(source), name).kernels[0].body


# ---- where objects lie -----------------------------------------------------------------------------------------------

HANDLES = """struct Bits { int few : 5; float all; operator float() const { return all; } };
struct Index { int n; Index(int n) : n(n) {} ~Index() { n = 0; } int of() const { return n; } };
"""
VALUES = [
    "float &&r = static_cast<float>(w[i]);", "float &&r = (float)w[i];", "float &&r = float(w[i]);",
    "double &&r = w[i];", "double &&r = i & 1 ? d[i] : w[i];", "float &&r = (i, (float)w[i]);", "double &&r{w[i]};",
    "float &&r = b[i];", "double &&r = b[i].few;", "auto &&r = (double)w[i];",
]  # fmt: skip
REFERENCES = [
    "float &&r = static_cast<float &&>(w[i]);", "float &r = (float &)w[i];", "float &r = const_cast<float &>(w[i]);",
    "float &r{w[i]};", "int &r = reinterpret_cast<int &>(w[i]);", "float &r = (i, w[i]);", "auto &&r = w[i];",
    "float &r = i & 1 ? w[m] : w[i];", "using F = float &; F r(w[i]);", "float &r = w[Index(i).n];",
    "const float &c = w[i]; float &r = const_cast<float &>(c);",
]  # fmt: skip


@pytest.mark.parametrize("template", [False, True], ids=["function", "template"])
@pytest.mark.parametrize("declaration", [*VALUES, *REFERENCES])
def test_references_are_to_elements_or_to_new_objects(declaration: str, template: bool) -> None:
    """A reference to a value has an object of its own, so what is stored to that leaves the element as it was."""
    function = "template <class T> void f(float *y, T *w, const double *d, const Bits *b, int n, int m)"
    source = function if template else function.partition("> ")[2].replace("T *w", "float *w")
    given = declaration.replace("float", "T") if template else declaration
    source = f"""{HANDLES}{source} {{
#pragma omp target teams distribute parallel for num_teams(8) map(y[0:n], w[0:n], d[0:n], b[0:n])
  for (int i = 0; i < n; i++) {{ {given} r += 1; y[i] = r + w[m + 1]; }}
}}
{"void g(float *a, double *d, Bits *b) { f(a, a, d, b, 1, 1); }" if template else ""}
"""
    text = support.compiled(source, "t.cpp").kernels[0].body
    assert ("__ldg(&w[m + 1])" in text) == (declaration in VALUES)


# ---- scalarise -------------------------------------------------------------------------------------------------------


def test_an_element_that_is_read_twice_is_loaded_once() -> None:
    text = kernel("w[at[i]] = x[i] * x[i];")
    assert "const float __rex_cached_x = __ldg(&x[i]);" in text
    assert "w[__ldg(&at[i])] = __rex_cached_x * __rex_cached_x;" in text


def test_a_written_element_is_loaded_once_and_written_once_at_the_end() -> None:
    text = kernel("y[i] += 1; if (x[i] > 0) y[i] *= 2;")
    assert "    float __rex_cached_y = y[i];\n" in text
    assert "__rex_cached_y += 1; if (__ldg(&x[i]) > 0) __rex_cached_y *= 2;" in text
    assert text.rstrip().endswith("    y[i] = __rex_cached_y;\n  }")
    assert text.count("y[i]") == 2


def test_a_first_store_makes_the_load_needless() -> None:
    text = kernel("y[i] = 0;\n    for (int k = 0; k < m; k++) y[i] += x[k];")
    assert "    float __rex_cached_y;\n" in text
    assert "__rex_cached_y = 0;" in text and "__rex_cached_y += __ldg(&x[k]);" in text


def test_a_first_store_that_uses_the_element_needs_the_load() -> None:
    assert "float __rex_cached_y = y[i];" in kernel("y[i] = y[i] + 1; y[i] *= 2;")


def test_an_element_of_a_mapped_section_may_be_loaded_before_an_inner_loop() -> None:
    text = kernel("for (int k = 0; k < m; k++) y[i] += x[k];")
    assert "float __rex_cached_y = y[i];" in text and text.rstrip().endswith("y[i] = __rex_cached_y;\n  }")


def test_restrict_parameters_are_apart_without_clauses() -> None:
    text = kernel("y[i] += 1; y[i] *= x[i];", "", "float *restrict y, const float *x, int n")
    assert "__rex_cached_y" in text and "__ldg(&x[i])" in text


def test_a_body_without_braces_gets_its_lines() -> None:
    source = (
        "void f(float *y, int n, int m) {\n#pragma omp target parallel for map(y[0:n])\n"
        "  for (int i = 0; i < n; i++)\n    for (int k = 0; k < m; k++) y[i] += k;\n}\n"
    )
    text = support.compiled(source).kernels[0].body
    assert text.index("float __rex_cached_y = y[i];") < text.index("__rex_cached_y += k;") < text.index("y[i] = __rex")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("y[i] = x[i];", id="one use"),
        pytest.param("if (n > 3) { y[i] += x[at[i]]; y[i] *= 2; }", id="written under a condition only"),
        pytest.param("at[i] ?: (y[i] = 3); at[i + 1] ?: (y[i] += 2);", id="written where a value is 0 only"),
        pytest.param("y[i] += 1; y[i] *= y[0];", id="another element is used too"),
        pytest.param("y[i] += 1; y[i + 0] *= 2;", id="not spelled by the index"),
        pytest.param("float *p = &y[i]; *p = y[i] + y[i];", id="address taken"),
        pytest.param("float *p = y; y[i] += 1; y[i] *= *p;", id="the array escapes"),
        pytest.param("y[i] += 1; if (at[i]) continue; y[i] *= 2;", id="continue passes the end"),
        pytest.param("y[i] += 1; if (at[i]) goto end; y[i] *= 2; end:;", id="goto"),
        pytest.param("{ float y = 1; w[i] = y; } y[i] += 1; y[i] *= 2;", id="its name means something else inside"),
        pytest.param("\n#pragma omp atomic\ny[i] += 1; w[i] += y[i];", id="atomic"),
    ],
)
def test_scalarising_stays_away(body: str) -> None:
    assert "__rex_cached_y" not in kernel(body)


@pytest.mark.parametrize(
    ("body", "clauses", "parameters", "before"),
    [
        pytest.param("y[i] += 1; w[at[i]] = 2; y[i] *= 2;", "", PARAMETERS, "", id="a store that may alias"),
        pytest.param("y[i] += 1; w[i] = 2; y[i] *= 2;", "map(y[0:n])", PARAMETERS, "", id="the other is not listed"),
        pytest.param(
            "y[i] += 1; w[i] = 2; y[i] *= 2;", "map(y[0:n], w[0:0])", PARAMETERS, "", id="zero-length section"
        ),
        pytest.param("y[i] += 1; w[i] = 2; y[i] *= 2;", "map(y[0:n], w[0:1])", PARAMETERS, "", id="one-element handle"),
        pytest.param("y[i] += 1; y[i] *= x[at[i]];", "", PARAMETERS, "", id="a load that may see the element"),
        pytest.param("y[i] += 1; g(); y[i] *= 2;", LISTED, PARAMETERS, DEVICE_S, id="call"),
        pytest.param(
            "y[i] += 1; g(w); y[i] *= 2;", "", PARAMETERS, "void g(float *p) { *p = 1; }\n", id="call through a pointer"
        ),
        pytest.param("y[i] += 1; y[i] *= rows[i][0];", LISTED, "float *y, float **rows, const int *at, const float *x, "
                     "float *w, int n", "", id="a loaded pointer"),
        pytest.param("y[i] += 1; y[i] *= 2;", "map(y[0:n])", "volatile float *y, int n", "", id="volatile"),
        pytest.param("y[i].x += 1; y[i].x *= 2;", "map(y[0:n])", "Body *y, int n", BODY, id="not a scalar"),
        pytest.param("if (n > 3) w[i] = x[i] * x[i];", "map(to : x[0:m])", PARAMETERS, "", id="used if"),
        pytest.param("for (int k = 0; k < m; k++) w[k] += x[i];", "map(to : x[0:m]) map(w[0:n])", PARAMETERS, "",
                     id="the section is not the loop's"),
    ],
)  # fmt: skip
def test_scalarising_stays_away_from_what_may_alias(body: str, clauses: str, parameters: str, before: str) -> None:
    assert "__rex_cached_" not in kernel(body, clauses, parameters, before)


def test_scalarising_is_for_one_distributed_loop() -> None:
    loops = "for (int j = 0; j < m; j++) for (int i = 0; i < n; i++)"
    assert "__rex_cached_" not in kernel("y[i] += 1; y[i] *= 2;", f"collapse(2) {LISTED}", loops=loops)


def test_a_pointer_made_from_a_restrict_parameter_is_not_apart_from_it() -> None:
    source = (
        "void f(float *restrict y, int n) {\n  float *w = y + 1;\n#pragma omp target teams distribute parallel for\n"
        "  for (int i = 0; i < n; i++) { y[i] += 1; w[i] = 2; y[i] *= 2; }\n}\n"
    )
    assert "__rex_cached_" not in support.compiled(source).kernels[0].body


def test_calls_that_touch_no_memory_of_the_kernel_are_no_obstacle() -> None:
    before = MATH + "static float g(float a, float *out) { out[0] = a; return a * a; }\n"
    text = kernel("float t[2]; y[i] += 1; y[i] *= sqrtf(x[i]) + g(x[i], t) + t[0];", before=before)
    assert "__rex_cached_y" in text and "__rex_cached_x" in text


# ---- hoisting out of inner loops -------------------------------------------------------------------------------------

BODIES = "const Body *b, Body *c, float *y, int n, int m"
BODIES_LISTED = "map(to : b[0:n]) map(tofrom : c[0:n], y[0:n])"


def bodies(body: str, clauses: str = BODIES_LISTED, name: str = "t.c") -> str:
    return kernel(body, clauses, BODIES, BODY, name)


def test_an_invariant_element_becomes_a_pointer_before_the_loop() -> None:
    text = bodies("float s = 0;\n    for (int j = 0; j < n; j++)\n      s += b[i].x * b[j].x + b[i].y;\n    y[i] = s;")
    assert "    const Body *__rex_ref_b_i = &b[i];\n#line 6" in text
    assert "s += __ldg(&__rex_ref_b_i->x) * __ldg(&b[j].x) + __ldg(&__rex_ref_b_i->y);" in text


def test_two_loops_get_pointers_of_their_own() -> None:
    loop = "for (int j = 0; j < m; j++) y[i] += b[i].x * b[i].y; "
    text = bodies(loop * 2)
    assert "*__rex_ref_b_i = &b[i];" in text and "*__rex_ref_b_i_2 = &b[i];" in text


@pytest.mark.parametrize(
    ("statement", "opened"),
    [("if (n > 2) for (;;) {B}", "{ const Body"), ("switch (n) { case 1: for (;;) {B} default:; }", "{ const Body")],
)
def test_a_loop_that_is_no_statement_of_a_block_gets_a_block(statement: str, opened: str) -> None:
    loop = statement.replace("for (;;) {B}", "for (int j = 0; j < m; j++) y[i] += b[i].x * b[i].y;")
    text = on_one_line(bodies(loop))
    assert opened in text and text.count("{") == text.count("}") + 0


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("y[i] += b[i].x * b[i].y;", id="no inner loop"),
        pytest.param("for (int j = 0; j < m; j++) y[i] += b[i].x * b[j].y;", id="one reference"),
        pytest.param("for (int j = 0; j < m; j++) y[i] += b[j].x * b[j].y;", id="the loop's own index"),
        pytest.param("int k = 0; for (; k < m; k++) y[i] += b[k].x * b[k].y;", id="index written in the loop"),
        pytest.param("int k = 0; int *p = &k; for (int j = 0; j < m; j++) { y[i] += b[k].x * b[k].y; ++*p; }",
                     id="index reachable"),
        pytest.param("for (int j = 0; j < m; j++) { b[i].x += 1; y[i] += b[i].y; }".replace("b[", "c["), id="written"),
        pytest.param("for (int j = 0; j < m; j++) { const float *p = &b[i].x; y[i] += *p + b[i].y; }", id="address"),
        pytest.param("for (int j = 0; j < m; j++) { int k = j; y[i] += b[k].x * b[k].y; }", id="declared in the loop"),
        pytest.param("const Body *p = b; for (int j = 0; j < m; j++) { y[i] += p[i].x * p[i].y; p++; }", id="moves"),
        pytest.param("\n#pragma unroll\nfor (int j = 0; j < m; j++) y[i] += b[i].x * b[i].y;", id="its pragma"),
        pytest.param("goto in; in: for (int j = 0; j < m; j++) y[i] += b[i].x * b[i].y;", id="goto"),
    ],
)  # fmt: skip
def test_hoisting_references_stays_away(body: str) -> None:
    assert "__rex_ref_" not in bodies(body)


def test_a_field_that_is_read_again_and_again_becomes_a_local() -> None:
    text = bodies(
        "const Body *p = &b[i]; y[i] = p->y;\n    for (int j = 0; j < m; j++)\n      y[i] += p->x * p->x + (*p).x;"
    )
    assert "    const float __rex_field_p_x = __ldg(&p->x);\n#line" in text
    assert "+= __rex_field_p_x * __rex_field_p_x + __rex_field_p_x;" in text


def test_an_array_field_becomes_a_pointer() -> None:
    text = bodies("const Body *p = &b[i]; for (int j = 0; j < m; j++) y[i] += p->table[j & 3] + p->table[0];")
    assert "const float *__rex_field_p_table = p->table;" in text
    assert "__ldg(&__rex_field_p_table[j & 3]) + __ldg(&__rex_field_p_table[0])" in text


@pytest.mark.parametrize("loop", ["for (int j = 0; j < p->x + p->x; j++)", "for (int j = 0; j < 4; j++)"])
def test_a_field_that_the_loop_reads_surely_may_be_read_before_it(loop: str) -> None:
    assert "__rex_field_p_x = " in bodies(f"const Body *p = &b[i]; {loop} y[i] += p->x * p->x;")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("for (int j = 0; j < m; j++) y[i] += p->x * p->x;", id="the object may never be read"),
        pytest.param("if (n > 3) y[i] = p->y; for (int j = 0; j < m; j++) y[i] += p->x * p->x;", id="read if"),
        pytest.param("for (int j = 0; j < 4; j++) { if (n > j) break; y[i] += p->x * p->x; }", id="left early"),
        pytest.param("y[i] = p->y; for (int j = 0; j < m; j++) y[i] += p->x * p->y;", id="read once"),
        pytest.param("y[i] = p->y; for (int j = 0; j < m; j++) { y[i] += p->x * p->x; p++; }", id="pointer moves"),
        pytest.param("y[i] = p->y; for (int j = 0; j < m; j++) { c[j].x = 1; y[i] += p->x * p->x; }".replace("p", "q"),
                     id="the loop writes such objects"),
        pytest.param("y[i] = p->y; for (int j = 0; j < m; j++) y[i] += p->kind * p->kind;", id="bit-field"),
    ],
)  # fmt: skip
def test_hoisting_fields_stays_away(body: str) -> None:
    assert "__rex_field_" not in bodies("const Body *p = &b[i], *q = &c[i]; " + body)


# ---- __ldg -----------------------------------------------------------------------------------------------------------


def test_nested_loads_are_wrapped_inside_out() -> None:
    text = kernel("y[i] = x[at[i]] + *x + *(x + at[0]);")
    assert "y[i] = __ldg(&x[__ldg(&at[i])]) + __ldg(x) + __ldg(x + __ldg(&at[0]));" in text


def test_parameters_to_memory_that_only_is_read_are_restrict() -> None:
    source = (
        "void f(float *y, const float *x, const float *w, int n, int m) {{\n"
        "#pragma omp target teams distribute parallel for num_teams(8) {clauses}\n"
        "  for (int i = 0; i < n; i++) y[i] = x[i] + w[m];\n}}\n"
    )
    device = support.compiled(source.format(clauses="map(to : x[0:n], w[0:n]) map(from : y[0:n])")).device
    assert "const float *__restrict__ x" in device and "const float *__restrict__ w" in device
    assert "float *__restrict__ y," in device and "y[i] = __ldg(&x[i]) + __ldg(&w[m]);" in device
    assert "__restrict__" not in support.compiled(source.format(clauses="")).device, "they may be the same memory"


@pytest.mark.parametrize(
    ("body", "lives"),
    [
        pytest.param("double v = l[i]; put(i, v + 5); o[i] = l[i] - v;", False, id="a function writes it"),
        pytest.param("l[i] += 2; o[i] = get(i); l[i] += o[i];", False, id="a function reads it"),
        pytest.param("double v = l[i]; o[i] = get(i) + v * l[i];", True, id="both only read"),
        pytest.param("double v = l[i]; touch(i); o[i] = l[i] - v;", True, id="a function writes another"),
    ],
)
def test_an_element_that_functions_get_to_by_themselves_stays_in_memory(body: str, lives: bool) -> None:
    source = (
        "double l[64], o[64];\n#pragma omp declare target link(l)\n#pragma omp declare target\ndouble other[64];\n"
        "static void put(int i, double x) { l[i] = x; }\nstatic double get(int i) { return l[i]; }\n"
        "static void touch(int i) { other[i] = 1; }\n#pragma omp end declare target\n"
        "void f(void) {\n#pragma omp target teams distribute parallel for\n"
        f"  for (int i = 0; i < 64; i++) {{ {body} }}\n}}\n"
    )
    assert ("__rex_cached_l" in support.compiled(source).device) == lives


@pytest.mark.parametrize(
    ("body", "clauses", "found"),
    [
        pytest.param("y[i] = x[i]; w[i] = y[i];", "map(y[0:n], w[0:n]) map(to : x[0:n])", {"y", "x", "w"}, id="apart"),
        pytest.param("y[i] = sqrtf(x[i]); y[m] += 1;", "map(y[0:n], x[0:n])", {"y", "x"}, id="a function of values"),
        pytest.param("y[i] = x[i];", "map(y[0:n])", set(), id="x may be y"),
        pytest.param("y[i] = x[i]; w[i] = 1;", "map(y[0:n], x[0:n])", set(), id="w may be either"),
        pytest.param("y[i] = x[i]; touch(w);", "map(y[0:n], x[0:n], w[0:n])", {"x"}, id="a call that may order"),
        pytest.param("y[i] = x[i];\n#pragma omp atomic\n w[m]++;", "map(y[0:n], x[0:n], w[0:n])", {"x"}, id="atomics"),
        pytest.param("y[i] = *(volatile float *)w;", "map(y[0:n], w[0:n])", {"w"}, id="volatile"),
        pytest.param("y[i] = x[i]; y++;", "map(y[0:n], x[0:n])", {"x"}, id="the pointer changes"),
    ],
)
def test_the_only_way_to_memory_is_restrict_though_it_is_written(body: str, clauses: str, found: set[str]) -> None:
    source = (
        "#include <math.h>\n#pragma omp declare target\nstatic void touch(float *p) { p[0] = 1; }\n"
        "#pragma omp end declare target\n"
        "void f(float *y, float *x, float *w, int n, int m) {\n"
        f"#pragma omp target teams distribute parallel for {clauses}\n"
        f"  for (int i = 0; i < n; i++) {{ {body} }}\n}}\n"
    )
    kernel = support.compiled(source).kernels[0]
    assert {n for n, p in zip(kernel.names, kernel.parameters, strict=True) if "__restrict__" in p} == found


def test_pointers_to_rows_are_restrict_too() -> None:
    source = (
        "void f(int n, int m, float y[n][m], float x[n][m], float (*w)[4]) {{\n"
        "#pragma omp target teams distribute parallel for {clauses}\n"
        "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) y[i][j] = x[j][i] + w[i][1];\n}}\n"
    )
    sections = "map(to : x[0:n][0:m], w[0:n]) map(from : y[0:n][0:m])"
    device = support.compiled(source.format(clauses=sections)).device
    assert "float *__restrict__ __rex_x" in device and "float (*__restrict__ w)[4]" in device
    assert "__restrict__" not in support.compiled(source.format(clauses="")).device, "they may be the same memory"


def test_a_local_pointer_is_followed_to_what_it_was_made_from() -> None:
    text = kernel("const float *row = x + i * m; const float *end = at[i] ? row + m : &x[1]; y[i] = row[1] + *end++;")
    assert "__ldg(&row[1]) + __ldg(end++)" in text


def test_reductions_of_variables_that_no_pointer_reaches_do_not_matter() -> None:
    source = (
        "double f(const float *x, int n) {\n  double s = 0;\n"
        "#pragma omp target teams distribute parallel for reduction(+ : s)\n"
        "  for (int i = 0; i < n; i++) s += x[i];\n  return s;\n}\n"
    )
    assert "s += __ldg(&x[i]);" in support.compiled(source).kernels[0].body
    reached = source.replace("double s = 0;", "double s = 0; const double *p = &s;")
    assert "__ldg" not in support.compiled(reached).kernels[0].body


def test_lists_of_an_enclosing_data_construct_count_while_the_pointers_stay() -> None:
    source = (
        "void f(float *a, float *b, int n) {\n#pragma omp target data map(to : a[0:n]) map(from : b[0:n])\n  {\n"
        "#pragma omp target teams distribute parallel for num_teams(8)\n"
        "    for (int i = 0; i < n; i++) b[i] = a[i];\nAFTER\n  }\n}\n"
    )
    assert "b[i] = __ldg(&a[i]);" in support.compiled(source.replace("AFTER", "")).kernels[0].body
    swapped = source.replace("AFTER", "float *t = a; a = b; b = t;")
    assert "__ldg" not in support.compiled(swapped).kernels[0].body


def test_macro_arguments_are_the_users_text_and_macro_bodies_are_not() -> None:
    before = "#define SQ(v) ((v) * (v))\n#define X(k) x[k]\n"
    assert "y[i] = SQ(__ldg(&x[at[0] + i])) + X(i);".replace("at[0]", "__ldg(&at[0])") in kernel(
        "y[i] = SQ(x[at[0] + i]) + X(i);", before=before
    )
    assert "__ldg" not in kernel("y[i] = SIZE(x[m]);", before="#define SIZE(v) (sizeof(v) + (v))\n")


@pytest.mark.parametrize(
    ("body", "clauses"),
    [
        pytest.param("y[i] = x[i];", "", id="const alone proves nothing"),
        pytest.param("y[i] = x[i];", "map(to : x[0:n])", id="the other array is not listed"),
        pytest.param("y[i] = w[i]; w[at[i]] = 0;".replace("at[i]", "m"), "map(y[0:n], w[0:n])", id="written"),
        pytest.param("\n#pragma omp atomic\ny[m] += x[i];", "map(y[0:n])", id="atomic store"),
        pytest.param("y[i] = sizeof(x[i]);", LISTED, id="sizeof"),
        pytest.param("const float *p = &x[i]; y[i] = p == x;", LISTED, id="address"),
        pytest.param("float t[2] = {1, 2}; y[i] = t[i & 1];", LISTED, id="a thread's own array"),
        pytest.param("float t[2] = {1, 2}; const float *p = m ? t : x; y[i] = p[0];", LISTED, id="perhaps its own"),
    ],
)
def test_loads_stay_plain(body: str, clauses: str) -> None:
    assert "__ldg" not in kernel(body, clauses)


@pytest.mark.parametrize(
    ("element", "wrapped"),
    [("double", True), ("unsigned char", True), ("long long", True), ("size_t", True), ("_Bool", False),
     ("float *", False), ("volatile int", False), ("port", False), ("enum e", False)],
)  # fmt: skip
def test_types_without_an_overload_stay_plain(element: str, wrapped: bool) -> None:
    before = "#include <stddef.h>\nenum e { A };\ntypedef volatile int port;\n"
    text = kernel("y[i] = x[i] != 0;", "map(to : x[0:n]) map(from : y[0:n])", f"{element} *x, int *y, int n", before)
    assert ("__ldg" in text) is wrapped


def test_members_are_read_through_the_cache_and_bit_fields_are_not() -> None:
    assert "y[i] = __ldg(&b[i].x) + b[i].kind;" in bodies("y[i] = b[i].x + b[i].kind;")


def test_references_and_implicit_this_in_cplusplus() -> None:
    source = (
        "#include <algorithm>\nstruct S { float *v; int n; void f(float *y) {\n"
        "#pragma omp target teams distribute parallel for num_teams(8) map(to : this->v[0:n]) map(from : y[0:n])\n"
        "  for (int i = 0; i < n; i++) y[i] = v[i];\n} };\nvoid g(S &s, float *y) { s.f(y); }\n"
        "void h(const float *x, float *y, int n) {\n"
        "#pragma omp target teams distribute parallel for num_teams(8) map(to : x[0:n]) map(from : y[0:n])\n"
        "  for (int i = 0; i < n; i++) { const float &r = x[i]; y[i] = *&std::max(x[0], r) + x[1]; }\n}\n"
    )
    named = source.replace("struct S", "typedef const float fixed; struct S").replace("const float &r", "fixed &r")
    for text, kind in ((source, "const float"), (named, "fixed")):
        first, second = support.compiled(text, "t.cpp").kernels
        assert "__ldg" not in first.body
        assert f"{kind} &r = x[i]; y[i] = *&std::max(x[0], r) + __ldg(&x[1]);" in second.body


def test_constants_are_apart_from_what_is_written() -> None:
    text = kernel("y[i] += t[i & 1]; y[i] *= 2;", "map(y[0:n])", before="static const float t[2] = {1, 2};\n")
    assert "__rex_cached_y" in text


def test_array_parameters_are_pointers() -> None:
    text = kernel("y[i][0] = x[i][1];", "", "float y[][4], float x[][4], int n")
    assert "__ldg" not in text


# ---- execution -------------------------------------------------------------------------------------------------------

PROGRAM = """
#include <math.h>
#include <stdio.h>
enum { N = 257 };
typedef struct { float x, y, w; int tag : 3; float table[4]; } Body;
static float pick(const float *t, int k) { return t[k & 3]; }

static void forces(const Body *b, float *f, const int *at, int n, int m) {
#pragma omp target teams distribute parallel for map(to : b[0:n], at[0:n]) map(tofrom : f[0:n])
  for (int i = 0; i < n; i++) {
    const Body *p = &b[at[i]];
    for (int j = 0; j < m; j++)
      if (j != i) f[i] += b[i].x * b[j].y - b[i].y * p->table[j & 3] * p->table[0];
    for (int j = 0; j < 3; j++) f[i] += p->w * p->w + pick(p->table, j) + *(b[i].table + j);
    if (f[i] > 10) f[i] -= 10;
    else f[i] = f[i] / 2;
  }
}

static double total(const float *f, float *g, int n) {
  double s = 0;
#pragma omp target teams distribute parallel for map(to : f[0:n]) map(tofrom : g[0:n]) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    if (f[i] < -1) continue;
    s += f[i] * f[i];
    g[i] = f[i] > 2 ? sqrtf(f[i]) : g[i];
  }
  return s;
}

int main(void) {
  static Body b[N];
  static float f[N], g[N];
  static int at[N];
  for (int i = 0; i < N; i++) {
    b[i] = (Body){i % 7, i % 5 - 2, 0.5f * (i % 3), i % 4, {1, i % 2, -1, 0.25f}};
    f[i] = i % 11, g[i] = i, at[i] = (i * 31) % N;
  }
  forces(b, f, at, N, 13);
  printf("%.4f\\n", total(f, g, N));
  for (int i = 0; i < N; i += 16) printf("%d %.4f %.4f\\n", i, f[i], g[i]);
  return 0;
}
"""

ALIASED = """
#include <stdio.h>
/* Nothing here is apart, and a thread sees what it wrote through the other pointer. */
static void step(float *a, float *b, const float *c, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    b[i] *= 2;
    a[i] += c[i] + b[i];
  }
}

int main(void) {
  static float v[100];
  for (int i = 0; i < 100; i++) v[i] = i % 9;
#pragma omp target data map(tofrom : v)
  step(v, v, v, 100);
  for (int i = 0; i < 100; i += 9) printf("%g ", v[i + 1 < 100 ? i + 1 : i]);
  printf("\\n");
  return 0;
}
"""


@pytest.mark.parametrize("source", [PROGRAM, ALIASED], ids=["all passes", "aliases"])
def test_programs_compute_the_same(source: str, bench: support.Bench) -> None:
    support.require_runtime()
    files = {"program.c": source}
    assert support.on_device(bench.build(files)) == bench.plain(files)


def test_the_program_has_every_clean_up() -> None:
    text = support.compiled(PROGRAM).device
    assert all(word in text for word in ("__rex_cached_f", "__rex_ref_b_i", "__rex_field_p_w", "__ldg(&at[i])"))
    assert "__rex_cached" not in support.compiled(ALIASED).device


PACKED = """
struct inner { double d; };
struct __attribute__((packed)) outer { char c; int n; struct inner in; double a[3]; char t; };
struct plain { char c; int n; };
"""


@pytest.mark.parametrize("load", ["p[i].n", "p[i].in.d", "p[i].a[2]", "(int)p[i].in.d"])
def test_members_of_packed_structures_are_loaded_as_such(load: str) -> None:
    """The address of one is not aligned as its type says, and a GPU stops at such a load."""
    body = _packed_kernel(load)
    assert "__ldg" not in body


@pytest.mark.parametrize("load", ["p[i].t", "q[i].n"])
def test_aligned_members_are_loaded_by_their_address(load: str) -> None:
    assert f"__ldg(&{load})" in _packed_kernel(load)


def _packed_kernel(load: str) -> str:
    text = f"{PACKED}void f(double *r, struct outer *p, struct plain *q, int n) {{\n"
    text += "#pragma omp target teams distribute parallel for map(from: r[0:n]) map(to: p[0:n], q[0:n])\n"
    return support.compiled(f"{text}for (int i = 0; i < n; i++) r[i] = {load};\n}}\n").kernels[0].body


def test_a_templates_number_is_no_memory() -> None:
    source = (
        "template <int V> void f(float *p, int n) {\n"
        "#pragma omp target teams distribute parallel for map(p[0:n])\n  for (int i = 0; i < n; i++) p[i] = V;\n}\n"
        "void g(float *p, int n) { f<3>(p, n); }\n"
    )
    assert "float *__restrict__ p" in support.compiled(source, "t.cpp").device


def test_members_of_objects_that_are_aligned_more_strictly_are_loaded_as_they_stand() -> None:
    """The compiler joins loads of neighbouring members where it knows the object's alignment."""
    text = support.compiled(
        "struct __attribute__((aligned(8))) pair { float x, y; };\nstruct mixed { double d; int n; };\n"
        "struct plain { float x, y; };\n"
        "void f(int n, const struct pair *p, const struct mixed *m, const struct plain *q, float *out) {\n"
        "#pragma omp target teams distribute parallel for map(to : p[0 : n], m[0 : n], q[0 : n]) map(from : out[:n])\n"
        "  for (int i = 0; i < n; i++) out[i] = p[i].x + p[i].y + m[i].n + (float)m[i].d + q[i].y;\n}\n"
    ).device
    assert "p[i].x + p[i].y + m[i].n + (float)__ldg(&m[i].d) + __ldg(&q[i].y)" in text


@pytest.mark.parametrize(
    ("call", "pure"),
    [
        ("__builtin_popcount(at[i])", True),
        ("__builtin_ctzll(at[i])", True),
        ("__builtin_bswap32(at[i])", True),
        ("__builtin_expect(at[i], 1)", True),
        ("popcount(at + i)", False),
        ("__builtin_clz(at[i]++)", False),
    ],
)
def test_functions_of_the_compilers_that_count_bits_touch_no_memory(call: str, pure: bool) -> None:
    text = kernel(
        f"w[i] = {call} + at[i];",
        parameters=PARAMETERS.replace("const int *", "int *"),
        before="static int popcount(int *a) { return ++*a; }\n",
    )
    assert ("__ldg(&at[i])" in text) == pure, text
