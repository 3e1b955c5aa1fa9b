"""Arrays of structures whose elements one instruction could take: kernels ask where the arrays begin."""

from __future__ import annotations

import pytest

import support
from rexcc import runtime
from rexcc.program.optimisations import left_out
from support import compiled

_SOURCE = """typedef struct {{ {members} }} T;
void f(int n, const T *a, T *b, float *c, char *d) {{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n], c[0:n], d[0:4*n])
  for (int i = 0; i < n; i++) {{ {code} }}
}}
"""


def device(members: str, code: str = "b[i] = a[i];", without: str = "all") -> str:
    source = _SOURCE.format(members=members, code=code)
    found = support.translate_text(source, "t.cpp", left_out=left_out([without]))
    assert found.device is not None, support.rendered(found)
    return " ".join(found.device.text.split())


@pytest.mark.parametrize(
    ("members", "count"),
    [
        ("float x, y, z, w;", 16),
        ("float re, im;", 8),
        ("double re, im;", 16),
        ("unsigned char r, g, b, a;", 4),
        ("float q[8];", 16),
        ("int key; float a, b, c, d, e;", 8),
    ],
)
def test_the_kernel_asks_once(members: str, count: int) -> None:
    text = device(members)
    assert f"if ((rex_beyond<{count}>(a) | rex_beyond<{count}>(b)) == 0) OUT__1__f__3__code__(" in text
    assert f"rex_at<{count}>(a), rex_at<{count}>(b)" in text
    assert "else OUT__1__f__3__code__(__rex_kernel_launch_env, a, b, __rex_n)" in text


@pytest.mark.parametrize(
    "members",
    [
        "float x, y, z;",  # no power of two divides its size
        "double x;",
        "char a, b;",
        "alignas(16) float x, y, z, w;",
        "float q[32];",
        "volatile int x, y;",
    ],
)
def test_types_that_need_no_question(members: str) -> None:
    code = "b[i].x = a[i].x; b[i].y = a[i].y;" if "volatile" in members else "b[i] = a[i];"
    assert ("rex_beyond" in device(members, code)) == ("volatile" in members)


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("c[i] = a->row[a->n + i];", ""),
        ("c[i] = (a)->row[i] + b->n; b->row[i] = a->n;", ""),
        ("c[i] = a[0].row[i] + a->n;", "a"),  # an element of an array
        ("c[i] = a->row[i] + a->n + b[i].row[0] + b[i].n;", "b"),
        ("c[i] = a->n + a->m;", "a"),
        ("c[i] = a[i].row[i] + a->n;", "a"),
        ("const T *p = a + i; c[i] = p->row[i] + a->n;", "a"),
    ],
)
def test_an_object_whose_members_lead_to_arrays(code: str, asked: str) -> None:
    """Where a kernel tests an address, nvcc no longer knows what memory the arrays are in."""
    text = device("float *row; int n, m;", code)
    assert ("rex_beyond<16>(a)" in text, "rex_beyond<16>(b)" in text) == ("a" in asked, "b" in asked)


def test_numbers_that_are_taken_for_structures() -> None:
    text = device("char r, g, b, a;", "T p = *(T *)(d + 4 * i); c[i] = p.r + p.g + p.b + p.a;")
    assert "if ((rex_beyond<4>(d)) == 0)" in text
    assert "rex_beyond" not in device("float x, y, z, w;", "c[i] = d[i];")


def test_left_out() -> None:
    assert "rex_beyond" not in device("float re, im;", without="no-neighbours")


def test_kernels_of_templates_and_long_ones_have_their_code_once() -> None:
    source = """struct T { float x, y; };
template <class U> void f(int n, U *b) {
#pragma omp target teams distribute parallel for map(tofrom: b[0:n])
  for (int i = 0; i < n; i++) b[i].x += b[i].y;
}
void g(T *b) { f(3, b); }
"""
    assert "rex_beyond" not in compiled(source, "t.cpp").device
    assert "rex_beyond" not in device("float x, y;", "b[i].x = a[i].x;" * 200)


def test_kernels_that_call_long_functions_have_their_code_once() -> None:
    """One that is called twice would no longer be put in its place."""
    source = """struct T {{ float x, y; }};
static float last(float x) {{ {code} return x; }}
static float twice(float x) {{ return last(x) + 1; }}
void f(int n, T *b) {{
#pragma omp target teams distribute parallel for map(tofrom: b[0:n])
  for (int i = 0; i < n; i++) b[i].x = twice(b[i].y);
}}
"""
    assert "rex_beyond<8>(b)" in compiled(source.format(code="x += 1;"), "t.cpp").device
    assert "rex_beyond" not in compiled(source.format(code="x = x * x + 1;" * 20), "t.cpp").device
    assert "rex_beyond" not in compiled(source.format(code='asm("" : "+f"(x));'), "t.cpp").device


def test_the_two_forms_of_a_kernel_both_ask() -> None:
    code = "float s = 0; for (int j = 0; j < n; j++) s += a[j].x * a[j].y; c[i] = s;"
    text = device("float x, y;", code)
    assert text.count("rex_beyond<8>(a)") == 2 and "small__kernel__" in text


def test_the_cpu_device_has_its_code_once() -> None:
    """There what an address is beyond a multiple is never 0."""
    header = (runtime.INCLUDE / "rex_device_neighbours.h").read_text()
    assert "template <int> REX_DEVICE unsigned long long rex_beyond(const volatile void *) { return 1; }" in header


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("b[i].x = a[i].x;", False),
        ("b[i].x = (a + 2 * i)->x;", False),
        ("b[i].x = a[i].x + a[i].z;", True),
        ("b[i].x = (&a[i])->w; b[i].w = 0;", True),
        ("T t = a[i]; b[i].x = t.x;", True),
        ("const T &t = a[i]; b[i].x = t.x;", True),
    ],
)
def test_one_number_of_each_element_has_no_neighbour(code: str, asks: bool) -> None:
    assert ("rex_beyond" in device("float x, y, z, w;", code)) == asks


def test_one_thread_asks_for_nothing() -> None:
    text = compiled(
        "struct T { float x, y, z, w; };\nvoid f(T *a) {\n#pragma omp target map(a[0:9])\n"
        "  for (int i = 0; i < 9; i++) a[i].x = a[i].y;\n}\n",
        "t.cpp",
    ).device
    assert "rex_beyond" not in text
