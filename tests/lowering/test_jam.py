"""Inner loops of several iterations as one: which nests have them, and what they become.

Texts of kernels and remarks are looked at; ``execution/programs/jammed.c`` runs.
"""

from __future__ import annotations

import pytest

import support
from lowering.test_tiles import explained, remarks
from rexcc.program.optimisations import left_out
from support import Output

HEAD = (
    "#include <math.h>\n#define ADD s += a[i]; s += b[j]\n"
    "typedef struct { float x, y; } P; static float half(float x) { return x / 2; }\n"
)
PARAMETERS = (
    "int n, int m, float *a, float *b, float *c, float *e, double *d, int *k, long *w, P *p, volatile float *v, "
    "float t, float *r"
)
LISTED = "map(tofrom : a[0:n], b[0:n], c[0:n], e[0:n], d[0:n], k[0:n], w[0:n], p[0:n], v[0:n])"
EACH = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
TOGETHER = "each thread executes the inner loops of 8 iterations together"
Q = "for (int q = 0; q < n; q++)"
AB = "a[i * n + q] * b[q * n + j]"


def output(body: str, loops: str = EACH, clauses: str = "collapse(2)", name: str = "t.c") -> Output:
    """Translate a nest."""
    construct = f"#pragma omp target teams distribute parallel for {clauses} {LISTED}"
    return explained(f"{HEAD}void f({PARAMETERS}) {{\nint o;\n{construct}\n{loops} {body}\n}}\n", name)


def decided(body: str, loops: str = EACH, clauses: str = "collapse(2)") -> str:
    """Return what is told of a nest: that it is made, or why it is not."""
    return remarks(output(body, loops, clauses))[-1]


PARTS = "for (int __rex_part = 0; __rex_part < __rex_parts.count; __rex_part++) {"
ROW = "const long long __rex_i = rex_part(__rex_tile_row, __rex_part / __rex_parts.columns, __rex_trips_i);"
COLUMN = "const long long __rex_j = rex_part(__rex_tile_column, __rex_part % __rex_parts.columns, __rex_trips_j);"
INDEX = [ROW, COLUMN, "int i = (int)__rex_i;", "int j = (int)__rex_j;"]
BEYOND = (
    "if (__rex_tile_row + __rex_part / __rex_parts.columns >= __rex_trips_i) continue;",
    "if (__rex_tile_column + __rex_part % __rex_parts.columns >= __rex_trips_j) continue;",
)
GRID = "rex_jams<2>(__rex_trips, __rex_trips_j, _dev_thread_num)"
RACED = "const bool __rex_raced = __rex_trips_i > 1 && __rex_trips_j > 1;"
HEADER = "rex_by_parts<2>(__rex_together, [&](const auto __rex_parts) {"


def asked(condition: str) -> str:
    return f"const bool __rex_together = {condition};"


def form(body: str) -> list[str]:
    """Return the lines of a nest's form."""
    text = output(body).kernels[0].body
    return [x.strip() for x in text[text.index("  const bool __rex_") :].splitlines() if not x.startswith("#line")]


def test_the_form() -> None:
    assert form(f"{{\n  float s = t;\n  {Q} s += {AB};\n  c[i * n + j] = s;\n}}") == [
        *(asked(GRID), HEADER),
        "const long long __rex_columns = rex_pieces(__rex_trips_j, __rex_parts.columns);",
        "const long long __rex_tiles = rex_pieces(__rex_trips_i, __rex_parts.rows) * __rex_columns;",
        "#pragma unroll 1",
        "for (long long __rex_iteration = _dev_thread_id; __rex_iteration < __rex_tiles; "
        "__rex_iteration += _dev_thread_num) {",
        "long long __rex_above_j, __rex_tile_column;",
        "rex_divmod(__rex_iteration, __rex_columns, &__rex_above_j, &__rex_tile_column);",
        "__rex_tile_column *= __rex_parts.columns;",
        "const long long __rex_tile_row = __rex_above_j * __rex_parts.rows;",
        "float __rex_parts_of_s[__rex_parts.count];",
        *("#pragma unroll", PARTS, "float s = t;", "__rex_parts_of_s[__rex_part] = s;", "}"),
        *("for (int q = 0; q < n; q++)", "{", "#pragma unroll", PARTS, *INDEX),
        *("float &s = __rex_parts_of_s[__rex_part];", "s += __ldg(&a[i * n + q]) * __ldg(&b[q * n + j]); } }"),
        *("#pragma unroll", PARTS, *BEYOND, *INDEX, "float &s = __rex_parts_of_s[__rex_part];"),
        *("c[i * n + j] = s; }", "}", "});"),
    ]


def test_a_loop_that_is_another_one_in_each_column() -> None:
    triangle = form(f"{{\n  float s = 0;\n  for (int q = 0; q < j; q++) s += {AB};\n  c[i * n + j] = s;\n}}")
    sums = f"{{\n  double s = 0, u = 0;\n  {Q} {{ s += {AB}; u -= {AB}; }}\n  c[i * n + j] = s + u;\n}}"
    for lines in (triangle, form(sums)):
        assert lines[0].startswith("const bool __rex_together = rex_jams<1>(") and lines[1].startswith(
            "rex_by_parts<1>("
        )
        assert lines[6:10] == [
            "long long __rex_above_j, __rex_j;",
            "rex_divmod(__rex_iteration, __rex_columns, &__rex_above_j, &__rex_j);",
            "const long long __rex_tile_row = __rex_above_j * __rex_parts.rows;",
            "int j = (int)__rex_j;",
        ]
        assert COLUMN not in lines


@pytest.mark.parametrize(
    ("array", "opening"), [("c", [asked(GRID), HEADER]), ("r", [RACED, asked(f"{GRID} && __rex_raced"), HEADER])]
)
def test_the_form_of_an_element(array: str, opening: list[str]) -> None:
    lines = form(f"{{\n  {Q} {array}[i * n + j] += {AB};\n}}")
    local, element = f"__rex_parts_of_cached_{array}[__rex_part]", f"{array}[i * n + j]"
    loads = ("__ldg(&a[i * n + q])", "__ldg(&b[q * n + j])") if array == "c" else ("a[i * n + q]", "b[q * n + j]")
    assert lines[: len(opening)] == opening
    assert lines[len(opening) + 8 :] == [
        f"float __rex_parts_of_cached_{array}[__rex_parts.count];",
        *("if (__rex_parts.count > 1) {", "#pragma unroll", PARTS, *INDEX),
        *(f"if (n > 0) {local} = {element};", "}", "}"),
        *("for (int q = 0; q < n; q++)", "{", "#pragma unroll", PARTS, *INDEX),
        f"float &__rex_cached_{array} = rex_part_element(__rex_parts, {local}, {element});",
        f"__rex_cached_{array} += {' * '.join(loads)}; }} }}",
        *("if (__rex_parts.count > 1) {", "#pragma unroll", PARTS, *BEYOND, *INDEX),
        *(f"if (n > 0) {element} = {local};", "}", "}", "}", "});"),
    ]


def test_the_launch_has_fewer_teams() -> None:
    found = output(f"{{ float s = 0; {Q} s += {AB}; c[i * n + j] = s; }}")
    assert "rex_tiled_blocks(__device_id, __rex_tripcount, _threads_per_block_, 8)" in found.host


@pytest.mark.parametrize(
    "body",
    [
        f"{{ float s = 0; {Q} s += {AB}; c[i * n + j] = s; }}",
        "{ float s = 0; for (int q = 0; q < n; q++) s += d[i * n + q] * d[q * n + j]; w[i * n + j] = s; }",
        "{ int s; s = j; for (long q = n; q > m; q -= 3) { s = s * 3 + k[q * n + j]; } w[i * n + j] = s; }",
        f"{{ float s = c[i * n + j] * t; {Q} s += t * {AB}; c[i * n + j] = s; }}",
        f"{{ float *row = a + i * n, s = 0; {Q} s += row[q] * b[q * n + j]; if (s > t) s = t; c[i * n + j] += s; }}",
        f"{{ float s = 0, u = 0; {Q} {{ float x = b[q * n + j]; s += x * a[i * n + q]; u = fmaxf(u, x); }} "
        "c[i * n + j] = s; e[i * n + j] = u; }",
        f"{{ float s = 0; {Q} s += {AB}; float u = s / 2; for (int q = 1; q < m; q++) u -= {AB}; c[i * n + j] = u; }}",
        f"{{ float s = 0; {Q} s += a[k[q] + i] * b[k[q] * n + j - 1]; c[i * n + j] = half(s); }}",
        f"{{ c[i * n + j] *= t; {Q} c[i * n + j] += t * {AB}; }}",
        f"{{ c[i * n + j] = 0; {Q} c[i * n + j] = c[i*n + j] + {AB}; e[i] = c[i * n + j]; }}",
        f"{{ {Q} c[i * n + j] += {AB}; }}",
    ],
)
def test_inner_loops_that_share_loads(body: str) -> None:
    assert decided(body) == TOGETHER


def test_other_nests() -> None:
    inner = "for (int q = 0; q < n; q++) s += a[i * n + q] * b[(l * n + q) * n + j];"
    three = "for (long i = n; i > 0; i -= 2) for (int l = 0; l < m; l++) for (int j = 0; j < n; j++)"
    assert decided(f"{{ float s = 0; {inner} c[(i * n + l) * n + j] = s; }}", three, "collapse(3)") == TOGETHER
    inner = "for (o = 0; o < n; o++) s += a[i * n + o] * b[o * n + j];"
    assert decided(f"{{ float s = 0; {inner} c[i * n + j] = s + o; }}", clauses="collapse(2) private(o)") == TOGETHER


@pytest.mark.parametrize(
    ("loop", "reason"),
    [
        (f"{Q} s += a[i * n + q] * a[j * n + q];", "neighbouring iterations do not have this element in common"),
        (f"{Q} s += b[q * n + j] * e[(q + i) * n + j];", "neighbouring iterations do not have this element in common"),
        (f"{Q} s += b[q * n + 2 * j];", "neighbouring iterations do not have this element in common"),
        (f"{Q} s += a[i * n + q];", "neighbouring iterations have no elements in common"),
        (f"{Q} s += p[q * n + j].x * a[i];", "this is a member of an element"),
        (f"{Q} if (q != i) s += {AB};", "there is a condition in the inner loop"),
        (f"{Q} s += q > i ? {AB} : 0;", "there is a condition in the inner loop"),
        (f"{Q} s += (q > i && t) * {AB};", "there is a condition in the inner loop"),
        (f"{Q} {{ if (q == m) break; s += {AB}; }}", "the inner loop has another form than OpenMP's loops"),
        (f"{Q} {{ if (q == m) continue; s += {AB}; }}", "there is more than declarations and assignments in it"),
        (f"{Q} e[i * n + q] += {AB};", "this is no variable of the iteration"),
        (f"e[j] = 0; {Q} e[j] += {AB} + e[i];", "the iteration uses several elements of 'e'"),
        (f"e[j] = 0; {Q} e[i] += {AB};", "the iteration uses several elements of 'e'"),
        (f"{{ float *g = e; g[j] = 1; }} {Q} e[j] += {AB};", "this is another use of 'e', of which an inner loop writes an element"),  # noqa: E501
        (f"if (t) e[j] = 1; {Q} e[j] += {AB};", "this element may not be used in every iteration"),
        (f"{Q} e[j] += {AB}; {Q} e[j] -= b[q * n + j];", "this element may not be used in every iteration"),
        (f"{Q} w[k[j] += 1] = 0;", "this changes a value or takes an address inside an expression"),
        (f"#define E e[j]\ne[j] = 0; {Q} E += {AB};", "this does more than read or write a value, or a macro has a part in it"),  # noqa: E501
        (f"{Q} r[j] += {AB}; s = b[j];", "this may be 'r[j]', which an inner loop writes"),
        (f"{Q} r[j] += {AB}; b[j] = s;", "this may be 'r[j]', which an inner loop writes"),
        (f"for (int q = 0; q < j; q++) r[j] += {AB};", "this may be 'r[j]', which an inner loop writes"),
        (f"{Q} {{ int n = q; e[i * n + j] += {AB}; }}", "this is no variable of the iteration"),
        (f"{Q} {{ int m = q; e[j] += {AB} * m; }} int *e = k;", "this hides a name in an element that an inner loop writes"),  # noqa: E501
        (f"{Q} {{ float &z = s; z += {AB}; }}", "this is no variable of the iteration"),
        (f"{Q} t += {AB};", "this is no variable of the iteration"),
        (f"{Q} s += exp2f({AB});", "this call in the inner loop is not one of an instruction or two"),
        (f"{Q} s += half({AB});", "this call in the inner loop is not one of an instruction or two"),
        (f"{Q} s += v[q] * {AB};", "this is volatile"),
        (f"{Q} for (int z = 0; z < m; z++) s += {AB};", "there is more than declarations and assignments in it"),
        (f"{Q} {{ int j = q; s += {AB}; }}", "this hides a variable of the iteration"),
        (f"{Q} {{ s += {AB}; x += s; y += s; }}", "it has more than 2 sums"),
        (f"{Q} s += {AB} + c[q] + e[q] + d[q];", "the inner loop loads more than 4 elements"),
        (f"{Q} {{ s += b[z * n + j]; z = q; }}", "it is not known which elements this leads to"),
        (f"for (int q = 0; q < i; q++) s += {AB};", "this is not the same for neighbours in the outermost loop"),
        (f"for (int q = z; q < n; q++) s += {AB};", "this is not the same for neighbours in the outermost loop"),
        (f"for (int q = 0; q < n; q += i) s += {AB};", "this is not the same for neighbours in the outermost loop"),
        (f"for (int q = 0; q < k[z]; q++) s += {AB};", "this is not the same for neighbours in the outermost loop"),
        ("for (int i = 0; i < n; i++) s += a[i] * b[i * n + j];", "the inner loop's index hides another variable"),
        (f"for (int q = 0; q * q < n; q++) s += {AB};", "the inner loop has another form than OpenMP's loops"),
        (f"ADD; {Q} s += {AB};", "a macro hides where a statement ends"),
        (f"c[i] = s; {Q} s += {AB};", "this is stored before the inner loop has ended"),
        (f"if (t) s = 1; {Q} s += {AB};", "there is a condition in front of the inner loop"),
        (f"t = s; {Q} s += {AB};", "an iteration may leave this to the next one"),
        (f"r = &s; {Q} s += {AB};", "this changes a value or takes an address inside an expression"),
        (f"P pair; {Q} s += {AB};", "this variable is no number or pointer of the iteration alone"),
        (f"float none; {Q} {{ s += {AB}; none = s; }} s += none;", "this variable may have no value in front of the inner loop"),  # noqa: E501
        (f"float &other = c[i]; {Q} s += {AB}; s += other;", "this is a reference"),
        (f"float &other = s; {Q} s += {AB}; other += 1;", "an iteration may leave this to the next one"),
        (f"bool other = z; {Q} s += {AB}; s += other;", "this variable is no number, and no pointer to numbers"),
        (f"{Q} s += {AB}; if (s > 1) c[i] = s;", "this is stored under a condition"),
        (f"{Q} s += {AB}; s += hypotf(s, t);", "this call is not one of the few that are known to be light"),
    ],
)  # fmt: skip
def test_other_loops_stay_alone(loop: str, reason: str) -> None:
    body = f"{{\nfloat s = 0, x = 0, y = 0; int z = i;\n{loop}\nc[i * n + j] = s + x + y + z; }}"
    source = output(body, name="t.cpp" if "float &" in loop or "bool" in loop else "t.c")
    assert remarks(source)[-1] == reason
    assert "__rex_parts" not in source.kernels[0].body


@pytest.mark.parametrize(
    ("loops", "clauses"),
    [
        (EACH, "collapse(2) num_teams(8)"),
        (EACH, "collapse(2) schedule(static, 4)"),
        (EACH, "collapse(2) lastprivate(t)"),
        (EACH.replace("j++", "j += 2"), "collapse(2)"),
        ("for (int j = 0; j < n; j++) for (int i = 0; i < n; i++)", "collapse(2)"),
    ],
)
def test_other_loops_around(loops: str, clauses: str) -> None:
    found = output(f"{{ float s = 0; {Q} s += {AB}; c[i * n + j] = s; }}", loops, clauses)
    assert "__rex_parts" not in found.kernels[0].body


def test_instances_of_templates_have_types_of_their_own() -> None:
    nest = f"{EACH} {{ T s = 0; {Q} s += {AB}; c[i * n + j] = s; }}"
    construct = "#pragma omp target teams distribute parallel for collapse(2)"
    found = explained(
        f"template <class T> void f(int n, T *a, T *b, T *c) {{\n{construct}\n{nest}\n}}\n"
        "void g(int n, float *x, int *y) { f(n, x, x, x); f(n, y, y, y); }\n",
        "t.cpp",
    )
    declared = [
        line for kernel in found.kernels for line in kernel.body.splitlines() if "__rex_parts_of_s[__rex_parts." in line
    ]
    assert [line.strip() for line in declared] == [
        f"{kind} __rex_parts_of_s[__rex_parts.count];" for kind in ("float", "int")
    ]


def test_tiles_left_out() -> None:
    construct = "#pragma omp target teams distribute parallel for collapse(2)"
    nest = f"{construct}\n{EACH} {{ float s = 0; {Q} s += {AB}; c[i * n + j] = s; }}"
    source = f"void f(int n, float *a, float *b, float *c) {{\n{nest}\n}}\n"
    made = [support.translate_text(source, left_out=left_out(names)).device for names in ([], ["no-tiles"])]
    assert ["rex_by_parts<2>(" in device.text for device in made if device is not None] == [True, False]
