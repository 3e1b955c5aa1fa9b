// constexpr objects and arrays of a function that stand in regions where the language asks for constants.
#include <array>
#include <cstdio>
enum class e { a, b };
struct in { int x, y; };
struct cfg { int order; bool on = true; e k; in i; double d[2]; };
constexpr int f(int x) { return x + 1; }
#pragma omp begin declare target
template <cfg C> double use() { return C.order + C.on * 10 + (int)C.k * 100 + C.i.x * 1000 + C.i.y * 2000 + C.d[0] + C.d[1]; }
template <e K, bool B, int N> int parts() { if constexpr (B) return N; else return (int)K - N; }
#pragma omp end declare target
template <int N, e K> double all() {
  constexpr cfg c{.order = f(N), .k = K, .i = {1, N}, .d = {0.5}};
  static constexpr cfg d{N, false, e::a, {.y = 2}};
  constexpr in pairs[] = {1, 2, N, 4};
  constexpr std::array<in, 2> more{{{1, 2}, {3, N}}};
  double r = 0;
#pragma omp target teams distribute parallel for map(tofrom: r) reduction(+: r)
  for (int i = 0; i < 4; ++i) {
    std::array<int, pairs[1].x> few{};
    r += use<c>() + use<d>() + parts<c.k, d.on, pairs[1].x>() + more[1].y * (i < c.order && i > 0) + few.size() + pairs[i & 1].y;
    switch (i) { case c.i.x: r += 7; break; default: break; }
    if constexpr (more[1].y > 3) r += 0.25;
    static_assert(c.order == N + 1);
  }
  return r;
}
template <in T> int get() { return T.x + T.y; }

int main() {
  constexpr in t{2, 3};
  constexpr int plain[] = {5, 6};
  static constexpr in u{7, 8};
  int r = 0;
#pragma omp target map(r)
  {
    int a[plain[0]];
    a[4] = t.x;
    r = get<t>() + get<u>() + a[4] + plain[1];
  }
  std::printf("%g %g %d\n", all<3, e::b>(), all<4, e::a>(), r);
}
