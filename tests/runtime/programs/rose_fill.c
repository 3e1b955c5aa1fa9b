// SPDX-License-Identifier: Apache-2.0
/* Generated-shape host file, compiled once for each NAME: FILL_START is the table's value, IMAGE_FOLDER holds the
   image. fill returns whether the device did it. */
#include "rex_kmp.h"
#include <stddef.h>
#include <stdint.h>
REX_KERNEL_ID(OUT__1__fill__3__)

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#ifdef __cplusplus
extern "C" {
#endif
int NAMED(fill_, NAME)(int *p, int n);
void NAMED(set_table_, NAME)(int value);
#ifdef __cplusplus
}
#endif

static int table[2] = {FILL_START, FILL_START};

static int scaled(int x) { return x * FILL_START; }

int NAMED(fill_, NAME)(int *p, int n) {
/* #pragma omp target teams distribute parallel for map(from : p[0:n]) */
  {
    int64_t __device_id = REX_DEVICE_DEFAULT;
    int64_t __rex_tripcount = rex_tripcount_lt(0, n, 1);
    int _threads_per_block_ = rex_default_threads(__device_id, __rex_tripcount, 256);
    int _num_blocks_ = rex_default_blocks(__device_id, __rex_tripcount, _threads_per_block_);
    void *__host_ptr = &OUT__1__fill__3__id__;
    void *__args_base[] = {p, rex_pack(&n, sizeof n)};
    void *__args[] = {p + 0, __args_base[1]};
    int64_t __arg_sizes[] = {(int64_t)(sizeof *p * (size_t)n), sizeof n};
    int64_t __arg_types[] = {REX_MAP_PARAM | REX_MAP_FROM, REX_MAP_IMPLICIT_LITERAL};
    int32_t __arg_num = 2;
    struct __tgt_kernel_arguments __kernel_args = {
        REX_KERNEL_ARGS_VERSION, __arg_num, __args_base, __args, __arg_sizes, __arg_types, 0, 0, __rex_tripcount, 0,
        {_num_blocks_, 1, 1}, {_threads_per_block_, 1, 1}, 0};
    static struct __rex_ident __rex_place = REX_PLACE(";fill.c;fill;3;1;;");
    if (__tgt_target_kernel(&__rex_place, __device_id, _num_blocks_, _threads_per_block_, __host_ptr, &__kernel_args) != 0)
    {
#pragma omp parallel for
      for (int i = 0; i < n; i++) p[i] = scaled(i) + table[1];
      return 0;
    }
  }
  return 1;
}

void NAMED(set_table_, NAME)(int value) {
  table[0] = table[1] = value;
/* #pragma omp target update to(table) */
  {
    int64_t __device_id = REX_DEVICE_DEFAULT;
    void *__args_base[] = {&table};
    void *__args[] = {&table};
    int64_t __arg_sizes[] = {sizeof table};
    int64_t __arg_types[] = {REX_MAP_TO};
    int32_t __arg_num = 1;
    static struct __rex_ident __rex_place = REX_PLACE(";fill.c;set_table;6;1;;");
    __tgt_target_data_update_mapper(&__rex_place, __device_id, __arg_num, __args_base, __args, __arg_sizes, __arg_types, 0, 0);
  }
}

static struct __tgt_offload_entry __rex_offload_entries[] = {
  REX_KERNEL_ENTRY(OUT__1__fill__3__),
  REX_GLOBAL_ENTRY(&table, "table", sizeof table),
};
#define IMAGE(name, file) REX_IMAGE(name, IMAGE_FOLDER "/" file)
#define IMAGE_ROW(name, arch) REX_IMAGE_ROW(name, arch)
IMAGE(NAMED(__rex_image_0_, NAME), "rex_lib_fill.host.so")
#ifdef TEST_WITH_CUBIN /* for a run on a GPU, see README.md */
IMAGE(NAMED(__rex_image_1_, NAME), "rex_lib_fill.sm_90.cubin")
#endif
static struct rex_offload_image __rex_offload_images[] = {
  IMAGE_ROW(NAMED(__rex_image_0_, NAME), 0),
#ifdef TEST_WITH_CUBIN
  IMAGE_ROW(NAMED(__rex_image_1_, NAME), 90),
#endif
};
REX_OFFLOAD_MODULE("fill.c", __rex_offload_entries, __rex_offload_images)
