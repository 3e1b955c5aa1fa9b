#define USED y
static int before(int x) {
#ifdef EARLIER
#pragma omp target map(tofrom: x)
  x++;
#endif
  return x;
}
#include "both.h"
int of_second(void) { return add(3, before(4)); }
