/* Arrays of a team whose extents only the run knows: in shared memory where the launch gives room, else from the heap. */
#include <stdio.h>

#define N 64

struct point {
  double x;
  int y;
};

static int counted;
#pragma omp declare target to(counted)

/* The host knows the extents: they differ in element size, and one array ends before another begins. */
static void known(int *a, int n, int m) {
#pragma omp target teams distribute map(tofrom : a[0 : N]) num_teams(4) thread_limit(64)
  for (int b = 0; b < 4; b++) {
    int row[n];
    {
      struct point points[m + 1];
#pragma omp parallel for
      for (int i = 0; i < n; i++) {
        row[i] = b * i;
        if (i <= m) points[i].x = i, points[i].y = 2 * i;
      }
      a[b] = (int)points[m].x + points[1].y;
    }
    char small[n];
    char other[3];
    long wide[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      small[i] = (char)(row[n - 1 - i] % 100);
      wide[i] = 1000L * row[i];
      if (i < 3) other[i] = (char)i;
    }
    long sum = other[2];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += small[i] + wide[i];
    a[4 + b] = (int)sum;
    a[8 + b] = (int)(sizeof row + sizeof(small) + sizeof wide / sizeof wide[0]);
  }
}

/* Extents that only the region knows, one of them with an effect. */
static int next(void) { return ++counted; }
#pragma omp declare target to(next)

static void computed(int *a, const int *sizes) {
#pragma omp target teams map(tofrom : a[0 : N]) map(to : sizes[0 : 3]) num_teams(1) thread_limit(32)
  {
    for (int k = 0; k < 3; k++) {
      int n = sizes[k];
      double part[n];
#pragma omp parallel for
      for (int i = 0; i < n; i++) part[i] = i + k;
      if (k == 1) {
        a[20] = (int)part[n - 1];
        continue; /* the array ends here too */
      }
      int more[next() + 2];
#pragma omp parallel for
      for (int i = 0; i < 3; i++) more[i] = 7 * i;
      a[21 + k] = (int)part[n / 2] + more[2];
      if (n > 50) break;
    }
    a[24] = counted;
  }
}

/* More than a block's shared memory holds. */
static void large(int *a, int n) {
#pragma omp target map(tofrom : a[0 : N]) thread_limit(64)
  {
    double first[n];
    double second[4];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      first[i] = i;
      if (i < 4) second[i] = i + 0.5;
    }
    double sum = second[3];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += first[i];
    a[30] = sum == n * (n - 1.0) / 2 + 3.5;
  }
}

int main(void) {
  int a[N] = {0}, sizes[3] = {5, 40, 60};
  known(a, 10, 3);
  computed(a, sizes);
  large(a, 100);
  int fits = a[30];
  large(a, 20000);
  a[31] = fits;
  for (int i = 0; i < N; i++) printf("%d%c", a[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}
