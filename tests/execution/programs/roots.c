// Quotients by square roots, of usual and unusual numbers, in a kernel and in a function that it calls.
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT 12

#pragma omp declare target
static float over(float a, float x) { return a / sqrtf(x); }
#pragma omp end declare target

static unsigned bits(float x) {
  unsigned of;
  memcpy(&of, &x, 4);
  return x != x ? 1 : of;
}

int main(void) {
  const float x[COUNT] = {1, 2, 3, 0, 1e-40f, 1e30f, INFINITY, 0x1.fffffep+1f, 0x1.fffffcp+3f, 0x1p126f, 7e-20f, NAN};
  const float a[COUNT] = {1, -2, 0x1.fffffep0f, 0, -0.0f, 1e-38f, 3e38f, 5, 1e-45f, INFINITY, -1e10f, 0x1.000002p0f};
  float by_kernel[COUNT * COUNT], by_function[COUNT * COUNT];
#pragma omp target teams distribute parallel for collapse(2) map(to: x, a) map(from: by_kernel, by_function)
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      by_kernel[i * COUNT + j] = a[i] / sqrtf(x[j]);
      by_function[i * COUNT + j] = over(a[i], x[j]);
    }
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) printf("%08x ", bits(by_kernel[i * COUNT + j]));
    printf("%d\n", !memcmp(by_kernel + i * COUNT, by_function + i * COUNT, 2 * sizeof(float)));
  }
  return 0;
}
