/* target_data (OpenMP 6.0, 15.7) waits for the tasks that it generates, and for what it depends on. */
#include <stdio.h>
static int next(int v) { return v + 1; }
int main(void) {
  int a = 0, b = 5, c[4] = {1, 2, 3, 4};
#pragma omp target_data map(tofrom : a)
  {
#pragma omp target map(tofrom : a) nowait
    a = next(a);
  }
  printf("%d\n", a);
#pragma omp target_data map(tofrom : a) nogroup
  {
#pragma omp target map(tofrom : a)
    a = next(a);
  }
  printf("%d\n", a);
#pragma omp target data map(tofrom : a) depend(inout : a) nowait
  {
#pragma omp target map(tofrom : a) nowait depend(out : a)
    a = next(a);
  }
  printf("%d\n", a);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : b) shared(b)
    b = 40;
#pragma omp target_data map(tofrom : b, c) depend(inout : b)
    {
#pragma omp target map(tofrom : b, c) nowait
      for (int i = 0; i < 4; i++) b += c[i]++;
    }
    printf("%d %d\n", b, c[3]);
#pragma omp task depend(in : b) shared(b)
    b++;
  }
  printf("%d\n", b);
  return 0;
}
