/* Functions of which others ask whether they are quiet: this file says so of the first. As OTHERS it has those of the
   same names that say nothing. */
#include "rex_kmp.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef OTHERS
int step(float *a, int n) { return (int)a[0] + n + 1; }
#else
int step(float *a, int n) { return (int)a[0] + n; }
REX_QUIET(step, __typeof__(step))
#endif
#if !defined OTHERS || defined ALL
int apart(int n) { return n; }
#endif
#ifdef __cplusplus
}
#endif
