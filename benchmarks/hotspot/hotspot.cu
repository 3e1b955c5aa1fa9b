/* Heat on a chip: every cell gets its own power and exchanges heat with its four neighbours and with the air. */
#include "../common_cuda.h"

static const float STEP = 0.125f, ACROSS = 0.25f, DOWN = 0.2f, AIR = 0.01f, AMBIENT = 80.0f;

static void fill(float *heat, float *power, int rows, int cols) {
  unsigned state = 7;
  for (int i = 0; i < rows * cols; i++) {
    heat[i] = 320.0f + 10.0f * random_unit(&state);
    power[i] = 2.0f * random_unit(&state);
  }
}

/* One step of time; a cell beyond an edge is as hot as the one at the edge. */
__global__ void advance(const float *__restrict__ heat, const float *__restrict__ power, float *__restrict__ next,
                        int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= rows || c >= cols) return;
  int at = r * cols + c;
  float here = heat[at];
  float north = r > 0 ? heat[at - cols] : here;
  float south = r < rows - 1 ? heat[at + cols] : here;
  float west = c > 0 ? heat[at - 1] : here;
  float east = c < cols - 1 ? heat[at + 1] : here;
  next[at] = here + STEP * (power[at] + DOWN * (north + south - 2.0f * here) +
                            ACROSS * (east + west - 2.0f * here) + AIR * (AMBIENT - here));
}

int main(int argc, char **argv) {
  int rows = argument(argc, argv, 1, 4096), cols = argument(argc, argv, 2, 4096);
  int steps = argument(argc, argv, 3, 60), runs = argument(argc, argv, 4, 5);
  int cells = rows * cols;
  float *heat = (float *)allocate(cells, sizeof *heat), *power = (float *)allocate(cells, sizeof *power);
  Clock clock = {0};
  fill(heat, power, rows, cols);

  float *current = device_memory<float>(cells), *next = device_memory<float>(cells);
  float *dpower = device_memory<float>(cells);
  to_device(current, heat, cells);
  to_device(dpower, power, cells);
  dim3 block(32, 8), grid((cols + 31) / 32, (rows + 7) / 8);
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    for (int step = 0; step < steps; step++) {
      advance<<<grid, block>>>(current, dpower, next, rows, cols);
      float *old = current;
      current = next;
      next = old;
    }
    finish();
    stop(&clock);
  }
  from_device(heat, current, cells);

  report_floats("heat", heat, cells);
  report_time(&clock);
  CHECK(cudaFree(current));
  CHECK(cudaFree(next));
  CHECK(cudaFree(dpower));
  free(heat);
  free(power);
  return 0;
}
