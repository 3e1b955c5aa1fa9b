/* Commented-out directives keep their order and their places. */
#include <stdio.h>
#define N 32

int main(void) {
  float image[N], c[N], sum = 0;
  for (int i = 0; i < N; i++) image[i] = i % 5;
  // marker one
  // #pragma omp target teams distribute parallel for map(tofrom: sum)
  for (int i = 0; i < N; i++) sum += image[i];
  /* marker two
#pragma omp target data map(to: image)
  */
#pragma omp target data map(tofrom : image) map(alloc : c) // the only data region
  {
    // marker three: #pragma omp parallel for
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
      // #pragma omp target update from(c)
      c[i] = image[i] / sum; /* #pragma omp simd */
    }
    /* marker four */ // #pragma omp target exit data map(delete: c)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) image[i] += c[i];
  }
  printf("%.4f\n", image[N - 1]); // #pragma omp end
  return 0;
}
