/* `scope`: all threads execute it once, with copies of their own; clang-19 has no code for it on the host. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int s = 0, threads = 0, seen[8] = {0}, x = 4, same = 0;
#pragma omp target parallel num_threads(4) map(tofrom : s, threads, seen, same, x)
  {
#pragma omp scope reduction(+ : s)
    {
      s += 3;
    }
#pragma omp scope firstprivate(x) reduction(+ : threads) nowait
    {
      x = 5;
      threads += x - 4;
      x = 4;
    }
#pragma omp barrier
#pragma omp scope private(x)
    x = 4;
#pragma omp scope reduction(max : same)
    same = same > s ? same : s;
#pragma omp master
    for (int i = 0; i < 8; i++) seen[i] = x + i;
  }
  printf("%d %d %d %d\n", s == 3 * threads, same == s, seen[0], seen[7]);
  return 0;
}
