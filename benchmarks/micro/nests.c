/* Collapsed and other nests on resident data; each call launches one of them LAUNCHES times in a row. */
#include "rows_omp.h"

enum { LAUNCHES = 20 };

#define TIMES(count) for (int time = 0; time < (count); time++)

static void five_points_f(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(tofrom : b[0:height * width])
    for (int i = 1; i < height - 1; i++)
      for (int j = 1; j < width - 1; j++)
        b[i * width + j] = 0.2f * (a[i * width + j] + a[i * width + j - 1] + a[i * width + j + 1] +
                                   a[(i - 1) * width + j] + a[(i + 1) * width + j]);
  }
}

static void five_points_d(const double *a, double *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(tofrom : b[0:height * width])
    for (int i = 1; i < height - 1; i++)
      for (int j = 1; j < width - 1; j++)
        b[i * width + j] = 0.2 * (a[i * width + j] + a[i * width + j - 1] + a[i * width + j + 1] +
                                  a[(i - 1) * width + j] + a[(i + 1) * width + j]);
  }
}

static void nine_points(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(tofrom : b[0:height * width])
    for (int i = 1; i < height - 1; i++)
      for (int j = 1; j < width - 1; j++) {
        const float *at = a + i * width + j;
        b[i * width + j] = 0.5f * at[0] + 0.1f * (at[-1] + at[1] + at[-width] + at[width]) +
                           0.025f * (at[-width - 1] + at[-width + 1] + at[width - 1] + at[width + 1]);
      }
  }
}

/* The neighbour of a cell at the border is the cell itself. */
static void border(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(from : b[0:height * width])
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        int up = i > 0 ? i - 1 : 0, down = i < height - 1 ? i + 1 : i;
        int left = j > 0 ? j - 1 : 0, right = j < width - 1 ? j + 1 : j;
        b[i * width + j] = 0.6f * a[i * width + j] + 0.1f * (a[up * width + j] + a[down * width + j] +
                                                            a[i * width + left] + a[i * width + right]);
      }
  }
}

static void seven_points_f(const float *a, float *b, int side, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(3) map(to : a[0:side * side * width]) \
    map(tofrom : b[0:side * side * width])
    for (int i = 1; i < side - 1; i++)
      for (int j = 1; j < side - 1; j++)
        for (int k = 1; k < width - 1; k++) {
          int at = (i * side + j) * width + k;
          b[at] = 0.4f * a[at] + 0.1f * (a[at - 1] + a[at + 1] + a[at - width] + a[at + width] +
                                         a[at - side * width] + a[at + side * width]);
        }
  }
}

static void seven_points_d(const double *a, double *b, int side, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(3) map(to : a[0:side * side * width]) \
    map(tofrom : b[0:side * side * width])
    for (int i = 1; i < side - 1; i++)
      for (int j = 1; j < side - 1; j++)
        for (int k = 1; k < width - 1; k++) {
          int at = (i * side + j) * width + k;
          b[at] = 0.4 * a[at] + 0.1 * (a[at - 1] + a[at + 1] + a[at - width] + a[at + width] +
                                       a[at - side * width] + a[at + side * width]);
        }
  }
}

static void few_columns(const double *a, double *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(from : b[0:height * width])
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) b[i * width + j] = 2 * a[i * width + j] + j;
  }
}

/* The loop that goes along rows is the outer one. */
static void columns_first(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(from : b[0:height * width])
    for (int j = 0; j < width; j++)
      for (int i = 0; i < height; i++) b[i * width + j] = 2 * a[i * width + j];
  }
}

static void transpose(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(from : b[0:height * width])
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) b[j * height + i] = a[i * width + j];
  }
}

static void add_transposed(const float *a, float *b, int side, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:side * width]) map(from : b[0:side * width])
    for (int i = 0; i < side; i++)
      for (int j = 0; j < side; j++) b[i * side + j] = a[i * side + j] + a[j * side + i];
  }
}

/* The product of a matrix with itself, as the definition says it. */
static void product(const float *a, float *b, int side, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:side * width]) map(from : b[0:side * width])
    for (int i = 0; i < side; i++)
      for (int j = 0; j < side; j++) {
        float sum = 0;
        for (int k = 0; k < side; k++) sum += a[i * side + k] * a[k * side + j];
        b[i * side + j] = sum;
      }
  }
}

static void row_sums(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute map(to : a[0:height * width]) map(tofrom : b[0:height * width])
    for (int i = 0; i < height; i++) {
      float sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int j = 0; j < width; j++) sum += a[i * width + j];
      b[i] = sum;
    }
  }
}

static void column_sums(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for map(to : a[0:height * width]) map(tofrom : b[0:height * width])
    for (int j = 0; j < width; j++) {
      float sum = 0;
      for (int i = 0; i < height; i++) sum += a[i * width + j];
      b[j] = sum;
    }
  }
}

/* Windows of 5 x 5, whose weights are the first elements of the array. */
static void convolution(const float *a, float *b, int height, int width) {
  TIMES(LAUNCHES) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0:height * width]) \
    map(tofrom : b[0:height * width])
    for (int i = 2; i < height - 2; i++)
      for (int j = 2; j < width - 2; j++) {
        float sum = 0;
        for (int y = -2; y <= 2; y++)
          for (int x = -2; x <= 2; x++) sum += a[5 * (y + 2) + x + 2] * a[(i + y) * width + j + x];
        b[i * width + j] = sum;
      }
  }
}

static void measure_floats(const Row *row, void (*nest)(const float *, float *, int, int), int n, int height,
                           int width) {
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    nest(a, b, height, width);
    end_call(&times);
  }
#pragma omp target update from(b[0:n])
  check_floats(row, b, n);
  report_times(row, &times, LAUNCHES);
  release_floats(a, n);
  release_floats(b, n);
}

static void measure_doubles(const Row *row, void (*nest)(const double *, double *, int, int), int n, int height,
                            int width) {
  double *a = resident_doubles(n, 1), *b = resident_doubles(n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    nest(a, b, height, width);
    end_call(&times);
  }
#pragma omp target update from(b[0:n])
  check_doubles(row, b, n);
  report_times(row, &times, LAUNCHES);
  release_doubles(a, n);
  release_doubles(b, n);
}

/* Nests of squares, cubes and oblongs: the row's size is the first extent. */
#define SQUARE(name, measure, nest)                 \
  static void name(const Row *row) {                \
    int side = reduced(row->size);                  \
    measure(row, nest, side * side, side, side);    \
  }

#define CUBE(name, measure, nest)                       \
  static void name(const Row *row) {                    \
    int side = reduced(row->size);                      \
    measure(row, nest, side * side * side, side, side); \
  }

#define OBLONG(name, measure, nest, width)                 \
  static void name(const Row *row) {                       \
    int height = reduced(row->size);                       \
    measure(row, nest, height * width, height, width);  \
  }

OBLONG(five_points_500, measure_doubles, five_points_d, 1000)
SQUARE(five_points_4096, measure_doubles, five_points_d)
SQUARE(five_points_2048, measure_floats, five_points_f)
SQUARE(nine_points_2048, measure_floats, nine_points)
SQUARE(border_1024, measure_floats, border)
CUBE(seven_points_100, measure_doubles, seven_points_d)
CUBE(seven_points_256, measure_floats, seven_points_f)
OBLONG(columns_8, measure_doubles, few_columns, 8)
SQUARE(columns_first_4096, measure_floats, columns_first)
SQUARE(transpose_any, measure_floats, transpose)
SQUARE(add_transposed_4096, measure_floats, add_transposed)
SQUARE(product_1024, measure_floats, product)
SQUARE(row_sums_4096, measure_floats, row_sums)
SQUARE(column_sums_4096, measure_floats, column_sums)
SQUARE(convolution_2048, measure_floats, convolution)

static const Row rows[] = {
    {"five_points_500x1000_double", five_points_500, 500, 15},
    {"five_points_4096_double", five_points_4096, 4096, 15},
    {"five_points_2048_float", five_points_2048, 2048, 15},
    {"nine_points_2048_float", nine_points_2048, 2048, 15},
    {"border_1024_float", border_1024, 1024, 15},
    {"seven_points_100_double", seven_points_100, 100, 15},
    {"seven_points_256_float", seven_points_256, 256, 15},
    {"columns_100000x8_double", columns_8, 100000, 15},
    {"columns_first_4096_float", columns_first_4096, 4096, 15},
    {"transpose_1000_float", transpose_any, 1000, 15},
    {"transpose_4096_float", transpose_any, 4096, 15},
    {"add_transposed_4096_float", add_transposed_4096, 4096, 15},
    {"product_1024_float", product_1024, 1024, 15},
    {"row_sums_4096_float", row_sums_4096, 4096, 15},
    {"column_sums_4096_float", column_sums_4096, 4096, 15},
    {"convolution_2048_float", convolution_2048, 2048, 15},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
