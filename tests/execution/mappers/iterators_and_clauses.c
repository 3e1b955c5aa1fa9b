/* Iterators with other clauses: pointers as iterators, device addresses, conditions, default(none), tasks. */
#include "checks.h"
int main(void) {
  double *r[4], *last;
  for (int i = 0; i < 4; i++) r[i] = numbers(3, 10 * i);
  double *a = numbers(6, 0);
#pragma omp target enter data map(iterator(double *q = a : a + 6 : 2), to : q[0:1])
  CHECK(here(a) && !here(a + 1) && here(a + 4) && !here(a + 5));
#pragma omp target exit data map(iterator(double *q = a : a + 6 : 2), release : *q)
  CHECK(!here(a) && !here(a + 4));
  last = r[3];
#pragma omp target data map(to : r) map(iterator(i = 0 : 4), tofrom : r[i][0:3]) use_device_ptr(last)
  {
    CHECK(last != r[3]);
#pragma omp target is_device_ptr(last)
    last[1] = 77;
  }
  CHECK(r[3][1] == 77 && !here(r) && !here(r[0]));
  int n = 4, k = 1;
#pragma omp target data if (k > 5) map(iterator(i = 0 : n), present, to : r[i][0:n - 1])
  CHECK(!here(r));
#pragma omp target teams distribute parallel for default(none) shared(r) firstprivate(n) map(iterator(i = 0 : n), tofrom : r[i][0:2])
  for (int i = 0; i < n; i++) r[i][0] += i;
  CHECK(r[2][0] == 22);
#pragma omp target nowait map(iterator(i = 0 : n), tofrom : r[i][0:2]) map(to : r)
  r[1][1] = 5;
#pragma omp taskwait
  CHECK(r[1][1] == 5 && !here(r[1]) && !here(r));
  printf("failures: %d\n", failures);
  return failures != 0;
}
