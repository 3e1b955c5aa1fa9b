#include STEP
#ifdef NEXT
#undef STEP
#define STEP "two.inc"
#ifdef TWICE
#undef NEXT
#define N 3
#else
#define TWICE
#define N 2
#endif
#include "loop.h"
#endif
