// SPDX-License-Identifier: Apache-2.0
/* What the wrappers around LLVM's calls cost: prints the time of a call as a multiple of what some other work takes on the
   same processor, the best of many rounds each: processors differ, and so does what else runs on one. */
#include "rex_kmp.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

REX_KERNEL_ID(OUT__1__cost__3__)

enum { CALLS = 20000, ROUNDS = 200, ROWS = 10 };

static struct __rex_ident place = REX_PLACE(";cost.c;cost;3;1;;");

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void launch(int32_t rows, int64_t size, int64_t type) {
  void *addresses[ROWS];
  int64_t sizes[ROWS], types[ROWS];
  for (int32_t row = 0; row < rows; row++)
    addresses[row] = (void *)((uintptr_t)(row + 1) << 32), sizes[row] = size, types[row] = REX_MAP_PARAM | type;
  struct __tgt_kernel_arguments arguments = {
      REX_KERNEL_ARGS_VERSION, rows, addresses, addresses, sizes, types, 0, 0, 1, 0, {1, 1, 1}, {32, 1, 1}, 0};
  if (__tgt_target_kernel(&place, REX_DEVICE_DEFAULT, 1, 32, OUT__1__cost__3__key__(), &arguments) != 0) puts("refused");
}

static void nothing(void) {}

/* Memory, branches and calls, as in a launch: about 50 ns. */
static void work_of_comparison(void) {
  enum { WORDS = 32 };
  static uint64_t words[WORDS];
  static void (*volatile call)(void) = nothing;
  uint64_t sum = 0;
  for (int i = 0; i < WORDS; i++) {
    if (words[i] & 1) call();
    words[i] = words[i] * 6364136223846793005u + 1442695040888963407u;
    sum += words[(words[i] >> 40) % WORDS] >> 7;
  }
  words[0] ^= sum;
}

static double best_of(int calls, void (*call)(int32_t, int64_t, int64_t), int32_t rows, int64_t size, int64_t type) {
  double best = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int i = 0; i < calls; i++) call(rows, size, type);
    double each = (now() - start) / calls;
    if (each < best) best = each;
  }
  return best;
}

static void compare(int32_t rows, int64_t size, int64_t type) {
  (void)rows, (void)size, (void)type;
  work_of_comparison();
}

static void measure(const char *name, int32_t rows, int64_t size, int64_t type) {
  static double unit = 1e9;
  for (int i = 0; i < 2; i++) {
    double now = best_of(CALLS / 4, compare, 0, 0, 0);
    if (now < unit) unit = now;
  }
  double cost = best_of(CALLS, launch, rows, size, type);
  printf("%s %.3f (%.1f ns)\n", name, cost / unit, cost);
}

int main(void) {
  rex_offload_init();
  measure("empty", 0, 0, 0);
  measure("small", 3, 1 << 12, REX_MAP_TOFROM);
  measure("large", 3, 1 << 28, REX_MAP_TOFROM);
  measure("implicit", 10, 1 << 12, REX_MAP_TOFROM | REX_MAP_IMPLICIT);
  return 0;
}

static struct __tgt_offload_entry __rex_offload_entries[] = {REX_KERNEL_ENTRY(OUT__1__cost__3__)};
REX_IMAGE(__rex_image_0, "cost.sm_90.cubin")
static struct rex_offload_image __rex_offload_images[] = {REX_IMAGE_ROW(__rex_image_0, 90)};
REX_OFFLOAD_MODULE("cost.c", __rex_offload_entries, __rex_offload_images)
