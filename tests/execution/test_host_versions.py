"""Host versions: every way to split a construct into several, and variables that must not change outside a region."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

import support
from rexcc.openmp.tables import CONSTRUCTS
from support import Bench

LEAVES = (
    ("target", "simd"),
    ("target", "parallel", "for"),
    ("target", "parallel", "for", "simd"),
    ("target", "teams", "distribute"),
    ("target", "teams", "distribute", "simd"),
    ("target", "teams", "distribute", "parallel", "for"),
    ("target", "teams", "distribute", "parallel", "for", "simd"),
)
CONTINUED = ("target", "teams", "distribute", "parallel")
"""Leaves after which a construct of its own may follow, as far as regions are joined."""

pytestmark = pytest.mark.usefixtures("runtime")


def splittings(leaves: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Yield the ways to write a combined construct as constructs nested in one another."""
    for count in range(len(leaves)):
        for cuts in combinations(range(1, len(leaves)), count):
            pieces = [leaves[a:b] for a, b in zip((0, *cuts), (*cuts, len(leaves)), strict=True)]
            if all(" ".join(p) in CONSTRUCTS for p in pieces) and _are_joined(pieces):
                yield pieces


def _are_joined(pieces: list[tuple[str, ...]]) -> bool:
    outer = [p[-1] for p in pieces[:-1]]
    simd_alone = pieces[-1] == ("simd",) and len(pieces) > 1 and outer[-1] != "target"
    return all(leaf in CONTINUED for leaf in outer) and not simd_alone


def pragmas(pieces: list[tuple[str, ...]]) -> str:
    """Return the directives; a reduction stands wherever its variable would be shared by several threads."""
    lines: list[str] = []
    for position, piece in enumerate(pieces):
        clauses = " map(tofrom : a, s)" if position == 0 else ""
        clauses += " reduction(+ : s)" if _reduces(piece) else ""
        clauses += " private(t)" if position == len(pieces) - 1 else ""
        lines.append(f"#pragma omp {' '.join(piece)}{clauses}")
    return "\n".join(lines)


def _reduces(piece: tuple[str, ...]) -> bool:
    return "teams" in piece or "parallel" in piece or piece in (("simd",), ("target", "simd"))


def program(regions: list[str]) -> str:
    """Return a program that runs a loop under each of the given directives and prints what has become of its data."""
    parts = ["#include <stdio.h>", "int main(void) {", "  int a[100], s, t;"]
    for region in regions:
        parts += [
            "  for (int i = 0; i < 100; i++) a[i] = i;",
            "  s = 0, t = 5;",
            region,
            "  for (int i = 0; i < 100; i++) { t = 2 * i; a[i] += t; s += a[i]; }",
            '  printf("%d %d %d\\n", a[99], s, t);',
        ]
    return "\n".join([*parts, "}", ""])


def test_every_splitting_runs_each_iteration_once(bench: Bench) -> None:
    every = [pieces for leaves in LEAVES for pieces in splittings(leaves)]
    assert len(every) > 40
    built = bench.build({"splittings.c": program([pragmas(p) for p in every])}, "-w")
    for lines in (support.on_host(built), support.on_device(built)):
        wrong = [p for p, line in zip(every, lines.splitlines(), strict=True) if line != "297 14850 5"]
        assert not wrong


PRIVATES = """#include <stdio.h>
struct pair { int x, y[2]; };
int global = 3;
static int table[4] = {1, 2, 3, 4};
int main(void) {
  int t = 5, u[2] = {7, 8}, v = 9, r[6] = {0}, i = 42;
  struct pair p = {1, {2, 3}};
  int *q = r, *read = r;
#pragma omp target teams num_teams(1) private(t) firstprivate(p, u) map(from : r)
  {
    t = p.x;
    p.y[1] += u[1];
    *u = t;
    r[0] = p.y[1] + u[0];
  }
#pragma omp target defaultmap(firstprivate : aggregate) map(tofrom : v)
  {
    table[1] = 50;
    p.y[0] = 60;
    v += table[1] + p.y[0];
  }
#pragma omp target map(tofrom : q[0 : 6])
  {
    q++;
    *q = 11;
    q[1] = global++;
  }
#pragma omp target simd map(tofrom : r)
  for (i = 3; i < 6; i++) r[i] = i;
#pragma omp target map(tofrom : r) firstprivate(read, u)
  r[5] += u[0] + (read != 0);
  printf("%d %d %d %d %d %d %d\\n", t, u[0], u[1], v, p.x, p.y[0], p.y[1]);
  printf("%d %d %d %d %d %d %d %d %d\\n", r[0], r[1], r[2], r[3], r[4], r[5], i, global, table[1]);
  printf("%d\\n", (int)(q - r));
  return 0;
}
"""
EXPECTED = "5 7 8 119 1 2 3\n12 11 3 3 4 13 42 3 2\n0\n"


@pytest.mark.parametrize("name, standard", [("privates.c", "-std=c99"), ("privates.cpp", "-std=c++11")])
@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_nothing_private_is_written_outside(bench: Bench, name: str, standard: str, compiler: str) -> None:
    built = bench.build({name: PRIVATES}, "-w", standard, f"--host-compiler={compiler}")
    assert support.on_host(built) == EXPECTED
    assert support.on_device(built) == EXPECTED


MADE_ANEW = """#include <cstdio>
struct T { int v; T(int v = 3) : v(v) {} };
struct C { int v, n = 0; C(int v) : v(v) {} C(const C &o) : v(o.v), n(o.n + 1) {} };
template <class X> struct W { X x[2]; W() = default; W(const W &o) { x[0] = o.x[1]; x[1] = o.x[0]; } };
template <class X> int f(X given) {
  int s = 0;
#pragma omp target map(tofrom : s) private(given)
  { given = X(7); s += int(sizeof given) + (given == X(7)); }
  X other = given;
#pragma omp target map(tofrom : s) firstprivate(given)
  s += given == other;
  return s;
}
struct Eq : T { using T::T; bool operator==(const Eq &o) const { return v == o.v; } };
int main() {
  C c(5); W<int> w; w.x[0] = 1; w.x[1] = 2; int s = 0; T a[2] = {4, 4};
#pragma omp target map(tofrom : s) firstprivate(c, w) private(a)
  s += c.v + (c.n > 0) * 10 + w.x[0] * 100 + a[1].v * 1000;
#pragma omp target teams distribute parallel for reduction(+ : s) firstprivate(w)
  for (int i = 0; i < 2; i++) s += w.x[1] * 0 + c.v;
  std::printf("%d %d %d\\n", s, f(4), f(Eq(5)));
}
"""


UNNAMED = """#include <cstdio>
struct Pair { double a, b; };
static double x = 1, *way = &x;
static void set(double *into) { *into = 9; }
template <class T> T through(T given) {
  T &other = given, seen = 0;
#pragma omp target map(tofrom : other) map(from : seen)
  { other = 40; seen = given; }
  return seen;
}
int main() {
  double &r = x, seen[10] = {}, local = 4, *p = &local, *q = &local, *&same = q, third = 3, left = 7;
  const double &look = x;
  Pair s = {5, 6}, &of = s;
  double &part = s.a;
#pragma omp target map(tofrom : r)
  { r = 10; seen[0] = x; }
#pragma omp target map(tofrom : p[0 : 1])
  { *p = 20; seen[1] = local; }
#pragma omp target map(tofrom : s)
  { s.a = 30; seen[2] = part; }
#pragma omp target map(tofrom : way[0 : 1])
  { set(way); seen[3] = x; }
#pragma omp target map(tofrom : of) firstprivate(s)
  { of.b = 50; seen[4] = s.b; }
#pragma omp target teams distribute parallel for map(tofrom : r)
  for (int i = 0; i < 1; i++) { r++; seen[5] = x; }
#pragma omp target map(tofrom : r) if(0)
  { r = 60; seen[6] = x; }
#pragma omp target map(tofrom : same)
  { same = nullptr; seen[7] = q != nullptr; }
#pragma omp target map(tofrom : third)
  { third = 70; seen[8] = left; }
#pragma omp target map(tofrom : r)
  { r = 80; seen[9] = look; }
  for (double one : seen) std::printf("%g ", one);
  std::printf("%d %g %g %g %g %d\\n", through(8), x, s.a, of.b, third, q == nullptr);
}
"""


def test_what_changes_by_another_name_is_copied(bench: Bench) -> None:
    built = bench.build({"unnamed.cpp": UNNAMED}, "-w")
    expected = "1 4 5 10 6 9 10 1 7 60 8 80 30 50 70 1\n"
    assert support.on_device(built) == expected
    assert support.on_host(built) == expected
    assert "__rex_left" not in support.compiled(UNNAMED, "t.cpp").host


SCOPED = """#include <cstdio>
int g = 5;
namespace N { int h = 6, k = 1; namespace { int hidden = 1; } inline namespace v1 { int newest = 2; } }
namespace M { using N::k; }
struct S { static int s; int of_class(int *p) {
  int r = 0;
#pragma omp target map(tofrom : p[0 : 1]) map(from : r)
  { p[0] = 90; r = S::s * 10 + s + this->s; }
  return r;
} };
int S::s = 4;
template <class T> struct Holder {
  static T held;
  T seen(T *p) {
    T r = 0;
#pragma omp target map(tofrom : p[0 : 1]) map(from : r)
    { p[0] = 91; r = Holder::held; }
    return r;
  }
};
template <class T> T Holder<T>::held = 7;
int main() {
  int r[10] = {}, *p = &g, *q = &N::h, *t = &N::hidden, *w = &N::newest, *of = &S::s, *to = &N::k, i = 1;
  S objects[2];
  using N::h;
  namespace K = N;
#pragma omp target map(tofrom : p[0 : 1]) map(from : r[0])
  { p[0] = 70; r[0] = ::g; }
#pragma omp target map(tofrom : q[0 : 1]) map(from : r[1])
  { q[0] = 71; r[1] = h * 10 + N::h; }
#pragma omp target map(tofrom : t[0 : 1], w[0 : 1]) map(from : r[2])
  { t[0] = 72; w[0] = 73; r[2] = K::hidden * 10 + N::v1 :: newest; }
#pragma omp target map(tofrom : to[0 : 1]) map(from : r[3])
  { to[0] = 74; r[3] = M::k; }
  g = 5;
#pragma omp target map(tofrom : p[0 : 1]) map(from : r[4])
  { int one = 1; p[0] = 75; r[4] = [&one] { return ::g + one + [=] { return g; }(); }() + [] { return g; }(); }
#pragma omp target firstprivate(::g) map(from : r[5])
  { g = 76; r[5] = [] { return ::g; }(); }
#pragma omp target map(tofrom : of[0 : 1]) map(from : r[6])
  { of[0] = 77; r[6] = objects[i].s; }
  g = 5;
#pragma omp target map(tofrom : p[0 : 1]) map(from : r[8])
  {
    int few[2] = {1, 2};
    p[0] = 75;
    auto of_element = [x = few[0]] { return x + g; };
    auto of_lambda = [x = few[1], y = [] { return ::g; }()] { return x + y; };
    r[8] = of_element() * 10 + of_lambda();
  }
  S::s = 4;
  r[7] = objects[0].of_class(of);
  r[9] = Holder<int>().seen(&Holder<int>::held);
  for (int one : r) std::printf("%d ", one);
  std::printf("%d %d %d %d %d\\n", g, N::h, N::k, S::s, Holder<int>::held);
}
"""


def test_copies_of_globals_are_found_by_scopes_objects_and_lambdas(bench: Bench) -> None:
    built = bench.build({"scoped.cpp": SCOPED}, "-w")
    expected = "5 66 12 1 16 76 4 48 67 7 75 71 74 90 91\n"
    assert support.on_device(built) == expected
    assert support.on_host(built) == expected


BOUND = """#include <cstdio>
struct Pair { int a, b; };
static Pair all = {1, 2};
int main() {
  Pair local = {5, 6}, *p = &local;
  int r[6] = {};
  auto &[x, y] = all;
  auto &[left, right] = local;
  const auto &[fixed, same] = local;
  auto [own, other] = local;
#pragma omp target map(tofrom : all) map(from : r[0])
  { all.a = 70; r[0] = x; }
#pragma omp target map(tofrom : local) map(from : r[1])
  { local.a = 71; r[1] = left; }
  local.a = 5;
#pragma omp target map(tofrom : p[0 : 1]) map(from : r[2])
  { p->a = 72; r[2] = fixed + own; }
  local.a = 5;
#pragma omp target map(tofrom : p[0 : 1]) map(from : r[3])
  { p->a = 73; left++; r[3] = left; }
#pragma omp target teams distribute parallel for map(tofrom : local) map(from : r[4])
  for (int i = 0; i < 1; i++) { local.b = 8; r[4] = right; }
#pragma omp target map(tofrom : local) map(from : r[5])
  { auto &[one, two] = local; local.b = 9; r[5] = two; two = 10; }
  for (int one : r) std::printf("%d ", one);
  std::printf("%d %d %d\\n", all.a, local.a, local.b);
}
"""


def test_structured_bindings_keep_their_values(bench: Bench) -> None:
    built = bench.build({"bound.cpp": BOUND}, "-w", "-std=c++20")
    expected = "1 5 10 6 6 9 70 73 10\n"
    assert support.on_device(built) == expected
    assert support.on_host(built) == expected


def test_constructors_make_copies_of_what_does_not_change(bench: Bench) -> None:
    built = bench.build({"made_anew.cpp": MADE_ANEW}, "-w")
    assert support.on_host(built) == "3225 6 6\n"
    assert support.on_device(built) == "3225 6 6\n"


def test_copies_are_made_only_of_what_changes() -> None:
    host = support.compiled(PRIVATES).host
    last = host[host.rindex("if (__tgt_target_kernel") :]
    assert "__rex_read" not in last and "__rex_u" not in last


def test_a_global_with_its_namespace_is_copied_too() -> None:
    source = "namespace n { int g; }\nvoid f() {\n#pragma omp target\n  n::g += ::n::g;\n}\n"
    host = support.compiled(source, "t.cpp").host
    assert "  g += g;" in host


ASKING = """#include <omp.h>
#include <stdio.h>
static int level(void) { return omp_get_level() * 100 + omp_in_parallel() * 10 + omp_get_thread_num(); }
int main(void) {
  int bad = 0, last = -1, first = 7, shared = 3;
#pragma omp target teams distribute if(0) reduction(+ : bad) firstprivate(first) lastprivate(last)
  for (int i = 0; i < 8; i++) { bad += level() != 0; bad += omp_get_num_threads() != 1; first++; last = first + i; }
  printf("%d %d %d\\n", bad, last > 7, first);
  int sum = 0, level = -1, inside = -1;
#pragma omp target teams if(0) map(tofrom : shared, sum)
#pragma omp distribute collapse(2) private(last) firstprivate(shared)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) { last = omp_get_level(); shared += last + 1; sum += last + omp_get_team_num(); }
  printf("%d %d %d\\n", sum, shared, last > 7);
#pragma omp parallel num_threads(2) reduction(+ : bad)
  {
    int mine = -1;
#pragma omp target teams distribute if(0) map(from : mine)
    for (int i = 0; i < 1; i++) mine = omp_get_num_teams();
    bad += mine != 1;
  }
  printf("%d\\n", bad);
#pragma omp target teams distribute if(0) map(tofrom : level, inside)
  for (int i = 0; i < 1; i++) { level = omp_get_level(); inside = omp_in_parallel(); }
  printf("%d %d\\n", level, inside);
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_a_distributed_loop_is_not_in_a_parallel_region(bench: Bench, compiler: str) -> None:
    built = bench.build({"asking.c": ASKING}, "-w", f"--host-compiler={compiler}")
    assert support.on_host(built) == "0 1 7\n0 3 1\n0\n0 0\n"


LIMITED = """#include <omp.h>
#include <stdio.h>
static int limit_in_parallel(void) {
  int least = 1000;
#pragma omp parallel reduction(min : least)
  least = omp_get_thread_limit() * 10 + omp_get_num_threads();
  return least;
}
int main(void) {
  int before = omp_get_thread_limit(), a = 0, b = 0, c = 0, levels[2] = {-1, -1}, last = -1, kept = 5, sum = 0, n = 1;
#pragma omp target if(0) map(tofrom : a, b)
#pragma omp teams thread_limit(1)
  {
    a = omp_get_thread_limit();
    b = limit_in_parallel();
  }
#pragma omp target parallel if(target : 0) map(tofrom : c) thread_limit(n + 1) num_threads(4)
#pragma omp atomic
  c += omp_get_thread_limit();
  printf("%d %d %d %d\\n", a, b, c == 2 || c == 4, omp_get_thread_limit() == before);
#pragma omp target teams distribute if(0) map(tofrom : levels) firstprivate(kept) lastprivate(last) \\
    reduction(+ : sum) thread_limit(3)
  for (int i = 0; i < 2; i++) {
    levels[i] = omp_get_level();
    kept += 1, last = kept + i;
#pragma omp parallel num_threads(2)
#pragma omp single
    sum += omp_get_level() * 10 + omp_get_thread_limit();
  }
  printf("%d %d %d %d %d %d\\n", levels[0], levels[1], kept, last > 6, sum, omp_get_thread_limit() == before);
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_the_limit_of_threads_holds_on_the_host(bench: Bench, compiler: str) -> None:
    built = bench.build({"limited.c": LIMITED}, "-w", f"--host-compiler={compiler}")
    assert support.on_host(built) == "1 11 1 1\n0 0 5 1 26 1\n"
