// Arrays of structures that begin at a multiple of their size, and beside one, together and in one launch each.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float x, y, z, w;
} quad;
typedef struct {
  unsigned char r, g, b, a;
} pixel;

static void turn(int n, const quad *from, quad *to) {
#pragma omp target teams distribute parallel for map(to: from[0:n]) map(from: to[0:n])
  for (int i = 0; i < n; i++) {
    quad q = from[n - 1 - i];
    q.x += q.w;
    to[i] = q;
  }
}

static int total(int n, const unsigned char *bytes) {
  int sum = 0;
#pragma omp target teams distribute parallel for map(to: bytes[0:4*n]) reduction(+: sum)
  for (int i = 0; i < n; i++) {
    const pixel p = *(const pixel *)(bytes + 4 * i);
    sum += p.r + 2 * p.g + 3 * p.b + 4 * p.a;
  }
  return sum;
}

int main(void) {
  enum { n = 100, room = 4 * n + 4 };
  float *from = aligned_alloc(64, 64 * room), *to = aligned_alloc(64, 64 * room);
  unsigned char *bytes = aligned_alloc(64, 64 * room);
  for (int i = 0; i < room; i++) from[i] = i, bytes[i] = i * 7;
  for (int first = 0; first < 4; first++)
    for (int second = 0; second < 4; second++) {
      for (int i = 0; i < room; i++) to[i] = -1;
      turn(n, (const quad *)(from + first), (quad *)(to + second));
      float sum = 0;
      for (int i = 0; i < room; i++) sum += to[i] * (i % 5 + 1);
      printf("%d %d %.0f\n", first, second, sum);
    }
  for (int first = 0; first < 4; first++) printf("%d %d\n", first, total(n, bytes + first));
  free(from), free(to), free(bytes);
  return 0;
}
