// SPDX-License-Identifier: Apache-2.0
/* A user's host code that needs the compiler and omp.h to agree: types that directives check by name and shape. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int x = 1, y = 0;
  omp_lock_t lock;
  char format[64] = "";
  omp_init_lock_with_hint(&lock, omp_sync_hint_contended);
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&lock);
    y++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_depend_t order;
#pragma omp depobj(order) depend(inout : x)
#pragma omp task depend(depobj : order) shared(x)
    x = 2;
#pragma omp task depend(depobj : order) shared(x)
    x *= 21;
#pragma omp taskwait
#pragma omp depobj(order) destroy
#ifdef __clang__ /* GCC's detach does not work on top of libomp 19 */
    omp_event_handle_t event;
#pragma omp task detach(event)
    omp_fulfill_event(event);
#endif
  }
  int *memory = (int *)omp_alloc(sizeof *memory, omp_default_mem_alloc);
  *memory = x;
  omp_set_affinity_format("of %n threads");
  omp_get_affinity_format(format, sizeof format);
  printf("%d %d %s\n", *memory, y, format);
  omp_free(memory, omp_default_mem_alloc);
  return 0;
}
