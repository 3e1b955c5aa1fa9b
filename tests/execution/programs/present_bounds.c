/* Bounds that read objects which the device has with other values than the host: elements, pointees, members of
   variables that declare target puts there. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct object {
  int n;
  unsigned bits : 5;
};
#pragma omp declare target
int numbers[2] = {8, 9};
struct object global = {8, 3};
#pragma omp end declare target

static int on_device(void) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  return !host;
}

static void check(const char *what, int value, int right) {
  if (value == right)
    printf("%s: right\n", what);
  else
    printf("%s: %d\n", what, value);
}

#define RUN(what, right, header)                                                                                       \
  {                                                                                                                    \
    int r = 0;                                                                                                         \
    _Pragma("omp target teams distribute parallel for reduction(+ : r)") header r += 1;                                \
    check(what, r, right);                                                                                             \
  }

int main(void) {
  const int there = on_device();
  struct object one = {1, 2}, *at = malloc(2 * sizeof *at);
  int q[2] = {1, 1}, *p = q, unseen[2] = {4, 5};
  at[0] = at[1] = one;
  numbers[1] = 3, global.n = 3, global.bits = 1;
  RUN("an element of a global", there ? 9 : 3, for (int i = 0; i < numbers[1]; i++))
  RUN("a member of a global", there ? 8 : 3, for (int i = 0; i < global.n; i++))
  RUN("a bit-field of a global", there ? 3 : 1, for (unsigned i = 0; i < global.bits; i++))
#pragma omp target data map(tofrom : q, one, at[0 : 2])
  {
#pragma omp target
    {
      q[0] = 7, q[1] = 8, one.n = 9, at[1].n = 10, at[1].bits = 11;
    }
    RUN("an element", 8, for (int i = 0; i < q[1]; i++))
    RUN("a pointee", 7, for (int i = 0; i < *p; i++))
    RUN("the next one", 8, for (int i = 0; i < *(p + 1); i++))
    RUN("an array's first", 7, for (int i = 0; i < *q; i++))
    RUN("a member", 9, for (int i = 0; i < one.n; i++))
    RUN("a member of an element", 10, for (int i = 0; i < at[1].n; i++))
    RUN("a bit-field of an element", 11, for (unsigned i = 0; i < (at + 1)->bits; i++))
    RUN("several", 31, for (int i = 0; i < q[1] + at[1].n + one.n + unseen[0]; i++))
    int r = 0;
#pragma omp target parallel for map(tofrom : one, r) reduction(+ : r)
    for (int i = 0; i < one.n; i++) r += 1;
    check("mapped again", r, 9);
  }
  free(at);
  return 0;
}
