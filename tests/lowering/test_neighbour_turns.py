"""Loops of a block's threads that call small functions: a thread takes neighbouring iterations together."""

from __future__ import annotations

import re

import pytest

from rexcc.program.optimisations import Optimisation
from support import translate_text

EACH = "for (int i = 0; i < n; i++)"
FUNCTIONS = """
template <typename T> inline float wide(T a) { return float(a); }
template <typename T> inline T narrow(float a) { return T(a); }
inline float half(float a) { const float h = 0.5f; if (a < 0) return -a * h; return sqrtf(a) * h; }
inline float both(float a, float b) { return half(a) + half(b); }
inline int bounded(int a) { return a > 9 ? 9 : a; }
float kept = 3;
#pragma omp declare target to(kept)
inline float by_kept(float a) { return a * kept; }
inline float by_place(const float *a) { return *a; }
inline float by_name(const float &a) { return a; }
inline float with_static(float a) { static float last; last = a; return a; }
inline float with_loop(float a) { for (int k = 0; k < 3; k++) a *= a; return a; }
inline float with_lock(float a) { float b = a;
#pragma omp atomic
b += 1;
return b; }
inline float of_thread(float a) { return a + omp_get_thread_num(); }
__attribute__((weak)) float by_weak(float a) { return a * 2; }
static __attribute__((always_inline)) float in_place(float a) { return a * 2; }
inline float again(float a) { return a > 3 ? again(a - 1) : a; }
struct pair { float a; float first() const { return a; } };
"""


def device(
    statement: str,
    clauses: str = "reduction(+ : s)",
    loop: str = EACH,
    element: str = "float",
    wraps: bool = False,
    without: frozenset[Optimisation] = frozenset(),
) -> str:
    """Return the device text of a loop that the threads of a team share."""
    source = (
        f'#include <cmath>\nextern "C" int omp_get_thread_num(void);\n{FUNCTIONS}'
        f"void f(int rows, int n, unsigned u, {element} *w, const {element} *v, short *k, double *x, float *o,\n"
        "pair *p) {\n#pragma omp target teams distribute num_teams(rows)\n  for (int r = 0; r < rows; r++) {\n"
        f"    float s = 0, q = 1;\n#pragma omp parallel for {clauses}\n    {loop} {statement}\n"
        "    o[r] = s + q;\n  }\n}\n"
    )
    found = translate_text(source, "a.cpp", arguments=("-w",), left_out=without, wraps=wraps).device
    assert found is not None
    return found.text


def accesses(text: str) -> list[str]:
    """Return what a turn loads and stores, sorted."""
    return sorted(f"{a} {b}" for a, b in re.findall(r"__rex_turn\.(load|store)\((?:\w+, )?&(.*?)[,)]", text))


def test_how_they_look() -> None:
    text = device("{ int at = r * n + i; w[at] = half(w[at] + v[i]); s += w[at]; }")
    asked = "int i = (int)__rex_i; int at = r * n + i; return rex_are_aligned<2>(&w[at], &v[i]); }"
    assert "rex_each_of_neighbours<2>(threadIdx.x, n,\n" in text and asked in text
    stored = "__rex_near_w[__rex_turn_number]"
    assert f"{stored} = half({stored} + __rex_near_v[__rex_turn_number]); s += {stored};" in text
    assert accesses(text) == ["load v[i]", "load w[at]", "store w[at]"]


@pytest.mark.parametrize(
    ("statement", "clauses", "number", "made"),
    [
        ("s += half(w[i]);", "reduction(+ : s)", 2, ["load w[i]"]),
        ("s += in_place(w[i]);", "reduction(+ : s)", 2, ["load w[i]"]),
        ("s += both(w[i], v[i + 1]);", "reduction(+ : s)", 2, ["load v[i + 1]", "load w[i]"]),
        ("k[i] = bounded(k[i]);", "", 4, ["load k[i]", "store k[i]"]),
        ("k[i] = bounded((int)w[i]);", "", 2, ["load w[i]", "store k[i]"]),
        ("{ k[i] = narrow<short>(w[i]); if (k[i] > 3) s += bounded(k[i]); }", "reduction(+ : s)", 2,
         ["load k[i]", "load w[i]", "store k[i]"]),
        ("{ w[i] = half(v[k[i]] + v[r]); s += 1; }", "reduction(+ : s)", 2, ["load k[i]", "store w[i]"]),
        ("{ float y = half(w[i]); y += q; s += y; }", "reduction(+ : s) firstprivate(q)", 2, ["load w[i]"]),
    ],
)  # fmt: skip
def test_what_is_taken_together(statement: str, clauses: str, number: int, made: list[str]) -> None:
    text = device(statement, clauses)
    assert f"rex_each_of_neighbours<{number}>" in text
    assert accesses(text) == made


@pytest.mark.parametrize(
    ("element", "number"), [("signed char", 4), ("unsigned short", 4), ("_Float16", 4), ("int", 2), ("float", 2)]
)
def test_eight_bytes_and_at_most_four_iterations(element: str, number: int) -> None:
    text = device("s += wide(w[i]);", element=element)
    assert f"rex_each_of_neighbours<{number}>" in text and f"{element} __rex_near_w[__rex_turn.count];" in text


@pytest.mark.parametrize(
    ("statement", "clauses"),
    [
        ("s += wide(x[i]);", "reduction(+ : s)"),  # a double has eight bytes
        ("s += wide(x[i]) + wide(w[i]);", "reduction(+ : s)"),
        ("s += half(w[2 * i]);", "reduction(+ : s)"),
        ("s += half(w[u + i]);", "reduction(+ : s)"),  # may wrap
        ("s += half(w[i]);", "reduction(+ : s) schedule(static)"),  # a thread may know which iterations are its own
        ("w[i] = half(q);", ""),  # loads nothing
        ("{ w[i] = half(v[i]); s += v[i]; }", "reduction(+ : s)"),  # which may be what was stored
        ("{ w[i] = half(v[i]); s += q; }", "reduction(+ : s)"),
        ("{ w[i] = half(v[i]); s += k[i]; }", "reduction(+ : s)"),
        ("{ const float &y = v[i]; w[i] = half(w[i]); s += y; }", "reduction(+ : s)"),
        ("{ w[i] = half(v[i]); k[i] = 3; }", ""),
        ("{ if (v[i] > 3) w[i] = half(v[i]); }", ""),
        ("{ w[i] = half(w[i + 1]); }", ""),
        ("w[i] += half(v[i]);", ""),
        ("{ s += half(w[i]); q = s; }", "reduction(+ : s)"),
        ("s += w[i] * by_kept(w[i]);", "reduction(+ : s)"),
        ("s += w[i] + by_place(&w[i]);", "reduction(+ : s)"),
        ("s += w[i] + by_name(v[i]);", "reduction(+ : s)"),
        ("s += with_static(w[i]);", "reduction(+ : s)"),
        ("s += with_loop(w[i]);", "reduction(+ : s)"),
        ("s += with_lock(w[i]);", "reduction(+ : s)"),
        ("s += of_thread(w[i]);", "reduction(+ : s)"),
        ("s += half(w[i]) + omp_get_thread_num();", "reduction(+ : s)"),
        ("s += again(w[i]);", "reduction(+ : s)"),
        ("s += by_weak(w[i]);", "reduction(+ : s)"),
        ("s += half(w[i]) + p[r].first();", "reduction(+ : s)"),
    ],
)
def test_what_is_not(statement: str, clauses: str) -> None:
    assert "rex_each_of_neighbours" not in device(statement, clauses)


def joins(text: str) -> list[str]:
    """Return the functions by which all threads get what they reduce."""
    return re.findall(r"rex_reduce_for_all\w*", text)


def test_straight_code_joins_what_such_loops_reduce_and_no_others() -> None:
    straight = "rex_reduce_for_all_straight(rex_into_add(__rex_s, s));"
    assert straight in device("s += half(w[i]);") and len(joins(device("s += half(w[i]);"))) == 1
    for statement in ("s += w[i];", "s += half(w[2 * i]);", "{ s += w[i]; w[i] = v[i]; }"):
        assert joins(device(statement)) == ["rex_reduce_for_all"]


def test_each_loop_of_a_kernel_joins_in_its_own_way() -> None:
    source = (
        f'#include <cmath>\nextern "C" int omp_get_thread_num(void);\n{FUNCTIONS}'
        "void f(int rows, int n, const float *w, float *o) {\n#pragma omp target teams distribute num_teams(rows)\n"
        "for (int r = 0; r < rows; r++) {\nfloat s = 0, t = 0, u = 0;\n"
        f"#pragma omp parallel for reduction(+ : s)\n{EACH} s += w[i];\n"
        f"#pragma omp parallel for reduction(+ : t)\n{EACH} t += half(w[i]);\n"
        f"#pragma omp parallel for reduction(+ : u)\n{EACH} u += w[i] * w[i];\no[r] = s + t + u;\n}}\n}}\n"
    )
    found = translate_text(source, "a.cpp", arguments=("-w",)).device
    assert found is not None
    assert joins(found.text) == ["rex_reduce_for_all", "rex_reduce_for_all_straight", "rex_reduce_for_all"]


def test_what_leaves_them_out() -> None:
    assert "rex_each_of_neighbours" not in device("s += half(w[i]);", wraps=True)
    assert "rex_each_of_neighbours" not in device("s += half(w[i]);", without=frozenset({Optimisation.LIGHT_LOOPS}))
    assert "rex_each_of_neighbours" not in device("s += half(w[i]);", loop="for (int i = 0; i < 100; i++)")
    assert "rex_each_of_neighbours" not in device("s += half(w[i]);", loop="for (int i = n; i > 0; i--)")
    assert "rex_each_of_neighbours" not in device("s += w[i];")  # these have another form


def test_each_instance_of_a_template_has_its_own() -> None:
    source = (
        f'#include <cmath>\nextern "C" int omp_get_thread_num(void);\n{FUNCTIONS}'
        "template <typename T> void f(int rows, int n, T *w) {\n#pragma omp target teams distribute num_teams(rows)\n"
        "for (int r = 0; r < rows; r++) {\n#pragma omp parallel for\n"
        f"{EACH} w[i] = narrow<T>(half(wide(w[i])));\n}}\n}}\n"
        "void all(float *a, short *b, double *c) { f(1, 9, a); f(1, 9, b); f(1, 9, c); }\n"
    )
    found = translate_text(source, "a.cpp", arguments=("-w",)).device
    assert found is not None
    assert sorted(re.findall(r"rex_each_of_neighbours<(\d)>", found.text)) == ["2", "4"]
