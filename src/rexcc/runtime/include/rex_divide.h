// SPDX-License-Identifier: Apache-2.0
//
// Division by numbers that are the same in a whole launch, such as the extents of collapsed loops: the host makes a
// multiplier of each (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, figure 5.2),
// the kernel multiplies and shifts. That is 3 instructions where a division of 32-bit numbers is 20 and one of 64-bit
// numbers 100. The including file says in REX_ARITHMETIC how its functions are declared.
#ifndef REX_DIVIDE_H
#define REX_DIVIDE_H


// n / d is q >> shift where q = factor * n + high(multiplier * n), rounded down; one more where it is negative, as n is,
// and for negative d as q is (which wraps for the least int and 1). The factor is 1, or -1 for negative d. The multiplier
// of no divisor is 0.
typedef struct rex_divisor {
  __INT32_TYPE__ multiplier;
  __INT16_TYPE__ shift, factor;
} rex_divisor;

// The bytes of a rex_divisor, as a kernel's argument, for any n that is an int; 0 where the divisor is 0 or no int.
REX_ARITHMETIC __UINT64_TYPE__ rex_divisor_bytes(__INT64_TYPE__ divisor) {
  __UINT64_TYPE__ size = divisor < 0 ? 0 - (__UINT64_TYPE__)divisor : (__UINT64_TYPE__)divisor;
  if (size == 0 || size > (__UINT64_TYPE__)__INT32_MAX__ + (divisor < 0)) return 0;
  __UINT32_TYPE__ bits = size <= 2 ? 1 : 32 - (__UINT32_TYPE__)__builtin_clz((__UINT32_TYPE__)size - 1);
  __UINT32_TYPE__ multiplier = (__UINT32_TYPE__)(((__UINT64_TYPE__)1 << (31 + bits)) / size + 1);
  if (divisor < 0) multiplier = 0 - multiplier;
  return (__UINT64_TYPE__)(__UINT16_TYPE__)(divisor < 0 ? -1 : 1) << 48 | (__UINT64_TYPE__)(bits - 1) << 32 | multiplier;
}

// The same for one of several numbers whose product is `most`: 0 where that is no int, or there is no iteration.
REX_ARITHMETIC __UINT64_TYPE__ rex_extent_bytes(__INT64_TYPE__ extent, __INT64_TYPE__ most) {
  return extent < 1 || most < 1 || most > __INT32_MAX__ ? 0 : rex_divisor_bytes(extent);
}

// The same for unsigned numbers (figure 4.1): n / d is (high + ((n - high) >> factor)) >> shift where high is that of
// multiplier * n; `factor` is a shift too, 1 or, where d is 1, 0. 0 for no divisor.
REX_ARITHMETIC __UINT64_TYPE__ rex_unsigned_divisor_bytes(__UINT32_TYPE__ divisor) {
  if (divisor == 0) return 0;
  __UINT32_TYPE__ bits = divisor == 1 ? 0 : 32 - (__UINT32_TYPE__)__builtin_clz(divisor - 1), first = bits != 0;
  __UINT64_TYPE__ above = ((__UINT64_TYPE__)1 << bits) - divisor;
  __UINT32_TYPE__ multiplier = (__UINT32_TYPE__)((above << 32) / divisor + 1);
  return (__UINT64_TYPE__)first << 48 | (__UINT64_TYPE__)(bits - first) << 32 | multiplier;
}

// The bytes of 1 / divisor, as a kernel's argument, for divisions that may be multiplications by it.
REX_ARITHMETIC __UINT64_TYPE__ rex_reciprocal_bytes(double divisor) {
  double reciprocal = 1 / divisor;
  __UINT64_TYPE__ bytes;
  __builtin_memcpy(&bytes, &reciprocal, sizeof reciprocal);
  return bytes;
}

REX_ARITHMETIC __UINT64_TYPE__ rex_reciprocal_bytes_float(float divisor) {
  float reciprocal = 1 / divisor;
  __UINT32_TYPE__ bytes;
  __builtin_memcpy(&bytes, &reciprocal, sizeof reciprocal);
  return bytes;
}

#endif
