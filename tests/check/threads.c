// Threads that map memory and execute kernels at once, with variables that an image has itself: nothing is wrong here, and
// no thread waits for ever.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 300 };

#pragma omp declare target
int steps[4] = {1, 2, 3, 4};
#pragma omp end declare target

static void *run(void *given) {
  long *sum = given;
  for (int turn = 0; turn < TURNS; turn++) {
    int row[8] = {0};
#pragma omp target map(tofrom : row)
    for (int i = 0; i < 8; i++) row[i] += steps[i % 4];
    *sum += row[7];
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  long sums[THREADS] = {0}, all = 0;
  for (int t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, run, &sums[t]) != 0) return 1;
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  for (int t = 0; t < THREADS; t++) all += sums[t];
  return all != (long)THREADS * TURNS * 4;
}
