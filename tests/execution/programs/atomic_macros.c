/* Operands and statements that macros make, parts that the preprocessor leaves out, comments between operands. */
#include <stdio.h>

#define N 100
#define COUNT counts[0]
#define AT(array, i) array[(i) % 4]
#define FIELD(p, name) p->name
#define THROUGH(p) *p
#define SQUARE(v) v *v
#define SUM(a, b) a + b
#define ATOMIC_ADD(x, v) _Pragma("omp atomic") x += v
#define ADD_HERE(x, v) ATOMIC_ADD(x, v);
#define MORE

struct pair {
  int left, right;
};

int main(void) {
  int counts[4] = {0}, squares = 0, sums = 0, most = 0, seen = 0, n = N;
  struct pair pairs[2] = {{0, 0}};
#pragma omp target teams distribute parallel for map(tofrom : counts, squares, sums, most, pairs, seen)
  for (int i = 0; i < n; i++) {
    struct pair *p = &pairs[i % 2];
    int *q = &counts[3], v;
#pragma omp atomic
    COUNT += 1;
#pragma omp atomic
    AT(counts, 5) = AT(counts, 5) + 2;
#pragma omp atomic
    squares += SQUARE(3);
#pragma omp atomic
    squares = squares - SQUARE(2) * 1;
#pragma omp atomic
    sums += SUM(1, 2) * 2;
#pragma omp atomic
    FIELD(p, left)++;
#pragma omp atomic capture
    { v = FIELD(p, right); FIELD(p, right) /* then */ += /* one */ 1; // more
    }
#pragma omp atomic
    THROUGH(q) -= 1;
#pragma omp atomic compare
    if (most < SQUARE(i)) { most = SQUARE(i); }
    ATOMIC_ADD(counts[2], v >= 0);
    ADD_HERE(AT(counts, 2), 0)
#pragma omp atomic capture
    {
      v = seen;
#ifdef MORE
      seen += 3;
#else
      seen += 4;
#endif
    }
#pragma omp atomic
    seen \
      -= 1;
    if (v < 0) most = 0;
  }
  printf("%d %d %d %d: %d %d %d %d\n", counts[0], counts[1], counts[2], counts[3], squares, sums, most, seen);
  printf("%d %d %d %d\n", pairs[0].left, pairs[0].right, pairs[1].left, pairs[1].right);
  return 0;
}
