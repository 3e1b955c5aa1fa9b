/* Parameters written as arrays, which are pointers, in the clauses that take pointers or variables. */
#include <stdio.h>
static void copies(double v[], int zero, double out[]) {
#pragma omp target firstprivate(v) map(tofrom : out[0 : 8])
  {
    v += zero;
    out[0] = v != 0;
  }
#pragma omp target parallel for firstprivate(v) map(tofrom : out[0 : 8]) num_threads(2)
  for (int i = 0; i < 2; i++) {
    v += zero;
    if (i == 0) out[1] = v != 0;
  }
#pragma omp target private(v) map(tofrom : out[0 : 8])
  {
    v = out;
    out[2] = v[1] * 2;
  }
}
static void addresses(double v[4], double *const rows[], double out[]) {
#pragma omp target data map(v[0 : 4]) use_device_ptr(v)
  {
#pragma omp target is_device_ptr(v) map(tofrom : out[0 : 8])
    { out[3] = v[2]; }
  }
#pragma omp target data map(v[0 : 4]) use_device_addr(v[0 : 4])
  {
#pragma omp target has_device_addr(v[0 : 4]) map(tofrom : out[0 : 8])
    { out[4] = v[3]; }
  }
#pragma omp target map(to : v) map(tofrom : out[0 : 8]) map(to : v[0 : 4])
  { out[5] = v[0]; }
  double *first = rows[0];
#pragma omp target enter data map(to : rows[0 : 1], first[0 : 4])
#pragma omp target map(to : rows[0 : 1]) map(rows[0][0 : 4]) map(tofrom : out[0 : 8])
  { out[6] = rows[0][3]; }
#pragma omp target exit data map(release : rows[0 : 1], first[0 : 4])
}
static void open_ended(double v[], double out[]) {
#pragma omp target data map(v[0 : 4]) use_device_addr(v[0 : 4])
  {
#pragma omp target has_device_addr(v[0 : 4]) map(tofrom : out[0 : 8])
    { out[7] = v[1]; }
  }
}
int main(void) {
  double v[4] = {1, 2, 3, 4}, out[8] = {0};
  double *rows[] = {v};
  copies(v, 0, out);
  addresses(v, rows, out);
  open_ended(v, out);
  for (int i = 0; i < 8; i++) printf("%g ", out[i]);
  printf("\n");
  return 0;
}
