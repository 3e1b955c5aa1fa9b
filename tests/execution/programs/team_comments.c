/* What all threads have done is waited for in front of what the first thread executes, whatever text is between. */
#include <stdio.h>
#define SAME(x) x
int main(void) {
  int r[64] = {0}, n = 16;
#pragma omp target teams distribute num_teams(2) thread_limit(32) map(tofrom : r)
  for (int b = 0; b < 2; b++) {
    int z = 3;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) r[16 + b * 16 + i] += z;
    /* A comment, */ // and another
    r[b] += r[16 + b * 16]; r[b] += r[31 + b * 16];
    r[b]++;
    z += r[b];
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) r[16 + b * 16 + i] += z + r[b];
#if 1
    r[b] += 3;
    r[b + 2] = r[b] + r[20 + b * 16];
#endif
    z += r[b];
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) r[16 + b * 16 + i] += r[b] - z;
    SAME(SAME(r)[b]) += r[16 + b * 16]; r[b + 4] = 3;
    SAME(r[b])++;
    if (r[b] > 3) {
      // In an inner block.
      r[b] += 2;
      r[b + 6]++;
#pragma omp parallel for num_threads(4)
      for (int i = 0; i < n; i++) r[16 + b * 16 + i] += r[b];
    } else
      // A statement that is no block.
      r[b]--;
    for (int k = 0; k < 3; k++)
      // Nor is this.
      r[b] += k;
    /* The last. */
    r[b] += r[16 + b * 16]; r[b] += r[31 + b * 16];
  }
  for (int i = 0; i < 64; i++) printf("%d ", r[i]);
  puts("");
}
