/* `present` asks for the parts of an item, not for the pointers on the way to them. */
#include "checks.h"

struct rest {
  double *q;
};
struct vector {
  int n;
  double *p;
  struct rest *rest;
};
#pragma omp declare mapper(elements : struct vector v) map(v.p[0 : v.n])
#pragma omp declare mapper(far : struct vector v) map(v.rest->q[0 : v.n])

static double data[8];

static void one_item(void) {
  struct rest rest = {data};
  struct vector v = {8, data, &rest};
#pragma omp target data map(tofrom : data)
  {
#pragma omp target map(mapper(elements), present, tofrom : v)
    v.p[2] += 10;
#pragma omp target map(mapper(far), present, tofrom : v)
    v.rest->q[3] += 20;
#pragma omp target enter data map(mapper(elements), present, to : v)
    CHECK(here(&v.p));
#pragma omp target exit data map(mapper(elements), present, release : v)
    CHECK(!here(&v.p) && here(data));
#pragma omp target exit data map(mapper(far), present, from : v)
    CHECK(!here(data));
  }
  CHECK(data[2] == 12 && data[3] == 23);
}

int main(void) {
  for (int i = 0; i < 8; i++) data[i] = i;
  one_item();
  printf("failures: %d\n", failures);
  return 0;
}
