// A layer of execution spaces: functors with tags, policies, reducers, teams, exceptions around regions.
#include <cstdio>
#include <cstddef>
#include <string>
#include <stdexcept>
#include <vector>
#include <type_traits>
#define KLAMBDA [=]
#define KFUN inline
namespace K {
struct Host {}; struct Device {};
template <class Space = Device> struct RangePolicy { using space = Space; int b, e; RangePolicy(int b, int e) : b(b), e(e) {} };
template <class... P> struct MDRange { int n[2]; };
struct Member { int league, size; };
struct TeamPolicy { int teams, threads; };
namespace Impl {
template <class F, class P, class S> struct ParallelFor;
template <class F, class P> struct ParallelFor<F, P, Device> {
  F f; P p;
  void execute() const {
    const F g = f; int b = p.b, e = p.e;
#pragma omp target teams distribute parallel for firstprivate(g)
    for (int i = b; i < e; i++) g(i);
  }
};
template <class F, class P> struct ParallelFor<F, P, Host> {
  F f; P p;
  void execute() const { for (int i = p.b; i < p.e; i++) f(i); }
};
template <class F> struct ParallelFor<F, MDRange<>, Device> {
  F f; MDRange<> p;
  void execute() const { const F g = f; int n = p.n[0], m = p.n[1];
#pragma omp target teams distribute parallel for collapse(2) firstprivate(g)
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) g(i, j); }
};
template <class F> struct ParallelFor<F, TeamPolicy, Device> {
  F f; TeamPolicy p;
  void execute() const { const F g = f; int n = p.teams, t = p.threads;
#pragma omp target teams distribute firstprivate(g)
    for (int i = 0; i < n; i++) { Member m{i, t}; g(m); } }
};
}
template <class S, class F> void parallel_for(const std::string &label, RangePolicy<S> p, const F &f) {
  if (label.empty()) throw std::invalid_argument("label");
  Impl::ParallelFor<F, RangePolicy<S>, S>{f, p}.execute();
}
template <class F> void parallel_for(int n, const F &f) { Impl::ParallelFor<F, RangePolicy<>, Device>{f, RangePolicy<>(0, n)}.execute(); }
template <class F> void parallel_for(MDRange<> p, const F &f) { Impl::ParallelFor<F, MDRange<>, Device>{f, p}.execute(); }
template <class F> void parallel_for(TeamPolicy p, const F &f) { Impl::ParallelFor<F, TeamPolicy, Device>{f, p}.execute(); }
template <class F> inline void team_for(const Member &m, int n, const F &f) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class T> struct Max { using value_type = T; T &r; explicit Max(T &r) : r(r) {} };
template <class F, class T> void parallel_reduce(int n, const F &f, T &result) {
  T v{}; const F g = f;
#pragma omp target teams distribute parallel for reduction(+ : v) firstprivate(g)
  for (int i = 0; i < n; i++) { T u{}; g(i, u); v += u; }
  result = v;
}
template <class F, class T> void parallel_reduce(int n, const F &f, Max<T> red) {
  T v{}; const F g = f;
#pragma omp target teams distribute parallel for reduction(max : v) firstprivate(g)
  for (int i = 0; i < n; i++) { T u{}; g(i, u); v = u > v ? u : v; }
  red.r = v;
}
template <class T> class View {
  T *p; int n;
public:
  View() : p(nullptr), n(0) {}
  View(T *p, int n) : p(p), n(n) {}
  T &operator()(int i) const { return p[i]; }
  template <class... I> T &at(I... i) const { int o = 0; ((o = o * n + i), ...); return p[o]; }
  int extent(int) const { return n; }
};
}
struct Tag1 {}; struct Tag2 {};
struct Functor { K::View<double> v; double k; void operator()(int i) const { v(i) = v(i) * k + i; } };
template <class Tag, class F> struct Tagged { F f; void operator()(int i) const { f(Tag(), i); } };
struct Multi { K::View<double> v; void operator()(Tag1, int i) const { v(i) += 1; } void operator()(Tag2, int i) const { v(i) *= 2; } };
class App {
  K::View<double> u; int n; double dt = .5;
public:
  App(double *p, int n) : u(p, n), n(n) {}
  void run() { auto v = u; auto d = dt; K::parallel_for(n, KLAMBDA(int i) { v(i) += d; }); helper(2); }
  double norm() const { double s = 0; auto v = u; K::parallel_reduce(n, KLAMBDA(int i, double &acc) { acc += v(i) * v(i); }, s); return s; }
private:
  void helper(double f) { auto v = u; K::parallel_for("h", K::RangePolicy<>(0, n), KLAMBDA(int i) { v(i) *= f; }); }
};
int main() {
  const int N = 8; double a[N], b[N * N], *pa = a, *pb = b;
  for (int i = 0; i < N; i++) a[i] = i; for (int i = 0; i < N * N; i++) b[i] = 1;
#pragma omp target enter data map(to : a, b)
  double *da = pa, *db = pb;
#pragma omp target data use_device_ptr(pa, pb)
  { da = pa; db = pb; }
  K::View<double> va(da, N), vb(db, N);
  K::parallel_for(N, Functor{va, 2});
  K::parallel_for("x", K::RangePolicy<K::Device>(1, N), KLAMBDA(int i) { va(i) -= 1; });
  K::parallel_for(N, Tagged<Tag1, Multi>{{va}}); K::parallel_for(N, Tagged<Tag2, Multi>{{va}});
  K::parallel_for(K::MDRange<>{{N, N}}, KLAMBDA(int i, int j) { vb.at(i, j) += i * j; });
  K::parallel_for(K::TeamPolicy{N, 4}, KLAMBDA(const K::Member &m) { K::team_for(m, N, [&](int j) { vb.at(m.league, j) += va(j); }); });
  App app(da, N); app.run(); printf("%g\n", app.norm());
  double s; K::parallel_reduce(N, KLAMBDA(int i, double &u) { u += va(i); }, s); printf("%g\n", s);
  K::parallel_reduce(N, KLAMBDA(int i, double &u) { double x = va(i); if (x > u) u = x; }, K::Max<double>(s)); printf("%g\n", s);
  int caught = 0;
  try { K::parallel_for("", K::RangePolicy<K::Device>(0, N), KLAMBDA(int i) { va(i) = 0; }); } catch (const std::exception &e) { caught++; }
  try { K::parallel_for(N, KLAMBDA(int i) { va(i) += 1; }); throw 3; } catch (int v) { caught += v; }
  K::parallel_for("h", K::RangePolicy<K::Host>(0, 3), [&](int i) { caught += i; });
#pragma omp target exit data map(from : a, b)
  for (double x : a) printf("%g ", x); double t = 0; for (double x : b) t += x; printf("%g %d\n", t, caught);
}
