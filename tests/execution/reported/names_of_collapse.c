#include <stdio.h>
int main(void) {
  int s = 0, count = 0;
#pragma omp target teams distribute parallel for collapse(3) reduction(+ : s)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++) s += i * j * k;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : count)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) count += 1;
  printf("%d %d\n", s, count);
  return 0;
}
