// A number over a square root (rex_device_roots.h) for every x in [1, 4), every y that an approximation of 1 / sqrt(x)
// may be, and, where 1 / s is not the rounded one, every a in [1, 2). argv[1]: each how many of the x and the a.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#define __CUDA_ARCH__ 900
#define __device__
#define __host__
#define __forceinline__ inline
static unsigned __float_as_uint(float x) {
  unsigned bits;
  memcpy(&bits, &x, 4);
  return bits;
}
static float __fmul_rn(float a, float b) { return a * b; }
static float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
#include "rex_device_roots.h"

static float number(unsigned bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

static float root_from(float x, float y) {
  float near = x * y;
  return std::fma(std::fma(-near, near, x), y * 0.5f, near);
}

int main(int, char **words) {
  const unsigned step = unsigned(atoi(words[1]));
  const double most = std::exp2(-22.9);
  long pairs = 0, other_roots = 0, other_reciprocals = 0, wrong = 0, left_out = 0;
  const float few[] = {1.0f, 3.0f, 0x1.fffffep+0f, 0x1.000002p+0f, -0x1.555556p+0f, 0x1.aaaaaap-60f, 0x1.8p+89f};
  for (unsigned bits = __float_as_uint(1.0f); bits < __float_as_uint(4.0f); bits++) {
    const bool is_edge = bits >= __float_as_uint(4.0f) - 64 || bits == 0x3ffc114a || bits == 0x406e9372;
    if (bits % step != 0 && !is_edge) continue;
    const float x = number(bits), s = std::sqrt(x), c = 1.0f / s;
    const double exact = 1.0 / std::sqrt(double(x));
    const unsigned middle = __float_as_uint(float(exact));
    for (int off = -4; off <= 4; off++) {
      const float y = number(middle + off);
      if (std::fabs(double(y) / exact - 1.0) > most) continue;
      pairs++;
      if (root_from(x, y) != s) {
        other_roots++;
        continue;
      }
      for (float a : few) {
        if (!rex_is_usual_quotient(a, x)) left_out++;
        else if (rex_quotient_by_root(a, x, y) != a / s) wrong++;
      }
      if (std::fma(std::fma(-s, y, 1.0f), y, y) == c) continue;
      other_reciprocals++;
      for (unsigned of = 0x3f800000u; of < 0x40000000u; of += step)
        if (rex_is_usual_quotient(number(of), x) && rex_quotient_by_root(number(of), x, y) != number(of) / s) wrong++;
    }
  }
  // Powers of four change nothing, up to the bounds of x.
  for (int shift = -35; shift < 63; shift++)
    for (float x : {1.0f, 1.7f, 2.0f, 3.3f, 0x1.fffff8p+1f}) {
      const float y = float(1.0 / std::sqrt(double(x))), by = std::ldexp(x, 2 * shift);
      if (rex_is_usual_quotient(1.5f, by) && rex_quotient_by_root(1.5f, by, std::ldexp(y, -shift)) != 1.5f / std::sqrt(by))
        wrong++;
    }
  for (float x : {0.0f, -1.0f, INFINITY, NAN, 0x1p-149f, 0x1p-71f, 0x1p+126f, 0x1.fffffcp+1f, 0x1.fffffep+3f, -0.0f})
    if (rex_is_usual_quotient(1.0f, x)) wrong++;
  for (float a : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 0x1p-61f, 0x1p+90f, 0x1p-149f})
    if (rex_is_usual_quotient(a, 1.5f)) wrong++;
  printf("pairs %ld, other roots %ld, other reciprocals %ld, left out %ld, wrong %ld\n", pairs, other_roots,
         other_reciprocals, left_out, wrong);
  return wrong != 0;
}
