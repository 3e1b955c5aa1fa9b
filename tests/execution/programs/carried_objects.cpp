// Small objects whose value travels, beside pointers that promise to lead nowhere else.
#include <cstdio>
struct Shape { int w, h; double scale; };
static void scaled(double *__restrict__ to, const double *__restrict__ v, int n, Shape p) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : to[0:n]) map(to : v[0:n])
  for (int i = 0; i < p.w; i++)
    for (int j = 0; j < p.h; j++)
      if (v[i] > 2) {
        double a[2] = {v[j], 1};
        to[i * p.h + j] = a[(i + j) % 2] * p.scale + p.w;
      }
}
static void shifted(double *to, const double *v, int n, Shape p) {
#pragma omp target teams distribute parallel for map(tofrom : to[0:n]) map(to : v[0:n])
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i % 3; k++) to[i] += v[k] * p.scale + p.h;
}
int main() {
  const int n = 300;
  double to[n], v[n], sum = 0;
  for (int i = 0; i < n; i++) to[i] = i % 4, v[i] = i % 9;
  scaled(to, v, n, {15, 20, 0.5});
  shifted(to, v, n, {3, 7, 0.25});
  for (int i = 0; i < n; i++) sum += to[i] * (i % 5 + 1);
  printf("%g\n", sum);
}
