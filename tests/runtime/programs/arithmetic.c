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
  test_tripcounts();
  test_collapse();
  test_pack();
  test_bits();
  printf("%d failures\n", failures);
  return failures != 0;
}
