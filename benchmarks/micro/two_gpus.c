/* Copies and kernels on one GPU and on two of one process, a thread of the host for each; pageable arrays. */
#include <omp.h>

#include "rows.h"

enum { MOST = 2 };

static int gpus = 1, count;
static float *first[MOST], *second[MOST];

static void report_rate(const Row *row, Times *times, double bytes) {
  report_times(row, times, 1);
  printf("%s rate: %.2f GB/s\n", row->name, bytes / 1e3 / times->taken[(times->count - 1) / 2]);
}

/* Arrays of the host for each GPU, whose values can be told apart. All rows use them, so they go on from row to row. */
static void make_arrays(void) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    first[gpu] = (float *)allocate(count, sizeof(float));
    second[gpu] = (float *)allocate(count, sizeof(float));
    for (int i = 0; i < count; i++) {
      first[gpu][i] = (float)(i % 256 + gpu);
      second[gpu][i] = (float)(i % 128);
    }
  }
}

static void release_arrays(void) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    free(first[gpu]);
    free(second[gpu]);
  }
}

/* Print the checksums of an array of each GPU. */
static void check_arrays(const Row *row, float **arrays) {
  for (int gpu = 0; gpu < gpus; gpu++) check_floats(row, arrays[gpu], count);
}

/* What is measured, of one array on one GPU. */

static void to(int gpu, float *a) {
#pragma omp target update device(gpu) to(a[0:count])
}

static void from(int gpu, float *a) {
#pragma omp target update device(gpu) from(a[0:count])
}

static void mapped_to(int gpu, float *a) {
#pragma omp target enter data device(gpu) map(to : a[0:count])
#pragma omp target exit data device(gpu) map(release : a[0:count])
}

static void mapped_from(int gpu, float *a) {
#pragma omp target enter data device(gpu) map(alloc : a[0:count])
#pragma omp target exit data device(gpu) map(from : a[0:count])
}

static void axpy_on(int gpu, int part, const float *x, float *y) {
#pragma omp target teams distribute parallel for device(gpu) map(to : x[0:count]) map(tofrom : y[0:count])
  for (int i = 0; i < part; i++) y[i] += 0.25f * x[i];
}

static void axpy_nowait_on(int gpu, int part, const float *x, float *y) {
#pragma omp target teams distribute parallel for device(gpu) map(to : x[0:count]) map(tofrom : y[0:count]) nowait
  for (int i = 0; i < part; i++) y[i] += 0.25f * x[i];
}

static double sum_on(int gpu, int part, const float *x) {
  double sum = 0;
#pragma omp target teams distribute parallel for device(gpu) map(to : x[0:count]) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < part; i++) sum += x[i];
  return sum;
}

/* What is around it. */

static void enter(int gpu, float *a) {
#pragma omp target enter data device(gpu) map(to : a[0:count])
}

static void leave(int gpu, float *a) {
#pragma omp target exit data device(gpu) map(delete : a[0:count])
}

static void add_one(int gpu, float *a) {
#pragma omp target teams distribute parallel for device(gpu) map(tofrom : a[0:count])
  for (int i = 0; i < count; i++) a[i] += 1;
}

static void number(int gpu, float *a) {
#pragma omp target teams distribute parallel for device(gpu) map(from : a[0:count])
  for (int i = 0; i < count; i++) a[i] = (float)(i % 64 + gpu);
}

static void on_all(void (*work)(int, float *), float **arrays) {
#pragma omp parallel for num_threads(gpus)
  for (int gpu = 0; gpu < gpus; gpu++) work(gpu, arrays[gpu]);
}

static void enter_all(void) {
  on_all(enter, first);
  on_all(enter, second);
}

static void leave_all(void) {
  on_all(leave, first);
  on_all(leave, second);
}

/* The rows. */

static void update_to(const Row *row) {
  Times times = {0};
  on_all(enter, first);
  while (more_calls(&times, row)) {
    for (int gpu = 0; gpu < gpus; gpu++) first[gpu][times.count] += 1;
    begin_call(&times);
    on_all(to, first);
    end_call(&times);
  }
  on_all(add_one, first);
  on_all(from, first);
  on_all(leave, first);
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

static void update_from(const Row *row) {
  Times times = {0};
  on_all(enter, first);
  on_all(add_one, first);
  while (more_calls(&times, row)) {
    begin_call(&times);
    on_all(from, first);
    end_call(&times);
  }
  on_all(leave, first);
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

/* Two threads for each GPU: one brings an array there, the other one home. */
static void update_both(const Row *row) {
  Times times = {0};
  enter_all();
  on_all(add_one, second);
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp parallel for num_threads(2 * gpus)
    for (int way = 0; way < 2 * gpus; way++) {
      if (way % 2 == 0)
        to(way / 2, first[way / 2]);
      else
        from(way / 2, second[way / 2]);
    }
    end_call(&times);
  }
  leave_all();
  check_arrays(row, second);
  report_rate(row, &times, 8.0 * gpus * count);
}

static void map_to(const Row *row) {
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    on_all(mapped_to, first);
    end_call(&times);
  }
  on_all(add_one, first);
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

static void map_from(const Row *row) {
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    on_all(mapped_from, first);
    end_call(&times);
  }
  on_all(number, first);
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

/* One array's worth of elements in all, shared by the GPUs. */
static void axpy(const Row *row) {
  int part = count / gpus;
  Times times = {0};
  enter_all();
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp parallel for num_threads(gpus)
    for (int gpu = 0; gpu < gpus; gpu++) axpy_on(gpu, part, second[gpu], first[gpu]);
    end_call(&times);
  }
  on_all(from, first);
  leave_all();
  check_arrays(row, first);
  report_rate(row, &times, 12.0 * part * gpus);
}

/* The same by one thread of the host, which waits for none of them before all are launched. */
static void axpy_nowait(const Row *row) {
  int part = count / gpus;
  Times times = {0};
  enter_all();
  while (more_calls(&times, row)) {
    begin_call(&times);
    for (int gpu = 0; gpu < gpus; gpu++) axpy_nowait_on(gpu, part, second[gpu], first[gpu]);
#pragma omp taskwait
    end_call(&times);
  }
  on_all(from, first);
  leave_all();
  check_arrays(row, first);
  report_rate(row, &times, 12.0 * part * gpus);
}

static void sum(const Row *row) {
  int part = count / gpus;
  double total = 0;
  Times times = {0};
  on_all(enter, first);
  while (more_calls(&times, row)) {
    begin_call(&times);
    total = 0;
#pragma omp parallel for num_threads(gpus) reduction(+ : total)
    for (int gpu = 0; gpu < gpus; gpu++) total += sum_on(gpu, part, first[gpu]);
    end_call(&times);
  }
  on_all(leave, first);
  printf("%s: total %.8e\n", row->name, total);
  report_rate(row, &times, 4.0 * part * gpus);
}

static const Row rows[] = {
    {"update_from", update_from, 256 << 20, 5},
    {"map_from", map_from, 256 << 20, 5},
    {"update_both", update_both, 256 << 20, 5},
    {"update_to", update_to, 256 << 20, 5},
    {"map_to", map_to, 256 << 20, 5},
    {"axpy", axpy, 256 << 20, 20},
    {"axpy_nowait", axpy_nowait, 256 << 20, 20},
    {"sum", sum, 256 << 20, 20},
};

/* Arguments: a row or all, what sizes are divided by, and how many GPUs. Without any, the host is the one. */
int main(int argc, char **argv) {
  gpus = argument(argc, argv, 3, 1);
  if (gpus < 1 || gpus > MOST || (gpus > 1 && gpus > omp_get_num_devices())) {
    printf("%d GPUs asked for, %d there\n", gpus, omp_get_num_devices());
    return 0;
  }
  count = rows[0].size / (argument(argc, argv, 2, 1) > 0 ? argument(argc, argv, 2, 1) : 1);
  make_arrays();
  int status = MEASURE_ROWS(argc, argv, rows);
  release_arrays();
  return status;
}
