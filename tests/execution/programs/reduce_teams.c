/* Reductions of a league around parallels, device pointers, clauses on several constructs. */
#include <stdio.h>
#include <stdlib.h>

#define N 240

typedef struct { long sum; int most; } tally;
#pragma omp declare reduction(tally : tally : omp_out.sum += omp_in.sum,                                                 \
                              omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most)                  \
    initializer(omp_priv = {0, -1})

static int total;

static void leagues(int n) {
  int s = 3, parts[4] = {1, 2, 3, 4};
  tally t = {5, 6};
#pragma omp target teams distribute reduction(+ : s, parts[1 : 2]) reduction(tally : t) num_teams(6) thread_limit(48)      \
    map(tofrom : s, t)
  for (int k = 0; k < 12; k++) {
    s += 1;
    parts[1 + k % 2] += 2;
#pragma omp parallel for reduction(+ : s) reduction(tally : t)
    for (int i = 0; i < n; i++) {
      s += i;
      t.sum += k;
      if (i + k > t.most) t.most = i + k;
    }
  }
  printf("%d %d %d %d %d %ld %d\n", s, parts[0], parts[1], parts[2], parts[3], t.sum, t.most);
#pragma omp target teams distribute reduction(+ : total) reduction(max : parts) num_teams(3)
  for (int k = 0; k < 9; k++) {
    int mine = 0;
#pragma omp parallel for reduction(+ : mine)
    for (int i = 0; i < n; i++) mine += i + k;
    total += mine;
    if (parts[k % 4] < mine) parts[k % 4] = mine;
  }
  printf("%d %d %d %d %d\n", total, parts[0], parts[1], parts[2], parts[3]);
}

static void pointers(int n) {
  int *p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = i;
#pragma omp target data map(tofrom : p[0 : n]) use_device_ptr(p)
  {
#pragma omp target teams distribute parallel for is_device_ptr(p) reduction(+ : p[1 : 3])
    for (int i = 0; i < n; i++) p[1 + i % 3] += i;
  }
  printf("%d %d %d %d\n", p[0], p[1], p[2], p[3]);
  free(p);
}

static void split(int n) {
  int s = 1, m = 0, a[3] = {0, 0, 0};
#pragma omp target map(tofrom : s, m, a)
#pragma omp teams reduction(+ : s) num_teams(3)
#pragma omp distribute parallel for reduction(+ : s) reduction(max : m)
  for (int i = 0; i < n; i++) {
    s += i;
    if (i > m) m = i;
  }
#pragma omp target map(tofrom : a)
#pragma omp teams distribute parallel for reduction(+ : a[0 : 2])
  for (int i = 0; i < n; i++) a[i % 2]++;
#pragma omp target teams reduction(+ : s) num_teams(1)
#pragma omp parallel reduction(+ : s) num_threads(1)
  s += 2;
  printf("%d %d %d %d %d\n", s, m, a[0], a[1], a[2]);
}

int main(void) {
  leagues(N);
  pointers(N);
  split(N);
  return 0;
}
