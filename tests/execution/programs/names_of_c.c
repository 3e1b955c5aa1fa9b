// Words that C++ keeps for itself and CUDA for its variables, where C programs name members, tags, parameters with extents
// that the program computes, reductions, and what macros in clauses make of them.
#include <stdio.h>

#define SAME(x) x
struct class {
  int new : 5;
  unsigned delete : 3;
  int this[4];
};
int template = 3;
#pragma omp declare target(template)
#pragma omp declare reduction(class : struct class : omp_out.this[0] += omp_in.this[0], omp_out.this[1] += omp_in.this[1]) \
    initializer(omp_priv = (struct class){0})
double private(double z) { return z * 2; }

int rows(int n, int try[n][n]) {
  int virtual = 0;
  struct class c = {1, 2, {0}}, sums = {0};
#pragma omp target teams distribute parallel for map(tofrom : SAME(try)[0 : n]) reduction(+ : virtual) map(SAME(c))
  for (int new = 0; new < n; new ++) {
    for (int delete = 0; delete < n; delete ++) try[new][delete] += new + template;
    virtual += sizeof try[new] / sizeof(int) + c.delete;
  }
#pragma omp target parallel for reduction(class : sums)
  for (int i = 0; i < 5; i++) {
    sums.this[0] += i;
    sums.this[1] += i * 2;
  }
  double z[4];
#pragma omp target map(from : z)
  for (int i = 0; i < 4; i++) z[i] = private(i + 2);
  int catch = 0, half = 2, dim3 = 4, threadIdx = 3, blockIdx = 1;
#pragma omp target map(tofrom : catch) firstprivate(half)
  {
    int warpSize = half;
    catch = warpSize + threadIdx + blockIdx + dim3;
  }
  printf("%d %d %d %g %d\n", virtual, sums.this[0], sums.this[1], z[3], catch);
  return try[2][1];
}

int main(void) {
  int a[5][5] = {0};
  printf("%d\n", rows(5, a));
#pragma omp target
  template ++;
#pragma omp target update from(template)
  printf("%d\n", template);
  return 0;
}
