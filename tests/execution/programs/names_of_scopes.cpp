// Names of namespaces and classes in regions that declare variables of the same names.
#include <cstdio>
namespace cfg {
double dt = 0.5, unused = 3;
int n = 40, count = 0;
constexpr int k = 3;
const int width = 5;
enum kind { one = 1, two };
kind how = two;
}
struct params {
  static double cutoff;
  inline static int version = 3;
  static bool flag;
};
double params::cutoff = 2;
bool params::flag = true;
double x = 7;
#pragma omp begin declare target
namespace device { int steps = 4; struct state { inline static long size = 6; }; }
#pragma omp end declare target

template <class T> T sum(const T *a, int n) {
  T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i++) {
    const T dt = T(cfg::dt);
    T cutoff = params::cutoff;
    s += a[i] * dt * cutoff;
  }
  return s;
}
int main() {
  double a[40] = {};
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < cfg::n; i++) {
    const double dt = cfg::dt, cutoff = params::cutoff * 2;
    const int k = cfg::k, n = cfg::n / 2, width = cfg::width;
    a[i] = dt * cutoff + k + n + width;
    {
      double x = ::x;
      a[i] += x;
    }
    const bool flag = params::flag;
    cfg::kind how = cfg::how;
    if (flag && how == cfg::two) a[i] += i % n;
  }
  std::printf("%g %g\n", a[1], a[25]);
  int version = 0;
  long total = 0;
#pragma omp target map(from : version) map(tofrom : total)
  {
    int steps = device::steps;
    long part[32];
#pragma omp parallel for
    for (int i = 0; i < 32; i++) {
      long size = device::state::size;
      part[i] = size * steps + cfg::n;
      int n = cfg::n;
      part[i] -= n;
    }
    for (long size : part) total += size;
    device::steps++;
    steps = device::steps;
    version = steps;
    cfg::count = 3;
    int count = cfg::count;
    version += count;
  }
  std::printf("%d %ld\n", version, total);
  std::printf("%g %g\n", sum(a, 40), sum<double>(a, 3));
}
