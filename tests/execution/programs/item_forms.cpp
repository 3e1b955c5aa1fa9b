// List items written in every form that names an object: parentheses, casts, sums, references, pointers to pointers.
#include <cstdio>
#include <utility>
#include <memory>
#include <array>
struct S { double *p; double f[4]; int n; };
struct Pair { int first; double *second; };
union Un { int i; double d[2]; };
struct Bits { unsigned a : 3; int whole; };
struct Mat { double m[3][4]; double (*rows)[4]; Un u; Bits bits; S ss[2][3]; };
enum class Color : unsigned char { red, blue };
template <typename... T> struct Many { std::array<double, 4> data; Color c; };
int main() {
  double d[6] = {1, 2, 3, 4, 5, 6}, rowdata[3][4] = {{1}, {2}, {3}};
  S s{d, {1, 2, 3, 4}, 2}; S *p = &s;
#pragma omp target map(((s).p)[0 : 2], (s).n)
  { s.p[1] = s.n; }
#pragma omp target map((*(p)).f[1], (p)->n)
  { p->f[1] = p->n + 7; }
#pragma omp target map((*p).p[(2) : s.n + 1])
  { p->p[3] = 9; }
  printf("%g %g %g\n", d[1], s.f[1], d[3]);
  int a[3][4] = {}; int(&ra)[3][4] = a; int(&row)[4] = a[1];
#pragma omp target map(ra[1 : 2], row[2])
  { ra[2][1] = 5; row[2] = 6; }
#pragma omp target map(ra)
  { ra[0][0] = 1; }
  printf("%d %d %d\n", a[2][1], a[1][2], a[0][0]);
  Mat m{}; m.rows = rowdata; m.ss[1][2].p = d; Mat *pm = &m;
#pragma omp target map(m.m[1][1 : 2], m.rows[1 : 2])
  { m.m[1][2] = 3; m.rows[2][3] = 4; }
#pragma omp target map(pm->m[1 : 2], pm->rows[0][1 : 2], pm->u.d[1], pm->bits.whole)
  { pm->m[2][0] = 5; pm->rows[0][2] = 6; pm->u.d[1] = 2; pm->bits.whole = 8; }
#pragma omp target map(m.ss[1][2].p[0 : 3], m.ss[1][2].n, m.ss[0][1].f)
  { m.ss[1][2].p[2] = 10; m.ss[1][2].n = 4; m.ss[0][1].f[3] = 11; }
  printf("%g %g %g %g %g %d %g %d %g\n", m.m[1][2], rowdata[2][3], m.m[2][0], rowdata[0][2], m.u.d[1], m.bits.whole, d[2], m.ss[1][2].n, m.ss[0][1].f[3]);
  Many<int, double> many{{1, 2, 3, 4}, Color::red}; auto &data = many.data;
#pragma omp target map(many.data, many.c)
  { many.data._M_elems[1] = 8; many.c = Color::blue; }
#pragma omp target map(data)
  { data._M_elems[2] = 9; }
  printf("%g %g %d\n", many.data[1], many.data[2], (int)many.c);
  int *const cp = &a[0][0]; const int *rp = &a[0][0]; int total = 0;
#pragma omp target map(cp[0 : 4]) map(to : rp[4 : 4]) map(total)
  { cp[1] = 2; total = rp[6]; }
  printf("%d %d\n", a[0][1], total);
  char *bytes = (char *)a; 
#pragma omp target map(((int *)bytes)[4 : 2])
  ((int *)bytes)[5] = 77;
  printf("%d\n", a[1][1]);
  double **pp = &s.p, ***ppp = &pp;
#pragma omp target map(ppp[0][0][1 : 2])
  ppp[0][0][1] = 12;
#pragma omp target map((**ppp)[0 : 2], *pp[0])
  (**ppp)[0] = 13;
  printf("%g %g\n", d[1], d[0]);
}
