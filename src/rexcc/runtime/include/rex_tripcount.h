// SPDX-License-Identifier: Apache-2.0
//
// Trip counts, the same on the host (rex_kmp.h) and in kernels (rex_device_core.h). The including file says in
// REX_ARITHMETIC how its functions are declared.
#ifndef REX_TRIPCOUNT_H
#define REX_TRIPCOUNT_H

#include <stdint.h>

// How far `to` is above `from`, for 64-bit indices of either sign; negative when it is below.
REX_ARITHMETIC int64_t rex_distance(uint64_t from, uint64_t to) { return (int64_t)(to - from); }

// Iterations from the first index value on, when the last possible one is `last` further. Saturates at INT64_MAX.
REX_ARITHMETIC int64_t rex_tripcount(uint64_t last, int64_t step) {
  uint64_t steps = last / (uint64_t)step;
  return steps >= (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)steps + 1;
}

// Iterations of `for (i = lower; i < bound; i += step)`; the other three are for <=, and for > and >= with i -= step.
// step > 0. Differences are taken unsigned because they may not fit in 63 bits.
REX_ARITHMETIC int64_t rex_tripcount_lt(int64_t lower, int64_t bound, int64_t step) {
  return lower < bound ? rex_tripcount((uint64_t)bound - (uint64_t)lower - 1, step) : 0;
}
REX_ARITHMETIC int64_t rex_tripcount_le(int64_t lower, int64_t bound, int64_t step) {
  return lower <= bound ? rex_tripcount((uint64_t)bound - (uint64_t)lower, step) : 0;
}
REX_ARITHMETIC int64_t rex_tripcount_gt(int64_t lower, int64_t bound, int64_t step) {
  return rex_tripcount_lt(bound, lower, step);
}
REX_ARITHMETIC int64_t rex_tripcount_ge(int64_t lower, int64_t bound, int64_t step) {
  return rex_tripcount_le(bound, lower, step);
}

// A bound of a loop with an unsigned 64-bit index, for the functions above: they compare signed numbers, whose order this
// keeps, and so do the distances.
REX_ARITHMETIC int64_t rex_ordered(uint64_t bound) { return (int64_t)(bound ^ (uint64_t)1 << 63); }

// Trip count of two collapsed loops: 0 when one is empty, INT64_MAX when the product is larger.
REX_ARITHMETIC int64_t rex_collapse(int64_t outer, int64_t inner) {
  if (outer <= 0 || inner <= 0) return 0;
  return outer > INT64_MAX / inner ? INT64_MAX : outer * inner;
}

#endif
