/* A construct reduces a variable that its loop never changes. */
#include <stdio.h>

int main(void) {
  long long f = 6;
  int s = 3, out = 0;
  #pragma omp target map(from: out) firstprivate(f)
  {
    #pragma omp loop bind(thread) reduction(&: f)
    for (int i = 0; i < 4; i++) s += i;
    out = (int)f + s;
  }
  printf("%d\n", out);
  return 0;
}
