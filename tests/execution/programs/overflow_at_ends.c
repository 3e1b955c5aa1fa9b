/* Loops that compare the addresses of their accesses at their ends, where an access that a condition leaves out there
   would have a subscript that does not fit into an `int`. */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 8000000

/* In turns: iteration 1 stores to w[s], which the next two load. */
static void turns(float *x, float *w, double *last, int m, int s, int limit) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1; i++) {
    float t = 0;
    double sum = 0;
    for (int j = 0; j < m; j++) {
      t = x[j] / (t + 3);
      sum += t;
      if (j < limit) w[j * s] = t;
    }
    last[i] = sum;
  }
}

static void turns_by_locals(float *x, float *w, double *last, int m, int s, int limit) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1; i++) {
    float t = 0;
    double sum = 0;
    for (int j = 0; j < m; j++) {
      const int at = s * j;
      t = x[j] / (t + 3);
      sum += t;
      if (j < limit) w[at] = t;
    }
    last[i] = sum;
  }
}

static void turns_by_casts(float *x, float *w, double *last, long m, int s, int limit) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1; i++) {
    float t = 0;
    double sum = 0;
    for (long j = 0; j < m; j++) {
      t = x[j] / (t + 3);
      sum += t;
      if (j < limit) w[(int)j * s] = t;
    }
    last[i] = sum;
  }
}

/* In groups: iterations of a row read what others write. */
static void groups(float *x, float *w, const float *o, int n, int m, int s, int limit) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    const int end = i == 0 ? m : 0;
    for (int j = 0; j < end; j++) {
      float v = o[j];
      if (j < limit) v += x[j * s];
      w[j] = v;
    }
  }
}

static void show(const char *name, const float *a, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * (k % 13 + 1);
  printf("%s %.9g\n", name, sum);
}

int main(void) {
  float *all = malloc(SIZE * sizeof *all);
  double last[1] = {0};
  for (int k = 0; k < SIZE; k++) all[k] = k % 1001;
#pragma omp target data map(tofrom : all[0 : SIZE], last)
  for (int s = 1000000; s < 1400000; s += 177777)
    for (int shift = 0; shift < 6; shift++) {
      float *x = all + s - shift;
      turns(x, all, last, 3000, s, 5);
#pragma omp target update from(last)
      printf("turns %.9g\n", last[0]);
      turns_by_locals(x, all, last, 2999, s, 5);
#pragma omp target update from(last)
      printf("locals %.9g\n", last[0]);
      turns_by_casts(x, all, last, 2998, s, 5);
#pragma omp target update from(last, all[0 : 4])
      printf("casts %.9g\n", last[0]);
      groups(all, all + s - 8 * shift, all + 5 * s, 8, 3000, s, 5);
#pragma omp target update from(all[s : 2000])
      show("groups", all + s, 2000);
    }
  show("all", all, SIZE);
  free(all);
  return 0;
}
