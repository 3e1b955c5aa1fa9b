// What mappers map: bases, references, arrays of arrays, pointers to mapped classes, objects in tasks and templates.
#include "checks.h"

struct Vec {
  int n;
  double *p;
  double &operator[](int i) { return p[i]; }
};
#pragma omp declare mapper(Vec v) map(v, v.p[0:v.n])

struct Named : Vec {
  int tag[4];
};
#pragma omp declare mapper(Named m) map(m.n, m.p, m.tag[1:2]) map(m.p[0:m.n])

struct Tree {
  Vec root, *leaves, more[2][2];
  int count;
  const Vec *fixed;
};
#pragma omp declare mapper(Tree tree) \
  map(tree.count, tree.root, tree.more) map(tree.leaves[0:tree.count]) map(to : tree.fixed[0:1])

static Vec make(int n, double first) { return Vec{n, numbers(n + 1, first)}; }

static void grids() {
  Vec g[2][3];
  for (int i = 0; i < 6; i++) g[i / 3][i % 3] = make(3, 10 * i);
#pragma omp target data map(tofrom : g)
  {
    CHECK(here(g) && here(g[1][2].p) && here(g[0][0].p + 2));
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++) g[i][j][1] += 0.5;
  }
  CHECK(g[1][2].p[1] == 51.5 && g[0][1].p[1] == 11.5 && !here(g) && !here(g[1][2].p));
#pragma omp target map(tofrom : g[1][0:2])
  g[1][1][0] = -1;
  CHECK(g[1][1].p[0] == -1 && !here(g[1]) && !here(g[1][1].p));
}

static void bases() {
  Named m;
  m.n = 3;
  m.p = numbers(3, 0);
  for (int i = 0; i < 4; i++) m.tag[i] = i;
#pragma omp target map(tofrom : m)
  for (int i = 0; i < m.n; i++) m.p[i] = m.tag[1] + m.tag[2];
  CHECK(m.p[2] == 3 && !here(&m) && !here(m.p));
  Named &r = m;
#pragma omp target data map(tofrom : r)
  {
    CHECK(here(&m.n) && here(m.p) && here(&m.tag[2]));
#pragma omp target
    r.p[1] = 8;
  }
  CHECK(m.p[1] == 8 && !here(m.p));
}

static void trees() {
  Vec leaves[3] = {make(2, 0), make(3, 10), make(4, 20)};
  const Vec fixed = make(2, 5);
  Tree t;
  t.root = make(2, 100);
  for (int i = 0; i < 4; i++) t.more[i / 2][i % 2] = make(2, 200 + i);
  t.leaves = leaves;
  t.count = 3;
  t.fixed = &fixed;
#pragma omp target enter data map(to : t)
  CHECK(here(&t.root) && here(t.root.p) && here(t.more[1][1].p) && here(leaves) && here(leaves[2].p + 3) && here(fixed.p));
#pragma omp target map(tofrom : t)
  {
    for (int k = 0; k < t.count; k++) t.leaves[k][1] += t.fixed->p[0];
    t.more[1][0][0] = t.root[0];
  }
  CHECK(leaves[2].p[1] == 21);
#pragma omp target update from(t)
  CHECK(leaves[2].p[1] == 26 && t.more[1][0].p[0] == 100 && t.leaves == leaves && t.fixed == &fixed);
#pragma omp target exit data map(release : t)
  CHECK(!here(&t.root) && !here(t.root.p) && !here(t.more[1][1].p) && !here(leaves) && !here(leaves[2].p) && !here(fixed.p));
}

static void tasks() {
  Vec a = make(3, 0), b = make(3, 10);
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait depend(out : a) map(tofrom : a)
    a[0] = 4;
#pragma omp target enter data nowait depend(in : a) depend(out : b) map(to : b)
#pragma omp target nowait depend(in : a) depend(inout : b) map(tofrom : a, b)
    b[0] = a[0] + 1;
#pragma omp target exit data nowait depend(in : b) map(from : b)
#pragma omp taskwait
  }
  CHECK(a[0] == 4 && b[0] == 5 && !here(a.p) && !here(b.p) && !here(&a) && !here(&b));
}

template <class T, int N> static T total(T (&v)[N]) {
  T sum{1, numbers(1, 0)};
#pragma omp target map(to : v) map(tofrom : sum)
  for (int k = 0; k < N; k++)
    for (int i = 0; i < v[k].n; i++) sum[0] += v[k][i];
  return sum;
}

struct Holder {
  Vec own, *far;
  Vec &same;
  void add(int k) {
#pragma omp target map(tofrom : own, far[0:1])
    own[k] += far->p[k];
    CHECK(!here(own.p) && !here(far));
#pragma omp target data map(tofrom : this->own, same)
    CHECK(here(own.p) && here(&same) && here(same.p));
  }
};

int main() {
  grids();
  bases();
  trees();
  tasks();
  Vec v[3] = {make(2, 0), make(3, 10), make(1, 20)}, w = make(3, 1), x = make(3, 2);
  CHECK(total(v).p[0] == 54 && !here(v) && !here(v[0].p));
  Holder h{v[1], &w, x};
  h.add(2);
  CHECK(v[1].p[2] == 15 && !here(&h) && !here(&x) && !here(x.p));
  printf("failures: %d\n", failures);
  return failures != 0;
}
