/* Asks whether the functions that its calls reach are quiet; compiled as C and as C++. */
#include "rex_kmp.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
int step(float *a, int n);
int apart(int n);
int ask(void);
#ifdef __cplusplus
}
#endif
REX_ASKED_WHETHER_QUIET(step)
REX_ASKED_WHETHER_QUIET(apart)

int ask(void) {
  float a[1] = {0};
  return printf("%d: %d, %d: %d\n", step(a, 1), REX_IS_QUIET(step, (int (*)(float *, int))step), apart(1),
                REX_IS_QUIET(apart, &apart));
}
