/* nowait and depend in C++: members, references, templates, lambdas; what changes after the task was made. */
#include <cstdio>
#include <vector>
#include <omp.h>
#pragma omp begin declare target
static int slow(int v) {
  volatile int spent = 0;
  for (int i = 0; i < 400000; i++) spent += i & 1;
  return v + (spent < 0);
}
#pragma omp end declare target

namespace lib { int scale = 2; int table[4] = {1, 2, 3, 4}; }

struct Grid {
  int n; int *data; static int made;
  Grid(int n) : n(n), data(new int[n]()) {}
  ~Grid() { delete[] data; }
  void fill(int by) {
#pragma omp target teams distribute parallel for map(tofrom : data[0 : n]) nowait depend(out : data[0])
    for (int i = 0; i < n; i++) data[i] = i * by;
#pragma omp target nowait depend(inout : data[0]) map(tofrom : this->data[0 : this->n])
    for (int i = 0; i < n; i++) data[i] += slow(1);
#pragma omp target update to(data[0 : n]) nowait depend(inout : data[0])
    by = 1000;
#pragma omp taskwait
  }
  int whole() {
    int seen = 0;
#pragma omp target nowait map(tofrom : seen)
    seen = slow(n) + 5;
#pragma omp taskwait
    return seen;
  }
};

struct Big {
  double v[20];
  int copies = 0;
  Big() {
    for (double &x : v) x = 1;
  }
  Big(const Big &other) : copies(other.copies + 1) {
    for (int i = 0; i < 20; i++) v[i] = other.v[i];
  }
};

template <class T, int N> T sums(T first) {
  T a[N], total = 0, keep = first;
  for (int i = 0; i < N; i++) a[i] = first + i;
#pragma omp target nowait map(to : a) map(tofrom : total) depend(out : total)
  for (int i = 0; i < N; i++) total += a[i] * keep + (T)slow(0);
  keep = 100;
#pragma omp target teams distribute parallel for nowait map(tofrom : a) depend(inout : total)
  for (int i = 0; i < N; i++) a[i] *= keep;
  keep = 200;
#pragma omp taskwait
  return total + a[N - 1];
}

static void by_reference(int &x, int (&arr)[8], const int &c, std::vector<int> &v, int &val) {
  int *p = v.data();
#pragma omp target nowait map(tofrom : x, arr, p[0 : v.size()]) depend(out : x) depend(in : arr[2 : 3]) firstprivate(val)
  {
    x = slow(c);
    for (int &e : arr) e += x + val;
    for (int i = 0; i < 4; i++) p[i] = i + lib::scale;
  }
  lib::scale = 50; val = 3000; p = nullptr;
#pragma omp target nowait map(tofrom : x) depend(inout : x)
  x += lib::table[2] + lib::scale;
  lib::scale = 2;
}

int main() {
  Grid g(8); g.fill(3);
  for (int i = 0; i < 8; i++) printf("%d ", g.data[i]);
  printf("%d\n", g.whole());
  printf("%d %g\n", sums<int, 4>(3), sums<double, 5>(0.5));
  int x = 1, arr[8] = {0}, c = 4, val = 3; std::vector<int> v(4, 1);
  by_reference(x, arr, c, v, val);
#pragma omp taskwait
  printf("%d %d %d %d\n", x, arr[7], v[0], v[3]);
  int outer = 1, k = 5;
  auto f = [&outer, k](int d) {
    int mine = d;
#pragma omp target nowait map(tofrom : outer) firstprivate(mine) depend(inout : outer)
    outer += slow(mine) + k;
    mine = 1000;
  };
  f(2); f(3);
#pragma omp taskwait
  printf("%d\n", outer);
  auto twice = [k](int z) { return 2 * z + k; };
  int r = 0;
#pragma omp target nowait map(from: r)
  r = twice(slow(4));
#pragma omp taskwait
  printf("%d\n", r);
  Big big; int kk = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target nowait firstprivate(big) map(from: kk)
    { kk = (int)big.v[3] + slow(2); }
    big.v[3] = 77;
  }
  printf("%d\n", kk);
}
