// SPDX-License-Identifier: Apache-2.0
/* What the wrappers around LLVM's calls cost: prints nanoseconds of the processor for a call, the best of several rounds. */
#include "rex_kmp.h"
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

static void measure(const char *name, int32_t rows, int64_t size, int64_t type) {
  double best = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int i = 0; i < CALLS; i++) launch(rows, size, type);
    double each = (now() - start) / CALLS;
    if (each < best) best = each;
  }
  printf("%s %.1f\n", name, best);
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
