#include <cstdio>
#include <type_traits>
struct S { int v; S operator+(int k) const { return S{v + k}; } S &operator+=(int k) { v += k; return *this; } };
inline int val(int x) { return x; }
inline int val(const S &x) { return x.v; }
// private copy for numbers, mapped for objects: changed in the region
template <class T> int changes(T x) {
  int s = 0;
#pragma omp target map(tofrom : s)
  { x += 2; s = val(x); }
  return s;
}
// if constexpr chooses what is captured
template <int K, class T> int chosen(int n, T a, T b) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    if constexpr (K == 0) s += val(a) * i;
    else if constexpr (K == 1) s += val(b) + i;
    else { s += val(a) - val(b); }
  }
  return s;
}
// reductions by type, lastprivate
template <class T> T last(int n) {
  T l{};
#pragma omp target teams distribute parallel for lastprivate(l)
  for (int i = 0; i < n; i++) l = T{i * 2};
  return l;
}
// nowait
template <class T> int later(T x) {
  int s = 0;
#pragma omp target map(tofrom : s) nowait
  s = val(x) + 1;
#pragma omp taskwait
  return s;
}
template <class T> int depends(T x) {
  int s = 0;
#pragma omp target map(tofrom : s) nowait depend(out : s)
  s = val(x) + 1;
#pragma omp target map(tofrom : s) nowait depend(inout : s)
  s = val(x) * s;
#pragma omp taskwait
  return s;
}
// private
template <class T> int priv(int n) {
  T t{}; int s = 0;
#pragma omp target teams distribute parallel for private(t) reduction(+ : s)
  for (int i = 0; i < n; i++) { t = T{i}; s += val(t); }
  return s;
}
template <class P> void pointers(int n, P p) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) p[i] = p[i] + 1;
}
struct View { int *d; int &operator[](int i) const { return d[i]; } };
template <class C> int host_reduce(int n, C c) {
  int s = 1;
#pragma omp target teams distribute parallel for map(tofrom : s) reduction(* : s)
  for (int i = 0; i < n; i++) s *= val(c) + i;
  return s;
}
template <class T> int inner(int n, T c) {
  int s = 0;
#pragma omp target teams distribute reduction(+ : s)
  for (int i = 0; i < n; i++) {
    int m = 0;
#pragma omp parallel for reduction(+ : m) firstprivate(c)
    for (int j = 0; j < n; j++) { c += 0; m += val(c) + j; }
    s += m;
  }
  return s;
}
// private copies of which each thread changes its own: in parameters, or in memory where they are large
template <class T, int N> struct Held {
  T k[N];
  T &at(int i) { return k[i % N]; }
};
template <class T, int N> int held(int n) {
  Held<T, N> h;
  for (int i = 0; i < N; i++) h.k[i] = (T)(i + 1);
  int s = 0;
#pragma omp target teams distribute parallel for firstprivate(h) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    h.at(1) = (T)i;
    s += (int)(h.at(0) + 2 * h.at(1) + h.at(i % (N - 2) + 2) + h.at(N - 1));
  }
  return s;
}
template <class T> int only_read(int n, T given) {
  const T c = given;
  int s = 0;
#pragma omp target teams distribute parallel for firstprivate(c) reduction(+ : s)
  for (int i = 0; i < n; i++) s += val(c) * i;
  return s;
}
int main() {
  printf("%d %d %d\n", held<char, 3>(9), held<long, 44>(50), held<double, 100>(120));
  printf("%d %d\n", only_read(5, 2), only_read(5, S{3}));
  printf("%d %d\n", changes(3), changes(S{4}));
  printf("%d %d %d %d\n", chosen<0>(4, 1, 2), chosen<1>(4, 1, 2), chosen<2>(4, 3, 2), chosen<2>(4, S{5}, S{3}));
  printf("%d %d\n", last<int>(5), last<S>(6).v);
  printf("%d %d\n", later(3), later(S{4}));
  printf("%d %d\n", depends(3), depends(S{4}));
  printf("%d %d\n", priv<int>(3), priv<S>(4));
  int a[4] = {1, 2, 3, 4};
#pragma omp target data map(tofrom : a)
  { pointers(4, a); }
  printf("%d\n", a[3]);
  printf("%d %d\n", host_reduce(3, 2), host_reduce(3, S{1}));
  printf("%d %d\n", inner(3, 2), inner(3, S{1}));
}
