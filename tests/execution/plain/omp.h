/* OpenMP's routines for a program that is compiled without OpenMP. */
#ifndef PLAIN_OMP_H
#define PLAIN_OMP_H
#include <stdlib.h>
#include <string.h>
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_team_num(void) { return 0; }
static inline int omp_get_num_teams(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_in_final(void) { return 0; }
static inline int omp_get_active_level(void) { return 0; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
static inline int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
static inline int omp_is_initial_device(void) { return 1; }
static inline int omp_get_num_devices(void) { return 0; }
static inline int omp_get_default_device(void) { return 0; }
static inline int omp_get_initial_device(void) { return 0; }
static inline void *omp_target_alloc(size_t size, int device) { (void)device; return malloc(size); }
static inline void omp_target_free(void *p, int device) { (void)device; free(p); }
static inline int omp_target_is_present(const void *p, int device) { (void)p; (void)device; return 1; }
static inline int omp_target_memcpy(void *to, const void *from, size_t n, size_t to_at, size_t from_at, int a, int b) {
  (void)a; (void)b;
  memcpy((char *)to + to_at, (const char *)from + from_at, n);
  return 0;
}

typedef void *omp_depend_t;
static inline int omp_target_memcpy_async(void *to, const void *from, size_t n, size_t to_at, size_t from_at, int a,
                                          int b, int count, omp_depend_t *list) {
  (void)count; (void)list;
  return omp_target_memcpy(to, from, n, to_at, from_at, a, b);
}
static inline void *omp_target_memset(void *p, int value, size_t n, int device) {
  (void)device;
  return memset(p, value, n);
}
static inline int omp_target_memcpy_rect(void *to, const void *from, size_t size, int dimensions, const size_t *volume,
                                         const size_t *to_at, const size_t *from_at, const size_t *to_shape,
                                         const size_t *from_shape, int a, int b) {
  size_t to_row = size, from_row = size;
  if (dimensions == 1) return omp_target_memcpy(to, from, size * volume[0], size * to_at[0], size * from_at[0], a, b);
  for (int d = 1; d < dimensions; d++) to_row *= to_shape[d], from_row *= from_shape[d];
  for (size_t i = 0; i < volume[0]; i++)
    omp_target_memcpy_rect((char *)to + (to_at[0] + i) * to_row, (const char *)from + (from_at[0] + i) * from_row, size,
                           dimensions - 1, volume + 1, to_at + 1, from_at + 1, to_shape + 1, from_shape + 1, a, b);
  return 0;
}
static inline int omp_target_associate_ptr(const void *p, const void *q, size_t size, size_t offset, int device) {
  (void)p; (void)q; (void)size; (void)offset; (void)device;
  return 0;
}
static inline int omp_target_disassociate_ptr(const void *p, int device) { (void)p; (void)device; return 0; }
static inline void *omp_get_mapped_ptr(const void *p, int device) { (void)device; return (void *)p; }
static inline int omp_target_is_accessible(const void *p, size_t size, int device) {
  (void)p; (void)size; (void)device;
  return 1;
}

/* Memory, aligned for all that a test asks of an allocator. */
typedef int omp_allocator_handle_t;
typedef struct { int key; size_t value; } omp_alloctrait_t;
enum {
  omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc, omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
  omp_cgroup_mem_alloc, omp_pteam_mem_alloc, omp_thread_mem_alloc
};
enum { omp_atk_alignment, omp_atk_fallback, omp_atv_null_fb };
static inline void *omp_alloc(size_t size, omp_allocator_handle_t allocator) {
  (void)allocator;
  return aligned_alloc(256, (size + 255) / 256 * 256);
}
static inline void *omp_calloc(size_t n, size_t size, omp_allocator_handle_t allocator) {
  return memset(omp_alloc(n * size, allocator), 0, n * size);
}
static inline void omp_free(void *p, omp_allocator_handle_t allocator) { (void)allocator; free(p); }
#endif
