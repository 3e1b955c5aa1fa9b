/* Heat on a chip: every cell gets its own power and exchanges heat with its four neighbours and with the air. */
#include "../common.h"

static const float STEP = 0.125f, ACROSS = 0.25f, DOWN = 0.2f, AIR = 0.01f, AMBIENT = 80.0f;

static void fill(float *heat, float *power, int rows, int cols) {
  unsigned state = 7;
  for (int i = 0; i < rows * cols; i++) {
    heat[i] = 320.0f + 10.0f * random_unit(&state);
    power[i] = 2.0f * random_unit(&state);
  }
}

/* One step of time; a cell beyond an edge is as hot as the one at the edge. */
static void advance(const float *heat, const float *power, float *next, int rows, int cols) {
#pragma omp target teams distribute parallel for collapse(2) thread_limit(256) \
    map(to : heat[0:rows * cols], power[0:rows * cols]) map(from : next[0:rows * cols])
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < cols; c++) {
      int at = r * cols + c;
      float here = heat[at];
      float north = r > 0 ? heat[at - cols] : here;
      float south = r < rows - 1 ? heat[at + cols] : here;
      float west = c > 0 ? heat[at - 1] : here;
      float east = c < cols - 1 ? heat[at + 1] : here;
      next[at] = here + STEP * (power[at] + DOWN * (north + south - 2.0f * here) +
                                ACROSS * (east + west - 2.0f * here) + AIR * (AMBIENT - here));
    }
  }
}

int main(int argc, char **argv) {
  int rows = argument(argc, argv, 1, 4096), cols = argument(argc, argv, 2, 4096);
  int steps = argument(argc, argv, 3, 60), runs = argument(argc, argv, 4, 5);
  int cells = rows * cols;
  float *heat = allocate(cells, sizeof *heat), *next = allocate(cells, sizeof *next);
  float *power = allocate(cells, sizeof *power);
  Clock clock = {0};
  fill(heat, power, rows, cols);
  memcpy(next, heat, cells * sizeof *next);

#pragma omp target data map(to : power[0:cells]) map(tofrom : heat[0:cells], next[0:cells])
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    for (int step = 0; step < steps; step++) {
      advance(heat, power, next, rows, cols);
      float *old = heat;
      heat = next;
      next = old;
    }
    stop(&clock);
  }

  report_floats("heat", heat, cells);
  report_time(&clock);
  free(heat);
  free(next);
  free(power);
  return 0;
}
