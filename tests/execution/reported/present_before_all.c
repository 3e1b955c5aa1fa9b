/* The first construct on a device asks for a variable of `declare target`, which is present from the start. */
#include <omp.h>
#include <stdio.h>

int values[7];
#pragma omp declare target enter(values)

int main(void) {
  int last = omp_get_num_devices() > 0 ? omp_get_num_devices() - 1 : omp_get_initial_device();
  values[2] = 5;
#pragma omp target enter data map(present, to : values) device(last)
#pragma omp target update to(values[2]) device(last)
#pragma omp target map(present, alloc : values[2 : 1]) device(last)
  values[2] += 10;
#pragma omp target update from(values[2]) device(last)
  printf("%d\n", values[2]);
  return 0;
}
