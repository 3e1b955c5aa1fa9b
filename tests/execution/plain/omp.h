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
#endif
