/* lastprivate(conditional:) in functions that regions call; clang 19 joins it wrongly on the host. */
#include <stdio.h>

enum { N = 1000 };

#pragma omp begin declare target
static int at, at_alone;
static void search(const int *a, int n, int what, int alone) {
#pragma omp for lastprivate(conditional : at)
  for (int i = 0; i < n; i++)
    if (a[i] % 8 == what) at = i;
#pragma omp parallel for lastprivate(conditional : alone)
  for (int i = 0; i < n; i++)
    if (a[i] % 8 == what) alone = i;
#pragma omp single nowait
  at_alone = alone;
}
#pragma omp end declare target

static void in_functions(int n) {
  int a[N], first = -1, second = -1, none = -1;
  for (int i = 0; i < n; i++) a[i] = (i * 7 + 3) % 1001;
#pragma omp target map(to : a) map(from : first, second, none)
  {
    at = -1;
#pragma omp parallel num_threads(11)
    search(a, n, 5, 0);
    first = at;
#pragma omp parallel num_threads(11)
    search(a, n - 500, 2, 3);
    second = at;
#pragma omp parallel
    search(a, n, 9, 4);
    none = at + at_alone;
    search(a, n - 700, 1, 0);
    none += at + at_alone;
  }
  printf("%d %d %d\n", first, second, none);
}

int main(void) {
  in_functions(N);
  return 0;
}
