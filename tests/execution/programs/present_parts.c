/* Structures of which a part is on the device, used whole and without a clause in regions. */
#include <stdio.h>
#include <stdlib.h>

struct field { int rows; double *cells; int cols; };
struct pair { float *in; int n; float *out; };
struct deep { struct field f; int *p[2]; };

static double entered(void) {
  struct field f = {2, malloc(8 * sizeof(double)), 4};
  for (int i = 0; i < 8; i++) f.cells[i] = 1;
#pragma omp target enter data map(to : f.cells[0 : 8])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 8; i++) f.cells[i] *= 3;
#pragma omp target exit data map(from : f.cells[0 : 8])
  double r = f.cells[2];
  free(f.cells);
  return r;
}

static float both(void) {
  struct pair p = {malloc(9 * sizeof(float)), 9, calloc(9, sizeof(float))};
  for (int i = 0; i < 9; i++) p.in[i] = (float)i;
#pragma omp target enter data map(to : p.in[0 : 9], p.out[0 : 9])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 9; i++) p.out[i] = p.in[8 - i];
#pragma omp target exit data map(from : p.out[0 : 9]) map(release : p.in[0 : 9])
  float s = 0;
  for (int i = 0; i < 9; i++) s += p.out[i] * (float)i;
  free(p.in);
  free(p.out);
  return s;
}

static int nested(void) {
  struct deep d = {{1, malloc(4 * sizeof(double)), 4}, {malloc(4 * sizeof(int)), malloc(4 * sizeof(int))}};
  for (int i = 0; i < 4; i++) d.f.cells[i] = i, d.p[1][i] = 10 * i;
  int sum = 0;
#pragma omp target data map(tofrom : d.f.cells[0 : 4], d.p[1][0 : 4])
  {
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 4; i++) sum += (int)d.f.cells[i] + d.p[1][i];
  }
  free(d.f.cells);
  free(d.p[0]);
  free(d.p[1]);
  return sum;
}

static void enter(struct pair *p) {
#pragma omp target enter data map(to : p->in[0 : p->n])
}
static void leave(struct pair *p) {
#pragma omp target exit data map(release : p->in[0 : p->n])
}

static float elsewhere(void) {
  float values[5] = {1, 2, 3, 4, 5};
  struct pair p = {values, 5, 0}, *q = p.n ? &p : 0;
  enter(q);
  float sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 5; i++) sum += p.in[i];
  leave(q);
  return sum;
}

static int not_mapped(int k) {
  struct field f = {k, 0, 3};
  f.rows += 2;
  struct field g = f;
  int r = 0;
#pragma omp target map(from : r)
  r = f.rows * 10 + g.cols;
  return r;
}

static int scalar(void) {
  int n = 4, r = 0;
  const int *p = n > 3 ? &n : &r;
#pragma omp target enter data map(to : p[0 : 1])
#pragma omp target map(to : n) map(from : r)
  r = n + 1;
#pragma omp target exit data map(release : p[0 : 1])
  return r;
}

int main(void) {
  printf("%g %g\n", entered(), both());
  printf("%d %g %d %d\n", nested(), elsewhere(), not_mapped(5), scalar());
  return 0;
}
