/* Code between collapsed loops: combined, worksharing, distribute, simd, loop. */
#include <stdio.h>
#include <string.h>

enum { N = 11, M = 7, K = 5 };
static int a[N][M], cube[N][M][K], row[N], done[N], last[N];

static void show(const char *what) {
  long long sum = 0, where = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++) {
      sum += a[i][j], where += (long long)a[i][j] * (i * 101 + j);
      for (int k = 0; k < K; k++) sum += cube[i][j][k], where += (long long)cube[i][j][k] * (i * 1009 + j * 31 + k);
    }
    where += 3LL * i * row[i] + 7LL * i * done[i] + 11LL * i * last[i];
  }
  printf("%s: %lld %lld\n", what, sum, where);
  memset(a, 0, sizeof a), memset(cube, 0, sizeof cube);
  memset(row, 0, sizeof row), memset(done, 0, sizeof done), memset(last, 0, sizeof last);
}

static int twice(int x) { return 2 * x; }

static void combined(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a, row, done)
  for (int i = 0; i < n; i++) {
    int base = twice(i) + 1;
    row[i] = base;
    for (int j = 0; j < m; j++) {
      if (j % 3 == 1) continue;
      a[i][j] += base * 10 + j;
    }
    done[i] = base + 1;
  }
  show("teams distribute parallel for");
  // A continue of the innermost loop is not one of the loop around it.
#pragma omp target parallel for collapse(2) map(tofrom : a, done) num_threads(3)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      if (i + j >= 0) continue;
      a[i][j] = 1;
    }
    done[i] = i + 5;
  }
  show("parallel for, continue everywhere");
  int i, j = 3;
#pragma omp target teams distribute collapse(2) map(tofrom : a, row, last)
  for (i = n - 1; i >= 0; i -= 2) {
    row[i] = i;
    for (j = 1; j < m; j += 2) a[i][j] += row[i] + j;
    last[i] = -i;
  }
  show("teams distribute, indices from outside");
#pragma omp target simd collapse(2) map(tofrom : a, row)
  for (int i = 0; i < n; i++) {
    row[i] = i + 1;
    for (int j = 0; j < m; j++) a[i][j] += i - j;
  }
  show("simd");
#pragma omp target teams loop collapse(2) map(tofrom : a, row)
  for (int i = 0; i < n; i++) {
    const int limit = i < 4 ? 100 : 200;
    row[i] = limit;
    for (long j = m - 1; j >= 0; j--) a[i][j] += limit + (int)j;
  }
  show("teams loop");
#pragma omp target teams distribute parallel for simd collapse(2) schedule(static, 3) map(tofrom : a, row)
  for (unsigned i = 0; i < (unsigned)n; i++) {
    row[i] = 2;
    for (short j = 0; j < m; j++) {
      a[i][j] += row[i];
    }
  }
  show("schedule(static, 3)");
#pragma omp target teams distribute dist_schedule(static, 4) collapse(2) map(tofrom : a, row)
  for (int i = 0; i < n; i++) {
    row[i] = 2 * i;
    for (int j = 0; j < m; j++) a[i][j] += 2 * i + j;
  }
  show("dist_schedule(static, 4)");
}

static void names(int n, int m) {
  int j = 1000;
  // Between the loops, and behind the inner one, 'j' is the function's.
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a, row, done)
  for (int i = 0; i < n; i++) {
    row[i] = j + i;
    for (int j = 0; j < m; j++) a[i][j] += j;
    done[i] = j - i;
  }
  show("a name of the function");
#pragma omp target parallel for collapse(2) map(tofrom : a, row)
  for (int i = 0; i < n; i++) {
    int j = i * i;
    row[i] = j;
    {
      int base = j + 1;
      for (int j = 0; j < m; j++) {
        int base_too = base;
        {
          int base = base_too + j;
          a[i][j] += base;
        }
      }
      row[i] += base - j;
    }
    row[i] = j;
  }
  show("names between the loops");
}

static void three(int n, int m, int o) {
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : cube, a, row, done, last)
  for (int i = 0; i < n; i++) {
    int x = i * 100;
    row[i] = x;
    for (int j = 0; j < m; j++) {
      int y = x + j;
      a[i][j] = y;
      for (int k = 0; k < o; k++) {
        if (k == j) continue;
        cube[i][j][k] += y + k;
      }
      last[i] = x - 1;
    }
    done[i] = x + 1;
  }
  show("three");
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : cube, a)
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    int y = i * 10 + j;
    a[i][j] = y;
    for (int k = 0; k < o; k++) cube[i][j][k] += y + k;
  }
  show("the first two directly");
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : cube, row)
  for (int i = 0; i < n; i++) {
    row[i] = i;
    for (int j = 0; j < m; j++) {
      for (int k = 0; k < o; k++)
        cube[i][j][k] += i * 10 + j + k;
    }
    row[i] = i;
  }
  show("the last two directly");
}

// Bounds that depend on what stands between the loops: each thread runs such a loop alone.
static void bounds(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a, row)
  for (int i = 0; i < n; i++) {
    int limit = i < m ? i : m;
    row[i] = limit;
    for (int j = 0; j < limit; j++) a[i][j] += i + j;
  }
  show("a bound between the loops");
  int limit = m, start = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a) private(limit) firstprivate(start)
  for (int i = 0; i < n; i++) {
    limit = m - i % 3;
    start = i % 2;
    for (int j = start; j < limit; j++) a[i][j] += i + j;
  }
  show("a private bound");
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a, row)
  for (int i = 0; i < n; i++) {
    row[i] = 4;
    for (int j = i; j < m; j++) a[i][j] += i + j;
  }
  show("not rectangular");
}

static void clauses(int n, int m) {
  int x = -1, y = -1, total = 0, between = 3, i = 0, j = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a) lastprivate(x, y) reduction(+ : total)
  for (int i = 0; i < n; i++) {
    x = i * 10;
    for (int j = 0; j < m; j++) {
      y = x + j;
      total += y;
    }
  }
  printf("%d %d %d\n", x, y, total);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a) private(between) lastprivate(i, j)
  for (i = 0; i < n; i++) {
    between = i * 3;
    for (j = 0; j < m; j++) a[i][j] = between + j;
  }
  printf("%d %d\n", i, j);
  show("private, lastprivate indices");
#pragma omp target parallel for collapse(2) map(tofrom : a) schedule(static, 2) lastprivate(y)
  for (int i = 0; i < n; i++) {
    y = i;
    for (int j = 0; j < m; j++) a[i][j] = y + j;
  }
  printf("%d\n", y);
  show("schedule with lastprivate");
}

static void inside(int n, int m) {
#pragma omp target map(tofrom : a, row, done, last)
  {
    int offset = 3, y = 0;
    last[0] = 1;
#pragma omp parallel for collapse(2) num_threads(5)
    for (int i = 0; i < n; i++) {
      int base = offset * i;
      row[i] = base;
      for (int j = 0; j < m; j++) {
        if (j == 2) continue;
        a[i][j] += base + j;
      }
      done[i] = base + 1;
    }
#pragma omp parallel
    {
      int j;
#pragma omp for collapse(2) schedule(static, 4) lastprivate(y)
      for (int i = 0; i < n; i++) {
        last[i] = i;
        for (j = 0; j < m; j++) y = a[i][j] += i;
        last[i] += 0;
      }
#pragma omp for simd collapse(2)
      for (int i = 0; i < n; i++) {
        int more = i;
        for (int j = 0; j < m; j++) a[i][j] += more;
      }
#pragma omp loop bind(parallel) collapse(2)
      for (int i = 0; i < n; i++) {
        int more = -i;
        for (int j = 0; j < m; j++) a[i][j] += more;
      }
#pragma omp single
#pragma omp simd collapse(2)
      for (int i = 0; i < n; i++) {
        int more = 2 * i;
        for (int j = 0; j < m; j++) a[i][j] += more;
      }
#pragma omp single
#pragma omp taskloop collapse(2)
      for (int i = 0; i < n; i++) {
        int more = 2 * i;
        for (int j = 0; j < m; j++) a[i][j] += more;
      }
    }
    last[1] = y;
  }
  show("inside a target region");
#pragma omp target teams map(tofrom : a, row, done)
  {
#pragma omp distribute collapse(2)
    for (int i = 0; i < n; i++) {
      int base = 4 * i;
      row[i] = base;
      for (int j = 0; j < m; j++) {
        int sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int k = 0; k < 20; k++) sum += k + base;
        a[i][j] += sum;
      }
      done[i] = base + 1;
    }
  }
  show("distribute with a parallel inside");
#pragma omp target teams distribute collapse(2) map(tofrom : a, row, done)
  for (int i = 0; i < n; i++) {
    int base = 4 * i, all = 0;
    row[i] = base;
#pragma omp parallel for reduction(+ : all)
    for (int k = 0; k < 9; k++) all += k * base;
    for (int j = 0; j < m; j++) {
      int sum = 0;
      if (j == 4) continue;
#pragma omp parallel for reduction(+ : sum)
      for (int k = 0; k < 20; k++) sum += k + base + all;
      a[i][j] += sum;
    }
    done[i] = all;
  }
  show("teams distribute with parallels inside");
}

int main(void) {
  combined(N, M);
  names(N, M);
  three(N, M, K);
  bounds(N, M);
  clauses(N, M);
  inside(N, M);
  return 0;
}
