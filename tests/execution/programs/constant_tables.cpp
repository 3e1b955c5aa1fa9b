// SPDX-License-Identifier: Apache-2.0
// First-private arrays of constants that lambdas capture, or whose address the region takes.
#include <cstdio>

struct point {
  int x, y;
};
template <class F> static int apply(F f, int i) { return f(i); }
template <class T> static int first(T &a) { return a[0]; }
static int first(int (&)[4]) { return -1; }

int main() {
  int seed = 3, out[40], wide[40];
  alignas(64) const int aligned[3] = {1, 2, 3};
  const int four[4] = {4, 5, 6, 7}, grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  const point points[2] = {{1, 2}, {3, 4}};
  const int large[100] = {9, 8, 7};
#pragma omp target teams distribute parallel for map(from : out) firstprivate(aligned, four, grid, points)
  for (int i = 0; i < 40; i++) {
    const int *p = four;
    auto f = [&](int z) { return z + aligned[z % 3] + p[1] + grid[z % 2][1] + points[z % 2].y; };
    out[i] = apply(f, i) + first(four);
  }
  for (int i = 0; i < 40; i++) printf("%d ", out[i]);
#pragma omp target teams distribute map(from : wide) firstprivate(aligned, four, large)
  for (int i = 0; i < 4; i++) {
    int s = seed;
    auto g = [&](int z) { return z + large[z % 3] + four[z % 4]; };
#pragma omp parallel for
    for (int j = 0; j < 10; j++) {
      auto f = [=](int z) { return z + aligned[z % 3] + large[1]; };
      wide[i * 10 + j] = s + f(j) + g(j);
    }
  }
  for (int i = 0; i < 40; i++) printf("%d ", wide[i]);
#pragma omp target map(from : wide) firstprivate(large)
#pragma omp teams distribute parallel for firstprivate(four)
  for (int i = 0; i < 40; i++) {
    auto f = [=](int z) { return z + four[z % 3] + large[1]; };
    wide[i] = f(i);
  }
  for (int i = 0; i < 40; i++) printf("%d ", wide[i]);
#pragma omp target parallel map(from : wide) firstprivate(large)
#pragma omp for firstprivate(four, points)
  for (int i = 0; i < 40; i++) {
    const point *p = points;
    auto f = [=](int z) { return z + four[z % 3] + large[1] + p[1].x; };
    wide[i] = f(i) + first(four);
  }
  for (int i = 0; i < 40; i++) printf("%d ", wide[i]);
  printf("\n");
}
