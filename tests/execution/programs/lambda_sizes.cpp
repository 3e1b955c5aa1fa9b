// Objects of lambdas of many sizes, which templates' regions copy: captures in parameters, in memory, and arrays of them.
#include <cstdio>

struct row {
  double at[12];
};

template <class Body> static void each(long n, int teams, Body given) {
  Body body = given;
#pragma omp target teams distribute parallel for num_teams(teams) schedule(static, 1) map(to : body)
  for (long i = 0; i < n; i++) {
    Body own = body;
    own(i);
  }
}

template <class First, class Second> static void both(long n, First first, Second second) {
#pragma omp target teams distribute parallel for firstprivate(first, second)
  for (long i = 0; i < n; i++) {
    first(i);
    second(i);
  }
}

template <class Body> static double sum(long n, const Body &body) {
  double total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total) map(to : body)
  for (long i = 0; i < n; i++) total += body(i);
  return total;
}

int main() {
  const long n = 700;
  static double a[n], b[n], c[n], d[n], e[n], f[n], g[n], h[n], k[n], y[n];
  double *pa = a, *pb = b, *pc = c, *pd = d, *pe = e, *pf = f, *pg = g, *ph = h, *pk = k, *py = y;
  for (long i = 0; i < n; i++) a[i] = b[i] = c[i] = d[i] = e[i] = f[i] = g[i] = h[i] = k[i] = static_cast<double>(i % 17);
  row weights;
  double few[20];
  for (int j = 0; j < 12; j++) weights.at[j] = j + 0.5;
  for (int j = 0; j < 20; j++) few[j] = 2 * j;
  char tag = 3;
  short skew = -2;
#pragma omp target data map(to : a, b, c, d, e, f, g, h, k) map(tofrom : y)
  {
#pragma omp target data use_device_ptr(pa, pb, pc, pd, pe, pf, pg, ph, pk, py)
    {
      each(n, 3, [=](long i) { py[i] = pa[i] + pb[i]; });
      each(n, 5, [=](long i) { py[i] += pa[i] * pb[i] + pc[i] * pd[i] + pe[i] * pf[i] + pg[i] * ph[i] + pk[i] * tag + skew; });
      each(n, 900, [=](long i) { py[i] += weights.at[i % 12] + few[i % 20] + pa[i]; });
      each(0, 2, [=](long i) { py[i] = weights.at[0]; });
      both(n, [=](long i) { py[i] += few[i % 20]; }, [=](long i) { py[i] -= pa[i] + pb[i] + pc[i] + pd[i] + pe[i] + pf[i] + pg[i] + ph[i] + pk[i]; });
      std::printf("sum %g\n", sum(n, [=](long i) { return py[i] + pa[i] * pb[i] * pc[i] * pd[i] + pe[i] + pf[i] + pg[i] + ph[i]; }));
    }
  }
  double all = 0;
  for (long i = 0; i < n; i++) all += y[i] * static_cast<double>(1 + i % 5);
  std::printf("%g %g %g %g\n", y[0], y[1], y[n - 1], all);
}
