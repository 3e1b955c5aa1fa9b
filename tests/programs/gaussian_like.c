/* Elimination: kernels in a host loop, collapse(2), unusual bounds. */
#include <stdio.h>
#define SIZE 12

static float a[SIZE * SIZE], b[SIZE], m[SIZE * SIZE];

static void forward(int size) {
  int t;
#pragma omp target data map(tofrom : a, b, m)
  for (t = 0; t < size - 1; t++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < size - 1 - t; i++) m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
#pragma omp target teams distribute parallel for collapse(2)
    for (int x = 0; x < size - 1 - t; x++)
      for (int y = 0; y < size - t; y++) a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
#pragma omp target teams distribute
    for (int x = 0; x < size - 1 - t; x++) b[x + 1 + t] -= m[size * (x + 1 + t) + t] * b[t];
  }
}

int main() {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) a[SIZE * i + j] = i == j ? SIZE : 1.0f / (1 + i + j);
    b[i] = i;
  }
  forward(SIZE);
  double s = 0;
  for (int i = 0; i < SIZE; i++) s += b[i] * (i + 1) + a[SIZE * i + i];
  printf("%.3f\n", s);
  return 0;
}
