// Loops that add up sines and cosines, of usual arguments, large ones, infinite ones, and a few of these among the usual.
#include <cmath>
#include <cstdio>
#include <cstring>

static const int N = 24, M = 50;

static void sums(const float *w, const float *x, float *out, int m) {
#pragma omp target teams distribute parallel for map(to: w[0:M], x[0:N]) map(from: out[0:4*N])
  for (int i = 0; i < N; i++) {
    float s = 0, t = 1, both = 0, back = x[i];
    for (int k = 0; k < m; k++) s += w[k] * std::sin(w[k] * x[i]);
    for (int k = 0; k < m; k++) {
      const float e = w[k] * x[i];
      t -= sinf(e) * (k - 3);
      both = both * 0.5f + cosf(e);
    }
    for (int k = m; k >= 2; k -= 2) back += cosf(w[k - 1] + x[i]) - std::sin(w[k - 2] * k), t += k;
    out[4 * i] = s, out[4 * i + 1] = t, out[4 * i + 2] = both, out[4 * i + 3] = back;
  }
}

static void of_teams(const float *w, const float *x, float *out) {
#pragma omp target teams num_teams(3) thread_limit(32) map(to: w[0:M], x[0:N]) map(from: out[0:4*N])
  {
    float tile[M];
#pragma omp parallel num_threads(32)
    {
#pragma omp for
      for (int k = 0; k < M; k++) tile[k] = w[k];
#pragma omp for
      for (int i = 0; i < N; i++) {
        float s = 0, c = 0;
        for (int k = 0; k < M; k++) {
          const float e = tile[k] * x[i];
          s += sinf(e), c += cosf(e) * k;
        }
        out[4 * i] = s, out[4 * i + 1] = c, out[4 * i + 2] = out[4 * i + 3] = 0;
      }
    }
  }
}

static void tell(float v, bool is_last) {
  std::printf(v != v ? " nan" : " %.1f", std::fabs(v) < 0.05f ? 0.0f : v);
  if (is_last) std::printf("\n");
}

static void tell(const float *out) {
  for (int k = 0; k < 4 * N; k++) tell(out[k], k % 4 == 3);
}

int main() {
  static float w[M], x[N], out[4 * N];
  const float odd[] = {0.0f, 105614.99f, 105615.0f, 2e6f, -3e7f, INFINITY, 1e-45f, -0.0f};
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < M; k++) w[k] = round == 2 && k % 9 == 4 ? odd[k / 9 % 8] : (k % 13 - 5) * 0.37f;
    for (int i = 0; i < N; i++) x[i] = round == 1 && i % 3 == 1 ? odd[i / 3 % 8] : 0.1f + i % 17;
    for (int m = 0; m <= M; m += 10) sums(w, x, out, m), tell(out);
    of_teams(w, x, out), tell(out);
  }
  return 0;
}
