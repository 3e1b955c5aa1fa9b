/* Prefix sums: inclusive and exclusive, several variables, operators, shapes of loops and of teams. */
#include <stdio.h>

#define N 1000

struct run { long sum; int longest; };
#pragma omp declare reduction(join : struct run : omp_out.sum += omp_in.sum,                                            \
                              omp_out.longest = omp_in.longest > omp_out.longest ? omp_in.longest : omp_out.longest)   \
    initializer(omp_priv = {0, 0})

static int a[N], in[N], ex[N];
static double d[N];

static void sums(int n) {
  int s = 5;
#pragma omp target parallel for reduction(inscan, + : s) map(to : a) map(from : in)
  for (int i = 0; i < n; i++) {
    s += a[i];
#pragma omp scan inclusive(s)
    in[i] = s;
  }
  printf("%d %d %d %d\n", s, in[0], in[n / 2], in[n - 1]);
#pragma omp target teams distribute parallel for reduction(inscan, + : s) map(to : a) map(tofrom : ex) num_teams(4)
  for (int i = 0; i < n; i++) {
    ex[i] = s;
#pragma omp scan exclusive(s)
    s += a[i];
  }
  printf("%d %d %d %d\n", s, ex[0], ex[n / 2], ex[n - 1]);
}

static void shapes(int n) {
  int most = -1;
  long products = 1;
  double x = 0.5;
#pragma omp target parallel for simd reduction(inscan, max : most) reduction(inscan, * : products) num_threads(37)          \
    map(to : a) map(from : in, ex)
  for (int i = n - 1; i >= 0; i -= 3) {
    if (a[i] > most) most = a[i];
    if (i % 100 == 0) products *= 2;
#pragma omp scan inclusive(most, products)
    in[i] = most;
    ex[i] = (int)products;
  }
  printf("%d %ld %d %d %d\n", most, products, in[n - 1], in[n - 4], ex[(n - 1) % 3]);
#pragma omp target teams distribute parallel for simd reduction(inscan, + : x) map(from : d) map(to : a)
  for (long i = 0; i < n; i++) {
    d[i] = x;
#pragma omp scan exclusive(x)
    x += a[i] * 0.25 + i;
  }
  printf("%g %g %g %g\n", x, d[0], d[1], d[n - 1]);
#pragma omp target simd reduction(inscan, + : x) map(tofrom : d)
  for (int i = 0; i < n; i++) {
    x += i;
#pragma omp scan inclusive(x)
    d[i] += x;
  }
#pragma omp target parallel for reduction(inscan, - : most) map(from : in) num_threads(64)
  for (int i = 0; i < n; i++) {
    most -= i % 7;
#pragma omp scan inclusive(most)
    in[i] = most;
  }
  printf("%g %g %g %d %d\n", x, d[0], d[n - 1], most, in[3]);
}

static void declared(int n) {
  struct run r = {10, 1};
#pragma omp target parallel for reduction(inscan, join : r) map(to : a) map(from : in, ex)
  for (int i = 0; i < n; i++) {
    in[i] = (int)r.sum;
    ex[i] = r.longest;
#pragma omp scan exclusive(r)
    r.sum += a[i];
    if (a[i] > r.longest) r.longest = a[i];
  }
  printf("%ld %d %d %d %d %d\n", r.sum, r.longest, in[0], in[n - 1], ex[1], ex[n - 1]);
  int none = 9;
#pragma omp target parallel for reduction(inscan, + : none)
  for (int i = n; i < n; i++) {
    none += 1;
#pragma omp scan inclusive(none)
    in[i] = none;
  }
  printf("%d\n", none);
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = (i * 37) % 101 - 20;
  sums(N);
  shapes(N);
  declared(N);
  return 0;
}
