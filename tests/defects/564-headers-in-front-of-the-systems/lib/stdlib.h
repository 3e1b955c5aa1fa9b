#pragma once
#include_next <stdlib.h>
static inline int *ints(int n) { return (int *)malloc((unsigned)n * sizeof(int)); }
static inline int distance(int a, int b) { return abs(a - b); }
