/* Parameters written as arrays are pointers: mapped themselves, or what they point to. */
#include <stdio.h>
static void f(int v[5], int w[][3], int n) {
#pragma omp target map(v, v[0 : n])
  v[1] += 4;
#pragma omp target map(w, w[1 : 2])
  w[1][n - 3] += 5;
#pragma omp target data map(tofrom: v[0 : 5])
  {
#pragma omp target map(v[1 : 2])
    v[2] = 7;
  }
#pragma omp target enter data map(w[0 : 2])
#pragma omp target map(w[1][0 : 3])
  w[1][2] = 6;
#pragma omp target exit data map(w[0 : 2])
  int (*vla)[n] = (int (*)[n])w;
#pragma omp target map(vla[0 : 2])
  vla[1][1] = 11;
}
int main(void) {
  int v[5] = {1, 2, 3, 4, 5}, w[3][3] = {{1}, {2, 3}, {4}};
  f(v, w, 4);
  for (int i = 0; i < 5; i++) printf("%d ", v[i]);
  for (int i = 0; i < 9; i++) printf("%d ", w[i / 3][i % 3]);
  printf("\n");
}
