"""Arrays of an iteration whose elements only the run finds: each thread has a column of the block's memory."""

from __future__ import annotations

import re

import pytest

from support import compiled

PARAMETERS = "int n, int m, int *o, const int *k, const unsigned char *c, const float *x"
GRID = "teams distribute parallel for"
COUNTS = "for (int j = 0; j < m; j++) h[k[j * n + i] & 7]++;"


def body(statement: str, construct: str = GRID, name: str = "a.c", head: str = "") -> str:
    """Return the device text of a loop over the grid."""
    maps = "map(to: k[0:n], c[0:n], x[0:n]) map(tofrom: o[0:n])"
    source = (
        f"static void taken(int *p) {{ p[1] = 2; }}\n{head}\n"
        f"void f({PARAMETERS}) {{\n#pragma omp target {construct} {maps}\n"
        f"  for (int i = 0; i < n; i++) {{ {statement} }}\n}}\n"
    )
    return compiled(source, name).kernels[0].body


def columns(text: str) -> list[tuple[str, str, int]]:
    """Return the name, the type and extent, and the threads of each array in columns; small elements share words."""
    memory = dict(re.findall(r"__shared__ rex_columns<([^>]+)> __rex_room_(\w+);", text))
    found = re.findall(r"rex_column<([\w ]+), (\d+), (\d+)((?:, \d)?)> (\w+)\(__rex_room_\5\);", text)
    assert {f"{kind}, {count}, {threads}{word}": name for kind, count, threads, word, name in found} == memory
    return [(name, f"{kind}[{count}{word}]", int(threads)) for kind, count, threads, word, name in found]


@pytest.mark.parametrize(
    ("kind", "count", "array"),
    [
        ("int", 8, "int[8]"),
        ("int", 32, "int[32]"),
        ("float", 8, "float[8]"),
        ("double", 4, "double[4]"),
        ("unsigned char", 4, "unsigned char[4]"),
        ("double", 5, "double[5]"),
        ("unsigned char", 16, "unsigned char[16]"),
        ("unsigned char", 64, "unsigned char[64, 4]"),
        ("short", 18, "short[18]"),
        ("short", 19, "short[19]"),
        ("_Bool", 40, "bool[40]"),
        ("_Bool", 41, "bool[41, 4]"),
        ("short", 41, "short[41, 2]"),
    ],
)
def test_elements_of_all_threads_with_one_index_lie_side_by_side(kind: str, count: int, array: str) -> None:
    text = body(f"{kind} h[{count}]; for (int j = 0; j < m; j++) h[k[j * n + i] % {count}] = j; o[i] = h[2];")
    assert columns(text) == [("h", array, 256)]
    assert f"h[k[j * n + i] % {count}] = j" in text or f"h[__ldg(&k[j * n + i]) % {count}] = j" in text


@pytest.mark.parametrize(
    ("written", "declared"),
    [
        ("int h[8];", "rex_column<int, 8, 256> h(__rex_room_h);"),
        ("int h[8], at = 0, *p = o;", "rex_column<int, 8, 256> h(__rex_room_h); int at = 0, *p = o;"),
        ("int at = 0, h[8], *p = o;", "rex_column<int, 8, 256> h(__rex_room_h); int at = 0, *p = o;"),
        ("int at = 0, *p = o, h[8];", "rex_column<int, 8, 256> h(__rex_room_h); int at = 0, *p = o;"),
        ("int h[8], g[9], at = 0, q[8];", "g(__rex_room_g); rex_column<int, 8, 256> q(__rex_room_q); int at = 0;"),
        ("int h[8], g[9];", "rex_column<int, 8, 256> h(__rex_room_h); rex_column<int, 9, 256> g(__rex_room_g);"),
    ],
)
def test_other_declarators_stay(written: str, declared: str) -> None:
    more = "".join(f"{COUNTS.replace('h[', f'{name}[')} o[i] += {name}[0];" for name in "gq" if f"{name}[" in written)
    assert declared in " ".join(body(f"{written} {COUNTS} {more} o[i] += h[0];").split())


@pytest.mark.parametrize(
    "statement",
    [
        f"int h[8], s = 0; for (int j = 0; j < 8; j++) h[j] = 0; {COUNTS} o[i] = h[0] + s;",
        "int h[8]; for (int j = 0; j < m; j++) h[i + j & 7] = 3; o[i] = h[m & 7];",
        "int h[8]; int at = 0; for (int j = 0; j < 8; j++) if (x[j * n + i] > 0) h[at++] = j; o[i] = h[0];",
        "int h[8]; for (int j = 0; j < m; j++) { int at = k[i + j]; int next = at + 1; h[next] = i; } o[i] = h[0];",
        "float h[8]; for (int j = 0; j < m; j++) { int p = 7; float v = x[j * n + i]; "
        "while (p > 0 && h[p - 1] > v) { h[p] = h[p - 1]; p--; } h[p] = v; } o[i] = h[0];",
        "int h[8], at = 0; h[at++] = 1; "
        "while (at > 0) { int e = h[--at]; if (k[e + i] > 0) h[at++] = e; } o[i] = h[0];",
    ],
)
def test_an_index_differs_from_thread_to_thread(statement: str) -> None:
    assert [name for name, *_ in columns(body(statement))] == ["h"]


LOOKS = "for (int j = 0; j < m; j++) "


@pytest.mark.parametrize(
    ("declared", "loop", "is_enough"),
    [
        ("int h[3];", COUNTS, False),
        ("int h[4];", COUNTS, True),
        ("long h[3];", COUNTS, False),
        ("long h[4];", COUNTS, True),
        ("short h[3];", COUNTS, False),
        ("short h[4];", COUNTS, True),
        ("int h[3], s = 0;", f"{LOOKS} s += h[k[j * n + i]]; o[i] = s;", False),
        ("int h[4], s = 0;", f"{LOOKS} s += h[k[j * n + i]]; o[i] = s;", True),
        ("int h[3], at = 0;", f"{LOOKS} if (x[j] > i) h[at++] = j;", False),
        ("int h[4], at = 0;", f"{LOOKS} if (x[j] > i) h[at++] = j;", True),
        ("int h[16];", "h[k[i]] = 3;", False),
        ("int h[16];", "for (int j = 0; j < 8; j++) h[k[j]] = 3;", False),
        ("int h[16];", "for (int j = 0; j < 8; j++) for (int l = 0; l < 2; l++) h[k[j + l + i]] = 3;", True),
        ("int h[16];", f"{LOOKS} h[k[j] > 0 ? 1 : 2]++;", False),
        ("int h[16];", f"{LOOKS} h[k[j] > 0 ? 1 : j]++;", False),
        ("int h[16];", f"{LOOKS} h[k[j] > 0 ? 1 : k[i + j]]++;", True),
        ("int h[16];", f"{LOOKS} h[k[j] > i]++;", False),
        ("int h[16];", f"{LOOKS} {{ int at = 1; if (k[j] > i) at = 2; h[at]++; }}", False),
        ("int h[16];", f"{LOOKS} {{ int at = 1; if (k[j] > i) at = j; h[at]++; }}", True),
    ],
)
def test_smaller_arrays_and_rare_look_ups_are_chosen_from_registers(declared: str, loop: str, is_enough: bool) -> None:
    text = body(f"{declared} for (int l = 0; l < 3; l++) h[l] = 0; {loop} o[i] += h[0] + h[1];")
    assert ("rex_column" in text) == is_enough


@pytest.mark.parametrize(
    "statement",
    [
        "int h[8]; for (int j = 0; j < 8; j++) h[j] = k[j * n + i]; o[i] = h[0] + h[7];",
        "int h[8]; for (int j = 0; j < m; j++) h[j] = k[j * n + i]; o[i] = h[m];",
        "int h[8], at = 0; for (int j = 0; j < 8; j++) h[at++] = k[j * n + i]; o[i] = h[0];",
        "int h[8]; if (k[i] > 0) { int at = 0; h[at++] = 1; h[at] = 2; } o[i] = h[0];",
        f"int h[3]; {COUNTS} o[i] = h[0];",
        f"int h[41]; {COUNTS} o[i] = h[0];",
        f"double h[21]; {COUNTS} o[i] = h[0];",
        f"int h[8] = {{0}}; {COUNTS} o[i] = h[0];",
        f"int h[2][8]; h[k[i]][0] = 1; {COUNTS.replace('h[', 'h[0][')} o[i] = h[0][0];",
        f"volatile int h[8]; {COUNTS} o[i] = h[0];",
        f"_Alignas(16) int h[8]; {COUNTS} o[i] = h[0];",
        f"int h[8] __attribute__((aligned(16))); {COUNTS} o[i] = h[0];",
        f"int *h[8]; {COUNTS.replace('++', ' = o')} o[i] = *h[0];",
        f"int h[8]; {COUNTS} int *p = h; o[i] = p[0];",
        f"int h[8]; {COUNTS} int *p = &h[1]; o[i] = p[0];",
        f"int h[8]; {COUNTS} taken(h); o[i] = h[0];",
        f"int h[8]; {COUNTS} o[i] = sizeof h;",
        f"int h[8]; {COUNTS} __typeof__(h) g; g[0] = h[0]; o[i] = g[0];",
        "int h[8]; (k[i] & 7)[h] = 3; o[i] = h[0];",
        f"if (m) {{ int h[8]; {COUNTS} o[i] = h[0]; }} for (int h[8], j = 0; j < 8; j++) h[k[j]] = o[i] = j;",
        f"int h[8]; {COUNTS} o[i] = h[0]; {{ int h[8]; {COUNTS} o[i] += h[0]; }}",
        f"switch (m) {{ case 1:; int h[8]; {COUNTS} o[i] = h[0]; break; case 2: o[i] = 3; }}",
        f"if (m) goto end; int h[8]; {COUNTS} o[i] = h[0]; end:;",
    ],
)
def test_other_arrays_are_the_threads_own_variables(statement: str) -> None:
    assert "rex_column" not in body(statement)


@pytest.mark.parametrize(
    ("construct", "threads", "has_columns"),
    [
        (f"{GRID} thread_limit(64)", 64, True),
        (f"{GRID} thread_limit(512)", 512, True),
        (f"{GRID} thread_limit(8)", 8, False),
        (f"{GRID} num_threads(m)", 0, False),
        (f"{GRID} num_teams(4)", 0, False),
        (f"{GRID} reduction(+ : m)", 0, False),
        ("teams distribute", 256, True),
        ("parallel", 0, False),
    ],
)
def test_a_block_of_a_known_width_has_them(construct: str, threads: int, has_columns: bool) -> None:
    text = body(f"int h[8]; {COUNTS} o[i] = h[0]; ", construct)
    assert columns(text) == ([("h", "int[8]", threads)] if has_columns else [])


def test_variables_of_teams_have_the_memory_of_a_block() -> None:
    loop = f"int h[8]; {COUNTS} o[i] = h[0] + g[k[i]];"
    assert columns(body(loop, head="static int g[8];")) != []
    assert columns(body(loop, head="static int g[8];\n#pragma omp groupprivate(g)")) == []


def test_iterations_with_constructs_have_none() -> None:
    assert "rex_column" not in body(f"int h[8]; {COUNTS}\n#pragma omp atomic\no[h[0]]++;\n")


def test_memory_of_a_block_is_for_the_first_that_it_is_enough_for() -> None:
    counts = " ".join(COUNTS.replace("h[", f"{name}[") for name in "hgq")
    text = body(f"int g[30], h[12], q[6 + 4]; {counts} o[i] = g[0] + h[0] + q[0];")
    assert columns(text) == [("g", "int[30]", 256), ("q", "int[10]", 256)]
    text = body(f"short h[18]; {COUNTS} o[i] = h[0];", f"{GRID} thread_limit(576)")
    assert columns(text) == [("h", "short[18, 2]", 576)]
    text = body(f"int h[20]; {COUNTS} o[i] = h[0];", f"{GRID} thread_limit(1024)")
    assert columns(text) == []


SORT = "for (int j = 0; j < m; j++) { h[k[j * n + i] & 7] = j; "


@pytest.mark.parametrize(
    "statement",
    [
        "int &r = h[k[i] & 7], &s = h[2]; int kept = r; r = s, s = kept; }",
        "std::swap(h[k[j] & 7], h[2]); o[i] = std::min(h[1], h[3]); }",
        "const int &r = h[k[i]]; (h[2] = 3) += 2; o[i] = r + ++h[3] + h[4]++; }",
        "taken_by_value(h[k[j] & 7]); }",
    ],
)
def test_elements_that_are_read_and_written_may_have_other_names(statement: str) -> None:
    head = "#include <algorithm>\nstatic void taken_by_value(int) {}"
    assert columns(body(f"int h[8]; {SORT} {statement} o[i] = h[0];", name="a.cpp", head=head))


@pytest.mark.parametrize(
    "statement",
    [
        "int &r = h[0]; int *p = &r; o[i] = p[1]; }",
        "int &r = h[0]; int &s = r; o[i] = (&s)[1]; }",
        "taken_by_reference(h[0]); }",
        "o[i] = (&std::min(h[0], h[1]))[1]; }",
        "o[i] = (&(h[0] = 3))[1]; }",
        "o[i] = (&++h[0])[1]; }",
        "decltype(h) g; g[1] = 3; o[i] = g[1]; }",
        "auto of = [&] { h[0] = 2; }; of(); }",
        "for (int v : h) o[i] += v; }",
        "holder one{h[0]}; o[i] = (&one.value)[1]; }",
    ],
)
def test_elements_whose_neighbours_may_be_found_from_them_lie_in_a_row(statement: str) -> None:
    head = (
        "#include <algorithm>\nstatic void taken_by_reference(int &p) { (&p)[1] = 2; }\nstruct holder { int &value; };"
    )
    assert "rex_column" not in body(f"int h[8]; {SORT} {statement} o[i] = h[0];", name="a.cpp", head=head)


def test_each_instance_of_a_template_has_its_own() -> None:
    head = "template <class E, int N> void g(int n, int m, const int *k, E *o) {\n"
    head += f"#pragma omp target {GRID} thread_limit(32 * N) map(to: k[0:n]) map(tofrom: o[0:n])\n"
    head += f"for (int i = 0; i < n; i++) {{ E h[N]; {COUNTS} o[i] = h[0]; }} }}\n"
    calls = "g<int, 8>(n, m, k, o); g<short, 12>(n, m, k, s);"
    source = f"{head}void f(int n, int m, const int *k, int *o, short *s) {{ {calls} }}"
    kernels = compiled(source, "a.cpp").kernels
    assert [columns(kernel.body) for kernel in kernels] == [[("h", "int[8]", 256)], [("h", "short[12]", 384)]]
