// SPDX-License-Identifier: Apache-2.0
// Lambdas in a parallel that copy variables of the team, also the index of the loop around it.
#include <cstdio>

static int d[1500];

// An array parameter is a pointer.
static void parameters(const int a[], const int b[1500]) {
#pragma omp target teams distribute map(to : a[0 : 1500], b[0 : 1500]) map(tofrom : d)
  for (int s = 0; s < 15; s++) {
    int u = s * 100;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
      auto f = [=](int j) { return a[j] + b[1499 - j]; };
      auto g = [a, &b](int j) { return a[j] - b[j]; };
      d[u + i] += f(u + i) + g(u + i);
    }
  }
}

int main() {
  int off = 1;
#pragma omp target map(tofrom : d)
  {
    unsigned long st = 7;
    int t = 2;
    for (int s = 0; s < 3; s++) {
      t += s;
#pragma omp parallel for
      for (int i = 0; i < 1500; i++) {
        auto f = [=](unsigned char z) -> unsigned char { return st <= s ? z : t; };
        auto g = [s, &t, k = s + 1](int z) { return z + s + t + k; };
        auto h = [=, &t](int z) mutable { return z + t + (int)st; };
        d[i] = f(i) + g(i) + h(i) + off;
      }
      st = st + s;
    }
    for (int s = 0; s < 2; s++) {
      int u = s;
#pragma omp parallel
      {
#pragma omp single
        {
          auto change = [&r = u, s] { r += 5 + s; };
          change();
        }
#pragma omp for
        for (int i = 0; i < 1500; i++) d[i] += u;
      }
    }
  }
  static int e[1500];
  for (int i = 0; i < 1500; i++) e[i] = i % 11;
  parameters(e, e);
  long sum = 0;
  for (int i = 0; i < 1500; i++) sum += d[i] * (i % 7);
  printf("%ld\n", sum);
}
