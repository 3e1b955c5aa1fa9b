// Loops of functions that walk along memory with a pointer and change the elements: all numbers of iterations around
// those of a turn, ways to move, and steps of which elements are not apart.
#include <cmath>
#include <cstdio>

static const int N = 5, M = 64;

#pragma omp declare target
static float forth(float *p, unsigned n, int step) {
  float last = *p;
  for (unsigned k = 1; k < n; k++) {
    p = (float *)((unsigned char *)p + step);
    *p = last = sqrtf(0.25f) * *p + 0.25f * last;
  }
  return last;
}

static double back(double *p, int n, int step) {
  double last = 1;
  for (int k = n - 2; 0 <= k; k--) {
    double old = *p;
    *p = last - old * k;
    last = old - last;
    p -= step;
  }
  return last + *p;
}

static int each(int *first, long n) {
  int sum = 0, *q = first;
  for (long k = 0; k < n; k += 2) {
    sum += *q ^ 3;
    *q = sum + (*q > 5 ? *q : -*q);
    ++q;
  }
  return sum + (int)(q - first);
}

struct Row {
  long long *at;
  long long add(int n, long step) const {
    long long *p = at, sum = 7;
    for (int k = n; k >= 1; --k) {
      *p = sum = sum * 3 + *p;
      p = step + p;
    }
    return sum;
  }
};
#pragma omp end declare target

static void all(float *f, double *d, int *a, long long *b, double *out, int n, int step) {
#pragma omp target teams distribute parallel for map(tofrom: f[0:N*M], d[0:N*M], a[0:N*M], b[0:N*M]) map(from: out[0:4*N])
  for (int i = 0; i < N; i++) {
    out[4 * i] = forth(f + i * M, n, step * (int)sizeof(float));
    out[4 * i + 1] = back(d + i * M + M - 1, n, step);
    out[4 * i + 2] = each(a + i * M, n);
    out[4 * i + 3] = Row{b + i * M}.add(n, step);
  }
}

// The same in the region itself, by an index and with a pointer.
static void in_place(float *f, double *d, double *out, int n, int step) {
#pragma omp target teams distribute parallel for map(tofrom: f[0:N*M], d[0:N*M]) map(from: out[0:2*N])
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) {
      s = s * 0.5f + f[i * M + j * step];
      f[i * M + j * step] = s;
    }
    double t = 0;
    for (int j = n - 1; j >= 0; j--) {
      const double old = d[i * M + j * step];
      d[i * M + j * step] = t - old;
      t += old / (1 + j);
    }
    float *p = f + i * M;
    for (int j = n; j > 0; j--) {
      s += *p;
      *p = s * 0.25f;
      p += step;
    }
    out[2 * i] = s, out[2 * i + 1] = t + *p;
  }
}

int main() {
  for (int step = 0; step <= 2; step++) {
    for (int n = 0; n <= 26; n++) {
      float f[N * M];
      double d[N * M], out[4 * N];
      int a[N * M];
      long long b[N * M];
      for (int k = 0; k < N * M; k++) f[k] = k % 8, d[k] = k % 16, a[k] = k % 11, b[k] = k % 9;
      all(f, d, a, b, out, n, step);
      double last[2 * N];
      in_place(f, d, last, n, step);
      double sum = 0, weighted = 0;
      for (int k = 0; k < N * M; k++) {
        const double one = f[k] + d[k] / 4096 + a[k] + (double)(b[k] % 1000003);
        sum += one, weighted += one * (k % 7);
      }
      for (int k = 0; k < 4 * N; k++) sum += fmod(out[k], 65536.0);
      for (int k = 0; k < 2 * N; k++) weighted += last[k];
      printf("%d %d: %.9g %.9g\n", step, n, sum, weighted);
    }
  }
  return 0;
}
