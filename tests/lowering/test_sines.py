"""Sines and cosines of one value: joined where nothing can change it in between, else left as they are."""

from __future__ import annotations

import pytest

import support
from support import on_one_line

BEFORE = "#include <math.h>\nvoid other(float *p);\n"
PARAMETERS = "float *y, double *z, const float *x, const int *at, float k, int n, int m"
LISTED = "map(to : x[0:n], at[0:n]) map(tofrom : y[0:n], z[0:n])"


def kernel(body: str, clauses: str = LISTED, before: str = BEFORE, name: str = "t.c") -> str:
    source = (
        f"{before}void f({PARAMETERS}) {{\n"
        f"#pragma omp target teams distribute parallel for num_teams(8) {clauses}\n"
        f"  for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n}}\n"
    )
    return support.compiled(support.with_used_headers(source), name).kernels[0].body


def test_the_variable_of_the_same_declaration() -> None:
    text = kernel("float e = k * x[i], c = cosf(e), s = sinf(e); y[i] = c * s;")
    assert "c = (rex_sincos(e, &__rex_sin_e, &__rex_cos_e), __rex_cos_e), s = __rex_sin_e;" in text
    assert text.index("float __rex_sin_e, __rex_cos_e;") < text.index("float e = ")


def test_several_statements_with_the_call_in_front_of_the_first() -> None:
    text = kernel("float s = sinf(k * i);\n    y[i] = s * 3;\n    y[at[i]] = cosf(k*i) + sinf( k * i);")
    assert "rex_sincos(k * i, &__rex_sin, &__rex_cos);" in text
    assert "float s = __rex_sin;" in text and "= __rex_cos + __rex_sin;" in text
    assert text.index("rex_sincos") < text.index("float s")


def test_c_converts_the_argument_as_the_function_does() -> None:
    text = kernel("z[i] = sin(k) - cos(k);")
    assert "double __rex_sin_k, __rex_cos_k;" in text and "rex_sincos((double)(k), &__rex_sin_k, &__rex_cos_k);" in text
    assert "z[i] = __rex_sin_k - __rex_cos_k;" in text


def test_overloads_of_the_library() -> None:
    text = kernel(
        "y[i] = std::sin(k) * std::cos(k); z[i] = std::cos(k) + 1;", before="#include <cmath>\n", name="t.cpp"
    )
    assert "float __rex_sin_k, __rex_cos_k;" in text
    assert "__rex_sin_k * __rex_cos_k" in text and "z[i] = __rex_cos_k + 1;" in text


def test_a_loads_text_is_that_of_the_other_passes() -> None:
    assert "rex_sincos(__ldg(&x[at[m]]), &" in kernel("y[i] = sinf(x[at[m]]) + cosf(x[at[m]]);").replace(
        "__ldg(&at[m])", "at[m]"
    )
    assert "rex_sincos(__rex_cached_x, &" in kernel("y[i] = sinf(x[i]) + cosf(x[i]);")


def test_a_body_without_braces_gets_some() -> None:
    text = on_one_line(kernel("for (int j = 0; j < m; j++) y[at[j]] += sinf(j * k) * cosf(j * k);"))
    assert text.index("j++) {") < text.index("rex_sincos(j * k,") < text.index("+= __rex_sin * __rex_cos; }")


def test_what_the_calls_are_part_of_may_change_the_argument() -> None:
    assert "e = __rex_sin_e + __rex_cos_e;" in kernel("float e = x[i]; e = sinf(e) + cosf(e); y[i] = e;")
    assert "y[m] = __rex_sin + __rex_cos;" in kernel("y[m] = sinf(y[m]) + cosf(y[m]);")


@pytest.mark.parametrize(
    ("body", "joined"),
    [
        pytest.param("y[i] = sinf(30.0f) + cosf(30.0f);", False, id="a literal"),
        pytest.param("const float a = 30; y[i] = sinf(a * PI / 180) + cosf(a * PI / 180);", False, id="a constant"),
        pytest.param("float a = -(float)3, b = a * 2; y[i] = sinf(b) + cosf(b);", False, id="variables that stay"),
        pytest.param("y[i] = sinf(turn) + cosf(turn);", False, id="a constant of the file"),
        pytest.param("float a = 30; if (m) a = k; y[i] = sinf(a) + cosf(a);", True, id="a variable that changes"),
        pytest.param("float a = k; y[i] = sinf(a) + cosf(a);", True, id="a value of the run"),
        pytest.param("y[i] = sinf(angle) + cosf(angle);", True, id="a variable of the file"),
        pytest.param("float a[1] = {30}; y[i] = sinf(a[0]) + cosf(a[0]);", True, id="an element"),
    ],
)
def test_what_the_compiler_knows_it_computes_itself(body: str, joined: bool) -> None:
    declared = f"{BEFORE}#define PI 3.14159f\nstatic const float turn = 2;\nstatic float angle = 2;\n"
    assert ("rex_sincos" in kernel(body, before=declared, name="t.cpp")) == joined


def test_a_write_ends_what_is_joined_and_more_is_joined_behind() -> None:
    text = kernel("float e = x[i]; y[i] = sinf(e) + cosf(e); e += 1; z[i] = cosf(e) * sinf(e) + cosf(e);")
    assert text.count("rex_sincos(e, ") == 2
    assert "y[i] = __rex_sin_e + __rex_cos_e;" in text
    assert "z[i] = __rex_cos_e_2 * __rex_sin_e_2 + __rex_cos_e_2;" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("float e = x[i], s = sinf(e); e += 1; y[i] = s + cosf(e);", id="the variable changes"),
        pytest.param("float e = x[i], s = sinf(e), c = cosf(e++); y[i] = s + c;", id="a side effect"),
        pytest.param("float e = x[i], *p = &e, s = sinf(e); *p = 1; y[i] = s + cosf(e);", id="a pointer to it"),
        pytest.param("float e = x[i], s = sinf(e); other(&e); y[i] = s + cosf(e);", id="a function has its address"),
        pytest.param("float t[2] = {k, 1}, s = sinf(t[i % 2]); t[0] = 2; y[i] = s + cosf(t[i % 2]);", id="an element"),
        pytest.param("float s = sinf(y[i]); y[at[i]] = 3; z[i] = s + cosf(y[i]);", id="memory that may be the same"),
        pytest.param("float s = sinf(y[i]); other(y); z[i] = s + cosf(y[i]);", id="a call that may write"),
        pytest.param("volatile float e = x[i]; y[i] = sinf(e) + cosf(e);", id="volatile"),
        pytest.param("float e = x[i]; if (m) y[i] = sinf(e); z[i] = cosf(e);", id="under a condition"),
        pytest.param("float e = x[i]; y[i] = m ? sinf(e) : cosf(e);", id="one of two"),
        pytest.param("float e = x[i]; z[i] = m && sinf(e) > 0; y[i] = cosf(e);", id="behind &&"),
        pytest.param("float e = x[i]; y[i] = sinf(e); if (m) continue; z[i] = cosf(e);", id="a jump in between"),
        pytest.param(
            "float e = x[i]; y[i] = sinf(e); here: z[i] = cosf(e); if (at[i] && m--) goto here;", id="a label"
        ),
        pytest.param("float e = x[i]; switch (m) { case 0: y[i] = sinf(e); case 1: z[i] = cosf(e); }", id="cases"),
        pytest.param("float e = x[i]; while (sinf(e) < cosf(e)) e += 1; y[i] = e;", id="a loop's condition"),
        pytest.param("float e = x[i], s = sinf(e); for (int j = 0; j < m; j++) s += cosf(e); y[i] = s;", id="a loop"),
        pytest.param("float e = x[i]; y[i] = sinf(e) + cosf(e + 1);", id="another argument"),
        pytest.param("y[i] = sinf(1.5f) + cosf(2.5f);", id="another constant"),
        pytest.param("z[i] = sin(k) + cosf(k);", id="another type"),
        pytest.param("z[i] = sinl(k) + cosl(k);", id="long double"),
        pytest.param("y[i] = sinf(k) + sinf(k);", id="one function"),
        pytest.param("y[i] = sizeof(sinf(k)) + cosf(k);", id="not evaluated"),
        pytest.param("\n#pragma omp atomic\n    y[m] += sinf(k) * cosf(k);\n", id="atomic"),
    ],
)
def test_they_stay_apart(body: str) -> None:
    before = "#pragma omp declare target\nvoid other(float *p) { *p = 3; }\n#pragma omp end declare target\n"
    assert "rex_sincos" not in kernel(body, before=f"#include <math.h>\n{before}")


@pytest.mark.parametrize(
    ("before", "body"),
    [
        pytest.param("#define BOTH(e) sinf(e) + cosf(e)\n", "y[i] = BOTH(k);", id="in a macro"),
        pytest.param("#define TWICE(v) (v) + (v)\n", "y[i] = TWICE(sinf(k) + cosf(k));", id="a macro's argument"),
        pytest.param(
            "#define DO(s) do { s } while (0)\n", "DO(y[i] = sinf(k) + cosf(k););", id="a statement of a macro"
        ),
        pytest.param(
            "#undef sinf\nstatic float sinf(float e) { return e; }\n", "y[i] = sinf(k) + cosf(k);", id="his own"
        ),
    ],
)
def test_macros_and_functions_of_the_user(before: str, body: str) -> None:
    assert "rex_sincos" not in kernel(
        body,
        before=BEFORE.replace("<math.h>", "<math.h>\n" + before).replace(
            "#include <math.h>\n#undef", "float cosf(float);\n#undef"
        ),
    )


def test_threads_that_meet_change_memory_in_between() -> None:
    text = kernel("float s = sinf(y[m]);\n#pragma omp critical\n    y[m] += 1;\n    z[i] = s + cosf(y[m]);")
    assert "rex_sincos" not in text


def test_remarks_tell_what_was_done_and_what_stands_in_the_way() -> None:
    body = (
        "float e = x[i]; y[i] = sinf(e) + cosf(e);\n    e += 1;\n    z[i] = sin(k);\n    k += 1;\n    z[i] += cos(k);"
    )
    source = (
        f"{BEFORE}void f({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {LISTED} firstprivate(k)\n"
        f"  for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n}}\n"
    )
    found = support.translate_text(source, remarks=True).diagnostics
    told = [(d.message, [note.message for note in d.notes]) for d in found]
    assert ("the sine and the cosine of 'e' are computed together", []) in told
    assert (
        "the sine and the cosine of 'k' are computed one by one",
        ["this may change what the argument reads"],
    ) in told
