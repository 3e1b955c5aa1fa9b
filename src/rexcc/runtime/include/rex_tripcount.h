// SPDX-License-Identifier: Apache-2.0
//
// Trip counts, the same on the host (rex_kmp.h) and in kernels (rex_device_core.h). The including file says in
// REX_ARITHMETIC how its functions are declared.
#ifndef REX_TRIPCOUNT_H
#define REX_TRIPCOUNT_H

// Iterations of a thread from which on the sums of a block pay (rex_device_bins.h).
#define REX_BINS_LEAST 8

// How far `to` is above `from`; negative when it is below. Saturates at __INT64_MAX__.
REX_ARITHMETIC __INT64_TYPE__ rex_distance(__INT64_TYPE__ from, __INT64_TYPE__ to) {
  __UINT64_TYPE__ distance = (__UINT64_TYPE__)to - (__UINT64_TYPE__)from;
  if (to < from) return -1;
  return distance > (__UINT64_TYPE__)__INT64_MAX__ ? __INT64_MAX__ : (__INT64_TYPE__)distance;
}

// Iterations from the first index value on, when the last possible one is `last` further. Saturates at __INT64_MAX__.
REX_ARITHMETIC __INT64_TYPE__ rex_tripcount(__UINT64_TYPE__ last, __INT64_TYPE__ step) {
  __UINT64_TYPE__ steps = last / (__UINT64_TYPE__)step;
  return steps >= (__UINT64_TYPE__)__INT64_MAX__ ? __INT64_MAX__ : (__INT64_TYPE__)steps + 1;
}

// Iterations of `for (i = lower; i < bound; i += step)`; the other three are for <=, and for > and >= with i -= step.
// step > 0. Differences are taken unsigned because they may not fit in 63 bits.
REX_ARITHMETIC __INT64_TYPE__ rex_tripcount_lt(__INT64_TYPE__ lower, __INT64_TYPE__ bound, __INT64_TYPE__ step) {
  return lower < bound ? rex_tripcount((__UINT64_TYPE__)bound - (__UINT64_TYPE__)lower - 1, step) : 0;
}
REX_ARITHMETIC __INT64_TYPE__ rex_tripcount_le(__INT64_TYPE__ lower, __INT64_TYPE__ bound, __INT64_TYPE__ step) {
  return lower <= bound ? rex_tripcount((__UINT64_TYPE__)bound - (__UINT64_TYPE__)lower, step) : 0;
}
REX_ARITHMETIC __INT64_TYPE__ rex_tripcount_gt(__INT64_TYPE__ lower, __INT64_TYPE__ bound, __INT64_TYPE__ step) {
  return rex_tripcount_lt(bound, lower, step);
}
REX_ARITHMETIC __INT64_TYPE__ rex_tripcount_ge(__INT64_TYPE__ lower, __INT64_TYPE__ bound, __INT64_TYPE__ step) {
  return rex_tripcount_le(bound, lower, step);
}

// A bound of a loop with an unsigned 64-bit index, for the functions above: they compare signed numbers, whose order this
// keeps, and so do the distances.
REX_ARITHMETIC __INT64_TYPE__ rex_ordered(__UINT64_TYPE__ bound) { return (__INT64_TYPE__)(bound ^ (__UINT64_TYPE__)1 << 63); }

// Trip count of two collapsed loops: 0 when one is empty, __INT64_MAX__ when the product is larger.
REX_ARITHMETIC __INT64_TYPE__ rex_collapse(__INT64_TYPE__ outer, __INT64_TYPE__ inner) {
  if (outer <= 0 || inner <= 0) return 0;
  return outer > __INT64_MAX__ / inner ? __INT64_MAX__ : outer * inner;
}

#endif
