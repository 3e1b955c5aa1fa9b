/* A variable that the team shares begins with what a parallel has left. */
#include <stdio.h>

int main(void) {
  int result = 0;
#pragma omp target map(from : result)
  {
    int v[64];
#pragma omp parallel for
    for (int i = 0; i < 64; i++) v[i] = 100 + i;
    int sum = v[40];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 64; i++) sum += v[i];
    result = sum;
  }
  printf("%d\n", result);
  return 0;
}
