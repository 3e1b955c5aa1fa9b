// __builtin_constant_p in device code: its answer may be a label, an extent, an enumerator's value.
#include <stdio.h>
#define KNOWN(x) __builtin_constant_p(x)
#define PICK(x, a, b) (__builtin_constant_p(x) ? (a) : (b))
#pragma omp declare target
static int pick(int k) { switch (k) { case __builtin_constant_p(5): return 10; case KNOWN(2) + 1: return 20; case 7: return 70; default: return -1; } }
static int arr(void) { int a[__builtin_constant_p(3) ? 4 : 2]; return sizeof a; }
static int unknown(volatile int *n) { return __builtin_constant_p(*n) * 100 + PICK(4 * 5, 3, 4) + __builtin_constant_p(2.5) * 10; }
enum { Q = __builtin_constant_p(8), W = KNOWN(3) ? 6 : 7 };
struct bits { unsigned a : __builtin_constant_p(8) + 2; int more[KNOWN(1) + 1]; };
static const int table[2] = {__builtin_constant_p(1), PICK(2, 5, 6)};
#pragma omp end declare target
int main(void) {
  int r[12] = {0};
  #pragma omp target map(tofrom: r)
  { r[0] = pick(1); r[1] = pick(0); r[2] = arr(); r[3] = Q; struct bits b = {7}; r[4] = b.a + sizeof b.more;
    switch (r[3]) { case __builtin_constant_p(5) + 0: r[5] = 5; break; default: r[5] = 6; } r[6] = W; r[7] = table[0] + table[1]; volatile int v = 3; r[8] = unknown(&v); r[9] = pick(2); r[10] = PICK(7, 1, 2); int local[KNOWN(9) + 2]; r[11] = sizeof local; }
  for (int i = 0; i < 12; i++) printf("%d ", r[i]);
  puts("");
  return 0;
}
