/* Variables of sequential code around parallels whose first value one thread computes, and C converts by itself. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

enum level { LOW, HIGH = 3 };

int main(void) {
  int counts[4] = {1, 2, 3, 4};
  double sums[4] = {0};
  double complex z[4] = {0};
#pragma omp target map(tofrom : counts, sums, z)
  {
    int *own = malloc(4 * sizeof(int));
    void *some = counts;
    int *same = (counts[0]++, some);
    double first = z[0] = 5 - I;
    double complex second = sums[1] = counts[1]++;
    for (int i = 0; i < 4; i++) own[i] = same[i];
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
      sums[i] += own[i] + first;
      z[i] += second * HIGH + (LOW - I) * i;
    }
    free(own);
  }
  for (int i = 0; i < 4; i++) printf("%d %g %g %g\n", counts[i], sums[i], creal(z[i]), cimag(z[i]));
  return 0;
}
