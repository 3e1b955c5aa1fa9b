// Results in objects of classes: pointers that a region reads lead to them, or nobody knows their address.
#include <cstdio>
struct Sum {
  int n;
  double x, y;
  void add(double v) { n++; x += v; y = y > v ? y : v; }
  void join(const Sum &o) { n += o.n; x += o.x; y = y > o.y ? y : o.y; }
};
#pragma omp declare reduction(join : Sum : omp_out.join(omp_in)) initializer(omp_priv = Sum{0, 0, 0})
static Sum *kept;
static void keep(Sum &s) { kept = &s; }
struct Linked {
  double x, *to;
  Linked() : x(3), to(&x) {}
};

static void alone(const double *v, int n) {
  Sum s{1, 2, 3};
#pragma omp target teams distribute parallel for reduction(join : s) map(to : v[0:n])
  for (int i = 0; i < n; i++) s.add(v[i]);
  printf("alone: %d %g %g\n", s.n, s.x, s.y);
  Sum t{0, 0, 0};
#pragma omp target map(tofrom : t) map(to : v[0:n])
  for (int i = 0; i < n; i++) {
    t.add(v[i]);
    t.x = t.x * 0.5 + v[n - 1 - i];
  }
  printf("alone: %d %.9g %g\n", t.n, t.x, t.y);
}

/* The pointer is that of the object, by the text or by a function. */
static void pointed_to(int n) {
  Sum s{0, 1, 2};
  double *v = &s.x;
#pragma omp target map(tofrom : s) map(alloc : v[0:0])
  for (int i = 0; i < n; i++) {
    s.x += 1;
    s.y += v[0];
  }
  printf("pointed to: %g %g\n", s.x, s.y);
  Sum t{0, 1, 2};
  keep(t);
  Sum *w = kept;
#pragma omp target map(tofrom : t) map(alloc : w[0:0])
  for (int i = 0; i < n; i++) {
    t.x += w->y;
    w->y += 0.5;
    t.y += w->x;
  }
  printf("pointed to: %g %g\n", t.x, t.y);
  Linked l;
  double *u = l.to;
#pragma omp target map(tofrom : l) map(alloc : u[0:0])
  for (int i = 0; i < n; i++) {
    l.x += 1;
    l.x += u[0];
  }
  printf("pointed to: %g\n", l.x);
}

int main() {
  double v[300];
  for (int i = 0; i < 300; i++) v[i] = (i * 7) % 31;
  alone(v, 300);
  pointed_to(5);
}
