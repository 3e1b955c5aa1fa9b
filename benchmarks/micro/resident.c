/* Kernels on data that stays on the device: one construct at a time, which the program waits for. */
#include <math.h>

#include "rows_omp.h"

/* Kernels that go through arrays from one end to the other. */

static void copy_floats(const float *a, const float *b, float *c, int n) {
  (void)b;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i];
}

static void mul_floats(const float *a, const float *b, float *c, int n) {
  (void)b;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = 0.4f * a[i];
}

static void add_floats(const float *a, const float *b, float *c, int n) {
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

static void triad_floats(const float *a, const float *b, float *c, int n) {
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i] + 0.4f * b[i];
}

static void axpy_floats(const float *a, const float *b, float *c, int n) {
  (void)b;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(tofrom : c[0:n])
  for (int i = 0; i < n; i++) c[i] += 0.25f * a[i];
}

static void copy_doubles(const double *a, const double *b, double *c, int n) {
  (void)b;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i];
}

static void mul_doubles(const double *a, const double *b, double *c, int n) {
  (void)b;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = 0.4 * a[i];
}

static void add_doubles(const double *a, const double *b, double *c, int n) {
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

static void triad_doubles(const double *a, const double *b, double *c, int n) {
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i] + 0.4 * b[i];
}

static void axpy_doubles(const double *a, const double *b, double *c, int n) {
  (void)b;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(tofrom : c[0:n])
  for (int i = 0; i < n; i++) c[i] += 0.25 * a[i];
}

static void measure_floats(const Row *row, void (*kernel)(const float *, const float *, float *, int)) {
  int n = reduced(row->size);
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2), *c = resident_floats(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    kernel(a, b, c, n);
    end_call(&times);
  }
#pragma omp target update from(c[0:n])
  check_floats(row, c, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(b, n);
  release_floats(c, n);
}

static void measure_doubles(const Row *row, void (*kernel)(const double *, const double *, double *, int)) {
  int n = reduced(row->size);
  double *a = resident_doubles(n, 1), *b = resident_doubles(n, 2), *c = resident_doubles(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    kernel(a, b, c, n);
    end_call(&times);
  }
#pragma omp target update from(c[0:n])
  check_doubles(row, c, n);
  report_times(row, &times, 1);
  release_doubles(a, n);
  release_doubles(b, n);
  release_doubles(c, n);
}

static void copy_f(const Row *row) { measure_floats(row, copy_floats); }
static void mul_f(const Row *row) { measure_floats(row, mul_floats); }
static void add_f(const Row *row) { measure_floats(row, add_floats); }
static void triad_f(const Row *row) { measure_floats(row, triad_floats); }
static void axpy_f(const Row *row) { measure_floats(row, axpy_floats); }
static void copy_d(const Row *row) { measure_doubles(row, copy_doubles); }
static void mul_d(const Row *row) { measure_doubles(row, mul_doubles); }
static void add_d(const Row *row) { measure_doubles(row, add_doubles); }
static void triad_d(const Row *row) { measure_doubles(row, triad_doubles); }
static void axpy_d(const Row *row) { measure_doubles(row, axpy_doubles); }

/* Bytes, which wrap around. */
static void axpy_c(const Row *row) {
  int n = reduced(row->size);
  signed char *x = (signed char *)allocate(n, 1), *y = (signed char *)allocate(n, 1);
  for (int i = 0; i < n; i++) {
    x[i] = (signed char)VALUE(i, 1);
    y[i] = (signed char)VALUE(i, 2);
  }
  Times times = {0};
#pragma omp target data map(to : x[0:n]) map(tofrom : y[0:n])
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : y[0:n])
    for (int i = 0; i < n; i++) y[i] = (signed char)(y[i] + 3 * x[i]);
    end_call(&times);
  }
  check_bytes(row, y, n);
  report_times(row, &times, 1);
  free(x);
  free(y);
}

/* Stencils of five points; the border is left alone. */

static void stencil_f(const Row *row) {
  int side = reduced(row->size), n = side * side;
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:n]) map(tofrom : b[0:n])
    for (int i = 1; i < side - 1; i++)
      for (int j = 1; j < side - 1; j++)
        b[i * side + j] = 0.2f * (a[i * side + j] + a[i * side + j - 1] + a[i * side + j + 1] +
                                  a[(i - 1) * side + j] + a[(i + 1) * side + j]);
    end_call(&times);
  }
#pragma omp target update from(b[0:n])
  check_floats(row, b, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(b, n);
}

static void stencil_d(const Row *row) {
  int side = reduced(row->size), n = side * side;
  double *a = resident_doubles(n, 1), *b = resident_doubles(n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:n]) map(tofrom : b[0:n])
    for (int i = 1; i < side - 1; i++)
      for (int j = 1; j < side - 1; j++)
        b[i * side + j] = 0.2 * (a[i * side + j] + a[i * side + j - 1] + a[i * side + j + 1] +
                                 a[(i - 1) * side + j] + a[(i + 1) * side + j]);
    end_call(&times);
  }
#pragma omp target update from(b[0:n])
  check_doubles(row, b, n);
  report_times(row, &times, 1);
  release_doubles(a, n);
  release_doubles(b, n);
}

/* Two cubes change places, element by element. */
static void swap(const Row *row) {
  int side = reduced(row->size), n = side * side * side;
  double *a = resident_doubles(n, 1), *b = resident_doubles(n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : a[0:n], b[0:n])
    for (int i = 0; i < side; i++)
      for (int j = 0; j < side; j++)
        for (int k = 0; k < side; k++) {
          double kept = a[(i * side + j) * side + k];
          a[(i * side + j) * side + k] = b[(i * side + j) * side + k];
          b[(i * side + j) * side + k] = kept;
        }
    end_call(&times);
  }
#pragma omp target update from(a[0:n])
  check_doubles(row, a, n);
  report_times(row, &times, 1);
  release_doubles(a, n);
  release_doubles(b, n);
}

/* A step of the optimiser Adam: two means of the gradient that go on, and the parameters that follow them. */
static void adam(const Row *row) {
  int n = reduced(row->size);
  float *p = resident_floats(n, 1), *m = resident_floats(n, 2), *v = resident_floats(n, 3), *g = resident_floats(n, 4);
  float step = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, least = 1e-8f;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : g[0:n]) map(tofrom : p[0:n], m[0:n], v[0:n])
    for (int i = 0; i < n; i++) {
      m[i] = beta1 * m[i] + (1.0f - beta1) * g[i];
      v[i] = beta2 * v[i] + (1.0f - beta2) * g[i] * g[i];
      p[i] -= step * m[i] / (sqrtf(v[i]) + least);
    }
    end_call(&times);
  }
#pragma omp target update from(p[0:n])
  check_floats(row, p, n);
  report_times(row, &times, 1);
  release_floats(p, n);
  release_floats(m, n);
  release_floats(v, n);
  release_floats(g, n);
}

/* Matrices side by side: each element's place is found by division. */
static void concat(const Row *row) {
  int images = 8, rows = reduced(row->size), left = 640, right = 384, width = left + right;
  int n = images * rows * width, n_left = images * rows * left, n_right = images * rows * right;
  float *a = resident_floats(n_left, 1), *b = resident_floats(n_right, 2), *c = resident_floats(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : a[0:n_left], b[0:n_right]) map(from : c[0:n])
    for (int i = 0; i < n; i++) {
      int image = i / (rows * width), rest = i % (rows * width);
      int line = image * rows + rest / width, column = rest % width;
      c[i] = column < left ? a[line * left + column] : b[line * right + column - left];
    }
    end_call(&times);
  }
#pragma omp target update from(c[0:n])
  check_floats(row, c, n);
  report_times(row, &times, 1);
  release_floats(a, n_left);
  release_floats(b, n_right);
  release_floats(c, n);
}

/* A step of a bitonic sort. The first call puts pairs in order, the others find them so. */
static void bitonic(const Row *row) {
  int n = reduced(row->size), length = 4096, power = 16;
  int *values = resident_ints(n, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(tofrom : values[0:n])
    for (int i = 0; i < n; i++) {
      int sequence = i / length, partner = i + length / 2;
      int rising = sequence / power % 2 == 0;
      if (i < length * sequence + length / 2 && partner < n) {
        int x = values[i], y = values[partner];
        if (rising ? x > y : x < y) {
          values[i] = y;
          values[partner] = x;
        }
      }
    }
    end_call(&times);
  }
#pragma omp target update from(values[0:n])
  check_ints(row, values, n);
  report_times(row, &times, 1);
  release_ints(values, n);
}

/* Convolution of three channels to eight, windows of 5 x 5. */
static void convolution(const Row *row) {
  int images = reduced(row->size), in = 3, out = 8, side = 64, window = 5, left = side - window + 1;
  int n = images * in * side * side, n_weights = out * in * window * window, n_result = images * out * left * left;
  float *a = resident_floats(n, 1), *w = resident_floats(n_weights, 2), *c = resident_floats(n_result, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for collapse(4) map(to : a[0:n], w[0:n_weights]) map(from : c[0:n_result])
    for (int image = 0; image < images; image++)
      for (int o = 0; o < out; o++)
        for (int y = 0; y < left; y++)
          for (int x = 0; x < left; x++) {
            float sum = 0;
            for (int i = 0; i < in; i++)
              for (int dy = 0; dy < window; dy++)
                for (int dx = 0; dx < window; dx++)
                  sum += w[((o * in + i) * window + dy) * window + dx] *
                         a[((image * in + i) * side + y + dy) * side + x + dx];
            c[((image * out + o) * left + y) * left + x] = sum;
          }
    end_call(&times);
  }
#pragma omp target update from(c[0:n_result])
  check_floats(row, c, n_result);
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(w, n_weights);
  release_floats(c, n_result);
}

/* Channels of images change their order: those of one group lie groups apart afterwards. */
static void shuffle(const Row *row) {
  int images = row->size, channels = 512, groups = 8, side = reduced(112), pixels = side * side;
  int each = channels / groups, n = images * channels * pixels;
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for collapse(3) map(to : a[0:n]) map(from : b[0:n])
    for (int image = 0; image < images; image++)
      for (int c = 0; c < channels; c++)
        for (int p = 0; p < pixels; p++)
          b[(image * channels + c) * pixels + p] = a[(image * channels + c % groups * each + c / groups) * pixels + p];
    end_call(&times);
  }
#pragma omp target update from(b[0:n])
  check_floats(row, b, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(b, n);
}

static const Row rows[] = {
    {"axpy_16M_float", axpy_f, 16 << 20, 100},
    {"axpy_64M_float", axpy_f, 64 << 20, 100},
    {"copy_64M_float", copy_f, 64 << 20, 100},
    {"mul_64M_float", mul_f, 64 << 20, 100},
    {"add_64M_float", add_f, 64 << 20, 100},
    {"triad_64M_float", triad_f, 64 << 20, 100},
    {"copy_64M_double", copy_d, 64 << 20, 100},
    {"mul_64M_double", mul_d, 64 << 20, 100},
    {"add_64M_double", add_d, 64 << 20, 100},
    {"triad_64M_double", triad_d, 64 << 20, 100},
    {"axpy_64M_double", axpy_d, 64 << 20, 100},
    {"stencil_8192_float", stencil_f, 8192, 100},
    {"stencil_8192_double", stencil_d, 8192, 100},
    {"axpy_64M_char", axpy_c, 64 << 20, 100},
    {"swap_400_double", swap, 400, 100},
    {"adam_16M_float", adam, 16 << 20, 100},
    {"concat_50M_float", concat, 6400, 100},
    {"bitonic_32M_int", bitonic, 32 << 20, 100},
    {"convolution_128_images", convolution, 128, 100},
    {"shuffle_4_images", shuffle, 4, 100},
    {"shuffle_1_image", shuffle, 1, 100},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
