"""Objects that an inner loop gives to functions are in locals while it runs."""

from __future__ import annotations

import pytest

from support import compiled

HEAD = """#include <array>
struct S { double x, v; };
struct W { double *at; };
struct V { volatile double x; double v; };
struct M { double x; int n; };
#pragma omp declare target
static double kept;
static S *where;
#pragma omp end declare target
static void step(S &s, double h) { s.v += h; s.x += s.v * h; }
static void by_pointer(S *s, double h) { s->v += h; (*s).x += h; }
static void deeper(S *s, double h) { for (int k = 0; k < 3; k++) by_pointer(s, h); }
static void numbers(double *p, double h) { for (int k = 0; k < 4; k++) p[k] += h; }
static double reads(const S &s) { return s.x; }
static void seldom(S &s, double h) { if (h > 1) s.x += h; }
static void early(S &s, double h) { if (h > 1) return; s.x += h; }
static void next(S *s, double h) { s->x += s[1].x * h; }
static void goes(S *s, double h) { s++; s->x += h; }
static void keeps(S *s, double h) { where = s; s->x += h; }
static S copy(S *s) { S t = *s; s->x = 1; return t; }
static void both(S &s, const S *others, double h) { s.x += others[0].v * h; }
static void counts(S &s, double h) {
  s.x += h;
#pragma omp atomic
  s.v += h;
}
static void atomically(V &s, double h) { s.x = s.x + h; }
static void mixed(M &m, double h) { m.x += h; m.n++; }
static void global(S &s, double h) { s.x += h; kept = s.x; }
struct P { double x[4]; };
struct C { const double x; double v; };
static void changes(C &c, double h) { c.v += h; }
static void part(double *p) { p[0] += 1; }
"""
MAPS = "map(tofrom: a[0:n], b[0:n], y[0:n], m[0:n], v[0:n], z[0:n], c[0:n])"


def body(statement: str, maps: str = MAPS, construct: str = "teams distribute parallel for") -> str:
    """Return the device text of a loop over the grid."""
    source = (
        f"{HEAD}void f(int n, int steps, S *a, S *b, std::array<double, 4> *y, M *m, V *v, P *z, C *c, int *k) {{\n"
        f"#pragma omp target {construct} {maps}\n"
        f"  for (int i = 0; i < n; i++) {{ {statement} }}\n}}\n"
    )
    return compiled(source, "a.cpp").kernels[0].body


@pytest.mark.parametrize(
    ("call", "own"),
    [
        ("step(a[i], 0.1)", "step(__rex_own_a.object, 0.1)"),
        ("by_pointer(&a[i], 0.1)", "by_pointer(&__rex_own_a.object, 0.1)"),
        ("deeper(&a[i], 0.1)", "deeper(&__rex_own_a.object, 0.1)"),
        ("numbers(y[i].data(), 0.1)", "numbers(__rex_own_y.object.data(), 0.1)"),
        ("both(a[i], b, 0.1)", "both(__rex_own_a.object, b, 0.1)"),
        (
            "step(a[i], 0.1); a[i].x += a[i].v;",
            "step(__rex_own_a.object, 0.1); __rex_own_a.object.x += __rex_own_a.object.v",
        ),
        ("step(a[i + 1], b[i].x)", "step(__rex_own_a.object, "),
    ],
)
def test_objects_given_to_functions_are_in_locals(call: str, own: str) -> None:
    text = body(f"for (int s = 0; s < steps; s++) {{ {call}; }}")
    assert own in text
    name = "y" if "y[i]" in call else "a"
    place = "a[i + 1]" if "i + 1" in call else f"{name}[i]"
    assert "if (rex_tripcount_lt(0, steps, 1) > 0) {" in text
    assert f"auto __rex_own_{name} = rex_keep<double>({place});" in text
    assert text.index(own) < text.index(f"__rex_own_{name}.put_back({place});")


@pytest.mark.parametrize(
    "call",
    [
        "seldom(a[i], 0.1)",
        "early(a[i], 0.1)",
        "next(&a[i], 0.1)",
        "goes(&a[i], 0.1)",
        "keeps(&a[i], 0.1)",
        "b[i] = copy(&a[i])",
        "both(a[i], a, 0.1)",
        "step(a[i], a[0].x)",
        "step(a[s], 0.1)",
        "step(a[k[i]], 0.1)",
        "S *p = &a[i]; step(*p, 0.1)",
        "counts(a[i], 0.1)",
        "atomically(v[i], 0.1)",
        "mixed(m[i], 0.1)",
        "global(a[i], 0.1)",
        "part(z[i].x)",
        "changes(c[i], 0.1)",
        "b[i].x += reads(a[i])",
        "if (s == 3) break; step(a[i], 0.1)",
        "if (s & 1) step(a[i], 0.1)",
        "auto l = [&] { step(a[i], 0.1); }; l()",
    ],
)
def test_others_stay_in_memory(call: str) -> None:
    assert "rex_keep" not in body(f"for (int s = 0; s < steps; s++) {{ {call}; }}", f"{MAPS} map(to: k[0:n])")


@pytest.mark.parametrize("maps", ["", "map(tofrom: a[0:1], b[0:n])", "map(tofrom: b[0:n])"])
def test_objects_that_may_not_be_there_whole_stay(maps: str) -> None:
    assert "rex_keep" not in body("for (int s = 0; s < steps; s++) { step(a[i], 0.1); }", maps)


def test_memory_that_may_be_the_objects_keeps_them_there() -> None:
    loop = "for (int s = 0; s < steps; s++) { both(a[i], b, 0.1); }"
    assert "rex_keep" in body(loop)
    assert "rex_keep" not in body(loop, "map(tofrom: a[0:n])")


def test_loops_whose_threads_meet_keep_objects_in_memory() -> None:
    loop = (
        "\n#pragma omp parallel for\nfor (int j = 0; j < 4; j++) for (int s = 0; s < steps; s++) { step(a[i], 0.1); }"
    )
    assert "rex_keep" not in body(loop, construct="teams distribute")


def test_a_loop_without_braces_around_it_may_have_a_local_in_front() -> None:
    assert "auto __rex_own_a" in body("if (i & 1) for (int s = 0; s < steps; s++) step(a[i], 0.1);")
