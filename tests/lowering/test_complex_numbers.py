"""C's complex types in device code: one name for the words of each, and functions and casts for what C++ lacks."""

from __future__ import annotations

import pytest

import support
from support import compiled, on_one_line

COMPLEX = "#include <complex.h>\n"


def device(declared: str, body: str, header: str = COMPLEX) -> str:
    """Return the device text of a region, on one line."""
    text = f"{header}{declared}\nvoid f(double complex *z, double x, float complex w, int n) {{\n"
    text = text if header else text.replace("complex", "_Complex")
    return on_one_line(compiled(f"{text}#pragma omp target map(z[0:n], x)\n{{ {body} }}\n}}\n", "t.c").device)


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("double complex", "rex_complex_double"),
        ("complex double", "rex_complex_double"),
        ("double _Complex", "rex_complex_double"),
        ("__complex__ float", "rex_complex_float"),
        ("const complex /* why */ double", "const rex_complex_double /* why */"),
        ("float const complex", "rex_complex_float const"),
        ("static complex float", "static rex_complex_float"),
        ("volatile int m; double complex", "volatile int m; rex_complex_double"),
    ],
)
def test_the_words_of_a_type_become_one_name(declared: str, name: str) -> None:
    assert f"{{ {name} q" in device("", f"{declared} q;")


@pytest.mark.parametrize(
    ("macro", "declared", "made"),
    [
        ("#define C complex double", "C q;", "#define C rex_complex_double"),
        ("#define WORD complex", "double WORD q;", "rex_complex_double q;"),
        ("#define REAL float", "REAL complex q;", "rex_complex_of<REAL>::type q;"),
        ("#define REAL float", "complex REAL q;", "rex_complex_of<REAL>::type q;"),
        ("#define OF(T) T complex", "OF(float) q;", "rex_complex_of<T>::type"),
        ("", 'const char *s = "double complex"; /* double complex */', '"double complex"; /* double complex */'),
    ],
)
def test_types_whose_words_macros_have(macro: str, declared: str, made: str) -> None:
    assert made in device(macro, declared)


def test_a_name_of_the_program_is_no_type() -> None:
    text = "typedef struct { double re, im; } complex;\nvoid f(complex *c) {\n#pragma omp target map(c[0:1])\n"
    found = compiled(f"{text}{{ const complex d = *c; c->re = d.im; }}\n}}\n", "t.c").device
    assert "const complex d = *c;" in found and "rex_complex" not in found


def test_types_that_the_compiler_spells() -> None:
    text = device("", "z[0] = w;")
    assert "rex_complex_double *__restrict__ z" in text or "rex_complex_double *z" in text
    assert "rex_unpack<rex_complex_float>" in text and "_Complex" not in text.replace("REX_COMPLEX", "")


@pytest.mark.parametrize(
    ("statement", "made"),
    [
        ("x = z[0];", "x = (double)(z[0]);"),
        ("int m = z[0] * 2;", "int m = (double)(z[0] * 2);"),
        ("int m[1] = {z[0]};", "int m[1] = {(int)((double)(z[0]))};"),
        ("x = __builtin_sqrt(z[0]);", "__builtin_sqrt((double)(z[0]))"),
        ("x += z[0];", "rex_real_add(x, z[0]);"),
        ("z[0] += x;", "z[0] += x;"),
        ("z[0] = n ? z[1] : 1.0;", "n ? z[1] : (rex_complex_double)(1.0)"),
        ("z[0] = w ?: 0.1;", "(rex_complex_double)(w) ?: (rex_complex_double)(0.1)"),
        ("z[0] = w + LOW;", "z[0] = w + (float)LOW;"),
        ("__real__ z[0] = __imag__ w;", "rex_real_part(z[0]) = rex_imaginary_part(w);"),
        ("z[0] = 2.0i + 1.5if;", "(rex_complex<double>(0, 2.0)) + (rex_complex<float>(0, 1.5f))"),
    ],
)
def test_what_the_language_of_kernels_does_otherwise(statement: str, made: str) -> None:
    assert made in device("enum { LOW };", statement)


def test_a_value_that_one_thread_computes_is_converted_by_all() -> None:
    text = device("", "double first = z[0] = w;\n#pragma omp parallel\nx += first;")
    assert "double first = (double)(rex_from_first([&]() -> rex_complex_double { return z[0] = w; }));" in text


def test_a_choice_by_a_complex_type() -> None:
    assert "x = (1);" in device("", "x = _Generic(z[0], float complex: 2, double complex: 1, default: 3);")


def test_the_host_has_the_users_text() -> None:
    region = "#pragma omp target map(z[0:1])\n{ double complex q = 2.0i; z[0] = q; }\n}\n"
    host = compiled(f"{COMPLEX}void f(double complex *z) {{\n{region}", "t.c").host
    assert "{ double complex q = 2.0i; z[0] = q; }" in host and "rex_complex" not in host


def test_literals_alone_bring_the_types_header() -> None:
    text = "void f(double *x) {\n#pragma omp target map(x[0:1])\nx[0] = __real__ (1.0i * 1e0i);\n}\n"
    assert '#include "rex_device_complex.h"' in compiled(text, "t.c").device


def test_other_complex_types_are_for_the_cpu_device() -> None:
    text = "void f(double *x) {\n#pragma omp target map(x[0:1])\n{ long double _Complex z = x[0]; x[0] = z; }\n}\n"
    assert not support.translate_text(text, "t.c", architectures=()).diagnostics
