"""Tiles: which loops over the grid have threads that take several iterations side by side, and what they become.

Texts of kernels and launches are looked at; ``execution/programs/tiles.*`` run.
"""

from __future__ import annotations

import pytest

import support
from support import Output, compiled

HEAD = (
    "#include <math.h>\ntypedef volatile float port; struct S { float v[4]; int bits : 3, whole; };\n"
    "int g(int i) { int j = i; return j; }\nint w(int *p) { return ++*p; }\n"
)
PARAMETERS = (
    "float *y, const float *x, double *d, int *k, struct S *s, volatile float *vol, port *in, int n, int m, float a"
)
LISTED = "map(to : x[0:n]) map(tofrom : y[0:n], d[0:n], k[0:n], s[0:n])"
EACH = "for (int i = 0; i < n; i++)"


def output(
    body: str, loops: str = EACH, clauses: str = LISTED, construct: str = "teams distribute parallel for"
) -> Output:
    """Translate a loop."""
    return explained(f"{HEAD}void f({PARAMETERS}) {{\n#pragma omp target {construct} {clauses}\n{loops} {body}\n}}\n")


def explained(source: str, name: str = "t.c") -> Output:
    """Translate a program with remarks."""
    found = support.translate_text(support.with_used_headers(source), name, remarks=True)
    assert found.host is not None, support.rendered(found)
    device, cpu = (f.text if f else "" for f in (found.device, found.cpu_device))
    return Output(found.host.text, device, cpu, {}, found)


def kernel(body: str, loops: str = EACH, clauses: str = LISTED) -> str:
    """Return the device text of a loop's kernel."""
    return output(body, loops, clauses).kernels[0].body


def remarks(found: Output) -> list[str]:
    """Return what is told of the only region: the remark and its notes."""
    told = [d for d in found.translation.diagnostics if d.code == "rex-loop"]
    return [told[0].message, *(note.message for note in told[0].notes)]


def test_all_values_of_a_tile_come_before_its_stores() -> None:
    text = kernel("y[i] = a * x[i];")
    assert (
        "  const long long __rex_trips = n;\n  #pragma unroll 1\n"
        "  for (long long __rex_first = _dev_thread_id; __rex_first < __rex_trips; "
        "__rex_first += REX_TILE * _dev_thread_num) {\n"
        "    float *__rex_place_y[REX_TILE], __rex_value_y[REX_TILE];\n"
        "    #pragma unroll\n"
        "    for (int __rex_part = 0; __rex_part < REX_TILE; __rex_part++) {\n"
        "      const long long __rex_i = rex_part(__rex_first, __rex_part * _dev_thread_num, __rex_trips);\n"
        "      int i = (int)__rex_i;\n"
    ) in text
    values, stores = text.split("    #pragma unroll\n")[1:]
    assert '= &y[i];\n#line 7 "t.c"\n__rex_value_y[__rex_part] = a * __ldg(&x[i]);' in values
    assert "      if (__rex_first + __rex_part * _dev_thread_num < __rex_trips) {\n" in stores
    assert "*__rex_place_y[__rex_part] = __rex_value_y[__rex_part];" in stores and "x[i]" not in stores


def test_the_users_line_keeps_its_place() -> None:
    text = kernel("{\n  float v = x[i];\n\n  y[i] = v;\n}")
    line = text[text.index("#line 8 ") :].split("\n")
    assert line[1:6] == [
        "  float v = __ldg(&x[i]);",
        "",
        "  __rex_place_y[__rex_part] = &y[i];",
        '#line 10 "t.c"',
        "  __rex_value_y[__rex_part] = v;",
    ]


def test_a_value_in_lines_of_its_own_keeps_them() -> None:
    text = kernel("{\n  y[i] =\n      a // twice\n      * x[i];\n  k[i] = 1;\n}")
    line = text[text.index("#line 8 ") :].split("\n")
    assert line[1:5] == [
        "  __rex_place_y[__rex_part] = &y[i];",
        "      __rex_value_y[__rex_part] = a // twice",
        "      * __ldg(&x[i]);",
        "  __rex_place_k[__rex_part] = &k[i];",
    ]


def test_an_assignment_in_parentheses_is_not_taken_apart() -> None:
    assert remarks(output("(y[i] = a);"))[-1] == "a macro or parentheses hide this assignment"


def test_the_launch_has_as_many_blocks_as_there_are_tiles() -> None:
    found = output("y[i] = a * x[i];")
    assert "_num_blocks_ = rex_tiled_blocks(__device_id, __rex_tripcount, _threads_per_block_, 4);" in found.host
    assert remarks(found) == ["each thread executes 4 iterations side by side"]


def test_compound_assignments_use_the_place() -> None:
    text = kernel("d[k[i]] += a * 2;")
    assert "__rex_place_d[__rex_part] = &d[__ldg(&k[i])];\n" in text
    assert "__rex_value_d[__rex_part] = *__rex_place_d[__rex_part] + (a * 2);" in text
    assert "double *__rex_place_d[REX_TILE], __rex_value_d[REX_TILE];" in text
    assert "= *__rex_place_k[__rex_part] >> m;" in kernel("k[i] >>= m;")


def test_a_cast_to_a_reference_names_what_it_is_made_of() -> None:
    """A local that a tile stored to behind its iterations would be gone, and its iteration has read the old value."""
    source = f"{HEAD}void f({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {LISTED}\n{EACH} "
    text = compiled(f"{source}{{ float t = x[i]; (float &)t = t * 2; y[i] = t; }}\n}}\n", "t.cpp").kernels[0].body
    assert "(float &)t = t * 2;" in text and "&(float &)t" not in text and "__rex_place_y" in text


@pytest.mark.parametrize("named", ["i & 1 ? t : y[i]", "(i + 1, t)"])
def test_what_may_be_a_local_is_stored_where_it_stands(named: str) -> None:
    source = f"{HEAD}void f({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {LISTED}\n{EACH} "
    body = f"{{ float t = x[i]; float &r = {named}; r = 5; d[i] = t; }}"
    text = compiled(f"{source}{body}\n}}\n", "t.cpp").kernels[0].body
    assert " r = 5;" in text and "&r" not in text.replace("&r =", "")


@pytest.mark.parametrize("body", ["(Number(y[i])) = x[i]; d[i] = y[i];", "float &r{y[i]}; r = x[i]; d[i] = y[i];"])
def test_casts_and_lists_that_make_references_name_memory(body: str) -> None:
    """What is taken for a value of the iteration would be loaded as if nothing had stored it."""
    source = f"{HEAD}using Number = float &;\nvoid f({PARAMETERS}) {{\n"
    source += f"#pragma omp target teams distribute parallel for {LISTED}\n{EACH} {{ {body} }}\n}}\n"
    text = compiled(source, "t.cpp").kernels[0].body
    assert "d[i] = y[i];" in text and "__rex_place" not in text


def test_elements_in_locals_are_stored_with_the_tile() -> None:
    text = kernel("{ y[i] += x[i]; d[i] = d[i] * y[i]; }")
    assert "float __rex_cached_y = y[i];" in text and "double __rex_cached_d = d[i];" in text
    assert "__rex_place_y[__rex_part] = &y[i];\n      __rex_value_y[__rex_part] = __rex_cached_y;" in text
    assert "__rex_place_d[__rex_part] = &d[i];\n      __rex_value_d[__rex_part] = __rex_cached_d;" in text
    assert " y[i] = __rex" not in text


def test_bounds_and_steps_are_those_of_the_loop() -> None:
    text = kernel("y[i] = 1;", "for (int i = m; i >= n; i -= 3)")
    assert "__rex_trips = rex_tripcount_ge(m, n, 3);" in text and "int i = (int)(m - __rex_i * 3);" in text
    text = kernel("y[i] = 1;", "for (unsigned long i = 2; i < (unsigned long)n; i++)")
    assert "__rex_trips = rex_tripcount_lt(2, (unsigned long)n, 1);" in text
    assert "unsigned long i = (unsigned long)(2 + __rex_i);" in text


def test_collapsed_loops_have_tiles_of_neighbours_in_the_outermost_index() -> None:
    text = kernel(
        "y[i * m + j] = x[i * m + j];", "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++)", "collapse(2)"
    )
    assert "__rex_tile_rows = rex_tiling_rows(__rex_tiling);" in text
    assert "__rex_tiles = rex_tiling_tiles(__rex_tiling);" in text
    assert text.count("rex_divmod") == 1 and text.index("rex_divmod") < text.index("__rex_evaluate")
    row, end = "__rex_tile_row = __rex_above_j * __rex_tile_rows", "__rex_tile_row + __rex_tile_rows, __rex_trips_i"
    declared = f"const __rex_nest_number {row}, __rex_tile_end = rex_row_end({end});"
    assert declared in support.on_one_line(text)
    assert "const auto __rex_evaluate = [&](const __rex_nest_number __rex_i, const int __rex_part) {\n" in text
    assert "int i = (int)(1 + __rex_i);" in text and "int j = (int)__rex_j;" in text
    whole, single = text[text.index("if (__rex_tile_row + REX_TILE <= __rex_tile_end) {") :].split("} else {\n")
    assert "__rex_evaluate(__rex_tile_row + __rex_part, __rex_part);" in whole and "if (__rex_part" not in whole
    assert "for (__rex_nest_number __rex_i = __rex_tile_row; __rex_i < __rex_tile_end; __rex_i++) {" in single
    assert single.index("__rex_evaluate(__rex_i, 0);") < single.index("*__rex_place_y[0] = __rex_value_y[0];")
    assert text.count("x[i * m + j]") == 1, "the user's text stands once"


REFUSED = {
    "reduction(+ : m)": "it reduces",
    "num_teams(8)": "the program chooses its teams",
    "lastprivate(m)": "of 'lastprivate'",
    "schedule(static, 4)": "",
}


@pytest.mark.parametrize("clause", REFUSED)
def test_clauses_that_keep_a_loop_from_being_tiled(clause: str) -> None:
    body = "{ m = i; y[i] = m; }"
    if clause.startswith("reduction"):
        body = "m += i;"
    found = output(body, clauses=f"{LISTED} {clause}")
    assert "REX_TILE" not in found.device and "rex_tiled" not in found.host
    if REFUSED[clause]:
        assert remarks(found)[1] == REFUSED[clause]


def test_safelen_and_linear_order_iterations() -> None:
    for clause, construct in (("safelen(4)", "teams distribute parallel for simd"), ("linear(m)", "parallel for simd")):
        found = output("y[i] = m;", clauses=f"{LISTED} {clause}", construct=construct)
        assert "REX_TILE" not in found.device


def test_threads_of_one_team_and_teams_of_one_thread_take_one_at_a_time() -> None:
    for construct in ("parallel for num_threads(64)", "teams distribute num_teams(9)"):
        assert "REX_TILE" not in output("y[i] = x[i];", construct=construct).device
    assert "REX_TILE" in output("y[i] = x[i];", construct="teams loop").device
    assert "REX_TILE" in output("y[i] = x[i];", clauses=f"{LISTED} thread_limit(128)").device


BODIES = {
    "{ if (x[i] > 0) y[i] = 1; k[i] = 2; }": "this is stored under a condition",
    "{ if (x[i] > 0) { while (m > 2) k[i] = 3; } k[i] = 2; }": "there is more than declarations and assignments in it",
    "for (int j = 0; j < m; j++) y[i] += j;": "there is more than declarations and assignments in it",
    "k[i] = g(i);": "this call is not one of the few that are known to be light",
    "y[i] = sin(x[i]);": "this call is not one of the few that are known to be light",
    "k[i] = k[i + 1]++;": "this changes a value or takes an address inside an expression",
    "k[i] = m = 3;": "this changes a value or takes an address inside an expression",
    "k[i] = w(&k[i]);": "this call is not one of the few that are known to be light",
    "y[i] = vol[i];": "this is volatile",
    "y[i] = in[i];": "this is volatile",
    "vol[i] = 3;": "this is volatile",
    "s[i].bits = 3;": "what is stored here is no number",
    "s[i] = s[i + n];": "what is stored here is no number",
    "{ static int q = 3; k[i] = q; }": "this variable is no number or pointer of the iteration alone",
    "{ float t[3]; y[i] = 1; }": "this variable is no number or pointer of the iteration alone",
    "{ { y[i] = 1; } }": "there is more than declarations and assignments in it",
    "{ int t = 3; t += i; }": "it stores nothing",
    "{ y[2 * i] = x[i]; y[2 * i + 1] = y[2 * i]; }": "what this reads may be what the iteration has stored before",
    "y[i] = x[i] + x[i+1] + x[i+2] + x[i+3] + x[i+4] + x[i+5] + x[i+6] + x[i+7] + x[i+8];": (
        "an iteration has more than 8 loads"
    ),
}


@pytest.mark.parametrize("body", BODIES)
def test_what_keeps_an_iteration_from_being_light(body: str) -> None:
    found = output(body)
    assert "REX_TILE" not in found.device
    assert remarks(found)[:2] == ["each thread executes one iteration at a time", BODIES[body]]


def test_constructs_inside_are_not_tiled() -> None:
    for construct in ("atomic", "critical"):
        assert "REX_TILE" not in output(f"{{\n#pragma omp {construct}\n k[0] += 1; }}").device


def test_a_macro_that_assigns_is_not_taken_apart() -> None:
    source = (
        "#define SET(i) y[i] = 1\nvoid f(float *y, int n) {\n"
        f"#pragma omp target teams loop map(y[0:n])\n{EACH} SET(i);\n}}\n"
    )
    assert remarks(explained(source)) == [
        "each thread executes one iteration at a time",
        "a macro or parentheses hide this assignment",
    ]


def test_macros_inside_an_assignment_stay() -> None:
    source = (
        "#define AT(i, j) ((i) * m + (j))\n#define TWICE(x) ((x) + (x))\nvoid f(float *y, int n, int m) {\n"
        f"#pragma omp target teams loop map(y[0:n])\n{EACH} y[AT(i, 0)] = TWICE(m);\n}}\n"
    )
    assert "&y[AT(i, 0)]; __rex_value_y[__rex_part] = TWICE(m);" in support.on_one_line(compiled(source).device)


def test_two_arrays_in_one_statement_list_keep_their_order() -> None:
    text = kernel("{ float t = y[2 * i]; y[2 * i] = y[2 * i + 1]; y[2 * i + 1] = t; }", clauses="")
    assert text.index("*__rex_place_y[__rex_part] = ") < text.index("*__rex_place_y_2[__rex_part] = ")
    assert "__rex_value_y_2[__rex_part] = t;" in text


def test_the_way_to_an_element_of_an_array_of_arrays_reads_nothing() -> None:
    source = (
        "void f(double (*x)[40][40], double (*y)[40][40]) {\n#pragma omp target teams loop collapse(2)\n"
        "for (int i = 0; i < 40; i++) for (int j = 0; j < 40; j++) {\n"
        "  double t = x[i][j][0];\n  x[i][j][0] = y[i][j][0];\n  y[i][j][0] = t; }\n}\n"
    )
    assert "REX_TILE" in compiled(source).device
    rows = source.replace("(*x)[40][40]", "***x").replace("(*y)[40][40]", "***y")
    assert "REX_TILE" not in compiled(rows).device, "a store may change the pointers"


def test_instances_of_a_template_say_themselves_how_large_their_tiles_are() -> None:
    found = compiled(
        "struct Two { double a, b; Two &operator=(int n) { a = b = n; return *this; } };\n"
        "template <class T> void f(T *y, int n) {\n#pragma omp target teams loop map(y[0:n])\n"
        f"{EACH} y[i] = 1;\n}}\nvoid h(float *p, Two *q) {{ f(p, 4); f(q, 4); }}\n",
        "t.cpp",
    )
    host = support.on_one_line(found.host)
    assert host.count("rex_tiled_blocks(__device_id, __rex_tripcount, _threads_per_block_, ") == 1
    assert "key<T>::tile());" in host
    assert "static int tile() { return 4; }" in found.host and "static int tile() { return 1; }" in found.host


def test_the_cpu_device_takes_one_iteration_at_a_time() -> None:
    assert "#define REX_TILE" not in output("y[i] = 1;").cpu
    header = (support.PROGRAMS.parent.parent / "src/rexcc/runtime/include/rex_device_core.h").read_text()
    assert "#ifdef __CUDACC__\n#define REX_TILE 4\n#else\n#define REX_TILE 1\n" in header
