"""Small arrays of functions: constants that are the kernel's own, and arrays that need not come back."""

from __future__ import annotations

import pytest

import support

HEAD = """
#define Q 3
#define LIST {1, Q, 5}
enum { FIRST = 7 };
typedef float real;
"""
LOOP = """
#pragma omp target teams distribute parallel for map(tofrom: out[0:n]) {clauses}
  for (int i = 0; i < n; i++) {{ {body} }}
"""


def kernel_of(
    declared: str,
    body: str = "out[i] += a[i % 3];",
    name: str = "t.cpp",
    clauses: str = "",
    before: str = "",
    parameters: str = "double *out, int n",
) -> support.Compiled:
    loop = LOOP.format(body=body, clauses=clauses)
    return support.compiled(f"{HEAD}{before}void f({parameters}) {{\n{declared}\n{loop}}}\n", name)


KNOWN = {
    "const double a[3] = {1, 0.05, 1e-3};": "static const double a[3] = {1.0, 0.05, 0.001};",
    "const double a[] = {1.0 / 3, -2, Q};": "static const double a[3] = {0.3333333333333333, -2.0, 3.0};",
    "static const float a[3] = {0.1f, 1.0f / 3};": "static const float a[3] = {0.1f, 0.33333334f};",
    "const real a[3] = {1.5, FIRST, 1e30f};": "static const real a[3] = {1.5f, 7.0f, 1e+30f};",
    "const int a[3] = LIST;": "static const int a[3] = {1, 3, 5};",
    "const unsigned char a[3] = {200, 'a'};": "static const unsigned char a[3] = {200, 97};",
    "const long a[3] = {1L << 40, -(1L << 62), 0x7fffffffffffffff};": (
        "static const long a[3] = {1099511627776, -4611686018427387904, 9223372036854775807};"
    ),
}


@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
@pytest.mark.parametrize("declared", KNOWN)
def test_a_constant_array_is_the_kernels_own(declared: str, name: str) -> None:
    found = kernel_of(declared, name=name)
    assert KNOWN[declared] in found.device
    assert "sizeof a" not in found.host


def test_of_several_dimensions_too() -> None:
    found = kernel_of("const float a[2][2] = {{1, 2}, {3}};", "out[i] += a[i % 2][0];")
    assert "static const float a[2][2] = {{1.0f, 2.0f}, {3.0f}};" in found.device


MAPPED = {
    "it is not constant": ("double a[3] = {1, 2, 3};", "out[i] += a[i % 3];"),
    "a value of the run": ("const double a[3] = {1, 2, (double)n};", "out[i] += a[i % 3];"),
    "its address is kept": ("const double a[3] = {1, 2, 3};", "const double *p = a; out[i] += p[i % 3];"),
    "its address is a number": ("const double a[3] = {1, 2, 3};", "out[i] += (unsigned long)&a[1];"),
    "a function gets it": ("const double a[3] = {1, 2, 3};", "out[i] += g(a);"),
    "volatile": ("const volatile double a[3] = {1, 2, 3};", "out[i] += a[i % 3];"),
    "truth values": ("const bool a[3] = {true};", "out[i] += a[i % 3];"),
    "a text": ('const char a[] = "ab";', "out[i] += a[i % 3];"),
    "pointers": ("static const double b = 1; const double *const a[1] = {&b};", "out[i] += a[0] == 0;"),
    "infinite": ("const double a[3] = {1e308 * 10};", "out[i] += a[i % 3];"),
    "too long": ("const double a[2000] = {1};", "out[i] += a[i % 3];"),
}


@pytest.mark.parametrize("why", MAPPED)
def test_all_others_travel(why: str) -> None:
    declared, body = MAPPED[why]
    found = kernel_of(declared, body, before="static double g(const double *p) { return p[1]; }\n")
    assert "static const" not in found.device.replace("static const double b", "")
    assert "sizeof a" in found.host


@pytest.mark.parametrize("clause", ["map(to: a)", "firstprivate(a)", "defaultmap(tofrom: aggregate)"])
def test_clauses_are_done_as_written(clause: str) -> None:
    assert "static const" not in kernel_of("const double a[3] = {1, 2, 3};", clauses=clause).device


@pytest.mark.parametrize("values", ["{[1] = 2}", "{1, [2] = 2}", "{[0 ... 1] = 2}"])
def test_designated_initialisers_are_not_read(values: str) -> None:
    assert "static const" not in kernel_of(f"const double a[3] = {values};", name="t.c").device


def test_instantiations_that_do_not_know_them_have_a_launch_of_their_own() -> None:
    text = "template <class T> void f(double *out, int n) {\n  const T a[3] = {1, 2, 3};\n"
    loop = LOOP.format(body="out[i] += a[i % 3];", clauses="")
    used = "void use(double *out, int n) { f<double>(out, n); f<bool>(out, n); f<int>(out, n); }\n"
    found = support.compiled(f"{text}{loop}}}\n{used}".replace("{1, 2, 3}", "{1, 1, 1}"), "t.cpp")
    assert found.device.count("static const") == 2
    assert "static const double a[3] = {1.0, 1.0, 1.0};" in found.device
    assert "static const int a[3] = {1, 1, 1};" in found.device


COPY = "REX_MAP_PARAM | REX_MAP_PRIVATE | REX_MAP_TO | REX_MAP_IMPLICIT"
BACK = "REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT"
TO = "REX_MAP_PARAM | REX_MAP_TO | REX_MAP_IMPLICIT"
TRAVELLING = {
    "only read": ("double a[3] = {1, out[0], 3}; a[1] += n; a[2]++;", "out[i] += a[i % 3];", COPY),
    "constant": ("const double a[3] = {1, out[0], 3};", "out[i] += a[i % 3];", COPY),
    "several dimensions": ("int a[2][2]; a[0][1] = n; a[1][(0)] = 2;", "out[i] += (a[0])[1] + (a)[1][i % 2];", COPY),
    "its size alone besides": ("double a[3] = {(double)n};", "out[i] += a[i % (sizeof a / sizeof a[0])];", BACK),
    "written by the region": ("double a[3] = {1, 2, 3};", "if (i == 0) a[1] = out[i];", BACK),
    "its address in the region": ("double a[3] = {1, 2, 3};", "double *p = &a[1]; out[i] += *p;", BACK),
    "its address before": ("double a[3]; fill(a);", "out[i] += a[i % 3];", BACK),
    "an element's address before": ("double a[3]; fill(&a[1]);", "out[i] += a[i % 3];", BACK),
    "a reference to an element": ("double a[3]; double &r = a[1]; r = 2;", "out[i] += a[i % 3];", BACK),
    "constant, its address before": ("const double a[3] = {1, out[0], 3}; look(a);", "out[i] += a[i % 3];", TO),
    "mapped before": ("double a[3] = {1};\n#pragma omp target enter data map(to: a)\n", "out[i] += a[i % 3];", BACK),
    "large": ("double a[200]; a[1] = n;", "out[i] += a[i % 3];", BACK),
    "static": ("static double a[3]; a[1] = n;", "out[i] += a[i % 3];", BACK),
    "volatile": ("volatile double a[3]; a[1] = n;", "out[i] += a[i % 3];", BACK),
}


@pytest.mark.parametrize("what", TRAVELLING)
def test_an_array_that_is_only_read_need_not_come_back(what: str) -> None:
    declared, body, flags = TRAVELLING[what]
    found = kernel_of(declared, body, before="void fill(double *); void look(const double *);\n")
    rows = [line for line in found.host.splitlines() if "REX_MAP_" in line and "IMPLICIT" in line]
    assert any(flags in row for row in rows), rows


@pytest.mark.parametrize("clause", ["nowait", "depend(in: n)"])
def test_tasks_map_what_others_may_have_changed(clause: str) -> None:
    declared = "double a[3] = {1, out[0], 3}; a[1] += n;"
    found = kernel_of(declared, "out[i] += a[i % 3];", clauses=clause)
    assert "REX_MAP_PRIVATE" not in found.host and BACK in found.host
