"""Neighbouring elements of a loop of few iterations: one load or store where nothing stands in the way."""

from __future__ import annotations

import pytest

import support

PARAMETERS = "short *o, const short *g, const float *f, float *r, double *z, const int *at, int n, int m"
LISTED = "map(to : g[0:n], f[0:n], at[0:n]) map(tofrom : o[0:n], r[0:n], z[0:n])"


def kernel(body: str, clauses: str = LISTED, parameters: str = PARAMETERS, before: str = "", name: str = "t.c") -> str:
    source = (
        f"{before}void k({parameters}) {{\n"
        f"#pragma omp target teams distribute parallel for num_teams(8) {clauses}\n"
        f"  for (int i = 0; i < n / 8; i++) {{\n    {body}\n  }}\n}}\n"
    )
    return support.compiled(support.with_used_headers(source), name).kernels[0].body


def test_loads_stand_in_front_and_stores_behind() -> None:
    text = kernel("for (int v = 0; v < 8; v++) o[i * 8 + v] = g[i * 8 + v] & 0x8000 ? 0 : g[i * 8 + v];")
    assert "short __rex_near_g[8];" in text and "short __rex_near_o[8];" in text
    assert "__rex_near_o[v] = __rex_near_g[v] & 0x8000 ? 0 : __rex_near_g[v];" in text
    load, pragma = text.index("rex_load_neighbours(__rex_near_g, &g[i * 8], g);"), text.index("#pragma unroll\n")
    assert load < pragma < text.index("for (int v") < text.index("rex_store_neighbours(&o[i * 8], __rex_near_o, o);")
    assert "rex_load_neighbours(__rex_near_o" not in text


def test_elements_that_are_changed_are_loaded_and_stored() -> None:
    text = kernel("for (int v = 0; v <= 3; ++v) { r[v + 4 * i] *= 2; r[v + 4 * i] += f[4*i + v]; }")
    assert "rex_load_neighbours(__rex_near_r, &r[4 * i], r);" in text and "&f[4*i]" in text
    assert "__rex_near_r[v] *= 2; __rex_near_r[v] += __rex_near_f[v];" in text
    assert "rex_store_neighbours(&r[4 * i], __rex_near_r, r);" in text


def test_rows_by_pointers_of_the_threads_own() -> None:
    text = kernel("const float *row = f + i * 4; float sum = 0; for (int v = 0; v < 4; v++) sum += row[v]; r[i] = sum;")
    assert "rex_load_neighbours(__rex_near_row, &row[0]);" in text and "sum += __rex_near_row[v];" in text


def test_arrays_and_rows_of_arrays() -> None:
    before = "float flat[800], table[100][4];\n"
    text = kernel(
        "for (int v = 0; v < 4; v++) table[i][v] = flat[i * 4 + v];\n for (int v = 0; v < 4; v++) flat[i * 4 + v]++;",
        "map(to: flat) map(from: table)",
        "int n",
        before,
    )
    assert "rex_load_neighbours(__rex_near_flat, &flat[i * 4], flat);" in text
    assert "rex_store_neighbours(&table[i][0], __rex_near_elements, table);" in text
    assert "__rex_near_flat_2[v]++;" in text and "rex_store_neighbours(&flat[i * 4], __rex_near_flat_2, flat);" in text


def test_a_row_that_the_loop_chooses_anew() -> None:
    before = "float table[100][4]; int rows[100];\n"
    body = "for (int v = 0; v < 4; v++) { table[rows[i]][v] = 1; rows[i] = v; }"
    assert "__rex_near_elements" not in kernel(body, "", "int n", before)


def test_template_arguments_are_constants() -> None:
    source = (
        "template <class T, int V> void k(const T *__restrict g, T *__restrict o, int n) {\n"
        "#pragma omp target teams distribute parallel for num_teams(8)\n"
        "  for (int i = 0; i < n / V; i++)\n    for (int v = 0; v < V; v++) o[i * V + v] = g[i * V + v] + 1;\n}\n"
        "void use(short *a, short *b, double *c, double *d) { k<short, 8>(a, b, 80); k<double, 3>(c, d, 30); }\n"
    )
    one, other = sorted(support.compiled(source, "t.cpp").kernels, key=lambda found: "near" not in found.body)
    assert "short __rex_near_g[8];" in one.body and "&g[i * V]" in one.body
    assert "__rex_near" not in other.body


def test_only_what_is_loaded_in_every_iteration() -> None:
    text = kernel("for (int v = 0; v < 4; v++) r[i * 4 + v] = f[i * 4 + v] > 0 ? z[i * 4 + v] : 1;")
    assert "__rex_near_f[v] > 0 ? __ldg(&z[i * 4 + v]) : 1" in text


def test_the_other_threads_of_a_group_have_their_own_elements() -> None:
    text = kernel("float s = 0; for (int j = 0; j < m; j++) s += f[i * m + j]; r[i] = s;", clauses="")
    assert "__rex_near" not in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("for (int v = 0; v < 5; v++) r[i * 5 + v] = 1;", id="no size of a load"),
        pytest.param("for (int v = 0; v < 64; v++) r[i * 64 + v] = 1;", id="too many"),
        pytest.param("for (int v = 0; v < m; v++) r[i * 4 + v] = 1;", id="no constant"),
        pytest.param("for (int v = 1; v < 5; v++) r[i * 4 + v] = 1;", id="from 1"),
        pytest.param("for (int v = 0; v < 8; v += 2) r[i * 4 + v] = 1;", id="another step"),
        pytest.param("for (int v = 0; v < 4; v++) { r[i * 4 + v] = 1; v += m; }", id="the index is changed"),
        pytest.param("for (int v = 0; v < 4; v++) { if (at[i]) break; r[i * 4 + v] = 1; }", id="break"),
        pytest.param("for (int v = 0; v < 4; v++) { if (at[i]) continue; r[i * 4 + v] = 1; }", id="continue"),
        pytest.param("for (int v = 0; v < 4; v++) if (m) r[i * 4 + v] = 1;", id="stored under a condition"),
        pytest.param("for (int v = 0; v < 4; v++) { if (m) r[i * 4 + v] += 1; z[i] += r[i * 4 + v]; }", id="some"),
        pytest.param("for (int v = 0; v < 4; v++) r[i + v * 2] = 1;", id="a stride"),
        pytest.param("for (int v = 0; v < 4; v++) r[(unsigned)i * 4 + v] = 1;", id="may wrap"),
        pytest.param("for (int v = 0; v < 4; v++) { r[i * 4 + v] = 1; r[i] = 2; }", id="another element is written"),
        pytest.param("for (int v = 0; v < 4; v++) r[i * 4 + v] = r[i * 4 + v + m];", id="another element is read"),
        pytest.param("int k = 4 * i; for (int v = 0; v < 4; v++) r[k + v] = k++;", id="the place is changed"),
        pytest.param("for (int v = 0; v < 4; v++) { int k = i; r[k + v] = 1; }", id="the place is declared inside"),
        pytest.param("float t[4]; for (int v = 0; v < 4; v++) t[v] = 1; r[i] = t[m];", id="the thread's own"),
        pytest.param("for (int v = 0; v < 4; v++) { float *p = &r[i * 4 + v]; *p = 1; }", id="its address is taken"),
        pytest.param("for (int v = 0; v < 4; v++) {\n#pragma omp atomic\n    r[i * 4 + v] += 1;\n    }", id="atomic"),
        pytest.param("for (int v = 0; v < 4; v++) { ELEMENT(v) = 1; }", id="a macro"),
        pytest.param("for (int v = 0; v < 4; v++) other(r), r[i * 4 + v] = 1;", id="a call"),
        pytest.param("for (int v = 0; v < 4; v++) r[i * 4 + v] = twice(v);", id="a function that may be large"),
        pytest.param(
            "for (int v = 0; v < 8; v++) o[i * 8 + v] = sin(v) + sin(i) + sin(m) + sin(n) + sin(v + i);", id="large"
        ),
    ],
)
def test_they_are_visited_one_by_one(body: str) -> None:
    before = (
        "#include <math.h>\n#define ELEMENT(v) r[i * 4 + v]\n#pragma omp declare target\n"
        "void other(float *p) { *p = 3; }\nfloat twice(int v) { return 2 * v; }\n"
        "#pragma omp end declare target\n"
    )
    assert "__rex_near" not in kernel(body, before=before)


@pytest.mark.parametrize(
    ("parameters", "clauses"),
    [
        pytest.param("float *r, float *f, int n", "", id="may be the same"),
        pytest.param("volatile float *r, volatile float *f, int n", "map(r[0:n], f[0:n])", id="volatile"),
    ],
)
def test_memory_that_stays_as_it_is(parameters: str, clauses: str) -> None:
    body = "for (int v = 0; v < 4; v++) r[i * 4 + v] = f[i * 4 + v];"
    assert "__rex_near" not in kernel(body, clauses, parameters)


def test_an_index_that_wraps_has_other_neighbours() -> None:
    source = (
        "void k(float *restrict r, int n) {{\n#pragma omp target teams distribute parallel for num_teams(8)\n"
        "  for (int i = 0; i < n; i++)\n    for (int v = 0; v < 4; v++) r[{} + v] = 1;\n}}\n"
    )
    for position, wraps, joined in (("i * 4", False, True), ("i * 4", True, False), ("i * 4l", True, True)):
        found = support.translate_text(source.format(position), wraps=wraps)
        assert found.device is not None
        assert ("__rex_near_r" in found.device.text) == joined


@pytest.mark.parametrize(
    ("loop", "is_in_front"),
    [
        pytest.param("int k = 0; k < 16; k++", True, id="a constant loop"),
        pytest.param("int k = 15; k >= 0; k--", True, id="down"),
        pytest.param("int k = 3; k != m; k++", False, id="a loop that may end at once"),
    ],
)
def test_loads_stand_in_front_of_loops_that_surely_get_to_them(loop: str, is_in_front: bool) -> None:
    inner = "for (int v = 0; v < 4; v++) s += f[i * 4 + v] * z[k * 4 + v];"
    text = kernel(f"float s = 0; int best = 0; for ({loop}) {{ {inner} if (s > 3) best = k; }} r[i] = s + best;")
    outer = text.index("for (int k = ")
    assert (text.index("rex_load_neighbours(__rex_near_f, &f[i * 4], f);") < outer) == is_in_front
    assert outer < text.index("rex_load_neighbours(__rex_near_z, &z[k * 4], z);")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("for (int k = 0; k < m; k++) {0}", id="may have no iteration"),
        pytest.param("for (int k = 4; k < 4; k++) {0}", id="has no iteration"),
        pytest.param("for (unsigned k = -1; k < 4; k++) {0}", id="begins with another value"),
        pytest.param("for (int k = 0; k < 4; k++) {{ if (at[k]) {0} }}", id="a condition"),
        pytest.param("for (int k = 0; k < 4; k++) {{ if (at[k]) continue; {0} }}", id="a part may be skipped"),
        pytest.param("for (int k = 0; k < 4; k++) {{ if (at[k]) break; {0} }}", id="the loop may be left"),
        pytest.param("for (int k = 0; k < 4; k++) {{ {0} row += 4; }}", id="the address changes"),
        pytest.param("for (int k = 0; k < 4; k++) {{ {0} ((float *)f)[k] = 1; }}", id="the elements change"),
        pytest.param("for (int k = 0; k < 4; k++) {{ const float *row = f + k * 4; {0} }}", id="declared inside"),
        pytest.param("int k = 0; while (k < 4) {{ {0} k++; }}", id="another loop"),
    ],
)
def test_loads_stay_in_loops_that_may_not_get_to_them(body: str) -> None:
    inner = "for (int v = 0; v < 4; v++) s += row[v];"
    text = kernel(f"float s = 0; const float *row = f + i * 4; {body.format(inner)} r[i] = s;")
    assert text.index(" k = ") < text.index("rex_load_neighbours(__rex_near_row, &row[0]);")


@pytest.mark.parametrize(
    ("place", "simpler"),
    [
        ("i * 4", ", f"),
        ("4 * (i + m)", ", f"),
        ("m * 2 * (i * 2)", ", f"),
        ("(i * 8 - 12)", ", f"),
        ("(long)i * m * 4", ", f"),
        ("(int)(unsigned char)(i * 4)", ", f"),
        ("four", ", f"),
        ("i * m", ""),
        ("(i * 4 + 2)", ""),
        ("(i * 4 + m)", ""),
        ("(int)(1.5 * 4)", ""),
        ("moved", ""),
    ],
)
def test_what_is_aligned_as_the_first_element_is(place: str, simpler: str) -> None:
    body = f"int four = i * 4, moved = i * 4; moved += at[i]; for (int v = 0; v < 4; v++) r[i] += f[{place} + v];"
    assert f"rex_load_neighbours(__rex_near_f, &f[{place}]{simpler});" in kernel(body)


@pytest.mark.parametrize(
    ("place", "pieces"),
    [
        ("i", 0),
        ("i + m", 0),
        ("(i - 1)", 0),
        ("i * 3", 0),
        ("at[i]", 0),
        ("moved", 0),
        ("i % 4", 0),
        ("i / 4", 0),
        ("i / 32", 16),
        ("(i >> 2)", 0),
        ("(i >> 5)", 16),
        ("i / m", 16),
        ("i * i", 0),
        ("(m - i)", 0),
        ("(i << 1)", 8),
        ("(i << 2)", 16),
        ("i * 2", 8),
        ("(i * 2 + m)", 8),
        ("(i * 4 + 6 * i)", 8),
        ("i * 6", 8),
        ("i * m", 16),
        ("at[i] * m", 16),
        ("(i * 4 + m)", 16),
        ("m", 16),
    ],
)
def test_pieces_are_no_larger_than_neighbouring_threads_are_apart(place: str, pieces: int) -> None:
    text = kernel(f"int moved = i + 1; for (int v = 0; v < 4; v++) r[i] += f[{place} + v];")
    function = {0: "", 8: "rex_load_neighbours<8>(", 16: "rex_load_neighbours("}[pieces]
    assert function in text if function else "__rex_near" not in text


@pytest.mark.parametrize(
    ("row", "pieces"),
    [("f + i", 0), ("f + i * 2", 8), ("f + i * 4", 16), ("&f[i]", 0), ("&f[8 * i + 2]", 16), ("f + m", 16),
     ("(const float *)(g + i * 4)", 8), ("(f + m) - i", 0)],
)  # fmt: skip
def test_rows_by_pointers_are_as_far_apart(row: str, pieces: int) -> None:
    text = kernel(f"const float *row = {row}; float s = 0; for (int v = 0; v < 4; v++) s += row[v]; r[i] = s;")
    function = {0: "", 8: "rex_load_neighbours<8>(", 16: "rex_load_neighbours("}[pieces]
    assert function in text if function else "__rex_near" not in text


@pytest.mark.parametrize(
    ("nest", "place", "pieces"),
    [
        ("for (int x = 0; x < m; x++)", "i + x * 4", 16),
        ("for (int x = 0; x < m; x++)", "i * 4 + x", 0),
        ("for (int x = 0; x < 8; x++)", "i + x * 4", 0),
        ("for (int x = 0; x < 8; x++)", "i * 2 + x * 4", 8),
        ("for (int x = 0; x < 32; x++)", "i + x * 4", 16),
    ],
)
def test_neighbours_differ_in_the_innermost_loops(nest: str, place: str, pieces: int) -> None:
    source = (
        f"void k({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for collapse(2) num_teams(8) {LISTED}\n"
        f"  for (int i = 0; i < n; i++)\n    {nest} {{\n      float s = 0;\n"
        f"      for (int v = 0; v < 4; v++) s += f[{place} + v];\n      r[i * m + x] = s;\n    }}\n}}\n"
    )
    text = support.compiled(source, "t.c").kernels[0].body
    function = {0: "", 8: "rex_load_neighbours<8>(", 16: "rex_load_neighbours("}[pieces]
    assert function in text if function else "__rex_near" not in text


def test_rows_of_arrays_that_are_no_multiple() -> None:
    text = kernel(
        "float s = 0; for (int v = 0; v < 4; v++) s += table[i][v]; r[i] = s;",
        "map(to: table) map(from: r[0:n])",
        before="float table[100][6];\n",
    )
    assert "rex_load_neighbours<8>(__rex_near_elements, &table[i][0], table);" in text


@pytest.mark.parametrize(("place", "is_joined"), [("j", False), ("j * 4", True), ("i + j * 4", True)])
def test_threads_of_a_team_differ_in_the_index_that_they_share(place: str, is_joined: bool) -> None:
    source = (
        f"void k({PARAMETERS}) {{\n#pragma omp target teams distribute {LISTED}\n"
        f"  for (int i = 0; i < n; i++) {{\n#pragma omp parallel for\n    for (int j = 0; j < m; j++) {{\n"
        f"      float s = 0; for (int v = 0; v < 4; v++) s += f[{place} + v];\n      r[i * m + j] = s;\n"
        "    }\n  }\n}\n"
    )
    assert ("rex_load_neighbours(" in support.compiled(source, "t.c").kernels[0].body) == is_joined


@pytest.mark.parametrize(("place", "is_joined"), [("i", True), ("j", False)])
def test_threads_of_a_group_differ_in_the_index_that_they_share(place: str, is_joined: bool) -> None:
    inner = f"float s = 0; for (int v = 0; v < 4; v++) s += f[{place} + v] * z[i * m + j]; r[i * m + j] = s;"
    source = (
        f"void k({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {LISTED}\n"
        f"  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) {{ {inner} }}\n}}\n"
    )
    text = support.compiled(source, "t.c").kernels[0].body
    assert "__rex_group" in text and ("rex_load_neighbours(" in text) == is_joined


def test_where_threads_meet_only_what_nothing_writes() -> None:
    body = "for (int v = 0; v < 4; v++) r[i * 4 + v] = f[i * 4 + v];\n#pragma omp critical\n    z[0] += 1;"
    text = kernel(body)
    assert "__rex_near_r" not in text and "r[i * 4 + v] = __rex_near_f[v];" in text
    assert "__rex_near" not in kernel(body.replace("z[0]", "other[0]"), parameters=f"{PARAMETERS}, float *other")


WORDS = """typedef struct { float d; signed char q[32]; } Of4; typedef struct { double d; signed char q[16]; } Of8;
typedef struct { short d; signed char q[16]; } Of2; typedef struct { int d; short e; signed char q[16]; } Beside;
typedef struct __attribute__((packed)) { float d; signed char q[16]; } Packed;
typedef struct __attribute__((packed)) { char c; Of4 in; } Outer; typedef struct { char c; Of4 in[3]; } Array;
"""


@pytest.mark.parametrize(
    ("kind", "elements", "functions"),
    [
        ("Of4", "t[i].q[v]", "words<4>"), ("Of8", "t[i].q[v]", "words<8>"), ("Of2", "t[m].q[v]", "neighbours"),
        ("Beside", "t[m].q[v]", "neighbours"), ("Packed", "t[m].q[v]", "neighbours"), ("Of4", "t->q[v]", "words<4>"),
        ("Outer", "t[m].in.q[v]", "neighbours"), ("Array", "t[i].in[m].q[v]", "words<4>"),
        ("Of4", "t[i].q[16 + v]", "words<4>"), ("Of4", "t[m].q[n + v]", "neighbours"),
        ("signed char", "t[i * 16 + v]", "neighbours"),
    ],
)  # fmt: skip
def test_arrays_in_classes_are_aligned_as_other_members_want_it(kind: str, elements: str, functions: str) -> None:
    body = f"float s = 0; for (int v = 0; v < 16; v++) s += {elements}; r[i] = s;"
    text = kernel(body, LISTED + " map(to : t[0:n])", f"{PARAMETERS}, const {kind} *t", WORDS)
    assert f"rex_load_{functions}(__rex_near_" in text, text


@pytest.mark.parametrize("element", ["t[i].q[v]", "t[i * 2].q[v]", "t[i].q[i * 2 + v]", "(t + i)->q[v]"])
def test_objects_of_neighbouring_threads_are_aligned_differently(element: str) -> None:
    body = f"float s = 0; for (int v = 0; v < 16; v++) s += {element}; r[i] = s;"
    text = kernel(body, LISTED + " map(to : t[0:n])", f"{PARAMETERS}, const Of2 *t", WORDS)
    assert "__rex_near" not in text, text


def test_loops_of_32_bytes_are_words() -> None:
    body = "int s = 0; for (int v = 0; v < 32; v++) s += t[i].q[v] * t[m].q[v]; r[i] = s;"
    text = kernel(body, LISTED + " map(to : t[0:n])", f"{PARAMETERS}, const Of4 *t", WORDS)
    assert text.count("rex_load_words<4>") == 2 and "__rex_near_elements[v] * __rex_near_elements_2[v]" in text


def test_teams_load_what_nothing_writes() -> None:
    source = f"""{WORDS}void f(int n, int m, const Of4 *t, float *r, float *w) {{
#pragma omp target teams distribute map(to : t[0:n * m]) map(tofrom : r[0:n], w[0:8 * m])
  for (int i = 0; i < n; i++) {{
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++) {{
      for (int v = 0; v < 16; v++) s += t[i * m + j].q[v];
      for (int v = 0; v < 8; v++) w[j * 8 + v] += w[v * 8];
    }}
#pragma omp parallel for
    for (int v = 0; v < 8; v++) r[i + v] = t[v].q[0];
    r[i] = s;
  }}
}}
"""
    text = support.on_one_line(support.compiled(source).device)
    load = "rex_load_words<4>(__rex_near_elements, &t[i * m + j].q[0]); #pragma unroll"
    assert load in text and text.count("__rex_near") == 3, text


BASES = """struct First { char c; }; struct Of8 { signed char q[16]; double d; };
#pragma pack(push, 1)
struct Between : First, Of8 {};
#pragma pack(pop)
struct Inherits : Between { double e; };
typedef Of8 Less __attribute__((aligned(1)));
struct __attribute__((packed)) Unnamed { char c; struct { signed char q[16]; double d; }; };
"""


@pytest.mark.parametrize(
    ("kind", "function"),
    [("Of8", "words<8>"), ("Inherits", "neighbours"), ("Less", "neighbours"), ("Unnamed", "neighbours")],
)
def test_classes_around_an_array_may_align_it_less(kind: str, function: str) -> None:
    body = "float s = 0; for (int v = 0; v < 16; v++) s += t[m].q[v]; r[i] = s;"
    text = kernel(body, LISTED + " map(to : t[0:n])", f"{PARAMETERS}, const {kind} *t", BASES, "t.cpp")
    assert f"rex_load_{function}(__rex_near_" in text, text
