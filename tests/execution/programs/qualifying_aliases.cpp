// Aliases that say const or volatile: what kernels unpack and copy has types without.
#include <cstdio>
typedef const int cint; using vd = volatile double; typedef int *const cptr; struct S { int a[3]; }; typedef const S cS; typedef const float cf3[3];
int main() {
  cint n = 0 + printf("") + 7; cint m = 5 + printf(""); vd v = 2.5; int data[7] = {1, 2, 3, 4, 5, 6, 7}; cptr p = data; cS s = {{1, 2, 3}}; cf3 f = {1, 2, 3}; const cptr *unused = nullptr; int r = 0; double q = 0;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) firstprivate(m, v) firstprivate(s, f)
  for (int i = 0; i < n; i++) p[i] += m + (int)v + s.a[i % 3] + (int)f[i % 3];
#pragma omp target map(tofrom: q, r) private(v)
  { v = 3; q += v + n; r = m * n; }
#pragma omp target teams distribute parallel for reduction(+: q) firstprivate(n, v) map(to: s)
  for (int i = 0; i < n; i++) { v += 1; q += s.a[1] + m; }
  printf("%g %d %d\n", q, r, unused == nullptr); for (int x : data) printf("%d ", x); puts("");
}
