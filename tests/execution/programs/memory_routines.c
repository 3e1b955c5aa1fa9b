/* The device memory routines with images of the compiler's own: what they allocate, copy and associate, regions use. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 24
#pragma omp begin declare target
int counter = 7;
double weights[4] = {1, 2, 3, 4};
static int weigh(int i) { return (int)weights[i] + counter; }
#pragma omp end declare target

static void allocated(int device, int host) {
  int from[N], to[N] = {0};
  for (int i = 0; i < N; i++) from[i] = i;
  int *const p = omp_target_alloc(sizeof from, device);
  int failed = omp_target_memcpy(p, from, sizeof from, 0, 0, device, host);
#pragma omp target is_device_ptr(p)
  for (int i = 0; i < N; i++) p[i] = p[i] * 2 + weigh(i % 4);
  failed += omp_target_memcpy(to, p, 4 * sizeof(int), 4 * sizeof(int), 8 * sizeof(int), host, device);
  printf("alloc: %d %d %d %d\n", failed, to[3], to[4], to[7]);
  omp_target_memset(p, 0, sizeof from, device);
  failed = omp_target_memcpy(to, p, sizeof to, 0, 0, host, device);
  printf("memset: %d %d\n", failed, to[5]);
  omp_target_free(p, device);
}

static void rectangles(int device, int host) {
  double matrix[4][6], back[4][6] = {{0}};
  for (int i = 0; i < 24; i++) matrix[i / 6][i % 6] = i;
  double *const p = omp_target_alloc(sizeof matrix, device);
  const size_t volume[2] = {2, 3}, to_at[2] = {1, 2}, from_at[2] = {2, 1}, dimensions[2] = {4, 6}, none[2] = {0, 0};
  omp_target_memset(p, 0, sizeof matrix, device);
  int failed = omp_target_memcpy_rect(p, matrix, sizeof(double), 2, volume, to_at, from_at, dimensions, dimensions,
                                      device, host);
#pragma omp target is_device_ptr(p)
  p[1 * 6 + 2] += 0.5;
  failed += omp_target_memcpy_rect(back, p, sizeof(double), 2, dimensions, none, none, dimensions, dimensions, host,
                                   device);
  printf("rect: %d %g %g %g %g\n", failed, back[1][2], back[2][4], back[0][0], back[1][1]);
  omp_target_free(p, device);
}

static void associated(int device, int host) {
  int *const data = malloc(N * sizeof *data);
  for (int i = 0; i < N; i++) data[i] = i;
  int *const p = omp_target_alloc(N * sizeof *data, device);
  int failed = device == host ? 0 : omp_target_associate_ptr(data, p, N * sizeof *data, 0, device);
#pragma omp target update to(data[0 : N])
#pragma omp target map(tofrom : data[0 : N])
  data[5] += 100;
  printf("associated: %d %d\n", failed, omp_target_is_present(data, device) != 0);
#pragma omp target update from(data[5 : 1])
  int *const mapped = omp_get_mapped_ptr(data, device);
  printf("mapped: %d %d\n", data[5], mapped == (device == host ? data : p));
#pragma omp target is_device_ptr(mapped)
  mapped[6] = -6;
#pragma omp target update from(data[6 : 1])
  failed = device == host ? 0 : omp_target_disassociate_ptr(data, device);
  printf("disassociated: %d %d\n", failed, data[6]);
  omp_target_free(p, device);
  free(data);
}

static void globals(int device) {
  int *const there = omp_get_mapped_ptr(&counter, device);
  double *const second = omp_get_mapped_ptr(&weights[1], device);
#pragma omp target is_device_ptr(there, second)
  {
    *there += 10;
    second[1] = 30;
  }
#pragma omp target update from(counter, weights)
  printf("globals: %d %g %d\n", counter, weights[2], omp_target_is_present(&counter, device) != 0);
}

static void asynchronous(int device, int host) {
  int value = 5, back = 0;
  omp_depend_t none = 0;
  int *const p = omp_target_alloc(sizeof *p, device);
  int failed = omp_target_memcpy_async(p, &value, sizeof value, 0, 0, device, host, 0, &none);
#pragma omp taskwait
#pragma omp target is_device_ptr(p)
  *p *= 9;
  failed += omp_target_memcpy_async(&back, p, sizeof back, 0, 0, host, device, 0, &none);
#pragma omp taskwait
  printf("async: %d %d\n", failed, back);
  omp_target_free(p, device);
}

int main(void) {
  const int device = omp_get_default_device() < omp_get_num_devices() ? omp_get_default_device() : omp_get_initial_device();
  const int host = omp_get_initial_device();
  globals(device);
  allocated(device, host);
  rectangles(device, host);
  associated(device, host);
  asynchronous(device, host);
  printf("accessible: %d\n", omp_target_is_accessible(&counter, sizeof counter, host) != 0);
  return 0;
}
