/* Points on a moving wall, followed through a film: where in its window does a point's template correlate best?
 * One team for each point; its threads share the offsets of the window. */
#include <math.h>

#include "../common.h"

enum {
  TEMPLATE = 21, /* pixels on a side */
  REACH = 7,     /* how far a point moves between two frames at most */
  SPAN = 2 * REACH + 1,
  WINDOW = TEMPLATE + 2 * REACH,
  PIXELS = TEMPLATE * TEMPLATE,
  OFFSETS = SPAN * SPAN
};

static int wrapped(int value, int size) {
  return (value % size + size) % size;
}

/* A random texture that drifts: frame f shows it (3 f, 2 f) pixels further, with some noise. */
static void make_film(unsigned char *film, int frames, int size) {
  unsigned state = 17;
  unsigned char *texture = allocate((size_t)size * size, 1);
  for (int i = 0; i < size * size; i++) texture[i] = (unsigned char)(random_bits(&state) >> 4) % 240;
  for (int f = 0; f < frames; f++) {
    unsigned char *frame = film + (size_t)f * size * size;
    for (int y = 0; y < size; y++) {
      const unsigned char *line = texture + (size_t)wrapped(y - 3 * f, size) * size;
      for (int x = 0; x < size; x++) {
        frame[y * size + x] = line[wrapped(x - 2 * f, size)] + (unsigned char)(random_bits(&state) >> 20);
      }
    }
  }
  free(texture);
}

/* Points on a regular grid and what the first frame shows around them. */
static void make_points(const unsigned char *frame, int size, int *ys, int *xs, float *templates, int side) {
  for (int p = 0; p < side * side; p++) {
    ys[p] = TEMPLATE + (p / side) * (size / 2) / side;
    xs[p] = TEMPLATE + (p % side) * (size / 2) / side;
    for (int k = 0; k < PIXELS; k++) {
      int y = ys[p] + k / TEMPLATE - TEMPLATE / 2, x = xs[p] + k % TEMPLATE - TEMPLATE / 2;
      templates[p * PIXELS + k] = frame[y * size + x];
    }
  }
}

static void track(const unsigned char *frame, int size, int *ys, int *xs, float *templates, int points) {
#pragma omp target teams distribute thread_limit(256) map(to : frame[0:size * size]) \
    map(tofrom : ys[0:points], xs[0:points], templates[0:points * PIXELS])
  for (int p = 0; p < points; p++) {
    float window[WINDOW * WINDOW], model[PIXELS], score[OFFSETS];
    int top = ys[p] - WINDOW / 2, left = xs[p] - WINDOW / 2;
#pragma omp parallel for
    for (int k = 0; k < WINDOW * WINDOW; k++) {
      int y = top + k / WINDOW, x = left + k % WINDOW;
      y = y < 0 ? 0 : y < size ? y : size - 1;
      x = x < 0 ? 0 : x < size ? x : size - 1;
      window[k] = frame[y * size + x];
    }
#pragma omp parallel for
    for (int k = 0; k < PIXELS; k++) model[k] = templates[p * PIXELS + k];

    float best = -2.0f;
#pragma omp parallel for reduction(max : best)
    for (int o = 0; o < OFFSETS; o++) {
      const float *corner = window + o / SPAN * WINDOW + o % SPAN;
      float sum = 0, squares = 0, model_sum = 0, model_squares = 0, products = 0;
      for (int y = 0; y < TEMPLATE; y++) {
        for (int x = 0; x < TEMPLATE; x++) {
          float seen = corner[y * WINDOW + x], wanted = model[y * TEMPLATE + x];
          sum += seen;
          squares += seen * seen;
          model_sum += wanted;
          model_squares += wanted * wanted;
          products += seen * wanted;
        }
      }
      float spread = (squares - sum * sum / PIXELS) * (model_squares - model_sum * model_sum / PIXELS);
      score[o] = spread > 0 ? (products - sum * model_sum / PIXELS) / sqrtf(spread) : -1.0f;
      best = fmaxf(best, score[o]);
    }
    int at = OFFSETS;
#pragma omp parallel for reduction(min : at)
    for (int o = 0; o < OFFSETS; o++) {
      if (score[o] == best && o < at) at = o;
    }
    ys[p] += at / SPAN - REACH;
    xs[p] += at % SPAN - REACH;
#pragma omp parallel for
    for (int k = 0; k < PIXELS; k++) {
      float seen = window[(at / SPAN + k / TEMPLATE) * WINDOW + at % SPAN + k % TEMPLATE];
      templates[p * PIXELS + k] = 0.75f * model[k] + 0.25f * seen;
    }
  }
}

int main(int argc, char **argv) {
  int size = argument(argc, argv, 1, 1024), side = argument(argc, argv, 2, 48);
  int frames = argument(argc, argv, 3, 40), runs = argument(argc, argv, 4, 5);
  int points = side * side, pixels = size * size;
  size_t all = (size_t)frames * pixels;
  unsigned char *film = allocate(all, 1);
  int *ys = allocate(points, sizeof *ys), *xs = allocate(points, sizeof *xs);
  float *templates = allocate((size_t)points * PIXELS, sizeof *templates);
  Clock clock = {0};
  make_film(film, frames, size);

#pragma omp target data map(alloc : film[0:all], ys[0:points], xs[0:points], templates[0:points * PIXELS])
  for (int run = 0; run <= runs; run++) {
    make_points(film, size, ys, xs, templates, side);
#pragma omp target update to(ys[0:points], xs[0:points], templates[0:points * PIXELS])
    start(&clock);
    for (int f = 1; f < frames; f++) {
      unsigned char *frame = film + (size_t)f * pixels;
#pragma omp target update to(frame[0:pixels])
      track(frame, size, ys, xs, templates, points);
    }
#pragma omp target update from(ys[0:points], xs[0:points])
    stop(&clock);
#pragma omp target update from(templates[0:points * PIXELS])
  }

  int followed = 0;
  for (int p = 0; p < points; p++) {
    followed += ys[p] == TEMPLATE + (p / side) * (size / 2) / side + 3 * (frames - 1) &&
                xs[p] == TEMPLATE + (p % side) * (size / 2) / side + 2 * (frames - 1);
  }
  printf("followed: %d of %d\n", followed, points);
  report_floats("templates", templates, (size_t)points * PIXELS);
  report_time(&clock);
  free(film);
  free(ys);
  free(xs);
  free(templates);
  return 0;
}
