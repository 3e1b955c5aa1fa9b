"""Loops in front of one that a group shares: its threads compute the terms together, and add them up in order.

Texts of kernels are looked at; ``execution/programs/folds.c`` runs such loops.
"""

from __future__ import annotations

import pytest

from support import on_one_line, translate_text, with_used_headers

HEAD = """#include <math.h>
#define TERM(x) ((x) * 2)
#define ADD(x) s += (x)
#define DECLARE(d, x) float d = (x)
#define EACH_OF(j, m) for (int j = 0; j < m; j++)
#define WITH(x) ((x) + s)
#define NEXT in[i * m + j] - 1
#define ROOMY (in[i * m + j] - 1)
#define WITH_SUM s + in[i * m + j]
#define PLUS_NEXT + in[i * m + j]
#define IS_NEXT = in[i * m + j]
#define MOST(a, b) ((a) > (b) ? (a) : (b))
struct field { int n; float *x; };
static float own(float x) { return x + 1; }
float shared;
void f(int n, int m, unsigned u, float *out, const float *in, const double *wide, const int *at, float scale,
       struct field *d, volatile float *seen) {
"""
LAST = "for (int j = 0; j < m; j++) out[i * m + j] = in[i * m + j] / s;"


def device(body: str, before: str = "", clauses: str = "") -> str:
    loop = f"#pragma omp target teams distribute parallel for {clauses}\n  for (int i = 0; i < n; i++)"
    source = with_used_headers(f"{HEAD}{before}{loop} {{ {body} }}\n}}\n")
    found = translate_text(source, "a.c").device
    assert found is not None
    return on_one_line(found.text)


def folded(loop: str, before: str = "float s = 0;", last: str = LAST) -> str:
    return device(f"{before} {loop} {last}")


@pytest.mark.parametrize(
    ("loop", "kind", "term", "statement"),
    [
        ("for (int j = 0; j < m; j++) s += in[i * m + j];", "float", "in[i * m + j]", "s += __rex_term;"),
        ("for (int j = 0; j < m; ++j) { s += in[i * m + j] * scale; }", "float", "in[i * m + j] * scale",
         "s += __rex_term;"),
        ("for (int j = 1; j <= m - 1; j++) s = s + expf(in[j + i * m] - scale);", "float",
         "expf(in[j + i * m] - scale)", "s = s + __rex_term;"),
        ("for (int j = 0; j < m; j++) s -= wide[i * m + j];", "double", "wide[i * m + j]", "s -= __rex_term;"),
        ("for (int j = 0; j < m; j++) s = fmaxf(s, in[i * m + j]);", "float", "in[i * m + j]",
         "s = fmaxf(s, __rex_term);"),
        ("for (int j = 0; j < m; j++) s = s > in[i * m + j] ? s : in[i * m + j];", "float", "in[i * m + j]",
         "s = s > __rex_term ? s : __rex_term;"),
        ("for (int j = 0; j < m; j++) if (in[i * m + j] > s) s = in[i * m + j];", "float", "in[i * m + j]",
         "if (__rex_term > s) s = __rex_term;"),
        ("for (int j = 0; j < m; j++) if (in[i * m + j] > s) { s = in[i * m + j]; }", "float", "in[i * m + j]",
         "if (__rex_term > s) { s = __rex_term; }"),
        ("for (unsigned j = 0; j < u; j++) s += in[i * m + j];", "float", "in[i * m + j]", "s += __rex_term;"),
        ("for (int j = 0; j < u; j++) s = s * scale + in[i * m + j];", "float", "in[i * m + j]",
         "s = s * scale + __rex_term;"),
        ("for (int j = 0; j < m; j++) s += TERM(in[i * m + j]);", "float", "TERM(in[i * m + j])", "s += __rex_term;"),
        ("for (int j = 0; j < m; j++) s += NEXT;", "float", "NEXT", "s += __rex_term;"),
        ("for (int j = 0; j < m; j++) s = s - ROOMY;", "float", "ROOMY", "s = s - __rex_term;"),
        ("EACH_OF(j, m) s += in[i * m + j];", "float", "in[i * m + j]", "s += __rex_term;"),
        ("const float *row = in + i * m; for (int j = 0; j < m; j++) s *= row[j] + j;", "float", "row[j] + j",
         "s *= __rex_term;"),
    ],
)  # fmt: skip
def test_terms_are_computed_together(loop: str, kind: str, term: str, statement: str) -> None:
    text = folded(loop)
    index = "unsigned int" if "unsigned" in loop else "int"
    assert f"rex_in_order<{kind}, {index}>(__rex_group_member, __rex_group_size, " in text
    assert f"return {term}; }}" in text and statement in text
    assert text.index("rex_in_order") < text.index("rex_wait_for_group(__rex_group_size)") < text.index("rex_sharing(")


def test_what_the_body_declares_is_there_for_the_term() -> None:
    text = folded("for (int j = 0; j < m; j++) { float d = in[i * m + j] - scale, e = d * 2; s += d * e; }")
    assert (
        "{ int j = (int)__rex_j; const float d = in[i * m + j] - scale; const float e = d * 2; return d * e; }" in text
    )


def test_one_fold_after_another() -> None:
    body = "for (int j = 0; j < m; j++) s += in[i * m + j]; s /= m; float v = 0;"
    text = folded(f"{body} for (int j = 0; j < m; j++) {{ float d = in[i * m + j] - s; v += d * d; }}")
    assert text.count("rex_in_order<float, int>") == 2 and "s /= m;" in text


def test_bounds_go_along() -> None:
    text = folded("for (int j = 2; j <= m; j++) s += in[i * m + j];")
    assert "__rex_group_size, 2, (long long)(m) + 1LL," in text


@pytest.mark.parametrize(
    ("loop", "bounds"),
    [
        ("for (unsigned j = n; j < u; j++)", "(unsigned int)n, (long long)(u),"),
        ("for (unsigned j = n - 1; j <= u; j++)", "(unsigned int)(n - 1), (long long)(u) + 1LL,"),
        ("for (int j = (long)n << 9; j < m; j++)", "(int)((long)n << 9), (long long)(m),"),
        ("for (unsigned long j = 3; j < (unsigned long)m; j++)", "3, (long long)((unsigned long)m),"),
    ],
)
def test_the_first_value_is_the_index_s(loop: str, bounds: str) -> None:
    """A negative one is a great one of an unsigned index: then there are no iterations."""
    assert f"__rex_group_size, {bounds}" in folded(f"{loop} s += in[i * m + j];")


@pytest.mark.parametrize(
    ("statement", "term", "left"),
    [
        ("s += in[i * m + j];", "__ldg(&in[i * m + j])", "s += __rex_term;"),
        ("s += in[i * m + j] * scale;", "__ldg(&in[i * m + j]) * scale", "s += __rex_term;"),
        ("s += scale * in[i * m + j];", "scale * __ldg(&in[i * m + j])", "s += __rex_term;"),
        ("s += in[i * m + j] * in[i * m + j];", "__ldg(&in[i * m + j]) * __ldg(&in[i * m + j])", "s += __rex_term;"),
        ("s = fmax(s, in[i * m + j] * 0.1);", "__ldg(&in[i * m + j]) * 0.1", "s = fmax((double)(s), __rex_term);"),
        ("if (in[i * m + j] > s) s = in[i * m + j];", "__ldg(&in[i * m + j])", "if (__rex_term > s) s = __rex_term;"),
    ],
)  # fmt: skip
def test_what_other_passes_put_around_a_term_goes_with_it(statement: str, term: str, left: str) -> None:
    """A read-only load of the term itself would be one from the thread's own memory."""
    text = device(
        f"float s = 0; for (int j = 0; j < m; j++) {statement} {LAST}",
        clauses="map(to: in[0:n * m]) map(from: out[0:n * m])",
    )
    assert f"return {term}; }}" in text and left in text


def test_a_group_is_no_wider_than_a_warp() -> None:
    source = f"""{HEAD}#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {{ float s = 0; for (int j = 0; j < m; j++) s += in[i * m + j]; {LAST} }}
}}
"""
    host = translate_text(source, "a.c").host
    assert host is not None
    width = "rex_group_width(__device_id, __rex_tripcount, rex_folded(rex_tripcount_lt(0, m, 1)), "
    assert width in on_one_line(host.text)


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param("EACH s += in[j * n + i];", id="columns"),
        pytest.param("EACH s += in[i * m + at[j]];", id="anywhere"),
        pytest.param("EACH s += in[i * m + 2 * j];", id="every second"),
        pytest.param("for (int j = 0; j < m; j += 2) s += in[i * m + j];", id="a step"),
        pytest.param("for (int j = m; j > 0; j--) s += in[i * m + j];", id="down"),
        pytest.param("for (unsigned j = 0; j < m; j++) s += in[i * m + j];", id="a bound that may be negative"),
        pytest.param("for (int j = -1; j < u; j++) s += in[i * m + j];", id="an index that may be negative"),
        pytest.param("int k = m; for (int j = 0; j < k; j++) { s += in[i * m + j]; k--; }", id="the bound changes"),
        pytest.param("EACH { s += in[i * m + j]; j += 1; }", id="the index changes"),
        pytest.param("EACH { s += in[i * m + j]; if (s > 3) break; }", id="break"),
        pytest.param("EACH { if (j == 3) continue; s += in[i * m + j]; }", id="continue"),
        pytest.param("EACH { s += in[i * m + j]; s += 1; }", id="two statements"),
        pytest.param("EACH s += in[i * m + j] + in[(int)s];", id="found by the sum"),
        pytest.param("EACH s = in[i * m + j] > 0 ? s + wide[i * m + j] : s;", id="under a condition"),
        pytest.param("EACH if (at[i]) s += in[i * m + j];", id="sometimes"),
        pytest.param("EACH s += own(in[i * m + j]);", id="a function of the user's"),
        pytest.param("EACH ADD(in[i * m + j]);", id="a macro"),
        pytest.param("EACH s = WITH(in[i * m + j]);", id="a macro with the variable"),
        pytest.param("EACH { DECLARE(d, in[i * m + j]); s += d; }", id="a macro that declares"),
        pytest.param("EACH { float d; s += in[i * m + j]; }", id="a local without a value"),
        pytest.param("EACH { static float d = 3; s += in[i * m + j] * d; }", id="a local of all"),
        pytest.param("EACH s = MOST(s, in[i * m + j]);", id="a macro with both"),
        pytest.param("EACH { float d = in[i * m + j]; s = WITH(d); }", id="a macro with a local"),
        pytest.param("EACH s += seen[i * m + j];", id="volatile"),
        pytest.param("EACH s += in[i * m + j] /* one */ + 1;", id="a comment"),
        pytest.param("EACH out[j] += in[i * m + j];", id="memory"),
        pytest.param("EACH shared += in[i * m + j];", id="a variable of all"),
        pytest.param("EACH s += in[i * m + j] * sinf(in[j]);", id="sines"),
        pytest.param("EACH { float d = in[i * m + j]; d += 1; s += d; }", id="a local that changes"),
        pytest.param("EACH { float d = in[i * m + j] - s; s += d * scale; }", id="a local made of the sum"),
        pytest.param("EACH { float d = in[i * m + j], e = s, f = d - e; s = f; }", id="a local made of such a local"),
        pytest.param("for (unsigned long j = n; j < (unsigned long)m; j++) s += in[i * m + j];", id="wide"),
        pytest.param("for (long j = n; j < m; j++) s += in[i * m + j];", id="long"),
        pytest.param("for (unsigned long j = -1; j < (unsigned long)m; j++) s += in[i * m + j];", id="wide from -1"),
        pytest.param("EACH s = s - NEXT;", id="a macro of which the term is a part"),
        pytest.param("EACH s = s * NEXT * 2;", id="a macro that multiplication divides"),
        pytest.param("EACH s = scale * WITH_SUM;", id="a name of the variable and the term"),
        pytest.param("EACH s = s PLUS_NEXT;", id="an operator and the term"),
        pytest.param("EACH { float d IS_NEXT; s += d; }", id="an assignment and the term"),
        pytest.param("const float *p = &s; EACH s += in[i * m + j] + *p;", id="a sum by its address, only read"),
        pytest.param("EACH for (int k = 0; k < 3; k++) s += in[i * m + j];", id="two loops"),
        pytest.param("int j = 0; while (j < m) { s += in[i * m + j]; j++; }", id="another loop"),
        pytest.param("int j; for (j = 0; j < m; j++) s += in[i * m + j];", id="an index that stays"),
        pytest.param("EACH s += 1;", id="no term"),
        pytest.param("float *p = &s; for (int j = 0; j < m; j++) s += in[i * m + j] + *p;", id="a sum by its address"),
    ],
)  # fmt: skip
def test_loops_that_each_thread_executes(loop: str) -> None:
    text = folded(loop.replace("EACH ", "for (int j = 0; j < m; j++) "))
    assert "rex_in_order" not in text and "rex_group" not in text


@pytest.mark.parametrize(
    "before",
    [
        "float s = 0; const float &r = s;",
        "float t = 0; const float &r = t; float &s = t;",
        "float r = 0; float &s = r;",
    ],
)
def test_no_fold_of_what_has_two_names(before: str) -> None:
    head = "void f(int n, int m, float *out, const float *in) {\n#pragma omp target teams distribute parallel for\n"
    loops = f"{before} for (int j = 0; j < m; j++) s += in[i * m + j] * r; {LAST}"
    found = translate_text(f"{head}  for (int i = 0; i < n; i++) {{ {loops} }}\n}}\n", "a.cpp").device
    assert found is not None and "rex_in_order" not in found.text


@pytest.mark.parametrize(
    ("bound", "is_folded"), [("63", False), ("64", True), ("m", True), ("at[i]", False), ("d->n", False)]
)
def test_only_where_the_host_may_find_the_shared_loop_long(bound: str, is_folded: bool) -> None:
    text = folded("for (int j = 0; j < m; j++) s += in[i * m + j];", last=LAST.replace("j < m", f"j < {bound}"))
    assert ("rex_in_order" in text) == is_folded


def test_without_a_fold_nobody_waits() -> None:
    text = device(
        "float s = in[i]; for (int j = 0; j < m; j++) out[i * m + j] = scale / s;", clauses="map(to: in[0:n])"
    )
    assert "rex_wait_for_group" not in text


def test_a_variable_that_lives_on_is_each_threads() -> None:
    """All threads of a group have the same iterations, so what one leaves to the next is the same in all."""
    text = device(f"for (int j = 0; j < m; j++) s += in[i * m + j]; {LAST}", "float s = 0;\n", "reduction(+: s)")
    assert "rex_in_order" not in text
