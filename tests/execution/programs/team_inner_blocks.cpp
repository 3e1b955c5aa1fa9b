// Blocks without a parallel in the sequential code of teams: one thread executes each as a whole, whatever it declares.
#include <complex>
#include <cstdio>
#include <utility>
struct Point { int x{}, y{}; Point() = default; Point(int a, int b) : x(a), y(b) {} ~Point() {} };
struct Count { long *at; explicit Count(long *p) : at(p) { *at += 1; } ~Count() { *at += 10; } };
static void swap_parts(Point &p) { std::swap(p.x, p.y); }
int main() {
  long r[16] = {0};
#pragma omp target teams distribute map(tofrom : r)
  for (int i = 0; i < 8; i++) {
    {
      std::complex<double> z(1, i), w = std::conj(z) * z;
      z += 2.0;
      r[i] += long(w.real() + z.imag());
    }
#pragma omp parallel for
    for (int k = 0; k < 2; k++) r[i + 8 * k] += 100;
    if (i % 2) {
      Point p(i, 2), q;
      swap_parts(p);
      q = p;
      r[i] += q.x * 1000 + q.y;
    } else {
      Point a[2] = {{1, 2}, {i, 3}};
      auto &[x, y] = a[1];
      x += y;
      Count c(&r[i]);
      for (auto &p : a) { swap_parts(p); r[i] += p.y; }
    }
  }
#pragma omp target map(tofrom : r)
  {
    int n = 3;
    { Count c(&r[0]); n += 1; { Count d(&r[1]); n *= 2; } }
#pragma omp parallel for
    for (int k = 0; k < n; k++) r[8 + k] += n;
  }
  for (long v : r) std::printf("%ld ", v);
  std::puts("");
}
