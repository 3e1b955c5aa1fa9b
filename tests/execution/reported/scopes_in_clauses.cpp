// Clauses of inner constructs that name captured globals with their namespace.
#include <stdio.h>

namespace counts {
int all = 2, first = 5, last, shift = 1;
}

int main() {
  int sum = 0;
#pragma omp target map(tofrom : counts::all, counts::first, counts::last, sum) map(to : counts::shift)
  {
    int width = 7;
    width++;
#pragma omp parallel num_threads(width)
    {
#pragma omp for reduction(+ : counts::all) firstprivate(counts::first) lastprivate(counts::last)
      for (int i = 0; i < 100; i++) {
        counts::first += i;
        counts::all += i + counts::shift;
        counts::last = counts::first - counts::first + i;
      }
    }
#pragma omp parallel for reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 10; i++) sum += counts::all;
  }
  printf("%d %d %d %d\n", counts::all, counts::last, counts::last, sum);
  return 0;
}
