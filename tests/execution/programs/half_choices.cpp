// SPDX-License-Identifier: Apache-2.0
// Choices between halves and other numbers, which the class that stands for the type on GPUs would make ambiguous.
#include <cstdio>

#define RELU(x) ((x) > 0 ? (x) : 0)
typedef _Float16 half_t;

struct Net {
  half_t w;
  half_t relu(half_t x) const { return x > 0 ? x * w : 0; }
  template <class T> T pick(T x, half_t h) const { return x > 1 ? x : T(h); }
};
static half_t clamp(half_t x, int top) { return x > top ? top : x < -3 ? -3.0f : x; }

int main() {
  half_t a[64];
  int n = 3;
  float f = 2.5f;
  Net net{2};
  __int128 wide = 2;
  for (int i = 0; i < 64; i++) a[i] = (half_t)(i - 32);
#pragma omp target teams distribute parallel for map(tofrom : a) firstprivate(n, f, wide)
  for (int i = 0; i < 64; i++) {
    half_t x = a[i];
    a[i] = x > 0 ? x : 0;
    if (i % 5 == 0) a[i] = i > 10 ? n : x;
    if (i % 7 == 0) a[i] = (half_t)(i > 10 ? x : f);
    if (i % 11 == 0) a[i] = i > 10 ? x + 1 : 2.0;
    if (i % 13 == 0) a[i] = RELU(x) + RELU(n - i);
    if (i % 4 == 0) a[i] = i > 9 ? i > 11 ? x : 5 : 2.5f;
    a[i] += net.relu(x) + clamp(x, n) + net.pick(n, x);
    auto g = [&](half_t y) { return y < 0 ? 1 : y; };
    a[i] = a[i] + g(x);
    a[i] += wide;
    if (i % 17 == 0) a[i] = wide * 3 + i;
  }
  double s = 0;
  for (int i = 0; i < 64; i++) s += (double)a[i] * (i % 7);
  printf("%g\n", s);
}
