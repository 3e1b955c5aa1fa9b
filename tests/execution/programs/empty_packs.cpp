// Packs without elements beside variables, packs in lambdas of regions, in initialisers and sizes.
#include <cstdio>
struct A1 { int a; int value() const { return a; } };
template <class... M> int sum(M... m) { int k = 2, s = 0; int c = 4;
#pragma omp target map(tofrom : s)
  s = ((m * k + c) + ... + 1);
  return s; }
template <class... T> int nested(int n, const T &...t) { int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) { auto f = [&](auto... u) { return ((u + t) + ... + i); }; s += f(t...); }
  return s; }
template <class T, class... R> int first(T t, R... r) { int s = 0;
#pragma omp target map(tofrom : s)
  { s = t; int a[] = {(int)r..., 0}; for (int v : a) s += v; }
  return s; }
template <class... T> int arr(T... t) { constexpr int n = sizeof...(T); int v[n] = {(int)t...}; int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : v)
  for (int i = 0; i < n; i++) s += v[i] + (int)sizeof...(t);
  return s; }
int g = 3;
#pragma omp declare target to(g)
template <class... T> int f(int n, T... t) { int s = 0, i, j, last = 0; const int c = 5; static int st = 2; auto add = [=](int x) { return x + c; }; int v[n]; for (int q = 0; q < n; q++) v[q] = q;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s) lastprivate(last) map(to : v[0:n])
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) { s += (t + ... + i) * j + c + g + st + add(1) + v[i]; last = i; if constexpr (sizeof...(t) > 5) s += n * last; }
  return s + last; }
// Variables of classes beside them, which no region uses, and bounds of loops that name such.
namespace spaces {
struct Range { long begin, end; };
struct Add { void operator()(long i, int &a, int &b) const { a += b + i; } };
struct None { void operator()(long) const {} };
struct Off { int by; int of(int i) const { return by + i; } };
template <class F, class... A> void each(Range r, F f, A *...a) {
#pragma omp target teams distribute parallel for
  for (long i = r.begin; i < r.end; ++i) f(i, a[i]...);
}
template <class... A> int offsets(Range r, Off o, A... a) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (long i = r.begin; i < r.end; ++i) s += (o.of(a) + ... + 1) + ((r.begin * a) + ... + i);
  return s;
}
}  // namespace spaces
static void in_spaces() {
  int k[10] = {};
#pragma omp target data map(tofrom : k)
  {
    spaces::each({0, 10}, spaces::Add{}, k, k);
    spaces::each({0, 10}, spaces::None{});
  }
  printf("%d %d %d\n", k[3], spaces::offsets({1, 4}, {3}), spaces::offsets({1, 4}, {3}, 1, 2));
}
int main() { in_spaces(); printf("%d %d\n", sum(1, 2) + sum(), nested(3, 1, 2)); printf("%d %d %d\n", first(1), first(1, 2, 3.5), arr(1, 2, 3));  printf("%d %d\n", f(3), f(3, 1, 2)); }
