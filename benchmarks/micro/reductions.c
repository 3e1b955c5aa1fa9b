/* Sums and extremes of resident arrays: one launch, and the result in a variable of the host. */
#include "rows_omp.h"

static void check_value(const Row *row, double value) {
  check_doubles(row, &value, 1);
}

static void sum(const Row *row) {
  int n = reduced(row->size);
  float *x = resident_floats(n, 1);
  double total = 0;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    total = 0;
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : total) reduction(+ : total)
    for (int i = 0; i < n; i++) total += x[i];
    end_call(&times);
  }
  check_value(row, total);
  report_times(row, &times, 1);
  release_floats(x, n);
}

static void dot_doubles(const Row *row) {
  int n = reduced(row->size);
  double *x = resident_doubles(n, 1), *y = resident_doubles(n, 2), total = 0;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    total = 0;
#pragma omp target teams distribute parallel for map(to : x[0:n], y[0:n]) map(tofrom : total) reduction(+ : total)
    for (int i = 0; i < n; i++) total += x[i] * y[i];
    end_call(&times);
  }
  check_value(row, total);
  report_times(row, &times, 1);
  release_doubles(x, n);
  release_doubles(y, n);
}

static void dot_floats(const Row *row) {
  int n = reduced(row->size);
  float *x = resident_floats(n, 1), *y = resident_floats(n, 2);
  double total = 0;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    total = 0;
#pragma omp target teams distribute parallel for map(to : x[0:n], y[0:n]) map(tofrom : total) reduction(+ : total)
    for (int i = 0; i < n; i++) total += (double)x[i] * y[i];
    end_call(&times);
  }
  check_value(row, total);
  report_times(row, &times, 1);
  release_floats(x, n);
  release_floats(y, n);
}

static void sum_and_maximum(const Row *row) {
  int n = reduced(row->size);
  float *x = resident_floats(n, 1), most = 0;
  double total = 0;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    total = 0;
    most = 0;
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : total, most) \
    reduction(+ : total) reduction(max : most)
    for (int i = 0; i < n; i++) {
      total += x[i];
      if (x[i] > most) most = x[i];
    }
    end_call(&times);
  }
  check_value(row, total + most);
  report_times(row, &times, 1);
  release_floats(x, n);
}

static void maximum(const Row *row) {
  int side = reduced(row->size), n = side * side;
  double *x = resident_doubles(n, 1), most = 0;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    most = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to : x[0:n]) map(tofrom : most) reduction(max : most)
    for (int i = 0; i < side; i++)
      for (int j = 0; j < side; j++)
        if (x[i * side + j] > most) most = x[i * side + j];
    end_call(&times);
  }
  check_value(row, most);
  report_times(row, &times, 1);
  release_doubles(x, n);
}

static void least_beyond(const Row *row) {
  int n = reduced(row->size);
  float *x = resident_floats(n, 1), limit = 0.4f, least = 1;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    least = 1;
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : least) reduction(min : least)
    for (int i = 0; i < n; i++)
      if (x[i] > limit && x[i] < least) least = x[i];
    end_call(&times);
  }
  check_value(row, least);
  report_times(row, &times, 1);
  release_floats(x, n);
}

/* The sums stay on the device and go on from call to call. */
static void four_sums(const Row *row) {
  int n = reduced(row->size);
  double *x = resident_doubles(n, 1), a = 0, b = 0, c = 0, d = 0;
  Times times = {0};
#pragma omp target data map(tofrom : a, b, c, d)
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : a, b, c, d) reduction(+ : a, b, c, d)
    for (int i = 0; i < n; i++) {
      a += x[i];
      b += x[i] * x[i];
      c += x[i] * 0.5;
      d += 1 - x[i];
    }
    end_call(&times);
  }
  check_value(row, a + 2 * b + 3 * c + 4 * d);
  report_times(row, &times, 1);
  release_doubles(x, n);
}

static void eight_sums(const Row *row) {
  int n = reduced(row->size);
  double *x = resident_doubles(n, 1), a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  Times times = {0};
#pragma omp target data map(tofrom : a, b, c, d, e, f, g, h)
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : a, b, c, d, e, f, g, h) \
    reduction(+ : a, b, c, d, e, f, g, h)
    for (int i = 0; i < n; i++) {
      a += x[i];
      b += x[i] * x[i];
      c += x[i] * 0.5;
      d += 1 - x[i];
      e += x[i] * 0.25;
      f += 2 - x[i];
      g += x[i] * (1 - x[i]);
      h += 4 * x[i];
    }
    end_call(&times);
  }
  check_value(row, a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h);
  report_times(row, &times, 1);
  release_doubles(x, n);
}

/* A hundred launches, one behind the other, that add to one sum on the device. */
static void launches(const Row *row) {
  int n = reduced(row->size);
  double *x = resident_doubles(n, 1), total = 0;
  Times times = {0};
#pragma omp target data map(tofrom : total)
  while (more_calls(&times, row)) {
    begin_call(&times);
    for (int launch = 0; launch < 100; launch++) {
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : total) reduction(+ : total)
      for (int i = 0; i < n; i++) total += x[i];
    }
    end_call(&times);
  }
  check_value(row, total);
  report_times(row, &times, 1);
  release_doubles(x, n);
}

static void array_of_sums(const Row *row) {
  int n = reduced(row->size);
  float *x = resident_floats(n, 1), sums[200];
  Times times = {0};
  while (more_calls(&times, row)) {
    memset(sums, 0, sizeof sums);
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : sums) reduction(+ : sums)
    for (int i = 0; i < n; i++) sums[i % 200] += x[i];
    end_call(&times);
  }
  check_floats(row, sums, 200);
  report_times(row, &times, 1);
  release_floats(x, n);
}

static void histogram(const Row *row) {
  int n = reduced(row->size), bins[8];
  float *x = resident_floats(n, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    memset(bins, 0, sizeof bins);
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : bins) reduction(+ : bins)
    for (int i = 0; i < n; i++) bins[(int)(8 * x[i])]++;
    end_call(&times);
  }
  check_ints(row, bins, 8);
  report_times(row, &times, 1);
  release_floats(x, n);
}

static const Row rows[] = {
    {"sum_1K_float", sum, 1 << 10, 100},
    {"sum_1M_float", sum, 1 << 20, 100},
    {"sum_16M_float", sum, 16 << 20, 100},
    {"sum_64M_float", sum, 64 << 20, 100},
    {"dot_64M_double", dot_doubles, 64 << 20, 100},
    {"dot_64M_float", dot_floats, 64 << 20, 100},
    {"sum_and_maximum_16M_float", sum_and_maximum, 16 << 20, 100},
    {"maximum_16M_double", maximum, 4096, 100},
    {"least_beyond_4M_float", least_beyond, 4 << 20, 100},
    {"four_sums_25600", four_sums, 25600, 100},
    {"eight_sums_25600", eight_sums, 25600, 100},
    {"launches_100", launches, 25600, 50},
    {"sums_200_of_1M_float", array_of_sums, 1 << 20, 50},
    {"histogram_1M_float", histogram, 1 << 20, 100},
    {"histogram_64M_float", histogram, 64 << 20, 100},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
