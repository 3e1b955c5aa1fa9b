// Variables of classes that other functions declare and return, or name by using declarations of their own.
#include <cstdio>
constexpr auto squares() { struct R { int a[5]; int twice(int i) const { return 2 * a[i]; } }; R r{}; for (int i = 0; i < 5; i++) r.a[i] = i * i; return r; }
static auto make(int k) { struct Acc { double v[3]; int n; double operator()(int i) const { return v[i % n]; } }; return Acc{{k * 1., k * 2., k * 3.}, 3}; }
template <int N> constexpr auto powers() { struct Row { int a[N]; int operator[](int i) const { return a[i]; } }; Row r{}; for (int i = 0; i < N; i++) r.a[i] = 1 << i; return r; }
static constexpr auto table = powers<9>();
namespace deep { namespace er { struct T { int x[3]; }; template <class U> struct W { U u; }; enum class E { a, b }; } }
auto one(int k) { using deep::er::T; return T{{k, k + 1, k + 2}}; }
auto two() { using namespace deep; using er::W; return W<int>{5}; }
auto three() { using deep::er::E; return E::b; }
void others() {
  auto a = one(3); const auto b = two(); auto c = three(); auto *pa = &a; int r = 0; int i = 7; auto j = i; auto p = &i; auto d = 2.5;
#pragma omp target map(tofrom: r, a) map(pa[0:1]) map(p[0:1])
  { r += a.x[1] + b.u + (int)c + pa->x[2] + j + *p + (int)d; a.x[0] = 9; }
  printf("%d %d\n", r, a.x[0]);
}
int main() {
  constexpr auto sq = squares(); int r[5]; auto acc = make(4); const auto &ra = acc; double s = 0;
#pragma omp target teams distribute parallel for map(from: r) reduction(+: s)
  for (int i = 0; i < 5; i++) { r[i] = sq.a[i] + sq.twice(i); s += acc(i) + ra.n; }
#pragma omp target map(tofrom: acc)
  { acc.v[1] = 100; auto other = make(acc.n); acc.v[2] = other(1); }
  int t = 0;
#pragma omp target teams distribute parallel for reduction(+: t)
  for (int i = 0; i < 9; i++) t += table[i] * (i % 3);
  printf("%d ", t); others();
  for (int x : r) printf("%d ", x); printf("%g %g %g\n", s, acc.v[1], acc.v[2]);
}
