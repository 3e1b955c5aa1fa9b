/* What the programs of this folder have in common: they count what is not as it should be. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) {                                                   \
      failures++;                                                         \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);              \
    }                                                                     \
  } while (0)

static int here(const void *p) { return omp_target_is_present(p, omp_get_default_device()); }

static double *numbers(int count, double first) {
  double *p = (double *)malloc(count * sizeof *p);
  for (int i = 0; i < count; i++) p[i] = first + i;
  return p;
}
