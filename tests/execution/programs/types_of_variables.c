/* Types of variables: 'typeof' of what the kernel has under other types. */
#include <stdio.h>
int main(void) {
  int n = 3, r = 0, a[4] = {1,2,3,4};
  typedef __typeof__(n) T;
#pragma omp target map(tofrom : r)
  {
    __typeof__(n) k = n;
    k++;
    T t = 1; t++;
    __typeof__(r) q = r;
    q = 5;
    __typeof__(a) b;
    for (int i = 0; i < 4; i++) b[i] = a[i];
    b[1] = 7;
    r += k + q + b[1] + a[1] + t;
  }
  printf("%d %d\n", r, a[1]);
}
