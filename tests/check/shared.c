/* Host and device share their memory: nothing has to be mapped, and there is nothing that could be stale. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory

static int total = 1;

int main(void) {
  int local[4] = {0}, *heap = calloc(8, sizeof *heap), *p = local, *of_program = &total;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 8; i++) heap[i] = i;
#pragma omp target map(tofrom : heap[0 : 8])
  {
    p[1] = 5;
    ++*of_program;
    heap[3]++;
  }
  if (!omp_target_is_accessible(heap, 8 * sizeof *heap, omp_get_default_device())) return 1;
  printf("%d %d %d\n", heap[3], local[1], total);
  free(heap);
}
