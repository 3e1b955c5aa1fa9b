// Choices between elements that are compared, as values: written out and by macros, of numbers of several types, NaN and
// zeros of both signs among them, in regions, device functions, team code and loops that change what they load.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((y) > (x) ? (y) : (x))
#define FIRST(x, y) ((x) <= (y) ? (x) : (y))
#define LAST(x, y) ((x) >= (y) ? (y) : (x))
#define NEGATIVE(x, y) (-((x) < (y) ? (x) : (y)))

struct Body { double m; long n; };
static const int N = 64;
static float a[N + 4], out[N];
static int k[N + 4], steps[N];
static Body bodies[N + 4];
static double sums[N];

static int least(const int *p, int i) { return MIN(p[i], MIN(p[i + 1], p[i + 2])); }

static void show(const char *name, const float *x) {
  for (int i = 0; i < N; i++) printf("%s%g", i ? " " : name, std::isnan(x[i]) ? 1e9f : std::signbit(x[i]) && x[i] == 0 ? -100.0f : x[i]);
  printf("\n");
}

static void elements(int n) {
#pragma omp target teams distribute parallel for map(to: a, bodies, k) map(from: out[0:n], sums[0:n], steps[0:n])
  for (int i = 0; i < n; i++) {
    float m = a[i] < a[i + 1] ? a[i] : a[i + 1], q = MAX(a[i + 1], a[i + 2]);
    float r = FIRST(LAST(a[i], a[i + 3]), a[i + 2]), s = NEGATIVE(a[i], a[i + 1]);
    const float &far = a[i] < a[i + 2] ? a[i] : a[i + 2];
    out[i] = i % 5 == 0 ? m : i % 5 == 1 ? q : i % 5 == 2 ? r : i % 5 == 3 ? s : far;
    sums[i] = bodies[i].m >= bodies[i + 2].m ? bodies[i].m : (bodies[i + 2].m);
    steps[i] = least(k, i) + (int)(bodies[i].n > bodies[i + 1].n ? bodies[i + 1].n : bodies[i].n) * 100;
  }
}

static void relaxed(int n, int rounds) {
#pragma omp target teams distribute map(tofrom: k)
  for (int t = 0; t < 1; t++) {
    int row[N + 2], next[N + 2];
#pragma omp parallel for
    for (int i = 0; i < n + 2; i++) row[i] = k[i];
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
      for (int i = 1; i <= n; i++) next[i] = MIN(row[i], MIN(row[i - 1], row[i + 1])) + (row[i - 1] > row[i] ? row[i] : row[i - 1]) % 3;
#pragma omp parallel for
      for (int i = 1; i <= n; i++) row[i] = next[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n + 2; i++) k[i] = row[i];
  }
}

static void in_place(int n) {
#pragma omp target teams distribute parallel for map(tofrom: k)
  for (int i = 0; i < 4; i++)
    for (int j = 1; j < n; j++) {
      int *now = k + j * 4, *last = k + (j - 1) * 4;
      int best = last[i] < now[i] ? last[i] : now[i];
      now[i] = best + 1;
    }
}

int main() {
  for (int i = 0; i < N + 4; i++) {
    a[i] = i % 7 == 3 ? NAN : i % 4 == 1 ? -0.0f : i % 4 == 2 ? 0.0f : (i * 37 % 11 - 5) * 0.5f;
    k[i] = i * 53 % 29 - 9;
    bodies[i] = {(i * 31 % 13) * 0.25, i * 17 % 23};
  }
  elements(N);
  show("elements ", out);
  for (int i = 0; i < N; i++) printf("%g %d ", sums[i], steps[i]);
  for (int rounds = 0; rounds < 4; rounds++) {
    relaxed(N, rounds);
    in_place(16);
    printf("\n");
    for (int i = 0; i < N + 4; i++) printf("%d ", k[i]);
  }
  printf("\n");
}
