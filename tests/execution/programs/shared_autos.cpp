// Variables of a team that are declared with auto and that its threads share: the first thread assigns their values.
#include <cstdio>
#include <utility>
#include <array>
struct P { int a; float b; };
struct Out { auto operator()(int t) const { return std::pair<int, float>{t * 10, 0.5f}; } };
#pragma omp declare target
static int counter;
P make(int t) {
#pragma omp atomic
  counter++;
  return P{t, 1.5f};
}
int count() {
  int c;
#pragma omp atomic capture
  c = ++counter;
  return c > 0;
}
int keep(int t) { return t; }
int twice(int t) { return 2 * t; }
#pragma omp end declare target
template <class T>
T f(T *o) {
#pragma omp target teams distribute map(from:o[0:8])
  for (int t = 0; t < 8; t++) {
    auto s = T(0), u = s;
    auto n = 0;
    const auto p = make(t);
    const auto c = count(), *q = &c;
    auto *w = &o[t], &r = o[t];
    auto a = std::array<T, 2>{T(t), T(1)};
#pragma omp parallel for reduction(+: s)
    for (int i = 0; i < 40; i++) {
      s += i + p.a * p.b + c + *q;
#pragma omp atomic
      n++;
      if (i == 3) a[1] = 5;
    }
    o[t] = s + n + u + a[1];
    *w += 1, r += 2;
  }
  return o[7];
}
int main() {
  float o[8*40];
  Out outer;
#pragma omp target teams distribute map(from:o)
  for (int t = 0; t < 8; t++) {
    auto state = outer(t);
    const P one = make(t);
    const auto k = make(2 * t);
    const int c = count();
    auto a = t, b = 3 * a;
    auto n = 0, m = count();
    auto *q = &o[t * 40];
    auto (*change)(int) -> int = keep;
    alignas(16) auto x{count()};
    auto y(count() + t), z = y;
#pragma omp parallel for num_threads(32)
    for (int i = 0; i < 40; i++) {
      q[i] = state.first + state.second * float(i) + k.a + a + b + one.b + c + m;
#pragma omp atomic
      n++;
      if (i == 3) change = twice, x = 4;
    }
    q[0] += n + change(t) + x + y + z;
  }
  float fs = 0;
  for (float f : o) fs += f;
  printf("%.1f\n", fs);
  double d[8];
  int i[8];
  printf("%.1f %d\n", f(d), f(i));
}
