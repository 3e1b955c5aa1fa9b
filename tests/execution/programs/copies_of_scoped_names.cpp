// SPDX-License-Identifier: Apache-2.0
// Copies of variables that constructs in functions, and in regions, name with a scope in front.
#include <cstdio>
#define N 64
#pragma omp declare target
static int x;
namespace n { static int y; }
#pragma omp end declare target

namespace q {
static void red(int *out) {
  n::y = 3;
#pragma omp parallel for reduction(+: n::y)
  for (int i = 0; i < N; i++) n::y += 1;
  out[0] = n::y;
}
static void priv(int *out) {
  ::x = 5;
#pragma omp parallel for private(::x)
  for (int i = 0; i < N; i++) { ::x = i; out[i] = ::x; }
}
static void first(int *out) {
  n::y = 5;
#pragma omp parallel for firstprivate(n::y)
  for (int i = 0; i < N; i++) { n::y += i; out[i] += 1; }
}
static void last(int *out) {
  n::y = 5;
#pragma omp parallel for lastprivate(n::y)
  for (int i = 0; i < N; i++) { n::y = i * 2; out[i] += 1; }
  out[66] = n::y;
}
static void index(int *out) {
  n::y = 5;
#pragma omp parallel for
  for (n::y = 0; n::y < N; n::y++) out[n::y] += 1;
}
}
int main() {
  int out[80]; for (int i = 0; i < 80; i++) out[i] = 0;
#pragma omp target map(tofrom: out)
  {
    q::red(out); q::priv(out); q::first(out); q::last(out); q::index(out);
    n::y = 3;
#pragma omp parallel for reduction(+: n::y)
    for (int i = 0; i < N; i++) n::y += 1;
    out[70] = n::y;
    ::x = 5;
#pragma omp parallel for private(::x)
    for (int i = 0; i < N; i++) { ::x = i; out[i] += ::x; }
  }
  for (int i = 0; i < 80; i++) printf("%d ", out[i]);
  printf("\n");
}
