/* Two collapsed kernels in one target data, in a loop over time steps. */
#include <stdio.h>
#define ROWS 16
#define COLS 20

static void simulate(double (*temp)[COLS], double (*power)[COLS], double (*next)[COLS], int steps, double k) {
#pragma omp target data map(tofrom : temp[0 : ROWS]) map(to : power[0 : ROWS]) map(alloc : next[0 : ROWS])
  {
    for (int step = 0; step < steps; step++) {
#pragma omp target teams distribute parallel for collapse(2) num_threads(128)
      for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLS; c++) {
          double up = temp[r ? r - 1 : r][c], down = temp[r < ROWS - 1 ? r + 1 : r][c];
          double left = temp[r][c ? c - 1 : c], right = temp[r][c < COLS - 1 ? c + 1 : c];
          next[r][c] = temp[r][c] + k * (up + down + left + right - 4 * temp[r][c] + power[r][c]);
        }
      }
#pragma omp target teams distribute parallel for collapse(2) num_threads(128)
      for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++) temp[r][c] = next[r][c];
    }
  } // the data are back
}

int main(void) {
  static double temp[ROWS][COLS], power[ROWS][COLS], next[ROWS][COLS];
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) temp[r][c] = r * c % 7, power[r][c] = (r + c) % 3;
  simulate(temp, power, next, 5, 0.125);
  double s = 0;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) s += temp[r][c] * (r + 2 * c);
  printf("%.6f\n", s);
  return 0;
}
