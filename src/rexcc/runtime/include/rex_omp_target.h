// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's device memory routines, which the host calls. omp.h includes this inside its extern "C"; rex_nvidia.h does so
// for user code that names them in functions which a device file also carries (a constructor, say): never called there.
#ifndef REX_OMP_TARGET_H
#define REX_OMP_TARGET_H

#include <stddef.h>

#include "rex_omp_types.h"

#ifdef __cplusplus
extern "C" {
#endif

extern void *omp_target_alloc(size_t size, int device_num);
extern void omp_target_free(void *device_ptr, int device_num);
extern int omp_target_is_present(const void *ptr, int device_num);
extern int omp_target_is_accessible(const void *ptr, size_t size, int device_num);
extern int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset,
                             int dst_device_num, int src_device_num);
extern int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims, const size_t *volume,
                                  const size_t *dst_offsets, const size_t *src_offsets, const size_t *dst_dimensions,
                                  const size_t *src_dimensions, int dst_device_num, int src_device_num);
extern int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset,
                                   int dst_device_num, int src_device_num, int depobj_count,
                                   omp_depend_t *depobj_list);
extern int omp_target_memcpy_rect_async(void *dst, const void *src, size_t element_size, int num_dims,
                                        const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets,
                                        const size_t *dst_dimensions, const size_t *src_dimensions, int dst_device_num,
                                        int src_device_num, int depobj_count,
                                        omp_depend_t *depobj_list);
extern void *omp_target_memset(void *ptr, int value, size_t count, int device_num);
extern void *omp_target_memset_async(void *ptr, int value, size_t count, int device_num, int depobj_count,
                                     omp_depend_t *depobj_list);
extern int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size, size_t device_offset,
                                    int device_num);
extern int omp_target_disassociate_ptr(const void *ptr, int device_num);
extern void *omp_get_mapped_ptr(const void *ptr, int device_num);

#ifdef __cplusplus
}
#endif

#endif
