/* A class of which a region uses an object has a member template that launches regions through a function template. */
#include <cstdio>
namespace exec { struct dev {}; struct seq {}; }
template <class P> struct threads_of { static constexpr int value = 256; };
template <class A, class B> struct same { static constexpr bool v = false; };
template <class A> struct same<A, A> { static constexpr bool v = true; };
template <class Policy, class F> void forall(Policy, long n, F body) {
  if constexpr (same<Policy, exec::seq>::v) { for (long i = 0; i < n; i++) body(i); }
  else {
    constexpr int nt = threads_of<Policy>::value;
#pragma omp target teams distribute parallel for num_threads(nt)
    for (long i = 0; i < n; i++) body(i);
  }
}
struct Solver {
  double alpha; int n; double *u;
  template <class P> void step(P pol) { double a = alpha, *uu = u; forall(pol, n, [=](long i) { uu[i] += a * i; }); }
  double by_this() {
    double s = 0;
#pragma omp target teams distribute parallel for map(to: this[:1], u[0:n]) reduction(+: s)
    for (int i = 0; i < n; i++) s += alpha * u[i];
    return s;
  }
};
int main() {
  double u[16] = {};
#pragma omp target enter data map(to: u)
  Solver s{0.5, 16, u};
  s.step(exec::dev{});
  std::printf("%g\n", s.by_this());
#pragma omp target exit data map(from: u)
  s.step(exec::seq{});
  std::printf("%g\n", u[15]);
}
