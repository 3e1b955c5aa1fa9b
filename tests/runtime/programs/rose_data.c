// SPDX-License-Identifier: Apache-2.0
/* Generated-shape host file of a program that moves data and has no kernel. Optionally with a library loaded later. */
#include "rex_kmp.h"
#include <stddef.h>
#include <stdint.h>
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char **argv) {
  rex_offload_init();
  int x[4] = {1, 2, 3, 4}, device = omp_get_default_device();
/* #pragma omp target data map(to : x) */
  {
    int64_t __device_id = REX_DEVICE_DEFAULT;
    void *__args_base[] = {&x};
    void *__args[] = {&x};
    int64_t __arg_sizes[] = {sizeof x};
    int64_t __arg_types[] = {REX_MAP_TO};
    int32_t __arg_num = 1;
    static struct __rex_ident __rex_place = REX_PLACE(";data.c;main;8;1;;");
    __tgt_target_data_begin_mapper(&__rex_place, __device_id, __arg_num, __args_base, __args, __arg_sizes, __arg_types, 0, 0);
    x[0] = -1;
    printf("%s, ", omp_get_num_devices() > 0 ? "devices" : "no devices");
    if (omp_get_num_devices() > 0) printf("mapped %s, ", omp_get_mapped_ptr(x, device) == x ? "in place" : "elsewhere");
    {
      int64_t __from_types[] = {REX_MAP_FROM};
      __tgt_target_data_update_mapper(&__rex_place, __device_id, __arg_num, __args_base, __args, __arg_sizes, __from_types, 0, 0);
    }
    printf("x[0] %d\n", x[0]);
    __tgt_target_data_end_mapper(&__rex_place, __device_id, __arg_num, __args_base, __args, __arg_sizes, __arg_types, 0, 0);
  }
  if (argc > 1) {
    void *library = dlopen(argv[1], RTLD_NOW);
    int (*fill)(int *, int) = library ? (int (*)(int *, int))dlsym(library, "fill_one") : NULL;
    printf("%s\n", fill == NULL ? dlerror() : fill(x, 4) ? "library on device" : "library on host");
  }
  return 0;
}

#ifdef TEST_WITH_IMAGE
REX_IMAGE(__rex_image_data_0, "rex_lib_data.host.so")
static struct rex_offload_image __rex_offload_images[] = {
  REX_IMAGE_ROW(__rex_image_data_0, 0),
};
REX_OFFLOAD_MODULE_WITHOUT_ENTRIES("data.c", __rex_offload_images)
#endif
