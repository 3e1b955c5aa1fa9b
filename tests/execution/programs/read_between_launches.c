/* What the host reads behind pointers between launches: it is read when the kernels that can write it have ended. */
#include <stdio.h>
#include <stdlib.h>
struct level { int first, last; int *sizes; };
enum kind { OTHER, PLAIN = 3 };
static int *of_all;

static void levels(int n, const struct level *l, const int *start, double *x) {
  for (int k = 0; k < n; k++) {
    const int first = start[k], last = start[start[6] + k] + l->first;
#pragma omp target teams distribute parallel for
    for (int i = first; i < last; i++) x[i] += i % 3 + k;
  }
}

static void of_members(int n, struct level *l, const enum kind *kinds, double *x) {
  for (int k = 0; k < n; k++) {
    if (kinds[k] == PLAIN && *of_all > k) {
      const int by = l[k].sizes[0];
#pragma omp target teams distribute parallel for
      for (int i = l[k].first; i < l[k].last; i++) x[i] += by;
    }
    int size = l[k].sizes[1];
#pragma omp target teams distribute parallel for
    for (int i = 0; i < size; i++) x[i] *= 2;
  }
}

int main(void) {
  enum { N = 5, SIZE = 50 };
  int start[] = {0, 10, 20, 30, 40, 50, 1}, sizes[] = {3, 20}, four = 4;
  enum kind kinds[] = {PLAIN, PLAIN, OTHER, PLAIN, PLAIN};
  struct level l[N];
  double *x = calloc(SIZE, sizeof *x), sum = 0;
  int *told = calloc(2, sizeof *told);
  of_all = &four;
  for (int k = 0; k < N; k++) l[k] = (struct level){k ? 10 * k : 0, 10 * k + 10, sizes};
  const struct level none = {0, 0, sizes};
#pragma omp target data map(tofrom : x[0 : SIZE], told[0 : 2]) map(to : l, sizes)
  {
    int limit = told[1];
    levels(N, &none, start, x);
    for (int k = 0; k < 9 && k <= told[0] + 8 + limit; k++) {
#pragma omp target
      told[0]++;
#pragma omp target update from(told[0 : 1])
      sum += told[0];
    }
  }
#pragma omp target data map(tofrom : x[0 : SIZE]) map(to : l)
  of_members(N, l, kinds, x);
  for (int i = 0; i < SIZE; i++) sum += i % 7 * x[i];
  printf("%g %d\n", sum, told[0]);
  free(told);
  free(x);
  return 0;
}
