/* SPDX-License-Identifier: Apache-2.0 */
/* Structures of C with arrays of halves, whose type has a kind that libclang's binding does not know. */
#include <stdio.h>

struct cell {
  int n;
  _Float16 h[3];
};
typedef struct {
  _Float16 m[2][2];
  struct cell cell;
} grid;
static struct cell cells[20];

int main(void) {
  grid grids[4] = {{{{0}}}};
#pragma omp target teams distribute parallel for map(tofrom : cells, grids)
  for (int i = 0; i < 20; i++) {
    cells[i].h[i % 3] = (_Float16)i;
    cells[i].n = (int)cells[i].h[i % 3] + 1;
    if (i < 4) grids[i].m[1][0] = (_Float16)i, grids[i].cell.h[2] = 2;
  }
  for (int i = 0; i < 20; i++) printf("%d %g %g ", cells[i].n, (double)cells[i].h[0], (double)cells[i].h[1]);
  for (int i = 0; i < 4; i++) printf("%g %g ", (double)grids[i].m[1][0], (double)grids[i].cell.h[2]);
  printf("\n");
}
