// SPDX-License-Identifier: Apache-2.0
//
// Division by numbers that are the same in a whole launch, such as the extents of collapsed loops: the host makes a
// multiplier of each (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, figure 5.2),
// the kernel multiplies and shifts. That is 3 instructions where a division of 32-bit numbers is 20 and one of 64-bit
// numbers 100. The including file says in REX_ARITHMETIC how its functions are declared.
#ifndef REX_DIVIDE_H
#define REX_DIVIDE_H

#include <stdint.h>

// n / d is (n + high(multiplier * n)) >> shift for 0 <= n < 2^31. The multiplier of no divisor is 0.
typedef struct rex_divisor {
  int32_t multiplier;
  uint32_t shift;
} rex_divisor;

// The bytes of a rex_divisor, as a kernel's argument: 0 where numbers up to `most` are too great for it.
REX_ARITHMETIC uint64_t rex_divisor_bytes(int64_t divisor, int64_t most) {
  if (divisor < 1 || divisor > most || most > INT32_MAX) return 0;
  uint32_t bits = divisor <= 2 ? 1 : 32 - (uint32_t)__builtin_clz((uint32_t)divisor - 1);
  uint64_t multiplier = ((uint64_t)1 << (31 + bits)) / (uint64_t)divisor + 1;
  return (uint64_t)(bits - 1) << 32 | (uint32_t)multiplier;
}

#endif
