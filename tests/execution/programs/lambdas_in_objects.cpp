// Objects whose classes are made with the types of lambdas, which keep copies.
#include <cstdio>
#include <tuple>
#include <utility>
template <class F> struct Stage { F f; const char *name; template <class... A> auto operator()(A... a) const { return f(a...); } };
template <class F> Stage(F, const char *) -> Stage<F>;
template <class F, class G> struct Compose { F f; G g; template <class T> auto operator()(T x) const { return f(g(x)); } };
template <class F, class G> Compose(F, G) -> Compose<F, G>;
template <class F, class G> Compose<F, G> operator|(F f, G g) { return {f, g}; }
template <class F> struct Deferred { F f; };
template <class F> auto defer(F &&f) { return Deferred<std::decay_t<F>>{std::forward<F>(f)}; }
struct Holder { int scale; template <class F> int run(F f, int n) const { int r = 0; auto st = Stage{f, "x"};
#pragma omp target map(tofrom: r) firstprivate(st)
   for (int i = 0; i < n; i++) r += st(i);
   return r; } 
   int both(int n) { int r = 0; auto st = Stage{[s = scale](int i) { return i * s; }, "y"};
#pragma omp target map(tofrom: r)
   for (int i = 0; i < n; i++) r += st(i);
   return r; } };
int main() {
  int k = 3, table[4] = {1, 2, 3, 4};
  Stage a{[k](int i) { return i * k; }, "a"}; Stage b{[=](int i) { return table[i & 3] + k; }, "b"};
  Compose c{[](auto x) { return x + 1; }, [k](auto x) { return x * k; }};
  auto d = defer([k](int x) { return k - x; });
  std::pair pr{[](int x) { return -x; }, 7};
  std::tuple tp{[k](double x) { return x * k; }, [](int x) { return x % 3; }};
  auto twice = [](int x) { return 2 * x; }; auto inc = [k](int x) { return x + k; };
  auto e = Compose{twice, inc};
  int s = 0; double t = 0;
#pragma omp target teams distribute parallel for reduction(+: s, t)
  for (int i = 0; i < 50; i++) { s += a(i) + b(i) + c(i) + d.f(i) + pr.first(i) + pr.second + std::get<1>(tp)(i) + e(i); t += std::get<0>(tp)(i * 0.5) + c(0.5); }
  printf("%d %g\n", s, t);
  Holder h{4}; printf("%d %d\n", h.run([k](int i) { return i + k; }, 5), h.both(6));
  
}
