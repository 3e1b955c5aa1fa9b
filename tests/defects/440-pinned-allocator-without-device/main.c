#include <omp.h>
#include <stdio.h>

int main(void) {
  int sum = 0;
  omp_alloctrait_t traits[1] = {{omp_atk_pinned, omp_atv_true}};
  omp_allocator_handle_t pinned = omp_init_allocator(omp_default_mem_space, 1, traits);
  int *p = omp_alloc(10 * sizeof *p, pinned);
  for (int i = 0; i < 10; i++) p[i] = i;
#pragma omp target map(tofrom : p[0 : 10], sum)
  for (int i = 0; i < 10; i++) sum += p[i];
  printf("%d\n", sum);
  omp_free(p, pinned);
  omp_destroy_allocator(pinned);
}
