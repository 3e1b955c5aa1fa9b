/* A comment after a data region's end and one after main stay once. */
#include <stdio.h>

static void diffuse(float *j, float *d, int rows, int cols, float lambda) {
#pragma omp target data map(tofrom : j[0 : rows * cols]) map(alloc : d[0 : rows * cols])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < cols; k++) {
        int at = i * cols + k;
        d[at] = (i ? j[at - cols] : j[at]) - j[at];
      }
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < cols; k++) j[i * cols + k] += lambda * d[i * cols + k];
  } // end of the data region
} // diffuse

int main(void) {
  float j[60], d[60];
  for (int i = 0; i < 60; i++) j[i] = i * i % 11;
  diffuse(j, d, 6, 10, 0.5f);
  float s = 0;
  for (int i = 0; i < 60; i++) s += j[i] * i;
  printf("%g\n", s);
  return 0;
} // main
