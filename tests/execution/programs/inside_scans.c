/* Prefix sums inside regions: who executes the loop, its form and clauses, operators of the user's. */
#include <omp.h>
#include <stdio.h>

#define N 300

struct run { long sum; int longest; };
#pragma omp declare reduction(join : struct run : omp_out.sum += omp_in.sum,                                            \
                              omp_out.longest = omp_in.longest > omp_out.longest ? omp_in.longest : omp_out.longest)   \
    initializer(omp_priv = {0, 0})
/* The order counts: of composed maps x -> a * x + b. */
struct map { unsigned a, b; };
#pragma omp declare reduction(then : struct map : omp_out.b = omp_in.a * omp_out.b + omp_in.b,                          \
                              omp_out.a *= omp_in.a) initializer(omp_priv = {1, 0})

static int a[N], in[N], ex[N], runs[N];

static void show(const char *what, const int *values, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 31u + (unsigned)values[i];
  printf("%s %u\n", what, sum);
}

/* Any number of iterations, by the whole block and by parts of it. */
static void widths(void) {
  static const int counts[] = {0, 1, 31, 32, 36, 37, 38, 64, 74, N};
  for (int c = 0; c < 10; c++) {
    int n = counts[c], s = 5, t = 7, u = 1;
#pragma omp target map(to : a) map(tofrom : in, ex, runs, s, t, u)
    {
      int width = 37;
#pragma omp parallel num_threads(width)
      {
#pragma omp for reduction(inscan, + : s)
        for (int i = 0; i < n; i++) {
          s += a[i];
          runs[i]++;
#pragma omp scan inclusive(s)
          in[i] = s;
          runs[i] += 100;
        }
#pragma omp for reduction(inscan, + : t) reduction(inscan, max : u) nowait
        for (int i = n - 1; i >= 0; i -= 2) {
          ex[i] = t + u;
          runs[i]++;
#pragma omp scan exclusive(t, u)
          t += a[i];
          if (a[i] > u) u = a[i];
          runs[i] += 100;
        }
      }
      s += t;
#pragma omp parallel for reduction(inscan, + : s)
      for (int i = 0; i < n; i++) {
        s += 3;
#pragma omp scan inclusive(s)
        in[i] += s;
      }
#pragma omp parallel for reduction(inscan, + : s) num_threads(1)
      for (int i = 0; i < n; i++) {
        ex[i] -= s;
#pragma omp scan exclusive(s)
        s += a[i];
      }
#pragma omp parallel for simd reduction(inscan, + : s) num_threads(64)
      for (int i = 0; i < n; i++) {
        ex[i] += s;
#pragma omp scan exclusive(s)
        s++;
      }
    }
    printf("%d: %d %d %d\n", n, s, t, u);
    show("in", in, N);
    show("ex", ex, N);
    show("runs", runs, N);
  }
}

/* A loop of the initial thread, of a thread alone, and of parallels inside of parallels. */
static void alone(int n) {
  int s = 1, t = 2, last = -1, k = 10, some = 0;
#pragma omp target map(to : a) map(tofrom : in, ex, s, t, last, k, some)
  {
    int e = 4;
#pragma omp simd reduction(inscan, + : s) lastprivate(conditional : some)
    for (int i = 0; i < n; i++) {
      s += a[i] + e;
#pragma omp scan inclusive(s)
      in[i] = s;
      if (a[i] == 7) some = s;
    }
#pragma omp simd reduction(inscan, + : t) lastprivate(last) linear(k : 3)
    for (int i = 0; i < n; i++) {
      ex[i] = t + k;
      last = i;
      k += 3;
#pragma omp scan exclusive(t)
      t += a[i];
    }
#pragma omp parallel num_threads(5)
    {
#pragma omp single
      {
#pragma omp parallel for reduction(inscan, - : s) num_threads(3)
        for (int i = 0; i < n; i++) {
          s -= i;
#pragma omp scan inclusive(s)
          in[i] ^= s;
        }
      }
      int own = 6;
#pragma omp simd reduction(inscan, + : own)
      for (int i = 0; i < n; i++) {
        if (i % omp_get_num_threads() == omp_get_thread_num()) ex[i] += own;
#pragma omp scan exclusive(own)
        own += i;
      }
    }
  }
  printf("%d %d %d %d %d\n", s, t, last, k, some);
  show("in", in, N);
  show("ex", ex, N);
}

/* Functions: the team of whoever calls, from a whole block, a part of it, and outside of any parallel. */
#pragma omp declare target
static long total;
static void sums(const int *values, int n, int *sums) {
#pragma omp for reduction(inscan, + : total)
  for (int i = 0; i < n; i++) {
    total += values[i];
#pragma omp scan inclusive(total)
    sums[i] = (int)total;
  }
}
static int before(const int *values, int n, int *sums) {
  int s = 9;
#pragma omp parallel for reduction(inscan, + : s)
  for (int i = 0; i < n; i++) {
    sums[i] += s;
#pragma omp scan exclusive(s)
    s += values[i];
  }
  return s;
}
#pragma omp end declare target

static void functions(int n) {
  long result = 0;
  int s = 0;
#pragma omp target map(to : a) map(tofrom : in, ex, result, s)
  {
    total = 100;
#pragma omp parallel num_threads(33)
    sums(a, n, in);
    result = total;
    sums(in, n, in);
    result += total;
    s = before(a, n, ex);
#pragma omp parallel
    {
      sums(a, n - 1, in);
#pragma omp single
      s += before(a, n, ex);
      int mine[4] = {1, 2, 3, 4}, out[4] = {0, 0, 0, 0};
      int r = before(mine, 4, out) + out[omp_get_thread_num() % 4];
      if (omp_get_thread_num() == 0) s += r;
    }
    result += total;
  }
  printf("%ld %d\n", result, s);
  show("in", in, N);
  show("ex", ex, N);
}

/* A row of a matrix for each team; several loops as one; indices of the user's. */
static void rows(void) {
  static int m[12][25], p[12][25];
  int i, j, s = 3;
  for (i = 0; i < 12; i++)
    for (j = 0; j < 25; j++) m[i][j] = (i * 25 + j) % 13 - 4;
#pragma omp target teams distribute map(to : m) map(from : p) private(j)
  for (i = 0; i < 12; i++) {
    int sum = i;
#pragma omp parallel for reduction(inscan, + : sum) num_threads(7)
    for (j = 0; j < 25; j++) {
      sum += m[i][j];
#pragma omp scan inclusive(sum)
      p[i][j] = sum;
    }
  }
  show("rows", p[0], 300);
#pragma omp target map(to : m) map(tofrom : p, s)
#pragma omp parallel num_threads(21)
  {
#pragma omp for collapse(2) reduction(inscan, + : s)
    for (i = 0; i < 12; i++)
      for (j = 24; j >= 0; j -= 3) {
        s += m[i][j];
#pragma omp scan inclusive(s)
        p[i][j] = s;
      }
#pragma omp for simd collapse(2) reduction(inscan, + : s)
    for (i = 2; i < 12; i += 2)
      for (j = 0; j < 24; j++) {
        p[i][j] += s;
#pragma omp scan exclusive(s)
        s += m[i][j];
      }
#pragma omp barrier
#pragma omp single
    {
#pragma omp simd collapse(2) reduction(inscan, + : s)
      for (int k = 2; k < 12; k += 2)
        for (int l = k; l < 24; l++) {
          p[k][l] += s;
#pragma omp scan exclusive(s)
          s += m[k][l];
        }
    }
  }
  printf("%d\n", s);
  show("rows", p[0], 300);
}

/* What a loop may have besides, and loops with scans inside of each other. */
static void clauses(int n) {
  int s = 2, last = 0, first = 3, k = 1, x = 8, count = 0, some = 0;
#pragma omp target map(to : a) map(tofrom : in, ex, s, last, k, count, some)
  {
    int before = 0;
#pragma omp parallel num_threads(19) firstprivate(before)
    {
#pragma omp for reduction(inscan, + : s) lastprivate(last) firstprivate(first) private(x) linear(k : 2)                 \
    lastprivate(conditional : some)
      for (int i = 0; i < n; i++) {
        x = a[i] + first;
        s += x + k;
        k += 2;
#pragma omp critical
        count++;
#pragma omp scan inclusive(s)
        in[i] = s;
        last = i * 2;
        if (a[i] == 7) some = s;
#pragma omp atomic
        count += 2;
      }
#pragma omp for reduction(inscan, + : s)
      for (int i = 0; i < n; i++) {
        int row = 0;
#pragma omp simd reduction(inscan, + : row)
        for (int j = 0; j < 4; j++) {
          row += a[i] + j;
#pragma omp scan inclusive(row)
          ex[i] = row;
        }
        s += row;
#pragma omp scan inclusive(s)
        {
          int behind = s;
          for (int j = 0; j < 2; j++) {
            if (j == 0) continue;
            in[i] += behind;
          }
        }
      }
    }
  }
  printf("%d %d %d %d %d\n", s, last, k, count, some);
  show("in", in, N);
  show("ex", ex, N);
}

/* Operators of the user's; the values of an iteration need not build on those before it. */
static void declared(int n) {
  struct run r = {10, 1};
  struct map f = {1, 0};
  int newest = 0;
#pragma omp target map(to : a) map(tofrom : in, ex, r, f, newest)
  {
    int width = 50;
#pragma omp parallel num_threads(width)
    {
#pragma omp for reduction(inscan, join : r)
      for (int i = 0; i < n; i++) {
        in[i] = (int)r.sum;
        ex[i] = r.longest;
#pragma omp scan exclusive(r)
        r.sum += a[i];
        if (a[i] > r.longest) r.longest = a[i];
      }
#pragma omp for reduction(inscan, then : f)
      for (int i = 0; i < n; i++) {
        struct map mine = {(unsigned)(i * 2 + 3), (unsigned)a[i]};
        f.b = mine.a * f.b + mine.b;
        f.a *= mine.a;
#pragma omp scan inclusive(f)
        in[i] ^= (int)(f.a * 3 + f.b);
      }
    }
#pragma omp simd reduction(inscan, then : f)
    for (int i = 0; i < n; i++) {
      ex[i] ^= (int)f.b;
#pragma omp scan exclusive(f)
      f.b = 3 * f.b + 1;
      f.a *= 3;
    }
#pragma omp parallel for reduction(inscan, max : newest) num_threads(9)
    for (int i = 0; i < n; i++) {
      if (a[i] > newest) newest = a[i];
#pragma omp scan inclusive(newest)
      in[i] += newest;
    }
  }
  printf("%ld %d %u %u %d\n", r.sum, r.longest, f.a, f.b, newest);
  show("in", in, N);
  show("ex", ex, N);
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = (i * 37) % 101 - 20;
  widths();
  alone(N);
  functions(N);
  rows();
  clauses(N);
  declared(N);
  return 0;
}
