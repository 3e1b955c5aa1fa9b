#include <stdio.h>
#include <setjmp.h>
static jmp_buf at;
int find(int *a, int n) {
#pragma omp target teams distribute parallel for map(to: a[0:n])
  for (int i = 0; i < n; i++) {
    if (a[i] == 3) break;
    if (a[i] == 4) return i;
  }
  return -1;
}
int jumps(int n) {
  int s = 0;
#pragma omp target map(s)
  { if (setjmp(at) == 0) s = 1; }
  return s;
}
int main(void) { int a[3] = {1, 3, 4}; printf("%d %d\n", find(a, 3), jumps(2)); return 0; }
