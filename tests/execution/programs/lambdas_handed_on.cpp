// Lambdas that regions hand on by references and std::forward.
#include <cstdio>
#include <utility>
template <class F> void each(int n, double *p, F &&f) {
#pragma omp target teams distribute parallel for map(tofrom: p[:n])
  for (int i = 0; i < n; i++) p[i] = std::forward<F>(f)(p[i], i);
}
struct Add { int k; double operator()(double x, int i) const & { return x + k * i; } double operator()(double x, int i) && { return x - k * i; } };
template <class T> void store(int n, double *p, T &&v) {
#pragma omp target teams distribute parallel for map(tofrom: p[:n])
  for (int i = 0; i < n; i++) p[i] *= std::forward<T>(v);
}
template <class T> void moved(int n, double *p, T v) {
#pragma omp target teams distribute parallel for map(tofrom: p[:n])
  for (int i = 0; i < n; i++) p[i] += std::move(v);
}
template <class F> void use(F &&f, double &x, int i) { x = f(x, i); }
template <class F, class... A> decltype(auto) call(F &f, A &&...a) { return f(std::forward<A>(a)...); }
template <class F> void each_bound(int n, double *p, F f) {
#pragma omp target teams distribute parallel for map(tofrom: p[:n])
  for (int i = 0; i < n; i++) { use(f, p[i], i); p[i] += call(f, p[i], i); auto &&g = f; p[i] = g(p[i], 1); use(std::move(f), p[i], 2); }
}
int main() {
  double p[7]; for (int i = 0; i < 7; i++) p[i] = i; double q = 3; const Add ca{2}; Add a{3};
  each(7, p, [q](double x, int i) { return x * q + i; });
  each(7, p, a);
  each(7, p, ca);
  each(7, p, Add{1});
  auto l = [=](double x, int i) { return x + i / q; };
  each(7, p, l);
  store(7, p, 2);
  store(7, p, q); const float f = .5f;
  store(7, p, f); moved(7, p, 1.5);
  double big[80]; for (int i = 0; i < 80; i++) big[i] = i * .5;
  each(7, p, [=](double x, int i) { return x + big[i * 3]; });
  each_bound(7, p, [=](double x, int i) { return x - big[i]; });
  each_bound(7, p, [q](double x, int i) { return x * q + i; });
  auto h = [=](double x, int i) { return x + i / q; };
#pragma omp target teams distribute parallel for map(tofrom: p[:7])
  for (int i = 0; i < 7; i++) { use(h, p[i], i); p[i] += call(h, p[i], i);
  auto &g = h; p[i] = g(p[i], 1); }
  for (double x : p) printf("%g ", x); puts("");
}
