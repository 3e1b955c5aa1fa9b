/* Sums of elements that many iterations add to: those of a block come together in its own memory first. */
#include <stdio.h>

#define N 3000000

static unsigned char bytes[N];
static int fixed[300];
static unsigned few[4096];
static int marks[N];
static int own[64], alone;

static unsigned long long wide[300];
static struct tally {
  long sum;
  int few, most;
} tallies[5000];

static struct moment {
  unsigned long long n;
  double sum;
} moments[256];

enum { STEP = 3, BACK = -2 };

static unsigned long long sum_of(const int *v, int n) {
  unsigned long long s = 0;
  for (int i = 0; i < n; i++) s = s * 31 + (unsigned)v[i];
  return s;
}

/* Nothing but their types says that the counts are other memory than the numbers. */
static void count_distances(int n, int m, const float *x, const float *y, unsigned *counts) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float d = x[i] - y[j];
#pragma omp atomic
      counts[(int)((d < 0 ? -d : d) * 8)]++;
    }
}

/* What a function reads before an addition may be any memory, as far as pointers in structures tell. */
struct field {
  int n;
  const unsigned char *cells;
};

static int corners(const struct field *of, int i) {
  int c = 0;
  for (int k = 0; k < 8; k++)
    if (of->cells[(i + k * k) % of->n] > 128) c |= 1 << k;
  return c;
}

int main(void) {
  unsigned seed = 1;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    bytes[i] = seed >> 24;
  }
  unsigned *counts = few + 1000;

#pragma omp target teams distribute parallel for map(tofrom : fixed) map(to : bytes)
  for (int i = 0; i < N; i++) {
    int k = bytes[i] % 100;
#pragma omp atomic
    fixed[k + 200]++;
  }
  printf("array %llx\n", sum_of(fixed, 300));

  /* Elements in front of the pointer's, and far behind it, have no bins. */
#pragma omp target teams distribute parallel for map(tofrom : few) map(to : bytes)
  for (int i = 0; i < N; i++) {
    int k = bytes[i] * 12 % 4096;
#pragma omp atomic update
    few[k] += i & 3;
  }
  printf("beyond the bins %llx\n", sum_of((int *)few, 4096));

#pragma omp target teams distribute parallel for map(tofrom : counts[-1000 : 4096]) map(to : bytes)
  for (int i = 0; i < N; i++) {
    int k = bytes[i] - 128;
#pragma omp atomic update
    counts[k * 7] -= (short)(i % 5 - 2);
  }
  printf("around a pointer %llx\n", sum_of((int *)few, 4096));

  /* Signed sums below zero, several arrays, and conditions. */
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : fixed, few) map(to : bytes)
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < N / 1000; j++) {
      int b = bytes[i * (N / 1000) + j];
      if (b & 1) {
#pragma omp atomic
        fixed[b] = fixed[b] - (b - 100);
      } else {
#pragma omp atomic
        few[b] += (unsigned)-b;
      }
    }
  printf("two arrays %llx %llx\n", sum_of(fixed, 300), sum_of((int *)few, 4096));

  /* An iteration that reads what it has added to, and one that was given a value before, have none or the right one. */
#pragma omp target teams distribute parallel for map(tofrom : marks)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    marks[i] += i;
    marks[i] *= 2;
  }
#pragma omp target teams distribute parallel for map(tofrom : marks)
  for (int i = 0; i < N; i++) {
    marks[i] += 7;
#pragma omp atomic
    marks[i] += 5;
  }
  printf("own elements %llx\n", sum_of(marks, N));

  /* In a loop of an iteration, from another array. */
#pragma omp target teams distribute parallel for map(tofrom : fixed) map(to : bytes)
  for (int i = 0; i < N / 4; i++)
    for (int j = 0; j < 4; j++) {
#pragma omp atomic
      fixed[bytes[4 * i + j]] += j;
    }
  printf("in a loop %llx\n", sum_of(fixed, 300));

  /* Values that are enumerators, which C++ has of types of their own. */
#pragma omp target teams distribute parallel for map(tofrom : fixed) map(to : bytes)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    fixed[bytes[i]] += STEP;
#pragma omp atomic
    fixed[bytes[i]] -= BACK;
  }
  printf("enumerators %llx\n", sum_of(fixed, 300));

  /* A thread's own copy of a variable with static storage. */
#pragma omp target teams distribute parallel for map(from : marks) private(own) firstprivate(alone)
  for (int i = 0; i < N; i++) {
    own[i % 64] = i;
    alone = i;
#pragma omp atomic
    own[i % 64] += 5;
#pragma omp atomic
    alone++;
    marks[i] = own[i % 64] + alone;
  }
  printf("private %llx\n", sum_of(marks, N));

  /* Sums of 64 bits, which leave 32 behind upwards and downwards, and members of elements. */
  for (int i = 0; i < 300; i++) wide[i] = 4294967290ull * i;
#pragma omp target teams distribute parallel for map(tofrom : wide) map(to : bytes)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    wide[bytes[i]] += 1;
#pragma omp atomic
    wide[bytes[i] + 40] += 3000000000u;
  }
  printf("wide %llx\n", sum_of((int *)wide, 600));
#pragma omp target teams distribute parallel for map(tofrom : tallies) map(to : bytes)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    tallies[bytes[i] * 19].sum -= i - 100;
  }
#pragma omp target teams distribute parallel for map(tofrom : tallies) map(to : bytes)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    tallies[bytes[i] * 19].most += 2;
  }
  printf("members %llx\n", sum_of((int *)tallies, 20000));

  /* Integers with bins beside floating-point numbers without, by pointers of an iteration. */
  struct moment *all = moments;
#pragma omp target teams distribute parallel for map(tofrom : all[0 : 256]) map(to : bytes)
  for (int i = 0; i < N; i++) {
    struct moment *m = &all[bytes[i]];
#pragma omp atomic
    m->n++;
#pragma omp atomic
    m->sum += bytes[i] * 0.5;
#pragma omp atomic
    all[bytes[i] & 63].n -= 3;
  }
  double sums = 0;
  unsigned long long counts_of = 0;
  for (int i = 0; i < 256; i++) sums += moments[i].sum * (i + 1), counts_of = counts_of * 31 + moments[i].n;
  printf("moments %.1f %llx\n", sums, counts_of);
  /* Pairs: an iteration adds many times, and looks for each element in a loop of its own. */
  int pairs[64] = {0}, distances[64] = {0}, limits[16];
  for (int b = 0; b < 16; b++) limits[b] = b * b;
#pragma omp target teams distribute parallel for map(tofrom : pairs, distances) map(to : bytes, limits)
  for (int i = 0; i < 700; i++)
    for (int j = i + 1; j < 700; j++) {
      int d = bytes[i] > bytes[j] ? bytes[i] - bytes[j] : bytes[j] - bytes[i], b = 0;
      while (b < 15 && limits[b + 1] <= d) b++;
#pragma omp atomic
      pairs[b]++;
      if (d % 3 == 0) {
#pragma omp atomic
        distances[d % 64] += d;
      }
    }
  printf("pairs %llx %llx\n", sum_of(pairs, 64), sum_of(distances, 64));

  float x[700], y[500];
  unsigned apart[64] = {0};
  for (int i = 0; i < 700; i++) x[i] = bytes[i] / 64.0f;
  for (int i = 0; i < 500; i++) y[i] = bytes[1000 + i] / 64.0f;
#pragma omp target data map(to : x) map(to : y) map(tofrom : apart)
  count_distances(700, 500, x, y, apart);
  printf("distances %llx\n", sum_of((int *)apart, 64));

  struct field field = {N, bytes};
  int cases[256] = {0};
#pragma omp target data map(to : field) map(to : field.cells[0 : N])
#pragma omp target teams distribute parallel for map(tofrom : cases)
  for (int i = 0; i < N; i++) {
    int c = corners(&field, i);
#pragma omp atomic
    cases[c]++;
  }
  printf("cases %llx\n", sum_of(cases, 256));
  return 0;
}
