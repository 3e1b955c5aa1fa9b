// SPDX-License-Identifier: Apache-2.0
//
// The calls of libomptarget that register_cubin.cpp makes, under names of their own: the plain ones are the wrappers'. Part
// of register_cubin.cpp.
#ifndef REX_LIBOMPTARGET_H
#define REX_LIBOMPTARGET_H

#include "rex_kmp.h"

#include <cstddef>
#include <cstdint>

extern "C" {
struct __tgt_device_image {
  const char *begin, *end;
  __tgt_offload_entry *entries_begin, *entries_end;
};
struct __tgt_bin_desc {
  int32_t image_count;
  __tgt_device_image *images;
  __tgt_offload_entry *entries_begin, *entries_end;
};
void __rex_real___tgt_register_lib(__tgt_bin_desc *) __asm__("__tgt_register_lib");
void __rex_real___tgt_unregister_lib(__tgt_bin_desc *) __asm__("__tgt_unregister_lib");
int __rex_real___tgt_target_kernel(__rex_ident *, int64_t, int32_t, int32_t, void *,
                                   __tgt_kernel_arguments *) __asm__("__tgt_target_kernel");
using DataCall = void(__rex_ident *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);
DataCall __rex_real___tgt_target_data_begin __asm__("__tgt_target_data_begin_mapper");
DataCall __rex_real___tgt_target_data_end __asm__("__tgt_target_data_end_mapper");
DataCall __rex_real___tgt_target_data_update __asm__("__tgt_target_data_update_mapper");
int omp_get_num_devices(void);
int omp_get_default_device(void);
int omp_get_initial_device(void);
int omp_target_is_present(const void *, int);
void *omp_target_alloc(size_t, int);
void omp_target_free(void *, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
void *llvm_omp_target_alloc_host(size_t, int);
void llvm_omp_target_free_host(void *, int);
}

#endif
