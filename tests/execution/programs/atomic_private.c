/* Atomics on what only one thread has, beside those on what threads share. */
#include <stdio.h>

#define N 120

struct part {
  int n[2];
  float f;
};

#pragma omp declare target
static int tally(int start, int n) {
  int own = start, seen = 0;
  for (int i = 0; i < n; i++) {
#pragma omp atomic capture
    { seen = own; own += i > 2 ? 2 : 1; }
#pragma omp atomic compare
    if (own == 40) { own = 0; }
  }
  return own + (seen > 100);
}
static void bump(int *p) {
#pragma omp atomic
  *p += 1;
}
#pragma omp end declare target

int main(void) {
  int out[N], shared = 0, first = 3, own = 5, reduced = 0, last = 0;
#pragma omp target teams distribute parallel for map(from : out) map(tofrom : shared) reduction(+ : reduced)           \
    firstprivate(first)
  for (int i = 0; i < N; i++) {
    int mine = i, old, array[3] = {1, 2, 3};
    struct part part = {{0, 0}, 0.5f};
    struct part *p = &part;
#pragma omp atomic
    mine += 2;
#pragma omp atomic seq_cst
    array[i % 3] *= 5;
#pragma omp atomic capture
    old = part.n[i % 2]++;
#pragma omp atomic
    p->f += 1;
#pragma omp atomic
    reduced += i;
#pragma omp atomic read
    old = first;
#pragma omp atomic
    shared++;
    bump(&mine);
    bump(&shared);
    out[i] = mine + array[0] + 10 * array[1] + 100 * array[2] + old * 10000 + (int)(part.f * 2) + tally(i, 30);
  }
  for (int i = 0; i < N; i++) last = (last * 31 + out[i]) % 1000003;
  printf("%d %d %d\n", shared, reduced, last);
#pragma omp target map(tofrom : last)
  {
#pragma omp atomic
    own += 2;
#pragma omp atomic capture
    { last = own; own = 0; }
  }
  printf("%d\n", last);
  return 0;
}
