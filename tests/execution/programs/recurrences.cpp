// Inner loops in which an iteration loads what the one before has stored: columns and rows, one array and two, stores
// that a condition leaves out, ways to find an element, elements that are one and the same, and loops that must stay.
#include <cstdio>

static const int N = 37, M = 21, SIZE = N * M + M;
static float p[SIZE], q[SIZE], b[SIZE];
static double u[N + 1][M], v[N + 1][M];
static int g[SIZE];
static short h[SIZE];

static void fill(int seed) {
  for (int i = 0; i < SIZE; i++) {
    p[i] = ((i * 7 + seed) % 31 - 15) * 0.25f;
    q[i] = ((i * 5 + seed) % 29 - 11) * 0.125f;
    b[i] = ((i * 3 + seed) % 17 - 5) * 0.5f;
    g[i] = (i * 11 + seed) % 37;
    h[i] = (short)((i * 13 + seed) % 41 - 20);
  }
  for (int j = 0; j <= N; j++)
    for (int i = 0; i < M; i++) {
      u[j][i] = ((j * 7 + i + seed) % 13 - 6) * 0.5;
      v[j][i] = ((j * 5 + i * 3 + seed) % 11 + 3) * 0.25;
    }
}

static void show(const char *name, int n) {
  double s = 0;
  for (int i = 0; i < SIZE; i++) s += (p[i] + 2 * q[i]) * (i % 13 + 1) + g[i] * (i % 7) + h[i] * (i % 5);
  for (int j = 0; j <= N; j++)
    for (int i = 0; i < M; i++) s += (u[j][i] - v[j][i]) * ((i + j) % 9);
  printf("%s %d %.3f\n", name, n, s);
}

#define REGION _Pragma("omp target teams distribute parallel for map(tofrom: p, q, g, h, u, v) map(to: b)")

static void columns(int n, int m) {
  REGION
  for (int i = 0; i < M; i++)
    for (int j = 1; j < n; j++) p[j * m + i] = p[(j - 1) * m + i] * 0.5f + b[j * m + i];
}

static void columns_of(float *x, const float *y, int n, int m) {
#pragma omp target teams distribute parallel for map(tofrom: x[0:SIZE]) map(to: y[0:SIZE])
  for (int i = 0; i < M; i++)
    for (long j = n - 2; j >= 0; j--) {
      const long e = j * m + i;
      const float next = x[e + m];
      x[e] = x[e] * 0.25f - next + y[e];
    }
}

static void rows(int n) {
  REGION
  for (int i = 0; i < N; i++) {
    for (int j = 1; j < n; j++) q[i * M + j] = q[i * M + j - 1] + q[i * M + j];
    for (int j = 0; j + 1 < n; j++) h[i * M + j + 1] = (short)(h[i * M + j] * 2 + g[i * M + j] % 3);
  }
}

static void distances(int n, int m) {
  REGION
  for (int x = 0; x < M; x++) {
    for (int y = n - 2; y >= 0; y--)
      if (g[(y + 1) * m + x] < g[y * m + x]) g[y * m + x] = g[(y + 1) * m + x] + 1;
    for (size_t y = 1; y < (size_t)n; ++y) {
      if (h[y * m + x] > 3 && y % 3 != 0)
        h[y * m + x] = h[(y - 1) * m + x] - 1;
      else if (h[(y - 1) * m + x] < 0)
        continue;
    }
  }
}

static void lines(int n) {
  REGION
  for (int i = 0; i < M; i++) {
    u[0][i] = 0.5;
    v[0][i] = 1;
    for (int j = 1; j < n; j++) {
      u[j][i] = -1 / (u[j - 1][i] - 4);
      v[j][i] = (v[j][i] + v[j - 1][i]) / (4 - u[j - 1][i]);
    }
    for (int j = n - 1; j > 0; j -= 1) v[j][i] = u[j][i] * v[j + 1][i] + v[j][i];
    for (int j = 2; j <= n; j += 2) u[j][i] = u[j - 2][i] * 0.5 + v[j][i];
  }
}

template <class T> static void filter(T *x, int n, T factor) {
#pragma omp target teams distribute parallel for map(tofrom: x[0:SIZE])
  for (int i = 0; i < M; i++) {
    T *column = x + i;
    for (int j = 1; j < n; j++) column[j * M] = (T)(column[(j - 1) * M] * factor + column[j * M]);
    for (int j = 1; j < n; j++) *(column + j * M) = (T)(*(column + (j - 1) * M) - factor);
  }
}

// An element of two iterations, two of the same array before, loads behind the store, two stores, and other pointers.
static void stays(float *x, float *y, int n, int m, int zero) {
#pragma omp target teams distribute parallel for map(tofrom: x[0:SIZE], y[0:SIZE])
  for (int i = 0; i < M; i++) {
    for (int j = 1; j < n; j++) x[j * zero + i] = x[(j - 1) * zero + i] * 0.5f + x[j * zero + i] + 1;
    for (int j = 2; j < n; j++) x[j * m + i] = x[(j - 1) * m + i] * 0.5f + x[(j - 2) * m + i] * 0.25f;
    for (int j = 1; j < n; j++) {
      x[j * m + i] = x[j * m + i] * 0.5f;
      x[j * m + i] = x[(j - 1) * m + i] - x[j * m + i];
    }
    float s = 0;
    for (int j = 1; j < n; j++) {
      x[j * m + i] = b[i] + j;
      s += x[(j - 1) * m + i];
      if (s > 50) s = x[j * m + i];
    }
    for (int j = 1; j < n; j++) {
      x[j * m + i] = x[(j - 1) * m + i] * 0.25f;
      y[(j - 1) * m + i] = s + j;
    }
    for (int j = 1; j < n; j++) x[j * m + i] += x[(j - 1) * m + i];
    for (unsigned j = 1; j < (unsigned)n; j++) x[j * m + i] = x[(j - 1) * m + i] * 0.5f;
  }
}

static void meet(float *x, float *y, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < M; i++)
    for (int j = 1; j < n; j++) x[j * M + i] = x[(j - 1) * M + i] * 0.5f + y[j * M + i];
}

int main() {
  for (int n = 0; n <= N; n++) {
    fill(n);
    columns(n, M);
    show("columns", n);
    columns(n, 0);
    show("one", n);
    columns_of(q, b, n, M);
    show("of", n);
    rows(n < M ? n : M);
    show("rows", n);
    distances(n, M);
    show("distances", n);
    lines(n);
    show("lines", n);
    filter(p, n, 0.5f);
    filter(g, n, 1);
    filter(h, n, (short)-1);
    show("filter", n);
    stays(p, q, n, M, 0);
    show("stays", n);
#pragma omp target enter data map(to: p, q)
    meet(p, q, n);
    meet(p, p, n);
    meet(p, p + (n > 3 ? M : 0), n - 1);
    meet(p + M, p, n - 1);
#pragma omp target exit data map(from: p, q)
    show("meet", n);
  }
}
