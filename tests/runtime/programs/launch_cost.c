// SPDX-License-Identifier: Apache-2.0
/* What the wrappers around LLVM's calls do for one launch: prints how many basic blocks of theirs are executed, how often
   they ask for memory, and how often for a lock. A clock would measure the machine, too. The runtime's host part is
   compiled with -fsanitize-coverage=trace-pc. */
#define _GNU_SOURCE
#include "rex_kmp.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

REX_KERNEL_ID(OUT__1__cost__3__)

enum { CALLS = 1000, ROWS = 10 };

static struct __rex_ident place = REX_PLACE(";cost.c;cost;3;1;;");

static __thread long blocks, allocations, locks;

void __sanitizer_cov_trace_pc(void) { blocks++; }

void *_Znwm(size_t size) {
  allocations++;
  return malloc(size);
}

void _ZdlPv(void *memory) { free(memory); }
void _ZdlPvm(void *memory, size_t size) { (void)size, free(memory); }

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*next)(pthread_mutex_t *);
  if (!next) next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  locks++;
  return next(mutex);
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

static void count(const char *name, int32_t rows, int64_t size, int64_t type) {
  launch(rows, size, type); /* what is done only once */
  blocks = allocations = locks = 0;
  for (int i = 0; i < CALLS; i++) launch(rows, size, type);
  printf("%s %ld %ld %ld\n", name, blocks / CALLS, allocations / CALLS, locks / CALLS);
}

int main(void) {
  rex_offload_init();
  count("empty", 0, 0, 0);
  count("small", 3, 1 << 12, REX_MAP_TOFROM);
  count("large", 3, 1 << 28, REX_MAP_TOFROM);
  count("implicit", 10, 1 << 12, REX_MAP_TOFROM | REX_MAP_IMPLICIT);
  return 0;
}

static struct __tgt_offload_entry __rex_offload_entries[] = {REX_KERNEL_ENTRY(OUT__1__cost__3__)};
REX_IMAGE(__rex_image_0, "cost.sm_90.cubin")
static struct rex_offload_image __rex_offload_images[] = {REX_IMAGE_ROW(__rex_image_0, 90)};
REX_OFFLOAD_MODULE("cost.c", __rex_offload_entries, __rex_offload_images)
