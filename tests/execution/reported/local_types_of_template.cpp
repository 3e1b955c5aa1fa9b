#include <cstdio>
// A type that a function template declares before its region, named in the region's text only.
template <typename T> float sum_packed(const T *values, T *copy, int n) {
  typedef struct alignas(16) {
    unsigned x, y, z, w;
  } pack_t;
  struct pair_t {
    T first;
    T second;
  };
  using other_t = pair_t;
  enum mode_t { plain, twice };
  const int packs = n * sizeof(T) / sizeof(pack_t);
#pragma omp target teams distribute parallel for map(to : values[0 : n]) map(from : copy[0 : n])
  for (int i = 0; i < packs; i++) {
    pack_t p = reinterpret_cast<const pack_t *>(values)[i];
    other_t both = {reinterpret_cast<const T *>(&p)[0], reinterpret_cast<const T *>(&p)[1]};
    mode_t mode = i % 2 ? twice : plain;
    if (mode == twice) reinterpret_cast<T *>(&p)[0] = both.second + both.first;
    reinterpret_cast<pack_t *>(copy)[i] = p;
  }
  float sum = 0;
  for (int i = 0; i < n; i++) sum += copy[i] * (i % 5);
  return sum;
}
int main() {
  alignas(16) static float f[64], g[64];
  alignas(16) static double d[64], e[64];
  for (int i = 0; i < 64; i++) {
    f[i] = i * 0.5f;
    d[i] = i * 0.25;
  }
  std::printf("%g %g\n", sum_packed(f, g, 64), sum_packed(d, e, 64));
}
