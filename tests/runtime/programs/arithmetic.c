// SPDX-License-Identifier: Apache-2.0
/* rex_kmp.h's arithmetic, against the loops it describes and at the ends of the range. C99 and C++11. */
#include "rex_kmp.h"
#include <stddef.h>
#include <stdint.h>

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
static int32_t quotient(int32_t n, uint64_t bytes) {
  int64_t multiplier = (int32_t)(uint32_t)bytes, factor = (int16_t)(uint16_t)(bytes >> 48);
  int32_t q = (int32_t)(uint32_t)(factor * n + (multiplier * n >> 32));
  return (int32_t)((uint32_t)(q >> (bytes >> 32 & 0xffff)) + ((factor > 0 ? n : q) < 0));
}

/* Both signs of a divisor and of numbers around its multiples and around powers of two. */
static void check_divisor(int64_t d) {
  uint64_t bytes = rex_divisor_bytes(d);
  CHECK((bytes != 0) == (d != 0 && d >= INT32_MIN && d <= INT32_MAX) && (bytes == 0 || (uint32_t)bytes != 0));
  if (bytes == 0) return;
  int wrong = 0;
  for (int64_t around = 1; around <= (int64_t)1 << 31; around *= 2)
    for (int64_t near = around - 1; near <= around + 1; near++)
      for (int sign = -1; sign <= 1; sign += 2)
        for (int64_t n = sign * near - near % d - 1; n <= sign * near - near % d + 1; n++)
          if (n >= INT32_MIN && n <= INT32_MAX && n / d <= INT32_MAX) wrong += quotient((int32_t)n, bytes) != n / d;
  for (int64_t k = 0; k < 200; k++)
    for (int64_t n = k * (INT32_MAX / 200) / d * d - 1, end = n + 2; n <= end; n++)
      if (n <= INT32_MAX) wrong += quotient((int32_t)n, bytes) != n / d || (d != -1 && quotient((int32_t)-n, bytes) != -n / d);
  if (d != -1) wrong += quotient(INT32_MIN, bytes) != INT32_MIN / d;
  wrong += quotient(INT32_MAX, bytes) != INT32_MAX / d || quotient(-INT32_MAX, bytes) != -INT32_MAX / d;
  CHECK(wrong == 0);
}

/* The same for unsigned numbers (rex_unsigned_quotient). */
static uint32_t unsigned_quotient(uint32_t n, uint64_t bytes) {
  uint32_t high = (uint32_t)((bytes & UINT32_MAX) * n >> 32);
  return (high + ((n - high) >> (bytes >> 48))) >> (bytes >> 32 & 0xffff);
}

static void check_unsigned_divisor(int64_t d) {
  uint64_t bytes = rex_unsigned_divisor_bytes((uint32_t)d);
  int wrong = (uint32_t)bytes == 0;
  for (int64_t around = 1; around <= (int64_t)1 << 32; around *= 2)
    for (int64_t n = around - around % d - 1; n <= around - around % d + d; n += n < around - around % d + 2 ? 1 : d)
      if (n >= 0 && n <= UINT32_MAX) wrong += unsigned_quotient((uint32_t)n, bytes) != n / d;
  for (int64_t n = UINT32_MAX; n > UINT32_MAX - 100ll; n--) wrong += unsigned_quotient((uint32_t)n, bytes) != n / d;
  for (int64_t k = 0; k < 200; k++)
    for (int64_t n = k * (UINT32_MAX / 200) / d * d - 1, end = n + 2; n <= end; n++)
      if (n >= 0) wrong += unsigned_quotient((uint32_t)n, bytes) != n / d;
  CHECK(wrong == 0);
}

static void test_unsigned_divisors(void) {
  for (int64_t around = 1; around <= UINT32_MAX; around = around < 3000 ? around + 1 : around * 2 - around / 9)
    for (int64_t d = around > 1 ? around - 1 : 1; d <= around + 1 && d <= UINT32_MAX; d++) check_unsigned_divisor(d);
  for (int64_t bit = 2; bit <= (int64_t)1 << 32; bit *= 2)
    for (int64_t d = bit - 1; d <= bit + 1 && d <= UINT32_MAX; d++) check_unsigned_divisor(d);
  CHECK(rex_unsigned_divisor_bytes(0) == 0);
}

static void test_divisors(void) {
  for (int64_t around = 1; around <= INT32_MAX; around = around < 3000 ? around + 1 : around * 2 - around / 9)
    for (int64_t d = around - 1; d <= around + 1; d++) check_divisor(d), check_divisor(-d);
  for (int64_t bit = 1; bit <= (int64_t)1 << 32; bit *= 2)
    for (int64_t d = bit - 1; d <= bit + 1; d++) check_divisor(d), check_divisor(-d);
  check_divisor(INT64_MAX), check_divisor(INT64_MIN);
  CHECK(rex_extent_bytes(3, INT32_MAX) == rex_divisor_bytes(3) && rex_extent_bytes(INT32_MAX, INT32_MAX) != 0);
  CHECK(rex_extent_bytes(3, (int64_t)INT32_MAX + 1) == 0 && rex_extent_bytes(3, INT64_MAX) == 0);
  CHECK(rex_extent_bytes(0, 0) == 0 && rex_extent_bytes(-7, 100) == 0 && rex_extent_bytes(7, 0) == 0);
}

static void test_reciprocals(void) {
  double two = 0.5;
  float one;
  uint64_t bytes = rex_reciprocal_bytes(2), narrow = rex_reciprocal_bytes_float(3);
  CHECK(memcmp(&bytes, &two, sizeof two) == 0 && narrow >> 32 == 0);
  memcpy(&one, &narrow, sizeof one);
  CHECK(one == 1 / 3.0f);
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
  test_unsigned_divisors();
  test_reciprocals();
  test_tripcounts();
  test_collapse();
  test_pack();
  test_bits();
  printf("%d failures\n", failures);
  return failures != 0;
}
