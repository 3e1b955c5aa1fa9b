"""Names that device code has for names of C programs, and the headers of types that it asks for."""

from __future__ import annotations

import pytest

from support import compiled, translate_text

LOOP = "#pragma omp target teams distribute parallel for\n for (int i = 0; i < n; i++) "


def device(declared: str, statement: str, name: str = "t.c") -> str:
    """Return the device text of a loop in a function with a parameter."""
    return compiled(f"{declared}\n{LOOP}{{ {statement} }}\n}}\n", name).device


def test_names_that_are_keywords_become_others() -> None:
    text = device(
        "struct class { int new; };\n#define OLD(x) ((x)->new)\nvoid f(int n, struct class *this, int xor) {",
        'this[i].new = xor + OLD(this); const char *new = "new"; /* new */ (void)new; goto delete; delete:;',
    )
    assert "rex_c_this[i].rex_c_new = rex_c_xor + OLD(rex_c_this);" in text
    assert "#define OLD(x) ((x)->rex_c_new)" in text
    assert 'const char *rex_c_new = (char *)"new"; /* new */' in text
    assert "goto rex_c_delete; rex_c_delete:;" in text


def test_words_of_headers_are_operators_and_types() -> None:
    headers = "#include <iso646.h>\n#include <stdbool.h>\n#define BOTH(x, y) ((x) and (y))\n"
    text = device(f"{headers}void f(int n, bool *p) {{", "p[i] = BOTH(true, i) or false;")
    assert "((x) and (y))" in text and "or false" in text and "rex_c_" not in text


HALF, COMPLEX = '#include "rex_device_half.h"', '#include "rex_device_complex.h"'


@pytest.mark.parametrize(
    ("declared", "statement", "wanted"),
    [
        ("_Float16 g(void);\nvoid f(int n, float *p) {", "p[i] = 1;", ""),
        ("_Float16 g(void);\nvoid f(int n, float *p) { __auto_type q = g();", "p[i] = q;", HALF),
        ("void f(int n, float *p) {", "p[i] = 1.f16;", HALF),
        ("#define ONE ((_Float16)1)\nvoid f(int n, float *p) {", "p[i] = ONE;", HALF),
        ("_Complex double g(void);\nvoid f(int n, float *p) {", "p[i] = 1;", ""),
        ("typedef _Complex float C;\nvoid f(int n, float *p) {", "p[i] = sizeof(C);", COMPLEX),
    ],
)
def test_headers_of_types(declared: str, statement: str, wanted: str) -> None:
    text = device(declared, statement)
    assert [header for header in (HALF, COMPLEX) if header in text] == ([wanted] if wanted else [])


@pytest.mark.parametrize(
    ("declared", "statement", "is_wanted"),
    [
        ("#include <stdatomic.h>\nvoid f(int n, int *p) {", "p[i] = 1;", False),
        ("void f(int n, int *p) {", "__sync_fetch_and_add(p, i);", True),
        ("#define ADD(x, v) __atomic_fetch_add(x, v, __ATOMIC_RELAXED)\nvoid f(int n, int *p) {", "ADD(p, i);", True),
        ("#define OF(name) __atomic_##name\nvoid f(int n, int *p) {", "OF(fetch_add)(p, i, __ATOMIC_RELAXED);", True),
        ("static int g(int *p) { return __atomic_load_n(p, 0); }\nvoid f(int n, int *p) {", "p[i] = g(p + i);", True),
    ],
)
def test_atomic_built_ins_have_device_functions(declared: str, statement: str, is_wanted: bool) -> None:
    text = device(declared, statement)
    assert ('#include "rex_device_builtin_atomics.h"' in text) == is_wanted
    assert "__device__ __sync" not in text  # the compiler declares built-ins by itself


@pytest.mark.parametrize(
    ("statement", "is_wanted"),
    [
        ("p[i] = __is_integral(int);", True),
        ("p[i] = __is_member_function_pointer(int) + __array_rank(int[3]);", True),
        ("__remove_cvref(const float &) x = 1; p[i] = x;", True),
        ("p[i] = __is_same(int, float) + __is_trivially_copyable(int);", False),
    ],
)
def test_type_traits_of_clang_alone(statement: str, is_wanted: bool) -> None:
    text = device("void f(int n, float *p) {", statement, "t.cpp")
    assert ('#include "rex_device_traits.h"' in text) == is_wanted


def test_the_header_of_a_type_that_a_template_gets() -> None:
    source = f"template <class T> void f(int n, float *p) {{\n{LOOP}{{ T x = 1; p[i] = x; }}\n}}\n"
    assert HALF in compiled(f"{source}void g(float *p) {{ f<_Float16>(2, p); }}\n", "t.cpp").device
    assert HALF not in compiled(f"{source}_Float16 h;\nvoid g(float *p) {{ f<float>(2, p); }}\n", "t.cpp").device


@pytest.mark.parametrize("member", ["std::array<int, 2> both() const { return {{1, 2}}; }", "std::array<int, 2> both;"])
def test_headers_that_define_what_later_ones_declare_again(member: str) -> None:
    """As `<tuple>` does with `std::array`: what clang knows of a template is its last declaration."""
    headers = "#include <array>\n#include <tuple>\n"
    text = device(
        f"{headers}struct Two {{ static constexpr int first = 1; {member} }};\nvoid f(int n, int *p) {{",
        "p[i] = Two::first;",
        "t.cpp",
    )
    assert "#include <array>" in text


OF_C = 'extern "C" '
DECLARED = "#pragma omp declare target\n{}int max(int *p, int v);\n#pragma omp end declare target\n"


@pytest.mark.parametrize(("linkage", "name"), [("", "t.c"), (OF_C, "t.cpp")])
def test_functions_of_other_files_have_no_names_of_cuda(linkage: str, name: str) -> None:
    """nvcc takes a function of C for its own of that name, in whatever namespace it is declared."""
    source = f"{DECLARED.format(linkage)}void f(int n, int *p) {{\n{LOOP}{{ p[i] = max(p, i); }}\n}}\n"
    found = translate_text(source, name, alone=False)
    assert found.device is not None
    assert 'extern "C" { __device__ int rex_c_max(int *p, int v); }' in found.device.text
    assert "= rex_c_max(p, i)" in found.device.text
    assert "#ifndef __CUDACC__\n#define rex_c_max max\n#endif\n" in found.device.text
    assert "rex_user" not in found.device.text


def test_functions_of_other_files_and_members_with_names_of_cuda() -> None:
    declared = f"struct box {{ int max() {{ return 1; }} }};\n{DECLARED.format(OF_C)}"
    source = f"{declared}void f(int n, int *p) {{\n{LOOP}{{ p[i] = max(p, i) + box().max(); }}\n}}\n"
    found = translate_text(source, "t.cpp", alone=False)
    assert [d.code for d in found.diagnostics] == ["unsupported-name"]


@pytest.mark.parametrize(("kind", "name", "is_apart"), [("double *", "t.c", True), ("double &", "t.cpp", False)])
def test_own_functions_with_names_of_gnu(kind: str, name: str, is_apart: bool) -> None:
    """In C one is CUDA's for nvcc; in C++ it is an overload, beside which a program may call the library's."""
    declared = f"static void sincos(double x, {kind}s) {{ }}\nvoid f(int n, double *p) {{"
    text = device(declared, f"sincos(i, {'&' if is_apart else ''}p[i]);", name)
    assert ("namespace rex_user { /* CUDA has its own: sincos */" in text) == is_apart
