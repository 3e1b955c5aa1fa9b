/* Arrays whose extents only the run knows: declared in threads and functions, private copies of every kind, pointers to
   them, typedefs, and their sizes. */
#include <stdio.h>
#include <string.h>

#define N 96

static int out[N];

static void show(const char *name) {
  long sum = 0;
  for (int i = 0; i < N; i++) sum = sum * 31 % 1000003 + out[i];
  printf("%s %ld:", name, sum);
  for (int i = 0; i < 8; i++) printf(" %d", out[i]);
  printf("\n");
  memset(out, 0, sizeof out);
}

#pragma omp declare target
static int of_function(int n) {
  short t[n], (*p)[n] = &t, u = 1;
  for (int k = 0; k < n; k++) t[k] = (short)(k + u);
  int s = (int)sizeof t + (int)sizeof *p;
  for (int k = 0; k < n; k++) s += t[k] + (*p)[k];
  return s;
}

static void fill(int n, int m, int a[n][m], int v) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) a[i][k] = v + k * i;
}

static int sum_of(int n, int m, const int (*a)[m]);
static int sum_of(int n, int m, const int (*a)[m]) {
  int s = (int)sizeof *a;
  for (int i = 0; i < n; i++, a++)
    for (int k = 0; k < m; k++) s += (*a)[k] + (k == 1 ? a[0][k] : 0);
  return s;
}

static int first_of(int n, int a[n]) { return a[0] + a[n - 1]; }
#pragma omp end declare target

static void declared(int n, int m) {
#pragma omp target teams distribute parallel for map(tofrom : out)
  for (int i = 0; i < n; i++) {
    int a[n], count = 2, grid[n][m], *chosen[n];
    a[0] = i;
    for (int j = 1; j < n; j++) a[j] = a[j - 1] + count;
    fill(n, m, grid, i);
    for (int j = 0; j < n; j++) chosen[j] = &grid[n - 1 - j][1];
    out[i] = first_of(n, a) + sum_of(n, m, grid) + *chosen[i] + (int)(sizeof grid + sizeof grid[0] + sizeof(int[m][2]));
    out[i + n] = of_function(i + 3);
  }
  show("declared");
}

static void with_types(int n, int m) {
  typedef int row[m];
  int data[n][m];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) data[i][k] = i - k;
  int(*rows)[m] = data;
#pragma omp target teams distribute parallel for map(tofrom : out) map(to : rows[0 : n])
  for (int i = 0; i < n; i++) {
    typedef short line[m + 1];
    row mine;
    line two[2];
    row *from = (row *)rows;
    int(*half)[m / 2 + 1] = (int(*)[m / 2 + 1]) & mine[0];
    for (int k = 0; k < m; k++) mine[k] = rows[i][k] + from[0][k];
    for (int k = 0; k < m; k++) two[k % 2][k] = (short)(3 * k);
    from++;
    from = &from[i % 2];
    out[i] = mine[m - 1] + two[1][1] + (int)(sizeof(row) + sizeof(line) + sizeof two + sizeof *rows + sizeof *half);
    out[n + i] = half[0][1] + (i % 2 && i + 1 < n ? from[0][1] : 0) + (int)(from - rows);
  }
  show("types");
}

static void only_measured(int n, int m) {
#pragma omp target map(tofrom : out)
  out[0] = (int)sizeof(int[n]);
#pragma omp target map(tofrom : out)
  {
    typedef short line[m];
    out[1] = (int)sizeof(line);
  }
  show("only measured");
}

static void of_threads(int n, int m) {
  int a[n], b[n][m];
  for (int i = 0; i < n; i++) {
    a[i] = 3 * i;
    for (int k = 0; k < m; k++) b[i][k] = i * k;
  }
#pragma omp target teams distribute parallel for map(tofrom : out) firstprivate(a, b)
  for (int i = 0; i < n; i++) out[i] = a[i] + a[n - 1 - i] + b[i][m - 1] + (int)sizeof b;
  show("read");
#pragma omp target teams distribute parallel for map(tofrom : out) firstprivate(a, b) num_teams(n) num_threads(1) \
    dist_schedule(static, 1)
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    b[i][0] += 5;
    out[i] = a[i] + b[i][0] + (int)sizeof a;
  }
#ifndef _OPENMP
  for (int i = 0; i < n; i++) a[i] -= 1, b[i][0] -= 5;
#endif
  for (int i = 0; i < n; i++) out[n + i] = a[i] + b[i][0];
  show("written");
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : out) private(a, b)
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      for (int j = 0; j < n; j++) a[j] = b[j][k] = i + j;
      out[2 * i + k] = first_of(n, a) + b[n - 1][k];
    }
  show("private");
}

/* Copies that are too large for a thread's own memory. */
static void large(int n) {
  double a[n];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : out) firstprivate(a) num_teams(4) num_threads(3)
  for (int i = 0; i < 12; i++) {
    double b[n];
    for (int j = 0; j < n; j++) b[j] = a[n - 1 - j];
    a[i] = b[i];
    out[i] = (int)(a[i] + b[n - 20]);
  }
  show("large");
}

static void of_teams(int n, int m) {
  int a[n], b[n][m];
  for (int i = 0; i < n; i++) {
    a[i] = 3 * i;
    for (int k = 0; k < m; k++) b[i][k] = i * k;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) firstprivate(a) private(b)
  {
    a[0] = 7;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      a[i] += i;
      for (int k = 0; k < m; k++) b[i][k] = i + k;
    }
    for (int i = 0; i < n; i++) out[i] = a[i] + b[i][1] + (int)(sizeof a + sizeof b[0]);
  }
  show("team");
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) b[i][k] = i * k;
#pragma omp target teams map(tofrom : out) num_teams(3) map(to : b)
#pragma omp distribute private(a) firstprivate(b)
  for (int i = 0; i < n; i++) {
    int own[m][2];
    a[0] = i;
#pragma omp parallel for
    for (int j = 1; j < n; j++) {
      a[j] = j + i;
      if (j < m) own[j][1] = b[j][1];
    }
    out[i] = a[0] + a[n - 1] + own[m - 1][1] + (int)sizeof own;
  }
  show("distribute");
}

static void inner(int n, int m) {
#pragma omp target map(tofrom : out)
  {
    int a[n], b[n][m], s[n];
    for (int i = 0; i < n; i++) a[i] = i, s[i] = 1, b[i][0] = 2 * i, b[i][m - 1] = 1;
#pragma omp parallel for private(a) firstprivate(b) num_threads(4)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) a[j] = i + j;
      out[i] = a[n - 1] + b[i][0] + b[n - 1][m - 1] + (int)(sizeof a + sizeof b);
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) s[j] += i * j;
#pragma omp parallel for lastprivate(b)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++) b[j][k] = i + j * k;
    for (int i = 0; i < n; i++) out[n + i] = s[i] + b[i][m - 1];
#pragma omp parallel
#pragma omp single firstprivate(s)
    {
      s[1] += 5;
      out[2 * n] = s[1];
    }
#pragma omp parallel sections private(s)
    {
#pragma omp section
      {
        s[n - 1] = 3;
        out[2 * n + 1] = s[n - 1];
      }
#pragma omp section
      {
        s[n - 1] = 4;
        out[2 * n + 2] = s[n - 1];
      }
    }
  }
  show("inner");
}

static void returned(int n, int m) {
  int a[n], b[n][m], c[n];
  for (int i = 0; i < n; i++) {
    a[i] = c[i] = i;
    for (int k = 0; k < m; k++) b[i][k] = k;
  }
#pragma omp target teams distribute parallel for reduction(+ : a, b) reduction(max : c[1 : n - 1])
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++) {
      a[j] += i * j;
      b[j][j % m] += i;
      c[j] = c[j] > 2 * i + j % 3 ? c[j] : 2 * i + j % 3;
    }
  for (int i = 0; i < n; i++) out[i] = a[i] + b[i][i % m] + c[i];
  show("reduced");
#pragma omp target teams distribute parallel for map(tofrom : a) lastprivate(a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[j] = i + 2 * j;
  for (int i = 0; i < n; i++) out[i] = a[i];
#pragma omp target parallel for reduction(+ : b)
  for (int i = 0; i < n; i++) b[i][0] += i;
  for (int i = 0; i < n; i++) out[n + i] = b[i][0];
  show("last");
}

/* Casts that start no pointer; copies of a team's array for the iterations that a team takes. */
static void cast(int n, int m) {
  int *p = out;
  for (int i = 0; i < n * m; i++) p[i] = i;
#pragma omp target map(tofrom : p[0 : n * m])
  {
    int s = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) s += ((int (*)[m])p)[i][j] * (i + 1);
    int(*q)[m];
    q = (int (*)[m])p;
    q[n - 1][m - 1] = s;
    (*((int (*)[m])p + 1))[0] += 5;
  }
  show("cast");
  int v[m];
  for (int i = 0; i < m; i++) v[i] = i + 1;
#pragma omp target teams map(from : out) map(to : v) num_teams(4)
  {
#pragma omp distribute firstprivate(v)
    for (int b = 0; b < n; b++) {
#pragma omp parallel for num_threads(8)
      for (int i = 0; i < m; i++) v[i] += b;
      int s = 0;
      for (int i = 0; i < m; i++) s += v[i] > b;
      out[b] = s;
    }
  }
  for (int i = n; i < n * m; i++) out[i] = 0;
  show("for teams");
}

int main(void) {
  declared(12, 5);
  with_types(10, 6);
  only_measured(13, 4);
  of_threads(13, 4);
  large(700);
  of_teams(14, 5);
  inner(11, 3);
  returned(12, 5);
  cast(6, 5);
  return 0;
}
