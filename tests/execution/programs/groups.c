/* Inner loops that groups of threads share, and such as they must not: what one iteration of the inner loop writes,
   another one reads, or a variable keeps a value for it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 23
#define M 37
#define AT(i, j) ((i) * M + (j))
#define B(i, j) b[(i) * M + (j)]
#define LEAST(a, b) (((a) < (b)) ? (a) : (b))

struct field { int n; double *x, *y; };
struct point { double x, y; int tag; };

static double a[N * M + 200], b[N * M + 200], c[N * M + 200];
static double wide[N][M], other[N][M], cube[4][N][M];
static int numbers[N * M + 200];
static struct point points[N * M];

static void fill(void) {
  for (int i = 0; i < N * M + 200; i++) {
    a[i] = i % 17 + 0.5;
    b[i] = i % 5;
    c[i] = 1;
    numbers[i] = i % 11;
  }
  for (int i = 0; i < N * M; i++) points[i] = (struct point){i, 2, i % 3};
  memset(wide, 0, sizeof wide);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) other[i][j] = i - j;
}

static void show(const char *name, const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum = sum * 0.75 + values[i] * (i % 13 + 1);
  printf("%s %.9g\n", name, sum);
}

/* Pointers of which nothing is known. */
static void scale(int n, int m, double *to, double *from) {
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) to[i * m + j] = 2 * from[i * m + j] + 1;
}

static void mapped_before(int n, int m, double *to, double *from) {
#pragma omp target teams distribute parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      to[i * m + j] = 0.25 * (from[(i - 1) * m + j] + from[(i + 1) * m + j] + from[i * m + j - 1] + from[i * m + j + 1]);
}

/* The rows of the one lie in those of the other: iterations of the inner loop depend on each other. */
static void shifted(int rows, int m, double *to, double *from, int stride) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < m; j++) to[i * stride + j] = from[i * stride + j] + 1;
}

static void backwards(int rows, int m, double *to, double *from) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++)
    for (long j = m - 1; j >= 2; j -= 3) to[i * m + j] = from[i * m + j] - from[i * m + j - 1];
}

/* Every other element, with neighbours that have the other colour. */
static void coloured(int rows, int m, double *u, const double *f, int colour) {
#pragma omp target teams distribute parallel for
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1 + ((i + colour) & 1); j < m - 1; j += 2)
      u[i * m + j] = 0.25 * (f[i * m + j] + u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] + u[(i + 1) * m + j]);
}
static void coloured_back(int rows, int m, double *u, int colour) {
#pragma omp target teams distribute parallel for
  for (int i = 1; i < rows - 1; i++)
    for (long j = m - 2 - ((i + colour) & 1); j > 0; j -= 2) u[i * m + j] = u[i * m + j - 1] - 0.5 * u[i * m + j + 1];
}

/* Each reads what the iteration before it has written; or one in three does, by the third argument. */
static void in_steps(int rows, int m, double *u, int step, int behind) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++)
    for (int j = behind; j < m; j += step) u[i * m + j] = u[i * m + j - behind] + 1;
}
static void turns(int rows, int m, int *v, int third) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++)
    for (int j = 3; j < m - 3; j += 3) v[i * m + j] += v[i * m + j + third] + i;
}

/* Wider elements than what is between those that are written. */
static void overlapping(int rows, int m, float *u) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++)
    for (int j = 2; j < m - 2; j += 2) *(double *)&u[i * m + j] = *(double *)&u[i * m + j - 2] + 1;
}

static double reductions(int n, int m, double *from, double *to) {
  double total = 0, most = 0, least = 1e9;
  long count = 0, first = n * m;
#pragma omp target teams distribute parallel for reduction(+: total, count) reduction(max: most) \
    reduction(min: least, first)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const double difference = from[i * m + j] - to[i * m + j];
      total += difference;
      if (difference > 4) count++;
      most = fmax(most, fabs(difference));
      least = LEAST(least, difference);
      if (first > i * m + j) first = i * m + j;
    }
  return total + 1000 * most + count + 0.001 * least + first;
}

/* Each iteration of the inner loop finds what the one before has left. */
static void carried(int n, int m, double *to, double *from) {
  double last = 0;
#pragma omp target teams distribute parallel for firstprivate(last)
  for (int i = 0; i < n; i++) {
    last = 0;
    for (int j = 0; j < m; j++) {
      to[i * m + j] = from[i * m + j] + last;
      last = from[i * m + j];
    }
  }
}

static void prefix(int n, int m, double *to, double *from) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double row[M];
    for (int k = 0; k < M; k++) row[k] = 0;
    double *way = row;
    for (int j = 0; j < m; j++) {
      way[j] = from[i * m + j];
      to[i * m + j] = j ? way[j - 1] : 0;
    }
  }
}

static void before_c99(int n, int m, double *to, double *from) {
  int i, j, k;
  double t;
#pragma omp target teams distribute parallel for private(i, j, k, t)
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
      t = 0;
      for (k = 0; k < 3; k++) t += from[i * m + j] * k;
      for (k = 0; k < 2; k++) t -= k;
      to[i * m + j] = t + k;
    }
}

static void members(struct field *f, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < f->n; j++) f->y[i * m + j] = f->x[i * m + j] * 3;
}

static void structures(int n, int m, struct point *p) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (p[i * m + j].tag) p[i * m + j].x += p[i * m + j].y;
}

static void through_indices(int n, int m, double *to, double *from, int *at) {
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m]) map(to: from[0:n * m], at[0:n * m])
  for (int i = 0; i < n; i++) {
    int first = at[i] % 2;
    for (int j = first; j < m; j++) {
      const int here = i * m + j, there = at[here];
      to[here] = from[there] + from[here];
    }
  }
}

/* A table that each iteration of the inner loop looks up. */
static void from_table(int n, int m, double *to, double *from) {
  static const double table[8] = {1, -2, 3, -4, 5, -6, 7, -8};
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) to[i * m + j] = from[i] * table[j & 7];
}

static void product(int n, int m, int l, double *to, double *from, double *by) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      to[i * m + j] *= 0.5;
      for (int k = 0; k < l; k++) to[i * m + j] += from[i * l + k] * by[k * m + j];
    }
}

static void triangle(int n, int m, double *to, double *from) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int j = 0; j <= i; j++) to[i * m + j] = from[i * m + j] + j;
}

static void macros(int n, int m, double *b, double *from) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) B(i, j) = from[AT(i, j)] - B(i, j);
}

static void guarded(int n, int m, double *to, double *from, struct field *none) {
#pragma omp target teams distribute parallel for map(to: none[0:0])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (none) to[i * m + j] = none->x[j];
      else to[i * m + j] = from[i * m + j];
    }
}

/* Pointers to a row that each iteration of the inner loop makes for itself. */
static void rows_of_iterations(int n, int m, int width, double *x, const double *factors) {
#pragma omp target teams distribute parallel for map(tofrom: x[0:n * m]) map(to: factors[0:width])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < width; j++) {
      double *row = x + i * m;
      row[j] *= factors[j];
      row[m - 1 - j] += factors[j] * row[j];
    }
}

int main(void) {
  fill();
  scale(N, M, b, a);
  show("scale", b, N * M);
#pragma omp target data map(tofrom: a, b, c)
  {
    mapped_before(N, M, b, a);
    product(N, M, 5, c, a, b);
    backwards(N, M, c, b);
    triangle(N, M, b, a);
    macros(N, M, b, a);
    guarded(N / 2, M, c, b, 0);
  }
  show("stencil", b, N * M);
  show("product", c, N * M);
#pragma omp target data map(tofrom: a, b)
  from_table(N, M, b, a);
  show("table", b, N * M);
  fill();
  for (int shift = 1; shift < 40; shift += 19) {
#pragma omp target data map(tofrom: a)
    shifted(7, M, a + shift, a, M + 60);
    show("shifted", a, N * M + 200);
#pragma omp target data map(tofrom: a)
    shifted(7, M, a, a + shift, M + 60);
    show("shifted back", a, N * M + 200);
  }
  fill();
#pragma omp target data map(tofrom: a, b)
  {
    scale(N, M, a, a);
    printf("reductions %.9g\n", reductions(N, M, a, b));
    carried(N, M, b, a);
  }
  show("carried", b, N * M);
#pragma omp target data map(tofrom: a, b)
  prefix(N, M, b, a);
  show("prefix", b, N * M);
#pragma omp target data map(tofrom: a, b)
  before_c99(N, M, b, a);
  show("before C99", b, N * M);
  fill();
#pragma omp target data map(tofrom: a, b)
  for (int k = 0; k < 4; k++) {
    coloured(N, M, a, b, k & 1);
    coloured_back(N, M, b, k & 1);
  }
  show("coloured", a, N * M);
  show("coloured back", b, N * M);
  fill();
  for (int step = 2; step < 5; step++)
    for (int behind = 1; behind < 5; behind++)
#pragma omp target data map(tofrom: a)
      in_steps(N, M, a, step, behind);
  show("in steps", a, N * M);
  static int thirds[N * M];
  for (int i = 0; i < N * M; i++) thirds[i] = i % 17;
#pragma omp target data map(tofrom: thirds)
  for (int third = -3; third < 4; third++) turns(N, M, thirds, third);
  long sum = 0;
  for (int i = 0; i < N * M; i++) sum += (long)thirds[i] * (i % 13);
  printf("turns %ld\n", sum);
#pragma omp target data map(tofrom: a)
  overlapping(N, M / 2 * 2, (float *)a); /* so that each double is aligned */
  show("overlapping", a, N * M / 2);
  struct field f = {M - 2, a, b};
#pragma omp target data map(tofrom: a, b) map(to: f) map(to: f.x[0:0], f.y[0:0])
  members(&f, N, M);
  show("members", b, N * M);
  structures(N, M, points);
  printf("structures %.9g\n", points[5].x + points[N * M - 2].x);
  through_indices(N, M, b, a, numbers);
  show("indices", b, N * M);

#pragma omp target teams distribute parallel for map(tofrom: wide) map(to: other)
  for (int i = 0; i < N; i++)
    for (int j = 1; j < M - 1; j++) wide[i][j] = other[i][j - 1] + other[i][j + 1];
  show("arrays", &wide[0][0], N * M);
#pragma omp target teams distribute parallel for map(tofrom: wide)
  for (int i = 0; i < N; i++)
    for (int j = 1; j < M; j++) wide[i][j] += wide[i][j - 1]; /* in order */
  show("in order", &wide[0][0], N * M);
#pragma omp target teams distribute parallel for collapse(2) map(from: cube) map(to: other)
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++) cube[k][i][j] = k * other[i][j] + (j % 2 ? i : -i);
  show("cube", &cube[0][0][0], 4 * N * M);

  /* The construct's iterations are those of the inner loop, too. */
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: wide)
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i % M; j++) wide[i][j] = 2 * i - j;
  show("triangle", &wide[0][0], N * M);
  fill();
  rows_of_iterations(N, M, M / 3, a, b);
  show("rows of iterations", a, N * M);
  rows_of_iterations(N, M, M, a, b); /* both ends meet */
  show("in order", a, N * M);
  double pairs = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to: other) reduction(+: pairs)
  for (int i = 0; i < M; i++)
    for (int j = i + 1; j < M; j++) pairs += (int)other[0][i] * (int)other[0][j] % 7;
  printf("pairs %.9g\n", pairs);
  return 0;
}
