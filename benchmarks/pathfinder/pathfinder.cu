/* The cheapest way down a grid: a step leads straight or diagonally down; one launch for each row. */
#include "../common_cuda.h"

static void fill(int *wall, size_t cells) {
  unsigned state = 11;
  for (size_t i = 0; i < cells; i++) wall[i] = (int)(random_bits(&state) >> 4) % 10;
}

/* The cost of reaching every cell of a row from the costs of the row above it. */
__global__ void descend(const int *__restrict__ wall, const int *__restrict__ above, int *__restrict__ cost, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  int best = above[c];
  if (c > 0) best = min(best, above[c - 1]);
  if (c < cols - 1) best = min(best, above[c + 1]);
  cost[c] = wall[c] + best;
}

int main(int argc, char **argv) {
  int cols = argument(argc, argv, 1, 4194304), rows = argument(argc, argv, 2, 60), runs = argument(argc, argv, 3, 5);
  size_t cells = (size_t)rows * cols;
  int *wall = (int *)allocate(cells, sizeof *wall), *result = (int *)allocate(cols, sizeof *result);
  Clock clock = {0};
  fill(wall, cells);

  int *dwall = device_memory<int>(cells), *cost = device_memory<int>(cols), *above = device_memory<int>(cols);
  to_device(dwall, wall, cells);
  for (int run = 0; run <= runs; run++) {
    to_device(cost, wall, cols);
    start(&clock);
    for (int row = 1; row < rows; row++) {
      int *old = above;
      above = cost;
      cost = old;
      descend<<<blocks_for(cols), THREADS>>>(dwall + (size_t)row * cols, above, cost, cols);
    }
    finish();
    stop(&clock);
  }
  from_device(result, cost, cols);

  int cheapest = result[0];
  for (int c = 1; c < cols; c++) cheapest = result[c] < cheapest ? result[c] : cheapest;
  printf("cheapest way: %d\n", cheapest);
  report_ints("costs", result, cols);
  report_time(&clock);
  CHECK(cudaFree(dwall));
  CHECK(cudaFree(cost));
  CHECK(cudaFree(above));
  free(wall);
  free(result);
  return 0;
}
