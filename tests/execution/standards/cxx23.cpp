// C++23: several subscripts, explicit objects, static calls, copies by auto, `if consteval`, size_t literals.
#include <cstdio>
#include <cstddef>
#include <array>
#include <span>
#include <utility>
#include <expected>
struct grid { int n; int *d; 
  int &operator[](int i, int j) { return d[i * n + j]; }
  template <class Self> auto size(this Self &&self) { return self.n; } 
};
struct add { static int operator()(int a, int b) { return a + b; } };
constexpr int where() { if consteval { return 1; } else { return 2; } }
enum class e : short { a = 3 };

// Lambdas as arguments of templates, by value and as their types; some in aliases that a function declares.
template <class F> struct call { static int at(int i) { return F{}(i); } };
template <auto... Fs> struct chain { static int at(int i) { return ((i = Fs(i)), ...); } };
template <auto F> int sum_of(int n) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
  for (int i = 0; i < n; i++) s += F(i);
  return s;
}
template <class F = decltype([](int i) { return i * 2; })> int mapped(int n, F f = {}) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}
int lambdas() {
  auto five = [](int i) { return i + 5; };
  using host = call<decltype(five)>;
  using twice = decltype([](int i) { const int two = 2; return i * two; });
  using both = chain<[](int x) { return x + 1; }, [](int x) { return x * 4; }>;
  int r = 0;
#pragma omp target map(tofrom: r)
  r = call<twice>::at(3) + twice{}(1) * 100 + both::at(3) * 1000;
  return r + host::at(1) + sum_of<[](int i) { return i * 3; }>(10) + mapped(10) + mapped(10, [](int i) { return i; });
}
int main() {
  int n = 8; int d[64] = {};
  grid g{n, d};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: d) firstprivate(g)
  for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) {
    grid h{8, d};
    h[i, j] = add{}(i, j) + h.size() + where() ;
  }
  int s = 0; for (auto x = 0uz; x < 64; x++) s += d[x];
  int t = 0;
#pragma omp target map(tofrom: t)
  { auto fact = [](this auto self, int k) -> int { return k < 2 ? 1 : k * self(k - 1); }; t = fact(5); auto v = auto(t); t = v + 1; 
    auto l = [] static { return 3; }; t += l();
    if (int k = 3; k > 2) [[likely]] t += k;
    t += static_cast<int>(std::to_underlying(e::a)); 
  }
  std::printf("%d %d %d\n", s, t, lambdas());
}
