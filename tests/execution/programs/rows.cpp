// Inner loops in which a thread goes along a row of its own: all numbers of iterations around those of a turn, rows that
// begin at any element, ways to count and to find an element, team code, and loops that must stay.
#include <cmath>
#include <cstdio>

static const int ROWS = 33, MOST = 53, SIZE = ROWS * 64 + 64;
static float a[SIZE], b[SIZE], out[ROWS];
static double wide[SIZE], sums[ROWS];
static int whole[SIZE], others[SIZE], counts[ROWS];

static void show(const char *name, int n, const float *x) {
  double s = 0;
  for (int i = 0; i < ROWS; i++) s += x[i] * (i + 1);
  printf("%s %d %.3f\n", name, n, s);
}

static void own_and_shared(const float *p, const float *q, int pitch, int n) {
#pragma omp target teams distribute parallel for map(to: p[0:ROWS * 64], q[0:64]) map(from: out[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    float s = 0;
    for (int c = 0; c < n; c++) s += q[c] * p[i * pitch + c];
    out[i] = s;
  }
}

static void two_rows(const float *p, const double *q, int pitch, int first, int last) {
#pragma omp target teams distribute parallel for map(to: p[0:ROWS * 64], q[0:ROWS * 64]) map(from: sums[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    double s = 0;
    const float *row = p + i * pitch;
    for (long c = first; c <= last; c++) {
      const int e = i * pitch + (int)c;
      double d = row[c] - q[e];
      s += d < 0 ? -d : d * d;
    }
    sums[i] = s;
  }
}

static void wide_rows(const double *p, const double *q, int pitch, int n) {
#pragma omp target teams distribute parallel for map(to: p[0:ROWS * 64], q[0:64]) map(from: sums[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    double s = 0;
    for (int c = 0; c < n; c++) s += p[i * pitch + c] * q[c];
    sums[i] = s;
  }
}

static void with_columns(const int *p, const int *q, int n) {
#pragma omp target teams distribute parallel for map(to: p[0:ROWS * 64], q[0:ROWS * 64]) map(from: counts[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    int s = 0;
    for (unsigned long c = 0; c < (unsigned)n; c++) {
      const int x = p[(unsigned long)i * 48 + c];
      if (x > q[c * ROWS + i]) s++;
      s ^= x;
    }
    counts[i] = s;
  }
}

// Nearest of some points: rows that stay while a loop further out goes on, with numbers of iterations known and not.
static void nearest(const float *p, const float *q, int n) {
#pragma omp target teams distribute parallel for map(to: p[0:ROWS * 64], q[0:ROWS * 64]) map(from: out[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    float least = 1e30f, known = 1e30f;
    for (int k = 0; k < 5; k++) {
      float d = 0, e = 0;
      for (int c = 0; c < n; c++) d += (p[i * n + c] - q[k * n + c]) * (p[i * n + c] - q[k * n + c]);
      for (int c = 0; c < 16; c++) e += (p[i * 16 + c] - q[k * 16 + c]) * (p[i * 16 + c] - q[k * 16 + c]);
      if (d < least) least = d;
      if (e < known) known = e;
    }
    out[i] = least + known;
  }
}

// What may be another array's element is not loaded ahead, nor what a condition leaves out.
static void stays(float *p, const float *q, int n) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:ROWS * 64]) map(to: q[0:ROWS * 64]) map(from: out[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    float s = 0;
    for (int c = 1; c < n; c++) {
      p[i * 64 + c] = p[i * 64 + c - 1] * 0.5f + q[i * 64 + c];
      s += p[i * 64 + c];
    }
    for (int c = 0; c < n; c++)
      if (c * 3 < n) s += q[i * 64 + c];
    for (unsigned c = 0; c < (unsigned)n; c++) s += q[i * 64u + c - (c > 4u ? 4u : c)];
    out[i] = s;
  }
}

// Scores of all keys, then a sum of the team's: DIM numbers in a row.
template <int DIM> static void attention(const float *q, const float *k, float *o, int keys) {
#pragma omp target teams distribute map(to: q[0:ROWS * DIM], k[0:ROWS * DIM]) map(from: o[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    float score[ROWS], largest = -1e30f, total = 0;
#pragma omp parallel for reduction(max: largest)
    for (int j = 0; j < keys; j++) {
      float dot = 0;
      for (int c = 0; c < DIM; c++) dot += q[i * DIM + c] * k[j * DIM + c];
      score[j] = dot;
      largest = fmaxf(largest, dot);
    }
#pragma omp parallel for reduction(+: total)
    for (int j = 0; j < keys; j++) total += score[j] / largest;
    o[i] = total;
  }
}

int main() {
  for (int i = 0; i < SIZE; i++) {
    a[i] = (i * 7 % 31 - 15) * 0.25f;
    b[i] = (i * 5 % 29 - 11) * 0.5f;
    wide[i] = (i * 3 % 17 - 5) * 0.125;
    whole[i] = i * 11 % 37;
    others[i] = i * 13 % 41;
  }
  for (int n = 0; n <= MOST; n++) {
    own_and_shared(a + n % 5, b + n % 3, 64, n);
    show("own", n, out);
    own_and_shared(a + n % 4, b, 61, n);
    show("apart", n, out);
    two_rows(a + n % 5, wide + n % 2, 63 - n % 3, n % 7, n);
    double s = 0;
    for (int i = 0; i < ROWS; i++) s += sums[i];
    printf("two %d %.4f\n", n, s);
    wide_rows(wide + n % 2, wide + 7, n + n % 3, n);
    s = 0;
    for (int i = 0; i < ROWS; i++) s += sums[i];
    printf("wide %d %.4f\n", n, s);
    with_columns(whole + n % 4, others, n);
    int count = 0;
    for (int i = 0; i < ROWS; i++) count = count * 3 + counts[i] & 0xffffff;
    printf("columns %d %d\n", n, count);
    nearest(a, b + n % 6, n);
    show("nearest", n, out);
    stays(b, a, n);
    show("stays", n, out);
  }
  for (int n = 1; n <= ROWS; n += 8) {
    attention<64>(a + n % 4, b, out, n);
    show("of 64", n, out);
    attention<17>(a + 1, b + n % 4, out, n);
    show("of 17", n, out);
  }
}
