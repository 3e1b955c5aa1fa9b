/* Neighbours across the ends of rows, also of one and two elements. */
#include <stdio.h>

enum { MOST = 12 };

static long life(int h, int w, const int *a, int *b) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : h * w]) map(from : b[0 : h * w])
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int up = (y + h - 1) % h, down = (y + 1) % h, left = (x - 1 + w) % w, right = (1 + x) % w;
      b[y * w + x] = a[up * w + left] + 2 * a[up * w + right] + 3 * a[down * w + left] + 5 * a[down * w + right];
    }
  long sum = 0;
  for (int i = 0; i < h * w; i++) sum += (i + 1) * b[i];
  return sum;
}

static long inner(int n, const int *a, int *b) {
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : b[0 : n])
  for (int x = 1; x < n - 1; x++) {
    int far = (x + 4) % n, back = (x + n - 2) % n, beyond = (x + 5) % n;
    b[x] = a[far] + 2 * a[back] + 3 * a[beyond];
  }
  long sum = 0;
  for (int i = 0; i < n; i++) sum += (i + 1) * b[i];
  return sum;
}

int main(void) {
  static int a[MOST * MOST], b[MOST * MOST];
  for (int i = 0; i < MOST * MOST; i++) a[i] = i * i % 23;
  for (int h = 1; h <= MOST; h++) {
    for (int w = 1; w <= 5; w++) printf("%ld ", life(h, w, a, b));
    for (int i = 0; i < MOST; i++) b[i] = 0;
    printf("%ld\n", inner(h, a, b));
  }
}
