// _Float16 in regions: by value, in arrays, structures and templates; arithmetic, comparisons, conversions.
#include <cstdio>
#ifdef __FLT16_MAX__
const int n = 64;

struct Pair {
  _Float16 low, high;
  _Float16 sum() const { return low + high; }
};
const _Float16 third = 1.0f / 3;
constexpr _Float16 steps[3] = {0.5f, -2, 65504.0};
static_assert(sizeof(Pair) == 4, "halves are two bytes");

#pragma omp declare target
static _Float16 clamped(_Float16 value) {
  if (value > 100) return 100;
  return value < (_Float16)-100.5f ? (_Float16)-100.5f : value;
}
#pragma omp end declare target

template <typename T> T scaled(const T *in, T *out, T factor) {
#pragma omp target teams distribute parallel for map(to : in[0 : n]) map(from : out[0 : n])
  for (int i = 0; i < n; i++) {
    T value = in[i] * factor;
    value += 1;
    value -= 0.25f;
    value *= in[i];
    value /= T(3);
    out[i] = value;
  }
  return out[n - 1];
}

static void convert(const double *wide, int *whole, _Float16 *narrow, float *back) {
#pragma omp target teams distribute parallel for map(to : wide[0 : n]) map(from : whole[0 : n], narrow[0 : n], back[0 : n])
  for (int i = 0; i < n; i++) {
    _Float16 h = (_Float16)wide[i];
    narrow[i] = h;
    whole[i] = (h < 60000.0f ? (int)h : 0) + (h == 3) + 2 * (h != h) + 4 * (h >= 0.5f) + 8 * !h;
    back[i] = h * 0.5f + i;
  }
}

int main() {
  _Float16 in[n], out[n], narrow[n], count = 0;
  Pair pairs[n];
  double wide[n];
  float back[n], plain[n], other[n];
  int whole[n];
  for (int i = 0; i < n; i++) {
    in[i] = (_Float16)(i * 0.37f - 5);
    plain[i] = i * 0.37f;
    wide[i] = i % 8 == 0 ? 1e-7 * i : i % 8 == 1 ? i * 1500.0 : i * 0.1 - 3;
    pairs[i] = {(_Float16)i, (_Float16)(i * 0.125f)};
  }
  _Float16 last = scaled(in, out, (_Float16)1.5f);
  std::printf("%g %g\n", (double)last, scaled(plain, other, 1.5f));
  convert(wide, whole, narrow, back);
#pragma omp target map(tofrom : pairs, count) map(to : in)
  for (int i = 0; i < n; i++) {
    _Float16 old = count++;
    pairs[i].high = clamped(pairs[i].sum() * in[i]) + third;
    pairs[i].low = -pairs[i].low + steps[i % 2] * old;
  }
  std::printf("%g %d\n", (double)count, (int)steps[2]);
  for (int i = 0; i < n; i++) {
    std::printf("%g %g %g ", (double)out[i], (double)pairs[i].low, (double)pairs[i].high);
    std::printf("%d %g %g\n", whole[i], (double)narrow[i], (double)back[i]);
  }
}
#else
int main() { std::printf("no _Float16\n"); }
#endif
