/* Target tasks that wait for each other, and for the thread that made them: only such as overlap come to an end soon. The
   memory is the device's, which on the CPU device all of them see. */
#include <omp.h>
#include <stdio.h>

#pragma omp begin declare target
static int wait_for(volatile int *flags, int count, int number) {
  double start = omp_get_wtime();
  flags[number] = 1;
  for (int i = 0; i < count; i++)
    while (!flags[i])
      if (omp_get_wtime() - start > 20) return 0;
  return 1;
}
#pragma omp end declare target

static void regions(int device, const char *where) {
  volatile int *flags = omp_target_alloc(4 * sizeof(int), device);
  int met[3] = {0};
  for (int i = 0; i < 4; i++) flags[i] = 0;
  for (int i = 0; i < 3; i++) {
#pragma omp target nowait is_device_ptr(flags) map(from : met[i]) device(device)
    met[i] = wait_for(flags, 4, i);
  }
  flags[3] = 1;
#pragma omp taskwait
  printf("%s: %d %d %d\n", where, met[0], met[1], met[2]);
  omp_target_free((void *)flags, device);
}

int main(void) {
  regions(omp_get_default_device(), "outside");
#pragma omp parallel num_threads(1)
  regions(omp_get_default_device(), "one thread");
#pragma omp parallel num_threads(3)
#pragma omp single
  regions(omp_get_default_device(), "single");
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
  regions(0, "task");
  return 0;
}
