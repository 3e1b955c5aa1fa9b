/* Functions with parallels that the sequential code of a team calls: in namespaces, overloaded, with references to
   variables of the caller, to constants and to temporary values, brought along by declarations. */
#include <cstdio>

constexpr int N = 120;

namespace lib {
namespace inner {
static double total(const double *x, int n, const double &scale) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * scale;
  return s;
}
} // namespace inner

static int total(const int *x, int n) {
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}

/* Changes what its caller has. */
inline void split(const int *x, int n, int &odd, long &even) {
  odd = even = 0;
  long both = 0;
#pragma omp parallel for reduction(+ : both)
  for (int i = 0; i < n; i++) both += x[i] & 1 ? 1 : 1000;
  odd += both % 1000;
  even += both / 1000;
#pragma omp parallel
  {
#pragma omp for reduction(max : odd)
    for (int i = 0; i < n; i++)
      if (x[i] == -1) odd = 999;
  }
}

static int twice(const int *x, int n) { return 2 * total(x, n); } // one thread's: it has no parallel itself

static int with_split(int *x, int n) {
  int odd = 3;
  long even;
  split(x, n, odd, even);
  x[0] = odd;
  if (even > 5) return total(x, n) + odd;
  return odd;
}
} // namespace lib

namespace other {
static int shown(int *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) x[i] += 3;
  return x[n - 1];
}
} // namespace other

struct Rows {
  int *a;
  double *x;
  int first(int n) const { return lib::total(a, n); }
};

using other::shown;
using namespace lib;

int main() {
  int a[3 * N], out[3][8] = {};
  double x[3 * N], sums[3];
  for (int i = 0; i < 3 * N; i++) a[i] = (i * 37) % 23, x[i] = i % 7;
#pragma omp target teams distribute map(tofrom : a, x, out) map(from : sums) thread_limit(11)
  for (int r = 0; r < 3; r++) {
    int *mine = a + r * N, odd = 1;
    long even = 2;
    double scale = r + 0.5;
    sums[r] = lib::inner::total(x + r * N, N, scale);
    sums[r] += inner::total(x + r * N, N - r, 2.0);
    split(mine, N, odd, even);
    out[r][0] = odd;
    out[r][1] = (int)even;
    out[r][2] = ::lib::with_split(mine, N - 1);
    out[r][3] = total(mine, N);
    out[r][4] = twice(mine, 5);
    out[r][5] = shown(mine, 20);
    out[r][6] = Rows{mine, x}.first(7);
#pragma omp parallel for
    for (int i = 0; i < N; i++) mine[i] += odd * (int)even + lib::total(mine + i, 1);
    out[r][7] = lib::total(mine, N);
  }
  long h = 0;
  for (int i = 0; i < 3 * N; i++) h = (h * 31 + a[i]) % 1000003;
  for (auto &row : out)
    for (int v : row) std::printf("%d ", v);
  std::printf("\n%ld %g %g %g\n", h, sums[0], sums[1], sums[2]);
}
