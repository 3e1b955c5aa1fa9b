// Constants of functions that ask whether a constant is asked for: the value is that of the declaration, not of a run.
#include <cstdio>
#include <type_traits>
constexpr int where() { return std::is_constant_evaluated() ? 1 : 2; }
constexpr int glob = where();
template <int N> constexpr int tw = where() + N;
struct S { static constexpr int m = where() * 7; int k = where(); };
int main() {
  int r[10] = {}; constexpr int cw = where(); const int lw = where(); static constexpr int sw = where(); const int nw = where() + r[0];
#pragma omp target map(tofrom: r)
  { r[0] = cw; r[1] = glob; r[2] = tw<3>; r[3] = S::m; constexpr int in = where(); r[4] = in; r[5] = where(); r[6] = lw; r[7] = sw; const int q = where(); r[8] = q + 10 * nw; S s; r[9] = s.k; }
  for (int v : r) std::printf("%d ", v);
#pragma omp target teams distribute parallel for map(tofrom: r)
  for (int i = 0; i < 10; i++) r[i] = cw + 10 * lw + 100 * sw + 1000 * glob;
  int runs = 0;
#pragma omp target teams distribute parallel for reduction(+: runs) map(tofrom: runs)
  for (int i = 0; i < where() * 100; i++) runs++;
  std::printf("%d %d\n", r[2], runs);
}
static constexpr double half() { return __builtin_is_constant_evaluated() ? 0.5 : 0.25; }
template <class T> struct Q { static int run() { int s = 0; constexpr T k = where(); constexpr double h = half(); const T list[2] = {where(), where() + 1}; int bound = where();
#pragma omp target map(tofrom: s)
  { for (int i = 0; i < where(); i++) s += 1; s += k * 10 + (int)(h * 1000) + list[1] * 10000; int arr[where() + 1]; s += sizeof(arr) * 100000; if constexpr (where() == 1) s += 5; else s += 7; s += bound; switch (bound) { case where(): s += 50; break; case 2: s += 60; } }
  return s; } };
int more() {
  auto f = [](auto g) { int s = 0; constexpr int c = where();
#pragma omp target map(tofrom: s)
    s = g() + c;
    return s; };
  constexpr int z = where();
  return f([] { return z; }) * 10 + f([=] { constexpr int y = where(); return y + z; });
}
struct Out { Out() { std::printf("%d %d\n", Q<int>::run(), more()); } } out;
