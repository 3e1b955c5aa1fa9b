// SPDX-License-Identifier: Apache-2.0
/* A libomptarget for tests of what a launch costs in the wrappers around it: it does nothing at all, so that nothing else
   is measured. Everything counts as present. */
#include <stddef.h>
#include <stdint.h>

void __tgt_register_lib(void *descriptor) { (void)descriptor; }
void __tgt_unregister_lib(void *descriptor) { (void)descriptor; }

int __tgt_target_kernel(void *place, int64_t device, int32_t teams, int32_t threads, void *key, void *arguments) {
  (void)place, (void)device, (void)teams, (void)threads, (void)key;
  __asm__ volatile("" ::"r"(arguments) : "memory");
  return 0;
}

#define DATA(name)                                                                                                     \
  void name(void *place, int64_t device, int32_t count, void **bases, void **begins, int64_t *sizes, int64_t *types,  \
            void **names, void **mappers) {                                                                           \
    (void)place, (void)device, (void)count, (void)bases, (void)begins, (void)sizes, (void)types;                      \
    (void)names, (void)mappers;                                                                                       \
  }
DATA(__tgt_target_data_begin_mapper)
DATA(__tgt_target_data_end_mapper)
DATA(__tgt_target_data_update_mapper)

int64_t __tgt_mapper_num_components(void *handle) { return handle != NULL; }
void __tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
}

int omp_get_num_devices(void) { return 1; }
int omp_get_initial_device(void) { return 1; }
int omp_target_is_present(const void *pointer, int device) { return pointer != NULL && device == 0; }
void *omp_get_mapped_ptr(const void *pointer, int device) { return device == 0 ? (void *)(uintptr_t)pointer : NULL; }
void *omp_target_alloc(size_t size, int device) { return (void)size, (void)device, NULL; }
int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
                      int from_device) {
  (void)to, (void)from, (void)size, (void)to_offset, (void)from_offset, (void)to_device, (void)from_device;
  return 0;
}
int omp_target_associate_ptr(const void *host, const void *storage, size_t size, size_t offset, int device) {
  (void)host, (void)storage, (void)size, (void)offset, (void)device;
  return 0;
}
