/* Points on a moving wall, followed through a film: where in its window does a point's template correlate best?
 * One block for each point; its threads share the offsets of the window. */
#include <math.h>

#include "../common_cuda.h"

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
  unsigned char *texture = (unsigned char *)allocate((size_t)size * size, 1);
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

__device__ float largest_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

/* One block for each point, one thread for each offset. */
__global__ void __launch_bounds__(THREADS) track(const unsigned char *__restrict__ frame, int size,
                                                 int *__restrict__ ys, int *__restrict__ xs,
                                                 float *__restrict__ templates) {
  __shared__ float window[WINDOW * WINDOW], model[PIXELS], of_warps[THREADS / 32];
  __shared__ int at;
  int p = blockIdx.x, o = threadIdx.x;
  int top = ys[p] - WINDOW / 2, left = xs[p] - WINDOW / 2;
  for (int k = threadIdx.x; k < WINDOW * WINDOW; k += THREADS) {
    int y = min(max(top + k / WINDOW, 0), size - 1), x = min(max(left + k % WINDOW, 0), size - 1);
    window[k] = frame[y * size + x];
  }
  for (int k = threadIdx.x; k < PIXELS; k += THREADS) model[k] = templates[p * PIXELS + k];
  if (threadIdx.x == 0) at = OFFSETS;
  __syncthreads();

  float score = -2.0f;
  if (o < OFFSETS) {
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
    score = spread > 0 ? (products - sum * model_sum / PIXELS) / sqrtf(spread) : -1.0f;
  }
  float best = largest_of_warp(score);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = best;
  __syncthreads();
  best = largest_of_warp(of_warps[threadIdx.x % (THREADS / 32)]);
  if (score == best) atomicMin(&at, o);
  __syncthreads();
  if (threadIdx.x == 0) {
    ys[p] += at / SPAN - REACH;
    xs[p] += at % SPAN - REACH;
  }
  for (int k = threadIdx.x; k < PIXELS; k += THREADS) {
    float seen = window[(at / SPAN + k / TEMPLATE) * WINDOW + at % SPAN + k % TEMPLATE];
    templates[p * PIXELS + k] = 0.75f * model[k] + 0.25f * seen;
  }
}

int main(int argc, char **argv) {
  int size = argument(argc, argv, 1, 1024), side = argument(argc, argv, 2, 48);
  int frames = argument(argc, argv, 3, 40), runs = argument(argc, argv, 4, 5);
  int points = side * side, pixels = size * size;
  size_t all = (size_t)frames * pixels;
  unsigned char *film = (unsigned char *)allocate(all, 1);
  int *ys = (int *)allocate(points, sizeof *ys), *xs = (int *)allocate(points, sizeof *xs);
  float *templates = (float *)allocate((size_t)points * PIXELS, sizeof *templates);
  Clock clock = {0};
  make_film(film, frames, size);

  unsigned char *dfilm = device_memory<unsigned char>(all);
  int *dys = device_memory<int>(points), *dxs = device_memory<int>(points);
  float *dtemplates = device_memory<float>((size_t)points * PIXELS);
  for (int run = 0; run <= runs; run++) {
    make_points(film, size, ys, xs, templates, side);
    to_device(dys, ys, points);
    to_device(dxs, xs, points);
    to_device(dtemplates, templates, (size_t)points * PIXELS);
    start(&clock);
    for (int f = 1; f < frames; f++) {
      size_t frame = (size_t)f * pixels;
      to_device(dfilm + frame, film + frame, pixels);
      track<<<points, THREADS>>>(dfilm + frame, size, dys, dxs, dtemplates);
    }
    CHECK(cudaGetLastError());
    from_device(ys, dys, points);
    from_device(xs, dxs, points);
    stop(&clock);
    from_device(templates, dtemplates, (size_t)points * PIXELS);
  }

  int followed = 0;
  for (int p = 0; p < points; p++) {
    followed += ys[p] == TEMPLATE + (p / side) * (size / 2) / side + 3 * (frames - 1) &&
                xs[p] == TEMPLATE + (p % side) * (size / 2) / side + 2 * (frames - 1);
  }
  printf("followed: %d of %d\n", followed, points);
  report_floats("templates", templates, (size_t)points * PIXELS);
  report_time(&clock);
  CHECK(cudaFree(dfilm));
  CHECK(cudaFree(dys));
  CHECK(cudaFree(dxs));
  CHECK(cudaFree(dtemplates));
  free(film);
  free(ys);
  free(xs);
  free(templates);
  return 0;
}
