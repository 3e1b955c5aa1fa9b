// Loops over tiles of a team that divide by a root in an iteration: several of these have one test for unusual numbers.
#include <cmath>
#include <cstdio>
#include <cstring>

static const int TILE = 32, N = 4 * TILE;
struct body {
  float x, y, z, w;
};

static void pull(const body *at, float *out, int *steps, int m) {
#pragma omp target teams distribute map(to : at[0 : N]) map(tofrom : out[0 : 3 * N], steps[0 : N])
  for (int b = 0; b < N / TILE; b++) {
    body tile[TILE];
#pragma omp parallel
    {
#pragma omp for
      for (int k = 0; k < TILE; k++) tile[k] = at[(b * 37 + k * 3) % N];
#pragma omp for
      for (int i = b * TILE; i < (b + 1) * TILE; i++) {
        const body mine = at[i];
        float s = 0, t = 1, last = 0;
        int taken = 0;
        for (int k = 0; k < m; k++) {
          body o = tile[k];
          float d = (o.x - mine.x) * (o.x - mine.x) + o.y;
          float r = 1.0f / sqrtf(d);
          s += o.w * r * r * r;
          if (o.z > 4) last = r, taken += k;
        }
        for (int k = TILE - 1; k >= 32 - m; k -= 3) {
          t -= tile[k].w / sqrtf(tile[k].y) + tile[k].z / sqrtf(mine.y);
        }
        out[3 * i] = s, out[3 * i + 1] = t, out[3 * i + 2] = last, steps[i] = taken;
      }
    }
  }
}

int main() {
  static body at[N];
  static float out[3 * N];
  static int steps[N];
  const float odd[] = {0.0f, -0.0f, 1e-45f, 3e-39f, INFINITY, 3e38f, -1.0f, 0x1.fffffep1f, 0x1.fffffcp3f, 1e-38f};
  for (int k = 0; k < N; k++) {
    at[k] = {0.25f * (k % 9), 0.1f + k % 17, (float)((k * 7) % 19), (k % 13 - 5) * 0.37f};
    if (k / TILE == 1 && k % 5 == 0) at[k].y = odd[k / 5 % 10];
    if (k / TILE == 3 && k % TILE == 13) at[k].x = 1e20f, at[k].w = 2e38f;
  }
  for (int m = 0; m <= TILE; m += m < 9 ? 1 : 7) {
    pull(at, out, steps, m);
    for (int i = 0; i < N; i += 5) {
      unsigned bits[3] = {};
      for (int k = 0; k < 3; k++)
        if (out[3 * i + k] == out[3 * i + k]) memcpy(&bits[k], &out[3 * i + k], sizeof(float));
      printf("%d %d: %08x %08x %08x %d\n", m, i, bits[0], bits[1], bits[2], steps[i]);
    }
  }
  return 0;
}
