// Lambdas that constant functions return, called in regions, and where the language asks for constants.
#include <cmath>
#include <cstdio>
#include <string>

constexpr auto written(int k) { return [k](int x) constexpr { return k * x; }; }
constexpr auto unsaid(int k) { return [k](int x) { return k * x; }; }
constexpr auto twice() { return [](int x) { return 2 * x; }; }
template <class T> constexpr auto of_any(T k) { return [k](auto x) { return k + x; }; }
template <class... Ts> constexpr auto of_all(Ts... k) { return [k...](int x) { return (x + ... + k); }; }
struct Scale {
  int by;
  constexpr auto get() const { return [by = by](int x) { return x * by; }; }
};
// these are no constants, or not always
constexpr auto root() { return [](double x) { return std::sqrt(x); }; }
constexpr auto length(int k) { return [k](std::string s) { return k + (int)s.size(); }; }
constexpr auto longer() { return [](std::string s) { return s + "!"; }; }
constexpr auto kept(int k) { return [k](int x) { static const int n[2] = {3, 4}; return n[0] + k + x; }; }
constexpr auto looped(int k) { return [k](int x) { int s; s = 0; while (x-- > 0) s += k; return s; }; }

static_assert(written(2)(3) == 6 && unsaid(2)(3) == 6 && twice()(3) == 6);
static_assert(of_any(2)(3) == 5 && of_all(1, 2)(3) == 6 && Scale{2}.get()(3) == 6);

int main() {
  constexpr auto a = written(2);
  constexpr int size = twice()(4);
  auto b = unsaid(3);
  auto c = twice();
  auto d = of_any(1.5);
  auto e = of_all(1, 2L, 3);
  auto f = Scale{5}.get();
  auto g = root();
  auto h = kept(1);
  auto i = looped(2);
  auto j = length(3);
  auto k = longer();
  double r[size];
#pragma omp target map(from : r)
  {
    r[0] = a(7) + b(7);
    r[1] = c(7);
    r[2] = d(7);
    r[3] = e(7);
    r[4] = f(7);
    r[5] = g(16);
    r[6] = h(7);
    r[7] = i(7);
  }
  for (double value : r) std::printf("%g ", value);
  std::printf("%d %s\n", j("four"), k("five").c_str());
}
