// Target tasks of templates that get lambdas here and other objects there: one text for all; and lambdas of regions that
// an `if` clause keeps on the host, for whatever device.
#include <cstdio>
template <class F> void later(int n, int *out, F f) {
#pragma omp target teams distribute parallel for nowait map(from : out[0:n])
  for (int i = 0; i < n; i++) out[i] = f(i);
#pragma omp taskwait
}
template <class F> void chained(int *x, const F &f) {
#pragma omp target nowait depend(inout : x[0]) map(tofrom : x[0:1])
  x[0] = f(x[0]);
}
template <class F> void far(F f, bool there, int number) {
#pragma omp target if (there) device(number)
  f();
}
struct Times {
  int k;
  int operator()(int i) const { return i * k; }
};

int main() {
  int a[4], b[4], c[4], d[4], k = 3, calls = 0;
  later(4, a, [&](int i) { return i * k; });
  later(4, b, Times{4});
  later(4, c, [](int i) { return i + 1; });
  later(4, d, [k](int i) mutable { return k > 0 ? i : k = 2; });
  printf("%d %d %d %d\n", a[3], b[3], c[3], d[3]);

  int x = 1;
  const Times same = {1};
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
      const int m = i % 3;
      const auto twice = [=](int v) { return v * 2 % 1001 + m; };
      const auto more = [&](int v) { return v + m; };
      if (i % 2) chained(&x, twice);
      else chained(&x, more);
      chained(&x, same);
#pragma omp taskwait
    }
  }
  printf("%d\n", x);

  far([&] { k++, calls++; }, false, 99);
  far([&] { k++, calls++; }, calls > 5, 98);
  printf("%d %d\n", k, calls);
}
