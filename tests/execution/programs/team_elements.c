/* Reduced arrays whose elements many iterations change: the threads of a team change copies together. */
#include <stdio.h>

#define N 300000
#define M 200

static int keys[N];
static float weights[N];
static int whole[8], grid[5][7], counts[M];
static unsigned bits[M];
static long long wide[64];
static float sums[1000];
static double exact[M];

enum { STEP = 3, BACK = -2 };
struct pair { int key; unsigned short weight : 5; };
static struct pair pairs[N];

static unsigned long long sum_of(const void *v, int n) {
  unsigned long long s = 0;
  for (int i = 0; i < n; i++) s = s * 31 + ((const unsigned *)v)[i];
  return s;
}

#define AT(i) (keys[i] % 8)
#define COUNT(i) whole[AT(i)]++

static void pointers(int *h, double *d, int n, int m) {
#pragma omp target teams distribute parallel for reduction(+ : h[2 : 100], d[0 : 50]) map(to : keys, weights)
  for (int i = 0; i < n; i++) {
    h[2 + keys[i] % 100] -= keys[i];
    d[keys[i] % 50] += weights[i];
  }
#pragma omp target teams distribute parallel for reduction(+ : h[0 : m]) map(to : keys)
  for (int i = 0; i < n; i++) h[keys[i] % m] += 2;
#pragma omp target teams distribute parallel for reduction(+ : h[0 : m], d[0 : m]) map(to : keys, weights)
  for (int i = 0; i < n; i++) {
    h[keys[i] % m] = i - h[0] * 0 + h[keys[i] % m]; /* as it was: another element is named */
    d[keys[i] % m] = d[keys[i] % m] - weights[i];
  }
#pragma omp target teams distribute parallel for reduction(- : h[0 : m], d[0 : m]) map(to : keys, weights)
  for (int i = 0; i < n; i++) {
    h[keys[i] % m] = keys[i] + h[keys[i] % m];
    if (i % 3) d[keys[i] % m] = d[keys[i] % m] + weights[i] * 2;
  }
}

/* More elements than shared memory has room for, known when compiling or not. */
static void many(float *s, long *l, int n, int first, int m) {
#pragma omp target teams distribute parallel for reduction(+ : s[first : m]) reduction(+ : l[0 : 5000]) map(to : keys)
  for (int i = 0; i < n; i++) {
    s[first + keys[i] % m] += 0.25f;
    l[keys[i] + i % 900] -= i;
  }
#pragma omp target teams distribute parallel for reduction(^ : l[first : m]) map(to : keys)
  for (int i = 0; i < n; i++) l[first + keys[i] % m] ^= i;
}

int main(void) {
  unsigned seed = 1;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    keys[i] = seed >> 20;
    weights[i] = (float)(i % 5) * 0.25f;
    pairs[i].key = keys[i] % M;
    pairs[i].weight = i;
  }
  for (int i = 0; i < M; i++) counts[i] = i, exact[i] = 0.5 * i, bits[i] = i;

  /* A whole array in few bytes, which is joined with the others' partial results; and a sum beside it. */
  int total = 0;
#pragma omp target teams distribute parallel for reduction(+ : whole, total) map(to : keys)
  for (int i = 0; i < N; i++) {
    whole[keys[i] % 8]++;
    total += keys[i] & 1;
  }
  printf("few %llx %d\n", sum_of(whole, 8), total);

#pragma omp target teams distribute parallel for reduction(+ : whole) map(to : keys) num_teams(7) thread_limit(64)
  for (int i = 0; i < N; i++) COUNT(i);
#pragma omp target teams distribute parallel for reduction(+ : whole) map(to : keys) num_threads(4)
  for (int i = 0; i < N; i++) {
    if (keys[i] & 1) continue;
    ++whole[AT(i)];
    whole[7 - AT(i)]--;
    --whole[keys[i] / 8 % 8];
  }
  printf("macros, teams and threads %llx\n", sum_of(whole, 8));

  /* Two dimensions, conditions, loops, values of other types. */
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : grid) map(to : keys)
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 1000; j++) {
      int k = keys[i * 1000 + j];
      if (k % 3) grid[k % 5][k % 7] += k - 2000;
      else
        for (int l = 0; l < 3; l++) grid[(k + l) % 5][l] -= (short)l;
    }
  printf("dimensions %llx\n", sum_of(grid, 35));

#pragma omp target teams distribute parallel for reduction(+ : counts) map(to : pairs)
  for (int i = 0; i < N; i++) {
    counts[pairs[i].key] += pairs[i].weight;
    counts[pairs[i].key] += STEP;
    counts[pairs[i].key] -= BACK;
    counts[pairs[i].key] += pairs[i].key > 100;
    counts[pairs[i].key] += 'a';
    counts[pairs[i].key] += 0x100000001ll * i;
    counts[pairs[i].key] -= (unsigned char)i;
  }
  printf("types %llx\n", sum_of(counts, M));

#pragma omp target teams distribute parallel for reduction(- : wide) map(to : keys)
  for (int i = 0; i < N; i++) {
    wide[keys[i] % 64] -= (unsigned)i;
    wide[keys[i] % 64] += -i;
    wide[keys[i] % 64] += (long long)i << 33;
  }
  printf("wide %llx\n", sum_of(wide, 128));

  /* Operators on bits. */
#pragma omp target teams distribute parallel for reduction(| : bits) map(to : keys)
  for (int i = 0; i < N; i++) bits[keys[i] % M] |= 1u << (keys[i] / M);
  printf("or %llx\n", sum_of(bits, M));
#pragma omp target teams distribute parallel for reduction(^ : bits) map(to : keys)
  for (int i = 0; i < N; i++) bits[keys[i] % M] ^= i;
  printf("xor %llx\n", sum_of(bits, M));
#pragma omp target teams distribute parallel for reduction(& : bits) map(to : keys)
  for (int i = 0; i < N; i++) bits[keys[i] % M] &= ~(1 << (keys[i] / M & 7));
  printf("and %llx\n", sum_of(bits, M));

  /* Quarters, which sums of floats have in any order. */
#pragma omp target teams distribute parallel for reduction(+ : sums) map(to : keys, weights)
  for (int i = 0; i < N; i++) {
    sums[keys[i] % 1000] += weights[i];
    sums[keys[i] % 1000]++;
    sums[keys[i] % 999] -= i & 3;
  }
  printf("floats %llx\n", sum_of(sums, 1000));
#pragma omp target teams distribute parallel for reduction(+ : exact) map(to : keys, weights)
  for (int i = 0; i < N; i++) exact[keys[i] % M] += weights[i];
  printf("doubles %llx\n", sum_of(exact, 2 * M));

  for (int i = 0; i < M; i++) counts[i] = i;

  /* What is no such change: values that are used, other operators, types that are converted back. */
  int seen = 0;
#pragma omp target teams distribute parallel for reduction(+ : counts, seen) map(to : keys)
  for (int i = 0; i < N; i++) {
    counts[keys[i] % M] += 2.5;
    seen += counts[keys[i] % M] > 0;
  }
  printf("others %llx %d\n", sum_of(counts, M), seen);

  pointers(counts, exact, N, 77);
  printf("pointers %llx %llx\n", sum_of(counts, M), sum_of(exact, 2 * M));
  static float more[4000];
  static long most[5000];
  many(more, most, N, 100, 3900);
  many(more, most, N, 3, 50);
  printf("many %llx %llx\n", sum_of(more, 4000), sum_of(most, 10000));
  return 0;
}
