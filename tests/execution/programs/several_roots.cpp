// Loops that divide by several roots in an iteration, with usual numbers, unusual ones, and a few of these among the usual.
#include <cmath>
#include <cstdio>
#include <cstring>

static const int N = 24, M = 50;

static void sums(const float *w, const float *x, const float *y, float *out, int *steps, int m) {
#pragma omp target teams distribute parallel for map(to: w[0:N*M], x[0:N*M], y[0:N*M]) map(from: out[0:3*N], steps[0:N])
  for (int i = 0; i < N; i++) {
    float s = 0, t = 1, last = 0;
    int taken = 0;
    const float *at = x;
    int k = 0;
    while (k < m) {
      const int e = i * M + k;
      float one = w[e] / sqrtf(at[e]);
      s += one;
      t -= w[e] / sqrtf(y[e]) / sqrtf(x[e]);
      last = one - last;
      if (y[e] > 4) last = t, taken += k;
      at = at == x ? y : x;
      k++;
    }
    out[3 * i] = s, out[3 * i + 1] = t, out[3 * i + 2] = last, steps[i] = taken;
  }
}

int main() {
  static float w[N * M], x[N * M], y[N * M], out[3 * N];
  int steps[N];
  const float odd[] = {0.0f, -0.0f, 1e-45f, 3e-39f, INFINITY, 3e38f, -1.0f, 0x1.fffffep1f, 0x1.fffffcp3f, 1e-38f};
  for (int k = 0; k < N * M; k++) {
    const int i = k / M;
    w[k] = (k % 13 - 5) * 0.37f, x[k] = 0.1f + k % 17, y[k] = 0.3f + (k * 7) % 19;
    if (i % 3 == 1 && k % 5 == 0) x[k] = odd[k / 5 % 10];
    if (i % 3 == 1 && k % 11 == 0) y[k] = odd[k % 10];
    if (i % 3 == 2 && k % M == 33) y[k] = odd[i % 10], w[k] = i % 2 ? 1e-44f : 2e38f;
  }
  for (int m = 0; m <= M; m += 10) {
    sums(w, x, y, out, steps, m);
    for (int i = 0; i < N; i++) {
      unsigned bits[3] = {};
      for (int k = 0; k < 3; k++)
        if (out[3 * i + k] == out[3 * i + k]) memcpy(&bits[k], &out[3 * i + k], sizeof(float));
      printf("%d %d: %08x %08x %08x %d\n", m, i, bits[0], bits[1], bits[2], steps[i]);
    }
  }
  return 0;
}
