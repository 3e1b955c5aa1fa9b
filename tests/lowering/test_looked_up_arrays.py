"""Arrays of an iteration whose elements only the run finds: each thread's lie in a room of the block's memory."""

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


def rooms(text: str) -> list[tuple[str, str, int, int]]:
    """Return the type, the name, the threads and the elements between two threads' of each room."""
    found = re.findall(r"__shared__ ([\w ]+) __rex_room_(\w+)\[(\d+) \* (\d+)\];", text)
    return [(kind, name, int(threads), int(apart)) for kind, name, threads, apart in found]


@pytest.mark.parametrize(
    ("kind", "count", "room", "apart"),
    [
        ("int", 8, "int", 9),
        ("float", 16, "float", 17),
        ("double", 5, "double", 5),
        ("unsigned char", 16, "unsigned", 5),
        ("short", 7, "unsigned", 5),
    ],
)
def test_threads_have_rooms_that_begin_in_different_banks(kind: str, count: int, room: str, apart: int) -> None:
    text = body(f"{kind} h[{count}]; for (int j = 0; j < m; j++) h[k[j * n + i] % {count}] = j; o[i] = h[2];")
    assert rooms(text) == [(room, "h", 256, apart)]
    assert f"{kind} (&h)[{count}] = *({kind} (*)[{count}])(__rex_room_h + threadIdx.x * {apart});" in text


@pytest.mark.parametrize(
    "statement",
    [
        f"int h[8], s = 0; for (int j = 0; j < 8; j++) h[j] = 0; {COUNTS} o[i] = h[0] + s;",
        "int h[8]; h[i & 7] = 3; o[i] = h[m & 7];",
        "int h[8]; int at = 0; for (int j = 0; j < 8; j++) if (x[j * n + i] > 0) h[at++] = j; o[i] = h[0];",
        "int h[8]; int at = k[i]; const int next = at + 1; h[next] = i; o[i] = h[0];",
        "float h[8]; for (int j = 0; j < m; j++) { int p = 7; float v = x[j * n + i]; "
        "while (p > 0 && h[p - 1] > v) { h[p] = h[p - 1]; p--; } h[p] = v; } o[i] = h[0];",
        "int h[8], at = 0; h[at++] = 1; "
        "while (at > 0) { int e = h[--at]; if (k[e + i] > 0) h[at++] = e; } o[i] = h[0];",
    ],
)
def test_an_index_differs_from_thread_to_thread(statement: str) -> None:
    assert [room[1:] for room in rooms(body(statement))] == [("h", 256, 9)]


@pytest.mark.parametrize(
    "statement",
    [
        "int h[8]; for (int j = 0; j < 8; j++) h[j] = k[j * n + i]; o[i] = h[0] + h[7];",
        "int h[8]; for (int j = 0; j < m; j++) h[j] = k[j * n + i]; o[i] = h[m];",
        "int h[8], at = 0; for (int j = 0; j < 8; j++) h[at++] = k[j * n + i]; o[i] = h[0];",
        "int h[8]; if (k[i] > 0) { int at = 0; h[at++] = 1; h[at] = 2; } o[i] = h[0];",
        f"int h[4]; {COUNTS} o[i] = h[0];",
        f"int h[18]; {COUNTS} o[i] = h[0];",
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
        f"int h[8]; {COUNTS} o[i] = h[0]; {{ int h[8]; {COUNTS} o[i] += h[0]; }}",
        f"switch (m) {{ case 1:; int h[8]; {COUNTS} o[i] = h[0]; break; case 2: o[i] = 3; }}",
        f"if (m) goto end; int h[8]; {COUNTS} o[i] = h[0]; end:;",
    ],
)
def test_other_arrays_are_the_threads_own_variables(statement: str) -> None:
    assert "__rex_room" not in body(statement)


@pytest.mark.parametrize(
    ("construct", "threads", "has_room"),
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
def test_a_block_of_a_known_width_has_them(construct: str, threads: int, has_room: bool) -> None:
    text = body(f"int h[8]; {COUNTS} o[i] = h[0]; ", construct)
    assert rooms(text) == ([("int", "h", threads, 9)] if has_room else [])


def test_iterations_with_constructs_have_none() -> None:
    assert "__rex_room" not in body(f"int h[8]; {COUNTS}\n#pragma omp atomic\no[h[0]]++;\n")


def test_memory_of_a_block_is_for_the_first_that_it_is_enough_for() -> None:
    text = body(f"int g[12], h[8], q[6 + 1]; {COUNTS} g[k[i]] = 1; q[k[i]] = h[0]; o[i] = g[0] + q[0];")
    assert rooms(text) == [("int", "g", 256, 13)]
    text = body(f"int h[8], q[7]; {COUNTS} q[k[i]] = h[0]; o[i] = q[0];")
    assert rooms(text) == [("int", "h", 256, 9), ("int", "q", 256, 7)]


def test_each_instance_of_a_template_has_its_own() -> None:
    head = "template <class E, int N> void g(int n, int m, const int *k, E *o) {\n"
    head += f"#pragma omp target {GRID} thread_limit(32 * N) map(to: k[0:n]) map(tofrom: o[0:n])\n"
    head += f"for (int i = 0; i < n; i++) {{ E h[N]; {COUNTS} o[i] = h[0]; }} }}\n"
    calls = "g<int, 8>(n, m, k, o); g<short, 12>(n, m, k, s);"
    source = f"{head}void f(int n, int m, const int *k, int *o, short *s) {{ {calls} }}"
    kernels = compiled(source, "a.cpp").kernels
    assert [rooms(kernel.body) for kernel in kernels] == [[("int", "h", 256, 9)], [("unsigned", "h", 384, 7)]]
    assert all("E (&h)[N] = *(" in kernel.body for kernel in kernels)
