// Structures of which a part is mapped where the region's function does not say so, and some of which none is.
#include <cstdio>
#include <cstdlib>
struct S { int n; double *p; };
struct D : S { int z; };
struct Ctor { int n; double *p; Ctor(int k) : n(k), p(new double[k]) { for (int i = 0; i < k; i++) p[i] = i;
#pragma omp target enter data map(to: this[0:1], p[0:n])
} };
static Ctor *last;
struct Reg { int n; double *p; Reg(int k) : n(k), p(new double[k]) { last = (Ctor*)this; } };
struct Vec { double x, y, z; Vec(double a, double b, double c) : x(a), y(b), z(c) {} };
static void enter(const S &s) {
#pragma omp target enter data map(to: s.p[0:s.n])
}
static void leave(const S &s) {
#pragma omp target exit data map(from: s.p[0:s.n])
}
static double look(const S &s) { return s.p[0]; }
static S &same(S &s) { return s; }
static int check(const char *w, double v, double x) { if (v != x) printf("%s: %g for %g\n", w, v, x); return v == x; }
static S make(int n) { S s{n, new double[n]}; for (int i = 0; i < n; i++) s.p[i] = 1; return s; }
int main() {
  int ok = 0;
  { S s = make(8); enter(s); 
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++) s.p[i] += 3;
    leave(s); ok += check("ref", s.p[2], 4); }
  { D s; s.p = make(8).p; s.n = 8; enter(s);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++) s.p[i] += 3;
    leave(s); ok += check("derived", s.p[2], 4); }
  { S s = make(8); auto &[a, b] = s; (void)a;
#pragma omp target enter data map(to: b[0:8])
#pragma omp target exit data map(from: b[0:8])
    S &r = same(s);
#pragma omp target enter data map(to: r.p[0:8])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++) s.p[i] += 3;
#pragma omp target exit data map(from: r.p[0:8])
    ok += check("reference", s.p[2], 4); }
  { S s = make(8), t = make(8); bool c = std::getenv("PATH") != nullptr; S *q = &(c ? s : t);
#pragma omp target enter data map(to: q->p[0:8])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++) s.p[i] += 3;
#pragma omp target exit data map(from: q->p[0:8])
    ok += check("conditional", s.p[2], 4); }
  { S s = make(8); auto go = [&] {
#pragma omp target enter data map(to: s.p[0:8])
    }; go();
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++) s.p[i] += 3;
#pragma omp target exit data map(from: s.p[0:8])
    ok += check("lambda", s.p[2], 4); }
  { Ctor s(8);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++) s.p[i] += 3;
#pragma omp target exit data map(from: s.p[0:8])
    ok += check("ctor", s.p[2], 5); }
  { Reg s(8); for (int i = 0; i < 8; i++) s.p[i] = 1;
#pragma omp target enter data map(to: last->p[0:8])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++) s.p[i] += 3;
#pragma omp target exit data map(from: last->p[0:8])
    ok += check("registered", s.p[2], 4); }
  { Vec v(1, 2, 3); double r = 0;
#pragma omp target map(from: r)
    r = v.x + v.y; ok += check("value", r, 3); }
  { S s = make(8); double r = 0, f = look(s);
#pragma omp target map(from: r)
    r = s.n; ok += check("looked at", r + f, 9); }
  printf("%d\n", ok);
}
