/* Sequential code before, between and after parallels; parallels in loops and branches; team-scope variables. */
#include <stdio.h>

#define N 64

static int between(int *a) {
  int sum = 0, last = 0;
  #pragma omp target map(tofrom: a[0:N], sum, last)
  {
    int scale = 2, count = N, part[8] = {0};
    a[0] = 5;
    #pragma omp parallel for num_threads(8)
    for (int i = 0; i < count; i++) a[i] += scale * i;
    scale = a[3];
    #pragma omp parallel num_threads(4)
    {
      #pragma omp for
      for (int i = 0; i < 8; i++) part[i] = scale + i;
    }
    for (int i = 0; i < 8; i++) sum += part[i];
    last = a[N - 1] + sum;
  }
  return sum + last;
}

static int loops(int *a, int rounds) {
  int total = 0;
  #pragma omp target map(tofrom: a[0:N], total)
  {
    int left = rounds;
    while (left-- > 0) {
      if (left % 3 == 0) continue;
      if (a[1] > 1000) break;
      #pragma omp parallel for
      for (int i = 0; i < N; i++) a[i] += left;
      if (a[2] % 2) {
        #pragma omp parallel for
        for (int i = 0; i < N; i++) a[i] *= 2;
      } else
        #pragma omp parallel for num_threads(7)
        for (int i = 0; i < N; i++) a[i] -= 1;
      total++;
    }
    for (int round = 0; round < 3; round++)
      for (int k = 0; k < 2; k++)
        #pragma omp parallel for num_threads(3)
        for (int i = 0; i < N; i++) a[i] += round * k;
    int n = 0;
    do {
      #pragma omp parallel num_threads(2)
      {
        #pragma omp for reduction(+: total)
        for (int i = 0; i < 5; i++) total += i;
      }
      n++;
    } while (n < 3);
  }
  return total;
}

static int choose(int *a, int which) {
  int result = 0;
  #pragma omp target map(tofrom: a[0:N], result)
  switch (which) {
  case 0:
    result = 1;
    #pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = i;
    break;
  case 1:
    #pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = -i;
    result = a[7];
    /* fall through */
  default:
    result += 100;
    a[0] = result;
  }
  return result;
}

struct point {
  int x, y;
  int history[4];
};

static int structures(int *a) {
  int result = 0;
  #pragma omp target teams distribute num_teams(4) map(tofrom: a[0:N]) reduction(+: result)
  for (int b = 0; b < 4; b++) {
    struct point p = {b, 2 * b, {1, 2, 3, 4}};
    int *where = a + b * 16;
    #pragma omp parallel for num_threads(16)
    for (int i = 0; i < 16; i++) where[i] = p.x * 100 + p.y + p.history[i % 4];
    p.history[b] = where[5];
    int sum = 0, product = 1, *ps = &sum;
    #pragma omp parallel for reduction(+: sum) reduction(*: product) num_threads(5)
    for (int i = 0; i < 4; i++) {
      sum += p.history[i];
      product *= i + 1;
    }
    result += *ps + product;
  }
  return result;
}

static int extents(int *a, int n, int width) {
  int result = 0;
  #pragma omp target teams distribute map(tofrom: a[0:N]) reduction(max: result) thread_limit(32)
  for (int b = 0; b < 4; b++) {
    int row[n];
    #pragma omp parallel for num_threads(width)
    for (int i = 0; i < n; i++) row[i] = a[b * n + i] + b;
    int best = row[0];
    #pragma omp parallel for reduction(max: best)
    for (int i = 0; i < n; i++) best = row[i] > best ? row[i] : best;
    if (best > result) result = best;
  }
  return result;
}

static int split(int *a) {
  int hits = 0;
  #pragma omp target map(tofrom: a[0:N], hits)
  #pragma omp teams num_teams(3)
  {
    int base = 10;
    #pragma omp distribute
    for (int b = 0; b < 8; b++) {
      int offset = base + b;
      #pragma omp parallel for
      for (int i = 0; i < 8; i++) a[b * 8 + i] = offset * 2;
    }
    #pragma omp distribute parallel for reduction(+: hits)
    for (int i = 0; i < N; i++) hits += i % 2;
  }
  return hits;
}

static int conditional(int *a, int wide) {
  int seen = 0;
  #pragma omp target map(tofrom: a[0:N], seen)
  {
    #pragma omp parallel if(wide > 3) num_threads(6) reduction(+: seen)
    {
      #pragma omp for
      for (int i = 0; i < N; i++) {
        a[i] += 1;
        seen += 1;
      }
    }
    seen *= 2;
  }
  return seen;
}

static void show(const char *what, int result, const int *a) {
  long sum = 0;
  for (int i = 0; i < N; i++) sum += (long)a[i] * (i + 1);
  printf("%s %d %ld\n", what, result, sum);
}

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = i % 7;
  show("between", between(a), a);
  show("loops", loops(a, 9), a);
  for (int which = 0; which < 3; which++) show("choose", choose(a, which), a);
  show("structures", structures(a), a);
  show("extents", extents(a, 16, 9), a);
  show("split", split(a), a);
  show("conditional", conditional(a, 5), a);
  show("conditional", conditional(a, 2), a);
  return 0;
}
