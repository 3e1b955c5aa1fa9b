// Mappers in namespaces, classes, blocks and function templates; of classes and of instances of class templates.
#include "checks.h"

namespace lib {
template <class T> struct Buffer {
  T *p;
  int n;
};
struct Pair {
  double *x;
  int *y;
  int n;
};
#pragma omp declare mapper(Pair q) map(q) map(q.x[0:q.n], q.y[0:q.n])
namespace {
struct Hidden {
  int *p;
};
#pragma omp declare mapper(Hidden h) map(tofrom : h, h.p[0:3])
}  // namespace
static void use_hidden() {
  int a[3] = {1, 2, 3};
  Hidden h{a};
#pragma omp target data map(tofrom : h)
  {
    CHECK(here(a) && here(a + 2));
#pragma omp target
    h.p[1] += 5;
  }
  CHECK(a[1] == 7 && !here(a));
}
}  // namespace lib
using Doubles = lib::Buffer<double>;
#pragma omp declare mapper(Doubles b) map(b, b.p[0:b.n])
#pragma omp declare mapper(ints : lib::Buffer<int> b) map(b.p, b.n) map(b.p[0:b.n])

class Owner {
  struct Part {
    int *v;
    int n;
  };
  Part one, two[2];
#pragma omp declare mapper(Part s) map(to : s) map(s.v[0:s.n])
public:
  Owner(int *a) : one{a, 4}, two{{a + 4, 4}, {a + 8, 4}} {}
  void run() {
#pragma omp target data map(tofrom : one, two)
    {
      CHECK(here(&one) && here(one.v) && here(two[1].v + 3));
#pragma omp target map(tofrom : one, two)
      for (int i = 0; i < 4; i++) {
        one.v[i] += 1;
        two[0].v[i] += 2;
        two[1].v[i] += 3;
      }
    }
    CHECK(!here(one.v) && !here(two[1].v));
  }
};

class Grid {
public:
  double *cells;
  int n;
  void fill(double value);
};
#pragma omp declare mapper(Grid g) map(g, g.cells[0:g.n])
void Grid::fill(double value) {
#pragma omp target data map(tofrom : this[0:1])
  CHECK(here(this) && here(cells) && here(cells + n - 1));
#pragma omp target
  for (int i = 0; i < n; i++) cells[i] = value + i;
  CHECK(cells[n - 1] == value + n - 1 && !here(cells) && !here(this));
}

template <class T> static void in_function(T *p, int n) {
  struct Local {
    T *q;
    int n;
  };
#pragma omp declare mapper(Local v) map(v, v.q[0:v.n])
  Local l{p, n};
  T before = p[n - 1];
#pragma omp target data map(tofrom : l)
  {
    CHECK(here(p) && here(p + n - 1));
#pragma omp target
    for (int i = 0; i < l.n; i++) l.q[i] += 7;
  }
  CHECK(p[n - 1] == before + 7 && !here(p));
}

static int scoped(lib::Pair &q) {
  int found = 0;
  {
#pragma omp declare mapper(lib::Pair q) map(to : q) map(to : q.y[0:1])
#pragma omp target data map(tofrom : q)
    found = here(q.y) * 10 + here(q.x);
  }
#pragma omp target data map(tofrom : q)
  found += 100 * (here(q.y) * 10 + here(q.x));
  return found;
}

int main() {
  int a[12] = {0};
  double d[4] = {1, 2, 3, 4};
  Owner(a).run();
  CHECK(a[3] == 1 && a[7] == 2 && a[11] == 3);
  Doubles b{d, 4};
#pragma omp target
  for (int i = 0; i < b.n; i++) b.p[i] *= 3;
  CHECK(d[3] == 12);
  lib::Buffer<int> bi{a, 12};
#pragma omp target data map(mapper(ints), tofrom : bi)
  {
    CHECK(here(a + 11));
#pragma omp target map(mapper(ints), alloc : bi)
    bi.p[11] = 42;
    CHECK(a[11] == 3);
  }
  CHECK(a[11] == 42);
  lib::Pair q{d, a, 4};
  CHECK(scoped(q) == 1110);
  in_function(d, 4);
  in_function(a, 12);
  lib::use_hidden();
  Grid g{d, 4};
  g.fill(2.5);
  CHECK(!here(d) && !here(a) && !here(&g) && !here(&q));
  printf("failures: %d\n", failures);
  return failures != 0;
}
