// Objects that function templates and methods make of lambdas of their own, which keep copies.
#include <cstdio>
#include <utility>
template <class F> struct Stage { F f; template <class... A> auto operator()(A... a) const { return f(a...); } };
template <class F> Stage(F) -> Stage<F>;
template <class F, class G> struct Chain { F f; G g; template <class A> auto operator()(A a) const { return g(f(a)); } };
template <class F, class G> Chain<F, G> chain(F f, G g) { return {f, g}; }
template <class T> T apply_twice(T x) { Stage st{[x](T y) { return x + y; }}; T r = 0;
#pragma omp target map(tofrom: r)
  r = st(st(x));
  return r; }
template <class T, int N> void scaled(T *p, int n, T k) {
  auto c = chain([k](T v) { return v * k; }, [=](T v) { return v + N; });
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (int i = 0; i < n; i++) p[i] = c(p[i]);
}
template <class T> struct Solver { T w; 
  template <class U> void run(U *p, int n) {
    const U k = (U)w;
    auto st = std::make_pair([k](U v) { return v - k; }, 3);
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) firstprivate(st)
    for (int i = 0; i < n; i++) p[i] = st.first(p[i]) * st.second;
  }
  void own(T *p, int n) {
    T k = w;
    Stage st{[k](T v, int i) { return v / k + i; }};
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++) p[i] = st(p[i], i);
  }
};
template <class T> void generic(T *p, int n) {
    T k = 3;
    Stage st{[k](auto v, auto i) { return v / k + i; }};
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++) p[i] = st(p[i], i);
}
template <class... A> void packs(double *p, int n, A... a) {
    Stage st{[a...](double v) { return (v + ... + a); }};
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++) p[i] = st(p[i]);
}
int main() {
  printf("%d %g\n", apply_twice(3), apply_twice(2.5));
  int a[7]; double d[5];
  for (int i = 0; i < 7; i++) a[i] = i + 1;
  for (int i = 0; i < 5; i++) d[i] = i * .5;
  scaled<int, 4>(a, 7, 3); scaled<double, -2>(d, 5, .25);
  for (int x : a) printf("%d ", x); for (double x : d) printf("%g ", x); puts("");
  Solver<double> s{2.5}; s.run(a, 7); s.run(d, 5); s.own(d, 5);
  for (int x : a) printf("%d ", x); for (double x : d) printf("%g ", x); puts("");
  generic(a, 7); generic(d, 5); packs(d, 5, 1, 2.5f, 3u); packs(d, 5);
  for (int x : a) printf("%d ", x); for (double x : d) printf("%g ", x); puts("");
}
