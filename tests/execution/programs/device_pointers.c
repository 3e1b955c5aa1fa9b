/* Pointers that declare target puts on the device: mapping what they point to attaches them. */
#include <stdio.h>
#include <stdlib.h>

struct Grid {
  int n;
  double *cells;
};
#pragma omp begin declare target
int *values;
static double *pair[2];
struct Grid grid;
static int at(int i) { return values[i]; }
static double sum(void) {
  double r = 0;
  for (int i = 0; i < grid.n; i++) r += grid.cells[i];
  return r;
}
#pragma omp end declare target

int main(void) {
  int n = 10, r = 0;
  double d = 0;
  values = malloc(n * sizeof *values);
  for (int i = 0; i < n; i++) values[i] = i;
#pragma omp target enter data map(to : values[0 : n])
#pragma omp target map(from : r)
  {
    values[3] = 33;
    r = at(2) + values[4];
  }
#pragma omp target update from(values[0 : n])
  printf("%d %d\n", r, values[3]);
#pragma omp target exit data map(release : values[0 : n])
#pragma omp target map(tofrom : values[2 : 4]) map(from : r)
  {
    values[5] += 100;
    r = at(5);
  }
  printf("%d %d\n", r, values[5]);
#pragma omp target teams distribute parallel for map(tofrom : values[0 : n])
  for (int i = 0; i < n; i++) values[i] = at(i) * 2;
  printf("%d %d\n", values[1], values[9]);
  grid.n = 4;
  grid.cells = malloc(4 * sizeof(double));
  for (int i = 0; i < 4; i++) grid.cells[i] = 0.5 * i;
#pragma omp target update to(grid.n)
#pragma omp target data map(tofrom : grid.cells[0 : 4])
  {
#pragma omp target map(from : d)
    {
      grid.cells[1] = 10;
      d = sum();
    }
  }
  printf("%g %g\n", d, grid.cells[1]);
  free(values), free(grid.cells);
  return pair[0] != 0;
}
