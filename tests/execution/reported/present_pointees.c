/* `present` asks for what pointers point to; the pointers themselves are not on the device before. */
#include <stdio.h>

struct inner {
  int n, *q;
};
struct outer {
  int n, *p;
  struct inner *far;
};
static int data[8];

int main(void) {
  struct inner other = {1, data};
  struct outer s = {2, data, &other};
  int *rows[3] = {0, data, 0};
  for (int i = 0; i < 8; i++) data[i] = i;
#pragma omp target data map(tofrom : data)
  {
#pragma omp target map(tofrom : s.n) map(present, tofrom : s.p[0 : 8])
    s.p[4] += s.n;
#pragma omp target map(present, tofrom : s.p[0 : 8])
    s.p[0] += 10;
#pragma omp target map(present, tofrom : s.far->q[0 : 8])
    s.far->q[1] += 20;
#pragma omp target map(present, tofrom : rows[1][0 : 8])
    rows[1][2] += 30;
#pragma omp target data map(present, alloc : s.p[2 : 6], rows[1][2 : 6])
    {
#pragma omp target
      data[3] += 40;
    }
#pragma omp target enter data map(present, to : s.p[0 : 8], s.far->q[0 : 8], rows[1][0 : 8])
#pragma omp target update from(present : s.p[0 : 8], rows[1][0 : 8])
#pragma omp target exit data map(present, release : s.p[0 : 8], s.far->q[0 : 8], rows[1][0 : 8])
#pragma omp target exit data map(present, release : s.p[0 : 8])
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(present, from : rows[1][0 : 8])
#pragma omp target enter data map(to : data)
  }
  for (int i = 0; i < 8; i++) printf("%d ", data[i]);
  printf("\n");
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(present, from : s.far->q[0 : 8])
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(present, delete : s.p[0 : 8])
  return 0;
}
