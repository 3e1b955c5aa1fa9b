// Inner loops that load what several iterations need before the first: all numbers of iterations around those of a turn,
// ways to count, ways to find an element, and loops that must not, for what they load changes or may not be there.
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct Point { float x, y; };
struct Body { Point at; float z, m; };
struct Pair { double a, b; };

static const int N = 37, M = 40;
static const int MOST = INT_MAX, LEAST = INT_MIN;
static const unsigned long long WIDEST = ULLONG_MAX;

static void attract(const Body *p, Point *force, int n) {
#pragma omp target teams distribute parallel for map(to: p[0:M]) map(from: force[0:N])
  for (int i = 0; i < N; i++) {
    Point f{0, 0};
    for (int j = 0; j < n; j++) {
      float dx = p[j].at.x - p[i].at.x, dy = p[j].at.y - p[i].at.y;
      float r = 1.0f / sqrtf(dx * dx + dy * dy + p[j].z);
      f.x += p[j].m * r * dx;
      f.y += p[j].m * r * dy;
    }
    force[i] = f;
  }
}

// Devices may join products and sums, which rounds once: how many forces are as near as that to those in double.
static int near(const Body *p, const Point *force, int n) {
  int count = 0;
  for (int i = 0; i < N; i++) {
    double x = 0, y = 0, all = 1;
    for (int j = 0; j < n; j++) {
      double dx = p[j].at.x - p[i].at.x, dy = p[j].at.y - p[i].at.y, r = p[j].m / sqrt(dx * dx + dy * dy + p[j].z);
      x += r * dx, y += r * dy, all += r * (fabs(dx) + fabs(dy));
    }
    count += fabs(force[i].x - x) < 1e-5 * all && fabs(force[i].y - y) < 1e-5 * all;
  }
  return count;
}

static void by_reference(const Body *p, const int *order, float *out, int first, int last) {
#pragma omp target teams distribute parallel for map(to: p[0:M], order[0:M]) map(from: out[0:N*M])
  for (int i = 0; i < N; i++) {
    for (int j = last; j >= first; j -= 3) {
      const Body &b = p[j];
      const Point *q = &p[M - 1 - j].at;
      float r = 1.0f / (b.m + q->x + i);
      if (r < 0.02f) r = -r;
      out[i * M + order[j]] = r * b.z;
    }
  }
}

static void columns(const double *a, const double *b, const Pair *pairs, double *out, unsigned count) {
#pragma omp target teams distribute parallel for map(to: a[0:N*M], b[0:N*M], pairs[0:N*M]) map(from: out[0:N])
  for (int i = 0; i < N; i++) {
    double s = 0, t = 1;
    for (int j = 0; j < count; j++) {
      const int at = j * N + i;
      s = (a[at] + s) / (b[at] + 1.5);
      t = t / (1.0 + a[at]);
    }
    for (size_t j = 0; j < count; j += 2) s += pairs[j * N + i].a / (pairs[j * N + i].b + 2.0);
    out[i] = s + t;
  }
}

// Values at the ends of types, and comparisons of different types.
static void ends(const float *a, float *out, int low, unsigned high, long long wide) {
#pragma omp target teams distribute parallel for map(to: a[0:256]) map(from: out[0:N])
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int j = MOST - low; j < MOST; j++)
      s += a[MOST - j] / (s + i + 1.0f);
    for (int j = LEAST + low; j > LEAST; j--)
      s += a[j - LEAST] / (s + i + 1.0f);
    for (unsigned j = high - low; j < high; j++) s += a[high - j] / (s + i + 1.0f);
    for (unsigned j = low; j > 0; j--) s += a[j] / (s + i + 1.0f);
    for (int j = -low; j < high; j++) s += a[j + 2 * low] / (s + i + 1.0f);
    for (int j = -low; j < wide; j++) s += a[j + 2 * low] / (s + i + 1.0f);
    for (long long j = wide; j >= -low; j--) s += a[j + 2 * low] / (s + i + 1.0f);
    for (unsigned long long j = WIDEST - low; j < WIDEST; j++)
      s += a[(int)(WIDEST - j)] / (s + i + 1.0f);
    out[i] = s;
  }
}

// What is stored may be what another iteration loads; each iteration of the loops over i has columns of its own.
static void chain(const float *a, const float *b, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    float s = 1;
    for (int j = 0; j < n; j++) {
      int e = j * N + i;
      s = a[e] / (b[e] + s * 0.5f + 1.0f);
      o[e] = s + b[e];
    }
    for (int j = 0; j < n; j++) o[i] += b[i + j * N] / (a[i + j * N] + 2.0f);
    for (int j = n - 1; j >= 0; j--) {
      s = b[j * N + i] / (a[j * N + i] + s + 1.0f);
      o[j * N + i] = s;
    }
    for (int j = 0; j < n; j++) {
      float *to = o + j * 7 % n * N + i;
      s = a[j * N + i] / (s + 1.0f);
      *to = s;
    }
    for (int j = 0; j < n; j++) { // into what the same iteration loads behind it
      o[(j + 1) * N + i] = s;
      s += a[j * N + i] / (b[(n - j) * N + i] + s + 1.0f);
    }
  }
}

// Numbers of one and of two bytes; those of one byte may be a part of anything.
static void distances(const unsigned char *image, const short *weights, const bool *holes, int *out, int count, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < count; i++) {
    int d = 100;
    for (int j = 0; j < n; j++) {
      const int weight = weights[j * N + i], hole = holes[j * N + i];
      d = image[j * N + i] ? weight : d + 1 + hole;
      out[j * N + i] = d;
    }
  }
}

static void in_place(float *a, const int *at, float *o, int n) {
#pragma omp target teams distribute parallel for map(to: at[0:M]) map(tofrom: a[0:N*M]) map(from: o[0:N])
  for (int i = 0; i < N; i++) {
    float s = 1;
    for (int j = 0; j < n; j++) {
      float v = a[j * N + i];
      s += v / (s + at[j]);
      a[j * N + i] = s;
    }
    for (int j = 0; j < n; j++) a[j * N + i] = 1 / (a[j * N + i] + 1.5f);
    for (int j = 0; j < n; j++) {
      a[at[j] * N + i] = s;
      s += 1 / (a[j * N + i] + 1.0f);
    }
    o[i] = s;
  }
}

// What must stay as it is written.
static void stays(const float *a, const float *b, float *c, float *out, int n, int limit) {
#pragma omp target teams distribute parallel for map(to: a[0:256]) map(from: out[0:N])
  for (int i = 0; i < N; i++) {
    float s = 0;
    int m = n;
    for (int j = 0; j < n; j++) {
      if (j >= limit) break;
      s += a[j] / (s + 1.5f);
    }
    for (int j = 0; j < n; j++) {
      if (j >= limit) continue;
      s += a[j] / (s + 1.5f);
    }
    for (int j = 0; j < n; j++) s += j < limit ? a[j] / (s + 1.5f) : 0;
    for (int j = 0; j < m; j++) {
      s += a[j] / (s + 1.5f);
      if (s > 4) m--;
    }
    for (int j = 0; j < n; j++) {
      s += a[j] / (s + 1.5f);
      if (s > 5) j += 2;
    }
    for (int j = 0; j < n; j++) c[j * N + N + i] = b[j * N + i] / (s + 0.5f) + a[j];
    out[i] = s;
  }
}

static void check(const char *name, const float *v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * (i % 13 + 1);
  printf("%s %.4f\n", name, sum);
}

int main() {
  Body p[M];
  Point force[N];
  int order[M];
  static float out[N * M], a[256], c[(N + 1) * M];
  static double wide[2 * N * M], result[N];
  static Pair pairs[N * M];
  for (int i = 0; i < M; i++) p[i] = Body{{(float)(i % 7), i % 5 + 0.5f}, i % 3 + 1.0f, i % 11 + 2.0f}, order[i] = i * 3 % M;
  for (int i = 0; i < 256; i++) a[i] = i % 9 + 0.25f;
  for (int i = 0; i < 2 * N * M; i++) wide[i] = i % 17 / 4.0;
  for (int i = 0; i < N * M; i++) pairs[i] = {i % 19 / 8.0, i % 23 / 4.0};
  for (int n = 0; n < M; n++) {
    attract(p, force, n);
    printf("attract %d\n", near(p, force, n));
    for (int i = 0; i < N * M; i++) out[i] = 0;
    by_reference(p, order, out, 2, n);
    double sum = 0;
    for (int i = 0; i < N; i++)
      for (int j = n; j >= 2; j -= 3) sum += out[i * M + order[j]] * (i + j % 5);
    printf("reference %.4f\n", sum);
    columns(wide, wide + N * M, pairs, result, n);
    sum = 0;
    for (int i = 0; i < N; i++) sum += result[i] * (i % 3 + 1);
    printf("columns %.6f\n", sum);
    ends(a, out, n, n % 3 ? n : 7, n);
    check("ends", out, N);
    for (int i = 0; i < (N + 1) * M; i++) c[i] = i % 6;
    const float *same = c;
    int limit = n / 2;
#pragma omp target data map(tofrom: c[0:(N+1)*M])
    stays(a, same, c, out, n, limit);
    check("stays", out, N);
    check("changed", c, (N + 1) * M);
    static float all[4 * N * M];
    for (int shift = -3; shift < 6; shift++) {
      for (int i = 0; i < 4 * N * M; i++) all[i] = i % 29 / 8.0f;
      float *first = all + N * M, *second = first + (shift > 3 ? N * M : 0);
#pragma omp target data map(tofrom: all[0:4*N*M])
      chain(first, second, first + shift * N, n / 2);
      check("chain", all, 4 * N * M);
    }
    static unsigned char image[8 * N * M];
    static short weights[N * M];
    static bool holes[N * M];
    for (int i = 0; i < N * M; i++) {
      image[i] = i % 7 < 3, image[i + 4 * N * M] = i % 5, weights[i] = -(i % 300), holes[i] = i % 11 == 0;
    }
    int *numbers = (int *)image;
#pragma omp target data map(tofrom: image[0:8*N*M]) map(to: weights[0:N*M], holes[0:N*M])
    {
      distances(image + 4 * N * M, weights, holes, numbers, N, n);
      distances(image, weights, holes, numbers, 1, n);
    }
    sum = 0;
    for (int i = 0; i < N * M; i++) sum += numbers[i] * (i % 13 + 1.0);
    printf("distances %.0f\n", sum);
    for (int i = 0; i < N * M; i++) all[i] = i % 31 / 8.0f;
    in_place(all, order, out, n);
    check("in place", all, N * M);
    check("sums", out, N);
  }
}
