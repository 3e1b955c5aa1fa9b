// Bounds that read objects of which only a part is on the device, in C.
#include <stdio.h>
#include <stdlib.h>
struct inner { short low; unsigned high : 7; };
struct field { double *data; int n; struct inner in; struct inner *at; unsigned long long big; };
static int twice(const struct field *f) { return 2 * f->in.low; }
#define END f->n
static void raise(struct field *f) {
  double *d = f->data;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < f->n; i++) d[i] += i;
#pragma omp target teams distribute parallel for
  for (int i = END - 1; i >= f->in.low; --i) d[i] *= 2;
#pragma omp target teams distribute parallel for
  for (unsigned long long i = f->at->low; i < f->big; i += f->at->high) d[i] += 100;
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < f->in.low; i++)
    for (int j = twice(f); j < (int)f->in.high; j++) d[i * 8 + j] += 1000;
}
int main(void) {
  struct inner other = {1, 3};
  struct field f = {malloc(64 * sizeof(double)), 64, {2, 6}, &other, 60};
  for (int i = 0; i < 64; i++) f.data[i] = i % 5;
#pragma omp target enter data map(to : f.data[0 : 64])
  raise(&f);
  int counts[4] = {5, 6, 7, 8}, total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
  for (int i = 0; i <= counts[2]; i += counts[1] - 4) total += i;
#pragma omp target exit data map(from : f.data[0 : 64])
  for (int i = 0; i < 64; i++) printf("%g ", f.data[i]);
  printf("%d\n", total);
}
