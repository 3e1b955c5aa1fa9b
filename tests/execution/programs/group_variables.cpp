// Variables of contention groups in namespaces, templates, and what lambdas and methods use.
#include <cstdio>
namespace phys { namespace { float tile[32]; } struct V { int a[3]; }; V v;
#pragma omp groupprivate(v)
}
#pragma omp groupprivate(phys::tile)
template <class T> struct Box { T x; void fill(T n) { phys::tile[int(n) % 32] = n; x = n; } };
template <class T> void run(T *out, int n) {
  static T part[32];
  T one;
#pragma omp groupprivate(part, one)
#pragma omp target teams distribute map(from: out[0:n])
  for (int t = 0; t < n; t++) {
    one = t;
    phys::v.a[1] = t * 2;
    auto f = [&](int i) { return phys::v.a[1] + i; };
#pragma omp parallel for
    for (int i = 0; i < 32; i++) { Box<T> b; b.fill(T(31 - i)); part[i] = f(i) + one + b.x; }
    T s = 0;
    for (int i = 0; i < 32; i++) s += part[i] * (i % 3) + phys::tile[i];
    out[t] = s;
  }
}
int main() {
  int a[9]; double b[9];
  phys::v.a[1] = 55;
  run(a, 9); run(b, 9);
  for (int i = 0; i < 9; i++) std::printf("%d %g\n", a[i], b[i]);
#ifdef _OPENMP
  std::printf("%d\n", phys::v.a[1] == 55);
#else
  std::printf("1\n");
#endif
}
