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
  std::printf("%d %d\n", s, t);
}
