// Variables whose types are written as those of expressions, which are other names in device code.
#include <stdio.h>
int main() { unsigned n = 64; __typeof__(n) m = 60; __typeof__(n + 1ul) k = 3; int q[4] = {1,2,3,4}; typeof(q) w = {1,2}; typeof(int[4]) z = {1};
 const typeof(&n) pp = 0; int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: s) reduction(+: s) private(w)
 for (unsigned i = 0; i < m; i++) { __typeof__(q) l = {1}; typeof(m) mm = m; w[0] = 1; s += k + q[i & 3] + l[0] + mm + w[0] + z[0] + (pp == 0); }
 printf("%d\n", s); }
