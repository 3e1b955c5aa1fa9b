/* The cheapest way down a grid: a step leads straight or diagonally down; one launch for each row. */
#include "../common.h"

static void fill(int *wall, size_t cells) {
  unsigned state = 11;
  for (size_t i = 0; i < cells; i++) wall[i] = (int)(random_bits(&state) >> 4) % 10;
}

/* The cost of reaching every cell of a row from the costs of the row above it. */
static void descend(const int *wall, const int *above, int *cost, int cols) {
#pragma omp target teams distribute parallel for map(to : wall[0:cols])
  for (int c = 0; c < cols; c++) {
    int best = above[c];
    if (c > 0 && above[c - 1] < best) best = above[c - 1];
    if (c < cols - 1 && above[c + 1] < best) best = above[c + 1];
    cost[c] = wall[c] + best;
  }
}

int main(int argc, char **argv) {
  int cols = argument(argc, argv, 1, 4194304), rows = argument(argc, argv, 2, 60), runs = argument(argc, argv, 3, 5);
  size_t cells = (size_t)rows * cols;
  int *wall = allocate(cells, sizeof *wall);
  int *cost = allocate(cols, sizeof *cost), *above = allocate(cols, sizeof *above);
  Clock clock = {0};
  fill(wall, cells);

#pragma omp target enter data map(to : wall[0:cells]) map(alloc : cost[0:cols], above[0:cols])
  for (int run = 0; run <= runs; run++) {
    memcpy(cost, wall, cols * sizeof *cost);
#pragma omp target update to(cost[0:cols])
    start(&clock);
    for (int row = 1; row < rows; row++) {
      int *old = above;
      above = cost;
      cost = old;
      descend(wall + (size_t)row * cols, above, cost, cols);
    }
    stop(&clock);
  }
#pragma omp target update from(cost[0:cols])
#pragma omp target exit data map(delete : wall[0:cells], cost[0:cols], above[0:cols])

  int cheapest = cost[0];
  for (int c = 1; c < cols; c++) cheapest = cost[c] < cheapest ? cost[c] : cheapest;
  printf("cheapest way: %d\n", cheapest);
  report_ints("costs", cost, cols);
  report_time(&clock);
  free(wall);
  free(cost);
  free(above);
  return 0;
}
