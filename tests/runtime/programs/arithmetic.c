// SPDX-License-Identifier: Apache-2.0
/* rex_kmp.h's arithmetic, against the loops it describes and at the ends of the range. C99 and C++11. */
#include "rex_kmp.h"

#include <stdio.h>
#include <string.h>

/* instead of register_cubin.cpp */
struct rex_offload_state rex_offload;
void rex_offload_wait(void) { rex_offload.registration = 2; }

static int failures;
static void check(int good, const char *what, int line) {
  if (good) return;
  printf("line %d: %s\n", line, what);
  failures++;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

/* As kernels divide (rex_quotient in rex_device_core.h), by the bytes that they get. */
static uint32_t quotient(uint32_t n, uint64_t bytes) {
  int32_t multiplier = (int32_t)(uint32_t)bytes;
  return (n + (uint32_t)((int64_t)multiplier * (int32_t)n >> 32)) >> (bytes >> 32);
}

static void test_divisors(void) {
  for (int64_t around = 1; around <= INT32_MAX; around = around < 4096 ? around + 1 : around * 2 - around / 9)
    for (int64_t d = around - 1; d <= around + 1; d++) {
      uint64_t bytes = rex_divisor_bytes(d, INT32_MAX);
      CHECK((bytes != 0) == (d > 0 && d <= INT32_MAX) && (bytes == 0 || (uint32_t)bytes != 0));
      for (int k = 0; bytes != 0 && k < 200; k++) {
        uint32_t multiple = (uint32_t)(INT32_MAX / d - k * (INT32_MAX / d / 200)) * (uint32_t)d;
        for (uint32_t n = multiple - 1; n != multiple + 2; n++)
          if (n <= INT32_MAX) CHECK(quotient(n, bytes) == n / (uint32_t)d);
      }
      CHECK(bytes == 0 || (quotient(0, bytes) == 0 && quotient(INT32_MAX, bytes) == INT32_MAX / (uint32_t)d));
    }
  for (uint32_t bit = 1; bit <= 1u << 30; bit *= 2)
    for (uint32_t d = bit - 1; d <= bit + 1; d++)
      for (uint32_t other = 1; d != 0 && other <= 1u << 30; other *= 2)
        for (uint32_t n = other - 1; n <= other + 1; n++)
          CHECK(quotient(n, rex_divisor_bytes(d, INT32_MAX)) == n / d);
  CHECK(rex_divisor_bytes(3, (int64_t)INT32_MAX + 1) == 0 && rex_divisor_bytes(3, INT64_MAX) == 0);
  CHECK(rex_divisor_bytes(0, 0) == 0 && rex_divisor_bytes(-7, 100) == 0 && rex_divisor_bytes(7, 0) == 0);
  CHECK(rex_divisor_bytes(INT64_MAX, INT64_MAX) == 0 && rex_divisor_bytes(INT64_MIN, 5) == 0);
}

static void test_tripcounts(void) {
  for (int lower = -6; lower <= 6; lower++)
    for (int bound = -6; bound <= 6; bound++)
      for (int step = 1; step <= 5; step++) {
        int lt = 0, le = 0, gt = 0, ge = 0;
        for (int i = lower; i < bound; i += step) lt++;
        for (int i = lower; i <= bound; i += step) le++;
        for (int i = lower; i > bound; i -= step) gt++;
        for (int i = lower; i >= bound; i -= step) ge++;
        CHECK(rex_tripcount_lt(lower, bound, step) == lt && rex_tripcount_le(lower, bound, step) == le);
        CHECK(rex_tripcount_gt(lower, bound, step) == gt && rex_tripcount_ge(lower, bound, step) == ge);
      }
  CHECK(rex_tripcount_lt(INT64_MIN, INT64_MAX, 1) == INT64_MAX);
  CHECK(rex_tripcount_le(INT64_MIN, INT64_MAX, 1) == INT64_MAX);
  CHECK(rex_tripcount_lt(INT64_MIN, INT64_MAX, 2) == INT64_MAX);
  CHECK(rex_tripcount_le(INT64_MIN, INT64_MAX, INT64_MAX) == 3);
  CHECK(rex_tripcount_lt(INT64_MIN, INT64_MAX, INT64_MAX) == 3);
  CHECK(rex_tripcount_lt(0, INT64_MAX, 1) == INT64_MAX);
  CHECK(rex_tripcount_gt(INT64_MAX, INT64_MIN, INT64_MAX) == 3);
  CHECK(rex_tripcount_ge(INT64_MAX, INT64_MAX, 1) == 1);
}

static void test_collapse(void) {
  CHECK(rex_collapse(3, 4) == 12);
  CHECK(rex_collapse(0, 4) == 0 && rex_collapse(4, 0) == 0 && rex_collapse(-1, -1) == 0);
  CHECK(rex_collapse(INT64_MAX, 1) == INT64_MAX && rex_collapse(INT64_MAX, 2) == INT64_MAX);
  CHECK(rex_collapse((int64_t)1 << 32, (int64_t)1 << 31) == INT64_MAX);
  CHECK(rex_collapse((int64_t)1 << 32, (int64_t)1 << 30) == (int64_t)1 << 62);
}

static void test_pack(void) {
  signed char minus = -1;
  float pi = 3.25f, back;
  double large = -1e300, large_back;
  void *packed = rex_pack(&pi, sizeof pi), *packed_large = rex_pack(&large, sizeof large);
  memcpy(&back, &packed, sizeof back);
  memcpy(&large_back, &packed_large, sizeof large_back);
  CHECK((uintptr_t)rex_pack(&minus, 1) == 0xff);
  CHECK(back == pi && (uintptr_t)packed >> 32 == 0 && large_back == large);
}

static void test_bits(void) {
  CHECK(REX_MAP_IMPLICIT_LITERAL == 800 && REX_MAP_LITERAL_PARAM == 288 && (REX_MAP_PARAM | REX_MAP_TOFROM) == 35);
  CHECK(REX_MAP_MEMBER_OF(0) == INT64_C(0x1000000000000));
  CHECK((uint64_t)REX_MAP_MEMBER_OF(0xfffe) == UINT64_C(0xffff000000000000));
}

int main(void) {
  test_divisors();
  test_tripcounts();
  test_collapse();
  test_pack();
  test_bits();
  printf("%d failures\n", failures);
  return failures != 0;
}
