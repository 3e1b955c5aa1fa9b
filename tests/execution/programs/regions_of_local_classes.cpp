// Regions in methods of classes that functions declare, and in namespaces inside of unnamed ones.
#include <cstdio>
namespace outer {
namespace {
namespace inner {
struct scale {
  int by;
  int total(int n) const {
    int r = 0;
#pragma omp target map(r)
    for (int i = 0; i < n; i++) r += by * i;
    return r;
  }
};
static int twice(int x) { return 2 * x; }
template <class T> T plus(T x, T y) { return x + y; }
int sum(int n) {
  int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < n; i++) r += twice(i) + plus(i, 1);
  return r;
}
template <class T> T all(T n) {
  T r = 0;
#pragma omp target map(r)
  for (int i = 0; i < n; i++) r += plus<T>(i, 1);
  return r;
}
} // namespace inner
} // namespace
int ask() { return inner::scale{3}.total(4) + inner::sum(5) + (int)inner::all(2.5) + inner::all(3); }
} // namespace outer
template <class T> T by_type(T x) {
  struct local {
    T v;
    T listed(int n) const {
      T r = 0, w = v;
#pragma omp target map(r)
      for (int i = 0; i < n; i++) r += w * i;
      return r;
    }
    T own(int n) {
      T r = 0;
#pragma omp target map(r)
      for (int i = 0; i < n; i++) r += v * i;
      return r;
    }
  };
  local l{x};
  return l.listed(4) + l.own(3);
}
template <int N> int by_number() {
  struct local {
    int a[N];
    int sum() {
      int r = 0;
#pragma omp target teams distribute parallel for map(tofrom : a) reduction(+ : r)
      for (int i = 0; i < N; i++) r += a[i]++;
      return r;
    }
  } l;
  for (int i = 0; i < N; i++) l.a[i] = i;
  l.sum();
  return l.sum();
}
template <class T> int independent(T) {
  struct local {
    int k;
    int add(int x) {
      int r = 0;
#pragma omp target map(r)
      r = k + x;
      return r;
    }
  };
  return local{2}.add(3);
}
int plain() {
  struct local {
    int v;
    int sum(int n) {
      int r = 0;
#pragma omp target map(r)
      for (int i = 0; i < n; i++) r += v * i;
      return r;
    }
    static int same(int n) {
      int r = 0;
#pragma omp target map(r)
      r = n;
      return r;
    }
    int operator()(int x) const {
      int r = 0;
#pragma omp target map(r)
      r = x + v;
      return r;
    }
  };
  local l{2};
  return l.sum(4) + local::same(3) + l(5);
}
int main() {
  printf("%d\n", outer::ask());
  printf("%g %d\n", by_type(1.5), by_type(2));
  printf("%d %d\n", by_number<3>(), by_number<5>());
  printf("%d %d\n", independent(1), independent(2.0));
  printf("%d\n", plain());
}
