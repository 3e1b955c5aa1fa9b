/* Dynamic programming: target data, private variables, pointers that are swapped. */
#include <stdio.h>
#include <stdlib.h>
#define COLS 50
#define ROWS 9
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

int main(void) {
  int *wall = malloc(ROWS * COLS * sizeof(int)), *src = malloc(COLS * sizeof(int)), *dst = malloc(COLS * sizeof(int));
  int *temp, min, t;
  for (int i = 0; i < ROWS * COLS; i++) wall[i] = i * 7919 % 10;
  for (int j = 0; j < COLS; j++) src[j] = wall[j];
#pragma omp target data map(to : wall[0 : ROWS * COLS]) map(tofrom : src[0 : COLS]) map(alloc : dst[0 : COLS])
  {
    for (t = 0; t < ROWS - 1; t++) {
#pragma omp target teams distribute parallel for private(min) firstprivate(t)
      for (int n = 0; n < COLS; n++) {
        min = src[n];
        if (n > 0) min = MIN(min, src[n - 1]);
        if (n < COLS - 1) min = MIN(min, src[n + 1]);
        dst[n] = wall[(t + 1) * COLS + n] + min;
      }
      temp = src;
      src = dst;
      dst = temp;
    }
#pragma omp target update from(src[0 : COLS])
  }
  long s = 0;
  for (int j = 0; j < COLS; j++) s += (long)src[j] * (j + 1);
  printf("%ld\n", s);
  free(wall), free(src), free(dst);
  return 0;
}
