#include <cstdio>
#include <concepts>
#define LONG(x) \
  ((x) + 1)
static inline constexpr auto sum(auto a, auto b) noexcept { return a + b; } // tail; {
/* a comment; */ [[nodiscard]] auto many(auto... a) -> int { return (a + ... + 0); }
std::integral auto half(std::integral auto x);
namespace n {
template <class T> struct H {
  T t;
  H(T v) : t(v) {}
  auto plus(auto x) const { return t + x; }
private:
  int k = 3;
public: int get(auto x) { return k * x; }
  static auto before(auto q) { return q - 1; }
};
}
std::integral auto half(std::integral auto x) { return x / 2; }
int main() {
  int r[7] = {};
#pragma omp target map(tofrom : r)
  {
    n::H<int> h{5};
    r[0] = sum(1, 2), r[1] = many(1, 2, 3) + many(), r[2] = half(9L), r[3] = h.plus(2.5) * 2;
    r[4] = h.get(4), r[5] = h.before(9), r[6] = LONG(sum(1, 1));
  }
  printf("%d %d %d %d %d %d %d\n", r[0], r[1], r[2], r[3], r[4], r[5], r[6]);
}
